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

// threeRuns are of one robot, but for a change of parameter 4 in the last run, in
// units of its deviation in that run.
func threeRuns(rng *rand.Rand, clean [3]*estimatortest.Data, colour, change float64) *estimate.Problem {
	var runs []*estimatortest.Data
	for i, c := range clean {
		d := *c
		d.Y = nil
		for k, mask := range d.Masks {
			y := append([]float64(nil), c.Y[k]...)
			for j, at := range mask {
				if at == 3 && i == 2 {
					for l, v := range c.Columns[k][j] {
						y[l] += change * v
					}
				}
			}
			estimatortest.AddNoise(rng, y, []float64{0.2, 0.1, 0.3}[k], colour)
			d.Y = append(d.Y, y)
		}
		runs = append(runs, &d)
	}
	return runs[0].Problem(20, runs[1:]...)
}

func cleanRuns(rows int) (clean [3]*estimatortest.Data) {
	for i := range clean {
		clean[i] = estimatortest.NewData(rand.New(rand.NewPCG(uint64(i), 6)), rows, [3]float64{}, 0)
	}
	return clean
}

// Runs of one robot are told to be so at the level of the test, whatever the
// colour of their errors; a parameter that changes by five of its deviations is
// found, and named.
func TestCompareRuns(t *testing.T) {
	seeds := long.Of(600, 40)
	clean := cleanRuns(400)
	for _, colour := range []float64{0, 0.6} {
		alarms, excess := 0.0, 0.0
		for seed := range seeds {
			r, err := threeRuns(rand.New(rand.NewPCG(mixed(seed), 1)), clean, colour, 0).Reduction.CompareRuns()
			if err != nil {
				t.Fatal(err)
			}
			if r.DegreesOfFreedom != 12 {
				t.Fatalf("%g directions", r.DegreesOfFreedom)
			}
			excess += r.Excess / float64(seeds)
			if r.P < 0.05 {
				alarms++
			}
		}
		share, deviation := alarms/float64(seeds), math.Sqrt(0.05*0.95/float64(seeds))
		t.Logf("colour %g: %.2f %% below 5 %%, mean excess %.3f", colour, 100*share, excess)
		// The degrees of freedom behind the weights are counted once, not for every run,
		// which makes the test a little cautious.
		if !(share < 0.05+4*deviation && share > 0.03-4*deviation) || !(math.Abs(excess-1) < 0.1) {
			t.Errorf("colour %g: %.2f %% of tests below 5 %%, mean excess %.3f", colour, 100*share, excess)
		}
	}
	p := threeRuns(rand.New(rand.NewPCG(1, 1)), clean, 0, 0.1)
	r, err := p.Reduction.CompareRuns()
	if err != nil {
		t.Fatal(err)
	}
	if !(r.P < 1e-6) || len(r.Apart) == 0 || r.Apart[0].Parameter != 3 || r.Apart[0].Run != 2 || !(r.Apart[0].Deviations > 3) {
		t.Errorf("a changed parameter: %+v", r)
	}
	// A run that is too short to be fitted alone is left out of the comparison, and
	// without the long one nothing can be predicted.
	short := estimatortest.NewData(rand.New(rand.NewPCG(9, 9)), 1, [3]float64{0.2, 0.1, 0.3}, 0)
	noisy := estimatortest.NewData(rand.New(rand.NewPCG(1, 2)), 400, [3]float64{0.2, 0.1, 0.3}, 0)
	if d, err := noisy.Problem(20, short).Reduction.Diagnose(estimate.WLS); err != nil || d.Runs != nil || d.CrossValidation != nil {
		t.Errorf("a long run and a single row: %+v, %v", d, err)
	}
	one := clean[0].Problem(20)
	if r, err := one.Reduction.CompareRuns(); r != nil || err != nil {
		t.Errorf("a single run: %+v, %v", r, err)
	}
}

// A run that is in a reduction twice is found, and two runs of the same motion
// with their own errors are not the same.
func TestRepeated(t *testing.T) {
	clean := cleanRuns(400)
	p := threeRuns(rand.New(rand.NewPCG(1, 1)), clean, 0, 0)
	if err := p.Reduction.Repeated(); err != nil {
		t.Errorf("three runs: %v", err)
	}
	same := [3]*estimatortest.Data{clean[0], clean[0], clean[0]}
	if err := threeRuns(rand.New(rand.NewPCG(1, 1)), same, 0, 0).Reduction.Repeated(); err != nil {
		t.Errorf("three runs of one motion: %v", err)
	}
	twice := estimate.NewReduction(estimatortest.Columns, clean[0].Masks)
	for _, b := range p.Reduction.Blocks() {
		if b.Run == 1 {
			twice.Append(b)
			b.Run = 7
			twice.Append(b)
		}
	}
	var repeated *estimate.RepeatedError
	if err := twice.Repeated(); !errors.As(err, &repeated) || repeated.First != 1 || repeated.Second != 7 || repeated.Blocks != 20 {
		t.Errorf("a run given twice: %v", err)
	}
}

// Unseen rows are predicted as well as seen ones, but for the errors that an estimate
// follows: 6 of 2400 rows' worth; a run of another robot
// is not.
func TestCrossValidate(t *testing.T) {
	clean := cleanRuns(400)
	p := threeRuns(rand.New(rand.NewPCG(1, 1)), clean, 0, 0)
	c, err := p.Reduction.CrossValidate(estimate.WLS)
	if err != nil {
		t.Fatal(err)
	}
	if c.By != "run" || len(c.Folds) != 3 || c.Folds[1].Run != 1 || !(c.Percent > c.Inside && c.Percent < 1.02*c.Inside) {
		t.Errorf("by run: %+v", c)
	}
	other, err := threeRuns(rand.New(rand.NewPCG(1, 1)), clean, 0, 0.5).Reduction.CrossValidate(estimate.WLS)
	if err != nil {
		t.Fatal(err)
	}
	if !(other.Folds[2].Percent > 1.5*c.Folds[2].Percent) {
		t.Errorf("a run of another robot is predicted to %.3g %%, of the same to %.3g %%", other.Folds[2].Percent, c.Folds[2].Percent)
	}
	d := estimatortest.NewData(rand.New(rand.NewPCG(1, 2)), 400, [3]float64{0.2, 0.1, 0.3}, 0)
	if c, err = d.Problem(20).Reduction.CrossValidate(estimate.WLS); err != nil || c.By != "stretch" || len(c.Folds) != 5 || c.Folds[0].Run != -1 {
		t.Errorf("one run: %+v, %v", c, err)
	}
}

// The bootstrap's deviations are those of the estimates, for coloured errors too,
// and its percentiles hold the truth in nearly 95 % of cases: percentiles of forty
// periods are known to be a little narrow.
func TestBootstrap(t *testing.T) {
	seeds := long.Of(300, 40)
	clean := estimatortest.NewData(rand.New(rand.NewPCG(5, 6)), 1600, [3]float64{}, 0)
	truth := estimatortest.Truth()
	var inside float64
	var errors2 [estimatortest.Columns]float64
	var mean [estimatortest.Columns]float64
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(mixed(seed), 3))
		d := *clean
		d.Y = nil
		for k := range d.Masks {
			y := append([]float64(nil), clean.Y[k]...)
			estimatortest.AddNoise(rng, y, []float64{0.2, 0.1, 0.3}[k], 0.6)
			d.Y = append(d.Y, y)
		}
		r := d.Problem(20).Reduction
		s, err := r.Solve(estimate.WLS, false)
		if err != nil {
			t.Fatal(err)
		}
		b, err := r.Bootstrap(s, estimate.BootstrapOptions{Draws: 200, Seed: uint64(seed)})
		if err != nil {
			t.Fatal(err)
		}
		if seed == 0 {
			again, err := r.Bootstrap(s, estimate.BootstrapOptions{Draws: 200})
			if err != nil || b.Periods != 40 || again.Sigma[0] != b.Sigma[0] {
				t.Fatalf("%d periods, %v; %v, then %v", b.Periods, err, b.Sigma, again.Sigma)
			}
		}
		for i, v := range s.X {
			errors2[i] += (v - truth[i]) * (v - truth[i]) / float64(seeds)
			mean[i] += b.Sigma[i] * b.Sigma[i] / float64(seeds)
			if truth[i] > b.Low95[i] && truth[i] < b.High95[i] {
				inside += 1 / float64(seeds*len(truth))
			}
		}
	}
	ratio := 0.0
	for i := range mean {
		ratio += mean[i] / errors2[i] / float64(len(mean))
	}
	t.Logf("%d seeds: %.1f %% inside, bootstrap variance over actual %.3f", seeds, 100*inside, ratio)
	share := 4 * math.Sqrt(0.05*0.95/float64(seeds*3)) // a seed's parameters are not independent
	if !(inside > 0.92-share && inside < 0.96+share) {
		t.Errorf("%.2f %% of the truths are inside", 100*inside)
	}
	if !(math.Abs(ratio-1) < 5*math.Sqrt(2/float64(seeds))) {
		t.Errorf("the bootstrap's variances are %.3f of the actual ones", ratio)
	}
	r := estimatortest.NewData(rand.New(rand.NewPCG(1, 2)), 60, [3]float64{1, 1, 1}, 0).Problem(20).Reduction
	s, err := r.Solve(estimate.WLS, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Bootstrap(s, estimate.BootstrapOptions{}); err == nil {
		t.Error("two periods were drawn from")
	}
}
