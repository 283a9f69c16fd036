package dynamics

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
	"ident/robot"
)

// ErrSingular is returned where a motion cannot follow from torques because
// the inertia of some joint is not positive.
var ErrSingular = errors.New("inertia is not positive definite")

// sixMat is a 6×6 matrix over (moment, force) or (angular, linear) pairs.
type sixMat [6][6]float64

type sixVec [6]float64

func six(a, b spatial.Vec) sixVec { return sixVec{a[0], a[1], a[2], b[0], b[1], b[2]} }

func (v sixVec) split() (spatial.Vec, spatial.Vec) {
	return spatial.Vec{v[0], v[1], v[2]}, spatial.Vec{v[3], v[4], v[5]}
}

// ForwardDynamics stores in ddq the accelerations that the joint torques tau
// cause at q, dq: rigid bodies, gravity and rotors, no friction. It is the
// articulated-body algorithm (Featherstone 1983); robots with mimic joints
// solve the joint-space equations instead.
func (t *Tree) ForwardDynamics(ddq, q, dq, tau []float64) error {
	t.check("ddq", ddq)
	t.check("q", q)
	t.check("dq", dq)
	t.check("tau", tau)
	if t.mimics {
		return t.solveForward(ddq, q, dq, tau)
	}
	ms := t.outward(q, dq, make([]float64, len(q)))
	inertia := make([]sixMat, len(t.links))
	bias := make([]sixVec, len(t.links))
	coriolis := make([]sixVec, len(t.links)) // acceleration of the link that its joint's rate alone causes
	for j := range t.links {
		l, m := &t.links[j], &ms[j]
		inertia[j] = rigid(l)
		// Velocity-dependent forces at O_j, about the link's own velocity.
		f := spatial.Cross(m.w, spatial.Cross(m.w, l.first))
		k := spatial.Cross(m.w, spatial.MulVec(l.inertia, m.w))
		bias[j] = six(k, f)
		if l.Coord >= 0 {
			rate := dq[l.Coord]
			z := spatial.Vec{0, 0, rate}
			if l.Kind == robot.Revolute {
				before := m.w
				before[2] -= rate
				coriolis[j] = six(spatial.Cross(before, z), spatial.Vec{})
			} else {
				coriolis[j] = six(spatial.Vec{}, spatial.Scale(2, spatial.Cross(m.w, z)))
			}
		}
		// Centripetal acceleration of the origin, seen in frame j.
		var wi spatial.Vec
		if l.Antecedent >= 0 {
			wi = ms[l.Antecedent].w
		}
		_, c := coriolis[j].split()
		w0, _ := coriolis[j].split()
		c = spatial.Add(c, spatial.MulTVec(m.a, spatial.Cross(wi, spatial.Cross(wi, m.p))))
		coriolis[j] = six(w0, c)
	}
	type pivot struct {
		u sixVec
		d float64
		e float64
	}
	pivots := make([]pivot, len(t.links))
	for j := len(t.links) - 1; j >= 0; j-- {
		l := &t.links[j]
		ia, pa := inertia[j], bias[j]
		for r := range 6 {
			for c := range 6 {
				pa[r] += ia[r][c] * coriolis[j][c]
			}
		}
		if l.Coord >= 0 {
			s := axis(l.Kind)
			var pv pivot
			for r := range 6 {
				pv.u[r] = ia[r][s]
			}
			pv.d = ia[s][s] + l.ia
			if !(pv.d > 0) {
				return fmt.Errorf("link %q: joint inertia %.3g: %w", l.Name, pv.d, ErrSingular)
			}
			pv.e = tau[l.Coord] - pa[s]
			pivots[j] = pv
			for r := range 6 {
				for c := range 6 {
					ia[r][c] -= pv.u[r] * pv.u[c] / pv.d
				}
				pa[r] += pv.u[r] * pv.e / pv.d
			}
		}
		if i := l.Antecedent; i >= 0 {
			m := &ms[j]
			moved := shift(ia, m.a, m.p)
			k, f := pa.split()
			f = spatial.MulVec(m.a, f)
			k = spatial.Add(spatial.MulVec(m.a, k), spatial.Cross(m.p, f))
			add := six(k, f)
			for r := range 6 {
				for c := range 6 {
					inertia[i][r][c] += moved[r][c]
				}
				bias[i][r] += add[r]
			}
		}
	}
	acc := make([]sixVec, len(t.links))
	for j := range t.links {
		l, m := &t.links[j], &ms[j]
		dw, dv := spatial.Vec{}, spatial.Scale(-1, t.gravity)
		if l.Antecedent >= 0 {
			dw, dv = acc[l.Antecedent].split()
		}
		dv = spatial.MulTVec(m.a, spatial.Add(dv, spatial.Cross(dw, m.p)))
		dw = spatial.MulTVec(m.a, dw)
		a := six(dw, dv)
		if l.Coord >= 0 {
			pv := &pivots[j]
			s := pv.e
			for r := range 6 {
				s -= pv.u[r] * a[r]
			}
			ddq[l.Coord] = s / pv.d
		}
		for r := range 6 {
			a[r] += coriolis[j][r]
		}
		if l.Coord >= 0 {
			a[axis(l.Kind)] += ddq[l.Coord]
		}
		acc[j] = a
	}
	return nil
}

// axis returns the index of the joint's own direction in a six-vector.
func axis(k robot.Kind) int {
	if k == robot.Revolute {
		return 2
	}
	return 5
}

// rigid returns the inertia of a link over (angular, linear) accelerations of its
// frame's origin.
func rigid(l *link) sixMat {
	var m sixMat
	s := spatial.Skew(l.first)
	for r := range 3 {
		for c := range 3 {
			m[r][c] = l.inertia[r][c]
			m[r][3+c] = s[r][c]
			m[3+r][c] = s[c][r]
		}
		m[3+r][3+r] = l.mass
	}
	return m
}

// shift carries an inertia from a frame to its antecedent: Xᵀ·I·X.
func shift(in sixMat, a spatial.Mat, p spatial.Vec) sixMat {
	// X maps accelerations of the antecedent to those of the link.
	at := spatial.Transpose(a)
	lower := spatial.ScaleMat(-1, spatial.Mul(at, spatial.Skew(p)))
	var x, ix, out sixMat
	for r := range 3 {
		for c := range 3 {
			x[r][c], x[3+r][3+c], x[3+r][c] = at[r][c], at[r][c], lower[r][c]
		}
	}
	for r := range 6 {
		for c := range 6 {
			for k := range 6 {
				ix[r][c] += in[r][k] * x[k][c]
			}
		}
	}
	for r := range 6 {
		for c := range 6 {
			for k := range 6 {
				out[r][c] += x[k][r] * ix[k][c]
			}
		}
	}
	return out
}

func (t *Tree) solveForward(ddq, q, dq, tau []float64) error {
	n := t.DOF()
	m := make([]float64, n*n)
	t.InertiaMatrix(m, q)
	rest := make([]float64, n)
	t.InverseDynamics(rest, q, dq, make([]float64, n))
	for i := range rest {
		rest[i] = tau[i] - rest[i]
	}
	var chol mat.Cholesky
	if !chol.Factorize(mat.NewSymDense(n, m)) {
		return ErrSingular
	}
	var x mat.VecDense
	if err := chol.SolveVecTo(&x, mat.NewVecDense(n, rest)); err != nil {
		return fmt.Errorf("%w: %w", ErrSingular, err)
	}
	copy(ddq, x.RawVector().Data)
	return nil
}
