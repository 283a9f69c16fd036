package loops

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
	"ident/mechanics/dynamics"
)

// CutForce is the wrench in a cut joint: the force (N) that Loop.Meets exerts on
// Loop.Frame, and the moment (N·m) about the frame's origin, both in the base
// frame's axes. Where a loop is over-constrained it is the smallest one.
type CutForce struct {
	Loop          string
	Force, Moment [3]float64
}

// Forward are the accelerations of a mechanism with loops.
type Forward struct {
	// Accelerations of all coordinates, those of cut joints last.
	Accelerations []float64
	// Forces at the cuts, one a loop. A coupling's has only a Moment, whose first
	// entry is the generalised force that holds it.
	Forces []CutForce
}

// ForwardDynamics returns the accelerations that torques on the coordinates
// (those of passive and of cut joints are usually zero) cause at positions and
// rates: rigid bodies, gravity and rotors, no friction. All take and give
// coordinates with those of cut joints last. With F the free motions, M the mass
// matrix, h the torques of steady rates and gravity,
//
//	q̈ = F·a + b,  FᵀM·F·a = Fᵀ·(τ − h − M·b),  J·b = −J̇·q̇ − 2ω·J·q̇ − ω²·φ
//
// so no joint needs to be driven, and the mass matrix of the tree, which is
// singular at massless frames, need not be inverted. stabilise is ω in 1/s: the
// mismatch φ of the loops then decays as a critically damped oscillator would
// (Baumgarte 1972) rather than grow with the errors of an integrator. Zero is no
// stabilisation.
func (c *Closure) ForwardDynamics(q, dq, tau []float64, stabilise float64) (*Forward, error) {
	c.check("q", q)
	c.check("dq", dq)
	c.check("tau", tau)
	n, rows := len(c.unit), 6*len(c.loops)
	r := make([]float64, rows)
	poses := c.tree.Poses(q)
	c.mismatch(r, q, poses)
	j := c.jacobian(poses, r)
	s, ok := decompose(j)
	if !ok {
		return nil, fmt.Errorf("robot %q: the constraints of its loops have no singular value decomposition", c.robot)
	}
	m := &Motion{Q: q, Rank: s.rank, Mobility: n - s.rank, c: c, s: s}
	rhs := m.drift(dq)
	scaled := make([]float64, n)
	for k, v := range dq {
		scaled[k] = v / c.unit[k]
	}
	var rate mat.VecDense
	rate.MulVec(j, mat.NewVecDense(n, scaled))
	for i := range rhs {
		rhs[i] -= 2*stabilise*rate.AtVec(i) + stabilise*stabilise*r[i]
	}
	acc := s.solve(rhs, 0)
	for k := range acc {
		acc[k] *= c.unit[k]
	}
	mass := make([]float64, n*n)
	c.tree.InertiaMatrix(mass, q)
	rest := make([]float64, n)
	c.tree.InverseDynamics(rest, q, dq, acc)
	for k := range rest {
		rest[k] = tau[k] - rest[k]
	}
	if m.Mobility > 0 {
		free := mat.NewDense(n, m.Mobility, nil)
		for k := range n {
			for l := range m.Mobility {
				free.Set(k, l, c.unit[k]*s.v.At(k, s.rank+l))
			}
		}
		var mf, fmf mat.Dense
		mf.Mul(mat.NewDense(n, n, mass), free)
		fmf.Mul(free.T(), &mf)
		sym := mat.NewSymDense(m.Mobility, nil)
		for a := range m.Mobility {
			for b := a; b < m.Mobility; b++ {
				sym.SetSym(a, b, (fmf.At(a, b)+fmf.At(b, a))/2)
			}
		}
		var chol mat.Cholesky
		if !chol.Factorize(sym) {
			return nil, fmt.Errorf("robot %q: its loops allow a motion that moves no mass, so its acceleration is undetermined: %w", c.robot, dynamics.ErrSingular)
		}
		var f, a, more, lost mat.VecDense
		f.MulVec(free.T(), mat.NewVecDense(n, rest))
		if err := chol.SolveVecTo(&a, &f); err != nil {
			return nil, fmt.Errorf("robot %q: %w: %w", c.robot, dynamics.ErrSingular, err)
		}
		more.MulVec(free, &a)
		lost.MulVec(mat.NewDense(n, n, mass), &more)
		for k := range acc {
			acc[k] += more.AtVec(k)
			rest[k] -= lost.AtVec(k)
		}
	}
	return &Forward{Accelerations: acc, Forces: c.forces(s, rest)}, nil
}

// forces solves Jᵀ·λ = −rest, where rest are the torques that the motion leaves
// unexplained, and turns λ into forces at the cuts.
func (c *Closure) forces(s *spectrum, rest []float64) []CutForce {
	lambda := make([]float64, 6*len(c.loops))
	for k := range s.rank {
		d := 0.0
		for i, v := range rest {
			d -= v * c.unit[i] * s.v.At(i, k)
		}
		for i := range lambda {
			lambda[i] += d / s.values[k] * s.u.At(i, k)
		}
	}
	return c.cutForces(lambda)
}

// cutForces gives multipliers of the mismatch as forces.
func (c *Closure) cutForces(lambda []float64) []CutForce {
	out := make([]CutForce, len(c.loops))
	for i, l := range c.loops {
		out[i].Loop = l.name
		for k := range 3 {
			if l.linear == nil {
				out[i].Force[k], out[i].Moment[k] = lambda[6*i+k]/c.length, lambda[6*i+3+k]
			} else if k == 0 {
				out[i].Moment[0] = lambda[6*i]
			}
		}
	}
	return out
}

// Project closes the loops of a state that an integrator has let open a little,
// and removes the part of its rates that would open them: the nearest state and
// rates, in units. It is exact where stabilisation only keeps the mismatch small.
func (c *Closure) Project(q, dq []float64) (closedQ, closedDQ []float64, err error) {
	c.check("dq", dq)
	if closedQ, err = c.Close(q, nil); err != nil {
		return nil, nil, err
	}
	m, err := c.constraints(closedQ)
	if err != nil {
		return nil, nil, err
	}
	closedDQ = make([]float64, len(dq))
	for l := range m.Mobility {
		y := 0.0
		for k, v := range dq {
			y += v / c.unit[k] * m.Free.At(k, l)
		}
		for k := range closedDQ {
			closedDQ[k] += c.unit[k] * m.Free.At(k, l) * y
		}
	}
	return closedQ, closedDQ, nil
}

// drift returns the accelerations that constraints ask of their rows at steady
// rates, −J̇·q̇.
func (m *Motion) drift(dq []float64) []float64 {
	c := m.c
	acc := c.tree.Accelerations(m.Q, dq, make([]float64, len(dq)))
	r := make([]float64, 6*len(c.loops))
	for i, l := range c.loops {
		if l.linear != nil {
			continue
		}
		a, b := &acc[l.frame], &acc[l.meets]
		dv, dw := spatial.Sub(a.Linear, b.Linear), spatial.Sub(a.Angular, b.Angular)
		for k := range 3 {
			if r[6*i+k] = -dv[k] / c.length; !l.spherical {
				r[6*i+3+k] = -dw[k]
			}
		}
	}
	return r
}
