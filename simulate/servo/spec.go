package servo

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Spec is a controller as text, its law first and then its gains, each with one value for
// all joints or a comma-separated list of one per joint:
//
//	pd kp=500,400 kd=50 gain=1 limit=80
//	pid+gravity kp=500 ki=100 kd=50 rate=1000 delay=0.002
//
// Laws are pd, pv, pid, cascade, computed and operational; +gravity and +feedforward add the torques of a
// model to those of the first four.
type Spec struct {
	Law  string // pd, pv, pid, cascade, computed or operational
	Adds string // "", gravity or feedforward
	// Gains by name: kp, ki, kd or kv as the law has them, gain and limit; one value per joint.
	Gains       map[string][]float64
	Rate, Delay float64 // Hz and s; zero where not given
}

// IsUnset reports whether a value of a Spec is to be found by a fit: it is written as ? and stored as NaN.
func IsUnset(v float64) bool { return math.IsNaN(v) }

// laws are the gains of each law.
var laws = map[string][]string{"pd": {"kp", "kd"}, "pv": {"kp", "kd"}, "pid": {"kp", "ki", "kd"}, "cascade": {"kp", "kv"}, "computed": {"kp", "kv"}, "operational": {"kp", "kv"}}

// JointLaws returns the laws of which each joint has its own (Controller).
func JointLaws() []string { return []string{"cascade", "pd", "pv"} }

// SpecError tells which part of a Spec cannot be read.
type SpecError struct{ Text, Reason string }

func (e *SpecError) Error() string { return fmt.Sprintf("controller %q: %s", e.Text, e.Reason) }

// ParseSpec reads a controller for so many joints.
func ParseSpec(text string, joints int) (*Spec, error) { return parseSpec(text, joints, false) }

// ParseOpenSpec reads a controller of which gains and the delay may be unknown, written as ?: they are NaN
// in the Spec (see Open). It may also have offsets of the encoders, offset, rad or m.
func ParseOpenSpec(text string, joints int) (*Spec, error) { return parseSpec(text, joints, true) }

func parseSpec(text string, joints int, open bool) (*Spec, error) {
	wrong := func(format string, args ...any) error { return &SpecError{text, fmt.Sprintf(format, args...)} }
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil, wrong("it is empty; begin with %s", strings.Join(slices.Sorted(maps.Keys(laws)), ", "))
	}
	s := &Spec{Gains: map[string][]float64{}}
	var added bool
	s.Law, s.Adds, added = strings.Cut(words[0], "+")
	gains, ok := laws[s.Law]
	switch {
	case !ok:
		return nil, wrong("%q is no law; the laws are %s", s.Law, strings.Join(slices.Sorted(maps.Keys(laws)), ", "))
	case added && s.wholeModel():
		return nil, wrong("%s has the model's torques already, gravity among them", s.Law)
	case added && s.Adds != "gravity" && s.Adds != "feedforward":
		return nil, wrong("%q cannot be added to a law; gravity and feedforward can", s.Adds)
	}
	known := append([]string{"gain", "limit", "rate", "delay"}, gains...)
	if s.wholeModel() {
		known = known[1:] // its torques are in N·m already
	}
	if open {
		known = append(known, "offset")
	}
	for _, w := range words[1:] {
		key, list, _ := strings.Cut(w, "=")
		if !slices.Contains(known, key) {
			return nil, wrong("%s has %s, not %q", s.Law, strings.Join(known, ", "), key)
		}
		v, err := numbers(list, open && key != "limit" && key != "rate")
		if err != nil {
			return nil, wrong("%s: %v", key, err)
		}
		switch {
		case key == "rate" || key == "delay":
			if len(v) != 1 || v[0] < 0 || key == "rate" && v[0] == 0 {
				return nil, wrong("%s=%s: give one number, the rate in Hz and the delay in s", key, list)
			}
			if key == "rate" {
				s.Rate = v[0]
			} else {
				s.Delay = v[0]
			}
			continue
		case len(v) == 1:
			v = slices.Repeat(v, joints)
		case len(v) != joints:
			return nil, wrong("%s: %d values for %d joints", key, len(v), joints)
		}
		s.Gains[key] = v
	}
	for _, g := range gains {
		if s.Gains[g] == nil {
			return nil, wrong("%s is missing", g)
		}
	}
	if s.Gains["gain"] == nil && !s.wholeModel() {
		s.Gains["gain"] = slices.Repeat([]float64{1}, joints)
	}
	return s, nil
}

// numbers reads a comma-separated list of finite numbers; where some may be unknown, ? is NaN.
func numbers(list string, open bool) ([]float64, error) {
	var out []float64
	for _, t := range strings.Split(list, ",") {
		if open && strings.TrimSpace(t) == "?" {
			out = append(out, math.NaN())
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(t), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q is no number", t)
		}
		out = append(out, v)
	}
	return out, nil
}

// Controller returns the joints' controller of pd, pv and cascade without a model, with its limits.
func (s *Spec) Controller() Controller {
	g := s.Gains
	d, of := g["kd"], PD
	switch s.Law {
	case "pv":
		of = PV
	case "cascade":
		d, of = g["kv"], Cascade
	}
	c := of(g["kp"], d, g["gain"])
	c.Limit = g["limit"]
	return c
}

// NeedsModel reports whether the law has torques of a model in it.
func (s *Spec) NeedsModel() bool { return s.wholeModel() || s.Adds != "" }

// wholeModel reports whether the law's torques are those of the model, in N·m or N already.
func (s *Spec) wholeModel() bool { return s.Law == "computed" || s.Law == "operational" }

// Build makes the law; m may be nil where it needs no model. Limits are those of the drives:
// they are not the law's, except that a pid stops its integral there.
func (s *Spec) Build(m Model) (Law, error) {
	if s.Law == "computed" {
		return NewComputedTorque(m, s.Gains["kp"], s.Gains["kv"])
	}
	if s.Law == "operational" {
		kp, kv := s.Gains["kp"], s.Gains["kv"]
		if slices.Min(kp) != slices.Max(kp) || slices.Min(kv) != slices.Max(kv) {
			return nil, &SpecError{s.Law, "its gains act on the tip: give one kp and one kv"}
		}
		tip, ok := m.(Tipped)
		if !ok {
			return nil, fmt.Errorf("servo: the operational law needs a model with a tip")
		}
		return NewOperational(tip, len(kp), kp[0], kv[0])
	}
	c := s.Controller()
	if s.Law != "pid" {
		c.Limit = nil
	}
	if err := c.check(len(c.P)); err != nil {
		return nil, err
	}
	var law Law = c
	if s.Law == "pid" {
		i := make([]float64, len(c.P))
		for k, v := range s.Gains["ki"] {
			i[k] = v * s.Gains["gain"][k]
		}
		pid, err := NewPID(c, i)
		if err != nil {
			return nil, err
		}
		law = pid
	}
	switch s.Adds {
	case "gravity":
		law = NewGravity(law, m)
	case "feedforward":
		law = NewFeedForward(law, m)
	}
	return law, nil
}
