package regressor

import (
	"slices"

	"ident/mechanics/loops"
)

// eval is EvalBatch for closed loops. Every batch starts at a state of the model, so its rows do not depend on earlier
// batches.
func (c *closing) eval(b *Block, in *Batch, ws *Workspace) {
	s := ws.closed
	c.along(in, b.Rows, s, true, func(tree *Batch, first, n int) {
		for i := range c.rows {
			c.rows[i].alias(b.Joint[i], s.block, first, n)
		}
		c.tree.EvalBatch(s.block, *tree, s.tree)
		for i := range c.rows {
			c.rows[i].project(b.Joint[i], s.block, s.jacobian, first, n)
		}
	}, b)
}

// energy is EvalEnergy: energies and powers are those of the tree.
func (c *closing) energy(h *Block, in *Batch, ws *Workspace) {
	s, columns := ws.closed, h.Joint[0]
	part := &Block{Joint: [][][]float64{make([][]float64, len(columns))}}
	c.along(in, h.Rows, s, false, func(tree *Batch, first, n int) {
		for k := range columns {
			part.Joint[0][k] = columns[k][first : first+n]
		}
		part.Rows = n
		c.tree.EvalEnergy(part, *tree, s.tree)
	}, h)
}

// momentum is EvalMomentum: with τ_a = Gᵀ·τ,
//
//	D1_a = Gᵀ·D1,  D2_a = Gᵀ·D2 − Ġᵀ·D1
func (c *closing) momentum(d1, d2 *Block, in *Batch, ws *Workspace) {
	s := ws.closed
	if s.second == nil {
		s.second = c.tree.NewBlock(Lanes)
		s.jacobianRate = rows(len(s.jacobian))
		for k, cols := range s.second.Joint {
			if !slices.Contains(c.tracker.Driven(), k) {
				s.dependent = append(s.dependent, cols)
			}
		}
	}
	c.along(in, d1.Rows, s, false, func(tree *Batch, first, n int) {
		s.second.Rows = n
		for i := range c.rows {
			c.rows[i].alias(d1.Joint[i], s.block, first, n)
			c.rows[i].alias(d2.Joint[i], s.second, first, n)
		}
		c.tree.EvalMomentum(s.block, s.second, *tree, s.tree)
		for i := range c.rows {
			p := &c.rows[i]
			p.project(d1.Joint[i], s.block, s.jacobian, first, n)
			p.project(d2.Joint[i], s.second, s.jacobian, first, n)
			p.subtractRates(d2.Joint[i], s.block, s.jacobianRate, first, n)
		}
	}, d1, d2)
}

// along closes the loops at the samples of a batch, Lanes at a time, and calls use with the tree's batch. If they cannot
// be closed at a sample, the blocks' rows from it on become NaN.
func (c *closing) along(in *Batch, rows int, s *closedState, accelerations bool, use func(tree *Batch, first, n int), blocks ...*Block) {
	s.err = nil
	for first := 0; first < rows && s.err == nil; first += Lanes {
		n := min(Lanes, rows-first)
		s.resize(n)
		if done := c.track(s, in, accelerations, first, n); done < n {
			n = done
			for _, b := range blocks {
				b.invalidate(first + n)
			}
			if n == 0 {
				return
			}
			s.resize(n)
		}
		use(c.batch(s, in, accelerations, first, n), first, n)
	}
}

// batch returns the tree's batch at the tracked samples. Passive joints have zero load, current and states.
func (c *closing) batch(s *closedState, in *Batch, accelerations bool, first, n int) *Batch {
	t := &s.batch
	*t = Batch{Q: s.q, DQ: s.dq}
	if accelerations {
		t.DDQ = s.ddq
	}
	spread := func(to, from [][]float64, several int) [][]float64 {
		if from == nil {
			return nil
		}
		for k := range to {
			to[k] = s.zeros[:n]
		}
		for i := range c.rows {
			for w := range several {
				to[several*c.rows[i].row+w] = from[several*i+w][first : first+n]
			}
		}
		return to
	}
	t.Load, t.Current = spread(s.load, in.Load, 1), spread(s.current, in.Current, 1)
	t.Heat, t.Temperature, t.Presliding = spread(s.heat, in.Heat, 1), spread(s.degrees, in.Temperature, 1), spread(s.presliding, in.Presliding, MaxWidths)
	for k, v := range in.Wrench {
		if v != nil {
			t.Wrench[k] = v[first : first+n]
		}
	}
	for k, v := range in.Contact {
		if v != nil {
			t.Contact[k] = v[first : first+n]
		}
	}
	if in.Time != nil {
		t.Time = in.Time[first : first+n]
	}
	if in.PayloadAttached != nil {
		t.PayloadAttached = in.PayloadAttached[first : first+n]
	}
	return t
}

// resize sets the number of samples. The columns of driven joints are aliases, set anew for every batch of lanes.
func (s *closedState) resize(n int) {
	s.block.Rows = n
	for _, list := range s.dependent {
		for k := range list {
			list[k] = list[k][:n]
		}
	}
	for _, list := range [][][]float64{s.q, s.dq, s.ddq, s.jacobian, s.jacobianRate} {
		for k := range list {
			list[k] = list[k][:n]
		}
	}
}

// track closes the loops at n samples and returns for how many it succeeded.
func (c *closing) track(s *closedState, in *Batch, accelerations bool, first, n int) int {
	drive := loops.Drive{Q: in.Q, DQ: in.DQ}
	if accelerations {
		drive.DDQ = in.DDQ
	}
	path := loops.Path{Q: s.q, DQ: s.dq, DDQ: s.ddq, Jacobian: s.jacobian}
	if !accelerations {
		path.JacobianRate = s.jacobianRate
	}
	done, err := s.along.Track(&path, drive, first, n, first == 0)
	if err != nil {
		s.err = &SampleError{first + done, err}
	}
	return done
}

// alias lets the tree write the row of a driven joint directly into the block.
func (p *projection) alias(cols [][]float64, tree *Block, first, n int) {
	own := tree.Joint[p.row]
	for c, at := range p.own {
		own[c] = cols[at][first : first+n]
	}
}

// project adds the rows of the dependent joints, times their rates relative to the driven one, to its row. Columns that
// the tree's own row lacks are set by the first of them.
func (p *projection) project(cols [][]float64, tree *Block, jacobian [][]float64, first, n int) {
	for _, a := range p.dependent {
		g := jacobian[a.pair][:n]
		for c, at := range a.at {
			dst, src := cols[at][first : first+n][:len(g)], tree.Joint[a.row][c][:len(g)]
			if a.first[c] {
				for i, v := range g {
					dst[i] = v * src[i]
				}
				continue
			}
			for i, v := range g {
				dst[i] += v * src[i]
			}
		}
	}
}

// subtractRates subtracts the rows of the dependent joints times the rates of G.
func (p *projection) subtractRates(cols [][]float64, tree *Block, jacobianRate [][]float64, first, n int) {
	for _, a := range p.dependent {
		g := jacobianRate[a.pair][:n]
		for c, at := range a.at {
			dst, src := cols[at][first : first+n][:len(g)], tree.Joint[a.row][c][:len(g)]
			for i, v := range g {
				dst[i] -= v * src[i]
			}
		}
	}
}
