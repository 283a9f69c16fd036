package dynamics

import (
	"ident/internal/spatial"
	"ident/robot"
)

// Wrench is a force, N, and a moment, N·m, about the origin of a frame, with components along that frame's axes.
type Wrench struct{ Force, Moment [3]float64 }

// Moved returns the wrench about another point of the same frame, m.
func (w Wrench) Moved(to [3]float64) Wrench {
	return Wrench{w.Force, spatial.Sub(w.Moment, spatial.Cross(to, w.Force))}
}

// Reactions are the forces and moments in a tree at one state of motion: those that the joints transmit, drives and
// bearings together, and the one on the ground. It serves one goroutine, and its methods allocate nothing.
type Reactions struct {
	tree *Tree
	ms   []motion
	ddq  []float64
}

// NewReactions returns the reactions of a tree, before any motion.
func (t *Tree) NewReactions() *Reactions {
	return &Reactions{t, make([]motion, len(t.links)), make([]float64, t.DOF())}
}

// Move computes the reactions of the motion q, dq, ddq (rad or m, and their derivatives by time).
func (r *Reactions) Move(q, dq, ddq []float64) {
	r.tree.check("q", q)
	r.tree.check("dq", dq)
	r.tree.check("ddq", ddq)
	copy(r.ddq, ddq)
	r.tree.outwardInto(r.ms, q, dq, ddq)
	r.tree.inward(r.ms)
}

// Torques stores the joint torques of the motion, as Tree.InverseDynamics.
func (r *Reactions) Torques(tau []float64) {
	r.tree.check("tau", tau)
	r.tree.torques(tau, r.ms, r.ddq)
}

// Joint returns the wrench that a link receives through its joint from its antecedent, in frame j. Along z it holds the
// drive's torque or force (without its rotor's), the rest is borne by the bearings.
func (r *Reactions) Joint(link int) Wrench {
	m := &r.ms[link]
	return Wrench{m.f, m.n}
}

// Base returns the wrench that the robot receives from its base, in the base frame. Bodies fixed to the base are not in
// it.
func (r *Reactions) Base() (w Wrench) {
	for j := range r.ms {
		if r.tree.links[j].Antecedent < 0 {
			f, n := r.ms[j].onAntecedent()
			w.Force, w.Moment = spatial.Add(w.Force, f), spatial.Add(w.Moment, n)
		}
	}
	return w
}

// On returns the wrench that a body fixed to a link receives from it, in frame j: parameters of the body in that frame.
func (r *Reactions) On(link int, body robot.Inertial) Wrench {
	f, n := r.ms[link].require(body.Mass(), body.FirstMoments(), body.Origin())
	return Wrench{f, n}
}

// Frame returns the placement of a link's frame in the base, -1 for the base itself.
func (r *Reactions) Frame(link int) robot.Transform {
	if link < 0 {
		return robot.Identity()
	}
	return robot.Transform{R: r.ms[link].rot, P: r.ms[link].origin}
}
