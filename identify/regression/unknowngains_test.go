package regression

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/datasets"
	"ident/internal/long"
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
	loaded.PayloadAttached = true
	return r, term, body, first.run("bare"), loaded
}

// All ten parameters of a payload from torques, as mass, centre and inertia in the
// link's own frame: exactly without noise, and within the intervals with it.
func TestPayloadIsComplete(t *testing.T) {
	long.NotShort(t, "TestPayloadIsRecovered stands for it")
	r, term, body, bare, loaded := pairOf(t)
	user := body.InFrame(r.Links[5].UserFrame.Inv())
	centre, _ := user.CentreOfMass()
	inertia, _ := user.Central()
	want := slices.Concat([]float64{user.Mass()}, centre[:], []float64{inertia[0][0], inertia[0][1], inertia[0][2], inertia[1][1], inertia[1][2], inertia[2][2]})
	for _, sigma := range []float64{0.3, 0}[:long.Of(2, 1, 1)] {
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
