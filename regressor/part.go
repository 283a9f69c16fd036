package regressor

import (
	"slices"

	"ident/robot"
)

// part is a group of columns that are computed together, of one kind of term: the
// body of a link, a payload on it, a law of a drive, a rotor, a channel of a measured
// wrench, the force along a contact's normal. All are evaluated on the samples of
// the workspace; columns of different parts are disjoint.
type part interface {
	where() *placement
	// with returns a copy of the part that has only the given columns.
	with(p placement) part
	// torque fills the part's columns of Y.
	torque(b *Block, ws *Workspace)
	// momentum fills the part's columns of D1 and D2.
	momentum(d1, d2 *Block, ws *Workspace)
	// energy fills the part's columns of the energy regressor: the energy where
	// stores is true, else the power.
	energy(h *Block, ws *Workspace)
	stores() bool
}

// differentiable is a part with an adjoint: from the derivatives gamma of a sum by
// the entries of Y it adds those by the motion to ad, at the samples at hand. Parts
// that need the motion of a link are called with one sample.
type differentiable interface {
	adjoint(gamma *Block, ad *Adjoint)
}

// placement lists the columns of a part and their positions in a Block.
type placement struct {
	link    int     // link whose motion the part needs, -1 for none
	columns []int   // of the model, ascending
	params  []int   // Column.Param of each
	coords  []int   // rows in which the columns can be non-zero
	at      [][]int // at[i][c]: position of columns[c] in the block of coords[i]
}

func (p *placement) where() *placement { return p }

// column returns the current samples of columns[c] in the block of coords[i].
func (p *placement) column(b *Block, i, c int, ws *Workspace) []float64 {
	return ws.cut(b.Joint[p.coords[i]][p.at[i][c]])
}

// clear zeroes the part's columns.
func (p *placement) clear(b *Block, ws *Workspace) {
	for i := range p.coords {
		for c := range p.columns {
			clear(p.column(b, i, c, ws))
		}
	}
}

// keep returns the placement of a part in a selection of columns; place maps kept columns to their new indices.
func (p *placement) keep(place map[int]int) placement {
	kept := placement{link: p.link, coords: p.coords}
	for i, c := range p.columns {
		if n, ok := place[c]; ok {
			kept.columns, kept.params = append(kept.columns, n), append(kept.params, p.params[i])
		}
	}
	return kept
}

// partsOf returns the parts of a model's columns, from the declarations of their terms.
func (c *chain) partsOf(r *robot.Robot, columns []Column, terms []Term) ([]part, error) {
	var parts []part
	var d declaration
	for i, col := range columns {
		if i == 0 || columns[i-1].Term != col.Term {
			d, _ = lookup(col.Term)
		}
		if i > 0 && d.together && columns[i-1].Term == col.Term && columns[i-1].Link == col.Link && columns[i-1].Body == col.Body {
			at := parts[len(parts)-1].where()
			at.columns, at.params = append(at.columns, i), append(at.params, col.Param)
			continue
		}
		newPart := d.part
		if newPart == nil {
			newPart = newDrive
		}
		p, err := newPart(c, r, col, terms[slices.IndexFunc(terms, func(t Term) bool { return t.Name() == col.Term })])
		if err != nil {
			return nil, err
		}
		at := p.where()
		at.columns, at.params = []int{i}, []int{col.Param}
		parts = append(parts, p)
	}
	return parts, nil
}

// layout orders the parts, computes the mask of each row and the positions of the
// columns in its block, and marks the links whose motion is needed.
func (m *Model) layout() {
	// Parts come after the links that they need; those that need none are last.
	slices.SortStableFunc(m.parts, func(a, b part) int {
		i, j := a.where().link, b.where().link
		switch {
		case i == j:
			return 0
		case i < 0 || j < 0:
			return j - i
		}
		return i - j
	})
	at := make([][]int, len(m.coords)) // per row and column: position in the block, -1 for none
	for k := range at {
		at[k] = slices.Repeat([]int{-1}, len(m.columns))
	}
	m.used = make([]bool, len(m.chain.links))
	for _, part := range m.parts {
		p := part.where()
		if p.link >= 0 {
			m.used[p.link] = true
		}
		for _, k := range p.coords {
			for _, c := range p.columns {
				at[k][c] = 0
			}
		}
	}
	for j := len(m.chain.links) - 1; j >= 0; j-- {
		if i := m.chain.links[j].antecedent; m.used[j] && i >= 0 {
			m.used[i] = true
		}
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
	for _, part := range m.parts {
		p := part.where()
		p.at = make([][]int, len(p.coords))
		for i, k := range p.coords {
			for _, c := range p.columns {
				p.at[i] = append(p.at[i], at[k][c])
			}
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
