package observation

import (
	"math"
	"testing"

	"ident/filter"
)

// Of a torque that is one at rest and zero beside it, so many samples from the rest less than the tolerance is left,
// and more two samples before.
func TestSettledBoth(t *testing.T) {
	const rate, n, edge = 200, 4000, 2000
	for _, motion := range []float64{3, 10} {
		s := Settings{Model: Dynamic, Path: Path{Cutoff: 10, MotionCutoff: motion, Order: 2, MotionOrder: 4, Differentiator: Central}, TorqueThroughMotion: true}
		f, err := NewFilters(s, 1./rate)
		if err != nil {
			t.Fatal(err)
		}
		if f.torque == nil {
			t.Fatal("the torque goes through no filter")
		}
		margin := settledBoth(f.torque, f.Rows, restLeak)
		if alone := settledBoth(nil, f.Rows, restLeak); alone != f.Rows.settled(restLeak) || margin <= alone {
			t.Errorf("motion at %g Hz: margin of %d samples, %d without its filter", motion, margin, alone)
		}
		rest := make([]float64, n)
		for i := range edge {
			rest[i] = 1
		}
		columns := [][]float64{rest}
		f.torque.ZeroPhaseColumns(columns, new(filter.Work))
		f.Rows.lowpass.ZeroPhaseColumns(columns, new(filter.Work))
		for i := edge + margin; i < n; i++ {
			if math.Abs(rest[i]) > restLeak {
				t.Fatalf("motion at %g Hz: %g left %d samples from rest", motion, rest[i], i-edge)
			}
		}
		if near := rest[edge+margin-2]; math.Abs(near) < restLeak {
			t.Errorf("motion at %g Hz: %g left two samples within the margin of %d", motion, near, margin)
		}
	}
}
