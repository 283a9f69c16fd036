package loops

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
	"ident/robot"
)

const (
	// A loop whose mismatch is below this is closed: some hundred ε, for the
	// products of a chain of frames, times the condition of the closing, which
	// stays below a hundred away from singular states.
	closed = 1e-11
	// Singular values below this part of the largest one count as zero. Loops
	// that are over-constrained, planar ones in space say, have some that are
	// zero by geometry; the mismatch that is left, at most closed, turns them
	// into numbers of its own size. One of a real constraint as small as 1e-7
	// would need the state known to better than 1e-7, but the mismatch divided
	// by it leaves 1e-4: such a state is singular for every purpose.
	rankTolerance = 1e-7
	closingSteps  = 200
)

// jacobian returns the derivative of the mismatch by the coordinates, each in
// its unit.
func (c *Closure) jacobian(poses []robot.Transform, r []float64) *mat.Dense {
	j := mat.NewDense(6*len(c.loops), len(c.unit), nil)
	for i, l := range c.loops {
		if l.linear != nil {
			for _, t := range l.linear {
				j.Set(6*i, t.coord, j.At(6*i, t.coord)+t.factor)
			}
			continue
		}
		phi := spatial.Vec{r[6*i+3], r[6*i+4], r[6*i+5]}
		between := spatial.Mul(poses[l.frame].R, spatial.Transpose(poses[l.meets].R))
		side := func(link int, sign float64) {
			p := poses[link].P
			for ; link >= 0; link = c.links[link].Antecedent {
				t := &c.links[link]
				if t.Coord < 0 || !c.chain[t.Coord] {
					continue
				}
				pose := poses[link]
				z := spatial.Vec{pose.R[0][2], pose.R[1][2], pose.R[2][2]}
				v, w := z, spatial.Vec{}
				if t.Kind == robot.Revolute {
					v, w = spatial.Cross(z, spatial.Sub(p, pose.P)), z
					if sign < 0 {
						w = spatial.MulVec(between, w)
					}
					w = spatial.RotationRate(phi, w)
				}
				f := sign * t.Ratio * c.unit[t.Coord]
				for k := range 3 {
					j.Set(6*i+k, t.Coord, j.At(6*i+k, t.Coord)+f*v[k]/c.length)
					if !l.spherical {
						j.Set(6*i+3+k, t.Coord, j.At(6*i+3+k, t.Coord)+f*w[k])
					}
				}
			}
		}
		side(l.frame, 1)
		side(l.meets, -1)
	}
	return j
}

// Close moves the coordinates of a state, except those held, until every loop
// is closed, and returns the state that it reaches. The start has DOF entries,
// or Cuts more if the cut joints' are known too; it should be near the
// assembly that is wanted. The error is a *ClosureError.
//
// It minimises all entries of the mismatch by the method of Levenberg and
// Marquardt. A state where the mismatch is least but not zero is no solution
// and is refused.
func (c *Closure) Close(start []float64, held []int) ([]float64, error) {
	q := slices.Clone(start)
	if len(q) == c.dof {
		q = append(q, make([]float64, c.Cuts())...)
	}
	c.check("start", q)
	r, next := make([]float64, 6*len(c.loops)), make([]float64, 6*len(c.loops))
	poses := c.tree.Poses(q)
	c.mismatch(r, q, poses)
	size, mu := norm(r), 1.0
	trial := make([]float64, len(q))
	for range closingSteps {
		if size < closed/1e4 {
			break
		}
		j := c.jacobian(poses, r)
		for _, k := range held {
			for i := range r {
				j.Set(i, k, 0)
			}
		}
		s, ok := decompose(j)
		if !ok || s.rank == 0 {
			break
		}
		better := false
		for range 12 {
			// The damping falls with the mismatch squared, which keeps the last
			// steps quadratic where the rank is not full (Fan and Yuan 2005).
			step := s.solve(r, mu*size*size)
			for _, k := range held {
				step[k] = 0 // and not the rounding of it
			}
			longest := 0.0
			for _, v := range step {
				longest = max(longest, math.Abs(v))
			}
			f := -math.Min(1, 1/longest)
			for k := range q {
				trial[k] = q[k] + f*c.unit[k]*step[k]
			}
			p := c.tree.Poses(trial)
			c.mismatch(next, trial, p)
			if n := norm(next); n < size {
				better = true
				poses, size = p, n
				copy(q, trial)
				copy(r, next)
				mu = max(mu/4, 1e-6)
				break
			}
			mu *= 8
		}
		if !better {
			break
		}
	}
	if res := c.Residual(q); !(res <= closed) {
		return nil, c.open(r, held)
	}
	return q, nil
}

// open makes the error for a mismatch that is left.
func (c *Closure) open(r []float64, held []int) error {
	worst, most := 0, -1.0
	for i := range c.loops {
		if n := norm(r[6*i : 6*i+6]); !(n <= most) {
			worst, most = i, n
		}
	}
	reason := "no state of the joints near the start closes it; check the frames at the cut"
	if len(held) > 0 {
		reason = "the joints that are held are out of reach, or the start is far from every assembly"
	}
	return &ClosureError{Robot: c.robot, Loop: c.loops[worst].name, Distance: norm(r[6*worst:6*worst+3]) * c.length,
		Angle: norm(r[6*worst+3 : 6*worst+6]), Reason: reason}
}

// spectrum is a singular value decomposition with its rank decided.
type spectrum struct {
	values []float64
	u, v   mat.Dense
	rank   int
}

func decompose(j *mat.Dense) (*spectrum, bool) {
	var svd mat.SVD
	if !svd.Factorize(j, mat.SVDFullV|mat.SVDThinU) {
		return nil, false
	}
	s := &spectrum{values: svd.Values(nil)}
	svd.UTo(&s.u)
	svd.VTo(&s.v)
	for _, v := range s.values {
		if v > rankTolerance*s.values[0] {
			s.rank++
		}
	}
	return s, true
}

// solve returns the least-squares solution for the right-hand side r, damped.
func (s *spectrum) solve(r []float64, damping float64) []float64 {
	rows, _ := s.u.Dims()
	n, _ := s.v.Dims()
	if rows != len(r) {
		panic(fmt.Sprintf("loops: right-hand side of %d entries for %d rows", len(r), rows))
	}
	x := make([]float64, n)
	for k := range s.rank {
		d := 0.0
		for i, v := range r {
			d += v * s.u.At(i, k)
		}
		d *= s.values[k] / (s.values[k]*s.values[k] + damping)
		for i := range x {
			x[i] += d * s.v.At(i, k)
		}
	}
	return x
}

func norm(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x * x
	}
	return math.Sqrt(s)
}
