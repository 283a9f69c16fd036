package baseparams

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// On random trees: the base set reproduces the whole regressor's torques,
// lifting and regrouping undo each other, and the seed does not matter.
func TestQROnRandomTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		r := testrobot.Random(rng, rapid.IntRange(1, 8).Draw(t, "links"), true)
		m, err := regressor.NewDynamic(r, regressor.DefaultTerms())
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
		w := fullRows(m, 5)
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

// fullRows returns the whole regressor at random states, column by column.
func fullRows(m *regressor.Model, seed uint64) [][]float64 {
	b := restingRegressor(m, seed, nil)
	w := make([][]float64, len(m.Columns()))
	for c := range w {
		w[c] = make([]float64, b.Rows*m.Joints())
	}
	for k := range m.Joints() {
		for i, c := range m.Mask(k) {
			copy(w[c][k*b.Rows:], b.Joint[k][i])
		}
	}
	return w
}

// The compressed rows have the products of the full ones.
func TestCompressKeepsProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRobot(t, 8)
		moving := r.Moving()
		if len(moving) == 0 {
			return
		}
		if len(moving) > 2 && rapid.Bool().Draw(t, "coupled") {
			r.Mimics = []robot.Mimic{{Joint: moving[2], Of: moving[0], Multiplier: 2}}
			r.Drives = []robot.Drive{{Number: moving[1], Weights: map[int]float64{moving[0]: 1, moving[1]: -1}}}
		}
		m, err := regressor.NewDynamic(r, regressor.DefaultTerms())
		if err != nil {
			t.Fatal(err)
		}
		short, err := compress(t.Context(), m, restingRegressor(m, 1, nil))
		if err != nil {
			t.Fatal(err)
		}
		full := fullRows(m, 1)
		for i := range full {
			for j := range full[:i+1] {
				x, y := dot(full[i], full[j]), dot(short[i][:len(short[j])], short[j])
				if math.Abs(x-y) > 1e-11*norm(full[i])*norm(full[j]) {
					t.Fatalf("columns %d and %d: product %.15g, compressed %.15g", i, j, x, y)
				}
			}
		}
	})
}

func BenchmarkQR100(b *testing.B) {
	r := testrobot.Random(rand.New(rand.NewPCG(5, 5)), 100, false)
	m, err := regressor.NewDynamic(r, linksAndRotors)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		QR(m, Options{})
	}
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
