package flexible

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// extrapolation is Gragg's modified midpoint rule with 2, 4, 6 … substeps, extrapolated to none (Bulirsch and Stoer 1966; Hairer,
// Nørsett and Wanner 1993, II.9). Vibrations are smooth and fast, so that a high order pays.
type extrapolation struct {
	f         func(t float64, y, dy []float64) error
	tolerance float64
	scale     []float64   // largest magnitude of each entry so far
	table     [][]float64 // last row of the extrapolation, by column
	a, b, c   []float64
	start     []float64 // derivative at the beginning
	row       []float64
	step      float64
	failed    error // of the last step that was too long
}

// columns of the table: order 16.
const columns = 8

// ErrStep: the motion needs smaller steps than time has digits.
var ErrStep = errors.New("the integration does not advance")

func newExtrapolation(n int, tolerance float64, f func(t float64, y, dy []float64) error) *extrapolation {
	x := &extrapolation{f: f, tolerance: tolerance}
	for _, l := range []*[]float64{&x.scale, &x.a, &x.b, &x.c, &x.start, &x.row} {
		*l = make([]float64, n)
	}
	for range columns {
		x.table = append(x.table, make([]float64, n))
	}
	return x
}

// to moves y from one time to another.
func (x *extrapolation) to(ctx context.Context, from, until float64, y []float64) error {
	if x.step == 0 {
		x.step = until - from
	}
	for i, v := range y {
		x.scale[i] = max(x.scale[i], math.Abs(v))
	}
	for t := from; t < until; {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		h := min(x.step, until-t)
		// A full step would leave a sliver for the last one: take two equal steps instead.
		if rest := until - t; h < rest && 1.5*h > rest {
			h = rest / 2
		}
		ok, factor, err := x.try(t, h, y)
		if err != nil {
			return err
		}
		if h == x.step || factor < 1 {
			x.step = h * factor
		}
		if !ok {
			if !(t+x.step > t) {
				if x.failed != nil {
					return x.failed
				}
				return fmt.Errorf("%w at %.6g s: torques that jump within a step, or a motion beyond all bounds", ErrStep, t)
			}
			continue
		}
		if t += h; h == until-(t-h) {
			t = until
		}
		copy(y, x.row)
		for i, v := range y {
			x.scale[i] = max(x.scale[i], math.Abs(v))
		}
	}
	return nil
}

// try makes a step of h; the end is in x.row where the error is within the tolerance.
func (x *extrapolation) try(t, h float64, y []float64) (ok bool, factor float64, err error) {
	if err := x.f(t, y, x.start); err != nil {
		return false, 0, err
	}
	for k := range columns {
		// A step that is too long may end where the arm cannot be.
		if x.failed = x.midpoint(t, h, 2*(k+1), y); x.failed != nil {
			return false, 0.25, nil
		}
		// Neville's scheme: column j of the row before this one is in table[j], and this row's takes its place.
		worst := 0.0
		for i := range y {
			v, last := x.row[i], x.row[i]
			for j := range k {
				r := float64(k+1) / float64(k-j)
				next := v + (v-x.table[j][i])/(r*r-1)
				x.table[j][i], last, v = v, v, next
			}
			x.table[k][i] = v
			worst = max(worst, math.Abs(v-last)/(x.tolerance*max(x.scale[i], tinyScale)))
			x.row[i] = v
		}
		if math.IsNaN(worst) || math.IsInf(worst, 0) {
			return false, 0.1, nil
		}
		if k >= 2 && worst < 1 {
			// The error grows with the power 2k+1 of the step; columns saved are steps that could be longer.
			grow := math.Pow(0.5/max(worst, 1e-6), 1/float64(2*k+1))
			if k >= columns-2 {
				grow = min(grow, 1)
			}
			return true, min(max(grow, 0.5), 2), nil
		}
		if k == columns-1 {
			return false, min(max(0.8*math.Pow(worst, -1/float64(2*k+1)), 0.1), 0.7), nil
		}
	}
	panic("unreachable")
}

// tinyScale keeps coordinates that have not moved yet, in rad and m, from asking for endless digits.
const tinyScale = 1e-6

// midpoint makes n substeps, n even, without the smoothing step, which the extrapolation makes needless.
func (x *extrapolation) midpoint(t, h float64, n int, y []float64) error {
	s := h / float64(n)
	before, now := x.a, x.b
	for i := range y {
		before[i], now[i] = y[i], y[i]+s*x.start[i]
	}
	for k := 1; k < n; k++ {
		if err := x.f(t+float64(k)*s, now, x.c); err != nil {
			return err
		}
		for i := range y {
			before[i] += 2 * s * x.c[i]
		}
		before, now = now, before
	}
	copy(x.row, now)
	return nil
}
