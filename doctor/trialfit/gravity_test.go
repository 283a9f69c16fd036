package trialfit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/doctor/trialfit"
	"ident/regressor"
)

// Torques are linear in gravity: the prediction under two of them differs by the prediction at rest under their difference.
// Each is rounded at 1e-16 of the torques' size, times some hundred operations.
func TestOfGravity(t *testing.T) {
	tr, st := threeJoints(t, rand.New(rand.NewPCG(11, 12)), 1)
	under := func(g [3]float64) *regressor.Model {
		r := threeLinks(rand.New(rand.NewPCG(11, 12)))
		r.Gravity = g
		m, err := regressor.NewDynamic(r, regressor.DefaultTerms())
		if err != nil {
			t.Fatal(err)
		}
		return m.Select(tr.Base)
	}
	first, second := [3]float64{0.3, -2, -9}, [3]float64{1.5, 0.2, -8}
	one, two := trialfit.Predict(under(first), st.X, tr.Q, tr.FDQ, tr.FDDQ), trialfit.Predict(under(second), st.X, tr.Q, tr.FDQ, tr.FDDQ)
	got := st.OfGravity(under([3]float64{second[0] - first[0], second[1] - first[1], second[2] - first[2]}))
	size, n := 0.0, len(tr.T)
	for k, o := range st.Joints {
		for i := range n {
			size = max(size, math.Abs(st.Weights[k]*one[o.Index][i]))
		}
	}
	moved := 0.0
	for k, o := range st.Joints {
		for i := range n {
			want := st.Weights[k] * (two[o.Index][i] - one[o.Index][i])
			if o.Lost[i] {
				want = 0
			}
			moved = max(moved, math.Abs(want))
			if d := got[k*n+i] - want; !(math.Abs(d) < 1e-13*size) {
				t.Fatalf("joint %d, row %d: %g, want %g", k+1, i, got[k*n+i], want)
			}
		}
	}
	if !(moved > 0.01*size) {
		t.Fatalf("gravity moves torques of %g by %g only", size, moved)
	}
}
