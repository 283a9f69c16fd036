package regression

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/datasets"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// pairOf simulates an arm of six joints without and with a payload on its last link, whose
// own frame is not that of the model.
func pairOf(t *testing.T) (r *robot.Robot, term regressor.Term, body robot.Inertial, bare, loaded Run) {
	t.Helper()
	r = arm(6)
	r.Links[5].UserFrame.R = [3][3]float64{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}
	r.Links[5].UserFrame.P = [3]float64{0.1, -0.05, 0.2}
	first := simulate(t, r, newTrajectory(6, 1, 0.1), steady(100, 20))
	second := simulate(t, r, newTrajectory(6, 2, 0.1), steady(100, 20))
	body = robot.InertialFromCentral(3.2, [3]float64{0.05, 0.02, 0.1}, [3][3]float64{{0.02, 0, 0}, {0, 0.015, 0.001}, {0, 0.001, 0.01}})
	chi := map[string]float64{}
	for p, name := range robot.InertialNames {
		chi[robot.ParameterName("P"+name, 5)] = body[p]
	}
	term = regressor.Payload + ":" + regressor.Term(r.Links[5].Name)
	loaded = added(t, second, "loaded", []regressor.Term{term}, chi, onAll(len(second.t)))
	loaded.Carries = new(observation.Load)
	return r, term, body, first.run("bare"), loaded
}

// All ten parameters of a payload from torques, as mass, centre and inertia in the
// link's own frame: exactly without noise, and within the intervals with it.
func TestPayloadIsComplete(t *testing.T) {
	long.Only(t, "TestPayloadIsRecovered stands for it")
	r, term, body, bare, loaded := pairOf(t)
	user := body.InFrame(r.Links[5].UserFrame.Inv())
	centre, _ := user.CentreOfMass()
	inertia, _ := user.Central()
	want := slices.Concat([]float64{user.Mass()}, centre[:], []float64{inertia[0][0], inertia[0][1], inertia[0][2], inertia[1][1], inertia[1][2], inertia[2][2]})
	for _, sigma := range []float64{0.3, 0}[:long.Of(2, 1)] {
		runs := []Run{bare, loaded}
		cfg := exact()
		if sigma > 0 {
			cfg.Cutoff, cfg.Trim = 8, 0.3
			rng := rand.New(rand.NewPCG(4, 5))
			for i := range runs {
				runs[i].Roles.Current = runs[i].Roles.Tau
				runs[i] = withNoise(t, runs[i], rng, sigma)
				runs[i].Roles.Current = nil
			}
		}
		out, err := Fit(t.Context(), r, append(regressor.DefaultTerms(), term), runs, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Result.Payloads) != 1 || !out.Result.Payloads[0].Complete {
			t.Fatalf("%+v", out.Result.Payloads)
		}
		p := out.Result.Payloads[0]
		got := append(append([]float64{p.Mass.Value}, 0, 0, 0), make([]float64, 6)...)
		dev := []float64{p.Mass.Sigma}
		for i, c := range p.Centre {
			got[1+i], dev = c.Value, append(dev, c.Sigma)
		}
		for i, c := range p.CentralInertia {
			got[4+i], dev = c.Value, append(dev, c.Sigma)
		}
		for i := range want {
			switch d := math.Abs(got[i] - want[i]); {
			case sigma == 0 && !(d < 1e-7):
				t.Errorf("number %d is %.10g, want %.10g", i, got[i], want[i])
			// Ten numbers are all within 3.5 deviations but once in two hundred draws.
			case sigma > 0 && !(d < 3.5*dev[i]):
				t.Errorf("with noise number %d is %.4g ± %.2g, want %.4g", i, got[i], dev[i], want[i])
			}
		}
		if sigma == 0 && (p.Frame != "user" || !p.Possible) {
			t.Errorf("frame %s, possible %v: %s", p.Frame, p.Possible, p.Why)
		}
	}
}

// Gains and a payload from currents and the mass alone: the arrangement in which
// nine parameters of the payload are unknown.
func TestGainsFromAWeighedPayload(t *testing.T) {
	long.Only(t, "TestDriveGainsAreRecovered and TestPayloadIsRecovered stand for it")
	r, term, body, bare, loaded := pairOf(t)
	gains := []float64{10, -12, 35, 8, 5, 3}
	runs := []Run{inCurrents(t, bare, gains), inCurrents(t, loaded, gains)}
	cfg := exact()
	cfg.Known = map[string]float64{"PM6": body.Mass()}
	out, err := Fit(t.Context(), r, append(regressor.DefaultTerms(), term, regressor.Gain), runs, nil, cfg)
	if err != nil {
		t.Fatal(err)
	}
	for k, g := range out.Result.Gains {
		if d := math.Abs(g.Value/gains[k] - 1); !(d < 1e-7) {
			t.Errorf("%s is %.10g, want %g", g.Name, g.Value, gains[k])
		}
	}
	p := out.Result.Payloads[0]
	if len(out.Result.Gains) != 6 || out.Result.Estimator != "gains" || !p.Complete || p.Mass.Sigma != 0 {
		t.Errorf("%s: %+v %+v", out.Result.Estimator, out.Result.Gains, p)
	}
	for i, v := range body.InFrame(r.Links[5].UserFrame.Inv()) {
		if !(math.Abs(p.Parameters[i].Value-v) < 1e-6) {
			t.Errorf("%s is %.9g, want %.9g", p.Parameters[i].Name, p.Parameters[i].Value, v)
		}
	}
}

// inCurrents is a run whose torques are logged as the currents of drives.
func inCurrents(t *testing.T, run Run, gains []float64) Run {
	t.Helper()
	var cols [][]float64
	for _, c := range run.Log.Channels() {
		v, err := run.Log.Column(c.Name)
		if err != nil {
			t.Fatal(err)
		}
		v = slices.Clone(v)
		if k := slices.Index(run.Roles.Tau, c.Name); k >= 0 {
			for i := range v {
				v[i] /= gains[k]
			}
		}
		cols = append(cols, v)
	}
	run.Log = datasets.FromColumns(run.Name, run.Log.Channels(), cols, nil)
	run.Roles.Current, run.UnknownGains = run.Roles.Tau, true
	return run
}

// doubtedMass fits gains beside a payload whose mass is given with a deviation.
func doubtedMass(t *testing.T, r *robot.Robot, terms []regressor.Term, runs []Run, cfg Config, mass, sigma float64) *Outcome {
	t.Helper()
	cfg.Known, cfg.KnownSigma = map[string]float64{"PM6": mass}, map[string]float64{"PM6": sigma}
	out, err := Fit(t.Context(), r, terms, runs, nil, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Gains and masses are proportional to the one mass that is known, and so are their deviations from exact rows: those of
// everything else come from it alone. The place of a centre of mass does not depend on it.
func TestDoubtOfAKnownMass(t *testing.T) {
	long.Only(t, "TestDoubtOfAKnownParameterIsThatOfFits")
	r, term, body, bare, loaded := pairOf(t)
	terms, part := append(regressor.DefaultTerms(), term, regressor.Gain), 0.02
	gains := []float64{10, -12, 35, 8, 5, 3}
	runs := []Run{inCurrents(t, bare, gains), inCurrents(t, loaded, gains)}
	cfg := exact()
	cfg.Plain = true
	sure := doubtedMass(t, r, terms, runs, cfg, body.Mass(), 0)
	out := doubtedMass(t, r, terms, runs, cfg, body.Mass(), part*body.Mass())
	for i, p := range out.Result.BaseParameters {
		if p.Value != sure.Result.BaseParameters[i].Value {
			t.Errorf("%s moves to %g from %g with the deviation", p.Name, p.Value, sure.Result.BaseParameters[i].Value)
		}
		if want := part * math.Abs(p.Value); !(math.Abs(p.Sigma-want) < 1e-4*want+1e-7) {
			t.Errorf("%s = %.6g ± %.6g, want ± %.6g", p.Name, p.Value, p.Sigma, want)
		}
	}
	for k, g := range out.Result.Gains {
		if want := part * math.Abs(gains[k]); !(math.Abs(g.Sigma-want) < 1e-4*want) || !(math.Abs(g.High95-g.Low95-2*1.96*want) < 0.01*want) {
			t.Errorf("%s = %.6g ± %.6g, %g to %g, want ± %.6g", g.Name, g.Value, g.Sigma, g.Low95, g.High95, want)
		}
	}
	p := out.Result.Payloads[0]
	if want := part * body.Mass(); !p.Complete || !(math.Abs(p.Mass.Sigma-want) < 1e-9) {
		t.Errorf("mass ± %g, want ± %g", p.Mass.Sigma, want)
	}
	for i := range 3 {
		if !(p.Centre[i].Sigma < 1e-5) || p.Parameters[0].Sigma == 0 {
			t.Errorf("centre %+v, parameters %+v", p.Centre[i], p.Parameters[0])
		}
	}
	for i, m := range p.CentralInertia {
		if want := part * math.Abs(m.Value); !(math.Abs(m.Sigma-want) < 1e-3*want+1e-6) {
			t.Errorf("central inertia %d: %.6g ± %.6g, want ± %.6g", i, m.Value, m.Sigma, want)
		}
	}
	note := func(o *Outcome) bool {
		return slices.ContainsFunc(o.Result.Notes, func(n string) bool { return strings.Contains(n, "which the standard deviations take as exact") })
	}
	if !note(sure) || note(out) {
		t.Errorf("notes of an exact mass %q, of a doubted one %q", sure.Result.Notes, out.Result.Notes)
	}
	cfg.KnownSigma = map[string]float64{"PM6": -1}
	if err := cfg.withDefaults(runs).validate(); err == nil || !strings.Contains(err.Error(), "not negative") {
		t.Errorf("a negative deviation: %v", err)
	}
}

// A mass that is off by its deviation at random: intervals of the gains that take it as exact are too short, those with
// the stated deviation hold 95 %.
func TestCoverageOfADoubtedMass(t *testing.T) {
	long.Only(t, "TestDoubtOfAKnownMass has the deviations")
	r, term, body, bare, loaded := pairOf(t)
	terms := append(regressor.DefaultTerms(), term, regressor.Gain)
	gains := []float64{10, -12, 35, 8, 5, 3}
	cfg := exact()
	cfg.Cutoff, cfg.Trim, cfg.Plain = 8, 0.3, true
	const draws, part = 100, 0.02
	held, exactly := make([]int, 6), make([]int, 6)
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 11))
		runs := []Run{withNoise(t, inCurrents(t, bare, gains), rng, 0.05), withNoise(t, inCurrents(t, loaded, gains), rng, 0.05)}
		given := body.Mass() * (1 + part*rng.NormFloat64())
		for k, g := range doubtedMass(t, r, terms, runs, cfg, given, part*body.Mass()).Result.Gains {
			off := math.Abs(g.Value - gains[k])
			if off <= (g.High95-g.Low95)/2 {
				held[k]++
			}
			// Without the deviation of the mass, which is a part of the value.
			if by := part * body.Mass() / given * g.Value; off <= 1.96*math.Sqrt(g.Sigma*g.Sigma-by*by) {
				exactly[k]++
			}
		}
	}
	t.Logf("intervals that hold, of %d: %v, with the mass as exact %v", draws, held, exactly)
	for k := range held {
		// 95 % of 100 draws are 95 ± 2.2.
		if held[k] < 88 || exactly[k] > 80 {
			t.Errorf("gain %d: %d of %d intervals hold, %d with the mass as exact", k+1, held[k], draws, exactly[k])
		}
	}
}
