package plant

import (
	"fmt"

	"ident/mechanics/dynamics"
	"ident/mechanics/loops"
	"ident/robot"
)

// mechanics are the equations of motion M·ddq + h = τ of the coordinates that drives move: all of a tree, the driven
// joints of a robot with loops.
type mechanics interface {
	// At stores the inertia matrix, row-major, and h. The error is that of loops which do not close.
	At(mass, h, q, dq []float64) error
	// Torques stores those of a motion.
	Torques(tau, q, dq, ddq []float64) error
	// all returns the positions of all joints of the tree at the last state, nil where these are the coordinates themselves.
	all() []float64
	// energy is the kinetic and the potential one, J.
	energy(q, dq []float64) (kinetic, potential float64, err error)
}

// open is a tree.
type open struct {
	*dynamics.Equations
	tree *dynamics.Tree
}

func (o open) At(mass, h, q, dq []float64) error {
	o.Equations.At(mass, h, q, dq)
	return nil
}

func (o open) Torques(tau, q, dq, ddq []float64) error {
	o.Equations.Torques(tau, q, dq, ddq)
	return nil
}

func (o open) all() []float64 { return nil }

func (o open) energy(q, dq []float64) (kinetic, potential float64, err error) {
	return o.tree.KineticEnergy(q, dq), o.tree.PotentialEnergy(q), nil
}

// mechanism is a robot's bodies: a tree, or one that loops close.
type mechanism struct {
	tree    *dynamics.Tree
	tracker *loops.Tracker // nil for a tree
	// Friction of the passive joints, by coordinates of the tree.
	viscous, coulomb []float64
}

// newMechanism prepares a robot, with the links of its coordinates.
func newMechanism(r *robot.Robot) (*mechanism, []int, error) {
	if !r.Closed() {
		tree, err := dynamics.New(r)
		if err != nil {
			return nil, nil, err
		}
		return &mechanism{tree: tree}, tree.Coordinates(), nil
	}
	r = r.Clone()
	for j := range r.Links { // a passive joint has no motor, whatever its file says
		if n := &r.Links[j].Joint; n.Passive && !n.Redundant {
			n.Ia = 0
		}
	}
	c, err := loops.NewClosure(r)
	if err != nil {
		return nil, nil, err
	}
	start, err := c.Assembled(r.Assembly)
	if err != nil {
		return nil, nil, err
	}
	m := &mechanism{}
	if m.tracker, err = c.Track(start.Q); err != nil {
		return nil, nil, err
	}
	if m.tree, err = dynamics.New(r); err != nil {
		return nil, nil, err
	}
	coords := r.Cut().Independent()
	m.viscous, m.coulomb = make([]float64, len(coords)), make([]float64, len(coords))
	driven := map[int]bool{}
	var links []int
	for _, k := range m.tracker.Driven() {
		driven[k] = true
		links = append(links, coords[k])
	}
	for k, link := range coords {
		if n := &r.Links[link].Joint; !driven[k] {
			m.viscous[k], m.coulomb[k] = n.Fv, n.Fs
		}
	}
	return m, links, nil
}

// equations returns the equations of motion with working memory of their own, for one simulation.
func (m *mechanism) equations() mechanics {
	if m.tracker == nil {
		return open{m.tree.Equations(), m.tree}
	}
	n, dof := len(m.tracker.Driven()), m.tree.DOF()
	c := &closed{m: m, tree: m.tree.Equations(), along: m.tracker.Continue(), path: m.tracker.NewPath(1), g: make([]float64, dof*n), mass: make([]float64, dof*dof),
		mg: make([]float64, dof*n)}
	for _, v := range []*[]float64{&c.q, &c.dq, &c.ddq, &c.tau} {
		*v = make([]float64, dof)
	}
	for _, v := range []*[][]float64{&c.drive.Q, &c.drive.DQ, &c.drive.DDQ} {
		*v = loops.Rows(make([]float64, n), 1)
	}
	for i, k := range m.tracker.Driven() {
		c.g[k*n+i] = 1
	}
	return c
}

// closed is a robot with loops in the coordinates of its driven joints q. With G the Jacobian of the tree's coordinates by
// them, and b the tree's accelerations at steady rates,
//
//	M = Gᵀ·M_tree·G,   h = Gᵀ·τ_tree(q_tree, G·dq, b)
//
// so the loops are closed in every state, and no mismatch is stabilised.
type closed struct {
	m           *mechanism
	tree        *dynamics.Equations
	along       *loops.Continuation
	path        *loops.Path
	drive       loops.Drive
	q, dq, ddq  []float64 // of the tree
	tau         []float64
	g, mass, mg []float64 // row-major: tree×driven, tree×tree, tree×driven
}

// close follows the loops to a state, and stores the tree's motion and G.
func (c *closed) close(q, dq, ddq []float64) error {
	for i := range q {
		c.drive.Q[i][0], c.drive.DQ[i][0], c.drive.DDQ[i][0] = q[i], dq[i], 0
		if ddq != nil {
			c.drive.DDQ[i][0] = ddq[i]
		}
	}
	if _, err := c.along.Track(c.path, c.drive, 0, 1, false); err != nil {
		return err
	}
	for k := range c.q {
		c.q[k], c.dq[k], c.ddq[k] = c.path.Q[k][0], c.path.DQ[k][0], c.path.DDQ[k][0]
	}
	for i, p := range c.m.tracker.Pairs() {
		c.g[p.Coord*len(q)+p.Driven] = c.path.Jacobian[i][0]
	}
	return nil
}

// project stores Gᵀ·c.tau, with the friction of passive joints.
func (c *closed) project(out []float64) {
	clear(out)
	n := len(out)
	for k, t := range c.tau {
		t += c.m.viscous[k] * c.dq[k]
		for i, g := range c.g[k*n : (k+1)*n] {
			out[i] += g * t
		}
	}
}

// At stores the inertia matrix and h.
func (c *closed) At(mass, h, q, dq []float64) error {
	if err := c.close(q, dq, nil); err != nil {
		return err
	}
	n, dof := len(q), len(c.q)
	c.tree.At(c.mass, c.tau, c.q, c.dq)
	clear(c.mg)
	for r := range dof {
		for k := range dof {
			f := c.mass[r*dof+k]
			c.tau[r] += f * c.ddq[k]
			for i := range n {
				c.mg[r*n+i] += f * c.g[k*n+i]
			}
		}
	}
	c.project(h)
	for i := range n {
		for j := range i + 1 {
			s := 0.0
			for k := range dof {
				s += c.g[k*n+i] * c.mg[k*n+j]
			}
			mass[i*n+j], mass[j*n+i] = s, s
		}
	}
	return nil
}

// Torques stores those of a motion of the driven joints.
func (c *closed) Torques(tau, q, dq, ddq []float64) error {
	if err := c.close(q, dq, ddq); err != nil {
		return err
	}
	c.tree.Torques(c.tau, c.q, c.dq, c.ddq)
	c.project(tau)
	return nil
}

func (c *closed) all() []float64 { return c.q }

func (c *closed) energy(q, dq []float64) (kinetic, potential float64, err error) {
	if err := c.close(q, dq, nil); err != nil {
		return 0, 0, err
	}
	return c.m.tree.KineticEnergy(c.q, c.dq), c.m.tree.PotentialEnergy(c.q), nil
}

// LoopError says that the loops of a robot cannot be closed along its motion: the driven joints come to a position that
// has no state, or to one in which they no longer determine the others.
type LoopError struct {
	Time float64
	Err  error
}

func (e *LoopError) Error() string {
	return fmt.Sprintf("at %.6g s the loops of the robot no longer close, or its driven joints no longer move it: %v", e.Time, e.Err)
}

// Unwrap returns the reason.
func (e *LoopError) Unwrap() error { return e.Err }
