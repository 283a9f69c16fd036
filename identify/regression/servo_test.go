package regression

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"ident/baseparams"
	"ident/datasets"
	"ident/estimate"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
	"ident/simulate/servo"
)

// servoLog is a log of a robot that a PD law moved along a trajectory, with noise
// on positions and torques, and its true base parameters.
type servoLog struct {
	robot *robot.Robot
	terms []regressor.Term
	servo *Servo
	truth []float64
	exact *servo.Response
	ref   [][]float64
	dt    float64
}

func (x *trajectory) Eval(t float64, q, dq, ddq []float64) { x.at(t, q, dq, ddq) }

func newServoLog(t testing.TB, n int, dry bool, rate, seconds float64) *servoLog {
	t.Helper()
	r := arm(n)
	terms := []regressor.Term{regressor.Links, regressor.Fv}
	for j := range r.Links {
		joint := &r.Links[j].Joint
		joint.Ia, joint.Fo, joint.Fs = 0, 0, 0
		if dry {
			joint.Fs = 0.2
		}
	}
	if dry {
		terms = append(terms, regressor.Fs)
	}
	full, err := regressor.NewDynamic(r, terms)
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(full, baseparams.Options{})
	l := &servoLog{robot: r, terms: terms, truth: set.FromStandard(func() []float64 {
		chi := make([]float64, len(full.Columns()))
		for i, c := range full.Columns() {
			chi[i], _ = regressor.ValueOf(r, c)
		}
		return chi
	}()), dt: 1 / rate, servo: &Servo{Controller: servo.Controller{Forward: 1}}}
	for k := range n {
		l.servo.Controller.P = append(l.servo.Controller.P, 100)
		l.servo.Controller.D = append(l.servo.Controller.D, 10)
		l.servo.Reference = append(l.servo.Reference, fmt.Sprintf("qr%d", k+1))
		l.servo.Smooth = append(l.servo.Smooth, 2e-2)
	}
	x := newTrajectory(n, 1, 0.1)
	loop, err := servo.New(full.Select(set.Base), l.servo.Controller, servo.Options{Smooth: l.servo.Smooth})
	if err != nil {
		t.Fatal(err)
	}
	q, dq, ddq := make([]float64, n), make([]float64, n), make([]float64, n)
	x.at(0, q, dq, ddq)
	samples := int(rate * seconds)
	if l.exact, err = loop.Run(l.truth, x, 0, l.dt, samples, q, dq, false); err != nil {
		t.Fatal(err)
	}
	l.ref = make([][]float64, n)
	for i := range samples {
		x.at(float64(i)*l.dt, q, dq, ddq)
		for k := range n {
			l.ref[k] = append(l.ref[k], q[k])
		}
	}
	return l
}

func (l *servoLog) run(rng *rand.Rand, position, torque float64) Run {
	run := Run{Name: "log", Roles: datasets.Roles{T: "t"}}
	channels, cols := []datasets.Channel{{Name: "t"}}, [][]float64{nil}
	for i := range l.ref[0] {
		cols[0] = append(cols[0], float64(i)*l.dt)
	}
	add := func(kind string, to *[]string, v [][]float64, sigma float64) {
		for k := range v {
			name := fmt.Sprintf("%s%d", kind, k+1)
			col := make([]float64, len(v[k]))
			for i := range col {
				col[i] = v[k][i]
				if sigma > 0 {
					col[i] += sigma * rng.NormFloat64()
				}
			}
			if to != nil {
				*to = append(*to, name)
			}
			channels, cols = append(channels, datasets.Channel{Name: name}), append(cols, col)
		}
	}
	add("q", &run.Roles.Q, l.exact.Q, position)
	add("tau", &run.Roles.Tau, l.exact.Tau, torque)
	add("qr", nil, l.ref, 0)
	run.Log = datasets.FromColumns("log", channels, cols, nil)
	return run
}

func (l *servoLog) fit(t testing.TB, run Run, method ServoMethod, cfg Config) *Outcome {
	t.Helper()
	cfg.Servo = l.servo
	if method != "" {
		cfg.Estimator = ByServo(method)
	} else {
		cfg.Servo = nil
	}
	out, err := Fit(context.Background(), l.robot, l.terms, []Run{run}, nil, cfg)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return out
}

// Without noise every estimator that simulates finds the truth. The reference
// is known at the samples and splined between, to (ωh)⁴; DIDIM and IV do not see
// the smoothing of Coulomb friction, so there is none here.
func TestServoExact(t *testing.T) {
	l := newServoLog(t, 3, false, 200, 6)
	for _, method := range []ServoMethod{DIDIM, IV, CLOE, CLIE, ML}[:long.Of(5, 1)] {
		out := l.fit(t, l.run(nil, 0, 0), method, Config{Path: observation.Path{Cutoff: 10, Trim: 1, MotionCutoff: NoFilter}})
		for k, v := range out.Result.BaseParameters {
			if d := math.Abs(v.Value - l.truth[k]); d > 3e-5*(0.1+math.Abs(l.truth[k])) {
				t.Errorf("%s: %s is %v, want %v", method, v.Name, v.Value, l.truth[k])
			}
		}
	}
}

// With Coulomb friction the methods that compare outputs are exact.
func TestServoExactWithFriction(t *testing.T) {
	long.Only(t, "TestServoExact is exact without friction")
	l := newServoLog(t, 2, true, 200, 5)
	for _, method := range []ServoMethod{CLIE, CLOE, ML}[:long.Of(3, 1)] {
		out := l.fit(t, l.run(nil, 0, 0), method, Config{Path: observation.Path{Cutoff: NoFilter, Trim: 0.5, MotionCutoff: NoFilter}})
		for k, v := range out.Result.BaseParameters {
			if d := math.Abs(v.Value - l.truth[k]); d > 1e-4*(0.1+math.Abs(l.truth[k])) {
				t.Errorf("%s: %s is %v, want %v", method, v.Name, v.Value, l.truth[k])
			}
		}
	}
}

// Noise on the positions biases least squares; instruments and output errors are
// not biased, and their intervals hold.
func TestServoUnbiased(t *testing.T) {
	long.Only(t, "TestServoExact has the estimates without noise")
	runs := long.Draws(24, 12, 0)
	// The mean of so few runs, in standard errors, is distributed as Student's: beyond 3.5
	// standard errors of 24 runs once in five hundred times, two-sided.
	limit := distuv.StudentsT{Sigma: 1, Nu: float64(runs - 1)}.Quantile(distuv.StudentsT{Sigma: 1, Nu: 23}.CDF(3.5))
	l := newServoLog(t, 1, false, 100, 8)
	cfg := Config{Path: observation.Path{Cutoff: 20, MotionCutoff: 40, Trim: 0.5}}
	for _, c := range []struct {
		method   ServoMethod
		unbiased bool
	}{{"", false}, {Auto, true}, {CLOE, true}, {ML, true}} {
		if (c.method == CLOE || c.method == ML) && !long.Set() {
			continue // Auto is tried
		}
		rng := rand.New(rand.NewPCG(7, 1))
		n := len(l.truth)
		mean, spread := make([]float64, n), make([]float64, n)
		inside, rejected := 0, 0
		for range runs {
			out := l.fit(t, l.run(rng, 2e-3, 0.05), c.method, cfg)
			for k, v := range out.Result.BaseParameters {
				d := v.Value - l.truth[k]
				mean[k] += d / float64(runs)
				spread[k] += d * d / float64(runs)
				if v.Low95 <= l.truth[k] && l.truth[k] <= v.High95 {
					inside++
				}
			}
			if b := out.Result.BiasTest; b != nil && b.P < 0.01 {
				rejected++
			}
		}
		worst := 0.0
		for k := range mean {
			worst = max(worst, math.Abs(mean[k])/math.Sqrt((spread[k]-mean[k]*mean[k])/float64(runs-1)))
		}
		coverage := float64(inside) / float64(runs*n)
		t.Logf("%-4s largest bias %.1f standard errors, coverage %.1f %%, bias found in %d of %d runs", c.method, worst, 100*coverage, rejected, runs)
		if c.unbiased && (worst > limit || coverage < 0.85) {
			t.Errorf("%s: bias of %.1f standard errors, coverage %.0f %%", c.method, worst, 100*coverage)
		}
		if !c.unbiased && worst < 10*math.Sqrt(float64(runs)/24) {
			t.Errorf("least squares shows no bias, %.1f standard errors: the test cannot tell", worst)
		}
		if c.method == Auto && rejected < runs*9/10 {
			t.Errorf("the bias was found in %d of %d runs", rejected, runs)
		}
	}
}

// With next to no noise in the motion the test finds bias as often as its level.
func TestBiasTestLevel(t *testing.T) {
	long.Only(t, "TestTermsLevel stands for it")
	runs := long.Of(100, 15)
	l := newServoLog(t, 1, false, 100, 6)
	rng := rand.New(rand.NewPCG(7, 2))
	rejected := 0
	for range runs {
		out := l.fit(t, l.run(rng, 2e-6, 0.3), IV, Config{Path: observation.Path{Cutoff: NoFilter, Trim: 0.5, Velocity: "position", MotionCutoff: NoFilter}})
		if out.Result.BiasTest.P < 0.05 {
			rejected++
		}
	}
	// Binomial, 5 % of 100: 5 with a deviation of 2.2, 3.25 of which are allowed.
	t.Logf("bias found in %d of %d runs without any, at 5 %%", rejected, runs)
	if n := float64(runs); float64(rejected) > 0.05*n+3.25*math.Sqrt(0.05*0.95*n) {
		t.Errorf("bias found in %d of %d runs without any", rejected, runs)
	}
}

func TestServoRefusals(t *testing.T) {
	l := newServoLog(t, 2, false, 200, 5)
	run := l.run(nil, 0, 0)
	try := func(servo *Servo, model Kind) error {
		_, err := Fit(context.Background(), l.robot, l.terms, []Run{run}, nil, Config{Servo: servo, Model: model, Path: observation.Path{Trim: 0.5, Cutoff: NoFilter, MotionCutoff: NoFilter}, Estimator: ByServo(DIDIM)})
		return err
	}
	if err := try(nil, Dynamic); !errors.Is(err, ErrNoServo) {
		t.Errorf("no controller: %v", err)
	}
	missing := *l.servo
	missing.Reference = []string{"qr1", "wish2"}
	if err := try(&missing, Dynamic); err == nil {
		t.Error("a reference that the log lacks was taken")
	}
	if err := try(l.servo, Power); err == nil {
		t.Error("another model was taken")
	}
	// Gains that cannot hold the robot are an error of the simulation.
	weak := *l.servo
	weak.Controller.P, weak.Controller.D = []float64{1e-3, 1e-3}, []float64{0, 0}
	err := try(&weak, Dynamic)
	var stopped *estimate.ConvergenceError
	if err == nil || errors.As(err, &stopped) && len(stopped.X) == 0 {
		t.Errorf("a controller that holds nothing: %v", err)
	}
}

// On noise in the torque the intervals hold: 94 to 96 % pooled over 2000 seeds with
// IDENT_LONG=all, and each parameter of each method within the Bonferroni bound
// of all eight; over fewer within three more deviations of the share.
func TestServoCoverage(t *testing.T) {
	long.Only(t, "TestServoExact has the estimates without noise")
	seeds := long.Draws(2000, 60, 0)
	l := newServoLog(t, 1, false, 50, 8)
	cfg := Config{Path: observation.Path{Cutoff: NoFilter, Trim: 0.5, Velocity: "position", MotionCutoff: NoFilter}}
	for _, method := range []ServoMethod{IV, CLIE, DIDIM, ML}[:long.Of(4, 0)] {
		rng := rand.New(rand.NewPCG(9, 9))
		n := len(l.truth)
		inside := make([]int, n)
		pooled := 0
		for range seeds {
			position := 0.0
			if method == ML {
				position = 1e-5 // a likelihood needs noise in every signal
			}
			out := l.fit(t, l.run(rng, position, 0.1), method, cfg)
			for k, v := range out.Result.BaseParameters {
				if v.Low95 <= l.truth[k] && l.truth[k] <= v.High95 {
					inside[k]++
					pooled++
				}
			}
		}
		share := float64(pooled) / float64(seeds*n)
		t.Logf("%-5s %d seeds: %.2f %% inside, each %v", method, seeds, 100*share, inside)
		one := math.Sqrt(0.05 * 0.95 / float64(seeds)) // of a parameter's share
		slack := 0.01
		if seeds < 2000 {
			slack += 3 * one
		}
		if math.Abs(share-0.95) > slack {
			t.Errorf("%s: %.2f %% of intervals hold", method, 100*share)
		}
		// Eight shares at one in a thousand together: each at 1/8000, 3.84 deviations.
		for k, in := range inside {
			if part := float64(in) / float64(seeds); math.Abs(part-0.95) > 3.84*one {
				t.Errorf("%s: %.2f %% of the intervals of parameter %d hold", method, 100*part, k+1)
			}
		}
	}
}
