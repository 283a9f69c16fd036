package kinematics

import (
	"fmt"
	"slices"

	"ident/internal/spatial"
	"ident/mechanics/loops"
	"ident/robot"
)

// Closed is a robot with loops at one state: the pose of its tree, and Jacobians in the
// coordinates of its active joints, in the order of loops.Closure.Active. A Closed serves one goroutine.
type Closed struct {
	*Pose
	closure  *loops.Closure
	motion   *loops.Motion
	active   []int
	assembly map[string]float64
	coupled  []bool    // coordinates of the tree in couplings, where a whole turn matters
	rates    []float64 // of the active joints
	work     Jacobian  // of the tree
}

// NewClosed prepares a robot with loops.
func NewClosed(r *robot.Robot) (*Closed, error) {
	c, err := loops.NewClosure(r)
	if err != nil {
		return nil, err
	}
	t, err := New(r)
	if err != nil {
		return nil, err
	}
	active := c.Active()
	out := &Closed{Pose: t.NewPose(), closure: c, active: active, rates: make([]float64, len(active)), work: make(Jacobian, t.dof),
		assembly: r.Assembly, coupled: make([]bool, t.dof)}
	for _, m := range r.Couplings {
		out.coupled[t.links[m.Joint].Coord] = true
		for j := range m.Of {
			out.coupled[t.links[j].Coord] = true
		}
	}
	return out, nil
}

// Assembled returns the coordinates of the tree at the robot's assembly.
func (c *Closed) Assembled() ([]float64, error) {
	m, err := c.closure.Assembled(c.assembly)
	if err != nil {
		return nil, err
	}
	return slices.Clone(m.Q[:c.tree.dof]), nil
}

// ActiveJoints returns the number of active joints: the entries that Place and Move take.
func (c *Closed) ActiveJoints() int { return len(c.active) }

// Place closes the loops at positions of the active joints, from a state near the assembly that is
// meant, and computes the frames there, at rest. It returns the closed state, which may start the next
// Place; the error is a *loops.ClosureError where the loops do not close.
func (c *Closed) Place(active, near []float64) ([]float64, error) {
	if len(active) != len(c.active) {
		panic(fmt.Sprintf("kinematics: %d positions for %d active joints", len(active), len(c.active)))
	}
	start := slices.Clone(near)
	for i, k := range c.active {
		start[k] = active[i]
	}
	q, err := c.closure.Close(start, c.active)
	if err != nil {
		return nil, err
	}
	m, err := c.closure.Motion(q)
	if err != nil {
		return nil, err
	}
	c.motion = m
	clear(c.rates)
	c.Pose.Place(q[:c.tree.dof])
	return q, nil
}

// Move computes velocities and accelerations of the frames for those of the active joints; nil
// accelerations are zero.
func (c *Closed) Move(rates, accelerations []float64) {
	c.placed()
	copy(c.rates, rates)
	if accelerations == nil {
		accelerations = make([]float64, len(rates))
	}
	c.Pose.Move(c.motion.Rates(rates), c.motion.Accelerations(rates, accelerations))
}

// Jacobian stores in dst the Jacobian of a point by the active joints: J_tree·G.
func (c *Closed) Jacobian(dst Jacobian, at Point) {
	c.placed()
	c.Pose.Jacobian(c.work, at)
	c.project(dst)
}

// JacobianRate stores in dst the time derivative of a point's Jacobian at the rates of
// the last Move: J'_tree·G + J_tree·G'. The columns of G' come from the accelerations
// that the loops need at steady rates, a quadratic form b of them: G'(v)·e = ½(b(v+e) − b(v) − b(e)).
func (c *Closed) JacobianRate(dst Jacobian, at Point) {
	c.placed()
	c.Pose.JacobianRate(c.work, at)
	c.project(dst)
	c.Pose.Jacobian(c.work, at)
	steady, sum := make([]float64, len(c.active)), make([]float64, len(c.active))
	b := func(v []float64) []float64 { return c.motion.Accelerations(v, steady) }
	alone, unit := b(c.rates), make([]float64, len(c.active))
	turned := make([]float64, c.tree.dof)
	for k := range dst {
		unit[k] = 1
		copy(sum, c.rates)
		sum[k]++
		both, own := b(sum), b(unit)
		unit[k] = 0
		for i := range turned {
			turned[i] = (both[i] - alone[i] - own[i]) / 2
		}
		more := c.work.Mul(turned)
		dst[k] = Twist{spatial.Add(dst[k].Linear, more.Linear), spatial.Add(dst[k].Angular, more.Angular)}
	}
}

// project stores the tree's Jacobian times G in dst.
func (c *Closed) project(dst Jacobian) {
	if len(dst) != len(c.active) {
		panic(fmt.Sprintf("kinematics: a Jacobian of %d columns for %d active joints", len(dst), len(c.active)))
	}
	column := make([]float64, c.tree.dof)
	for k := range dst {
		for i := range column {
			column[i] = c.motion.G.At(i, k)
		}
		dst[k] = c.work.Mul(column)
	}
}

func (c *Closed) placed() {
	if c.motion == nil {
		panic("kinematics: call Place before, which closes the loops of the robot")
	}
}
