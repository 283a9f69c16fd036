package regression

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/estimate"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// randomArm returns an arm whose bodies and drives are drawn.
func randomArm(rng *rand.Rand, joints int) *robot.Robot {
	r := arm(joints)
	for j := range r.Links {
		l := &r.Links[j]
		size := 0.5 + rng.Float64() // of the whole body, which stays one
		for p := range l.Inertial {
			l.Inertial[p] *= size
		}
		l.Joint.Ia *= 0.5 + rng.Float64()
		l.Joint.Fv *= 0.5 + rng.Float64()
		l.Joint.Fs *= 0.5 + rng.Float64()
	}
	return r
}

// weighedSquares are the squares that a fit leaves of its training torques, each joint's over the variance of another.
func weighedSquares(of, by *Outcome) (sum float64) {
	for k, e := range of.Result.Fit.RMSE {
		sum += e * e / (by.Solution.Sigma[k] * by.Solution.Sigma[k])
	}
	return sum
}

// correctedSquares are those that a fit leaves of the rows with the gains that it found.
func correctedSquares(of, by *Outcome) (sum float64) {
	for k, mask := range of.Reduction.Masks() {
		gain := 1.0
		if of.Result.GainDoubts != nil {
			gain += of.Result.GainDoubts[k].FoundPercent / 100
		}
		f := of.Reduction.Joint(k, new(estimate.Work))
		fitted, both := 0.0, 0.0
		for i := range f.N {
			v := 0.0
			for j := i; j < f.N; j++ {
				v += f.R[i*f.N+j] * of.Solution.X[mask[j]]
			}
			fitted, both = fitted+v*v, both+v*f.Z[i]
		}
		sum += (gain*gain*f.YY - 2*gain*both + fitted) / (by.Solution.Sigma[k] * by.Solution.Sigma[k])
	}
	return sum
}

// Law 3a of corrections: doubted gains that the rows correct, and a lag of the velocities that is removed, leave no more of
// the training torques than the fit without the correction, to the allowance for chance, whatever is wrong with the log:
// gains within and far beyond their deviations, velocities late, early and in time.
func TestCorrectionsOfGainsAndLagsAreNeverWorse(t *testing.T) {
	outer := t
	gains, lags, large, removed := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64Range(1, 1<<20).Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 11))
		joints := rapid.IntRange(1, 3).Draw(t, "joints")
		r := randomArm(rng, joints)
		moves := newTrajectory(joints, seed, 0.2)
		exact := simulate(outer, r, moves, steady(100, 6))
		rec := exact.noisy(seed, motionErrors{position: 1e-5, velocity: 1e-4})
		compare := func(what string, squares func(of, by *Outcome) float64, with, without *Outcome) {
			got, most := squares(with, without), squares(without, without)*estimate.AllowedSquares(without.Solution)
			if got > most*(1+1e-9) {
				t.Fatalf("%s: %g squares are left, %g at most", what, got, most)
			}
		}
		cfg := Config{Path: observation.Path{Velocity: "measured"}, Rest: RestKeep}
		if rapid.Bool().Draw(t, "gains") {
			run := rec.run("log")
			run.Gains = make([]float64, joints)
			run.Roles.Current, run.Roles.Tau = run.Roles.Tau, nil
			sigma := make([]float64, joints)
			for k := range run.Gains {
				sigma[k] = rapid.SampledFrom([]float64{0, 0.01, 0.03, 0.1}).Draw(t, "stated")
				run.Gains[k] = math.Exp(rapid.Float64Range(-0.3, 0.3).Draw(t, "wrong by"))
			}
			without := fit(outer, r, cfg, run)
			compare("gains", correctedSquares, fit(outer, r, cfg, withGainSigma(run, sigma)), without)
			gains++
			return
		}
		late := rapid.Float64Range(-0.06, 0.06).Draw(t, "late")
		path := make([]float64, len(exact.t))
		for i := range path {
			path[i] = exact.t[i] - late
		}
		rec.dq = simulate(outer, r, moves, path).noisy(seed, motionErrors{velocity: 1e-4}).dq
		cfg.Velocity = "auto"
		with := fit(outer, r, cfg, rec.run("log"))
		lags++
		if math.Abs(late) > 0.02 {
			large++
		}
		if with.Result.Processing.VelocityLag == nil {
			return
		}
		removed++
		without := Config{Path: with.Result.Processing.Path, Rest: RestKeep}
		without.VelocityLag, without.Velocity, without.Acceleration = nil, "measured", with.Result.Processing.Acceleration
		compare(fmt.Sprintf("velocities %.3g s late", late), weighedSquares, with, fit(outer, r, without, rec.run("log")))
	})
	if long.Set() && (gains == 0 || large == 0) || large > 3 && removed == 0 {
		t.Errorf("%d logs with doubted gains, %d with lags, %d of more than 20 ms, of which %d were removed", gains, lags, large, removed)
	}
	t.Logf("%d logs with doubted gains, %d with velocities late or early, %d by more than 20 ms, of which %d were corrected", gains, lags, large, removed)
}

// Law 3c: leaving out a contiguous 0.5 % of the rows moves no parameter by more than its stated deviation, with a correction
// for noise of the motion too: the log is fitted again without the rows, correction and all.
func TestLeavingOutWithACorrection(t *testing.T) {
	long.Only(t, "TestLeaveOut")
	draws, corrected, declined, beyond, shifts, worst := 0, 0, 0, 0, 0, 0.0
	for seed := range uint64(long.Draws(20, 6, 2)) {
		rng := rand.New(rand.NewPCG(seed, 12))
		r := randomArm(rng, 2)
		rec := simulate(t, r, newTrajectory(2, seed, 0.1), steady(100, 20)).noisy(seed, motionErrors{position: 5e-4, velocity: math.Pow(10, -1.5-0.7*rng.Float64())})
		cfg := Config{Path: observation.Path{Velocity: "measured", Trim: NoTrim}}
		out := fit(t, r, cfg, rec.run("log"))
		if out.Result.MotionNoise == nil || out.Result.MotionNoise.Left == nil {
			continue
		}
		corrected++
		cfg.MotionCutoff = out.Result.Processing.MotionCutoff
		for range 20 {
			n := len(rec.t)
			gap := n / 200
			first := rng.IntN(n - gap)
			var parts []Run
			for _, rows := range [][2]int{{0, first}, {first + gap, n}} {
				if rows[1]-rows[0] < 200 {
					continue
				}
				var kept []int
				for i := rows[0]; i < rows[1]; i++ {
					kept = append(kept, i)
				}
				parts = append(parts, rec.keep(kept).run(fmt.Sprintf("log %d", rows[0])))
			}
			less, err := Fit(t.Context(), r, regressor.DefaultTerms(), parts, nil, cfg)
			if err != nil {
				t.Fatal(err)
			}
			draws++
			if less.Result.MotionNoise.Left == nil {
				declined++ // near the limit of what is corrected: such a fit is doubtful, and says its bias
				continue
			}
			for i, p := range out.Result.BaseParameters {
				moved := math.Abs(less.Result.BaseParameters[i].Value-p.Value) / p.Sigma
				worst = max(worst, moved)
				if shifts++; moved > 1 {
					beyond++
				}
			}
		}
	}
	t.Logf("%d corrected fits, %d parts left out, %d without which the correction is declined: %d of %d parameters move by more than a deviation, %.2f at most", corrected, draws, declined, beyond, shifts, worst)
	if shifts == 0 {
		t.Fatal("no fit was corrected")
	}
	if beyond > 0 {
		t.Errorf("%d of %d parameters move by more than a deviation, %.2f at most", beyond, shifts, worst)
	}
}
