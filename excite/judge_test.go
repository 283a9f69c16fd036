package excite

import (
	"context"
	"math"
	"testing"

	"ident/internal/long"
)

// A design that is judged has the figures and margins of the design.
func TestJudge(t *testing.T) {
	long.Only(t, "TestInsideItsLimits has the limits of a motion")
	p := small(t)
	p.SampleRate, p.Starts = 100, 1
	r, err := Design(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Judge(p, r.Trajectory)
	if err != nil {
		t.Fatal(err)
	}
	// The same rows in the same order.
	if got.ConditionScaled != r.ConditionScaled || got.ConditionRaw != r.ConditionRaw || got.Value != r.Value || got.Violations != r.Violations || len(got.Margins) != len(r.Margins) {
		t.Errorf("%+v, designed %+v", got, r)
	}
	// A motion that no joint can follow is judged too.
	fast := Polynomials{Joints: r.Trajectory.Names(), At: []float64{0, 0.01}}
	n := r.Trajectory.DOF()
	for range n {
		fast.C = append(fast.C, []quintic{join(0.01, 0, 0, 0, 1, 0, 0)})
	}
	if bad, err := Judge(p, &fast); err != nil || bad.Violations == 0 || math.IsNaN(bad.ConditionScaled) {
		t.Errorf("a radian in 10 ms: %+v, %v", bad, err)
	}
}
