package excite

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"ident/internal/triangle"
)

// stage is a part of the local search: orders of the smooth surrogates of the
// criterion and of the limits' gauge, the weight of the penalties, and a budget
// of evaluations.
type stage struct {
	order, gauge, budget int
	weight               float64
}

const drawsPerStart = 24

// A penalty is a mean over samples, of which a few violate: with a hundredth of
// them and a criterion of slope one, weight w lets 50/w of the limit go beyond
// the cushion, in the last stage a part in a thousand of it. Where only the
// constraints count, the weight lifts what is left of them above the tolerance
// at which a descent ends.
var (
	descents = [...]stage{{16, 64, 60, 1e3}}
	refines  = [...]stage{{32, 128, 120, 1e4}, {128, 512, 150, 1e5}}
	repairs  = [...]stage{{128, 512, 80, 1e5}}
	meets    = [...]stage{{16, 64, 120, 1e4}, {128, 512, 120, 1e6}}
)

// candidate is a point of the search: z in the variables, y the feasible point
// with the best merit seen on the way.
type candidate struct {
	z, y []float64
	merit
}

// search runs the stages over all starts and returns the best candidate that
// the final check accepts.
func (d *design) search() (*candidate, verdict, error) {
	starts := make([]*candidate, d.p.Starts)
	d.each("draw", starts, func(e *evaluator, i int) *candidate { return d.draw(e, i) })
	d.each("descend", starts, func(e *evaluator, i int) *candidate { return d.descend(e, starts[i], descents[:], true) })
	rank(starts)
	few := starts[:max(1, (len(starts)+1)/3)]
	d.each("refine", few, func(e *evaluator, i int) *candidate { return d.descend(e, few[i], refines[:], true) })
	rank(starts)
	if starts[0] == nil {
		return nil, verdict{}, d.ctx.Err()
	}
	if !starts[0].feasible() {
		// Leave the criterion aside until all constraints are met.
		d.each("repair", starts, func(e *evaluator, i int) *candidate {
			return d.descend(e, d.descend(e, starts[i], meets[:], false), refines[:], true)
		})
		rank(starts)
	}
	if len(d.coupled) == 0 && math.IsInf(starts[0].value, 1) {
		return nil, verdict{}, d.unseen()
	}
	return d.settle(starts)
}

// settle puts candidates to the final check, best first. One that fails is
// searched again with what it lacked kept in hand, a few times.
func (d *design) settle(starts []*candidate) (*candidate, verdict, error) {
	const rounds, tries = 5, 3
	var nearest *candidate
	var last verdict
	for try := range min(tries, len(starts)) {
		c := starts[try]
		if c == nil || try > 0 && !c.feasible() {
			break
		}
		for _, make := range d.coupled {
			clear(make().slack())
		}
		for round := range rounds {
			v := d.verify(d.s.trajectory(c.y))
			if v.violations == 0 && c.feasible() && !math.IsInf(c.value, 1) {
				return c, v, nil
			}
			if nearest == nil || c.better(&nearest.merit) {
				nearest, last = c, v
			}
			if round == rounds-1 || d.ctx.Err() != nil || len(d.coupled) == 0 {
				break
			}
			for i, make := range d.coupled {
				slack := make().slack()
				for k, x := range v.excesses[i] {
					if x.Part > 0 {
						slack[k] += x.Part + cushion
					}
				}
			}
			one := []*candidate{c}
			d.each("repair", one, func(e *evaluator, i int) *candidate {
				return d.descend(e, &candidate{c.z, c.y, e.at(c.y)}, repairs[:], true)
			})
			c = one[0]
		}
	}
	if math.IsInf(nearest.value, 1) && nearest.feasible() {
		return nil, verdict{}, d.unseen()
	}
	bad := &InfeasibleError{Worst: nearest.worst}
	if nearest.feasible() {
		// It keeps all at the search's samples, but not between them.
		for _, of := range last.excesses {
			for _, x := range of {
				if x.Part > bad.Worst.Part {
					bad.Worst = x
				}
			}
		}
	}
	for _, of := range last.excesses {
		for _, x := range of {
			if x.Part > 0 && !(x.Constraint == bad.Worst.Constraint && x.Of == bad.Worst.Of) {
				bad.Also = append(bad.Also, x)
			}
		}
	}
	return nil, verdict{}, bad
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

// each runs one task a candidate over the cores. What a task does depends on
// its number alone.
func (d *design) each(stage string, c []*candidate, task func(e *evaluator, i int) *candidate) {
	d.done = 0
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(c)) {
		wg.Go(func() {
			e := newEvaluator(d)
			for i := range next {
				before := e.evals
				out := task(e, i)
				d.mu.Lock()
				if c[i] = out; out != nil && out.better(&d.best) {
					d.best = out.merit
				}
				d.done++
				d.evals += e.evals - before
				if d.p.Progress != nil {
					at := Progress{stage, d.done, len(c), d.evals, math.Inf(1), d.p.Margin}
					if d.best.feasible() {
						at.Best = d.best.value
					}
					if x := d.best.worst.Part; !math.IsInf(x, 0) {
						at.Margin = min(at.Margin, d.p.Margin-x)
					}
					d.p.Progress(at)
				}
				d.mu.Unlock()
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
func (d *design) draw(e *evaluator, start int) *candidate {
	rng := rand.New(rand.NewPCG(d.p.Seed, uint64(start)))
	var best *candidate
	for range drawsPerStart {
		if d.ctx.Err() != nil {
			break
		}
		y := d.s.draw(rng, e.g)
		if m := e.at(y); best == nil || m.better(&best.merit) {
			// Variables of twice the shape come out near the drawn point.
			z := slices.Clone(y)
			for i := range d.s.axes {
				if ax := &d.s.axes[i]; !ax.held {
					floats.Scale(2, z[ax.at+1:ax.at+d.s.perJoint()])
				}
			}
			best = &candidate{z, y, m}
		}
	}
	return best
}

// descend refines a candidate through stages.
func (d *design) descend(e *evaluator, c *candidate, stages []stage, objective bool) *candidate {
	if c == nil {
		return nil
	}
	best := &candidate{c.z, c.y, c.merit}
	y := make([]float64, d.s.vars)
	for _, st := range stages {
		best.z = minimise(best.z, st.budget, func(grad, z []float64) (float64, bool) {
			if d.ctx.Err() != nil {
				return 0, false
			}
			e.g.inside(y, z, st.gauge)
			f, m := e.smooth(grad, y, st.order, st.weight, objective)
			if m.better(&best.merit) {
				best.merit = m
				best.y = slices.Clone(y)
			}
			e.g.pull(grad, z, st.gauge)
			return f, true
		})
	}
	return best
}

// excited divides the model's columns into those that motions within the
// limits, and what is known before, can tell apart, the first independent ones
// in the model's order, and the rest. norms are the columns' norms, root mean
// square over the motions.
func excited(e *evaluator, rng *rand.Rand) (kept, left []int, norms []float64) {
	const (
		motions  = 6
		noEffect = 1e-11
		depends  = 1e-9
	)
	n := len(e.m.Columns())
	all := make([][]float64, n)
	for range motions {
		e.s.motion(e.s.draw(rng, e.g), &e.motion)
		e.rows()
		e.gather()
		for c := range all {
			all[c] = append(all[c], e.w[c]...)
		}
	}
	norms, whole := make([]float64, n), make([]float64, n)
	largest, own := 0.0, e.m.Joints()*e.samples
	for c := range all {
		whole[c] = length(all[c])
		largest = max(largest, whole[c])
		for row, x := range all[c] {
			if row%len(e.w[c]) < own {
				norms[c] = math.Hypot(norms[c], x)
			}
		}
		// What no motion shows is measured by what is known of it.
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
		// The diagonal is what the columns before do not span.
		if f.R[c*n+c] > depends {
			kept = append(kept, c)
		} else {
			left = append(left, c)
		}
	}
	return kept, left, norms
}
