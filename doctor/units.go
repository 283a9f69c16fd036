package doctor

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"ident/doctor/internal/projection"
	"ident/internal/hint"
)

// Limits on the size of a channel relative to the joint's limits in the robot file.
const (
	// A unit is doubted if the usual size of a channel exceeds its limit by these factors. Limits in robot files are
	// often those of another controller.
	beyondPosition = 1.5
	beyondEffort   = 3
	// The quantile of a channel that counts as its usual size.
	usually = 0.9
	// Larger values are damage, not another unit.
	damaged = 1e6
	// Degrees and millimetres of a motion below this part of the joint's limit are not told from radians and metres beyond a limit that is
	// another robot's.
	littleMotion = 0.05
)

// reached returns the largest size of a channel, which is at most size, the upper edge of a bin.
func (rec *recording) reached(c *channel, size float64) float64 {
	return min(size, rec.stats(c).most())
}

// beyondLimit reports whether a channel usually exceeds the joint's limit.
func (rec *recording) beyondLimit(c *channel) bool {
	limit := rec.limitOf(c)
	factor := float64(beyondPosition)
	if c.role != position {
		factor = beyondEffort
	}
	// Sizes are binned by powers of two. The lower edge is used, so that binning cannot cause a finding.
	size := projection.MagnitudeQuantile(&rec.stats(c).size, usually) / 2
	return limit > 0 && size > factor*limit && size < damaged
}

// checkUnits reports doubtful units: values that the robot cannot have reached. before holds the findings so far.
func checkUnits(rec *recording, before findings) (found findings) {
	thousandths, loadsInSI := inThousandths(rec), sync.OnceValue(rec.loadsInSI)
	heavy, isHeavy := tooHeavy(rec)
	var bodies [2]*unitOfBodies
	doubted := isHeavy || slices.ContainsFunc(rec.joints, func(j joint) bool { return j.effort != nil && j.effort.role == torque && rec.beyondLimit(j.effort) })
	scaled := scaledByThemselves(rec)
	found = append(found, scaled...)
	for _, j := range rec.joints {
		if len(scaled) == 0 && j.q != nil && !before.has(Units, j.q) && !found.has(Units, j.q) {
			found.keep(positionUnit(rec, j))
		}
		if j.effort != nil {
			found.keep(currentAsTorque(rec, j))
			if j.effort.role == torque && (doubted || j.effort.unit == "" && !rec.placeholders()) {
				if f, ok := rec.unitByBodies(j, &bodies); ok && (doubted || math.Abs(math.Log(f.Value)) > math.Log(fileFactor)) {
					if !doubted { // the limits allow the torques: the bodies of the file may be another robot's
						f.Severity = Warning
					}
					found.add(f)
					continue
				}
			}
			if f, ok := rawEffort(rec, j, loadsInSI); ok && !thousandths {
				found.keep(f, ok)
				continue
			}
			found.keep(milliamperes(rec, j.effort))
			found.keep(torqueUnit(rec, j.effort, thousandths))
		}
	}
	found.keep(heavy, isHeavy && (bodies[1] == nil || !bodies[1].ok))
	return found
}

// unitOfBodies is what torqueUnits returns.
type unitOfBodies struct {
	name   string
	factor float64
	ok     bool
}

// unitByBodies doubts the unit of a torque, or of the force of a slide, by the bodies of the robot file; one unit is that of all, and is sought once.
func (rec *recording) unitByBodies(j joint, bodies *[2]*unitOfBodies) (f Finding, ok bool) {
	revolute := rec.isRevolute(j.effort.joint)
	kind := pick(revolute, 1, 0)
	if bodies[kind] == nil {
		bodies[kind] = new(unitOfBodies)
		bodies[kind].name, bodies[kind].factor, bodies[kind].ok = rec.torqueUnits(revolute)
	}
	u := bodies[kind]
	if !u.ok {
		return f, false
	}
	f = rec.about(Units, Error, j.effort)
	f.Value, f.Limit, f.Where = u.factor, 1, "the whole log"
	f.Why = fmt.Sprintf("%s, as the others, is %.4g times what the bodies of the robot file need: it is not in %s", f.Channel, u.factor, rec.unitOf(j.effort))
	if u.name == "" {
		f.Hint = fmt.Sprintf("declare its unit, {units} %s=UNIT: one that is about %.3g %s, such as kgf.cm or in.lb", hint.Word(f.Channel), 1/u.factor, rec.unitOf(j.effort))
		return f, true
	}
	f.Why = fmt.Sprintf("%s, as the others, is %.4g times what the bodies of the robot file need: it is in %s", f.Channel, u.factor, u.name)
	f.Fix = fmt.Sprintf("{units} %s=%s", hint.Word(f.Channel), hint.Word(u.name))
	f.Repair = unit(f.Channel, u.name, si(u.name))
	return f, true
}

// scaledByThemselves doubts positions that all reach exactly 1 or 100 beyond their joints' limits: each was divided by its own largest value,
// which the log does not hold.
func scaledByThemselves(rec *recording) (found findings) {
	beyond := false
	for _, j := range rec.joints {
		if j.q == nil {
			return nil
		}
		if most := rec.stats(j.q).most(); most != 1 && most != 100 {
			return nil
		}
		beyond = beyond || rec.beyondLimit(j.q)
	}
	if !beyond || len(rec.joints) < 2 {
		return nil
	}
	for _, j := range rec.joints {
		f := rec.about(Units, Error, j.q)
		f.Value, f.Limit, f.Where = rec.stats(j.q).most(), rec.limitOf(j.q), "the whole log"
		f.Why = fmt.Sprintf("%s reaches exactly %g, as the positions of all joints do: each was divided by its own largest value", j.q.name, f.Value)
		f.Hint = fmt.Sprintf("log the positions before they are scaled; or {scale} %s=RAD_PER_UNIT for each, if the divisors are known", hint.Word(j.q.name))
		found.add(f)
	}
	return found
}

// positionUnit doubts the unit of a position beyond the joint's limit, or of many turns without a limit.
func positionUnit(rec *recording, j joint) (f Finding, ok bool) {
	c := j.q
	size := projection.MagnitudeQuantile(&rec.stats(c).size, usually)
	limit := rec.limitOf(c)
	if f = rec.about(Units, Error, c); (limit == 0 || rec.beyondLimit(c)) && rec.encoderCounts(&f, c) {
		f.Limit = limit
		return f, true
	}
	if limit == 0 && rec.isRevolute(c.joint) && size/2 > 50 {
		f = rec.about(Units, Warning, c)
		f.Value, f.Limit = size, 50
		f.Where = "the whole log"
		f.Why = fmt.Sprintf("%s reaches %.4g rad, which is %.1f turns: it may be in degrees", c.name, size, size/2/math.Pi)
		f.Fix = fmt.Sprintf("{units} %s=deg", hint.Word(c.name))
		f.Repair = unit(c.name, "deg", math.Pi/180)
		return f, true
	}
	if !rec.beyondLimit(c) {
		return f, false
	}
	f = rec.about(Units, Error, c)
	f.Value, f.Limit = size, limit
	f.Where = "the whole log"
	if rec.declaredBeyond(&f, c, size, limit) {
		return f, true
	}
	names := slices.DeleteFunc(unitNames(position, rec.isRevolute(c.joint)), func(name string) bool {
		return si(name) > 1 || rec.reached(c, size)*si(name) < littleMotion*limit
	})
	if len(names) == 0 {
		return f, false
	}
	if names = slices.DeleteFunc(names, func(name string) bool { return size/2*si(name) > beyondPosition*limit }); len(names) > 0 {
		f.Why = fmt.Sprintf("%s reaches about %.3g, the joint's limit is %.4g %s: it is in %s", c.name, rec.reached(c, size), limit, rec.unitOf(c), names[0])
		f.Fix = fmt.Sprintf("{units} %s=%s", hint.Word(c.name), hint.Word(names[0]))
		f.Repair = unit(c.name, names[0], si(names[0]))
		if !rec.isRevolute(c.joint) { // angles are in degrees much more often than in other units, lengths in millimetres or centimetres
			f.possible = names
		}
	} else {
		f.ID, f.Severity = GearRatio, Warning
		f.Why = fmt.Sprintf("%s reaches about %.3g %s, the joint's limit is %.4g: it may be on the motor's side of the gear", c.name, rec.reached(c, size), rec.unitOf(c), limit)
		f.Fix = fmt.Sprintf("with the gear ratio of the drive, convert %s and all other values of joint %s to the joint's side of the gear", c.name, j.name)
	}
	return f, true
}

// currentAsTorque reports a motor current without a gain, or one logged as a torque.
func currentAsTorque(rec *recording, j joint) (f Finding, ok bool) {
	c := j.effort
	name := strings.ToLower(c.name)
	amperes := c.role == torque && (strings.Contains(name, "current") || strings.EqualFold(c.unit, "A") || strings.EqualFold(c.unit, "mA"))
	if !amperes && (c.role != current || math.Abs(j.gain) > 0) {
		return f, false
	}
	f = rec.about(CurrentAsTorque, Warning, c)
	f.Where = "the whole log"
	f.Why = fmt.Sprintf("%s is a motor current and no gain of joint %s is known: parameters would come out in units of current", c.name, j.name)
	f.Fix = rec.findGains()
	if amperes {
		f.Why = fmt.Sprintf("%s is used as the torque of joint %s but looks like a motor current", c.name, j.name)
		f.Fix = fmt.Sprintf("use {map} to give it to i of joint %s, with {gains}", j.name)
	}
	return f, true
}

// findGains returns advice on how to find the drives' gains: data sheets, channels of the log that look like torques, or
// a run with a weighed body.
func (s *setup) findGains() string {
	fix := "{gains} of each joint, N·m/A, or gain in ident.yaml"
	var torques []string
	for _, c := range s.spare {
		name := strings.ToLower(c.Name)
		like := slices.ContainsFunc([]string{"tau", "torque", "effort", "moment"}, func(part string) bool { return strings.Contains(name, part) })
		if like || slices.Contains([]string{"N.m", "Nm", "N·m", "N.mm"}, c.Unit) {
			torques = append(torques, c.Name)
		}
	}
	switch {
	case len(torques) == len(s.joints):
		fix += "; or {map} tau1=" + hint.Word(torques[0]) + " and so on, which look like torques"
	case len(torques) > 0:
		fix += "; or {map} tau1=" + hint.Word(torques[0]) + ", which looks like a torque"
	}
	last := s.joints[len(s.joints)-1].link
	return fix + fmt.Sprintf("; or a second run with a weighed body: {terms} links,Ia,Fv,Fs,Fo,payload:%s,gain {carries} LOADED {known} PM%d=MASS", hint.Word(s.robot.Links[last].Name), last+1)
}

// milliamperes reports a current of a log in which one is too large to be in ampere: a log has one unit for all of them.
func milliamperes(rec *recording, c *channel) (f Finding, ok bool) {
	largest := c
	for _, j := range rec.joints {
		if j.effort != nil && j.effort.role == current && j.effort.unit == c.unit && rec.usual(j.effort) > rec.usual(largest) {
			largest = j.effort
		}
	}
	size := rec.usual(largest)
	if c.role != current || size/2 <= 1000 {
		return f, false
	}
	f = rec.about(Units, Warning, c)
	f.Value, f.Limit = rec.usual(c), 1000
	f.Where = "the whole log"
	f.Why = fmt.Sprintf("%s reaches %.4g A: %s is in mA", largest.name, size, c.name)
	f.Fix = fmt.Sprintf("{units} %s=mA", hint.Word(c.name))
	f.Repair = unit(c.name, "mA", 1e-3)
	return f, true
}

// usual returns the usual size of a channel.
func (rec *recording) usual(c *channel) float64 {
	return projection.MagnitudeQuantile(&rec.stats(c).size, usually)
}

// slowestMotion is the speed of the fastest joint, rad/s or m/s, below which a log cannot be one for identification:
// friction is not viscous there, and a stroke takes minutes.
const slowestMotion = 0.02

// tooSlow doubts the unit of time if every joint creeps although some move far.
func tooSlow(rec *recording, before findings) (f Finding, ok bool) {
	fastest, far := 0.0, false
	for _, j := range rec.joints {
		if j.q == nil || rec.isStill(j) {
			continue
		}
		far = far || rec.stats(j.q).span() > 10*rec.stillRange(j.q)
		for _, w := range rec.windows {
			t, x := w.t, w.cols[j.q.index]
			step := max(1, len(x)/100)
			for k := step; k < len(x); k += step {
				if v := math.Abs(x[k]-x[k-step]) / (t[k] - t[k-step]); !math.IsInf(v, 0) && !math.IsNaN(v) {
					fastest = max(fastest, v)
				}
			}
		}
	}
	if !far || fastest == 0 || fastest > slowestMotion || slices.ContainsFunc(before, func(f Finding) bool { return f.ID == ClockRate }) {
		return f, false
	}
	f = Finding{ID: ClockRate, Severity: Warning, Channel: rec.roles.T, Value: fastest, Limit: slowestMotion, Where: "the whole log"}
	f.Why = fmt.Sprintf("no joint is faster than %.2g rad/s or m/s although some move far: the times are not in seconds, or the robot creeps", fastest)
	f.Fix = fmt.Sprintf("{units} %s=ms if they are milliseconds", hint.Word(rec.roles.T))
	f.Repair = unit(rec.roles.T, "ms", 1e-3)
	return f, true
}

// heaviest is a density in kg/m³: if a cube as wide as the robot is long would need it to explain the torques, no robot
// is that heavy. Six arms of 16 to 100 kg and a heavy-duty one need 1 to 16.
const heaviest = 200

// tooHeavy doubts the unit of torques that only a body far too heavy for the robot's length would need. It applies if
// the file has no limits for them.
func tooHeavy(rec *recording) (f Finding, ok bool) {
	length, g := 0.0, projection.Norm(rec.robot.Gravity[:])
	for _, l := range rec.robot.Links {
		length += projection.Norm(l.Placement.P[:])
	}
	for _, j := range rec.joints { // a slide is as long as its travel
		if j.q != nil && !rec.isRevolute(j.q.joint) {
			length += rec.stats(j.q).span()
		}
	}
	if length == 0 || g < 1 || len(rec.joints) < 3 {
		return f, false
	}
	least := heaviest * length * length * length * length * g
	for _, j := range rec.joints {
		c := j.effort
		if c == nil || c.role != torque || !rec.isRevolute(c.joint) || rec.limitOf(c) > 0 || c.unit != "" && c.unit != "N.m" && c.unit != "Nm" {
			continue
		}
		if size := projection.MagnitudeQuantile(&rec.stats(c).size, usually) / 2; size > least && size > f.Value {
			f = rec.about(Units, Warning, c)
			f.Value, f.Limit, f.Where = size, least, "the whole log"
			f.Why = fmt.Sprintf("%s is %.3g N·m or more for a tenth of the time, more than a solid cube of %d kg/m³ as large as the robot (%.3g m) would need: it is in N·mm", c.name, size, int(heaviest), length)
			f.Fix = fmt.Sprintf("{units} %s=N.mm, and so for the other torques", hint.Word(c.name))
			f.Repair = unit(c.name, "N.mm", 1e-3)
		}
	}
	return f, f.ID != ""
}

// thousandfold is the multiple of a joint's limit from which a torque is in thousandths of the unit. It is about the
// geometric mean of 1 and 1000: between a torque above its limit and one that moves the arm gently.
const thousandfold = 30

// inThousandths reports whether all torques are in thousandths of their unit: all exceed their limits, one by
// thousandfold, and none would after conversion. A log has one unit for all torques, even small ones.
func inThousandths(rec *recording) bool {
	evident := false
	for _, j := range rec.joints {
		c := j.effort
		if c == nil {
			continue
		}
		if c.role != torque || !rec.beyondLimit(c) {
			return false
		}
		size := projection.MagnitudeQuantile(&rec.stats(c).size, usually) / 2
		if size > 1000*beyondEffort*rec.limitOf(c) {
			return false
		}
		evident = evident || 2*size > thousandfold*rec.limitOf(c)
	}
	return evident
}

// torqueUnit doubts a torque that usually exceeds the joint's limit; thousandths says that all torques have the wrong
// unit.
func torqueUnit(rec *recording, c *channel, thousandths bool) (f Finding, ok bool) {
	if c.role != torque || !rec.beyondLimit(c) {
		return f, false
	}
	size, limit := projection.MagnitudeQuantile(&rec.stats(c).size, usually), rec.limitOf(c)
	f = rec.about(Units, Warning, c)
	f.Value, f.Limit = size, limit
	f.Where = "the whole log"
	f.Why = fmt.Sprintf("%s reaches about %.3g, the joint's limit is %.4g %s: it is in another unit, or it was measured on the motor's side of the gear", c.name, rec.reached(c, size), limit, rec.unitOf(c))
	f.Fix = fmt.Sprintf("declare its unit, {units} %s=N.mm for example", hint.Word(c.name))
	if thousandths || size > thousandfold*limit {
		f.Severity = Error
		f.Why = fmt.Sprintf("%s reaches about %.3g, the joint's limit is %.4g %s: it is in thousandths", c.name, rec.reached(c, size), limit, rec.unitOf(c))
		name := pick(rec.isRevolute(c.joint), "N.mm", "mN")
		f.Fix = fmt.Sprintf("{units} %s=%s", hint.Word(c.name), hint.Word(name))
		f.Repair = unit(c.name, name, 1e-3)
	}
	return f, true
}
