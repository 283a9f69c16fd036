package estimate_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ident/estimate"
	"ident/internal/estimatortest"
	"ident/internal/long"
)

// withInstruments are rows [Z W y]: Z the true columns of a motion with an error of
// its own, as a simulation has, W the columns as measured with the given noise.
func withInstruments(rng *rand.Rand, clean *estimatortest.Data, noise, colour float64) *estimate.Reduction {
	const n = estimatortest.Columns
	var masks [][]int
	var columns [][][]float64
	var y [][]float64
	for k, mask := range clean.Masks {
		var own []int
		var z, w [][]float64
		for c, at := range mask {
			own = append(own, at)
			z = append(z, clean.Columns[k][c])
			measured := append([]float64(nil), clean.Columns[k][c]...)
			estimatortest.AddNoise(rng, measured, noise, 0)
			w = append(w, measured)
		}
		for _, at := range mask {
			own = append(own, n+at)
		}
		masks, columns = append(masks, own), append(columns, append(z, w...))
		t := append([]float64(nil), clean.Y[k]...)
		estimatortest.AddNoise(rng, t, []float64{0.2, 0.1, 0.3}[k], colour)
		y = append(y, t)
	}
	rows := estimate.NewRows(2*n, masks, 20)
	rows.AddRun(columns, y)
	return rows.Problem().Reduction
}

// Where the columns are exact, the test calls least squares biased as often as its
// level says, whatever the colour of the errors; where they are noisy, it finds out,
// and the instrumental estimate is right.
func TestEndogeneity(t *testing.T) {
	seeds := long.Of(500, 40)
	clean := estimatortest.NewData(rand.New(rand.NewPCG(5, 6)), 800, [3]float64{}, 0)
	weights := []float64{5, 10, 3.3}
	for _, c := range []struct{ noise, colour float64 }{{1e-3, 0}, {1e-3, 0.6}, {0.3, 0}} {
		below, powered := 0, 0
		worst, inside := 0.0, 0.0
		var mean [estimatortest.Columns]float64
		for seed := range seeds {
			e, err := withInstruments(rand.New(rand.NewPCG(mixed(seed), 5)), clean, c.noise, c.colour).TestEndogeneity(weights)
			if err != nil {
				t.Fatal(err)
			}
			if e.P < 0.05 {
				below++
			}
			if e.Biased() {
				powered++
			}
			for i, v := range e.Instrumental {
				mean[i] += (v - estimatortest.Truth()[i]) / e.Sigma[i] / float64(seeds)
				if math.Abs(v-estimatortest.Truth()[i]) < 1.96*e.Sigma[i] {
					inside += 1 / float64(seeds*len(mean))
				}
			}
		}
		for _, v := range mean {
			worst = max(worst, math.Abs(v))
		}
		n := float64(seeds)
		share, deviation := float64(below)/n, math.Sqrt(0.05*0.95/n)
		t.Logf("columns with noise %g, errors with colour %g: %.1f %% below 5 %%, %.1f %% called biased; instrumental estimates off by %.3f deviations, %.1f %% inside", c.noise, c.colour, 100*share, 100*float64(powered)/n, worst, 100*inside)
		if c.noise < 0.01 && !(share < 0.05+0.02+4*deviation && share > 0.05-0.04-4*deviation) {
			t.Errorf("colour %g: %.1f %% of tests below 5 %%", c.colour, 100*share)
		}
		if c.noise > 0.1 && powered < seeds*99/100 {
			t.Errorf("noise %g: found in %d of %d", c.noise, powered, seeds)
		}
		if !(worst < 5/math.Sqrt(n)) {
			t.Errorf("noise %g: instrumental estimates are off by %.3f deviations", c.noise, worst)
		}
	}
	// Instruments that have nothing to do with the motion are refused.
	other := *clean
	other.Columns = estimatortest.NewData(rand.New(rand.NewPCG(7, 7)), 800, [3]float64{}, 0).Columns
	for k := range other.Columns {
		for c := range other.Columns[k] {
			clear(other.Columns[k][c])
		}
	}
	var rank *estimate.RankError
	if _, err := withInstruments(rand.New(rand.NewPCG(1, 5)), &other, 0.3, 0).TestEndogeneity(weights); !errors.As(err, &rank) {
		t.Errorf("instruments of zeros: %v", err)
	}
}
