package regression

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// noisy is a log with measurement noise and, unless steady, a jittered clock
// with a gap in it.
func noisy(tb testing.TB, r *robot.Robot, rate, seconds float64, uniform bool) Run {
	rng := rand.New(rand.NewPCG(11, 12))
	times := steady(rate, seconds)
	if !uniform {
		kept := times[:0]
		for i, v := range times {
			if i < len(times)/2 || i > len(times)/2+int(rate/2) {
				kept = append(kept, v+0.3/rate*rng.Float64())
			}
		}
		times = kept
	}
	rec := simulate(tb, r, newTrajectory(len(r.Links), 1, 0.1), times)
	for k := range rec.tau {
		for i := range times {
			rec.tau[k][i] += 0.1 * rng.NormFloat64()
			rec.q[k][i] += 1e-6 * rng.NormFloat64()
		}
	}
	return positionsOnly(rec.run("noisy"))
}

func processings() map[string]Config {
	return map[string]Config{
		"no filter":  {Path: observation.Path{Trim: 0.2}},
		"low-pass":   {Path: observation.Path{Cutoff: 8, MotionCutoff: 20, Trim: 0.5}},
		"decimation": {Path: observation.Path{MotionCutoff: 20, Decimate: 7, Trim: 0.5}},
		"kept rows":  {Path: observation.Path{Cutoff: 2, MotionCutoff: 20, Trim: 0.5}, long: 1},
		"local fits": {Path: observation.Path{Cutoff: 8, MotionCutoff: 20, Trim: 0.5, Differentiator: SavitzkyGolay}},
		"smoother":   {Path: observation.Path{Cutoff: 8, MotionCutoff: 20, Trim: 0.5, Differentiator: Kalman}},
	}
}

// Small chunks give the results of one chunk for the whole log, to 1e-10 of the
// parameters and of the errors.
func TestChunksAreWhole(t *testing.T) {
	r := arm(3)
	seconds := 60.0
	if !long.Set() {
		seconds = 20
	}
	for name, cfg := range processings() {
		for _, uniform := range []bool{true, false} {
			if uniform && !long.Set() && name != "low-pass" {
				continue // another clock is resampled on the way, and else the same
			}
			if !long.Set() && name != "low-pass" && name != "kept rows" {
				continue
			}
			t.Run(fmt.Sprintf("%s, uniform %v", name, uniform), func(t *testing.T) {
				run := noisy(t, r, 200, seconds, uniform)
				cfg := cfg
				cfg.chunk = 1 << 30
				whole := fit(t, r, cfg, run)
				for _, chunk := range []int{777, 1, 3000}[:long.Of(3, 1)] {
					cfg.chunk = chunk
					part := fit(t, r, cfg, run)
					compareOutcomes(t, part, whole, 1e-10)
				}
			})
		}
	}
}

// shiftOf is what errors of the model do to a base parameter, in deviations before they are widened.
func shiftOf(r *result.Result, i int) float64 {
	if r.ModelErrors == nil {
		return 0
	}
	return r.ModelErrors.Shift[i]
}

// widening is the factor of a variance by such a shift.
func widening(shift float64) float64 {
	if math.Abs(shift) <= result.WidenFrom {
		return 1
	}
	return 1 + shift*shift
}

// grown is the factor of a base parameter's variance by errors of the model, those below the noise among them.
func grown(r *result.Result, i int) float64 {
	by := widening(shiftOf(r, i))
	if e := r.ModelErrors; e != nil && e.Allowance != nil {
		by *= e.Allowance[i] * e.Allowance[i]
	}
	return by
}

// compareOutcomes demands equal estimates, covariances, errors and residuals.
func compareOutcomes(t *testing.T, got, want *Outcome, tolerance float64) {
	t.Helper()
	g, w := &got.Result, &want.Result
	if g.Samples != w.Samples {
		t.Errorf("samples %+v, want %+v", g.Samples, w.Samples)
	}
	if d := away(estimates(got), estimates(want)); !(d <= tolerance) {
		t.Errorf("estimates differ by %g", d)
	}
	near := func(what string, a, b float64) {
		if !(math.Abs(a-b) <= 100*tolerance*math.Abs(b)) {
			t.Errorf("%s is %v, want %v", what, a, b)
		}
	}
	// Without the widening by errors of the model: of the columns that look for these, friction with a memory begins anew in every
	// chunk, and has forgotten its beginning behind some widths of travel. What it widens by holds to a hundredth.
	for i := range w.Covariance {
		a, b := shiftOf(g, i), shiftOf(w, i)
		near("a variance", g.Covariance[i][i]/widening(a), w.Covariance[i][i]/widening(b))
		if !(math.Abs(a-b) <= 0.01*max(1, math.Abs(b))) {
			t.Errorf("errors of the model move a parameter by %v deviations, want %v", a, b)
		}
	}
	near("the error", g.Fit.RelativeError.Stacked, w.Fit.RelativeError.Stacked)
	near("the raw error", g.Fit.RelativeErrorRaw.Stacked, w.Fit.RelativeErrorRaw.Stacked)
	a, b := got.Residuals[0], want.Residuals[0]
	if len(a.T) != len(b.T) {
		t.Fatalf("%d residuals, want %d", len(a.T), len(b.T))
	}
	for i := range b.T {
		for k := range b.Measured {
			if a.T[i] != b.T[i] || !(math.Abs(a.Measured[k][i]-b.Measured[k][i]) <= 1e-9) || !(math.Abs(a.Predicted[k][i]-b.Predicted[k][i]) <= 1e-6) {
				t.Fatalf("residual %d of joint %d: %v %v at %v, want %v %v at %v", i, k+1, a.Measured[k][i], a.Predicted[k][i], a.T[i], b.Measured[k][i], b.Predicted[k][i], b.T[i])
			}
		}
	}
}

// The number of goroutines and of processors changes no bit.
func TestSameBits(t *testing.T) {
	r := arm(3)
	run, other := noisy(t, r, 200, 16, true), noisy(t, r, 200, 8, false)
	for name, cfg := range processings() {
		if !long.Set() && name != "low-pass" && name != "smoother" {
			continue
		}
		cfg.chunk = 500
		var want *Outcome
		for _, processors := range []int{2, 1}[:long.Of(2, 1)] {
			old := runtime.GOMAXPROCS(processors)
			for _, workers := range []int{1, 4, 2, 0}[:long.Of(4, 2)] {
				cfg.Workers = workers
				got := fit(t, r, cfg, run, other)
				if want == nil {
					want = got
				}
				sameBits(t, fmt.Sprintf("%s, %d workers on %d processors", name, workers, processors), got, want)
			}
			runtime.GOMAXPROCS(old)
		}
	}
}

func sameBits(t *testing.T, what string, got, want *Outcome) {
	t.Helper()
	for i, p := range want.Result.BaseParameters {
		if q := got.Result.BaseParameters[i]; q.Value != p.Value || q.Sigma != p.Sigma {
			t.Fatalf("%s: %s is %v ± %v, want %v ± %v", what, p.Name, q.Value, q.Sigma, p.Value, p.Sigma)
		}
	}
	if g, w := got.Result.Fit, want.Result.Fit; g.RelativeError.Stacked != w.RelativeError.Stacked || g.RMSE[1] != w.RMSE[1] {
		t.Errorf("%s: error %v, want %v", what, g.RelativeError.Stacked, w.RelativeError.Stacked)
	}
	for i, b := range want.Reduction.Blocks() {
		for k, f := range b.Joints {
			g := got.Reduction.Blocks()[i].Joints[k]
			for c := range f.R {
				if g.R[c] != f.R[c] {
					t.Fatalf("%s: the factor of joint %d in block %d differs", what, k+1, i)
				}
			}
		}
	}
}

// A cancelled identification ends with the context's error, wherever it is.
func TestCancel(t *testing.T) {
	r := arm(3)
	run := noisy(t, r, 200, 60, true)
	for _, stage := range []string{"reading", "fitting", "residuals"} {
		ctx, cancel := context.WithCancel(context.Background())
		cfg := Config{Path: observation.Path{Trim: 0.2, Cutoff: NoFilter, MotionCutoff: NoFilter}, Workers: 2, chunk: 500, Progress: func(s string, done, total int) {
			if s == stage {
				cancel()
			}
		}}
		out, err := Fit(ctx, r, regressor.DefaultTerms(), []Run{run}, nil, cfg)
		if !errors.Is(err, context.Canceled) || out != nil {
			t.Errorf("cancelled while %s: outcome %v, error %v", stage, out != nil, err)
		}
		cancel()
	}
}

// Progress counts up to the whole in every stage.
func TestProgress(t *testing.T) {
	last := map[string][2]int{}
	r := arm(2)
	cfg := Config{chunk: 500, Progress: func(s string, done, total int) {
		if done < last[s][0] || done > total {
			t.Errorf("%s: %d of %d after %d", s, done, total, last[s][0])
		}
		last[s] = [2]int{done, total}
	}, Path: observation.Path{Cutoff: NoFilter, MotionCutoff: NoFilter, Trim: NoTrim}}
	fit(t, r, cfg, noisy(t, r, 100, 30, true))
	for _, s := range []string{"reading", "fitting", "residuals"} {
		if v := last[s]; v[0] != v[1] || v[1] == 0 {
			t.Errorf("%s ended at %v", s, v)
		}
	}
}
