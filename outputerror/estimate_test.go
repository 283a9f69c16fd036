package outputerror

import (
	"context"
	"math"
	"strings"
	"testing"
)

// Without noise the estimate is the truth, to the errors of the simulation: 4e-6 of torques (TestSimulationIsThePlant), which
// a parameter that makes a hundredth of them shows a hundredfold. Offsets are told from tens of newton metres of gravity.
func TestExact(t *testing.T) {
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

// Of a law without a known gain only ratios are determined.
func TestNoScale(t *testing.T) {
	x := puma(t)
	run := x.run(t, 1, 3, 1, 1e-5)
	if _, err := Fit(context.Background(), x.subject, x.law(0), []*Run{run}, Options{}); err == nil {
		t.Error("a scale was found that nothing determines")
	}
}
