package baseparams

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/regressor"
)

// All standard parameters together have as many combinations that base parameters determine as there are base parameters. Those of a few
// functionals, as functionals of the standard parameters, are combinations of these.
func TestDetermined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		m, err := regressor.NewDynamic(testrobot.Random(rng, rapid.IntRange(1, 4).Draw(t, "links"), true), regressor.DefaultTerms())
		if err != nil {
			t.Fatal(err)
		}
		s := QR(m, Options{})
		n := len(s.Columns)
		all := make([][]float64, n)
		for i := range all {
			all[i] = make([]float64, n)
			all[i][i] = 1
		}
		if got := len(s.Determined(all)); got != len(s.Base) {
			t.Fatalf("%d combinations of all parameters, want %d", got, len(s.Base))
		}
		few := rapid.IntRange(1, n).Draw(t, "functionals")
		some, span := make([][]float64, few), mat.NewDense(n, few, nil)
		for i := range some {
			some[i] = make([]float64, n)
			for c := range some[i] {
				some[i][c] = rng.NormFloat64()
				span.Set(c, i, some[i][c])
			}
		}
		found := s.Determined(some)
		if want := max(0, few-(n-len(s.Base))); len(found) != want {
			t.Fatalf("%d combinations of %d functionals, want %d", len(found), few, want)
		}
		for _, weights := range found {
			whole := mat.NewVecDense(n, nil)
			for k, c := range s.Base {
				whole.SetVec(c, weights[k])
				for d, c := range s.Dependent {
					whole.SetVec(c, whole.AtVec(c)+weights[k]*s.Beta[k][d])
				}
			}
			var x, back mat.VecDense
			if err := x.SolveVec(span, whole); err != nil {
				t.Fatal(err)
			}
			back.MulVec(span, &x)
			back.SubVec(&back, whole)
			if off := mat.Norm(&back, 2); off > 1e-6*mat.Norm(whole, 2) {
				t.Fatalf("a combination is %.3g off those of the functionals", off)
			}
		}
	})
}
