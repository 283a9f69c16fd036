package regressor

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/dynamics"
	"ident/internal/lanes"
	"ident/robot"
)

// closing is what a model of a robot with closed loops has beside its plans:
// the model of the tree that is left when the loops are cut, whose rows it
// projects on the driven joints.
type closing struct {
	tree    *Model
	tracker *dynamics.Tracker // the assembly; workspaces clone it
	idle    []int             // coordinates of the tree with redundant drives
	rows    []projection      // a driven joint each
}

// projection makes the row of a driven joint: that of its own in the tree, and
// those of the dependent joints times their rate by it.
type projection struct {
	own  []int // place in the row of each column of the tree's row
	zero []int // places that the tree's row does not fill
	add  []share
	row  int // of the tree
}

type share struct {
	row  int   // of the tree: a dependent joint
	gain int   // index into the tracker's pairs
	at   []int // place of each of its columns in the projected row
}

// SampleError says at which sample of a batch the loops of a robot could not be
// closed. It wraps a *dynamics.TrackError.
type SampleError struct {
	Sample int // of the batch, from 0
	Err    error
}

func (e *SampleError) Error() string { return fmt.Sprintf("sample %d: %v", e.Sample+1, e.Err) }

func (e *SampleError) Unwrap() error { return e.Err }

// newClosed builds the model of a robot with closed loops: rows are its driven
// joints. The assembly is the one near Robot.Assembly, or else the most regular
// one that a few random starts find.
func newClosed(r *robot.Robot, terms []Term) (*Model, error) {
	c, err := dynamics.NewClosure(r)
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
			cl.idle = append(cl.idle, k)
		}
	}
	return cl.model(), nil
}

// RedundantError says that loops tie driven joints to each other: their torques
// share a load in a way that the motion does not tell.
type RedundantError struct {
	Robot           string
	Drives, Motions int
	Idle            []string // drives that could be left out, the later ones
}

func (e *RedundantError) Error() string {
	return fmt.Sprintf("robot %q: %d driven joints for %d motions: the loops move %s when the others move, and how drives share a load cannot be told; mark those without a motor as passive and those with one as redundant", e.Robot, e.Drives, e.Motions, strings.Join(e.Idle, ", "))
}

// undriven tells whether a column is of a drive that a passive joint has not, or
// needs to be told its torque.
func undriven(r *robot.Robot, c Column) bool {
	switch c.Term {
	case Ia, Ir, Fo, Gain, LoadFs:
		return c.Drive == 0 && r.Links[c.Link].Joint.Passive && !r.Links[c.Link].Joint.Redundant
	}
	return false
}

// model lays out the rows of the driven joints.
func (c *closing) model() *Model {
	t := c.tree
	m := &Model{columns: t.columns, gravity: t.gravity, needs: t.needs, loops: c}
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
		for at := range mask {
			if !slices.Contains(p.own, at) {
				p.zero = append(p.zero, at)
			}
		}
		for g, pair := range pairs {
			if pair.Driven == i && len(t.mask[pair.Coord]) > 0 {
				p.add = append(p.add, share{row: pair.Coord, gain: g, at: places(t.mask[pair.Coord])})
			}
		}
		m.mask = append(m.mask, mask)
		c.rows = append(c.rows, p)
	}
	return m
}

// Tree returns the model whose rows a closed robot's are projections of: that of
// the tree that is left when its loops are cut, with the same columns. It is nil
// for a robot without loops.
func (m *Model) Tree() *Model {
	if m.loops == nil {
		return nil
	}
	return m.loops.tree
}

// Loops returns a tracker of the loops of a closed robot in the assembly of the
// model, nil for a robot without loops.
func (m *Model) Loops() *dynamics.Tracker {
	if m.loops == nil {
		return nil
	}
	return m.loops.tracker.Clone()
}

// Knowing returns a closed robot's model whose batches may also begin at the
// states that a tracker remembers, one that has been along the motion, say.
func (m *Model) Knowing(t *dynamics.Tracker) *Model {
	c := *m.loops
	c.tracker = c.tracker.Clone()
	c.tracker.Share(t)
	return c.model()
}

// Redundant returns the links whose joints have drives although the loops move
// them. Their torques are no rows of their own: Share adds them to the others'.
func (m *Model) Redundant() []int {
	var links []int
	if m.loops != nil {
		for _, k := range m.loops.idle {
			links = append(links, m.loops.tree.coords[k])
		}
	}
	return links
}

// Share adds to the torques of a batch's driven joints what redundant drives do
// for them: with one slice of torque for each of Redundant,
//
//	tau_a += Σ ∂q_r/∂q_a·idle_r
//
// so that the sum balances Y·χ however the drives share the load. It follows the
// loops along q; where it cannot, torques from that sample on are NaN and
// Workspace.Err says why.
func (m *Model) Share(tau, idle, q [][]float64, ws *Workspace) {
	m.checkBatch("q", q, len(q[0]))
	m.checkBatch("tau", tau, len(q[0]))
	if len(idle) != len(m.Redundant()) {
		panic(fmt.Sprintf("regressor: torques of %d redundant drives, the model has %d", len(idle), len(m.Redundant())))
	}
	s := ws.closed
	t, to := s.tracker, s.at[0]
	s.err = nil
	for l := range q[0] {
		for i := range to {
			to[i] = q[i][l]
		}
		move := t.Move
		if l == 0 {
			move = t.Seek
		}
		if err := move(to); err != nil {
			s.err = &SampleError{l, err}
			for k := range tau {
				lanes.Fill(tau[k][l:], math.NaN())
			}
			return
		}
		for p, pair := range t.Pairs() {
			if r := slices.Index(m.loops.idle, pair.Coord); r >= 0 {
				tau[pair.Driven][l] += t.Gains()[p] * idle[r][l]
			}
		}
	}
}

// closedState is the part of a workspace for robots with closed loops.
type closedState struct {
	tracker       *dynamics.Tracker
	tree          *Workspace
	block         *Block
	second        *Block        // of EvalMomentum, made at its first use
	dependent     [][][]float64 // the blocks' rows of dependent joints
	q, dq, ddq    [][]float64   // of the tree, Lanes samples
	gains         [][]float64   // one slice a pair
	turns         [][]float64   // their rates, made with second
	at            [3][]float64
	batch         Batch
	load, current [][]float64
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
	s := &closedState{tracker: c.tracker.Clone(), tree: c.tree.NewWorkspace(), block: c.tree.NewBlock(Lanes),
		q: rows(n), dq: rows(n), ddq: rows(n), gains: rows(len(c.tracker.Pairs())),
		load: make([][]float64, n), current: make([][]float64, n), zeros: make([]float64, Lanes)}
	for i := range s.at {
		s.at[i] = make([]float64, len(c.rows))
	}
	for k, cols := range s.block.Joint {
		if !slices.Contains(c.tracker.Driven(), k) {
			s.dependent = append(s.dependent, cols)
		}
	}
	return s
}

// Err returns why the last Eval of a closed robot's model ended early, a
// *SampleError: the rows from that sample on are NaN. It is nil after an Eval
// that did not, and for robots without loops.
func (ws *Workspace) Err() error {
	if ws.closed == nil {
		return nil
	}
	return ws.closed.err
}

// evalClosed is EvalBatch for a robot with closed loops. Every batch begins at a
// state that the model knows, so its rows do not depend on what was evaluated
// before it.
func (m *Model) evalClosed(b *Block, in *Batch, ws *Workspace) {
	c, s := m.loops, ws.closed
	m.along(in, b.Rows, s, true, func(tree *Batch, first, n int) {
		for i := range c.rows {
			c.rows[i].lend(b.Joint[i], s.block, first, n)
		}
		c.tree.EvalBatch(s.block, *tree, s.tree)
		for i := range c.rows {
			c.rows[i].clear(b.Joint[i], first, n)
			c.rows[i].project(b.Joint[i], s.block, s.gains, 1, first, n)
		}
	}, b)
}

// energyClosed is EvalEnergy: energies and powers are those of the tree.
func (m *Model) energyClosed(h *Block, in *Batch, ws *Workspace) {
	c, s := m.loops, ws.closed
	part := &Block{Joint: [][][]float64{make([][]float64, len(m.columns))}}
	m.along(in, h.Rows, s, false, func(tree *Batch, first, n int) {
		for k := range m.columns {
			part.Joint[0][k] = h.Joint[0][k][first : first+n]
		}
		part.Rows = n
		c.tree.EvalEnergy(part, *tree, s.tree)
	}, h)
}

// momentumClosed is EvalMomentum: with τ_a = Gᵀ·τ,
//
//	D1_a = Gᵀ·D1,  D2_a = Gᵀ·D2 − Ġᵀ·D1
func (m *Model) momentumClosed(d1, d2 *Block, in *Batch, ws *Workspace) {
	c, s := m.loops, ws.closed
	if s.second == nil {
		s.second = c.tree.NewBlock(Lanes)
		s.turns = rows(len(s.gains))
		for k, cols := range s.second.Joint {
			if !slices.Contains(c.tracker.Driven(), k) {
				s.dependent = append(s.dependent, cols)
			}
		}
	}
	m.along(in, d1.Rows, s, false, func(tree *Batch, first, n int) {
		s.second.Rows = n
		for i := range c.rows {
			c.rows[i].lend(d1.Joint[i], s.block, first, n)
			c.rows[i].lend(d2.Joint[i], s.second, first, n)
		}
		c.tree.EvalMomentum(s.block, s.second, *tree, s.tree)
		for i := range c.rows {
			p := &c.rows[i]
			p.clear(d1.Joint[i], first, n)
			p.clear(d2.Joint[i], first, n)
			p.project(d1.Joint[i], s.block, s.gains, 1, first, n)
			p.project(d2.Joint[i], s.second, s.gains, 1, first, n)
			p.project(d2.Joint[i], s.block, s.turns, -1, first, n)
		}
	}, d1, d2)
}

// along closes the loops at the samples of a batch, Lanes of them at a time, and
// hands on the tree's batch. Rows of the blocks from a sample on at which the
// loops cannot be closed are NaN.
func (m *Model) along(in *Batch, rows int, s *closedState, fast bool, use func(tree *Batch, first, n int), blocks ...*Block) {
	s.err = nil
	for first := 0; first < rows && s.err == nil; first += Lanes {
		n := min(Lanes, rows-first)
		s.resize(n)
		if done := m.loops.follow(s, in, fast, first, n); done < n {
			n = done
			for _, b := range blocks {
				b.spoil(first + n)
			}
			if n == 0 {
				return
			}
			s.resize(n)
		}
		use(m.loops.batch(s, in, fast, first, n), first, n)
	}
}

// batch is the tree's batch at the samples that were followed to. What a term
// wants of passive joints they have not: no load, no current.
func (c *closing) batch(s *closedState, in *Batch, fast bool, first, n int) *Batch {
	t := &s.batch
	*t = Batch{Q: s.q, DQ: s.dq}
	if fast {
		t.DDQ = s.ddq
	}
	spread := func(to, from [][]float64) [][]float64 {
		if from == nil {
			return nil
		}
		for k := range to {
			to[k] = s.zeros[:n]
		}
		for i := range c.rows {
			to[c.rows[i].row] = from[i][first : first+n]
		}
		return to
	}
	t.Load, t.Current = spread(s.load, in.Load), spread(s.current, in.Current)
	for k, v := range in.Wrench {
		if v != nil {
			t.Wrench[k] = v[first : first+n]
		}
	}
	if in.Carried != nil {
		t.Carried = in.Carried[first : first+n]
	}
	return t
}

// resize sets the number of samples. The columns of driven joints are lent anew
// for every batch of lanes.
func (s *closedState) resize(n int) {
	s.block.Rows = n
	for _, list := range s.dependent {
		for k := range list {
			list[k] = list[k][:n]
		}
	}
	for _, list := range [][][]float64{s.q, s.dq, s.ddq, s.gains, s.turns} {
		for k := range list {
			list[k] = list[k][:n]
		}
	}
}

// follow closes the loops at n samples and returns how many it could.
func (c *closing) follow(s *closedState, in *Batch, fast bool, first, n int) int {
	t := s.tracker
	to, rates, accs := s.at[0], s.at[1], s.at[2]
	sq, sv, sa := t.State()
	for l := range n {
		for i := range to {
			to[i], rates[i] = in.Q[i][first+l], in.DQ[i][first+l]
			if fast {
				accs[i] = in.DDQ[i][first+l]
			}
		}
		var err error
		if first+l == 0 {
			err = t.Seek(to)
		} else {
			err = t.Move(to)
		}
		if err != nil {
			s.err = &SampleError{first + l, err}
			return l
		}
		t.Motion(rates, accs)
		for k := range sq {
			s.q[k][l], s.dq[k][l], s.ddq[k][l] = sq[k], sv[k], sa[k]
		}
		for p, g := range t.Gains() {
			s.gains[p][l] = g
		}
		if s.turns != nil {
			for p, g := range t.GainRates() {
				s.turns[p][l] = g
			}
		}
	}
	return n
}

// spoil marks rows that could not be computed.
func (b *Block) spoil(from int) {
	for _, cols := range b.Joint {
		for _, col := range cols {
			lanes.Fill(col[from:b.Rows], math.NaN())
		}
	}
}

// lend has the tree write the row of a driven joint where it belongs.
func (p *projection) lend(cols [][]float64, tree *Block, first, n int) {
	own := tree.Joint[p.row]
	for c, at := range p.own {
		own[c] = cols[at][first : first+n]
	}
}

// clear empties the columns that the tree's row does not fill.
func (p *projection) clear(cols [][]float64, first, n int) {
	for _, at := range p.zero {
		clear(cols[at][first : first+n])
	}
}

// project adds the rows of the dependent joints, times their weights and a sign,
// to that of a driven one.
func (p *projection) project(cols [][]float64, tree *Block, weights [][]float64, sign float64, first, n int) {
	for _, a := range p.add {
		g := weights[a.gain][:n]
		for c, at := range a.at {
			dst, src := cols[at][first:first+n], tree.Joint[a.row][c][:n]
			for i, v := range g {
				dst[i] += sign * v * src[i]
			}
		}
	}
}
