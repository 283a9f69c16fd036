package regression

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/estimate"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// The part of each variance that the gains make is the square of the differences between
// whole fits with changed gains, in models with an equation a joint and with one for all,
// of currents and of torques, and beside known parameters.
func TestGainDoubtIsThatOfFits(t *testing.T) {
	long.Only(t, "TestDriveGainsAreRecovered and TestGainDoubtOfOutputError stand for it")
	r := arm(3)
	gains, sigma := []float64{10, -12, 35}, []float64{0.02, 0, 0.01}
	rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 20))
	logged := func(run Run) Run {
		run = inCurrents(t, run, gains)
		run.UnknownGains, run.Gains = false, gains
		return run
	}
	plain := logged(rec.run("a"))
	// Columns of Fl are made of the torque that the gains give.
	loaded := logged(withLoadFriction(rec, 0.08).run("b"))
	for name, change := range map[string]func(*Config, *Run){
		"dynamic":  func(*Config, *Run) {},
		"momentum": func(c *Config, _ *Run) { c.Model = observation.Momentum },
		"energy":   func(c *Config, _ *Run) { c.Model = observation.Energy },
		"known": func(c *Config, _ *Run) {
			c.Known = map[string]float64{"MX3": 0.1, "Fv1": 0.7}
		},
		"torques":                     func(_ *Config, run *Run) { run.Gains, run.Roles.Tau = nil, run.Roles.Current },
		"friction of the load":        func(_ *Config, run *Run) { *run = loaded },
		"known friction of the load":  func(c *Config, run *Run) { *run, c.Known = loaded, map[string]float64{"Fl1": 0.2, "MX3": 0.1} },
		"momentum, friction of loads": func(c *Config, run *Run) { *run, c.Model = loaded, observation.Momentum },
	} {
		if !long.Set() && name != "dynamic" && name != "known" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			cfg, run := exact(), plain
			terms := regressor.DefaultTerms()
			// Least squares of equal weights is linear in the gains.
			cfg.Weighting, cfg.Plain = estimate.OLS, true
			change(&cfg, &run)
			if run.Name == "b" {
				terms = append(terms, regressor.LoadFs)
			}
			fit := func(run Run) []float64 {
				out, err := Fit(t.Context(), r, terms, []Run{run}, nil, cfg)
				if err != nil {
					t.Fatal(err)
				}
				return out.Solution.X
			}
			e, _, err := begin(t.Context(), r, terms, []Run{withGainSigma(run, sigma)}, nil, cfg)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := e.reduce(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			s, err := rows.sum.Solve(estimate.OLS, false)
			if err != nil {
				t.Fatal(err)
			}
			_, doubt, err := withGainDoubt(t.Context(), e, rows.sum, estimated{Solution: s, estimator: "ols"})
			if err != nil {
				t.Fatal(err)
			}
			want, largest := make([]float64, len(s.X)), 0.0
			for k, v := range sigma {
				var x [2][]float64
				for i, e := range []float64{v, -v} {
					moved := run
					moved.Gains = []float64{1, 1, 1}
					if run.Gains != nil {
						moved.Gains = slices.Clone(run.Gains)
					} else {
						moved.Roles.Current = run.Roles.Tau
					}
					moved.Gains[k] *= 1 + e
					x[i] = fit(moved)
				}
				for i := range want {
					d := (x[0][i] - x[1][i]) / 2
					want[i] += d * d
					largest = max(largest, want[i])
				}
			}
			for i, v := range want {
				// The condition number of the energy model is 1e4; squares of differences keep half the digits.
				tolerance := 1e-6 * largest
				if run.Name == "b" {
					// Of columns with the gain in them a quotient of 1 + σ remains, whose part of third order is σ².
					tolerance = 2 * 0.02 * 0.02 * largest
				}
				if got := doubt.part[i]; !(math.Abs(got-v) <= tolerance) {
					t.Errorf("parameter %d: variance %.8g by the gains, %.8g by the fits", i, got, v)
				}
			}
			if largest == 0 {
				t.Error("the gains change nothing")
			}
		})
	}
}

func withGainSigma(run Run, sigma []float64) Run {
	run.GainSigma = sigma
	return run
}

// A wrong gain that other joints contradict is found, and the parameters of the bodies stay
// within their deviations: without the doubt they are ten of them off.
func TestWrongGainIsFound(t *testing.T) {
	long.Only(t, "TestDiagnosis stands for it")
	rec := simulate(t, arm(4), newTrajectory(4, 1, 0.1), steady(100, 40))
	t.Run("", func(t *testing.T) { wrongGainIsFound(t, rec.robot, rec.run("a"), regressor.DefaultTerms(), 0.02) })
	t.Run("friction of the load", func(t *testing.T) {
		long.Only(t, "the part without it")
		// Noise of a torque is in the column of Fl too, and makes the parameter wrong, gains or not: it is small here.
		run := withLoadFriction(rec, 0.08).run("b")
		wrongGainIsFound(t, rec.robot, run, append(regressor.DefaultTerms(), regressor.LoadFs), 0.002)
	})
}

// withLoadFriction adds friction of a part of the load to every joint: τ = τ₀ + part·|τ|·sign q̇.
func withLoadFriction(rec *record, part float64) *record {
	out := *rec
	out.tau = slices.Clone(rec.tau)
	for k := range out.tau {
		out.tau[k] = slices.Clone(rec.tau[k])
		for i, v := range out.tau[k] {
			out.tau[k][i] = v / (1 - math.Copysign(part, v*rec.dq[k][i]))
		}
	}
	return &out
}

func wrongGainIsFound(t *testing.T, r *robot.Robot, run Run, terms []regressor.Term, noise float64) {
	gains := []float64{10, -12, 35, 8}
	truth, err := Fit(t.Context(), r, terms, []Run{run}, nil, exact())
	if err != nil {
		t.Fatal(err)
	}
	run = inCurrents(t, run, gains)
	run.UnknownGains, run.Gains = false, slices.Clone(gains)
	run = withNoise(t, run, rand.New(rand.NewPCG(8, 9)), noise)
	run.Gains[1] *= 1.03
	cfg := exact()
	cfg.Cutoff, cfg.Trim = 8, 0.3
	worst := func(run Run) (float64, *Outcome) {
		out, err := Fit(t.Context(), r, terms, []Run{run}, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		z := 0.0
		for i, v := range out.Solution.X {
			// Without the widening by errors of the model that the residuals show, of which a wrong scale is one.
			z = max(z, math.Abs(v-truth.Solution.X[i])/math.Sqrt(out.Solution.Covariance[i][i]/grown(&out.Result, i)))
		}
		return z, out
	}
	before, _ := worst(run)
	after, out := worst(withGainSigma(run, []float64{0.01, 0.03, 0.01, 0.01}))
	// Thirty parameters are all within four deviations but once in five hundred draws.
	if !(before > 6 && after < 4) {
		t.Errorf("the farthest parameter is %.1f deviations off without the doubt, %.1f with it", before, after)
	}
	g := out.Result.GainDoubts[1]
	if want := 100 * (1/1.03 - 1); g.SigmaPercent != 3 || !(math.Abs(g.FoundPercent-want) < 4*g.FoundSigmaPercent) || !(g.FoundSigmaPercent < 1.5) {
		t.Errorf("%+v, want %.2f", g, want)
	}
}

// Estimates that compare simulated with measured outputs follow a gain through the torque that is measured with it and
// through the torque that the drive makes of its controller's command: the part of the variances is the square
// of the differences between whole fits with other gains.
func TestGainDoubtOfOutputError(t *testing.T) {
	long.Only(t, "TestGainDoubtIsThatOfFits has the linear estimates")
	l := newServoLog(t, 2, false, 100, 4)
	sigma := []float64{0.02, 0.01}
	cfg := Config{Path: observation.Path{Cutoff: 10, Trim: 1, MotionCutoff: NoFilter}}
	for _, method := range []ServoMethod{CLIE, CLOE, ML}[:long.Of(3, 1)] {
		// Noise so small that it biases no estimate: a bias found would widen the part of the gains with the rest.
		run := l.run(rand.New(rand.NewPCG(6, 7)), 1e-5, 5e-3)
		out := l.fit(t, withGainSigma(run, sigma), method, cfg)
		plain := l.fit(t, run, method, cfg)
		want := make([]float64, len(plain.Solution.X))
		for k, v := range sigma {
			var x [2][]float64
			for i, s := range []float64{v, -v} {
				moved, other := run, *l
				law := *l.servo
				law.Controller = law.Controller.WithGain(k, 1+s)
				other.servo = &law
				moved.Roles.Current, moved.Gains = run.Roles.Tau, []float64{1, 1}
				moved.Gains[k] += s
				x[i] = other.fit(t, moved, method, cfg).Solution.X
			}
			for i := range want {
				d := (x[0][i] - x[1][i]) / 2
				want[i] += d * d
			}
		}
		for i, v := range want {
			got := out.Solution.Covariance[i][i] - plain.Solution.Covariance[i][i]
			// Fits end within a hundredth of a deviation, σ; Gauss-Newton rows leave out the second derivatives, of
			// the order of residual over torque, a few per cent here; a difference over ±2 % has an error of 4e-4.
			change, slack := math.Sqrt(math.Max(got, 0)), 2*servoStep*math.Sqrt(plain.Solution.Covariance[i][i])
			if d := math.Abs(change - math.Sqrt(v)); !(d <= slack+0.05*math.Sqrt(v)) {
				t.Errorf("%s: parameter %d changes by %.4g with the gains, by the fits %.4g (deviation %.3g)", method, i, change, math.Sqrt(v), math.Sqrt(plain.Solution.Covariance[i][i]))
			}
		}
	}
}
