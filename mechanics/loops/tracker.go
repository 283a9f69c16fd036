package loops

import (
	"fmt"
	"math"
	"slices"
)

// Tracker holds one assembly of a mechanism, prepared for motions of its driven
// joints: the coordinates that drive it, the equations of its loops and their
// formulas. It is immutable and safe for concurrent use; a Continuation of it
// follows a motion.
type Tracker struct {
	c        *Closure
	driven   []int // coordinates whose motion is given
	groups   []*group
	pairs    []Pair
	absent   []bool    // of all entries of G that the groups solve for, those always zero
	formulas *formulas // nil where the loops have none
	states   States
}

// Pair is an entry of G that is not always zero: the rate of Coord, a dependent
// coordinate of the tree, by that of the driven joint at Driven in the list of
// driven coordinates.
type Pair struct{ Coord, Driven int }

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
	t := &Tracker{c: c, driven: driven, states: States{[][]float64{slices.Clone(state)}}}
	if t.groups, t.pairs, err = c.groupLoops(driven); err != nil {
		return nil, err
	}
	t.absent = make([]bool, len(t.pairs))
	t.formulas = t.newFormulas(t.reference(m))
	return t, nil
}

// reference returns the state at which formulas are looked for, with the motion there.
func (t *Tracker) reference(m *Motion) reference {
	r := reference{q: t.start(), driven: t.driven, length: t.c.length}
	if len(t.driven) == len(t.c.active) {
		r.jacobian = m.g
	}
	return r
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
		// Free is orthonormal: the rest of a row is compared with one.
		if n := norm(row); n > 1e-3*c.unit[k] {
			for l := range row {
				row[l] /= n
			}
			basis, kept = append(basis, row), append(kept, k)
		}
	}
	if len(kept) < m.Mobility {
		return nil, fmt.Errorf("robot %q: the active joints determine only %d of its %d motions: the state is nearly singular", c.robot, len(kept), m.Mobility)
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

// start returns the closed state that the tracker was made at.
func (t *Tracker) start() []float64 { return t.states.q[0] }

// Start returns the motion of the mechanism at the state that the tracker was
// made at.
func (t *Tracker) Start() *Motion {
	m, err := t.c.Motion(slices.Clone(t.start()))
	if err != nil {
		panic(fmt.Sprintf("loops: a state that was closed is not: %v", err))
	}
	return m
}

// Closure returns the closing of the loops that are tracked.
func (t *Tracker) Closure() *Closure { return t.c }

// Driven returns the coordinates of the tree whose motion is given, ascending.
// The caller must not change the slice.
func (t *Tracker) Driven() []int { return t.driven }

// Pairs returns where G, the rates of the tree's dependent coordinates by those
// of the driven ones, may differ from zero. The caller must not change the slice.
func (t *Tracker) Pairs() []Pair { return t.pairs }

// Explicit reports whether all loops have formulas: each plane, with three
// joints, not all of them slides, that the driven ones, and loops before it, leave
// to be found; or a coupling.
func (t *Tracker) Explicit() bool { return t.formulas != nil }

// Newton returns the tracker without its formulas, for paths by Newton's method
// alone: the oracle of the formulas.
func (t *Tracker) Newton() *Tracker {
	n := *t
	n.formulas = nil
	return &n
}

// States returns the closed states from which continuations set out, the
// tracker's own first.
func (t *Tracker) States() States { return States{slices.Clip(t.states.q)} }

// StartingFrom returns the tracker with other states to set out from: those of
// Tracker.States and more, which the States of a Path collected.
func (t *Tracker) StartingFrom(s States) *Tracker {
	if len(s.q) == 0 {
		panic("loops: no state to start from")
	}
	n := *t
	n.states = States{slices.Clip(s.q)}
	return &n
}

// States are closed states of one assembly, a fifth of a radian or of the unit of
// length apart in their driven coordinates. The zero value is empty.
type States struct{ q [][]float64 }

// Len returns the number of states.
func (s States) Len() int { return len(s.q) }

// stateDistance is the least distance of two States, rad or units of length: two
// steps of a path.
const stateDistance = 2 * pathStep

// distance returns the distance of the driven coordinates of a state from positions, the
// largest, rad or units of length.
func (t *Tracker) distance(q, driven []float64) float64 {
	d := 0.0
	for j, k := range t.driven {
		d = max(d, math.Abs(driven[j]-q[k])/t.c.unit[k])
	}
	return d
}

// nearest returns the state whose driven coordinates are nearest to positions.
func (t *Tracker) nearest(driven []float64) []float64 {
	best, least := 0, math.Inf(1)
	for i, q := range t.states.q {
		if d := t.distance(q, driven); d < least {
			best, least = i, d
		}
	}
	return t.states.q[best]
}

// collect adds a state to others unless it is near one of them.
func (t *Tracker) collect(to *States, q, driven []float64) {
	for _, o := range to.q {
		if t.distance(o, driven) < stateDistance {
			return
		}
	}
	to.q = append(to.q, slices.Clone(q))
}
