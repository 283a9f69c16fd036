package outputerror

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"ident/internal/long"
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
