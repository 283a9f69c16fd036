package report

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/result"
)

// residualRun makes a one-joint run whose residual is r.
func residualRun(role string, r []float64) result.ResidualRun {
	run := result.ResidualRun{Role: role, Stride: 1, T: make([]float64, len(r)), Measured: [][]float64{r}, Predicted: [][]float64{make([]float64, len(r))}}
	for k := range r {
		run.T[k] = 0.01 * float64(k)
	}
	return run
}

func TestAutocorrelationDirect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.Float64Range(-5, 5), 3, 60).Draw(t, "a")
		b := rapid.SliceOfN(rapid.Float64Range(-5, 5), 3, 60).Draw(t, "b")
		lags := rapid.IntRange(1, 80).Draw(t, "lags")
		got := residualsOf([]result.ResidualRun{residualRun("train", a), residualRun("train", b)}, "train", 0, result.Processing{}).autocorrelation(lags)
		want := make([]float64, lags+1)
		for _, r := range [][]float64{a, b} {
			mean := 0.0
			for _, v := range r {
				mean += v / float64(len(r))
			}
			for l := range want {
				for k := 0; k+l < len(r); k++ {
					want[l] += (r[k] - mean) * (r[k+l] - mean)
				}
			}
		}
		zero := want[0]
		if zero < 1e-9 {
			t.Skip("constant residuals")
		}
		for l := range want {
			if math.Abs(got[l]-want[l]/zero) > 1e-9 {
				t.Fatalf("lag %d: %g, direct sum %g", l, got[l], want[l]/zero)
			}
		}
	})
}

// A first-order process r[k+1] = a·r[k] + e has ρ(l) = a^l; white noise stays
// in its band at about 95 % of the lags.
func TestAutocorrelationTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n, a = 200000, 0.8
	coloured, white := make([]float64, n), make([]float64, n)
	for k := 1; k < n; k++ {
		coloured[k] = a*coloured[k-1] + rng.NormFloat64()
		white[k] = rng.NormFloat64()
	}
	rho := residualsOf([]result.ResidualRun{residualRun("train", coloured)}, "train", 0, result.Processing{}).autocorrelation(20)
	for l, v := range rho {
		if math.Abs(v-math.Pow(a, float64(l))) > 0.02 {
			t.Errorf("lag %d: %g, want %g", l, v, math.Pow(a, float64(l)))
		}
	}
	rho = residualsOf([]result.ResidualRun{residualRun("train", white)}, "train", 0, result.Processing{}).autocorrelation(1000)
	inside := 0
	for _, v := range rho[1:] {
		if math.Abs(v) < 1.96/math.Sqrt(n) {
			inside++
		}
	}
	if inside < 930 || inside > 970 {
		t.Errorf("%d of 1000 lags of white noise in the 95 %% band", inside)
	}
}

func TestAutocorrelationWithoutVariation(t *testing.T) {
	if rho := residualsOf([]result.ResidualRun{residualRun("train", make([]float64, 50))}, "train", 0, result.Processing{}).autocorrelation(10); rho != nil {
		t.Errorf("constant residuals have autocorrelation %v", rho)
	}
}

func TestDensitiesHaveAreaOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SliceOfN(rapid.Float64Range(-3, 3), 2, 200).Draw(t, "r")
		r[0] = math.NaN()
		res := residualsOf([]result.ResidualRun{residualRun("train", r)}, "train", 0, result.Processing{})
		if res.n != len(r)-1 {
			t.Fatalf("%d of %d finite samples counted", res.n, len(r)-1)
		}
		d, outside := res.densities(-2, 2, 16)
		area := 0.0
		for _, v := range d {
			area += v * 4 / 16
		}
		if want := 1 - float64(outside)/float64(res.n); math.Abs(area-want) > 1e-12 {
			t.Fatalf("area %g, want %g", area, want)
		}
	})
}
