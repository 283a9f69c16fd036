package estimate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/estimate"
)

// White normal residuals are called otherwise as often as the tests' level says,
// in pieces of any length; a filtered residual is white at
// half the period of its cut-off; jumps between segments are not compared.
func TestResidualLevels(t *testing.T) {
	const seeds = 400
	white, normal := 0.0, 0.0
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(mixed(seed), 17))
		a, b := estimate.NewResidualTests(1, 3), estimate.NewResidualTests(1, 3)
		e := make([]float64, 1500)
		for i := range e {
			e[i] = 5 * rng.NormFloat64()
		}
		add := func(to *estimate.ResidualTests, at, end int) {
			if err := to.Add(&estimate.Residuals{At: at, E: [][]float64{e[at:end]}}); err != nil {
				t.Fatal(err)
			}
		}
		add(a, 0, len(e))
		for at := 0; at < len(e); {
			end := min(len(e), at+1+rng.IntN(200))
			add(b, at, end)
			at = end
		}
		x, y := a.Results()[0], b.Results()[0]
		if x.Samples != 500 || x.Every != 3 || math.Abs(x.Largest-y.Largest) > 1e-12 || math.Abs(x.Kurtosis-y.Kurtosis) > 1e-12 {
			t.Fatalf("at once %+v, in pieces %+v", x, y)
		}
		if x.WhiteP < 0.05 {
			white += 1.0 / seeds
		}
		if x.NormalP < 0.05 {
			normal += 1.0 / seeds
		}
	}
	deviation := math.Sqrt(0.05 * 0.95 / seeds)
	t.Logf("below 5 %%: white %.1f %%, normal %.1f %%", 100*white, 100*normal)
	if !(math.Abs(white-0.05) < 4*deviation) || !(math.Abs(normal-0.05) < 4*deviation) {
		t.Errorf("below 5 %%: white %.1f %%, normal %.1f %%", 100*white, 100*normal)
	}
	// Two segments of opposite sign: within them all alike, between them no pair.
	r := estimate.NewResidualTests(1, 1)
	for s := range 2 {
		e := make([]float64, 200)
		for i := range e {
			e[i] = float64(1 - 2*s)
		}
		if err := r.Add(&estimate.Residuals{Run: s, E: [][]float64{e}}); err != nil {
			t.Fatal(err)
		}
	}
	if x := r.Results()[0]; !(math.Abs(x.Largest-0.995) < 1e-12) || !(x.WhiteP < 1e-9) || !(math.Abs(x.Kurtosis+2) < 1e-9) {
		t.Errorf("two constant segments: %+v", x)
	}
}
