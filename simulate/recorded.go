package simulate

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// Recorded is a motion given by samples, joined by polynomials of the fifth
// degree that meet in position, velocity and acceleration. It starts at time
// zero, whatever the first sample's time.
type Recorded struct {
	t          []float64 // from zero
	q, dq, ddq [][]float64
}

// Bounds of the times of a recorded motion, s: products of steps within them neither vanish nor overflow in a spline.
const (
	leastStep   = 1e-12
	mostSeconds = 1e8 // three years
)

// NewRecorded joins samples at times t in seconds: one slice per joint, one entry per sample. Nil velocities and
// accelerations are derived by cubic splines through the given ones (not-a-knot at the ends). The times must ascend, not
// necessarily evenly, and there must be at least four samples. It copies the times and keeps the other slices.
func NewRecorded(t []float64, q, dq, ddq [][]float64) (*Recorded, error) {
	if len(t) < 4 {
		return nil, fmt.Errorf("simulate: %d samples of a motion; give at least 4", len(t))
	}
	if len(q) == 0 {
		return nil, fmt.Errorf("simulate: a motion without joints")
	}
	r := &Recorded{t: make([]float64, len(t))}
	for k, v := range t {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("simulate: time in row %d is %g; all times must be finite", k+1, v)
		}
		if r.t[k] = v - t[0]; k > 0 && !(r.t[k] > r.t[k-1]) {
			return nil, fmt.Errorf("simulate: time in row %d, %g s, does not come after the one before, %g s", k+1, v, t[k-1])
		}
		if k > 0 && !(r.t[k]-r.t[k-1] >= leastStep && r.t[k] <= mostSeconds) {
			return nil, fmt.Errorf("simulate: time in row %d, %g s, follows %g s; rows must be %g s apart or more, and a motion at most %g s long", k+1, v, t[k-1], leastStep, mostSeconds)
		}
	}
	for _, g := range []struct {
		what string
		x    [][]float64
	}{{"position", q}, {"velocity", dq}, {"acceleration", ddq}} {
		if g.x == nil {
			continue
		}
		if len(g.x) != len(q) {
			return nil, fmt.Errorf("simulate: %s of %d joints, position of %d", g.what, len(g.x), len(q))
		}
		for i, x := range g.x {
			if len(x) != len(t) {
				return nil, fmt.Errorf("simulate: %s of joint %d has %d samples, the time %d", g.what, i+1, len(x), len(t))
			}
			for k, v := range x {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return nil, fmt.Errorf("simulate: %s of joint %d in row %d is %g: it must be finite", g.what, i+1, k+1, v)
				}
			}
		}
	}
	r.q, r.dq, r.ddq = q, dq, ddq
	if r.dq == nil {
		r.dq = r.slopes(q)
	}
	if r.ddq == nil {
		r.ddq = r.slopes(r.dq)
	}
	return r, nil
}

// slopes returns the derivatives at the samples of the cubic splines through x,
// not-a-knot at the ends (de Boor, A Practical Guide to Splines, 1978, chapter IV):
// with steps h and divided differences d,
//
//	h₊·s₋ + 2(h + h₊)·s + h·s₊ = 3(h₊·d + h·d₊)
//
// which is tridiagonal, so the cost is linear in the length of the record.
func (r *Recorded) slopes(x [][]float64) [][]float64 {
	n := len(r.t)
	h := make([]float64, n-1)
	for i := range h {
		h[i] = r.t[i+1] - r.t[i]
	}
	out := make([][]float64, len(x))
	for k := range x {
		d := make([]float64, n-1)
		for i := range d {
			d[i] = (x[k][i+1] - x[k][i]) / h[i]
		}
		low, mid, up, s := make([]float64, n-1), make([]float64, n), make([]float64, n-1), make([]float64, n)
		for i := 1; i < n-1; i++ {
			low[i-1], mid[i], up[i] = h[i], 2*(h[i-1]+h[i]), h[i-1]
			s[i] = 3 * (h[i]*d[i-1] + h[i-1]*d[i])
		}
		// The third derivative is continuous at the first and the last sample but one.
		first, last := h[0]+h[1], h[n-2]+h[n-3]
		mid[0], up[0] = h[1], first
		s[0] = ((h[0]+2*first)*h[1]*d[0] + h[0]*h[0]*d[1]) / first
		mid[n-1], low[n-2] = h[n-3], last
		s[n-1] = (h[n-2]*h[n-2]*d[n-3] + (2*last+h[n-2])*h[n-3]*d[n-2]) / last
		a := lapack64.Tridiagonal{N: n, DL: low, D: mid, DU: up}
		if !lapack64.Gtsv(blas.NoTrans, a, blas64.General{Rows: n, Cols: 1, Stride: 1, Data: s}) {
			panic("simulate: spline over ascending times is singular")
		}
		out[k] = s
	}
	return out
}

// DOF returns the number of joints.
func (r *Recorded) DOF() int { return len(r.q) }

// Duration returns the time from the first to the last sample in seconds.
func (r *Recorded) Duration() float64 { return r.t[len(r.t)-1] }

// Periodic returns false.
func (r *Recorded) Periodic() bool { return false }

// Eval writes the motion at time t. Before the first and after the last sample the robot stands at that sample.
func (r *Recorded) Eval(t float64, q, dq, ddq []float64) {
	if n := len(r.q); len(q) != n || len(dq) != n || len(ddq) != n {
		panic(fmt.Sprintf("simulate: motion of %d, %d, %d entries for a record of %d joints", len(q), len(dq), len(ddq), n))
	}
	last := len(r.t) - 1
	// A tiny distance outside is rounding of the caller's clock.
	hair := 1e-9 * r.t[last]
	if t < -hair || t > r.t[last]+hair {
		k := 0
		if t > 0 {
			k = last
		}
		for i := range q {
			q[i], dq[i], ddq[i] = r.q[i][k], 0, 0
		}
		return
	}
	t = min(max(t, 0), r.t[last])
	k := min(sort.SearchFloat64s(r.t, t), last)
	if r.t[k] == t {
		for i := range q {
			q[i], dq[i], ddq[i] = r.q[i][k], r.dq[i][k], r.ddq[i][k]
		}
		return
	}
	k--
	h := r.t[k+1] - r.t[k]
	u := (t - r.t[k]) / h
	for i := range q {
		q[i], dq[i], ddq[i] = quintic(u, h,
			[3]float64{r.q[i][k], r.dq[i][k], r.ddq[i][k]},
			[3]float64{r.q[i][k+1], r.dq[i][k+1], r.ddq[i][k+1]})
	}
}

// quintic evaluates the polynomial of the fifth degree with the given position, velocity and acceleration at u = 0 and u
// = 1, which are h seconds apart.
func quintic(u, h float64, from, to [3]float64) (q, dq, ddq float64) {
	c1, c2 := h*from[1], h*h*from[2]/2
	// The rest that the start's parabola leaves to the end.
	p := to[0] - from[0] - c1 - c2
	v := h*to[1] - c1 - 2*c2
	a := h*h*to[2] - 2*c2
	c3, c4, c5 := 10*p-4*v+a/2, -15*p+7*v-a, 6*p-3*v+a/2
	q = from[0] + u*(c1+u*(c2+u*(c3+u*(c4+u*c5))))
	dq = (c1 + u*(2*c2+u*(3*c3+u*(4*c4+u*5*c5)))) / h
	ddq = (2*c2 + u*(6*c3+u*(12*c4+u*20*c5))) / (h * h)
	return q, dq, ddq
}
