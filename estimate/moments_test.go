package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/internal/triangle"
)

// The gradients of the blocks add up to that of all rows, G·x − g, and the errors of a single gradient are the
// magnitudes of the step that it makes; those of several are the roots of the sums of squares. Rounding is that of a
// condition number below 10 in unit columns: 1e-10 is far above it.
func TestBlockGradients(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	d := newDense(rng, 300, []float64{1, 2, 0.5})
	r := NewReduction(6, d.masks)
	for i := range 5 {
		r.Append(d.block(r, 0, 60*i, 60*(i+1)))
	}
	weights, x := []float64{1, 0.5, 3}, []float64{1, -1, 20, 0.3, -0.5, 2}
	g := r.Moments(weights)
	if got, want := Squares(r.Moments([]float64{1, 1, 1}), x), sum(r.squaredErrors(x)); math.Abs(got-want) > 1e-10*want {
		t.Errorf("squares %g by the moments, %g by the rows", got, want)
	}
	if got, want := g.At(6, 6), r.Joint(0, new(triangle.Work)).YY+0.25*r.Joint(1, new(triangle.Work)).YY+9*r.Joint(2, new(triangle.Work)).YY; math.Abs(got-want) > 1e-10*want {
		t.Errorf("squares of the measurements %g by the moments, %g by the rows", got, want)
	}
	blocks := r.BlockGradients(weights, x)
	if len(blocks) != 5 {
		t.Fatalf("%d blocks", len(blocks))
	}
	squares := make([]float64, 6)
	for _, u := range blocks {
		for i, e := range GradientErrors(g, [][]float64{u}) {
			squares[i] += e * e
		}
	}
	system := mat.NewSymDense(7, nil)
	system.CopySym(g)
	total := make([]float64, 6)
	for i := range 6 {
		want := -g.At(i, 6)
		for j := range 6 {
			want += g.At(i, j) * x[j]
		}
		got := 0.0
		for _, u := range blocks {
			got += u[i]
		}
		if math.Abs(got-want) > 1e-10*math.Abs(want) {
			t.Errorf("gradient %d: %g, want %g", i, got, want)
		}
		system.SetSym(i, 6, got)
		total[i] = got
	}
	step, ok := SolveMoments(system)
	if !ok {
		t.Fatal("no solution")
	}
	for i, e := range GradientErrors(g, [][]float64{total}) {
		if math.Abs(e-math.Abs(step[i])) > 1e-10*e {
			t.Errorf("one gradient, parameter %d: %g, want %g", i, e, step[i])
		}
	}
	for i, e := range GradientErrors(g, blocks) {
		if want := math.Sqrt(squares[i]); math.Abs(e-want) > 1e-10*want {
			t.Errorf("parameter %d: %g, want %g", i, e, want)
		}
	}
	// The step from x is to the minimum.
	solved, err := r.SolveWeighted(weights, false)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		if got, want := x[i]-step[i], solved.X[i]; math.Abs(got-want) > 1e-8*math.Max(1, math.Abs(want)) {
			t.Errorf("parameter %d: %g after the step, want %g", i, got, want)
		}
	}
}

// Without W·b in the measurement vector, every joint's weighted estimate is less by b, with the same residuals.
func TestLess(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	d := newDense(rng, 150, []float64{1, 2, 0.5})
	r := NewReduction(6, d.masks)
	for i := range 5 {
		r.Append(d.block(r, 0, 30*i, 30*(i+1)))
	}
	by := []float64{3, -2, 0.5, 7, -1, 2}
	before, err := r.Solve(WLS, false)
	if err != nil {
		t.Fatal(err)
	}
	after, err := r.SubtractPrediction(by).Solve(WLS, false)
	if err != nil {
		t.Fatal(err)
	}
	for i := range by {
		// Rounding is that of TestBlockGradients.
		if math.Abs(before.X[i]-by[i]-after.X[i]) > 1e-10 {
			t.Errorf("parameter %d is %g, want %g less %g", i, after.X[i], before.X[i], by[i])
		}
	}
	for k := range before.Sigma {
		if math.Abs(before.Sigma[k]-after.Sigma[k]) > 1e-10*before.Sigma[k] {
			t.Errorf("deviation of joint %d is %g, want %g", k+1, after.Sigma[k], before.Sigma[k])
		}
	}
}
