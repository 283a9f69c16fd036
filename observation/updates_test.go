package observation

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestHeldPositions holds a random motion between the values of a slower source: the source's samples come back, and the cut-off is theirs.
func TestHeldPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		every, lead := rapid.IntRange(2, 16).Draw(t, "every"), rapid.IntRange(1, 16).Draw(t, "lead")
		const source = 250.0
		motion := make([]float64, 1500)
		f := 0.2 + 2*rng.Float64()
		for k := range motion {
			motion[k] = math.Round(1e7*(math.Sin(2*math.Pi*f*float64(k)/source)+1e-5*rng.NormFloat64())) / 1e7
		}
		lead = min(lead, every)
		held := slices.Repeat(motion[:1], lead)
		for _, v := range motion[1:] {
			held = append(held, slices.Repeat([]float64{v}, every)...)
		}
		got, rate := ofSource(held, source*float64(every))
		if rate != source || !slices.Equal(got[len(got)-len(motion)+1:], motion[1:]) {
			t.Fatalf("%d samples at %g Hz", len(got), rate)
		}
		own, of := ChooseCutoff([][]float64{motion}, source), ChooseCutoff([][]float64{held}, source*float64(every))
		if math.Abs(own.Band-of.Band) > 0.1*own.Band+0.2 {
			t.Fatalf("band %g Hz, %g Hz of the source", of.Band, own.Band)
		}
	})
}

// TestNotHeld leaves channels as they are that only look held.
func TestNotHeld(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for name, of := range map[string]func(k int) float64{
		"noise":        func(int) float64 { return rng.NormFloat64() },
		"a crawl":      func(k int) float64 { return math.Floor(float64(k)/8) * 1e-3 },
		"coarse steps": func(k int) float64 { return math.Round(30*math.Sin(float64(k)/300)) / 30 },
		"rest":         func(int) float64 { return 1 },
		"late packets": func(k int) float64 { return math.Sin(float64(k) / 300) },
	} {
		x := make([]float64, 6000)
		for k := range x {
			x[k] = of(k)
		}
		if name == "late packets" { // packets at intervals of any length
			for k := 1; k < len(x); k++ {
				if rng.IntN(3) > 0 {
					x[k] = x[k-1]
				}
			}
		}
		if got, rate := ofSource(x, 1000); rate != 1000 || len(got) != len(x) {
			t.Errorf("%s: %d samples at %g Hz", name, len(got), rate)
		}
	}
}
