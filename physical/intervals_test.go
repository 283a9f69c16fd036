package physical_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ident/estimate"
	"ident/internal/canceltest"
	"ident/internal/estimatortest"
	"ident/physical"
)

// Without constraints the intervals are those of the estimate; a constraint that is
// far away takes nothing, one in the middle half, one beyond the estimate nearly all;
// the right-hand side that goes with a draw has that draw for its minimum.
func TestUnder(t *testing.T) {
	d := estimatortest.NewData(rand.New(rand.NewPCG(1, 2)), 400, [3]float64{0.2, 0.1, 0.3}, 0.3)
	s, err := d.Problem(20).Reduction.Solve(estimate.WLS, false)
	if err != nil {
		t.Fatal(err)
	}
	low := make([]float64, len(s.X))
	for i, v := range s.X {
		sigma := math.Sqrt(s.Covariance[i][i])
		low[i] = v + []float64{-30, 0, 4}[i%3]*sigma
	}
	c, err := physical.UnderConstraints(t.Context(), s, 2000, 1, func(d *estimate.Solution) ([]float64, error) {
		x, ok := d.Stack.Solve()
		if !ok {
			t.Fatal("a draw that cannot be solved")
		}
		for i := range x {
			if e := math.Abs(x[i] - d.X[i]); !(e < 1e-9) {
				t.Fatalf("the minimum of a draw is off by %g", e)
			}
			x[i] = max(x[i], low[i])
		}
		return x, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range c.Held {
		want := []float64{0, 0.5, 1}[i%3]
		// Percentiles of 2000 draws are known to some three per cent of the width, and
		// the tails of one χ² for all are not quite those of each.
		if !(math.Abs(h-want) < 0.12) || c.Low95[i] < low[i]-1e-12 || c.High95[i] < c.Low95[i] {
			t.Errorf("parameter %d: the constraint holds %.3f, want %g; interval %g to %g from %g", i+1, h, want, c.Low95[i], c.High95[i], low[i])
		}
	}
	again, err := physical.UnderConstraints(t.Context(), s, 100, 1, func(d *estimate.Solution) ([]float64, error) { return d.X, nil })
	if err != nil {
		t.Fatal(err)
	}
	once, err := physical.UnderConstraints(t.Context(), s, 100, 1, func(d *estimate.Solution) ([]float64, error) { return d.X, nil })
	if err != nil || once.Low95[2] != again.Low95[2] {
		t.Errorf("%v, then %v: %v", again.Low95, once.Low95, err)
	}
	impossible := errors.New("impossible")
	if _, err := physical.UnderConstraints(t.Context(), s, 100, 1, func(*estimate.Solution) ([]float64, error) { return nil, impossible }); !errors.Is(err, impossible) {
		t.Errorf("a draw that cannot be constrained: %v", err)
	}
}

// Draws end by their context.
func TestUnderCancelled(t *testing.T) {
	d := estimatortest.NewData(rand.New(rand.NewPCG(1, 2)), 400, [3]float64{0.2, 0.1, 0.3}, 0.3)
	s, err := d.Problem(20).Reduction.Solve(estimate.WLS, false)
	if err != nil {
		t.Fatal(err)
	}
	canceltest.Everywhere(t, 100, func(ctx context.Context) error {
		_, err := physical.UnderConstraints(ctx, s, 100, 1, func(d *estimate.Solution) ([]float64, error) { return d.X, nil })
		return err
	})
}
