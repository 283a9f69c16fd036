package regression

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/baseparams"
	"ident/datasets"
	"ident/estimate"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// added makes a run whose torques have more in them, from a model's columns with
// given parameters. Signals that the model needs beside the motion are added as
// channels.
func added(tb testing.TB, rec *record, name string, terms []regressor.Term, chi map[string]float64, in regressor.Batch) Run {
	tb.Helper()
	m, err := regressor.NewDynamic(rec.robot, terms)
	if err != nil {
		tb.Fatal(err)
	}
	values := make([]float64, len(m.Columns()))
	for c, col := range m.Columns() {
		values[c] = chi[col.Name]
	}
	for want := range chi {
		if !slices.Contains(m.Names(), want) {
			tb.Fatalf("no column %s", want)
		}
	}
	n := len(rec.t)
	in.Q, in.DQ, in.DDQ = rec.q, rec.dq, rec.ddq
	if in.Load == nil && m.Needs()&regressor.NeedLoad != 0 {
		in.Load = rec.tau
	}
	if m.Needs()&regressor.NeedTime != 0 {
		for _, at := range rec.t {
			in.Time = append(in.Time, at-rec.t[0])
		}
	}
	b := m.NewBlock(n)
	m.EvalBatch(b, in, m.NewWorkspace())
	more := make([][]float64, len(rec.tau))
	for k := range more {
		more[k] = make([]float64, n)
	}
	m.Predict(more, b, values)
	sum := *rec
	sum.tau = make([][]float64, len(rec.tau))
	for k := range more {
		sum.tau[k] = slices.Clone(rec.tau[k])
		for i := range more[k] {
			sum.tau[k][i] += more[k][i]
		}
	}
	run := sum.run(name)
	if in.Wrench[0] == nil && in.Contact[0] == nil {
		return run
	}
	channels, cols := run.Log.Channels(), [][]float64{}
	for _, c := range channels {
		v, err := run.Log.Column(c.Name)
		if err != nil {
			tb.Fatal(err)
		}
		cols = append(cols, v)
	}
	for k, axis := range []string{"wfx", "wfy", "wfz", "wtx", "wty", "wtz"} {
		if in.Wrench[k] != nil {
			channels, cols = append(channels, datasets.Channel{Name: axis}), append(cols, in.Wrench[k])
			run.Wrench[k] = axis
		}
	}
	for k, name := range []string{"contact", "other"} {
		if in.Contact[k] != nil {
			channels, cols = append(channels, datasets.Channel{Name: name}), append(cols, in.Contact[k])
			run.Contact[k] = name
		}
	}
	run.Log = datasets.FromColumns(name, channels, cols, nil)
	return run
}

// parameter returns a base parameter of an outcome.
func parameter(tb testing.TB, out *Outcome, name string) (value, sigma float64) {
	tb.Helper()
	for _, p := range out.Result.BaseParameters {
		if p.Name == name {
			return p.Value, p.Sigma
		}
	}
	tb.Fatalf("no base parameter %s", name)
	return 0, 0
}

// Known truth for every term of joints: parameters of the added torques come out,
// beside the robot's own parameters, to 1e-8 from exact motion. Where a term's
// column also depends on the torque that it adds to, the load is that without it.
func TestTermsAreRecovered(t *testing.T) {
	r := arm(3)
	for j := range r.Links {
		r.Links[j].Joint.GearRatio = 20
	}
	rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 20))
	for _, c := range []struct {
		add   []regressor.Term // in the truth
		truth map[string]float64
		fit   []regressor.Term
		want  map[string]float64
	}{
		{[]regressor.Term{regressor.Asymmetric}, map[string]float64{"Fvp2": 0.7, "Fsn3": 0.3},
			[]regressor.Term{regressor.Links, regressor.Ia, regressor.Asymmetric},
			map[string]float64{"Fvp2": 1.5 + 0.7, "Fvn2": 1.5, "Fsn3": 0.5 + 1.0/3 + 0.3 - 0.2, "Fsp3": 0.5 + 1.0/3 + 0.2}},
		{[]regressor.Term{regressor.Spring}, map[string]float64{"Ks1": 12, "Ks2": -3, "Ks3": 5},
			append(regressor.DefaultTerms(), regressor.Spring), map[string]float64{"Ks1": 12, "Ks2": -3, "Ks3": 5}},
		{[]regressor.Term{regressor.Balance}, map[string]float64{"Kgs3": 8, "Kgc1": -2},
			append(regressor.DefaultTerms(), regressor.Balance), map[string]float64{"Kgs3": 8, "Kgc1": -2}},
		{[]regressor.Term{"Fst:0.2"}, map[string]float64{"Fst1": 2, "Fst3": 1},
			append(regressor.DefaultTerms(), "Fst:0.2"), map[string]float64{"Fst1": 2, "Fst2": 0, "Fst3": 1}},
		{[]regressor.Term{regressor.Quadratic, "Tr:7/1m/3+4"}, map[string]float64{"Fq1": 0.4, "Fq3": -0.1, "Tr1s1": 0.3, "Tr1c2": 0.2, "Tr2s3": -0.4, "Tr2c3": 0.1},
			append(regressor.DefaultTerms(), regressor.Quadratic, "Tr:7/1m/3+4"), map[string]float64{"Fq1": 0.4, "Fq2": 0, "Fq3": -0.1, "Tr1s1": 0.3, "Tr1s2": 0, "Tr1c2": 0.2, "Tr2s3": -0.4, "Tr2c3": 0.1}},
		{[]regressor.Term{"Fw:5"}, map[string]float64{"Fwv1": -0.4, "Fws2": -0.2, "Fwo3": 0.3},
			append(regressor.DefaultTerms(), "Fw:5"), map[string]float64{"Fwv1": -0.4, "Fws1": 0, "Fws2": -0.2, "Fwo3": 0.3}},
		{[]regressor.Term{regressor.Ir}, map[string]float64{"Ir2": 1e-3, "Ir3": 2e-3},
			[]regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fs, regressor.Fo, regressor.Ir}, nil},
	} {
		run := added(t, rec, "a", c.add, c.truth, regressor.Batch{})
		out, err := Fit(t.Context(), r, c.fit, []Run{run}, nil, exact())
		if err != nil {
			t.Fatalf("%v: %v", c.add, err)
		}
		for name, want := range c.want {
			if got, _ := parameter(t, out, name); !(math.Abs(got-want) < 1e-8*math.Max(1, math.Abs(want))) {
				t.Errorf("%v: %s = %.12g, want %.12g", c.add, name, got, want)
			}
		}
		if e := out.Result.Fit.RelativeError.Stacked; !(e < 1e-8) {
			t.Errorf("%v: %g %% of the torques are left", c.add, e)
		}
	}
}

// In place of Ia, Ir gives rotors on moving links their true inertia.
func TestRotorsAreRecovered(t *testing.T) {
	r := arm(3)
	for j := range r.Links {
		r.Links[j].Joint.Ia, r.Links[j].Joint.GearRatio = 0, 20
	}
	rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 20))
	truth := map[string]float64{"Ir1": 5e-4, "Ir2": 1e-3, "Ir3": 2e-3}
	run := added(t, rec, "a", []regressor.Term{regressor.Ir}, truth, regressor.Batch{})
	terms := []regressor.Term{regressor.Links, regressor.Fv, regressor.Fs, regressor.Fo, regressor.Ir}
	out, err := Fit(t.Context(), r, terms, []Run{run}, nil, exact())
	if err != nil {
		t.Fatal(err)
	}
	// The third rotor stands alone; those before are regrouped with the links.
	if got, _ := parameter(t, out, "Ir3"); !(math.Abs(got-2e-3) < 1e-10) {
		t.Errorf("Ir3 = %.12g, want 0.002", got)
	}
	if e := out.Result.Fit.RelativeError.Stacked; !(e < 1e-8) {
		t.Errorf("%g %% of the torques are left", e)
	}
}

// Friction of the load: the column is made of measured torques, which hold the
// friction itself, so the truth is made by solving for it.
func TestLoadFrictionIsRecovered(t *testing.T) {
	r := arm(2)
	rec := simulate(t, r, newTrajectory(2, 1, 0.1), steady(100, 20))
	const fl = 0.1
	for i := range rec.t {
		// τ = τ₀ + Fl·|τ|·sign q̇ has the solution τ₀/(1 − Fl·sign q̇·sign τ₀).
		s := rec.dq[1][i] * rec.tau[1][i]
		rec.tau[1][i] /= 1 - fl*math.Copysign(1, s)
	}
	out, err := Fit(t.Context(), r, append(regressor.DefaultTerms(), regressor.LoadFs), []Run{rec.run("a")}, nil, exact())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"Fl1": 0, "Fl2": fl} {
		if got, _ := parameter(t, out, name); !(math.Abs(got-want) < 1e-8) {
			t.Errorf("%s = %.12g, want %g", name, got, want)
		}
	}
	// A validation predicts the load: errors of the measured torque are in its error as they are, and not in its
	// prediction.
	rng := rand.New(rand.NewPCG(4, 4))
	square := 0.0
	for i := range rec.t {
		e := rng.NormFloat64()
		rec.tau[1][i] += e
		square += e * e / float64(len(rec.t))
	}
	p, _, err := Predict(t.Context(), r, append(regressor.DefaultTerms(), regressor.LoadFs), out.Base, estimates(out), []Run{rec.run("b")}, exact())
	if err != nil {
		t.Fatal(err)
	}
	if want := math.Sqrt(square); !(math.Abs(p.RMSE[1]/want-1) < 1e-6) || !(p.RMSE[0] < 1e-6) {
		t.Errorf("errors of %v N·m, want those of the measured torque, 0 and %g", p.RMSE, want)
	}
}

// payload is a body on the last link of an arm.
func payload() map[string]float64 {
	in := robot.InertialFromCentral(3.2, [3]float64{0.05, 0.02, 0.1}, [3][3]float64{{0.02, 0, 0}, {0, 0.015, 0.001}, {0, 0.001, 0.01}})
	out := map[string]float64{}
	for p, name := range robot.InertialNames {
		out["P"+name+"3"] = in[p]
	}
	return out
}

// onAll is the batch of a payload that is attached in all samples.
func onAll(n int) regressor.Batch {
	on := make([]float64, n)
	for i := range on {
		on[i] = 1
	}
	return regressor.Batch{PayloadAttached: on}
}

// A payload that one run carries and another does not is found beside the robot.
func TestPayloadIsRecovered(t *testing.T) {
	r := arm(3)
	bare := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 20))
	rec := simulate(t, r, newTrajectory(3, 2, 0.1), steady(100, 20))
	body := payload()
	term := regressor.Payload + ":" + regressor.Term(r.Links[2].Name)
	loaded := added(t, rec, "loaded", []regressor.Term{term}, body, onAll(len(rec.t)))
	loaded.Carries = new(observation.Load)
	terms := append(regressor.DefaultTerms(), term)
	for _, kind := range Kinds()[:long.Of(len(Kinds()), 1)] {
		cfg := exact()
		cfg.Model, cfg.Cutoff = kind, 10
		out, err := Fit(t.Context(), r, terms, []Run{bare.run("bare"), loaded}, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		// The payload alone has the last link's base parameters; at 100 Hz the other
		// models' differences err by (2π·1.5/100)⁴ = 8e-5 times less than one.
		limit := 1e-4
		if kind == Dynamic {
			limit = 1e-8
		}
		for _, name := range []string{"PMX3", "PXZ3", "PXY3"} {
			if got, _ := parameter(t, out, name); !(math.Abs(got-body[name]) < limit) {
				t.Errorf("%s: %s = %.12g, want %.12g", kind, name, got, body[name])
			}
		}
	}
	var need *NeedError
	if _, err := Fit(t.Context(), r, terms, []Run{bare.run("bare")}, nil, exact()); !errors.As(err, &need) || !strings.Contains(err.Error(), "carries") {
		t.Errorf("a payload that no run carries: %v", err)
	}
	// With the payload known, its run alone gives the robot.
	cfg := exact()
	cfg.Known = body
	out, err := Fit(t.Context(), r, terms, []Run{loaded}, []Run{bare.run("bare")}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if e := away(estimates(out), truth(out, r)); !(e < 1e-8) {
		t.Errorf("with a known payload the parameters are off by %g", e)
	}
	if e := out.Result.Validation.RelativeErrorRaw.Stacked; !(e < 1e-8) {
		t.Errorf("%g %% of the torques without it are left", e)
	}
}

// Gains of a measured wrench, and a wrench that needs none.
func TestWrenchIsRecovered(t *testing.T) {
	r := arm(3)
	// A force along the last axis would turn nothing.
	r.Links[2].UserFrame = r.Links[1].Placement
	r.Links[2].UserFrame.P = [3]float64{0.1, 0.05, 0.02}
	rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 20))
	var in regressor.Batch
	for k := range in.Wrench {
		in.Wrench[k] = make([]float64, len(rec.t))
		for i, at := range rec.t {
			in.Wrench[k][i] = 10 * math.Sin(float64(k+2)*at+float64(k))
		}
	}
	term := regressor.Wrench + ":" + regressor.Term(r.Links[2].Name)
	gains := map[string]float64{"Wfx3": 1.1, "Wfy3": 0.9, "Wfz3": 1.05, "Wtx3": 1, "Wty3": -1, "Wtz3": 2}
	run := added(t, rec, "a", []regressor.Term{term}, gains, in)
	terms := append(regressor.DefaultTerms(), term)
	out, err := Fit(t.Context(), r, terms, []Run{run}, nil, exact())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range gains {
		if got, _ := parameter(t, out, name); !(math.Abs(got-want) < 1e-8) {
			t.Errorf("%s = %.12g, want %g", name, got, want)
		}
	}
	cfg := exact()
	cfg.Known = gains
	for _, kind := range []Kind{Dynamic, Momentum} {
		cfg.Model = kind
		out, err = Fit(t.Context(), r, terms, []Run{run}, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if e := distance(estimates(out), truth(out, r)); !(e < 1e-4) || kind == Dynamic && !(e < 1e-8) {
			t.Errorf("%s, with known gains: off by %g", kind, e)
		}
	}
	var need *NeedError
	if _, err := Fit(t.Context(), r, terms, []Run{rec.run("dry")}, nil, exact()); !errors.As(err, &need) || !strings.Contains(err.Error(), "wrench LINK") {
		t.Errorf("a log without a wrench: %v", err)
	}
}

// withNoise adds white noise to the motor currents of a run.
func withNoise(tb testing.TB, run Run, rng *rand.Rand, sigma float64) Run {
	tb.Helper()
	var cols [][]float64
	for _, c := range run.Log.Channels() {
		v, err := run.Log.Column(c.Name)
		if err != nil {
			tb.Fatal(err)
		}
		v = slices.Clone(v)
		if slices.Contains(run.Roles.Current, c.Name) {
			for i := range v {
				v[i] += sigma * rng.NormFloat64()
			}
		}
		cols = append(cols, v)
	}
	run.Log = datasets.FromColumns(run.Name, run.Log.Channels(), cols, nil)
	return run
}

// Drive gains come out of motor currents with and without a payload of known mass.
func TestDriveGainsAreRecovered(t *testing.T) {
	r := arm(3)
	gains := []float64{10, -12.5, 3}
	bare := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 20))
	rec := simulate(t, r, newTrajectory(3, 2, 0.1), steady(100, 20))
	bare.gains, rec.gains = gains, gains
	truth := payload()
	term := regressor.Payload + ":" + regressor.Term(r.Links[2].Name)
	loaded := added(t, rec, "loaded", []regressor.Term{term}, truth, onAll(len(rec.t)))
	loaded.Carries = new(observation.Load)
	runs := []Run{bare.run("bare"), loaded}
	for i := range runs {
		runs[i].Gains, runs[i].UnknownGains = nil, true
	}
	terms := append(regressor.DefaultTerms(), term, regressor.Gain)
	cfg := exact()
	cfg.Known = truth
	out, err := Fit(t.Context(), r, terms, runs, nil, cfg)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range gains {
		// The first axis stands upright; the payload's inertia acts on it.
		if got, _ := parameter(t, out, robot.ParameterName("G", k)); !(math.Abs(got-want) < 1e-6*math.Abs(want)) {
			t.Errorf("G%d = %.12g, want %g", k+1, got, want)
		}
	}
	if e := out.Result.Fit.RelativeErrorRaw.Stacked; !(e < 1e-6) {
		t.Errorf("%g %% of the torques are left", e)
	}
	// With noise of 0.05 A, which as a column would take a good part of
	// the gains, they stay within three deviations, and no gain is small by more.
	for seed := range uint64(long.Of(5, 1)) {
		rng := rand.New(rand.NewPCG(seed, 9))
		loud := slices.Clone(runs)
		for i := range loud {
			loud[i] = withNoise(t, loud[i], rng, 0.05)
		}
		cfg := exact()
		cfg.Known, cfg.Cutoff, cfg.Trim = truth, 8, 0.3
		out, err := Fit(t.Context(), r, terms, loud, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range gains {
			got, sigma := parameter(t, out, robot.ParameterName("G", k))
			if !(math.Abs(got-want) < 3*sigma) || !(sigma < math.Abs(want)/10) {
				t.Errorf("seed %d: G%d = %.4g ± %.2g, want %g", seed, k+1, got, sigma, want)
			}
		}
	}
	var need *NeedError
	if _, err := Fit(t.Context(), r, terms, runs, nil, exact()); !errors.As(err, &need) || !strings.Contains(err.Error(), "known") {
		t.Errorf("gains without anything known: %v", err)
	}
	cfg.Known = map[string]float64{"PM4": 1}
	if _, err := Fit(t.Context(), r, terms, runs, nil, cfg); err == nil || !strings.Contains(err.Error(), `nearest name is "PM3"`) {
		t.Errorf("a known parameter that there is not: %v", err)
	}
}

// The deviation of a known parameter adds to the variances the square of the change between whole fits, by
// default, by other models and by another estimator. No value moves.
func TestDoubtOfAKnownParameterIsThatOfFits(t *testing.T) {
	r := arm(3)
	const value, sigma = 0.3, 0.05
	rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 20))
	for name, change := range map[string]func(*Config, *Run){
		"default": func(*Config, *Run) {},
		"energy":  func(c *Config, _ *Run) { c.Model = observation.Energy },
		"irls": func(c *Config, _ *Run) {
			c.Estimator = func(*robot.Robot, *baseparams.Set) (estimate.Estimator, error) { return estimate.IRLS{}, nil }
		},
	} {
		if !long.Set() && name != "default" {
			continue
		}
		run, cfg := rec.run("a"), exact()
		run.Roles.Current = run.Roles.Tau
		run = withNoise(t, run, rand.New(rand.NewPCG(1, 2)), 0.5)
		run.Roles.Current = nil
		change(&cfg, &run)
		fit := func(by, sigma float64) *Outcome {
			cfg.Known, cfg.KnownSigma = map[string]float64{"MX3": value + by}, map[string]float64{"MX3": sigma}
			out, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{run}, nil, cfg)
			if err != nil {
				t.Fatal(name, err)
			}
			return out
		}
		sure, doubted, moved := fit(0, 0), fit(0, sigma), fit(sigma, 0)
		for i, x := range sure.Solution.X {
			change := moved.Solution.X[i] - x
			got := doubted.Solution.Covariance[i][i] - sure.Solution.Covariance[i][i]
			// Of squares, half of the digits are left beside the variance.
			if want := change * change; doubted.Solution.X[i] != x || !(math.Abs(got-want) <= 1e-6*want+1e-9*sure.Solution.Covariance[i][i]) {
				t.Errorf("%s: parameter %d moves by %g; variance by the known value %.8g, by the fits %.8g (of %.3g)", name, i, doubted.Solution.X[i]-x, got, want, sure.Solution.Covariance[i][i])
			}
		}
	}
}
