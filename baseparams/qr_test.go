package baseparams

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/regressor"
)

// On random trees: the base set reproduces the whole regressor's torques,
// lifting and regrouping undo each other, and the seed does not matter.
func TestQROnRandomTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		r := testrobot.Random(rng, rapid.IntRange(1, 8).Draw(t, "links"), true)
		m, err := regressor.NewDynamic(r, regressor.AllTerms())
		if err != nil {
			t.Fatal(err)
		}
		s := QR(m, Options{})
		if other := QR(m, Options{Seed: 77}); !slices.Equal(s.Base, other.Base) || !slices.Equal(s.Zero, other.Zero) {
			t.Fatalf("base sets differ between seeds: %v and %v", s.Names(), other.Names())
		}
		chi := make([]float64, len(m.Columns()))
		for i := range chi {
			chi[i] = rng.NormFloat64()
		}
		prior := make([]float64, len(chi))
		for i := range prior {
			prior[i] = rng.NormFloat64()
		}
		k := s.FromStandard(chi)
		for i, v := range s.FromStandard(s.Lift(k, prior)) {
			if math.Abs(v-k[i]) > 1e-9*(1+math.Abs(v)) {
				t.Fatalf("%s: lifted and regrouped %.15g, was %.15g", s.Name(i), v, k[i])
			}
		}
		w := randomRegressor(m, 5)
		for row := range w[0] {
			full, base := 0.0, 0.0
			for c := range w {
				full += w[c][row] * chi[c]
			}
			for i, c := range s.Base {
				base += w[c][row] * k[i]
			}
			if math.Abs(full-base) > 1e-8*(1+math.Abs(full)) {
				t.Fatalf("row %d: base torque %.12g, full %.12g", row, base, full)
			}
		}
	})
}

func BenchmarkQR7(b *testing.B) {
	r := testrobot.Random(rand.New(rand.NewPCG(7, 7)), 7, false)
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		QR(m, Options{})
	}
}
