package kinematics

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
)

// reached is the largest entry of the difference of two poses that are the same, lengths in units of reach: a
// product of some ten frames is in error by 1e-15, and a solution next to a singular state loses half of the
// digits that separate it from the state, but not of the pose.
const reached = 1e-11

// follower moves joints until a goal is reached: damped least squares (Levenberg 1944,
// Marquardt 1963) on the goal's error, lengths in units of the reach.
type follower struct {
	tree     *Tree
	goal     Goal
	pose     *Pose
	jacobian Jacobian
	held     []bool // coordinates that stay
	rows     []int  // components asked
	error    []float64
	a        *mat.Dense
}

func (t *Tree) newFollower(g Goal, held []bool) *follower {
	f := &follower{tree: t, goal: g, pose: t.NewPose(), jacobian: make(Jacobian, t.dof), held: held}
	for i, on := range g.Mask {
		if on {
			f.rows = append(f.rows, i)
		}
	}
	f.error = make([]float64, len(f.rows))
	f.a = mat.NewDense(len(f.rows), t.dof, nil)
	return f
}

// residual places the pose and returns the norm of the error: the distance along the goal's
// axes and the rotation vector from the goal's orientation, in its axes.
func (f *follower) residual(q []float64) float64 {
	f.pose.Place(q)
	at := f.pose.Frame(f.goal.Link).Mul(f.goal.Tool)
	d := spatial.MulTVec(f.goal.Pose.R, spatial.Sub(at.P, f.goal.Pose.P))
	turn := spatial.RotationVector(spatial.Mul(spatial.Transpose(f.goal.Pose.R), at.R))
	sum := 0.0
	for r, i := range f.rows {
		if i < 3 {
			f.error[r] = d[i] / f.tree.reach
		} else {
			f.error[r] = turn[i-3]
		}
		sum += f.error[r] * f.error[r]
	}
	return math.Sqrt(sum)
}

// away returns the distance, m, and the angle, rad, of the frame from the goal's at coordinates q.
func (f *follower) away(q []float64) (distance, angle float64) {
	f.pose.Place(q)
	at, g := f.pose.Frame(f.goal.Link).Mul(f.goal.Tool), f.goal.Pose
	return spatial.Norm(spatial.Sub(at.P, g.P)), spatial.Norm(spatial.RotationVector(spatial.Mul(spatial.Transpose(g.R), at.R)))
}

// linearise stores the derivative of the error in f.a, at the pose of the last residual.
func (f *follower) linearise() {
	at := f.pose.Frame(f.goal.Link).Mul(f.goal.Tool)
	f.pose.Jacobian(f.jacobian, Point{f.goal.Link, f.goal.Tool.P})
	phi := spatial.RotationVector(spatial.Mul(spatial.Transpose(f.goal.Pose.R), at.R))
	for c, col := range f.jacobian {
		d := spatial.Scale(1/f.tree.reach, spatial.MulTVec(f.goal.Pose.R, col.Linear))
		w := spatial.RotationRate(phi, spatial.MulTVec(f.goal.Pose.R, col.Angular))
		for r, i := range f.rows {
			switch {
			case f.held[c]:
				f.a.Set(r, c, 0)
			case i < 3:
				f.a.Set(r, c, d[i])
			default:
				f.a.Set(r, c, w[i-3])
			}
		}
	}
}

// descend moves q in place until the error no longer falls, and returns it. The damping is
// that of Fan and Yuan (2005): proportional to the squared error, quadratic to the end where the
// Jacobian has full rank.
func (f *follower) descend(q []float64, steps int) float64 {
	size, mu := f.residual(q), 1.0
	trial, step := make([]float64, len(q)), mat.NewVecDense(len(q), nil)
	var normal mat.SymDense
	normal.ReuseAsSym(len(f.rows))
	right := mat.NewVecDense(len(f.rows), nil)
	for range steps {
		if size < reached/1e3 {
			break
		}
		f.linearise()
		copy(right.RawVector().Data, f.error)
		better := false
		for range 10 {
			// step = Aᵀ(A·Aᵀ + λ)⁻¹·e, the least motion of the joints; redundant joints move as little as they can.
			normal.SymOuterK(1, f.a)
			for r := range f.rows {
				normal.SetSym(r, r, normal.At(r, r)+mu*size*size+1e-300)
			}
			var chol mat.Cholesky
			if !chol.Factorize(&normal) {
				mu = math.Max(mu*10, 1e-12)
				continue
			}
			var y mat.VecDense
			if err := chol.SolveVecTo(&y, right); err != nil && math.IsInf(chol.Cond(), 1) {
				mu *= 10
				continue
			}
			step.MulVec(f.a.T(), &y)
			longest := 0.0
			for _, v := range step.RawVector().Data {
				longest = math.Max(longest, math.Abs(v))
			}
			scale := math.Min(1, 1/longest) // no more than a radian, or a metre, a step
			for k := range q {
				trial[k] = q[k] - scale*step.AtVec(k)
			}
			if next := f.residual(trial); next < size {
				copy(q, trial)
				better = next < size*(1-1e-9)
				size, mu = next, math.Max(mu/5, 1e-10)
				break
			}
			mu *= 8
		}
		if !better {
			break
		}
	}
	return f.residual(q)
}

// off returns the largest difference of the asked components: of all twelve entries of the frames where all are
// asked, lengths in units of the reach.
func (f *follower) off(q []float64) float64 {
	size := f.residual(q)
	if f.goal.Mask != Full {
		return size
	}
	at := f.pose.Frame(f.goal.Link).Mul(f.goal.Tool)
	worst := 0.0
	for i := range 3 {
		worst = math.Max(worst, math.Abs(at.P[i]-f.goal.Pose.P[i])/f.tree.reach)
		for k := range 3 {
			worst = math.Max(worst, math.Abs(at.R[i][k]-f.goal.Pose.R[i][k]))
		}
	}
	return worst
}
