package causes_test

import (
	"math"
	"slices"
	"testing"

	"ident/doctor/causes"
	"ident/internal/lanes"
)

// A torque that grows less and less towards its peak is named; the opposite curve, which has the same column, is not.
func TestSaturatedHasASign(t *testing.T) {
	for _, c := range []struct {
		name  string
		curve func(x float64) float64 // of a torque in units of its peak
		want  bool
	}{
		{"saturates", func(x float64) float64 { return math.Tanh(1.5*x) / 1.5 }, true},
		{"grows more", func(x float64) float64 { return math.Atanh(0.9*x) / 0.9 }, false},
		{"grows more, by its square", func(x float64) float64 { return x * (1 + 0.4*math.Abs(x)) }, false},
		{"is straight", func(x float64) float64 { return x }, false},
	} {
		r, l := swing(t, 0)
		y := l.Segments[0].Effort[1]
		peak := lanes.MaxAbs(y)
		for k, v := range y {
			y[k] = peak * c.curve(v/peak)
		}
		rep := judge(t, r, l)
		named := rep.Named && rep.Causes[0].Kind == causes.Saturated && slices.Equal(rep.Causes[0].Joints, []int{1})
		if named != c.want {
			t.Errorf("%s: named %v %+v", c.name, rep.Named, rep.Causes[:min(len(rep.Causes), 3)])
		}
	}
}
