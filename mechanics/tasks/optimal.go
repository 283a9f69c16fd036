package tasks

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// VelocityProblem asks for the law s(t) by which a path, s from 0 to 1, is passed from rest to rest in a time at the least cost.
type VelocityProblem struct {
	Time  float64 // s
	Steps int     // number of time steps, 4 … 2000; 0 means as many as the tolerance needs: 40, doubled until it holds, 1280 at most
	// Cost returns the rate of the cost at a part of the path, with its rate, 1/s, and second derivative, 1/s²: of
	// energy for instance. It is +Inf where a limit is exceeded.
	Cost func(s, ds, dds float64) float64
	// Tolerance is the part of the cost to which the law must be known; 0 is 1e-3.
	Tolerance float64
}

// VelocityLaw is a law of the least cost on a grid of time.
type VelocityLaw struct {
	Time  float64   // s
	S     []float64 // fraction of the path at each time k·Time/Steps
	Cost  float64
	Bound float64 // relative change of the cost by the last halving of the grid
}

// InfeasibleError says that no law within the limits was found in a time.
type InfeasibleError struct {
	Time, At, Path float64 // total time, s; time, s, and fraction of the path at which the last law tried exceeds a limit
}

func (e *InfeasibleError) Error() string {
	return fmt.Sprintf("tasks: no law of velocity within the limits was found in %.4g s: the best one exceeds a limit at %.4g s, after %.3g of the path; give more time", e.Time, e.At, e.Path)
}

// CoarseError says that a grid is too coarse for the tolerance.
type CoarseError struct{ Bound, Tolerance float64 }

func (e *CoarseError) Error() string {
	return fmt.Sprintf("tasks: the cost still changes by %.2g of it with half the grid, above the tolerance of %.2g: give more steps", e.Bound, e.Tolerance)
}

const (
	corridor  = 3  // cells of the grid on either side of the last law
	halvings  = 11 // how often the grid is halved at most
	mostTurns = 40 // how often the corridor is searched on one grid at most
	penalty   = 1e12
)

// OptimalVelocity solves a VelocityProblem by dynamic programming (Vukobratović and Potkonjak 1985, 3.13.5 to 3.13.18)
// over pairs of places at successive times. Where the source takes a grid over the whole path, with the cube of its
// cells for each step, the grid is a corridor about the last law here, which moves until it stays and is then halved,
// until the law is known to 1e-5 of the path. The first law is the profile of the least cost. Costs that have one
// minimum are solved so; of several it is one. If the steps given are too few for the tolerance, the error is a *CoarseError.
func OptimalVelocity(ctx context.Context, p VelocityProblem) (*VelocityLaw, error) {
	if p.Steps != 0 {
		return optimalVelocity(ctx, p)
	}
	for p.Steps = fewestSteps; ; p.Steps *= 2 {
		l, err := optimalVelocity(ctx, p)
		var coarse *CoarseError
		if !errors.As(err, &coarse) || p.Steps >= mostSteps {
			return l, err
		}
	}
}

// The steps that are tried where none are given: a step of a fortieth leaves 1e-3 of the cost of smooth laws, and differences of second
// order leave a quarter of that with each doubling.
const fewestSteps, mostSteps = 40, 1280

func optimalVelocity(ctx context.Context, p VelocityProblem) (*VelocityLaw, error) {
	n := p.Steps
	tolerance := p.Tolerance
	if tolerance == 0 {
		tolerance = 1e-3
	}
	switch {
	case !(p.Time > 0) || math.IsInf(p.Time, 0):
		return nil, fmt.Errorf("tasks: a law of velocity in %g s: give a time above zero", p.Time)
	case n < 4 || n > 2000:
		return nil, fmt.Errorf("tasks: a law of velocity in %d steps: give 4 to 2000", n)
	case p.Cost == nil:
		panic("tasks: a law of velocity without a cost")
	}
	d := &velocitySearch{VelocityProblem: p, n: n, dt: p.Time / float64(n)}
	s := d.first()
	cell := 0.5 / float64(n)
	cost, bound := d.cost(s), math.Inf(1)
	for range halvings {
		for range mostTurns {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			next, moved := d.improve(s, cell)
			s = next
			if !moved {
				break
			}
		}
		last := cost
		cost = d.cost(s)
		if cost < penalty && last < penalty {
			bound = math.Abs(last-cost) / math.Max(math.Abs(cost), 1e-300)
		}
		cell /= 2
	}
	if k := d.exceeded(s); k >= 0 {
		return nil, &InfeasibleError{Time: p.Time, At: float64(k) * d.dt, Path: s[k]}
	}
	// The result with half of the steps shows the error of the time grid.
	if half := n / 2; n%2 == 0 && half >= 4 {
		coarse := &velocitySearch{VelocityProblem: p, n: half, dt: p.Time / float64(half)}
		every := make([]float64, half+1)
		for k := range every {
			every[k] = s[2*k]
		}
		if c := coarse.cost(every); c < penalty {
			bound = math.Max(bound, math.Abs(c-cost)/math.Max(math.Abs(cost), 1e-300)/3) // differences of second order: a third is left
		}
	}
	if bound > tolerance {
		return nil, &CoarseError{bound, tolerance}
	}
	return &VelocityLaw{Time: p.Time, S: s, Cost: cost, Bound: bound}, nil
}

// velocitySearch is a search on a grid of time.
type velocitySearch struct {
	VelocityProblem
	n  int
	dt float64
}

// first returns the profile of the least cost: limits of velocity ask for long steady parts, those of acceleration for short ones.
func (d *velocitySearch) first() (best []float64) {
	laws := []law{{kind: Parabolic}, {kind: Quintic}, {kind: Triangular}}
	for ramp := 0.4; ramp > 0.02; ramp *= 0.8 {
		laws = append(laws, law{kind: Trapezoidal, ramp: ramp})
	}
	least := math.Inf(1)
	for _, l := range laws {
		s := make([]float64, d.n+1)
		for k := range s {
			s[k], _, _ = l.at(float64(k) / float64(d.n))
		}
		if c := d.cost(s); c < least {
			best, least = s, c
		}
	}
	return best
}

// step returns the cost at time k of the places before, there and behind; at both ends the path is at rest, and its
// mirror image is the place beyond.
func (d *velocitySearch) step(k int, before, at, behind float64) float64 {
	w := d.dt
	switch k {
	case 0:
		before, w = behind, w/2
	case d.n:
		behind, w = before, w/2
	}
	c := d.Cost(at, (behind-before)/(2*d.dt), (before-2*at+behind)/(d.dt*d.dt))
	if !(c < penalty) {
		c = penalty
	}
	return w * c
}

func (d *velocitySearch) cost(s []float64) (sum float64) {
	for k := range s {
		sum += d.step(k, s[max(k-1, 0)], s[k], s[min(k+1, d.n)])
	}
	return sum
}

// exceeded returns the first time with a cost beyond limits, −1 without one.
func (d *velocitySearch) exceeded(s []float64) int {
	for k := range s {
		if d.step(k, s[max(k-1, 0)], s[k], s[min(k+1, d.n)]) >= penalty*d.dt/2 {
			return k
		}
	}
	return -1
}

// improve returns the best law whose places are within the corridor of a grid about s, and whether it is another.
func (d *velocitySearch) improve(s []float64, cell float64) (next []float64, moved bool) {
	const width = 2*corridor + 1
	place := func(k, i int) float64 {
		if k == 0 || k == d.n {
			return s[k]
		}
		return math.Min(1, math.Max(0, s[k]+float64(i-corridor)*cell))
	}
	// best[i][j] is the least cost of the times up to k, with place i at k and j at k+1.
	var best [width][width]float64
	from := make([][width][width]int8, d.n+1)
	for i := range width {
		for j := range width {
			best[i][j] = d.step(0, 0, place(0, i), place(1, j))
		}
	}
	for k := 1; k < d.n; k++ {
		var better [width][width]float64
		for i := range width {
			for j := range width {
				better[i][j] = math.Inf(1)
				for h := range width {
					if c := best[h][i] + d.step(k, place(k-1, h), place(k, i), place(k+1, j)); c < better[i][j] {
						better[i][j], from[k][i][j] = c, int8(h)
					}
				}
			}
		}
		best = better
	}
	least, at, behind := math.Inf(1), corridor, corridor
	for i := range width {
		if c := best[i][corridor] + d.step(d.n, place(d.n-1, i), s[d.n], 0); c < least {
			least, at = c, i
		}
	}
	next = make([]float64, d.n+1)
	next[d.n] = s[d.n]
	for k := d.n - 1; k >= 1; k-- {
		next[k] = place(k, at)
		moved = moved || at != corridor
		at, behind = int(from[k][at][behind]), at
	}
	next[0] = s[0]
	return next, moved && least < d.cost(s)*(1-1e-8)
}
