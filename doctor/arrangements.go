package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/doctor/internal/trialfit"
)

// arrangement is a hypothesis about the true motion and torques of the log.
type arrangement struct {
	id     string
	joints []int
	trialfit.Change
	gravity *[3]float64
	tell    func() told
}

// told describes an arrangement in words, with its repair. It is computed only for the few arrangements that are reported.
type told struct {
	text, fix string
	repair    Repair
}

// asInFile returns the arrangement of the robot file.
func (s *arrangementSearch) asInFile() arrangement {
	return arrangement{Change: trialfit.NoChange(len(s.joints))}
}

// flip reverses the sign of a joint's position and, if both is set, of its torque.
func (s *arrangementSearch) flip(j int, both bool) arrangement {
	a := s.asInFile()
	jt := s.joints[j]
	a.id, a.joints, a.Sign[j] = Sign, []int{j}, -1
	if both {
		a.Turn[j] = -1
	}
	a.tell = func() (t told) {
		t.text = fmt.Sprintf("the position of joint %s has the opposite direction to the robot file", jt.name)
		names, both := []*channel{jt.q, jt.dq, jt.ddq}, both
		for k, o := range s.fit.Joints {
			if o.Index == j && s.fit.Turned[k] {
				both = !both // against the log, not against the fit
			}
		}
		if both {
			t.text = fmt.Sprintf("position and torque of joint %s count in the other direction than the robot file's", jt.name)
			names = append(names, jt.effort)
		}
		list := ""
		for _, c := range names {
			if c != nil {
				t.repair.Edits = append(t.repair.Edits, Edit{Channel: c.name, Scale: -1})
				list += pick(list == "", "", ", ") + c.name
			}
		}
		t.fix = fmt.Sprintf("{mend} writes a log with the sign of %s reversed; or reverse the joint's axis in the robot file", list)
		return t
	}
	return a
}

// zero shifts the position of a joint.
func (s *arrangementSearch) zero(j int, d float64) arrangement {
	a, jt := s.asInFile(), s.joints[j]
	a.id, a.joints, a.Shift[j] = Offset, []int{j}, d
	a.tell = func() (t told) {
		t.text = fmt.Sprintf("the zero of joint %s is %.4g rad from the robot file's", jt.name, -d)
		t.fix = fmt.Sprintf("{mend} writes a log with %.6g added to %s; or correct the joint's zero in the robot file", d, jt.q.name)
		if math.Abs(math.Abs(d)-math.Pi) < 0.02 { // zeros that are set by hand are known no better
			t.fix += "; a half turn is a difference of conventions: see that the file is this robot's"
		}
		t.repair.Edits = []Edit{{Channel: jt.q.name, Offset: d}}
		return t
	}
	return a
}

// scaledMotion scales the motion of a joint.
func (s *arrangementSearch) scaledMotion(j int, by float64) arrangement {
	a, jt := s.asInFile(), s.joints[j]
	a.id, a.joints, a.Sign[j] = GearRatio, []int{j}, by
	a.tell = func() (t told) {
		t.text = fmt.Sprintf("the motion of joint %s is %.3g times the logged one: gear ratio or encoder resolution", jt.name, by)
		t.fix = fmt.Sprintf("correct the gear ratio with which %s was converted; the bodies give the factor to a few percent only, so that {fix} leaves it", jt.q.name)
		return t
	}
	return a
}

// scaledTorque scales the torque of a joint.
func (s *arrangementSearch) scaledTorque(j int, by float64) arrangement {
	a, jt := s.asInFile(), s.joints[j]
	a.id, a.joints, a.Turn[j] = GearRatio, []int{j}, by
	a.tell = func() (t told) {
		t.text = fmt.Sprintf("the torque of joint %s is %.2g times the logged one: drive gain, sensor scale or unit", jt.name, by)
		t.fix = fmt.Sprintf("compare the gain or the calibration of %s with the data sheet; the bodies give the factor roughly only, so that {fix} leaves it", jt.effort.name)
		return t
	}
	return a
}

// exchange swaps the channels of two joints, or only those named by which.
func (s *arrangementSearch) exchange(j, i int, which string) arrangement {
	a := s.asInFile()
	a.id, a.joints = JointOrder, []int{j, i}
	if which != "torques" {
		a.From[i], a.From[j] = j, i
	}
	if which != "positions" {
		a.Effort[i], a.Effort[j] = j, i
	}
	a.tell = func() told { return a.exchanged(s.joints, which) }
	return a
}

// clocks returns arrangements with other sampling rates.
func (s *arrangementSearch) clocks() (out []arrangement) {
	for _, c := range []float64{0.5, 1 / math.Sqrt2, math.Sqrt2, 2} {
		a := s.asInFile()
		a.id, a.Clock = ClockRate, c
		a.tell = func() told {
			return told{text: fmt.Sprintf("the time channel runs %.3g times too fast for the inertia and gravity of the torques", c), fix: "correct the time channel, or declare its unit under units in ident.yaml"}
		}
		out = append(out, a)
	}
	return out
}

// allTurned reverses the signs of all torques.
func (s *arrangementSearch) allTurned() arrangement {
	a := s.asInFile()
	a.id = Sign
	t := told{text: "all torques have the wrong sign", fix: "{mend} writes a log with the sign of all torques reversed"}
	for _, o := range s.fit.Joints {
		a.Turn[o.Index] = -1
		t.repair.Edits = append(t.repair.Edits, Edit{Channel: s.joints[o.Index].effort.name, Scale: -1})
	}
	a.tell = func() told { return t }
	return a
}

// arrangements returns the arrangements to try.
func (s *arrangementSearch) arrangements() []arrangement {
	if s.memory.listed == nil {
		s.memory.listed = s.list()
	}
	return slices.Clip(s.memory.listed)
}

func (s *arrangementSearch) list() (out []arrangement) {
	n := len(s.joints)
	var full []int
	for _, o := range s.fit.Joints {
		if s.joints[o.Index].q != nil {
			full = append(full, o.Index)
		}
	}
	for _, j := range full {
		out = append(out, s.flip(j, false), s.flip(j, true))
		if !s.isRevolute(j) {
			continue
		}
		for _, d := range []float64{math.Pi / 2, -math.Pi / 2, math.Pi} {
			out = append(out, s.zero(j, d))
		}
	}
	for x, i := range full {
		for _, j := range full[:x] {
			if len(full) > manyJoints && i-j > 1 {
				continue
			}
			for _, which := range []string{"", "torques", "positions"} {
				out = append(out, s.exchange(j, i, which))
			}
		}
	}
	if len(full) == n && n > 2 {
		for _, order := range []func(j int) int{func(j int) int { return n - 1 - j }, func(j int) int { return (j + 1) % n }, func(j int) int { return (j + n - 1) % n }} {
			a := s.asInFile()
			a.id = JointOrder
			for j := range n {
				a.From[j], a.Effort[j] = order(j), order(j)
				if order(j) != j {
					a.joints = append(a.joints, j)
				}
			}
			a.tell = func() told { return a.exchanged(s.joints, "") }
			out = append(out, a)
		}
	}
	g := s.robot.Gravity
	size := math.Sqrt(g[0]*g[0] + g[1]*g[1] + g[2]*g[2])
	for axis := range 3 {
		for _, component := range []float64{size, -size} {
			var v [3]float64
			v[axis] = component
			if size == 0 || math.Abs(g[axis]-component) < 0.1*size {
				continue
			}
			a := s.asInFile()
			a.id, a.gravity = Gravity, &v
			a.tell = func() (t told) {
				t.text = fmt.Sprintf("gravity acts along %.3g,%.3g,%.3g of the base, another direction than declared (%.3g,%.3g,%.3g)", v[0], v[1], v[2], g[0], g[1], g[2])
				t.fix = fmt.Sprintf("{gravity} %.4g,%.4g,%.4g", v[0], v[1], v[2])
				t.repair.Settings = []Setting{{Key: "gravity", Value: fmt.Sprintf("[%.4g, %.4g, %.4g]", v[0], v[1], v[2])}}
				return t
			}
			out = append(out, a)
		}
	}
	return out
}

// exchanged describes an exchange of joints, either of the channels named by which or of all, and its repair.
func (a arrangement) exchanged(joints []joint, which string) (t told) {
	text, maps := "", ""
	for _, j := range a.joints {
		jt, q, e := joints[j], joints[a.From[j]], joints[a.Effort[j]]
		text += pick(text == "", "", ", ") + jt.name
		add := func(key string, own, c *channel) {
			if c == nil {
				return
			}
			maps += fmt.Sprintf(" {map} %s_%s=%s", key, jt.name, c.name)
			t.repair.Settings = append(t.repair.Settings, Setting{Key: "map", Name: key + "_" + jt.name, Value: c.name})
			if own != nil {
				t.repair.Edits = append(t.repair.Edits, Edit{Channel: own.name, From: c.name})
			}
		}
		if which != "torques" {
			add("q", jt.q, q.q)
			add("dq", jt.dq, q.dq)
		}
		if which != "positions" && e.effort != nil {
			add(pick(e.effort.role == current, "i", "tau"), jt.effort, e.effort)
		}
	}
	t.text = fmt.Sprintf("%s of joints %s are in another order than in the robot file", pick(which == "", "the channels", "the "+which), text)
	t.fix = maps[1:]
	return t
}
