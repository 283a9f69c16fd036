package outputerror

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/robot"
)

// Without noise the estimate is the truth, to the errors of the simulation: 4e-6 of torques (TestSimulationIsThePlant), which
// a parameter that makes a hundredth of them shows a hundredfold. Offsets are told from tens of newton metres of gravity.
func TestExact(t *testing.T) {
	long.Only(t, "TestLawBetweenRows fits a model under its law, TestNullSpace and TestSensitivities have the parts of the estimate")
	x := puma(t)
	law := x.law(6)
	run := x.run(t, 1, 6, 1, 0)
	e, err := Fit(context.Background(), x.subject, law, []*Run{run}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	truth := x.all(law)
	for i, name := range e.Names {
		scale := 0.1 + math.Abs(truth[i])
		if strings.HasPrefix(name, "Fo") {
			scale += 10
		}
		if d := math.Abs(e.X[i] - truth[i]); d > 4e-4*scale {
			t.Errorf("%s is %.6g, the truth %.6g", name, e.X[i], truth[i])
		}
	}
}

// Of a law without a known gain only ratios are determined, and the error names the gains of which one would do.
func TestNoScale(t *testing.T) {
	x := puma(t)
	_, err := Fit(context.Background(), x.subject, x.law(0), []*Run{x.run(t, 1, 3, 1, 1e-5)}, Options{})
	var open *NullSpaceError
	if !errors.As(err, &open) || !open.Scale || len(open.Gains) != 6 || open.Gains[3] != "kp4" {
		t.Errorf("the error of a law without a scale is %v", err)
	}
}

// Along the simulated motion the null space is exact: a cascade of one joint, whose derivative gain acts as viscous friction does
// but for the law's sampling, and inertial parameters that the motion does not tell apart.
func TestNullSpace(t *testing.T) {
	x := puma(t)
	law := x.law(0)
	run := x.run(t, 1, 3, 1, 0)
	f, p := x.prepared(t, law, run, nil)
	m, err := f.simulate(context.Background(), f.runs[0], p)
	if err != nil {
		t.Fatal(err)
	}
	var open *NullSpaceError
	if err := f.identifiable([]*motion{m}, p); !errors.As(err, &open) || len(open.Directions) != 1 || !open.Scale {
		t.Fatalf("of twelve unknown gains: %v %+v", err, open)
	}
	f.law = x.law(1)
	p.gains = p.gains[1:]
	if err := f.identifiable([]*motion{m}, p); err != nil {
		t.Errorf("of eleven unknown gains: %v", err)
	}
}

// A law that is not the one declared shows in the errors: signals of the commands explain them. Of the declared one they
// explain none, see TestCoverage.
func TestOtherLaw(t *testing.T) {
	long.Only(t, "TestExact has the estimate, TestSensitivities its derivatives")
	x := puma(t)
	law := x.law(6)
	law.Forward = 0.9
	e, err := Fit(context.Background(), x.subject, law, []*Run{x.run(t, 1, 4, 1, 2e-5)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if least := slices.Min(e.Explained); least < 20 {
		t.Errorf("with nine tenths of the commands' velocity declared, commands explain %.3g %% of the errors", e.Explained)
	}
}

// planar is a two-link arm in a vertical plane under a PD law, whose drives have limits.
func planar(t testing.TB, limit []float64) *experiment {
	t.Helper()
	r := robot.FromMDH("planar", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.4}})
	r.Gravity = [3]float64{0, -9.81, 0}
	for i, m := range []float64{6, 3} {
		l := &r.Links[i]
		l.Inertial = robot.InertialFromCentral(m, [3]float64{0.2 - 0.05*float64(i), 0.01}, [3][3]float64{{0.01}, {0, 0.05}, {0, 0, 0.05}})
		l.HasInertial = true
		j := &l.Joint
		j.Ia, j.Fv, j.Fs, j.Fo = 0.8-0.5*float64(i), 2, 1.5, 0.3
	}
	x := newExperiment(t, r, []float64{400, 300}, []float64{40, 30}, []float64{1.8, 2.5}, 0)
	x.limit = limit
	return x
}

// Fits of logs whose drives reach their declared limit end at the truth, with all gains given, with unknown ones and with an unknown
// delay, which is none; so do fits of noise-free logs, whose sum of squares is not smooth where it is least.
func TestSaturatedAndNoiseFree(t *testing.T) {
	long.Only(t, "TestExact has no limits")
	for _, c := range []struct {
		name  string
		limit []float64
		noise float64
		known int // joints with a known kp; 3 for all gains and the delay
	}{
		{"limits, all gains", []float64{38, 7}, 1e-5, 3}, {"limits, unknown gains", []float64{38, 7}, 1e-5, 1}, {"limits, unknown gains, no noise", []float64{38, 7}, 0, 1},
		{"all gains", nil, 1e-5, 3}, {"all gains, no noise", nil, 0, 3}, {"unknown gains, no noise", nil, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.known != 3 || c.limit != nil && c.noise > 0 {
				long.Only(t, "all gains, with noise and without")
			}
			x := planar(t, c.limit)
			law := x.law(c.known)
			if c.known == 3 {
				copy(law.D, x.kd)
				law.Gains, law.Late = nil, false
			}
			run := x.run(t, 1, 8, 2, c.noise)
			e, err := Fit(context.Background(), x.subject, law, []*Run{run}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			truth := x.all(law)
			for i, name := range e.Names {
				d, sigma := math.Abs(e.X[i]-truth[i]), math.Sqrt(e.Covariance[i][i])
				// The errors of a log without noise are those of the simulation (TestExact).
				if d > 4*sigma && d > 1e-3*(0.1+math.Abs(truth[i])) {
					t.Errorf("%s is %.6g ± %.2g, the truth %.6g", name, e.X[i], sigma, truth[i])
				}
			}
			if most := slices.Max(e.Explained); most > refuted {
				t.Errorf("commands explain %.3g %% of the errors under the true law", most)
			}
			if limited := slices.Max(e.Saturated); (limited > e.Samples/50) != (c.limit != nil) {
				t.Errorf("%v of %d samples at a limit", e.Saturated, e.Samples)
			}
		})
	}
}

// TestImpossibleLaws: a law whose simulation could not stay finite is refused before the work.
func TestImpossibleLaws(t *testing.T) {
	x := puma(t)
	run := x.run(t, 1, 3, 1, 1e-5)
	for name, change := range map[string]func(l *Law){
		"a rate of 1e300 Hz":  func(l *Law) { l.Period = 1e-300 },
		"kp=1e300":            func(l *Law) { l.P[0] = 1e300 },
		"kd=1e200":            func(l *Law) { l.D[1] = 1e200 },
		"an unknown of 1e200": func(l *Law) { l.Gains = append(l.Gains, Gain{Name: "gain1", Kind: "gain", P: 1e200}) },
		"kp=NaN":              func(l *Law) { l.P[0] = math.NaN() },
		"a limit of 1e-300":   func(l *Law) { l.Limit = slices.Repeat([]float64{1e-300}, l.Joints()) },
	} {
		law := *x.law(0)
		law.P, law.D = slices.Clone(law.P), slices.Clone(law.D)
		change(&law)
		if _, err := Fit(context.Background(), x.subject, &law, []*Run{run}, Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
