package servo

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"

	"ident/internal/spatial"
	"ident/mechanics/kinematics"
)

// Tipped is a model that knows the place of the robot's tip.
type Tipped interface {
	Model
	// Tip returns the kinematics of the robot, and its tip on a link; nil where there is none.
	Tip() (tree *kinematics.Tree, tip kinematics.Point)
}

// Operational linearises the motion of the tip by the model: with X its place and orientation, of the reference's joints and of the
// measured ones, the errors obey
//
//	ë + Kv·ė + Kp·e = 0
//
// where the model is the robot (Khatib 1987; Khalil and Dombre 2002, 3.126 to 3.135):
//
//	τ = ID(q, dq, w) + friction(dqr)
//	J·w = Xddr + Kv·(Xdr − Xd) + Kp·(Xr − X) − J'·dq
//
// with the rotation vector for the error of orientation. Near singular states w follows by damped least squares
//
//	w = Jᵀ·(J·Jᵀ + λ²)⁻¹·(…),   λ² = (1 − (σ/σ₀)²)·λ₀²   where σ < σ₀
//
// of the smallest singular value σ, lengths in units of the robot's reach (Nakamura and Hanafusa 1986; Wampler 1986; Maciejewski and
// Klein 1988): accelerations stay finite, and the tip misses accelerations out of its reach. Joints that the tip leaves free, and directions that damping takes,
// follow the reference's joints by the same gains. Arms of fewer than six joints follow the tip in the sense of least squares.
type Operational struct {
	Model  Model
	Tree   *kinematics.Tree
	Tip    kinematics.Point
	Kp, Kv float64 // 1/s², 1/s
	// Near is σ₀ and Damping λ₀; NewOperational sets both to 0.02.
	Near, Damping float64

	ref, pose *kinematics.Pose
	jacobian  kinematics.Jacobian
	rows      [][6]float64     // of the Jacobian's columns, scaled
	gram      blas64.Symmetric // of the Jacobian; Syev leaves its eigenvectors there, in columns
	values    []float64        // and their eigenvalues here, ascending
	work      []float64
	w, free   []float64
}

// NewOperational returns the law of a model with a tip.
func NewOperational(m Tipped, joints int, kp, kv float64) (*Operational, error) {
	tree, tip := m.Tip()
	switch {
	case tree == nil:
		return nil, fmt.Errorf("servo: the operational law needs a model of a robot without closed loops, whose tip is known")
	case tree.DOF() != joints:
		return nil, fmt.Errorf("servo: an operational law of %d joints with a model of %d", joints, tree.DOF())
	case !(kp > 0) || !(kv >= 0) || math.IsInf(kp+kv, 0):
		return nil, fmt.Errorf("servo: the operational law has the gains kp %g and kv %g: kp must be positive, kv zero or more, both finite", kp, kv)
	}
	return (&Operational{Model: m, Tree: tree, Tip: tip, Kp: kp, Kv: kv, Near: 0.02, Damping: 0.02}).fresh(), nil
}

func (o *Operational) fresh() *Operational {
	n := o.Tree.DOF()
	k := min(6, n)
	return &Operational{Model: o.Model, Tree: o.Tree, Tip: o.Tip, Kp: o.Kp, Kv: o.Kv, Near: o.Near, Damping: o.Damping, ref: o.Tree.NewPose(), pose: o.Tree.NewPose(),
		jacobian: make(kinematics.Jacobian, n), rows: make([][6]float64, n),
		gram: blas64.Symmetric{N: k, Stride: k, Uplo: blas.Upper, Data: make([]float64, k*k)}, values: make([]float64, k), work: make([]float64, 8*k), w: make([]float64, n), free: make([]float64, n)}
}

// Joints returns the number of joints.
func (o *Operational) Joints() int { return o.Tree.DOF() }

// Fresh returns the law for another run.
func (o *Operational) Fresh() Law { return o.fresh() }

// Torque stores in tau the torques of the control law, which the comment of Operational states.
func (o *Operational) Torque(at Sample, tau []float64) {
	o.Accelerations(o.w, at)
	o.Model.InverseDynamics(tau, at.Q, at.DQ, o.w)
	addFriction(o.Model, tau, at.DQR)
}

// Accelerations stores those that the law asks of the joints, and returns the smallest singular value of the Jacobian there.
func (o *Operational) Accelerations(w []float64, at Sample) (smallest float64) {
	o.pose.Place(at.Q)
	o.pose.Move(at.DQ, nil)
	o.ref.Place(at.QR)
	o.ref.Move(at.DQR, at.DDQR)
	o.pose.Jacobian(o.jacobian, o.Tip)
	reach := o.Tree.Reach()
	for k, c := range o.jacobian {
		for i := range 3 {
			o.rows[k][i], o.rows[k][3+i] = c.Linear[i]/reach, c.Angular[i]
		}
	}
	asked := o.asked(reach)
	// The joints' own demand a, and its rest to the tip's: w = a + J#·(r − J·a).
	for k := range w {
		o.free[k] = at.DDQR[k] + o.Kv*(at.DQR[k]-at.DQ[k]) + o.Kp*(at.QR[k]-at.Q[k])
		for i, j := range o.rows[k] {
			asked[i] -= j * o.free[k]
		}
	}
	smallest = o.invert(w, asked)
	for k := range w {
		w[k] += o.free[k]
	}
	return smallest
}

// Singular reports whether the law is damped, or near that, at positions of the joints: a smallest singular value below ten times Near.
func (o *Operational) Singular(q []float64) bool {
	rest := make([]float64, len(q))
	at := Sample{Q: q, DQ: rest, QR: q, DQR: rest, DDQR: rest}
	return o.fresh().Accelerations(make([]float64, len(q)), at) < 10*o.Near
}

// asked returns the right-hand side of the law for the tip, linear parts in units of the reach.
func (o *Operational) asked(reach float64) (r [6]float64) {
	x, want := o.pose.Position(o.Tip), o.ref.Position(o.Tip)
	v, rate := o.pose.Twist(o.Tip), o.ref.Twist(o.Tip)
	drift, acc := o.pose.Acceleration(o.Tip), o.ref.Acceleration(o.Tip)
	turn := spatial.RotationVector(spatial.Mul(o.ref.Frame(o.Tip.Link).R, spatial.Transpose(o.pose.Frame(o.Tip.Link).R)))
	for i := range 3 {
		r[i] = (acc.Linear[i] + o.Kv*(rate.Linear[i]-v.Linear[i]) + o.Kp*(want[i]-x[i]) - drift.Linear[i]) / reach
		r[3+i] = acc.Angular[i] + o.Kv*(rate.Angular[i]-v.Angular[i]) + o.Kp*turn[i] - drift.Angular[i]
	}
	return r
}

// invert stores the damped least-squares solution of J·w = r, by the eigenvalues of J·Jᵀ or, of fewer than six joints, of Jᵀ·J.
func (o *Operational) invert(w []float64, r [6]float64) (smallest float64) {
	n := len(w)
	k := min(6, n)
	wide := n >= 6
	trace := 0.0
	for i := range k {
		for j := range k {
			s := 0.0
			if wide {
				for _, c := range o.rows {
					s += c[i] * c[j]
				}
			} else {
				for l := range 6 {
					s += o.rows[i][l] * o.rows[j][l]
				}
			}
			o.gram.Data[i*k+j] = s
		}
		trace += o.gram.Data[i*k+i]
	}
	clear(w)
	// An entry that is not finite makes the trace not finite.
	if math.IsNaN(trace) || math.IsInf(trace, 0) || !lapack64.Syev(lapack.EVCompute, o.gram, o.values, o.work, len(o.work)) {
		return 0 // the joints' own demand stays
	}
	smallest = math.Sqrt(math.Max(0, o.values[0]))
	damping := 0.0
	if smallest < o.Near {
		part := smallest / o.Near
		damping = (1 - part*part) * o.Damping * o.Damping
	}
	var right [6]float64
	if wide {
		right = r
	} else {
		for i := range n {
			for l, j := range o.rows[i] {
				right[i] += j * r[l]
			}
		}
	}
	var y [6]float64
	vector := func(e, i int) float64 { return o.gram.Data[i*k+e] }
	for e, value := range o.values {
		d := 0.0
		for i := range k {
			d += vector(e, i) * right[i]
		}
		d /= value + damping
		for i := range k {
			y[i] += d * vector(e, i)
		}
	}
	for i := range n {
		if !wide {
			w[i] = y[i]
			continue
		}
		for l, j := range o.rows[i] {
			w[i] += j * y[l]
		}
	}
	return smallest
}
