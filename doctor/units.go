package doctor

import (
	"fmt"
	"math"
	"strings"
)

// Limits on the size of a channel against the joint's limits in the robot file.
const (
	// How far beyond the limit a channel must usually be before its unit is doubted: limits of robot
	// files are often those of another controller.
	beyondPosition = 1.5
	beyondEffort   = 3
	// The part of the rows that must lie within the limit after conversion, and the share that lies
	// beyond it before.
	usually = 0.9
	// What reaches this is damage, not a unit.
	damaged = 1e6
)

// limitOf is the magnitude of the joint's limit for a channel, 0 where the file has none.
func (p *patient) limitOf(c *channel) float64 {
	j := &p.robot.Links[p.joints[c.joint].link].Joint
	limit := 0.0
	switch c.role {
	case position:
		if !j.Continuous {
			limit = math.Max(math.Abs(j.Lower), math.Abs(j.Upper))
		}
		if p.turns(c.joint) && limit > 0 {
			limit = math.Max(limit, math.Pi/2)
		}
	case velocity:
		limit = j.Velocity
	case torque:
		limit = j.Effort
	}
	if math.IsNaN(limit) || math.IsInf(limit, 0) {
		return 0
	}
	return limit
}

// beyondLimit says that a channel is beyond the joint's limit on a good part of the rows.
func (p *patient) beyondLimit(c *channel) bool {
	limit := p.limitOf(c)
	factor := float64(beyondPosition)
	if c.role != position {
		factor = beyondEffort
	}
	// The lower edge of the binary interval, so that rounding up by a factor of two accuses nobody.
	size := quantile(&c.stats.size, usually) / 2
	return limit > 0 && size > factor*limit && size < damaged
}

// checkUnits doubts units whose values the robot cannot have reached.
func (p *patient) checkUnits() {
	for i := range p.joints {
		j := &p.joints[i]
		if j.q != nil {
			p.checkAngle(j)
		}
		if j.effort != nil {
			p.checkEffort(j)
		}
	}
}

func (p *patient) checkAngle(j *joint) {
	c := j.q
	if p.found(Units, c) {
		return
	}
	size := quantile(&c.stats.size, usually)
	limit := p.limitOf(c)
	if limit == 0 && p.turns(c.joint) && size/2 > 50 {
		f := p.about(Units, Warning, c)
		f.Value, f.Limit = size, 50
		f.Where = "the whole log"
		f.Why = fmt.Sprintf("%s reaches %.4g rad, which is %.1f turns: it may be in degrees", c.name, size, size/2/math.Pi)
		f.Fix = fmt.Sprintf("units: {%s: deg} in ident.yaml", c.name)
		f.Repair = unit(c.name, "deg", math.Pi/180)
		p.add(f)
		return
	}
	if !p.beyondLimit(c) {
		return
	}
	f := p.about(Units, Error, c)
	f.Value, f.Limit = size, limit
	f.Where = "the whole log"
	inUnit, name := math.Pi/180, "deg"
	if !p.turns(c.joint) {
		inUnit, name = 1e-3, "mm"
	}
	if size/2*inUnit <= beyondPosition*limit {
		f.Why = fmt.Sprintf("%s reaches about %.3g, the joint's limit is %.4g %s: it is in %s", c.name, size, limit, p.unitOf(c), name)
		f.Fix = fmt.Sprintf("units: {%s: %s} in ident.yaml", c.name, name)
		f.Repair = unit(c.name, name, inUnit)
	} else {
		f.ID, f.Severity = GearRatio, Warning
		f.Why = fmt.Sprintf("%s reaches about %.3g %s, the joint's limit is %.4g: it may be on the motor's side of the gear", c.name, size, p.unitOf(c), limit)
		f.Fix = fmt.Sprintf("convert %s and what belongs to joint %s to its own side of the gear, with the gear ratio of the drive", c.name, j.name)
	}
	p.add(f)
}

// checkEffort looks at the channel that is to be explained.
func (p *patient) checkEffort(j *joint) {
	c := j.effort
	size := quantile(&c.stats.size, usually)
	name := strings.ToLower(c.name)
	amperes := c.role == torque && (strings.Contains(name, "current") || strings.EqualFold(c.unit, "A") || strings.EqualFold(c.unit, "mA"))
	if amperes || (c.role == current && !(math.Abs(j.gain) > 0)) {
		f := p.about(CurrentAsTorque, Warning, c)
		f.Where = "the whole log"
		f.Why = fmt.Sprintf("%s is a motor current and no gain of joint %s is known: parameters would come out in units of current", c.name, j.name)
		f.Fix = "--gains with the joint torque a motor current of each joint, N·m/A, or gain under the joint in ident.yaml"
		if amperes {
			f.Why = fmt.Sprintf("%s is used as the torque of joint %s but looks like a motor current", c.name, j.name)
			f.Fix = fmt.Sprintf("--map i of joint %s to it, with --gains", j.name)
		}
		p.add(f)
	}
	if c.role == current && size/2 > 1000 {
		f := p.about(Units, Warning, c)
		f.Value, f.Limit = size, 1000
		f.Where = "the whole log"
		f.Why = fmt.Sprintf("%s reaches %.4g A: it is in mA", c.name, size)
		f.Fix = fmt.Sprintf("units: {%s: mA} in ident.yaml", c.name)
		f.Repair = unit(c.name, "mA", 1e-3)
		p.add(f)
	}
	if c.role != torque || !p.beyondLimit(c) {
		return
	}
	f := p.about(Units, Warning, c)
	limit := p.limitOf(c)
	f.Value, f.Limit = size, limit
	f.Where = "the whole log"
	f.Why = fmt.Sprintf("%s reaches about %.3g, the joint's limit is %.4g %s: it is not in that unit, or is on the motor's side of another gear", c.name, size, limit, p.unitOf(c))
	f.Fix = fmt.Sprintf("declare its unit, units: {%s: N.mm} for example, in ident.yaml", c.name)
	if size > 30*limit {
		f.Severity = Error
		f.Why = fmt.Sprintf("%s reaches about %.3g, the joint's limit is %.4g %s: it is in thousandths", c.name, size, limit, p.unitOf(c))
		name := pick(p.turns(c.joint), "N.mm", "mN")
		f.Fix = fmt.Sprintf("units: {%s: %s} in ident.yaml", c.name, name)
		f.Repair = unit(c.name, name, 1e-3)
	}
	p.add(f)
}

// found says whether a finding of this kind on the channel is already there.
func (p *patient) found(id string, c *channel) bool {
	for _, f := range p.findings {
		if f.ID == id && f.Channel == c.name {
			return true
		}
	}
	return false
}
