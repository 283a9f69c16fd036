package trialfit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/doctor/internal/trialfit"
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

// TestEnergy: the energy of the accelerations is the work of the torques that bodies and rotors need for them at rest and without
// gravity, over the rows.
func TestEnergy(t *testing.T) {
	tr, st := threeJoints(t, rand.New(rand.NewPCG(11, 12)), 1)
	r := threeLinks(rand.New(rand.NewPCG(11, 12)))
	r.Gravity = [3]float64{}
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	m := full.Select(tr.Base)
	x := append([]float64(nil), st.X...)
	for c, col := range m.Columns() {
		if col.Term != regressor.Links && col.Term != regressor.Ia {
			x[c] = 0
		}
	}
	still := make([][]float64, len(tr.FDQ))
	for j := range still {
		still[j] = make([]float64, len(tr.T))
	}
	want, size := 0.0, 0.0
	for j, tau := range trialfit.Predict(m, x, tr.Q, still, tr.FDDQ) {
		for k, v := range tau {
			want += v * tr.FDDQ[j][k] / float64(len(tr.T))
			size += math.Abs(v*tr.FDDQ[j][k]) / float64(len(tr.T))
		}
	}
	got, sd := st.Energy(m)
	// Sums of some hundred products, each rounded at 1e-16.
	if !(math.Abs(got-want) < 1e-13*size) || !(sd > 0 && sd < math.Abs(want)) {
		t.Errorf("%g ± %g, want %g", got, sd, want)
	}
}
