package feet

import "gonum.org/v1/gonum/mat"

// Force finds the force of the ground on a foot from joint torques: the F with the least squares of Jᵀ·F − τ over the joints that
// move the foot. τ is what the bodies need less what the drives give, so the legs' rows alone are used and no motion of the base.
type Force struct {
	a *mat.SymDense
	y *mat.VecDense
}

// NewForce returns a Force of n components, three of a point or six of a sole, without joints.
func NewForce(n int) *Force {
	f := &Force{a: mat.NewSymDense(n, nil), y: mat.NewVecDense(n, nil)}
	for d := range n {
		f.a.SetSym(d, d, 1e-6) // (mm)²: a leg that is stretched carries any force
	}
	return f
}

// Add adds a joint: the foot's velocity by the rate of the joint, and its torque τ.
func (f *Force) Add(velocity []float64, torque float64) {
	v := mat.NewVecDense(len(velocity), velocity)
	f.a.SymRankOne(f.a, 1, v)
	f.y.AddScaledVec(f.y, torque, v)
}

// Value returns the force, zero if the numbers are not finite.
func (f *Force) Value() []float64 {
	x := mat.NewVecDense(f.y.Len(), nil)
	var c mat.Cholesky
	if !c.Factorize(f.a) || c.SolveVecTo(x, f.y) != nil {
		x.Zero()
	}
	return x.RawVector().Data
}
