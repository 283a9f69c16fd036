package loops

import (
	"fmt"
	"math"
	"slices"
)

// Tracker follows the loops of a mechanism from sample to sample of a motion of
// its driven joints: it stays on the assembly that it started from, and gives
// the positions, rates and accelerations of all coordinates of the tree and the
// derivative G of the dependent ones by the driven ones.
//
// It solves what Close and Motion solve, but by Newton's method from the sample
// before, on the loops' own chains, with an elimination that takes the rows of
// largest pivot, so that planar loops in space and other over-constrained ones
// need no care. It allocates nothing per sample and is not safe for concurrent
// use; Clone gives each goroutine its own.
type Tracker struct {
	c      *Closure
	driven []int // coordinates that say the motion
	groups []*group
	pairs  []Pair
	absent []bool // of all pairs that the groups solve for, those always zero
	gains  []float64
	turns  []float64 // their rates
	rate   []float64
	start  []float64 // the closed state that it was made at
	home   []home    // closed states to set out from; start is the first
	q      []float64 // of all coordinates, those of cut joints last
	dq     []float64
	ddq    []float64
	at     []float64 // driven coordinates of q
	trial  []float64
	back   []float64

	open     opening
	formulas *explicit // nil where the loops have none
	scratch  explicitScratch
	sure     bool // the formulas hold at the last state
	stale    bool // which they gave: G is not known to the groups
	trialTo  []float64
	rates    []float64
	accs     []float64
}

// Pair is a place of G that is not always zero: the rate of Coord, a dependent
// coordinate of the tree, by that of the driven joint at Driven in the list of
// driven coordinates.
type Pair struct{ Coord, Driven int }

// home is a state with its driven coordinates in units.
type home struct{ q []float64 }

const (
	// G is that of the state before the last correction, which is as far from
	// the closed one as the mismatch times the condition of the closing. Errors
	// of G are as good as noise on the rows, which a fit multiplies by its own
	// condition number, 1e6 and more; the rounding of a chain is 1e-15.
	trackedWell = 1e-13
	// Newton's method doubles the digits in each step; from a start that does
	// not close in so many, it will not.
	trackSteps = 8
	// One step of a path between far states, rad or units of length.
	pathStep = 0.1
	// The shortest step of a path: one that needs less runs into a state where
	// the loops cannot close, or where assemblies meet.
	leastPathStep = 1e-4
)

// Track returns a tracker of the assembly of a closed state, which Close,
// Assemble or a Walk gave. The driven coordinates are the active ones; where
// there are more of those than motions, the first that are independent.
func (c *Closure) Track(state []float64) (*Tracker, error) {
	c.check("state", state)
	m, err := c.Motion(state)
	if err != nil {
		return nil, err
	}
	driven, err := m.Independent()
	if err != nil {
		return nil, err
	}
	t := &Tracker{c: c, driven: driven, start: slices.Clone(state)}
	if err := t.group(); err != nil {
		return nil, err
	}
	t.absent = make([]bool, len(t.pairs))
	t.open = opening{q: t.start, driven: driven, length: c.length}
	if len(driven) == len(c.active) {
		t.open.slopes = m.g
	}
	t.formulas = t.explicitly()
	t.allocate()
	t.home = []home{{t.start}}
	return t, nil
}

// Independent returns the first of the active coordinates that are independent
// at the state, as many as there are motions.
func (m *Motion) Independent() ([]int, error) {
	c := m.c
	if len(c.active) == m.Mobility {
		return c.active, nil
	}
	var kept []int
	var basis [][]float64
	for _, k := range c.active {
		row := make([]float64, m.Mobility)
		for l := range row {
			row[l] = c.unit[k] * m.Free.At(k, l)
		}
		for range 2 { // twice is enough for orthogonality to rounding
			for _, b := range basis {
				d := dot(row, b)
				for l := range row {
					row[l] -= d * b[l]
				}
			}
		}
		// Free is orthonormal: what is left of a row is compared with one.
		if n := norm(row); n > 1e-3*c.unit[k] {
			for l := range row {
				row[l] /= n
			}
			basis, kept = append(basis, row), append(kept, k)
		}
	}
	if len(kept) < m.Mobility {
		return nil, fmt.Errorf("robot %q: the active joints hold only %d of its %d motions well: the state is nearly singular", c.robot, len(kept), m.Mobility)
	}
	return kept, nil
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

func (t *Tracker) allocate() {
	n := len(t.c.unit)
	t.q, t.dq, t.ddq = slices.Clone(t.start), make([]float64, n), make([]float64, n)
	t.at, t.trial, t.back = make([]float64, len(t.driven)), make([]float64, len(t.driven)), make([]float64, n)
	for i, k := range t.driven {
		t.at[i] = t.q[k]
	}
	t.gains, t.turns, t.rate = make([]float64, len(t.pairs)), make([]float64, len(t.pairs)), make([]float64, n)
	t.trialTo, t.rates, t.accs = make([]float64, len(t.driven)), make([]float64, len(t.driven)), make([]float64, len(t.driven))
	t.scratch, t.sure, t.stale = explicitScratch{}, false, false
	for _, g := range t.groups {
		g.allocate()
	}
}

// Clone returns a tracker at the same start that shares nothing that changes.
func (t *Tracker) Clone() *Tracker {
	c := *t
	c.groups = make([]*group, len(t.groups))
	for i, g := range t.groups {
		n := *g
		c.groups[i] = &n
	}
	c.home = slices.Clone(t.home)
	c.allocate()
	return &c
}

// Start returns how the mechanism moves at the state that the tracker was made
// at.
func (t *Tracker) Start() *Motion {
	m, err := t.c.Motion(slices.Clone(t.start))
	if err != nil {
		panic(fmt.Sprintf("loops: a state that was closed is not: %v", err))
	}
	return m
}

// Closure returns the closing of the loops that are tracked.
func (t *Tracker) Closure() *Closure { return t.c }

// Driven returns the coordinates of the tree that say the motion, ascending.
func (t *Tracker) Driven() []int { return t.driven }

// Pairs returns where G, the rates of the tree's dependent coordinates by those
// of the driven ones, may differ from zero.
func (t *Tracker) Pairs() []Pair { return t.pairs }

// Gains returns the entries of G at the last state, one a Pair. The memory is
// the tracker's.
func (t *Tracker) Gains() []float64 { return t.gains }

// State returns positions, rates and accelerations of the tree's coordinates at
// the last state. The memory is the tracker's.
func (t *Tracker) State() (q, dq, ddq []float64) {
	return t.q[:t.c.dof], t.dq[:t.c.dof], t.ddq[:t.c.dof]
}

// Closed returns the last state with the coordinates of cut joints. The memory
// is the tracker's.
func (t *Tracker) Closed() []float64 { return t.q }

// Seek goes to a state by continuation from the known one whose driven joints
// are nearest, the start or one that Remember kept: how a batch begins, so that
// what it computes does not depend on what was computed before. The error is a
// *TrackError.
func (t *Tracker) Seek(driven []float64) error {
	best, least := 0, math.Inf(1)
	for i, h := range t.home {
		d := 0.0
		for j, k := range t.driven {
			d = max(d, math.Abs(driven[j]-h.q[k])/t.c.unit[k])
		}
		if d < least {
			best, least = i, d
		}
	}
	t.restore(t.home[best].q)
	if err := t.differentiate(); err != nil {
		return err
	}
	return t.Move(driven)
}

// restore goes back to a closed state as if nothing had been before it.
func (t *Tracker) restore(q []float64) {
	copy(t.q, q)
	t.sure, t.stale = false, false
	for _, g := range t.groups {
		g.forget()
	}
	for i, k := range t.driven {
		t.at[i] = t.q[k]
	}
}

// Remember keeps the last state as one that Seek may set out from, if no other
// is within a fifth of a radian or of the unit of length of it.
func (t *Tracker) Remember() {
	const near = 0.2
	for _, h := range t.home {
		d := 0.0
		for _, k := range t.driven {
			d = max(d, math.Abs(t.q[k]-h.q[k])/t.c.unit[k])
		}
		if d < near {
			return
		}
	}
	t.home = append(t.home, home{slices.Clone(t.q)})
}

// Share gives the states that another tracker of the same mechanism remembers.
func (t *Tracker) Share(o *Tracker) { t.home = slices.Clone(o.home) }

// Move brings the driven joints to new positions, on a straight path of small
// steps where they are far, and leaves State's positions and Gains. On error,
// which is a *TrackError, it stays where it was.
func (t *Tracker) Move(driven []float64) error {
	if len(driven) != len(t.driven) {
		panic(fmt.Sprintf("loops: %d positions for %d driven joints", len(driven), len(t.driven)))
	}
	if t.stale {
		if err := t.differentiate(); err != nil {
			return err
		}
		t.stale = false
	}
	t.sure = false
	far := 0.0
	for i, k := range t.driven {
		far = max(far, math.Abs(driven[i]-t.at[i])/t.c.unit[k])
	}
	if !(far <= math.MaxFloat64) {
		return t.lost(driven, 0)
	}
	if far <= pathStep && t.step(driven) {
		return nil
	}
	copy(t.back, t.q)
	step := min(1, pathStep/far)
	for done := 0.0; done < 1; {
		to := min(1, done+step)
		if 1-to < 1e-9 {
			to = 1
		}
		part := (to - done) / (1 - done)
		for i := range driven {
			t.trial[i] = t.at[i] + part*(driven[i]-t.at[i])
		}
		if to == 1 {
			copy(t.trial, driven)
		}
		if t.step(t.trial) {
			done = to
			step = min(2*step, pathStep/far)
			continue
		}
		if step /= 2; step*far < leastPathStep {
			err := t.lost(driven, done)
			t.restore(t.back)
			if e := t.differentiate(); e != nil {
				return e
			}
			return err
		}
	}
	return nil
}

// step moves by one step of a path; it stays where it was if that fails.
func (t *Tracker) step(driven []float64) bool {
	// Back from a refused step: positions of the dependent coordinates.
	for _, g := range t.groups {
		for i, k := range g.unknown {
			g.before[i] = t.q[k]
		}
	}
	for _, g := range t.groups {
		g.predict(t.q, t.at, driven)
	}
	for i, k := range t.driven {
		t.q[k] = driven[i]
	}
	for _, g := range t.groups {
		if g.close(t.q) {
			continue
		}
		for _, g := range t.groups {
			g.forget()
			for i, k := range g.unknown {
				t.q[k] = g.before[i]
			}
		}
		for i, k := range t.driven {
			t.q[k] = t.at[i]
		}
		return false
	}
	copy(t.at, driven)
	t.gather()
	return true
}

// differentiate finds G at the present state.
func (t *Tracker) differentiate() error {
	for _, g := range t.groups {
		if !g.close(t.q) {
			return t.lost(t.at, 0)
		}
		g.forget()
	}
	t.gather()
	return nil
}

// gather copies the groups' parts of G.
func (t *Tracker) gather() {
	n, all := 0, 0
	for _, g := range t.groups {
		for i, k := range g.unknown {
			if k >= t.c.dof {
				continue
			}
			for j := range g.driven {
				if all++; !t.absent[all-1] {
					t.gains[n] = g.gain[i*len(g.driven)+j]
					n++
				}
			}
		}
	}
}

// Motion finds rates and accelerations of all coordinates at the last state
// from those of the driven ones.
func (t *Tracker) Motion(rates, accelerations []float64) {
	if len(rates) != len(t.driven) || len(accelerations) != len(t.driven) {
		panic(fmt.Sprintf("loops: %d rates and %d accelerations for %d driven joints", len(rates), len(accelerations), len(t.driven)))
	}
	for i, k := range t.driven {
		t.dq[k], t.ddq[k] = rates[i], accelerations[i]
	}
	for _, g := range t.groups {
		g.motion(t.dq, t.ddq)
	}
}

// GainRates returns the rates of Gains at the last state and Motion. With every
// column g of G, and the rates v of all coordinates, J·g = 0 and J·v = 0 hold,
// and so
//
//	J·ġ = −J̇·g,  J̇·g = ½·(b(v + g) − b(v) − b(g))
//
// where b are the accelerations of the mismatch at steady rates, a quadratic
// form. The memory is the tracker's.
func (t *Tracker) GainRates() []float64 {
	n, all := 0, 0
	for _, g := range t.groups {
		g.turn(t.dq, t.rate)
		for i, k := range g.unknown {
			if k >= t.c.dof {
				continue
			}
			for j := range g.driven {
				if all++; !t.absent[all-1] {
					t.turns[n] = g.turned[i*len(g.driven)+j]
					n++
				}
			}
		}
	}
	return t.turns
}
