package regressor

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ident/robot"
)

// States lists the states, other than the motion, that a model's terms have, by coordinate. To know them a run must be
// followed from its beginning.
type States struct {
	Heating []float64   // time constants of heat, s; 0 for none
	Widths  [][]float64 // widths of presliding, rad or m
}

// StatesOf returns the states of terms, or the zero value if they have none.
func StatesOf(r *robot.Robot, terms []Term) (States, error) {
	var out States
	joints := r.Independent()
	for _, t := range terms {
		switch t.Name() {
		case ByHeat:
			times, err := heatTimes(r, t)
			if err != nil {
				return States{}, err
			}
			out.Heating = make([]float64, len(joints))
			for k, j := range joints {
				if len(times[j]) > 0 {
					out.Heating[k] = times[j][0]
				}
			}
		case Presliding:
			widths, err := preslidingWidths(r, t)
			if err != nil {
				return States{}, err
			}
			out.Widths = make([][]float64, len(joints))
			for k, j := range joints {
				out.Widths[k] = widths[j]
			}
		}
	}
	return out, nil
}

// StateConstants returns the constants in the argument of a term with memory, by link: time constants of Fw and Fp in
// seconds, widths of Fh in rad or m; none for a link without the term.
func StateConstants(r *robot.Robot, t Term) ([][]float64, error) {
	switch t.Name() {
	case Warming:
		return WarmingTimes(r, t)
	case ByHeat:
		return heatTimes(r, t)
	case Presliding:
		return preslidingWidths(r, t)
	}
	return nil, fmt.Errorf("term %q has no state", t)
}

// Any reports whether there is a state.
func (s *States) Any() bool { return s.Heating != nil || s.Widths != nil }

// byJoint reads an argument that is one list of positive numbers for all joints or one for each, "a+b/c/0" (0 for none),
// and returns the numbers by link. Without an argument each joint has usual.
func byJoint(r *robot.Robot, t Term, usual float64, most int, quantity string) ([][]float64, error) {
	if r.Closed() {
		r = r.Cut()
	}
	joints, arg := r.Independent(), t.Argument()
	if arg == "" {
		arg = strconv.FormatFloat(usual, 'g', -1, 64)
	}
	lists := strings.Split(arg, "/")
	if len(lists) != 1 && len(lists) != len(joints) {
		return nil, fmt.Errorf("term %q: %d lists for %d joints; give one for all, or one for each, separated by /", t, len(lists), len(joints))
	}
	of := make([][]float64, len(r.Links))
	for k, j := range joints {
		for text := range strings.SplitSeq(lists[min(k, len(lists)-1)], "+") {
			v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil || !(v >= 0) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("term %q: %q is no %s above zero, or 0 for none", t, text, quantity)
			}
			if v > 0 {
				of[j] = append(of[j], v)
			}
		}
		if len(of[j]) > most {
			return nil, fmt.Errorf("term %q: %d numbers at joint %q, at most %d", t, len(of[j]), r.Links[j].Joint.Name, most)
		}
	}
	for _, m := range r.Mimics {
		of[m.Joint] = of[m.Of]
	}
	for j := range r.Links {
		if joint := &r.Links[j].Joint; joint.Virtual || lacks(joint, t.Name()) {
			of[j] = nil
		}
	}
	return of, nil
}

// countOf returns a function that counts the columns of a link's joint: params for each number of its argument.
func countOf(read func(r *robot.Robot, t Term) ([][]float64, error), params int) func(r *robot.Robot, t Term, link int) int {
	return func(r *robot.Robot, t Term, link int) int {
		lists, err := read(r, t)
		if err != nil {
			return 0 // check has said so
		}
		return params * len(lists[link])
	}
}
