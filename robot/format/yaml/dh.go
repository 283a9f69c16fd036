package yaml

import (
	"math"

	"ident/internal/angles"
	"ident/robot"
	"ident/robot/internal/expression"
	"ident/robot/internal/words"
)

// The conventions of Denavit and Hartenberg's four parameters. Of a standard (distal) row Rot(z,θ)·Trans(z,d)·Trans(x,a)·Rot(x,α) leads from
// frame j-1 to frame j, and joint j turns about z of frame j-1 (Denavit and Hartenberg 1955; Paul 1981). Of a modified (proximal) one
// Rot(x,α)·Trans(x,a)·Rot(z,θ)·Trans(z,d), and joint j turns about z of frame j (Craig 1986), as in the notation of Khalil and Kleinfinger
// with a for d and d for r.
const (
	standardDH = "standard"
	modifiedDH = "modified"
)

var dhNames = [4]string{"theta", "d", "a", "alpha"}

// distal is the half of a standard row behind its joint: the place of the link's own frame in frame j, and the first half of the
// next joint's.
type distal struct {
	a, alpha string
}

// convention reads which rows the file has.
func (y *reader) convention(top yamlMap) error {
	var err error
	if y.dh, err = top.text("convention"); err != nil {
		return err
	}
	switch y.dh {
	case "", standardDH, modifiedDH:
		return nil
	}
	return robot.Fault(top.keys["convention"].Line, "convention", "%q is not known: %s (distal, joint j turns about z of frame j-1) or %s (proximal, about z of frame j)%s",
		y.dh, standardDH, modifiedDH, words.DidYouMean(y.dh, []string{standardDH, modifiedDH}))
}

// fourParameters makes the six of Khalil and Kleinfinger of a row of four: exactly, as Rot(x,α) and Trans(x,a) commute, and with its symbols.
func (y *reader) fourParameters(m yamlMap, l *robot.Link, from yamlSeat) error {
	where := m.where + ": dh"
	switch {
	case m.has("mdh") || m.has("origin") || m.has("axis") || m.has("user_frame"):
		return robot.Fault(m.line, m.where, "give dh, mdh, or origin and axis, one of the three")
	case y.dh == "":
		return robot.Fault(m.keys["dh"].Line, where, "the file does not say which convention its rows have: give convention: %s or %s beside links", standardDH, modifiedDH)
	case from.lumped:
		return robot.Fault(m.line, m.where, "dh places it on a frame, but its parent is a fixed body without one; use origin, or the link that carries the parent")
	}
	t, err := m.sub("dh", where, dhNames[:]...)
	if err != nil {
		return err
	}
	var row [4]string
	var value [4]float64
	for k, key := range dhNames {
		if row[k], err = t.text(key); err != nil {
			return err
		}
		if row[k] == "" {
			row[k] = "0"
		}
		e, err := expression.Parse(row[k])
		if err != nil {
			return robot.Fault(t.keys[key].Line, where+": "+key, "%v", err)
		}
		if value[k] = e.Eval(nil); y.dh == standardDH && k >= 2 && (math.IsNaN(value[k]) || math.IsInf(value[k], 0)) {
			return robot.Fault(t.keys[key].Line, where+": "+key, "%q is no number, and a standard row places the link's own frame by it: give a number, or modified rows", row[k])
		}
	}
	theta, d, a, alpha := row[0], row[1], row[2], row[3]
	l.UserFrame = robot.Identity()
	if y.dh == modifiedDH {
		l.MDH = &robot.MDH{Text: [6]string{"0", "0", alpha, a, theta, d}}
		return nil
	}
	before := distal{"0", "0"}
	if b, ok := y.distal[from.link]; ok {
		before = b
	}
	l.MDH = &robot.MDH{Text: [6]string{"0", "0", before.alpha, before.a, theta, d}}
	y.distal[len(y.r.Links)] = distal{a, alpha}
	if !y.opt.NoSnap {
		value[3], _ = angles.Snap(value[3]) // as in the next joint's frame, whose note says so
	}
	// The link's own frame in frame j, in which its inertial and results are given.
	l.UserFrame = robot.MdhTransform(0, 0, value[3], value[2], 0, 0)
	return nil
}
