package project

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// mostMagnitude bounds every number of the settings: beyond it, fourth powers, which determinants of
// pseudo-inertias hold, and their products with lengths and speeds leave the range of float64.
const mostMagnitude = 1e50

// usable tells whether a number can be computed with.
func usable(v float64) bool { return math.Abs(v) <= mostMagnitude }

// checkNumbers refuses numbers of a setting that cannot be computed with, and lists that name nothing. It
// is the one check of all numbers that settings bring, as the project file can hold them without a text
// that [Setting.Set] would have read.
func (t Setting) checkNumbers(s *Settings) error {
	bad := func(where string, v float64) error {
		return wrong(t.Key, fmt.Sprint(v), "{"+t.Key+"}%s is %g; it must be a finite number below %g", where, v, mostMagnitude)
	}
	list := func(where string, vs []float64) error {
		for i, v := range vs {
			if !usable(v) {
				return bad(fmt.Sprintf("%s, number %d,", where, i+1), v)
			}
		}
		return nil
	}
	n := -1
	switch v := t.field(s).(type) {
	case *float64:
		if !usable(*v) {
			return bad("", *v)
		}
	case **float64:
		if *v != nil && !usable(**v) {
			return bad("", **v)
		}
	case *[]float64:
		n = len(*v)
		if err := list("", *v); err != nil {
			return err
		}
	case *[][]float64:
		n = len(*v)
		for i, vs := range *v {
			if err := list(fmt.Sprintf(", joint %d", i+1), vs); err != nil {
				return err
			}
		}
	case *map[string]float64:
		for _, name := range slices.Sorted(maps.Keys(*v)) {
			if !usable((*v)[name]) {
				return bad(" of "+name, (*v)[name])
			}
		}
	case *[]string:
		n = len(*v)
	}
	if n == 0 && s.Given[t.Key] != NotGiven {
		return wrong(t.Key, "", "{"+t.Key+"} is an empty list; leave it out for the default")
	}
	return nil
}
