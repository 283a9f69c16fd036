package causes

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/robot"
)

// TestRestHasNoEquation: the torque of a joint that stands but for its encoder's noise is friction at rest, and no hypothesis changes it.
func TestRestHasNoEquation(t *testing.T) {
	r := robot.FromMDH("three", []robot.MDHFrame{{Antecedent: -1, Alpha: math.Pi / 2}, {Antecedent: 0, Alpha: math.Pi / 2, D: 0.4}, {Antecedent: 1, D: 0.3}})
	rng := rand.New(rand.NewPCG(1, 2))
	const rows, standing = 1500, 1
	seg := Segment{Uniform: true, Q: make([][]float64, 3), Effort: make([][]float64, 3)}
	for k := range rows {
		s := 0.01 * float64(k)
		seg.T = append(seg.T, s)
		for j, w := range []float64{2.1, 0, 3.3} {
			q := 0.8*math.Sin(w*s) + 0.3*math.Sin(1.7*w*s) + 3e-5*rng.NormFloat64()
			seg.Q[j] = append(seg.Q[j], q)
			seg.Effort[j] = append(seg.Effort[j], 4*math.Cos(q)+math.Sin(1.3*s)*float64(j+1)+0.1*rng.NormFloat64())
		}
	}
	opt := Options{Gravity: r.Gravity}
	if err := opt.complete(r); err != nil {
		t.Fatal(err)
	}
	trial, err := newTrial(context.Background(), r, []Log{{Interval: 0.01, Segments: []Segment{seg}}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(trial.joints, []int{0, 2}) {
		t.Errorf("equations of the joints %v, want 0 and 2", trial.joints)
	}
	for _, h := range trial.linear(nil) {
		if slices.Equal(h.Joints, []int{standing}) && (h.Kind == Delay || h.Kind == Scale || h.Kind == Saturated || h.Kind == Drift) {
			t.Errorf("%s of the torque of a joint that stands", h.Kind)
		}
	}
}
