package loops

import "math"

// Drive is a motion of the driven joints: a slice of samples each. DDQ may be
// nil, where accelerations are not wanted.
type Drive struct{ Q, DQ, DDQ [][]float64 }

// Path is where Follow leaves a motion of the tree: a slice of samples for each
// of its coordinates, and for each of Pairs the entry of G and, unless Turns is
// nil, its rate. Samples of a Follow begin at the slices' first.
type Path struct{ Q, DQ, DDQ, Gains, Turns [][]float64 }

const (
	// The farthest that driven joints go from one sample to the next, rad or
	// units of length, for the formulas to follow without Newton's steps.
	formulaStep = pathStep / 2
	// How far an angle may be from where G takes it from the sample before. The
	// other way of closing is at least twice the slimmest angle off; what steps
	// that short leave to the second derivative is a tenth of that.
	formulaMiss = slimmest / 2
	// The formulas and Newton's method are at the same assembly if they agree to
	// this, far above rounding and far below the distance of assemblies.
	sameAssembly = 1e-6
)

// Follow closes the loops at n samples of a motion from sample first on, and
// returns how many it could, with a *TrackError if those are not all. Anew, it
// begins with Seek, else where the last one ended. Loops that have explicit
// formulas, see Explicit, are closed by these wherever they hold and the path is
// sure, and by Move elsewhere. Gains and State are not those of the last sample
// afterwards.
func (t *Tracker) Follow(p *Path, m Drive, first, n int, anew bool) (int, error) {
	e, x := t.formulas, &t.scratch
	if e != nil {
		e.run(x, p, &m, first, n)
	}
	for l := range n {
		for i := range t.trialTo {
			t.trialTo[i] = m.Q[i][first+l]
		}
		if !(anew && l == 0) && t.sure && t.byFormula(p, l) {
			t.stale = true
		} else {
			var err error
			if anew && l == 0 {
				err = t.Seek(t.trialTo)
			} else {
				err = t.Move(t.trialTo)
			}
			if err != nil {
				return l, err
			}
			t.byNewton(p, &m, first, l)
			t.sure = e != nil && t.agree(l)
		}
		for k, v := range t.q[:t.c.dof] {
			p.Q[k][l] = v
		}
		for i, k := range t.driven {
			p.DQ[k][l] = m.DQ[i][first+l]
			if m.DDQ != nil {
				p.DDQ[k][l] = m.DDQ[i][first+l]
			}
		}
	}
	if e != nil && n > 0 {
		for i, g := range p.Gains {
			x.last[i] = g[n-1]
		}
	}
	return n, nil
}

// Explicit tells whether all loops have formulas: each plane, with three
// revolute joints that the driven ones, and loops before it, leave to be found;
// or a coupling.
func (t *Tracker) Explicit() bool { return t.formulas != nil }

// byFormula takes sample l from the formulas; it returns false, and stays where
// it was, if they do not hold there or may have changed the assembly.
func (t *Tracker) byFormula(p *Path, l int) bool {
	e, x := t.formulas, &t.scratch
	for _, g := range x.vectors[:e.guards] {
		if !(g[l] > 0) {
			return false
		}
	}
	for i, k := range t.driven {
		if !(math.Abs(t.trialTo[i]-t.at[i]) <= formulaStep*t.c.unit[k]) {
			return false
		}
	}
	vectors := x.vectors[e.guards:]
	for i := range e.angles {
		a := &e.angles[i]
		near := t.q[a.coord]
		angle := upTo(math.Atan2(vectors[2*i+1][l], vectors[2*i][l]), near)
		if len(a.pairs) > 0 {
			for _, g := range a.pairs {
				d := t.pairs[g].Driven
				gain := x.last[g]
				if l > 0 {
					gain = p.Gains[g][l-1]
				}
				near += gain * (t.trialTo[d] - t.at[d])
			}
			if !(math.Abs(angle-near) <= formulaMiss) {
				return false
			}
		}
		x.next[i] = angle
	}
	for i := range e.angles {
		t.q[e.angles[i].coord] = x.next[i]
	}
	vectors = vectors[2*len(e.angles):]
	for i, k := range e.plain {
		t.q[k] = vectors[i][l]
	}
	for i, k := range t.driven {
		t.q[k] = t.trialTo[i]
	}
	copy(t.at, t.trialTo)
	return true
}

// byNewton copies the state that Move led to.
func (t *Tracker) byNewton(p *Path, m *Drive, first, l int) {
	for i := range t.driven {
		t.rates[i] = m.DQ[i][first+l]
		if m.DDQ != nil {
			t.accs[i] = m.DDQ[i][first+l]
		}
	}
	t.Motion(t.rates, t.accs)
	for k := range t.c.dof {
		p.DQ[k][l], p.DDQ[k][l] = t.dq[k], t.ddq[k]
	}
	for i, g := range t.gains {
		p.Gains[i][l] = g
	}
	if p.Turns != nil {
		for i, g := range t.GainRates() {
			p.Turns[i][l] = g
		}
	}
}

// agree tells whether the formulas hold at the state of sample l.
func (t *Tracker) agree(l int) bool {
	e, x := t.formulas, &t.scratch
	for _, g := range x.vectors[:e.guards] {
		if !(g[l] > 0) {
			return false
		}
	}
	vectors := x.vectors[e.guards:]
	for i := range e.angles {
		at := t.q[e.angles[i].coord]
		if !(math.Abs(upTo(math.Atan2(vectors[2*i+1][l], vectors[2*i][l]), at)-at) < sameAssembly) {
			return false
		}
	}
	return true
}
