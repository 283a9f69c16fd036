package excite

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"gonum.org/v1/gonum/floats"

	"ident/regressor"
)

// What a Problem's zero fields stand for.
const (
	DefaultHarmonics = 5
	DefaultPeriod    = 10.0
	DefaultMargin    = 0.05
	DefaultStarts    = 8
)

// Problem is a design to make.
type Problem struct {
	Model      *regressor.Model // with base columns only, see regressor.Model.Select
	Limits     []Limits         // one a row of the model, see LimitsOf
	Harmonics  int              // at least 2; 0 for DefaultHarmonics
	Period     float64          // seconds; 0 for DefaultPeriod
	Margin     float64          // part of every limit kept free; 0 for DefaultMargin, negative for none
	Starts     int              // local searches; 0 for DefaultStarts
	Seed       uint64
	SampleRate float64 // of the criterion's rows in Hz; 0 for twenty a period of the highest harmonic
	// Progress, if set, is called now and then, never by two goroutines at once.
	Progress func(Progress)
}

// Progress is how far a design has come.
type Progress struct {
	Stage       string // "draw", "descend" or "refine"
	Done, Total int    // local searches of the stage
	Evaluations int
	Best        float64 // scaled condition number of the best feasible trajectory
}

// Result is a design.
type Result struct {
	Trajectory      *Trajectory
	ConditionScaled float64 // of the regressor over a period, columns scaled to unit norm
	ConditionRaw    float64 // without scaling
	Criterion       string
	Violations      int      // of any limit, on the dense grid and between its points
	Margins         []Margin // one a joint
	Defaults        []string // what was assumed where the problem said nothing
	Unexcited       []string // columns that no allowed motion excites, left out of the criterion
	Stopped         bool     // the context ended the search early
	Evaluations     int
	Seconds         float64
}

// stage is a part of the local search: orders of the smooth surrogates of the
// condition number and of the limits' gauge, and a budget of evaluations.
type stage struct{ order, gauge, budget int }

const drawsPerStart = 24

var (
	descents = [...]stage{{16, 64, 60}}
	refines  = [...]stage{{32, 128, 120}, {128, 512, 150}}
)

// candidate is a point of the search: z in the variables, y the feasible point
// with the best condition number seen on the way.
type candidate struct {
	z, y []float64
	cond float64
}

// Design searches for the trajectory of lowest scaled condition number within
// the limits. It returns an error that matches *MissingLimitsError or
// *LimitError where the limits do not allow a search. When ctx ends, the best
// trajectory so far is returned with Stopped set; ctx's error is returned only
// if there is none yet.
func Design(ctx context.Context, p Problem) (*Result, error) {
	began := time.Now()
	d, err := prepare(&p)
	if err != nil {
		return nil, err
	}
	d.ctx = ctx
	best, err := d.search()
	if err != nil {
		return nil, err
	}
	r := &Result{Trajectory: d.s.trajectory(best.y), Criterion: Criterion, Defaults: d.defaults, Unexcited: d.unexcited,
		Stopped: ctx.Err() != nil}
	r.ConditionScaled, r.ConditionRaw = Condition(d.model, r.Trajectory, finalRate(d.s))
	r.Margins, r.Violations = check(r.Trajectory, d.s.axes)
	r.Evaluations, r.Seconds = d.evals, time.Since(began).Seconds()
	return r, nil
}

// Criterion says what Design minimises.
const Criterion = "condition number of the base regressor, columns scaled to unit norm"

// design is a problem being solved.
type design struct {
	ctx       context.Context
	p         *Problem
	s         *space
	model     *regressor.Model
	defaults  []string
	unexcited []string
	mu        sync.Mutex
	evals     int
	done      int
	best      float64
}

func prepare(p *Problem) (*design, error) {
	d := &design{p: p, model: p.Model, best: math.Inf(1)}
	if p.Model == nil || len(p.Limits) != p.Model.Joints() {
		panic("excite: Design wants a model and the limits of each of its joints")
	}
	fallback := func(x *float64, to float64, what, unit string) {
		if *x == 0 {
			*x = to
			d.defaults = append(d.defaults, fmt.Sprintf("%s %g%s", what, to, unit))
		}
	}
	harmonics, starts := float64(p.Harmonics), float64(p.Starts)
	fallback(&harmonics, DefaultHarmonics, "harmonics", "")
	fallback(&p.Period, DefaultPeriod, "period", " s")
	fallback(&p.Margin, DefaultMargin, "margin", " of every limit")
	fallback(&starts, DefaultStarts, "starts", "")
	p.Harmonics, p.Starts, p.Margin = int(harmonics), int(starts), max(p.Margin, 0)
	switch {
	case p.Harmonics < 2:
		return nil, fmt.Errorf("excite: %d harmonics cannot start and end at rest; give 2 or more", p.Harmonics)
	case !(p.Period > 0) || math.IsInf(p.Period, 0):
		return nil, fmt.Errorf("excite: a period of %g s; give a positive number of seconds", p.Period)
	case !(p.Margin < 1):
		return nil, fmt.Errorf("excite: a margin of %g leaves nothing of the limits; give a fraction below 1", p.Margin)
	case p.Starts < 0:
		return nil, fmt.Errorf("excite: %d starts; give 1 or more", p.Starts)
	case p.SampleRate < 0 || math.IsNaN(p.SampleRate):
		return nil, fmt.Errorf("excite: a sample rate of %g Hz; give a positive one", p.SampleRate)
	}
	axes, defaults, err := resolve(p.Limits, p.Margin)
	if err != nil {
		return nil, err
	}
	d.defaults = append(d.defaults, defaults...)
	samples := 20 * p.Harmonics
	if p.SampleRate > 0 {
		samples = int(math.Round(p.SampleRate * p.Period))
		if least := 2*p.Harmonics + 1; samples < least {
			return nil, fmt.Errorf("excite: a sample rate of %g Hz sees less than the highest harmonic, %g Hz; give at least %g Hz",
				p.SampleRate, float64(p.Harmonics)/p.Period, float64(least)/p.Period)
		}
	} else {
		samples = max(samples, 2*len(p.Model.Columns())/p.Model.Joints()+8)
	}
	d.s = newSpace(axes, p.Harmonics, p.Period, samples)
	if d.s.vars == 0 {
		return nil, fmt.Errorf("excite: every joint is held still by its limits; widen the position range of one")
	}
	return d, d.reachable()
}

// reachable leaves out the columns that held joints keep from being excited.
func (d *design) reachable() error {
	e := newEvaluator(d.s, d.model)
	rng := rand.New(rand.NewPCG(d.p.Seed, 1<<63))
	kept, left := excited(e, d.s, rng)
	if len(left) == 0 {
		return nil
	}
	cols := d.model.Columns()
	for _, c := range left {
		d.unexcited = append(d.unexcited, cols[c].Name)
	}
	held := false
	for i := range d.s.axes {
		held = held || d.s.axes[i].held
	}
	switch {
	case !held:
		return fmt.Errorf("excite: columns %v of the model depend on the others whatever the motion; give a model of base parameters", d.unexcited)
	case len(kept) == 0:
		return fmt.Errorf("excite: the joints that are not held still excite none of the model's columns")
	}
	d.model = d.model.Select(kept)
	return nil
}

// search runs the stages over all starts.
func (d *design) search() (*candidate, error) {
	starts := make([]*candidate, d.p.Starts)
	d.each("draw", starts, func(e *evaluator, i int) *candidate { return d.draw(e, i) })
	d.each("descend", starts, func(e *evaluator, i int) *candidate { return d.descend(e, starts[i], descents[:]) })
	rank(starts)
	few := starts[:max(1, (len(starts)+1)/3)]
	d.each("refine", few, func(e *evaluator, i int) *candidate { return d.descend(e, few[i], refines[:]) })
	rank(starts)
	if starts[0] == nil {
		return nil, d.ctx.Err()
	}
	if math.IsInf(starts[0].cond, 1) {
		return nil, fmt.Errorf("excite: no motion within the limits excites all %d columns", len(d.model.Columns()))
	}
	return starts[0], nil
}

// rank sorts candidates by condition number, stably, absent ones last.
func rank(c []*candidate) {
	cond := func(i int) float64 {
		if c[i] == nil {
			return math.Inf(1)
		}
		return c[i].cond
	}
	for i := 1; i < len(c); i++ {
		for k := i; k > 0 && (cond(k) < cond(k-1) || c[k-1] == nil && c[k] != nil); k-- {
			c[k], c[k-1] = c[k-1], c[k]
		}
	}
}

// each runs one task a candidate over the cores. What a task does depends on
// its number alone.
func (d *design) each(stage string, c []*candidate, task func(e *evaluator, i int) *candidate) {
	d.done = 0
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(c)) {
		wg.Go(func() {
			e := newEvaluator(d.s, d.model)
			for i := range next {
				before := e.evals
				out := task(e, i)
				d.mu.Lock()
				if c[i] = out; out != nil {
					d.best = min(d.best, out.cond)
				}
				d.done++
				d.evals += e.evals - before
				if d.p.Progress != nil {
					d.p.Progress(Progress{stage, d.done, len(c), d.evals, d.best})
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
		y := d.s.draw(rng)
		if cond := e.at(y); best == nil || cond < best.cond {
			// Variables of twice the shape come out near the drawn point.
			z := slices.Clone(y)
			for i := range d.s.axes {
				if ax := &d.s.axes[i]; !ax.held {
					floats.Scale(2, z[ax.at+1:ax.at+d.s.perJoint()])
				}
			}
			best = &candidate{z, y, cond}
		}
	}
	return best
}

// descend refines a candidate through stages.
func (d *design) descend(e *evaluator, c *candidate, stages []stage) *candidate {
	if c == nil {
		return nil
	}
	best := &candidate{c.z, c.y, c.cond}
	y := make([]float64, d.s.vars)
	for _, st := range stages {
		best.z = minimise(best.z, st.budget, func(grad, z []float64) (float64, bool) {
			if d.ctx.Err() != nil {
				return 0, false
			}
			e.g.inside(y, z, st.gauge)
			f, cond := e.smooth(grad, y, st.order)
			if cond < best.cond {
				best.cond = cond
				best.y = append([]float64(nil), y...)
			}
			e.g.pull(grad, z, st.gauge)
			return f, true
		})
	}
	return best
}
