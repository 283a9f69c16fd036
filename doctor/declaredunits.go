package doctor

import (
	"fmt"
	"math"

	"ident/datasets"
	"ident/internal/hint"
)

// fullTurns and longestSlide bound the range of a joint without limits, in rad and m: a reading of a channel that stays within is possible.
const (
	fullTurns    = 4 * math.Pi
	longestSlide = 5.0
)

// farGear is the factor from which a motion is a question of units and of none of a gear that was chosen for another.
const farGear = 5

// declared returns the factor with which the declared unit of a channel was converted, 1 for none.
func (c *channel) declared() float64 {
	if _, by, err := datasets.SI(c.unit); err == nil && by > 0 {
		return by
	}
	return 1
}

// possible reports whether a joint can move over such a range.
func (s *setup) possible(q *channel, span float64) bool {
	most := pick(s.isRevolute(q.joint), fullTurns, longestSlide)
	if limit := s.limitOf(q); limit > 0 {
		most = 2 * beyondPosition * limit
	}
	return span <= most
}

// declaration doubts the declared unit of a position or of a velocity, if without its conversion the velocity is the derivative of the
// position. scale is the velocity over that derivative. The other channel may lack a declaration instead: the range of the joint decides.
func (rec *recording) declaration(j joint, scale float64) (f Finding, ok bool) {
	one := func(s float64) bool { return math.Abs(math.Abs(s)-1) < scaleOff }
	span, by, per := rec.stats(j.q).span(), j.q.declared(), j.dq.declared()
	c, other := j.q, j.dq
	switch {
	case one(scale):
		return f, false
	case by != 1 && one(scale*by) && rec.possible(j.q, span/by):
		f.Value = scale
		f.Why = fmt.Sprintf("%s was converted from %s, as declared, and %s is %.4g times its derivative: it was in %s already",
			c.name, c.unit, other.name, scale, rec.unitOf(c))
	case per != 1 && one(scale/per) && rec.possible(j.q, span) && !rec.isStill(j):
		c, other, by = j.dq, j.q, per
		f.Value = 1 / scale
		f.Why = fmt.Sprintf("%s was converted from %s, as declared, and the derivative of %s is %.4g times as large: it was in %s already",
			c.name, c.unit, other.name, 1/scale, rec.unitOf(c))
	default:
		return f, false
	}
	value, why := f.Value, f.Why
	f = rec.about(Units, Error, c)
	f.Value, f.Limit, f.Where, f.Why = value, 1, "the whole log", why
	f.Fix = fmt.Sprintf("{units} %s=%s; if it is in %s, declare the unit of %s instead", hint.Word(c.name), rec.unitOf(c), c.unit, other.name)
	f.Repair = unit(c.name, rec.unitOf(c), 1/by)
	return f, true
}

// declaredBeyond doubts the declared unit of a position that its conversion carries beyond the joint's limit.
func (rec *recording) declaredBeyond(f *Finding, c *channel, size, limit float64) bool {
	by := c.declared()
	if by <= 1 || size/2/by > beyondPosition*limit {
		return false
	}
	f.Why = fmt.Sprintf("%s was converted from %s, as declared, and reaches about %.3g, the joint's limit is %.4g: it was in %s already", c.name, c.unit, rec.reached(c, size), limit, rec.unitOf(c))
	f.Fix = fmt.Sprintf("{units} %s=%s", hint.Word(c.name), rec.unitOf(c))
	f.Repair = unit(c.name, rec.unitOf(c), 1/by)
	return true
}

// besideDeclared returns causes of the torques in which a motion far from the one logged is a question of the unit that the position was
// declared in, and not of a gear.
func (rec *recording) besideDeclared(torques findings) findings {
	for i := range torques {
		f := &torques[i]
		for _, j := range rec.joints {
			if f.ID != GearRatio || j.q == nil || j.q.name != f.Channel || f.Value <= 0 {
				continue
			}
			by, moved := j.q.declared(), 1/f.Value
			if by == 1 || math.Abs(math.Log(moved)) < math.Log(farGear) || math.Log(moved)*math.Log(by) > 0 || !rec.possible(j.q, rec.stats(j.q).span()/by) {
				continue
			}
			f.ID, f.Repair, f.Group = Units, Repair{}, nil
			f.Why = fmt.Sprintf("the torques fit a motion of joint %s that is about %.2g times as large as logged: %s is probably not in %s, as declared", j.name, moved, j.q.name, j.q.unit)
			f.Fix, f.Hint = "", fmt.Sprintf("{units} %s=%s, or the unit that it has", hint.Word(j.q.name), rec.unitOf(j.q))
		}
	}
	return torques
}
