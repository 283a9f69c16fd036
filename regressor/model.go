package regressor

import (
	"fmt"
	"slices"

	"ident/robot"
)

// Lanes is the number of samples that the recursion processes at once. The working set of a 7-joint arm then fits into
// the first- and second-level cache.
const Lanes = 64

// Model is an identification model linear in its parameters: the joint torques of a sample are Y·χ. It is immutable and
// safe for concurrent use; each goroutine must bring its own Workspace and Block.
type Model struct {
	columns  []Column
	chain    chain
	used     []bool // per link: some column needs the motion of this link or of one that it carries
	parts    []part // ordered by the link that they need, those that need none last
	needs    Need
	coords   []int     // link of each coordinate (row)
	mask     [][]int   // per row: columns that can be non-zero, ascending
	loops    *closing  // of a robot with closed loops, else nil
	programs *programs // of a compiled model, else nil
}

// NewDynamic builds the dynamic (torque) model of a robot with the given terms. Its rows are the independent moving
// joints in link order; a joint that mimics another adds its row, times the ratio, to that joint's. With closed loops,
// rows are the driven joints, onto which those of the tree are projected at every sample.
func NewDynamic(r *robot.Robot, terms []Term) (*Model, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	if r.Closed() {
		return newClosed(r, terms)
	}
	columns, err := columnsOf(r, terms)
	if err != nil {
		return nil, fmt.Errorf("robot %q: %w", r.Name, err)
	}
	m := &Model{columns: columns}
	m.chain, m.coords = newChain(r)
	if m.parts, err = m.chain.partsOf(r, columns, terms); err != nil {
		return nil, err
	}
	m.layout()
	return m, nil
}

// Columns describes the columns in order. The slice is the model's own: the caller
// must not change it.
func (m *Model) Columns() []Column { return m.columns }

// Names returns the columns' names in order.
func (m *Model) Names() []string {
	names := make([]string, len(m.columns))
	for i, c := range m.columns {
		names[i] = c.Name
	}
	return names
}

// Joints returns the number of rows of one sample.
func (m *Model) Joints() int { return len(m.coords) }

// JointLinks returns the link index of each row's joint. The slice is the model's own:
// the caller must not change it.
func (m *Model) JointLinks() []int { return m.coords }

// Needs returns the channels, other than the motion, that the model's terms need.
func (m *Model) Needs() Need { return m.needs }

// Mask returns, for the block of one joint, the model's columns that can be
// non-zero in it, ascending. The caller must not change it.
func (m *Model) Mask(joint int) []int { return m.mask[joint] }

// Select returns the model with only the given columns, which must be ascending; base regressors are made this way.
// Evaluation becomes cheaper with fewer columns.
func (m *Model) Select(columns []int) *Model {
	if !slices.IsSorted(columns) {
		panic("regressor: Select wants ascending columns")
	}
	if m.loops != nil {
		c := *m.loops
		c.tree = c.tree.Select(columns)
		return c.model()
	}
	s := &Model{chain: m.chain, coords: m.coords}
	place := map[int]int{}
	for i, c := range columns {
		s.columns = append(s.columns, m.columns[c])
		place[c] = i
	}
	for _, p := range m.parts {
		if kept := p.where().keep(place); len(kept.columns) > 0 {
			s.parts = append(s.parts, p.with(kept))
		}
	}
	s.layout()
	return s
}
