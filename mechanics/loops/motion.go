package loops

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Motion describes the motions of a closed mechanism's tree at one state. Rates
// and accelerations follow from those of the active coordinates by
//
//	dq_tree = G·dq_a,  ddq_tree = G·ddq_a + (terms in the squares of the rates)
//
// and the tree's joint torques τ_tree act on the drives as Gᵀ·τ_tree.
type Motion struct {
	Q        []float64 // the closed state, cut joints last
	Rank     int       // number of independent constraints
	Mobility int       // number of independent motions
	// Margin is the smallest independent singular value of the constraints as a
	// part of the largest one: near zero the state is nearly singular.
	Margin float64
	// Free has orthonormal columns, in the coordinates' units, that span the
	// rates which keep the loops closed.
	Free *mat.Dense
	// G = ∂q/∂q_a has a row per coordinate of the tree and a column an active one.
	G *mat.Dense

	c *Closure
	s *spectrum
	g *mat.Dense // as G, with the cut joints' rows
}

// Motion returns the motions of the tree at a closed state. It fails where the
// loops are not closed there, or where the active joints do not determine how
// the others move.
func (c *Closure) Motion(q []float64) (*Motion, error) {
	c.check("q", q)
	m, err := c.constraints(q)
	if err != nil {
		return nil, err
	}
	// Rates are Free·y, and the active ones are A·y with A = Free's rows of
	// them: y = A⁺·dq_a.
	n := len(c.unit)
	a := mat.NewDense(len(c.active), m.Mobility, nil)
	for i, k := range c.active {
		for l := range m.Mobility {
			a.Set(i, l, c.unit[k]*m.Free.At(k, l))
		}
	}
	s, ok := decompose(a)
	if ok {
		// Free is orthonormal, so drives that hold everything have a value of
		// one; small ones are small against that, even if they all are.
		s.rank = 0
		for _, v := range s.values {
			if v > rankTolerance*min(1, c.length) {
				s.rank++
			}
		}
	}
	if !ok || s.rank < m.Mobility {
		return nil, fmt.Errorf("robot %q: the loops leave %d motions and the %d active joints determine %d of them at this state: another joint needs a drive, or the state is singular",
			c.robot, m.Mobility, len(c.active), s.rank)
	}
	m.g = mat.NewDense(n, len(c.active), nil)
	unit := make([]float64, len(c.active))
	for i := range c.active {
		unit[i] = 1
		y := s.solve(unit, 0)
		unit[i] = 0
		for k := range n {
			v := 0.0
			for l := range m.Mobility {
				v += m.Free.At(k, l) * y[l]
			}
			m.g.Set(k, i, c.unit[k]*v)
		}
	}
	m.G = m.g.Slice(0, c.dof, 0, len(c.active)).(*mat.Dense)
	return m, nil
}

// constraints returns the free motions at a state, whatever joints are active.
func (c *Closure) constraints(q []float64) (*Motion, error) {
	n := len(c.unit)
	r := make([]float64, 6*len(c.loops))
	poses := c.tree.Poses(q)
	c.mismatch(r, q, poses)
	if res := c.Residual(q); !(res <= closed) {
		return nil, c.open(r, nil)
	}
	s, ok := decompose(c.jacobian(poses, r))
	if !ok {
		return nil, fmt.Errorf("robot %q: the constraints of its loops have no singular value decomposition", c.robot)
	}
	m := &Motion{Q: q, Rank: s.rank, Mobility: n - s.rank, c: c, s: s}
	if m.Mobility == 0 {
		return nil, fmt.Errorf("robot %q: its loops leave no motion: %d constraints hold all %d coordinates", c.robot, s.rank, n)
	}
	if s.rank > 0 {
		m.Margin = s.values[s.rank-1] / s.values[0]
	}
	m.Free = mat.DenseCopyOf(s.v.Slice(0, n, s.rank, n))
	return m, nil
}

// Rates returns the rates of the tree's coordinates from the active ones'.
func (m *Motion) Rates(active []float64) []float64 {
	return m.full(active)[:m.c.dof]
}

// full returns the rates with those of the cut joints.
func (m *Motion) full(active []float64) []float64 {
	if len(active) != len(m.c.active) {
		panic(fmt.Sprintf("loops: %d rates for %d active joints", len(active), len(m.c.active)))
	}
	out := make([]float64, len(m.c.unit))
	mat.NewVecDense(len(out), out).MulVec(m.g, mat.NewVecDense(len(active), active))
	return out
}

// Accelerations returns the accelerations of the tree's coordinates from the
// rates and accelerations of the active ones.
func (m *Motion) Accelerations(rates, accelerations []float64) []float64 {
	return m.fullAccelerations(rates, accelerations)[:m.c.dof]
}

// fullAccelerations returns the accelerations with those of the cut joints.
func (m *Motion) fullAccelerations(rates, accelerations []float64) []float64 {
	bias := m.bias(m.full(rates))
	// One acceleration that keeps the loops closed, then the motion that brings
	// those of the active coordinates to the given ones.
	rest := make([]float64, len(m.c.active))
	for i, k := range m.c.active {
		rest[i] = accelerations[i] - bias[k]
	}
	out := m.full(rest)
	for k := range out {
		out[k] += bias[k]
	}
	return out
}

// FreeRate returns the rate of a coordinate in the l-th free motion.
func (m *Motion) FreeRate(coordinate, l int) float64 {
	return m.c.unit[coordinate] * m.Free.At(coordinate, l)
}

// FreeMotion returns rates and accelerations of the tree's coordinates that
// keep the loops closed, from those along the free motions.
func (m *Motion) FreeMotion(v, a []float64) (rates, accelerations []float64) {
	if len(v) != m.Mobility || len(a) != m.Mobility {
		panic(fmt.Sprintf("loops: %d rates and %d accelerations along %d free motions", len(v), len(a), m.Mobility))
	}
	rates = make([]float64, len(m.c.unit))
	for k := range rates {
		for l, x := range v {
			rates[k] += m.FreeRate(k, l) * x
		}
	}
	accelerations = m.bias(rates)
	for k := range accelerations {
		for l, x := range a {
			accelerations[k] += m.FreeRate(k, l) * x
		}
	}
	return rates[:m.c.dof], accelerations[:m.c.dof]
}

// bias returns the smallest accelerations that keep the loops closed at the
// given rates.
func (m *Motion) bias(dq []float64) []float64 {
	x := m.s.solve(m.drift(dq), 0)
	for k := range x {
		x[k] *= m.c.unit[k]
	}
	return x
}
