package servo

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"ident/regressor"
)

// Reference is the motion that the controller is asked for; simulate's motions
// and excite's trajectories are such.
type Reference interface {
	Eval(t float64, q, dq, ddq []float64)
}

// Options of a Loop. The zero value leaves all to the package.
type Options struct {
	Smooth []float64 // ε of each joint's Coulomb friction, rad/s or m/s; nil for a thousandth of the reference's top speed
	Steps  int       // integration steps per interval; 0 for as many as stability needs
}

// InertiaError says that parameters have no forward dynamics: their inertia
// matrix is not positive definite.
type InertiaError struct {
	Time  float64
	Joint int // joint, from 0, at which the inertia matrix first has a pivot that is not positive
}

func (e *InertiaError) Error() string {
	return fmt.Sprintf("at %.3f s the inertia matrix of the parameters is not positive definite (joint %d)", e.Time, e.Joint+1)
}

// DivergedError says that the simulated motion left every bound.
type DivergedError struct{ Time float64 }

func (e *DivergedError) Error() string {
	return fmt.Sprintf("the simulated motion diverges at %.3f s: a robot with these parameters is unstable with the controller's gains", e.Time)
}

// Loop is a model under a controller. It holds scratch memory: one goroutine
// uses it at a time.
type Loop struct {
	model  *regressor.Model
	ctl    Controller
	opt    Options
	joints int
	params int
	dry    []dryPlan // Coulomb friction, which is not the model's sign here

	ws            *regressor.Workspace
	drives        *regressor.Torques // of one row at rest and one for each unit acceleration
	single        *regressor.Block   // one row, for Y
	gamma         *regressor.Block   // one row per joint, for the derivatives of Y·x
	adjoint       *regressor.Adjoint
	q, dq, ddq    [][]float64
	one           [3][][]float64 // q, dq, ddq of one row
	here          [3][][]float64 // q, dq, ddq of one row per joint
	torques       [][]float64
	gq, gdq, gddq [][]float64
	smooth        []float64 // the parameters without Coulomb friction
	mass          []float64 // Cholesky factor, upper, joints×joints
	agility       []float64 // diagonal of the inverse inertia matrix
	column        []float64
	qr, dqr, ddqr []float64
	saturated     []bool
}

// dryPlan is a column of Coulomb friction: s = Σ weight·dq.
type dryPlan struct {
	column int
	joints []int
	weight []float64
	at     []int // position of the column in each joint's block
	eps    float64
}

// New prepares the simulation of a model. The model's columns must be of the terms
// links, Ia, Fv, Fs and Fo.
func New(m *regressor.Model, ctl Controller, opt Options) (*Loop, error) {
	if c, ok := m.Differentiable(); !ok {
		return nil, fmt.Errorf("servo: no motion can be computed with the term %s (column %s): use links, Ia, Fv, Fs and Fo", c.Term, c.Name)
	}
	n := m.Joints()
	if err := ctl.check(n); err != nil {
		return nil, err
	}
	if opt.Smooth != nil && len(opt.Smooth) != n {
		return nil, fmt.Errorf("servo: %d widths of Coulomb friction for %d joints", len(opt.Smooth), n)
	}
	l := &Loop{model: m, ctl: ctl, opt: opt, joints: n, params: len(m.Columns()), ws: m.NewWorkspace(),
		drives: regressor.NewTorques(m), single: m.NewBlock(1), gamma: m.NewBlock(n), adjoint: m.NewAdjoint(),
		q: table(n, n+1), dq: table(n, n+1), ddq: table(n, n+1), torques: table(n, n+1),
		gq: table(n, n), gdq: table(n, n), gddq: table(n, n),
		smooth: make([]float64, len(m.Columns())), mass: make([]float64, n*n),
		agility: make([]float64, n), column: make([]float64, n),
		qr: make([]float64, n), dqr: make([]float64, n), ddqr: make([]float64, n), saturated: make([]bool, n)}
	for i := range l.one {
		l.one[i], l.here[i] = table(n, 1), table(n, n)
	}
	l.single.Resize(1)
	l.gamma.Resize(n)
	for k := range n {
		l.ddq[k][k+1] = 1
	}
	l.findFriction()
	return l, nil
}

func table(rows, cols int) [][]float64 {
	store := make([]float64, rows*cols)
	t := make([][]float64, rows)
	for i := range t {
		t[i] = store[i*cols : (i+1)*cols : (i+1)*cols]
	}
	return t
}

// findFriction finds which joints each column of Coulomb friction acts on, and
// with which weights: at the unit velocity of one of its joints the column is
// the weights, up to a common sign, which an odd function does not see.
func (l *Loop) findFriction() {
	for c, col := range l.model.Columns() {
		if col.Term != regressor.Fs {
			continue
		}
		d := dryPlan{column: c}
		for k := range l.joints {
			for at, column := range l.model.Mask(k) {
				if column == c {
					d.joints, d.at = append(d.joints, k), append(d.at, at)
				}
			}
		}
		l.one[1][d.joints[0]][0] = 1
		l.model.Eval(l.single, l.one[0], l.one[1], l.one[2], l.ws)
		l.one[1][d.joints[0]][0] = 0
		for i, k := range d.joints {
			d.weight = append(d.weight, l.single.Joint[k][d.at[i]][0])
		}
		l.dry = append(l.dry, d)
	}
}

// rate returns s and the tanh of it, with its slope.
func (d *dryPlan) rate(dq []float64) (sign, slope float64) {
	s := 0.0
	for i, k := range d.joints {
		s += d.weight[i] * dq[k]
	}
	sign = math.Tanh(s / d.eps)
	return sign, (1 - sign*sign) / d.eps
}

// begin takes the parameters apart and checks the widths of friction.
func (l *Loop) begin(x []float64, top []float64) {
	if len(x) != l.params {
		panic(fmt.Sprintf("servo: %d parameters for a model of %d", len(x), l.params))
	}
	copy(l.smooth, x)
	for i := range l.dry {
		d := &l.dry[i]
		l.smooth[d.column] = 0
		d.eps = 0
		for k, j := range d.joints {
			width := 1e-3 * top[j]
			if l.opt.Smooth != nil {
				width = l.opt.Smooth[j]
			}
			d.eps += math.Abs(d.weight[k]) * width
		}
		// A joint that is not asked to move has no speed to compare with.
		d.eps = max(d.eps, 1e-6)
	}
}

// acceleration computes τ and ddq of a state at a time, and leaves the Cholesky
// factor of the inertia matrix.
func (l *Loop) acceleration(t float64, q, dq, x []float64, ref Reference, tau, ddq []float64) error {
	n := l.joints
	ref.Eval(t, l.qr, l.dqr, l.ddqr)
	for k := range n {
		tau[k], l.saturated[k] = l.ctl.torque(k, l.qr[k], l.dqr[k], q[k], dq[k])
		for i := range n + 1 {
			l.q[k][i], l.dq[k][i] = q[k], dq[k]
		}
	}
	if err := l.drives.Eval(l.torques, regressor.Batch{Q: l.q, DQ: l.dq, DDQ: l.ddq}, l.smooth); err != nil {
		return fmt.Errorf("servo: %w", err)
	}
	for k := range n {
		ddq[k] = tau[k] - l.torques[k][0]
		for i := range n {
			l.mass[k*n+i] = l.torques[k][i+1] - l.torques[k][0]
		}
	}
	for i := range l.dry {
		d := &l.dry[i]
		sign, _ := d.rate(dq)
		for j, k := range d.joints {
			ddq[k] -= x[d.column] * d.weight[j] * sign
		}
	}
	a := blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper, Data: l.mass}
	factor, ok := lapack64.Potrf(a)
	if !ok {
		bad := 0
		for bad < n-1 && l.mass[bad*n+bad] > 0 {
			bad++
		}
		return &InertiaError{Time: t, Joint: bad}
	}
	lapack64.Potrs(factor, blas64.General{Rows: n, Cols: 1, Stride: 1, Data: ddq})
	for k := range n {
		if v := q[k] + dq[k] + ddq[k]; math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > 1e9 {
			return &DivergedError{Time: t}
		}
	}
	return nil
}
