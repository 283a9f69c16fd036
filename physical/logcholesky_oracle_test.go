package physical

import (
	"fmt"
	"math"

	"ident/baseparams"
	"ident/physical/internal/conic"
	"ident/robot"
)

// LogCholesky is a feasible body in ten unconstrained numbers,
// a, d₁, d₂, d₃, s₁₂, s₂₃, s₁₃, t₁, t₂, t₃ of
//
//	J = U·Uᵀ,   U = eᵃ·[e^d₁ s₁₂ s₁₃ t₁; 0 e^d₂ s₂₃ t₂; 0 0 e^d₃ t₃; 0 0 0 1]
//
// (Rucker and Wensing 2022). Every body with a positive definite
// pseudo-inertia has exactly one.
type LogCholesky [10]float64

const (
	lcA = iota
	lcD1
	lcD2
	lcD3
	lcS12
	lcS23
	lcS13
	lcT1
	lcT2
	lcT3
)

// LogCholeskyOf returns the numbers of a body, false where its
// pseudo-inertia is not positive definite.
func LogCholeskyOf(p robot.Inertial) (LogCholesky, bool) {
	u := lower(p)
	for i := range 4 {
		if !(u[i][i] > 0) || math.IsInf(u[i][i], 0) {
			return LogCholesky{}, false
		}
	}
	m := u[3][3]
	return LogCholesky{lcA: math.Log(m), lcD1: math.Log(u[0][0] / m), lcD2: math.Log(u[1][1] / m), lcD3: math.Log(u[2][2] / m),
		lcS12: u[0][1] / m, lcS23: u[1][2] / m, lcS13: u[0][2] / m, lcT1: u[0][3] / m, lcT2: u[1][3] / m, lcT3: u[2][3] / m}, true
}

// factor returns U/eᵃ and its derivatives' places: entry k of the numbers after
// the first is entry (lcRow[k], lcColumn[k]) of U, the diagonal by its logarithm.
func (l *LogCholesky) factor() [4][4]float64 {
	return [4][4]float64{
		{math.Exp(l[lcD1]), l[lcS12], l[lcS13], l[lcT1]},
		{0, math.Exp(l[lcD2]), l[lcS23], l[lcT2]},
		{0, 0, math.Exp(l[lcD3]), l[lcT3]},
		{0, 0, 0, 1}}
}

var (
	lcRow    = [10]int{lcD1: 0, lcD2: 1, lcD3: 2, lcS12: 0, lcS23: 1, lcS13: 0, lcT1: 0, lcT2: 1, lcT3: 2}
	lcColumn = [10]int{lcD1: 0, lcD2: 1, lcD3: 2, lcS12: 1, lcS23: 2, lcS13: 2, lcT1: 3, lcT2: 3, lcT3: 3}
)

// Inertial returns the body.
func (l LogCholesky) Inertial() robot.Inertial {
	u := l.factor()
	t := conic.Transpose(&u)
	j := conic.Mul(&u, &t)
	f := math.Exp(2 * l[lcA])
	for a := range 4 {
		for b := range 4 {
			j[a][b] *= f
		}
	}
	return inertialOf(&j)
}

// Jacobian returns the derivatives of the ten parameters, one row each, by the
// ten numbers.
func (l LogCholesky) Jacobian() (out [robot.NumInertial][10]float64) {
	u := l.factor()
	f := math.Exp(2 * l[lcA])
	for k := range l {
		var d [4][4]float64 // of J
		if k == lcA {
			t := conic.Transpose(&u)
			d = conic.Mul(&u, &t)
			for a := range 4 {
				for b := range 4 {
					d[a][b] *= 2 * f
				}
			}
		} else {
			// dU has one entry v in row r and column c: dU·Uᵀ fills row r with v·U(:,c)ᵀ.
			r, c := lcRow[k], lcColumn[k]
			v := f
			if k <= lcD3 {
				v *= u[r][c]
			}
			for a := range 4 {
				d[r][a] += v * u[a][c]
				d[a][r] += v * u[a][c]
			}
		}
		for p, v := range inertialOf(&d) {
			out[p][k] = v
		}
	}
	return out
}

// PhysicalMap writes the standard parameters of a set as functions of as many
// unconstrained numbers: log-Cholesky numbers for every body, the logarithm of a
// positive number, a signed number itself.
type PhysicalMap struct {
	bodies [][robot.NumInertial]int // columns of each
	kinds  []conic.Kind             // of each column
}

// NewPhysicalMap returns the map of a set's columns; ErrPartialBody is wrapped
// where the model lacks some parameters of a body.
func NewPhysicalMap(set *baseparams.Set) (*PhysicalMap, error) {
	m := &PhysicalMap{kinds: make([]conic.Kind, len(set.Columns))}
	for i := 0; i < len(set.Columns); i++ {
		c := set.Columns[i]
		switch {
		case ofBody(c):
			var at [robot.NumInertial]int
			for p := range at {
				if i+p >= len(set.Columns) || set.Columns[i+p].Term != c.Term || set.Columns[i+p].Link != c.Link || set.Columns[i+p].Param != p {
					return nil, fmt.Errorf("%s %q (%s missing): %w", bodyWord(c), c.Owner, robot.InertialNames[p], ErrPartialBody)
				}
				at[p] = i + p
				m.kinds[i+p] = conic.Semidefinite
			}
			m.bodies = append(m.bodies, at)
			i += robot.NumInertial - 1
		case c.Signed:
			m.kinds[i] = conic.Free
		default:
			m.kinds[i] = conic.Nonnegative
		}
	}
	return m, nil
}

// Standard returns the standard parameters of free numbers, in the order of the
// set's columns.
func (m *PhysicalMap) Standard(theta []float64) []float64 {
	chi := append([]float64(nil), theta...)
	for i, k := range m.kinds {
		if k == conic.Nonnegative {
			chi[i] = math.Exp(theta[i])
		}
	}
	for _, at := range m.bodies {
		l := LogCholesky(theta[at[0] : at[0]+10])
		for p, v := range l.Inertial() {
			chi[at[p]] = v
		}
	}
	return chi
}

// Free undoes Standard, and false says that some body or drive is impossible.
func (m *PhysicalMap) Free(chi []float64) ([]float64, bool) {
	theta := append([]float64(nil), chi...)
	for i, k := range m.kinds {
		if k == conic.Nonnegative {
			if !(chi[i] > 0) {
				return nil, false
			}
			theta[i] = math.Log(chi[i])
		}
	}
	for _, at := range m.bodies {
		l, ok := LogCholeskyOf(robot.Inertial(chi[at[0] : at[0]+10]))
		if !ok {
			return nil, false
		}
		copy(theta[at[0]:], l[:])
	}
	return theta, true
}

// Pull turns derivatives by the standard parameters, in place, into those by the
// free numbers at theta: g becomes gᵀ·∂χ/∂θ.
func (m *PhysicalMap) Pull(g, theta []float64) {
	for i, k := range m.kinds {
		if k == conic.Nonnegative {
			g[i] *= math.Exp(theta[i])
		}
	}
	for _, at := range m.bodies {
		j := LogCholesky(theta[at[0] : at[0]+10]).Jacobian()
		var out [10]float64
		for p := range j {
			for k, v := range j[p] {
				out[k] += g[at[p]] * v
			}
		}
		copy(g[at[0]:], out[:])
	}
}
