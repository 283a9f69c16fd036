package regressor

import (
	"fmt"
	"maps"
	"slices"

	"ident/robot"
)

// Lanes is the number of samples that the recursion carries at once. The
// working set of a 7-joint arm then stays in the first- and second-level cache.
const Lanes = 64

// Model is an identification model that is linear in its columns' parameters:
// the measured joint torques of a sample are Y·χ. It is immutable and safe for
// concurrent use; each goroutine brings its own Workspace and Block.
type Model struct {
	columns  []Column
	links    []linkPlan
	drives   []drivePlan
	rotors   []rotorPlan
	wrenches []wrenchPlan
	contacts []contactPlan
	needs    Need
	coords   []int   // link of each coordinate (row)
	mask     [][]int // per row: columns that can be non-zero, ascending
	gravity  [3]float64
	loops    *closing  // of a robot with closed loops, else nil
	programs *programs // of a compiled model, else nil
}

// linkPlan says what the recursion does at one link.
type linkPlan struct {
	kind       robot.Kind
	antecedent int
	r          [3][3]float64
	p          [3]float64
	coord      int // coordinate that moves the joint, -1 for a fixed one
	ratio      float64
	offset     float64
	rows       []rowPlan // coordinates that move this link, ascending
	own        bool      // this joint alone has its coordinate: its screw here is the unit z
	params     []slot    // inertial columns of the link that the model keeps
	payload    []slot    // of a payload on it
	used       bool      // some column needs this link or one that it carries
}

// rowPlan is one coordinate that moves a link.
type rowPlan struct {
	coord   int
	before  int // position of the same coordinate in the antecedent's rows, -1 if it starts here
	at      []int
	payload []int
}

// slot is one kept inertial column.
type slot struct{ param, column int }

// drivePlan is a column of a term of joints.
type drivePlan struct {
	term    Term
	law     law
	column  int
	offset  float64  // of the drive's coordinate
	speed   float64  // Stribeck velocity
	weights []weight // over coordinates
	at      []int    // position of the column in each weight's row block
}

type weight struct {
	coord int
	w     float64
}

// NewDynamic builds the dynamic (torque) model of a robot with the given
// terms. Rows are the robot's independent moving joints in link order; a joint
// that mimics another adds its row, times the ratio, to that joint's. Of a
// robot with closed loops rows are the driven joints, and those of the tree are
// projected on them at every sample.
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
	m := &Model{columns: columns, gravity: r.Gravity}
	follows := map[int]robot.Mimic{}
	for _, f := range r.Mimics {
		follows[f.Joint] = f
	}
	shared := map[int]bool{}
	for j := range r.Links {
		l := &r.Links[j]
		p := linkPlan{kind: l.Joint.Kind, antecedent: l.Antecedent, r: l.Placement.R, p: l.Placement.P, coord: -1, ratio: 1}
		if _, mimic := follows[j]; p.kind != robot.Fixed && !mimic {
			p.coord = len(m.coords)
			m.coords = append(m.coords, j)
		}
		m.links = append(m.links, p)
	}
	for j, f := range follows {
		lead := m.links[f.Of].coord
		m.links[j].coord, m.links[j].ratio, m.links[j].offset = lead, f.Multiplier, f.Offset
		shared[lead] = true
	}
	for j := range m.links {
		p := &m.links[j]
		if i := p.antecedent; i >= 0 {
			for k, row := range m.links[i].rows {
				p.rows = append(p.rows, rowPlan{coord: row.coord, before: k})
			}
		}
		if p.coord < 0 {
			continue
		}
		p.own = !shared[p.coord]
		if k := slices.IndexFunc(p.rows, func(w rowPlan) bool { return w.coord == p.coord }); k < 0 {
			p.rows = append(p.rows, rowPlan{coord: p.coord, before: -1})
			slices.SortFunc(p.rows, func(a, b rowPlan) int { return a.coord - b.coord })
		}
	}
	if err := m.plan(r, terms); err != nil {
		return nil, err
	}
	return m, nil
}

// plan makes the columns' slots and drives, then lays out the blocks.
func (m *Model) plan(r *robot.Robot, terms []Term) error {
	for c, col := range m.columns {
		p := &m.links[col.Link]
		switch col.Term {
		case Links:
			p.params = append(p.params, slot{col.Param, c})
			continue
		case Payload:
			p.payload = append(p.payload, slot{col.Param, c})
			continue
		case Ir:
			m.rotors = append(m.rotors, m.newRotor(r, c, col.Link))
			continue
		case Wrench:
			m.wrenches = append(m.wrenches, newWrench(r, c, col.Link, col.Param))
			continue
		case Contact:
			t := terms[slices.IndexFunc(terms, func(t Term) bool { return t.Name() == Contact })]
			p, err := m.newContact(r, t, c, col.Param)
			if err != nil {
				return err
			}
			m.contacts = append(m.contacts, p)
			continue
		}
		decl, _ := lookup(col.Term)
		d := drivePlan{term: col.Term, law: decl.params[col.Param].law, column: c, offset: p.offset, weights: []weight{{p.coord, p.ratio}}}
		if col.Drive > 0 {
			d.weights, d.offset = d.weights[:0], 0
			drive := r.Drives[col.Drive-1]
			for _, l := range slices.Sorted(maps.Keys(drive.Weights)) {
				if l < 0 || l >= len(m.links) || m.links[l].coord < 0 {
					return fmt.Errorf("robot %q: the drive at joint %q acts on link number %d, which has no moving joint", r.Name, col.Owner, l+1)
				}
				d.weights = append(d.weights, weight{m.links[l].coord, drive.Weights[l] * m.links[l].ratio})
				d.offset += drive.Weights[l] * m.links[l].offset
			}
		}
		if col.Term == Stribeck || col.Term == StribeckV {
			v, err := StribeckVelocities(r, terms[slices.IndexFunc(terms, func(t Term) bool { return t.Name() == col.Term })])
			if err != nil {
				return err
			}
			d.speed = v[p.coord]
		}
		m.drives = append(m.drives, d)
	}
	m.layout()
	return nil
}

// layout works out which columns each row can see and where they go in its
// block, and which links the recursion can leave out.
func (m *Model) layout() {
	at := make([][]int, len(m.coords)) // per row and column: position in the block, -1 for none
	for k := range at {
		at[k] = make([]int, len(m.columns))
		for c := range at[k] {
			at[k][c] = -1
		}
	}
	for j := range m.links {
		for _, sl := range slices.Concat(m.links[j].params, m.links[j].payload) {
			for _, row := range m.links[j].rows {
				at[row.coord][sl.column] = 0
			}
		}
	}
	for _, d := range m.drives {
		for _, w := range d.weights {
			at[w.coord][d.column] = 0
		}
	}
	for _, p := range m.rotors {
		for _, c := range p.coords {
			at[c][p.column] = 0
		}
		if p.carrier >= 0 {
			m.links[p.carrier].used = true
		}
	}
	for _, p := range m.wrenches {
		for _, row := range m.links[p.link].rows {
			at[row.coord][p.column] = 0
		}
		m.links[p.link].used = true
	}
	for _, p := range m.contacts {
		for _, row := range m.links[p.link].rows {
			at[row.coord][p.column] = 0
		}
		m.links[p.link].used = true
	}
	m.mask = make([][]int, len(m.coords))
	for k := range at {
		for c := range at[k] {
			if at[k][c] == 0 {
				at[k][c] = len(m.mask[k])
				m.mask[k] = append(m.mask[k], c)
			}
		}
	}
	for j := len(m.links) - 1; j >= 0; j-- {
		p := &m.links[j]
		p.used = p.used || len(p.params) > 0 || len(p.payload) > 0
		if p.used && p.antecedent >= 0 {
			m.links[p.antecedent].used = true
		}
		for i := range p.rows {
			p.rows[i].at = make([]int, len(p.params))
			for s, sl := range p.params {
				p.rows[i].at[s] = at[p.rows[i].coord][sl.column]
			}
			p.rows[i].payload = make([]int, len(p.payload))
			for s, sl := range p.payload {
				p.rows[i].payload[s] = at[p.rows[i].coord][sl.column]
			}
		}
	}
	for i := range m.drives {
		d := &m.drives[i]
		d.at = make([]int, len(d.weights))
		for k, w := range d.weights {
			d.at[k] = at[w.coord][d.column]
		}
	}
	for i := range m.rotors {
		p := &m.rotors[i]
		p.at = make([]int, len(p.coords))
		for k, c := range p.coords {
			p.at[k] = at[c][p.column]
		}
	}
	for i := range m.contacts {
		p := &m.contacts[i]
		p.at = nil
		for _, row := range m.links[p.link].rows {
			p.at = append(p.at, at[row.coord][p.column])
		}
	}
	for i := range m.wrenches {
		p := &m.wrenches[i]
		p.at = p.at[:0:0]
		for _, row := range m.links[p.link].rows {
			p.at = append(p.at, at[row.coord][p.column])
		}
	}
	m.needs = 0
	for i, c := range m.columns {
		if i == 0 || c.Term != m.columns[i-1].Term {
			d, _ := lookup(c.Term)
			m.needs |= d.needs
		}
	}
}

// Columns describes the columns in order.
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

// JointLinks returns the link index of each row's joint.
func (m *Model) JointLinks() []int { return m.coords }

// Needs tells what the model's terms want of a batch beside the motion.
func (m *Model) Needs() Need { return m.needs }

// Mask returns, for the block of one joint, the model's columns that can be
// non-zero in it, ascending. The caller must not change it.
func (m *Model) Mask(joint int) []int { return m.mask[joint] }

// Select returns the model with only the given columns, ascending; base
// regressors are made this way. The cost of evaluation falls with the columns.
func (m *Model) Select(columns []int) *Model {
	if !slices.IsSorted(columns) {
		panic("regressor: Select wants ascending columns")
	}
	if m.loops != nil {
		c := *m.loops
		c.tree = c.tree.Select(columns)
		return c.model()
	}
	s := &Model{gravity: m.gravity, coords: m.coords, links: slices.Clone(m.links)}
	keep := map[int]int{}
	for i, c := range columns {
		s.columns = append(s.columns, m.columns[c])
		keep[c] = i
	}
	for j := range s.links {
		p := &s.links[j]
		p.used, p.params, p.rows = false, nil, slices.Clone(p.rows)
		for _, sl := range m.links[j].params {
			if n, ok := keep[sl.column]; ok {
				p.params = append(p.params, slot{sl.param, n})
			}
		}
		p.payload = nil
		for _, sl := range m.links[j].payload {
			if n, ok := keep[sl.column]; ok {
				p.payload = append(p.payload, slot{sl.param, n})
			}
		}
	}
	for _, d := range m.drives {
		if n, ok := keep[d.column]; ok {
			d.column = n
			s.drives = append(s.drives, d)
		}
	}
	for _, p := range m.rotors {
		if n, ok := keep[p.column]; ok {
			p.column = n
			s.rotors = append(s.rotors, p)
		}
	}
	for _, p := range m.wrenches {
		if n, ok := keep[p.column]; ok {
			p.column = n
			s.wrenches = append(s.wrenches, p)
		}
	}
	for _, p := range m.contacts {
		if n, ok := keep[p.column]; ok {
			p.column = n
			s.contacts = append(s.contacts, p)
		}
	}
	s.layout()
	return s
}

// Block holds the rows of a batch, one dense block a joint: column c of
// Mask(k) is Joint[k][c], with one entry a sample.
type Block struct {
	Rows  int
	Joint [][][]float64
	store []float64
	cap   int
}

// NewBlock allocates a block for up to rows samples of the model.
func (m *Model) NewBlock(rows int) *Block {
	b := &Block{cap: rows}
	total := 0
	for _, mask := range m.mask {
		total += len(mask)
	}
	b.store = make([]float64, total*rows)
	at := 0
	for _, mask := range m.mask {
		cols := make([][]float64, len(mask))
		for c := range cols {
			cols[c] = b.store[at : at+rows : at+rows]
			at += rows
		}
		b.Joint = append(b.Joint, cols)
	}
	b.Resize(rows)
	return b
}

// Resize sets the number of rows, up to what the block was made for.
func (b *Block) Resize(rows int) {
	if rows > b.cap {
		panic(fmt.Sprintf("regressor: block for %d rows cannot hold %d", b.cap, rows))
	}
	b.Rows = rows
	for _, cols := range b.Joint {
		for c := range cols {
			cols[c] = cols[c][:rows]
		}
	}
}

// checkBatch panics where the batch's slices do not fit the model.
func (m *Model) checkBatch(what string, v [][]float64, rows int) {
	if len(v) != len(m.coords) {
		panic(fmt.Sprintf("regressor: %s has %d joints, the model %d", what, len(v), len(m.coords)))
	}
	for k := range v {
		if len(v[k]) != rows {
			panic(fmt.Sprintf("regressor: %s of joint %d has %d samples, the block %d", what, k+1, len(v[k]), rows))
		}
	}
}
