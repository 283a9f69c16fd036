package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
)

// The correlation factor of errors that follow e[i] = a·e[i−1] + white noise is
// (1 + a)/(1 − a) where the columns vary slowly (Bartlett 1946): the mean over
// many logs is that, for positive and for negative a, and one without
// correlation, while Sigma stays the deviation of the errors themselves. Under
// OLS a joint that is a hundred times quieter than another gets its own factor,
// not that of the other's errors.
func TestInflation(t *testing.T) {
	long.Only(t, "TestCoverage holds the factor by its coverage")
	seeds := long.Of(200, 20)
	for _, c := range []struct {
		a         float64
		weighting Weighting
	}{{0, WLS}, {0.5, WLS}, {0.8, WLS}, {-0.4, WLS}, {0.5, OLS}}[:long.Of(5, 2)] {
		var mean, square [3]float64
		var variance [3]float64
		noise := []float64{2, 0.2, 0.02}
		for seed := range seeds {
			rng := rand.New(rand.NewPCG(uint64(seed), 5))
			d := newDense(rng, 4000, []float64{0, 0, 0})
			slow(d, rng)
			for k := range d.y {
				e := rng.NormFloat64()
				for i := range d.y[k] {
					d.y[k][i] += noise[k] * e
					e = c.a*e + math.Sqrt(1-c.a*c.a)*rng.NormFloat64()
				}
			}
			s, err := d.reduce(50).Solve(c.weighting, false)
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range s.VarianceInflation {
				mean[k] += v / float64(seeds)
				square[k] += v * v / float64(seeds)
				variance[k] += s.Sigma[k] * s.Sigma[k] / (noise[k] * noise[k]) / float64(seeds)
			}
		}
		want := (1 + c.a) / (1 - c.a)
		for k := range mean {
			deviation := math.Sqrt((square[k]-mean[k]*mean[k])/float64(seeds)) + 0.02*want // the columns are not quite slow
			if !(math.Abs(mean[k]-want) < 4*deviation) {
				t.Errorf("a = %g, %s: factor %.3f of joint %d, want %.3f ± %.3f", c.a, c.weighting, mean[k], k+1, want, deviation)
			}
			// A quiet joint under OLS carries the errors of the others.
			if c.weighting == WLS && !(math.Abs(variance[k]-1) < 0.03) {
				t.Errorf("a = %g: error variance of joint %d is %.4f times the true one", c.a, k+1, variance[k])
			}
		}
	}
}

// slow replaces the columns by sums of sinusoids with periods of a hundred to a
// thousand samples, and the torques accordingly.
func slow(d *dense, rng *rand.Rand) {
	for k, m := range d.masks {
		clear(d.y[k])
		for c, at := range m {
			col := d.w[k][c]
			clear(col)
			for range 4 {
				w, p := 2*math.Pi/(100+900*rng.Float64()), 2*math.Pi*rng.Float64()
				for i := range col {
					col[i] += math.Sin(w*float64(i) + p)
				}
			}
			for i, v := range col {
				d.y[k][i] += v * d.truth[at]
			}
		}
	}
}

// Too few blocks say nothing about correlation, and rows of another run are not
// neighbours.
func TestInflationNeedsBlocks(t *testing.T) {
	d := newDense(rand.New(rand.NewPCG(1, 2)), 300, []float64{1, 1, 1})
	s, err := d.reduce(100).Solve(WLS, false)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range s.VarianceInflation {
		if v != 1 {
			t.Errorf("factor %v of joint %d from three blocks", v, k+1)
		}
	}
	// Blocks of equal content: as one run their scores agree from block to
	// block, as runs of their own they are not looked at in pairs.
	one, many := NewReduction(6, d.masks), NewReduction(6, d.masks)
	for i := range 10 {
		d.y[0][30*i] += 5 // the same error at each block's begin
		one.Append(d.block(one, 0, 30*i, 30*i+30))
		many.Append(d.block(many, i, 30*i, 30*i+30))
	}
	a, err := one.Solve(WLS, false)
	if err != nil {
		t.Fatal(err)
	}
	b, err := many.Solve(WLS, false)
	if err != nil {
		t.Fatal(err)
	}
	if a.VarianceInflation[0] == b.VarianceInflation[0] {
		t.Error("blocks of different runs were taken for neighbours")
	}
}
