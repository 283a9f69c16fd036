package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"ident/internal/long"
)

// The Mahalanobis distance from an estimate to the truth is below DistanceQuantile in 95 % of logs or a little more, also of
// few blocks and coloured errors, where it is beyond the quantile of χ² too often.
func TestDistanceQuantile(t *testing.T) {
	seeds := long.Of(2000, 200)
	within, withinChi := 0, 0
	chi := math.Sqrt(distuv.ChiSquared{K: 6}.Quantile(0.95))
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 17))
		d := newDense(rng, 1200, []float64{0, 0, 0})
		slow(d, rng)
		for k := range d.y {
			e := rng.NormFloat64()
			for i := range d.y[k] {
				d.y[k][i] += e
				e = 0.6*e + 0.8*rng.NormFloat64()
			}
		}
		s, err := d.reduce(100).Solve(WLS, false)
		if err != nil {
			t.Fatal(err)
		}
		n := len(s.X)
		c, off := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
		for i := range n {
			off.SetVec(i, s.X[i]-d.truth[i])
			for j := i; j < n; j++ {
				c.SetSym(i, j, s.NoiseOnly()[i][j])
			}
		}
		var chol mat.Cholesky
		var solved mat.VecDense
		if !chol.Factorize(c) || chol.SolveVecTo(&solved, off) != nil {
			t.Fatalf("seed %d: the covariance is not positive definite", seed)
		}
		distance := math.Sqrt(mat.Dot(off, &solved))
		if distance <= s.DistanceQuantile() {
			within++
		}
		if distance <= chi {
			withinChi++
		}
	}
	n := float64(seeds)
	share, shareChi := float64(within)/n, float64(withinChi)/n
	t.Logf("%.1f %% within the quantile, %.1f %% within that of χ²", 100*share, 100*shareChi)
	// Three standard errors of a share. The multiple of χ² has a shorter tail than a sum of F distributed
	// terms and a higher shoulder: of few blocks up to 98.5 % are within.
	if tolerance := 3 * math.Sqrt(0.05*0.95/n); !(share > 0.95-tolerance && share < 0.985+tolerance) || !(shareChi < 0.95-tolerance) {
		t.Errorf("%.1f %% within the quantile (± %.1f), %.1f %% within that of χ²", 100*share, 100*tolerance, 100*shareChi)
	}
}
