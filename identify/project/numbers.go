package project

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxMagnitude bounds every number of the settings. Beyond it, fourth powers (in determinants of pseudo-inertias) times
// lengths and speeds overflow float64.
const maxMagnitude = 1e50

// usable reports whether a number can be computed with: finite and within maxMagnitude.
func usable(v float64) bool { return math.Abs(v) <= maxMagnitude }

// checkNumbers refuses unusable numbers of a setting, and lists that name nothing. It is the only check of all numbers:
// a project file can hold numbers that [Setting.Set] never read.
func (t Setting) checkNumbers(s *Settings) error {
	bad := func(where string, v float64) error {
		if r := t.Range; r != nil && usable(v) {
			return wrong(t.Key, fmt.Sprint(v), "{"+t.Key+"}%s %s: it lies between %s", where, plainNumber(v), r.text(t.Unit))
		}
		return wrong(t.Key, fmt.Sprint(v), "{"+t.Key+"}%s is %g; it must be a finite number below %g", where, v, maxMagnitude)
	}
	list := func(where string, vs []float64) error {
		for i, v := range vs {
			if !t.takes(v) {
				return bad(fmt.Sprintf("%s, number %d,", where, i+1), v)
			}
		}
		return nil
	}
	n := -1
	switch v := t.field(s).(type) {
	case *float64:
		if !t.takes(*v) && (*v != 0 || t.given(s)) {
			return bad("", *v)
		}
	case *int:
		if !t.takes(float64(*v)) && (*v != 0 || t.given(s)) {
			return bad("", float64(*v))
		}
	case **float64:
		if *v != nil && !t.takes(**v) {
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
			if !t.takes((*v)[name]) {
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

// given reports whether a file or a command line gives the setting.
func (t Setting) given(s *Settings) bool { return s.Given[t.Key] != NotGiven }

// takes reports whether the setting accepts a number.
func (t Setting) takes(v float64) bool {
	r := t.Range
	return usable(v) && (r == nil || v >= r.Low && v <= r.High || v == 0 && r.Zero)
}

// text returns the range in words, with the unit.
func (r *Range) text(unit string) string {
	text := plainNumber(r.Low) + " and " + plainNumber(r.High)
	if unit != "" {
		text += " " + unit
	}
	if r.Zero {
		text += ", or is 0 for none"
	}
	return text
}

// checkChoice refuses a word that the setting does not accept.
func (t Setting) checkChoice(s *Settings) error {
	v, ok := t.field(s).(*string)
	if !ok || *v == "" || t.Free || len(t.Choices) == 0 || slices.Contains(t.Choices, *v) || t.check != nil {
		return nil
	}
	last := len(t.Choices) - 1
	return wrong(t.Key, *v, "{"+t.Key+"} %q: must be %s or %s", *v, strings.Join(t.Choices[:last], ", "), t.Choices[last])
}

// plainNumber writes a number without an exponent if people would.
func plainNumber(v float64) string {
	if a := math.Abs(v); v == 0 || a >= 1e-4 && a < 1e12 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
