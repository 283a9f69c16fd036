package excite

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"ident/internal/triangle"
)

// stage is a part of a local search.
type stage struct {
	name   string // of Progress
	order  int    // of the p-norms of the smoothed criterion
	norm   int    // order of the p-norm of the limit map
	budget int    // evaluations
	weight float64
	fine   bool // distances are measured halfway between the samples too
	until  patience
}

// A start keeps the best of its random candidates: of drawsPerStart where one of them keeps all constraints, else of up to
// maxDraws. 24 in place of eight took three times as long, and the descents from them ended no lower.
const (
	drawsPerStart = 8
	maxDraws      = 64
)

// drawnSize is the size of the drawn shape in the limit map's variables: the map takes a motion of this size to nine tenths of
// its tightest limit.
const drawnSize = 1.4

// Starts fall into basins, and the descent from a start shows after a few evaluations how deep its own is. So that the
// criterion shapes the first part, it is smoothed by a norm of low order, all singular values counting, and constraints are
// light; each stage then has sharper norms and heavier weights.
//
// Weights: a penalty is a mean over samples, of which perhaps one in a hundred is
// active. With a criterion of slope one, weight w then leaves 50/w of the limit
// beyond the onset: a thousandth in the last stage. Where only the constraints
// count, the weight lifts small excesses above the tolerance at which a descent
// ends.
var (
	stages = [...]stage{
		{name: "descend", order: 2, norm: 64, budget: 30, weight: 10},
		{name: "descend", order: 32, norm: 128, budget: 30, weight: 100},
		{name: "refine", order: 128, norm: 512, budget: 60, weight: 1e3, fine: true},
		{name: "refine", order: 512, norm: 1024, budget: 120, weight: 1e5, fine: true, until: slow},
	}
	repairs      = [...]stage{{order: 128, norm: 512, budget: 80, weight: 1e5, fine: true, until: slow}}
	restorations = [...]stage{ // of the constraints alone
		{order: 16, norm: 64, budget: 120, weight: 1e4},
		{order: 128, norm: 512, budget: 120, weight: 1e6},
	}
	// After a restoration, with the criterion.
	refinements = [...]stage{
		{order: 64, norm: 256, budget: 60, weight: 1e5, fine: true, until: slow},
		{order: 256, norm: 1024, budget: 150, weight: 1e5, fine: true, until: slow},
		{order: 512, norm: 1024, budget: 150, weight: 1e5, fine: true, until: slow},
	}
)

// slow ends the descent of a logarithm that loses less than a tenth of a percent in
// thirty evaluations.
var slow = patience{Evaluations: 30, Gain: 0.001}

// candidate is a point of the search: z in the unconstrained variables, y the
// feasible point of the best merit so far.
type candidate struct {
	z, y []float64
	merit
	descent *minimiser // from z on; nil before the first
}

// search runs the stages over all starts and returns the best candidate that
// passes the final check.
func (d *design) search(ctx context.Context) (*candidate, verdict, error) {
	starts := make([]*candidate, d.p.Starts)
	d.each("draw", starts, func(e *evaluator, i int) *candidate { return d.draw(ctx, e, i) })
	// The better half of the starts goes on to the next stage.
	few := starts
	for k := range stages {
		d.each(stages[k].name, few, func(e *evaluator, i int) *candidate { return d.descend(ctx, e, few[i], stages[k:k+1], true) })
		rank(few)
		few = few[:max(1, (len(few)+1)/2)]
	}
	rank(starts)
	if starts[0] == nil {
		return nil, verdict{}, ctx.Err()
	}
	if !starts[0].feasible() {
		// First the constraints alone, then the criterion again.
		d.each("repair", starts, func(e *evaluator, i int) *candidate {
			c := d.descend(ctx, e, starts[i], restorations[:], false)
			if c != nil {
				c.descent = nil // of another objective
			}
			return d.descend(ctx, e, c, refinements[:], true)
		})
		rank(starts)
	}
	if len(d.coupled) == 0 && math.IsInf(starts[0].value, 1) {
		return nil, verdict{}, d.unexcitedError()
	}
	return d.accept(ctx, starts)
}

// accept puts candidates to the final check, best first. A candidate that fails is
// searched again, a few times, with its excesses between the samples added to the
// tightening.
func (d *design) accept(ctx context.Context, starts []*candidate) (*candidate, verdict, error) {
	const rounds, tries = 5, 3
	var nearest *candidate
	var last verdict
	for try := range min(tries, len(starts)) {
		c := starts[try]
		if c == nil || try > 0 && !c.feasible() {
			break
		}
		for _, x := range d.coupled {
			clear(x.tightening())
		}
		for round := range rounds {
			v := d.verify(d.s.trajectory(c.y))
			d.reserveMargins(&v)
			// A search that was ended keeps the limits, though perhaps not the whole margin.
			if v.violations == 0 && c.feasible() && !math.IsInf(c.value, 1) && (!v.exceeded() || ctx.Err() != nil) {
				return c, v, nil
			}
			if nearest == nil || c.better(&nearest.merit) {
				nearest, last = c, v
			}
			if round == rounds-1 || ctx.Err() != nil || len(d.coupled) == 0 {
				break
			}
			for i, constraint := range d.coupled {
				tight := constraint.tightening()
				for k, x := range v.reduced[i] {
					if x.Relative > 0 {
						tight[k] += x.Relative + onset
					}
				}
			}
			one := []*candidate{c}
			d.each("repair", one, func(e *evaluator, i int) *candidate {
				return d.descend(ctx, e, &candidate{c.z, c.y, e.at(c.y), nil}, repairs[:], true)
			})
			c = one[0]
		}
	}
	if math.IsInf(nearest.value, 1) && nearest.feasible() {
		return nil, verdict{}, d.unexcitedError()
	}
	return nil, verdict{}, infeasible(nearest, last)
}

// infeasible names the constraints that a candidate violates, at or between the
// samples.
func infeasible(c *candidate, v verdict) *InfeasibleError {
	bad := &InfeasibleError{Worst: c.worst}
	if c.feasible() {
		// It keeps all constraints at the samples of the search, but not between them.
		for _, of := range v.reduced {
			for _, x := range of {
				if x.Relative > bad.Worst.Relative {
					bad.Worst = x
				}
			}
		}
	}
	for _, of := range v.reduced {
		for _, x := range of {
			if x.Relative > 0 && !(x.Constraint == bad.Worst.Constraint && x.Of == bad.Worst.Of) {
				bad.Also = append(bad.Also, x)
			}
		}
	}
	return bad
}

// unexcitedError returns the error where no motion excites all columns.
func (d *design) unexcitedError() error {
	return fmt.Errorf("excite: no motion within the limits excites all %d columns; widen the limits, or leave terms out", len(d.weighting.use))
}

// rank sorts candidates by merit, stably, absent ones last.
func rank(c []*candidate) {
	slices.SortStableFunc(c, func(a, b *candidate) int {
		switch {
		case a == nil && b == nil:
			return 0
		case a == nil:
			return 1
		case b == nil:
			return -1
		case a.better(&b.merit):
			return -1
		case b.better(&a.merit):
			return 1
		}
		return 0
	})
}

// each replaces every candidate by the result of a task, over the cores. The result
// depends on the candidate's index alone.
func (d *design) each(stage string, c []*candidate, task func(e *evaluator, i int) *candidate) {
	finished := d.tally.stage(stage, len(c))
	next := make(chan int)
	var wg sync.WaitGroup
	for w := range min(runtime.GOMAXPROCS(0), len(c)) {
		if w == len(d.workers) {
			d.workers = append(d.workers, newEvaluator(d.p, d.s, d.weighting, d.coupled))
		}
		e := d.workers[w]
		wg.Go(func() {
			for i := range next {
				before := e.evals
				c[i] = task(e, i)
				finished(c[i], e.evals-before)
			}
		})
	}
	for i := range c {
		next <- i
	}
	close(next)
	wg.Wait()
}

// draw returns the best of a start's random candidates.
func (d *design) draw(ctx context.Context, e *evaluator, start int) *candidate {
	rng := rand.New(rand.NewPCG(d.p.Seed, uint64(start)))
	var best *candidate
	for k := 0; ctx.Err() == nil && (k < drawsPerStart || k < maxDraws && !best.feasible()); k++ {
		y := d.s.draw(rng, e.limits)
		if m := e.at(y); best == nil || m.better(&best.merit) {
			z := slices.Clone(y)
			for i := range d.s.axes {
				if ax := &d.s.axes[i]; !ax.held {
					floats.Scale(drawnSize, z[ax.at+1:ax.at+d.s.perJoint()])
				}
			}
			best = &candidate{z, y, m, nil}
		}
	}
	return best
}

// descend refines a candidate through stages.
func (d *design) descend(ctx context.Context, e *evaluator, c *candidate, stages []stage, objective bool) *candidate {
	if c == nil {
		return nil
	}
	best := &candidate{c.z, c.y, c.merit, c.descent}
	if best.descent == nil {
		best.descent = newMinimiser(c.z)
	}
	y := make([]float64, d.s.vars)
	for _, st := range stages {
		e.fine = st.fine
		best.descent.Run(st.budget, st.until, func(grad, z []float64) (float64, bool) {
			if ctx.Err() != nil {
				return 0, false
			}
			e.limits.feasible(y, z, st.norm)
			f, m := e.smooth(grad, y, st.order, st.weight, objective)
			if m.better(&best.merit) {
				best.merit = m
				best.y = slices.Clone(y)
			}
			e.limits.pullback(grad, z, st.norm)
			return f, true
		})
		best.z = best.descent.X
		if e.criterion.byInverse(st.order) {
			best.merit = e.at(best.y) // the criterion in place of means
		}
	}
	return best
}

// independentColumns divides the model's columns into the first independent ones, in
// the model's order, over random motions within the limits and the prior rows, and
// the rest. norms are the columns' norms, root mean square over the motions.
func independentColumns(e *evaluator, rng *rand.Rand) (kept, left []int, norms []float64) {
	const (
		motions  = 6
		noEffect = 1e-11
		depends  = 1e-9
	)
	n := len(e.m.Columns())
	all := make([][]float64, n)
	for range motions {
		e.s.motion(e.s.draw(rng, e.limits), &e.motion)
		e.evalRows()
		for c := range all {
			all[c] = append(all[c], e.w[c]...)
		}
	}
	norms, whole := make([]float64, n), make([]float64, n)
	largest, own := 0.0, e.m.Joints()*e.step
	for c := range all {
		whole[c] = length(all[c])
		largest = max(largest, whole[c])
		for row, x := range all[c] {
			if row%len(e.w[c]) < own {
				norms[c] = math.Hypot(norms[c], x)
			}
		}
		// A column that no motion excites has the norm of its prior rows.
		if !(norms[c] > noEffect*whole[c]) {
			norms[c] = whole[c]
		}
	}
	for c := range all {
		if whole[c] > noEffect*largest {
			floats.Scale(1/whole[c], all[c])
		} else {
			clear(all[c])
		}
		norms[c] /= math.Sqrt(motions)
	}
	f := triangle.New(n)
	f.Add(all, make([]float64, len(all[0])), new(triangle.Work))
	for c := range n {
		// |R[c,c]| is the distance of column c from the span of those before.
		if f.R[c*n+c] > depends {
			kept = append(kept, c)
		} else {
			left = append(left, c)
		}
	}
	return kept, left, norms
}
