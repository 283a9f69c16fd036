package estimate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/estimate"
	"ident/internal/estimatortest"
	"ident/internal/long"
	"ident/internal/triangle"
)

// The responses to the torques of all joints add up to the estimate, which is
// homogeneous in them, and each is the difference of two estimates with the same
// weights.
func TestResponse(t *testing.T) {
	x := estimatortest.NewExperiment(t, estimatortest.Arm(), 100, 10)
	var work triangle.Work
	n := x.Rows.Rows
	rng := rand.New(rand.NewPCG(3, 4))
	tau := x.Torque()
	for k := range tau {
		for i := range tau[k] {
			tau[k][i] += 0.2 * rng.NormFloat64()
		}
	}
	r := x.Reduce(tau, 0, n, 50, &work)
	s, err := r.Solve(estimate.WLS, false)
	if err != nil {
		t.Fatal(err)
	}
	changes, err := r.Response(s, ofJoints(r, []float64{1, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	// Estimates lose as many digits as the condition number has.
	largest := 0.0
	for _, c := range append(changes, s.X) {
		for _, v := range c {
			largest = max(largest, math.Abs(v))
		}
	}
	tolerance := 1e-13 * s.ConditionScaled * largest
	for i, v := range s.X {
		sum := 0.0
		for k := range changes {
			sum += changes[k][i]
		}
		if !(math.Abs(sum-v) <= tolerance) {
			t.Errorf("parameter %d: the responses add up to %.15g, the estimate is %.15g", i, sum, v)
		}
	}
	for k := range tau {
		kept := tau[k]
		tau[k] = make([]float64, n)
		for i, v := range kept {
			tau[k][i] = 2 * v
		}
		d, err := x.Reduce(tau, 0, n, 50, &work).SolveWeighted(s.Weights, false)
		if err != nil {
			t.Fatal(err)
		}
		tau[k] = kept
		for i, v := range d.X {
			if !(math.Abs(v-s.X[i]-changes[k][i]) <= tolerance) {
				t.Errorf("joint %d, parameter %d: response %.15g, difference %.15g", k, i, changes[k][i], v-s.X[i])
			}
		}
	}
	// A parameter that was taken as zero stays there.
	s.Removed = make([]bool, len(s.X))
	s.Removed[2] = true
	changes, err = r.Response(s, ofJoints(r, []float64{1, 1, 1}))
	if err != nil || changes[0][2] != 0 || changes[0][1] == 0 {
		t.Errorf("with parameter 2 taken as zero: %v, %v", changes[0], err)
	}
}

// A prior that draws to zero leaves the estimate homogeneous in the torques, and the
// responses add up to it.
func TestResponseUnderAPrior(t *testing.T) {
	x := estimatortest.NewExperiment(t, estimatortest.Arm(), 100, 10)
	var work triangle.Work
	n, m := x.Rows.Rows, len(x.Truth)
	tau := x.Torque()
	rng := rand.New(rand.NewPCG(5, 4))
	for k := range tau {
		for i := range tau[k] {
			tau[k][i] += 0.2 * rng.NormFloat64()
		}
	}
	at := estimate.MAP{Mean: make([]float64, m), Weight: 1, Covariance: mat.NewSymDense(m, nil)}
	for i := range m {
		at.Covariance.SetSym(i, i, 1e-4)
	}
	r := x.Reduce(tau, 0, n, 50, &work)
	s, err := at.Estimate(t.Context(), &estimate.Problem{Reduction: r})
	if err != nil {
		t.Fatal(err)
	}
	changes, err := r.Response(s, ofJoints(r, []float64{1, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	free, err := r.SolveWeighted(s.Weights, false)
	if err != nil {
		t.Fatal(err)
	}
	drawn := 0.0
	for i, v := range s.X {
		sum := 0.0
		for k := range changes {
			sum += changes[k][i]
		}
		if !(math.Abs(sum-v) <= 1e-10) {
			t.Errorf("parameter %d: the responses add up to %.15g, the estimate is %.15g", i, sum, v)
		}
		drawn = max(drawn, math.Abs(v-free.X[i]))
	}
	if drawn < 0.01 {
		t.Errorf("the prior moves the estimate by %g: the test says nothing of it", drawn)
	}
}

// ofJoints are the errors of all joints' torques.
func ofJoints(r *estimate.Reduction, sigma []float64) []estimate.TorqueError {
	var out []estimate.TorqueError
	for k, s := range sigma {
		out = append(out, estimate.TorqueError{Rows: r, Equation: k, Sigma: s})
	}
	return out
}

// TestCoverageUnderDoubtfulGains draws the error of each joint's gain and the noise of
// its torque. With errors that the noise hides the response in the covariance is enough;
// larger ones make the joints disagree, which least squares takes for noise besides;
// unknowns of their own they cost no noise.
//
// Inside, measured (2000 seeds): see the table of docs/payload.md.
func TestCoverageUnderDoubtfulGains(t *testing.T) {
	long.Only(t, "TestCoverage has deviations without doubt")
	x := estimatortest.NewExperiment(t, estimatortest.Arm(), 100, 20)
	clean, n := x.Torque(), x.Rows.Rows
	tau := make([][]float64, len(clean))
	for k := range tau {
		tau[k] = make([]float64, n)
	}
	noise := []float64{0.5, 0.3, 0.1}
	var work triangle.Work
	for _, c := range []struct {
		name  string
		sigma []float64
	}{
		{"no doubt", []float64{0, 0, 0}},
		{"0.2 to 0.5 %", []float64{0.002, 0.005, 0.002}},
		{"1 to 5 %", []float64{0.02, 0.05, 0.01}},
	} {
		seeds := long.Draws(2000, 400, 12)
		var exact, widened, calibrated, square float64
		for seed := range seeds {
			rng := rand.New(rand.NewPCG(uint64(seed), 77))
			for k := range tau {
				gain := 1 + c.sigma[k]*rng.NormFloat64()
				for i, v := range clean[k] {
					tau[k][i] = gain * (v + noise[k]*rng.NormFloat64())
				}
			}
			r := x.Reduce(tau, 0, n, 100, &work)
			errors := ofJoints(r, c.sigma)
			s, err := r.Solve(estimate.WLS, false)
			if err != nil {
				t.Fatal(err)
			}
			inside := func(s *estimate.Solution) float64 {
				in := 0.0
				for i, v := range s.X {
					if math.Abs(v-x.Truth[i]) <= estimate.StudentQuantile(s.DegreesOfFreedom[i])*math.Sqrt(s.Covariance[i][i]) {
						in++
					}
				}
				return in / float64(len(s.X))
			}
			exact += inside(s)
			better, _, _, err := r.Calibrated(s, errors)
			if err != nil {
				t.Fatal(err)
			}
			changes, err := r.Response(s, errors)
			if err != nil {
				t.Fatal(err)
			}
			s.Widen(changes)
			widened += inside(s)
			in := inside(better)
			calibrated += in
			square += in * in
		}
		share := calibrated / float64(seeds)
		deviation := math.Sqrt(max(square/float64(seeds)-share*share, 0) / float64(seeds))
		wide, plain := widened/float64(seeds), exact/float64(seeds)
		t.Logf("%s: %.1f ± %.1f %% inside, %.1f %% with the response alone, %.1f %% without either (%d seeds)", c.name, 100*share, 100*deviation, 100*wide, 100*plain, seeds)
		if !(math.Abs(share-0.95) <= 0.01+3*deviation) {
			t.Errorf("%s: 95 %% intervals hold the truth in %.1f ± %.1f %% of cases", c.name, 100*share, 100*deviation)
		}
	}
}
