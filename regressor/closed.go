package regressor

import (
	"fmt"
	"slices"

	"ident/mechanics/loops"
	"ident/robot"
)

// closing is the part of a model for closed loops: the model of the tree with the loops cut, and the projection of its
// rows onto the driven joints.
type closing struct {
	tree      *Model
	tracker   *loops.Tracker // the assembly
	redundant []int          // coordinates of the tree with redundant drives
	rows      []projection   // a driven joint each
}

// projection computes the row of a driven joint: its own in the tree, plus those of the dependent joints times their
// rates relative to it.
type projection struct {
	own       []int // place in the row of each column of the tree's row
	dependent []dependentRow
	row       int // of the tree
}

// dependentRow is the contribution of a dependent joint to the row of a driven one.
type dependentRow struct {
	row   int    // of the tree: a dependent joint
	pair  int    // index into the tracker's pairs
	at    []int  // place of each of its columns in the projected row
	first []bool // of each: no earlier row has this column
}

// SampleError says at which sample of a batch the loops could not be closed. It wraps a *loops.TrackError.
type SampleError struct {
	Sample int // index of the sample in the batch, from 0
	Err    error
}

func (e *SampleError) Error() string { return fmt.Sprintf("sample %d: %v", e.Sample+1, e.Err) }

func (e *SampleError) Unwrap() error { return e.Err }

// newClosed builds the model of a robot with closed loops; its rows are the driven joints. The assembly is the one near
// Robot.Assembly or, without one, the most regular that a few random starts find.
func newClosed(r *robot.Robot, terms []Term) (*Model, error) {
	c, err := loops.NewClosure(r)
	if err != nil {
		return nil, err
	}
	start, err := c.Assembled(r.Assembly)
	if err != nil {
		return nil, err
	}
	tracker, err := c.Track(start.Q)
	if err != nil {
		return nil, err
	}
	if n := len(tracker.Driven()); n < len(c.Active()) {
		var idle []string
		for _, k := range c.Active() {
			if !slices.Contains(tracker.Driven(), k) {
				idle = append(idle, c.Joints()[k])
			}
		}
		return nil, &RedundantError{Robot: r.Name, Drives: len(c.Active()), Motions: n, Idle: idle}
	}
	tree, err := NewDynamic(r.Cut(), terms)
	if err != nil {
		return nil, err
	}
	var keep []int
	for i, col := range tree.columns {
		if !undriven(r, col) {
			keep = append(keep, i)
		}
	}
	cl := &closing{tree: tree.Select(keep), tracker: tracker}
	for k, link := range tree.coords {
		if r.Links[link].Joint.Redundant {
			cl.redundant = append(cl.redundant, k)
		}
	}
	return cl.model(), nil
}

// undriven reports whether a column is of a passive joint and needs what such a joint lacks: a drive, its torque, current or
// temperature, or a position that is measured from the beginning of a run.
func undriven(r *robot.Robot, c Column) bool {
	return c.Drive == 0 && r.Links[c.Link].Joint.Passive && !r.Links[c.Link].Joint.Redundant && c.Term.Traits().Driven
}

// model arranges the rows of the driven joints.
func (c *closing) model() *Model {
	t := c.tree
	m := &Model{columns: t.columns, needs: t.needs, loops: c}
	pairs := c.tracker.Pairs()
	c.rows = nil
	for i, k := range c.tracker.Driven() {
		m.coords = append(m.coords, t.coords[k])
		mask := slices.Clone(t.mask[k])
		for _, p := range pairs {
			if p.Driven == i {
				mask = append(mask, t.mask[p.Coord]...)
			}
		}
		slices.Sort(mask)
		mask = slices.Compact(mask)
		places := func(of []int) []int {
			at := make([]int, len(of))
			for i, col := range of {
				at[i], _ = slices.BinarySearch(mask, col)
			}
			return at
		}
		p := projection{row: k, own: places(t.mask[k])}
		filled := make([]bool, len(mask))
		for _, at := range p.own {
			filled[at] = true
		}
		for g, pair := range pairs {
			if pair.Driven != i || len(t.mask[pair.Coord]) == 0 {
				continue
			}
			a := dependentRow{row: pair.Coord, pair: g, at: places(t.mask[pair.Coord])}
			for _, at := range a.at {
				a.first = append(a.first, !filled[at])
				filled[at] = true
			}
			p.dependent = append(p.dependent, a)
		}
		m.mask = append(m.mask, mask)
		c.rows = append(c.rows, p)
	}
	return m
}

// Tree returns the model of the tree with the loops cut, whose projected rows are those of m; both have the same
// columns. It returns nil for a robot without loops.
func (m *Model) Tree() *Model {
	if m.loops == nil {
		return nil
	}
	return m.loops.tree
}

// Loops returns a tracker of the robot's closed loops in the model's assembly, nil without loops.
func (m *Model) Loops() *loops.Tracker {
	if m.loops == nil {
		return nil
	}
	return m.loops.tracker
}

// WithStates returns a closed robot's model whose batches start at the nearest of the model's own states and the given
// ones. Use it with states along a motion.
func (m *Model) WithStates(s loops.States) *Model {
	c := *m.loops
	c.tracker = c.tracker.StartingFrom(s)
	return c.model()
}

// closedState is the part of a workspace for robots with closed loops.
type closedState struct {
	along         *loops.Continuation
	tree          *Workspace
	block         *Block
	second        *Block        // of EvalMomentum, made at its first use
	dependent     [][][]float64 // the blocks' rows of dependent joints
	q, dq, ddq    [][]float64   // of the tree, Lanes samples
	jacobian      [][]float64   // entries of G, one slice per pair
	jacobianRate  [][]float64   // entries of Ġ, made with second
	batch         Batch
	load, current [][]float64
	heat, degrees [][]float64
	presliding    [][]float64
	zeros         []float64
	err           error
}

// rows allocates n slices of Lanes samples.
func rows(n int) [][]float64 {
	store := make([]float64, n*Lanes)
	out := make([][]float64, n)
	for k := range out {
		out[k] = store[k*Lanes : (k+1)*Lanes : (k+1)*Lanes]
	}
	return out
}

func (c *closing) newState() *closedState {
	n := c.tree.Joints()
	s := &closedState{along: c.tracker.Continue(), tree: c.tree.NewWorkspace(), block: c.tree.NewBlock(Lanes),
		q: rows(n), dq: rows(n), ddq: rows(n), jacobian: rows(len(c.tracker.Pairs())),
		load: make([][]float64, n), current: make([][]float64, n),
		heat: make([][]float64, n), degrees: make([][]float64, n), presliding: make([][]float64, MaxWidths*n), zeros: make([]float64, Lanes)}
	for k, cols := range s.block.Joint {
		if !slices.Contains(c.tracker.Driven(), k) {
			s.dependent = append(s.dependent, cols)
		}
	}
	return s
}
