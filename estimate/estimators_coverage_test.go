package estimate_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"ident/estimate"
	"ident/internal/estimatortest"
	"ident/internal/long"
)

// trial is one Monte Carlo experiment: an estimator, and the errors that it is
// given.
type trial struct {
	name   string
	e      estimate.Estimator
	colour float64 // of the errors: autoregression of the first order
	// disturb adds further errors to the torques of a seed.
	disturb func(rng *rand.Rand, y [][]float64)
}

// mixed spreads seeds over all bits: the first numbers of generators with seeds in
// a row are not quite independent, which a mean over many seeds sees.
func mixed(seed int) uint64 { return (uint64(seed) + 1) * 0x9e3779b97f4a7c15 }

// tally is the outcome of a trial.
type tally struct {
	seeds               int
	inside              [estimatortest.Columns]float64
	mean, square, sigma [estimatortest.Columns]float64 // of errors, and of printed variances
	pooled, deviation   float64                        // share inside, and its deviation
}

// run draws seeds of errors on the same regressor.
func (c trial) run(t *testing.T, rows, seeds int) *tally {
	t.Helper()
	clean := estimatortest.NewData(rand.New(rand.NewPCG(5, 6)), rows, [3]float64{}, 0)
	out := &tally{seeds: seeds}
	var sum, squares float64
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(mixed(seed), 77))
		d := *clean
		d.Y = nil
		for k, sigma := range []float64{0.2, 0.1, 0.3} {
			y := append([]float64(nil), clean.Y[k]...)
			estimatortest.AddNoise(rng, y, sigma, c.colour)
			d.Y = append(d.Y, y)
		}
		if c.disturb != nil {
			c.disturb(rng, d.Y)
		}
		s, err := c.e.Estimate(t.Context(), d.Problem(20))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		hits := 0.0
		for i, v := range s.X {
			e := v - estimatortest.Truth()[i]
			out.mean[i] += e / float64(seeds)
			out.square[i] += e * e / float64(seeds)
			out.sigma[i] += s.Covariance[i][i] / float64(seeds)
			if math.Abs(e) <= (distuv.StudentsT{Sigma: 1, Nu: s.DegreesOfFreedom[i]}).Quantile(0.975)*math.Sqrt(s.Covariance[i][i]) {
				out.inside[i] += 1 / float64(seeds)
				hits++
			}
		}
		sum += hits
		squares += hits * hits
	}
	n, p := float64(seeds), float64(estimatortest.Columns)
	out.pooled = sum / n / p
	out.deviation = math.Sqrt(squares/n-sum*sum/n/n) / p / math.Sqrt(n)
	return out
}

// TestUnbiased draws 2000 seeds of torque errors (400 in the gate, 40 else, with bounds by their
// own deviation) for every estimator that claims
// to be unbiased: the pooled 95 % intervals hold the truth in 94 to 96 % of
// cases, and each parameter's share and the mean of its errors lie within the
// Bonferroni bounds of all that are looked at.
func TestUnbiased(t *testing.T) {
	seeds := long.Draws(2000, 400, 20)
	outliers := func(rng *rand.Rand, y [][]float64) {
		for k := range y {
			for i := range y[k] {
				if rng.Float64() < 0.05 {
					y[k][i] += 2 * rng.NormFloat64()
				}
			}
		}
	}
	shared := func(rng *rand.Rand, y [][]float64) {
		for i := range y[0] {
			e := 0.3 * rng.NormFloat64()
			y[0][i], y[1][i], y[2][i] = y[0][i]+e, y[1][i]-0.5*e, y[2][i]+e
		}
	}
	trials := []trial{
		{name: "ols", e: estimate.Linear{Weighting: estimate.OLS}},
		{name: "wls", e: estimate.Linear{Weighting: estimate.WLS}},
		{name: "wls, coloured", e: estimate.Linear{Weighting: estimate.WLS}, colour: 0.6},
		{name: "wls-cross", e: estimate.Cross{}, disturb: shared},
		{name: "gls, coloured", e: estimate.GLS{MaxOrder: 6}, colour: 0.6},
		{name: "irls", e: estimate.IRLS{}},
		{name: "irls bisquare, outliers", e: estimate.IRLS{Loss: estimate.Bisquare}, disturb: outliers},
		{name: "sequential", e: estimate.Sequential{}},
		{name: "recursive, all kept", e: estimate.Forgetting{}},
		{name: "recursive, forgetting", e: estimate.Forgetting{Memory: 800}},
	}
	for _, c := range trials {
		t.Run(c.name, func(t *testing.T) {
			out := c.run(t, 800, seeds)
			low, high := 0.94, 0.96
			if seeds < 2000 {
				low, high = low-4*out.deviation, high+4*out.deviation
			}
			t.Logf("%d seeds: %.2f ± %.2f %% inside", seeds, 100*out.pooled, 100*out.deviation)
			if !(out.pooled >= low && out.pooled <= high) {
				t.Errorf("95 %% intervals hold the truth in %.2f %% of cases", 100*out.pooled)
			}
			// Two-sided, over all parameters of all trials, mean and share of each.
			bound := distuv.UnitNormal.Quantile(1 - 0.05/2/float64(2*estimatortest.Columns*len(trials)))
			if seeds < 2000 {
				bound = 5
			}
			n := float64(seeds)
			for i := range out.mean {
				if z := out.mean[i] / math.Sqrt(out.square[i]/n); !(math.Abs(z) < bound) {
					t.Errorf("parameter %d: the mean error is %.2f of its deviations from zero (bound %.2f)", i+1, z, bound)
				}
				if z := (out.inside[i] - 0.95) / math.Sqrt(0.95*0.05/n); !(math.Abs(z) < bound) {
					t.Errorf("parameter %d: %.2f %% inside, %.2f deviations from 95 %% (bound %.2f)", i+1, 100*out.inside[i], z, bound)
				}
				t.Logf("parameter %d: %.2f %% inside, mean error %+.3f, printed over actual variance %.3f", i+1, 100*out.inside[i], out.mean[i]/math.Sqrt(out.square[i]), out.sigma[i]/out.square[i])
			}
		})
	}
}

// TestBias measures the bias of the estimators that have one, in standard
// deviations of their errors, and the coverage of their intervals; docs/estimators.md
// states it. A bias is asserted where theory gives it.
func TestBias(t *testing.T) {
	long.Only(t, "TestUnbiased has the estimators that hold no bias test")
	seeds := long.Of(1000, 40)
	measure := func(name string, c trial) *tally {
		out := c.run(t, 400, seeds)
		text := ""
		for i := range out.mean {
			text += fmt.Sprintf(" %+.2f", out.mean[i]/math.Sqrt(out.square[i]-out.mean[i]*out.mean[i]))
		}
		t.Logf("%-28s bias in deviations%s; %.2f %% inside", name, text, 100*out.pooled)
		return out
	}
	reference := measure("wls", trial{e: estimate.Linear{Weighting: estimate.WLS}})
	measure("ridge, cross-validated", trial{e: estimate.Ridge{}})
	ridge := trial{e: estimate.Ridge{Lambda: 0.05}}
	shrunken := measure("ridge, 0.05", ridge)
	n := float64(seeds)
	// The reported guess of the bias is the bias, but for the part of it that the
	// guess itself is shrunken by: second order in the share of the prior.
	exact := estimatortest.NewData(rand.New(rand.NewPCG(5, 6)), 400, [3]float64{}, 0)
	for k, sigma := range []float64{0.2, 0.1, 0.3} {
		estimatortest.AddNoise(rand.New(rand.NewPCG(1, uint64(k))), exact.Y[k], sigma, 0)
	}
	s, err := ridge.e.Estimate(t.Context(), exact.Problem(20))
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range s.Bias {
		if e := math.Abs(b - shrunken.mean[i]); !(e < 0.2*math.Abs(shrunken.mean[i])+5*math.Sqrt(shrunken.square[i]/n)) {
			t.Errorf("ridge: parameter %d is biased by %.4g, its own guess is %.4g", i+1, shrunken.mean[i], b)
		}
	}
	// A prior that is off by one of its deviations, a tenth as sure as the data.
	m := estimate.MAP{Covariance: mat.NewSymDense(estimatortest.Columns, nil)}
	for i, x := range estimatortest.Truth() {
		sigma := math.Sqrt(10 * reference.square[i])
		m.Mean = append(m.Mean, x+sigma)
		m.Covariance.SetSym(i, i, sigma*sigma)
	}
	drawn := measure("map, prior off by one sigma", trial{e: m})
	for i := range drawn.mean {
		// Independent parameters would be drawn 1/11 of the way; theirs share. Errors of the same draws without the prior
		// are taken off, so that their mean over few seeds plays no part.
		if pull := (drawn.mean[i] - reference.mean[i]) / math.Sqrt(10*reference.square[i]); !(pull > 0.02 && pull < 0.3) {
			t.Errorf("map: parameter %d is drawn %.3f of the way to its prior", i+1, pull)
		}
	}
	measure("tls, exact regressor", trial{e: estimate.TLS{}})
	measure("essential, all are", trial{e: estimate.Essential{}})
}

// TestPosterior: truths drawn from the prior lie in the posterior's intervals.
func TestPosterior(t *testing.T) {
	seeds := long.Of(2000, 40)
	data := estimatortest.NewData(rand.New(rand.NewPCG(5, 6)), 800, [3]float64{}, 0)
	m := estimate.MAP{Mean: estimatortest.Truth(), Covariance: mat.NewSymDense(estimatortest.Columns, nil)}
	for i := range m.Mean {
		m.Covariance.SetSym(i, i, 0.0004)
	}
	hits, squares := 0.0, 0.0
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(mixed(seed), 8))
		d := *data
		d.Y = nil
		truth := estimatortest.Truth()
		for i := range truth {
			truth[i] += 0.02 * rng.NormFloat64()
		}
		for k, mask := range d.Masks {
			y := append([]float64(nil), data.Y[k]...)
			for c, at := range mask {
				for i, v := range data.Columns[k][c] {
					y[i] += v * (truth[at] - m.Mean[at])
				}
			}
			estimatortest.AddNoise(rng, y, []float64{0.2, 0.1, 0.3}[k], 0)
			d.Y = append(d.Y, y)
		}
		s, err := m.Estimate(t.Context(), d.Problem(20))
		if err != nil {
			t.Fatal(err)
		}
		in := 0.0
		for i, v := range s.X {
			if math.Abs(v-truth[i]) < (distuv.StudentsT{Sigma: 1, Nu: s.DegreesOfFreedom[i]}).Quantile(0.975)*math.Sqrt(s.Covariance[i][i]) {
				in++
			}
		}
		hits += in / estimatortest.Columns
		squares += in * in / estimatortest.Columns / estimatortest.Columns
	}
	n := float64(seeds)
	share, deviation := hits/n, math.Sqrt(squares/n-hits*hits/n/n)/math.Sqrt(n)
	t.Logf("%d truths: %.2f ± %.2f %% inside", seeds, 100*share, 100*deviation)
	slack := 0.0
	if seeds < 2000 {
		slack = 4 * deviation
	}
	if !(share > 0.94-slack && share < 0.96+slack) {
		t.Errorf("posterior intervals hold %.2f %% of truths drawn from the prior", 100*share)
	}
}

// TestNoisyMotion measures the effect of errors in the regressor: least squares is drawn
// to zero by about one in (signal over noise)², total least squares, told the size
// of the errors, is not, and its intervals hold the truth.
func TestNoisyMotion(t *testing.T) {
	seeds := long.Of(2000, 40)
	const noise = 0.2
	clean := estimatortest.NewData(rand.New(rand.NewPCG(5, 6)), 800, [3]float64{}, 0)
	clean.Masks, clean.Columns, clean.Y = clean.Masks[:1], clean.Columns[:1], clean.Y[:1]
	truth := estimatortest.Truth()
	p := float64(len(truth))
	for _, e := range []estimate.Estimator{estimate.Linear{Weighting: estimate.WLS}, estimate.TLS{}} {
		var drawn, hits, squares float64
		for seed := range seeds {
			rng := rand.New(rand.NewPCG(mixed(seed), 9))
			d := &estimatortest.Data{Masks: clean.Masks, Columns: make([][][]float64, 1), Y: make([][]float64, 1)}
			for _, c := range clean.Columns[0] {
				c = append([]float64(nil), c...)
				estimatortest.AddNoise(rng, c, noise, 0)
				d.Columns[0] = append(d.Columns[0], c)
			}
			d.Y[0] = append([]float64(nil), clean.Y[0]...)
			estimatortest.AddNoise(rng, d.Y[0], noise, 0)
			s, err := e.Estimate(t.Context(), d.Problem(20))
			if err != nil {
				t.Fatal(err)
			}
			in := 0.0
			for i, v := range s.X {
				drawn += (v/truth[i] - 1) / p / float64(seeds)
				if math.Abs(v-truth[i]) < (distuv.StudentsT{Sigma: 1, Nu: s.DegreesOfFreedom[i]}).Quantile(0.975)*math.Sqrt(s.Covariance[i][i]) {
					in++
				}
			}
			hits += in / p
			squares += in * in / p / p
		}
		n := float64(seeds)
		share, deviation := hits/n, math.Sqrt(squares/n-hits*hits/n/n)/math.Sqrt(n)
		t.Logf("%s: parameters drawn by %+.2f %%, %.2f ± %.2f %% inside", e.Name(), 100*drawn, 100*share, 100*deviation)
		if e.Name() == "wls" {
			// Columns have variance 1.5, errors 0.04: 2.6 %, if they were independent.
			if !(drawn < -0.01 && drawn > -0.1 && share < 0.9) {
				t.Errorf("least squares on noisy motion is drawn by %.3g %%, %.3g %% inside", 100*drawn, 100*share)
			}
			continue
		}
		slack := 0.0
		if seeds < 2000 {
			slack = 4 * deviation
		}
		if !(math.Abs(drawn) < 0.01) || !(share > 0.94-slack && share < 0.96+slack) {
			t.Errorf("total least squares is drawn by %.3g %%, %.3g %% inside", 100*drawn, 100*share)
		}
	}
}

// Impossible variances are named, and iterations that run out say where they were.
func TestRefusals(t *testing.T) {
	data := estimatortest.NewData(rand.New(rand.NewPCG(1, 2)), 400, [3]float64{0.2, 0.1, 0.3}, 0.5)
	negative := mat.NewSymDense(estimatortest.Columns, nil)
	for i := range estimatortest.Columns {
		negative.SetSym(i, i, float64(2-i))
	}
	var variance *estimate.VarianceError
	for _, e := range []estimate.Estimator{
		estimate.MAP{Mean: estimatortest.Truth(), Covariance: negative},
		estimate.MAP{Mean: estimatortest.Truth(), Covariance: negative, Weight: -1},
		estimate.Ridge{Lambda: -1},
		estimate.TLS{Noise: []float64{1, 1, -1, 1, 1, 1}},
		estimate.Cross{Covariance: [][]float64{{1, 0, 0}, {0, -1, 0}, {0, 0, 1}}},
		estimate.Cross{Covariance: [][]float64{{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}},
		estimate.Forgetting{Memory: -5},
	} {
		if _, err := e.Estimate(t.Context(), data.Problem(20)); !errors.As(err, &variance) {
			t.Errorf("%s: %v", e.Name(), err)
		}
	}
	if _, err := data.Problem(20).Reduction.SolveWeighted([]float64{1, -1, 1}, false); !errors.As(err, &variance) {
		t.Errorf("weights: %v", err)
	}
	var stuck *estimate.ConvergenceError
	for _, e := range []estimate.Estimator{estimate.GLS{Iterations: 2}, estimate.Cross{Iterations: 1}, estimate.IRLS{Iterations: 2}} {
		_, err := e.Estimate(t.Context(), data.Problem(20))
		if !errors.As(err, &stuck) || len(stuck.X) != estimatortest.Columns || stuck.Reason == "" || stuck.Iterations == 0 {
			t.Errorf("%s: %v", e.Name(), err)
		}
	}
}

// TestEssentialLevel: of parameters that are zero, all are removed but where the F
// test refuses by chance, one time in twenty; none of the others is.
func TestEssentialLevel(t *testing.T) {
	seeds := long.Of(600, 40)
	clean := estimatortest.NewData(rand.New(rand.NewPCG(5, 6)), 400, [3]float64{}, 0)
	zero := map[int]bool{1: true, 4: true}
	for k, mask := range clean.Masks {
		for c, at := range mask {
			if zero[at] {
				for i, v := range clean.Columns[k][c] {
					clean.Y[k][i] -= v * estimatortest.Truth()[at]
				}
			}
		}
	}
	refused, wrong := 0, 0
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(mixed(seed), 12))
		d := *clean
		d.Y = nil
		for k, sigma := range []float64{0.2, 0.1, 0.3} {
			y := append([]float64(nil), clean.Y[k]...)
			estimatortest.AddNoise(rng, y, sigma, 0.5)
			d.Y = append(d.Y, y)
		}
		s, err := estimate.Essential{Ratio: 1.5}.Estimate(t.Context(), d.Problem(20))
		if err != nil {
			t.Fatal(err)
		}
		both := true
		for i, gone := range s.Removed {
			both = both && gone == zero[i] || both && !zero[i]
			if gone && !zero[i] {
				wrong++
			}
		}
		if !both {
			refused++
		}
	}
	n := float64(seeds)
	share := float64(refused) / n
	t.Logf("%d seeds: refused in %.1f %%, wrong ones removed %d times", seeds, 100*share, wrong)
	// Inflations from twenty time blocks make the level a little more than nominal.
	if !(share < 0.05+0.04+4*math.Sqrt(0.05*0.95/n)) || wrong > 0 {
		t.Errorf("zero parameters were kept in %.1f %%, others removed %d times", 100*share, wrong)
	}
}
