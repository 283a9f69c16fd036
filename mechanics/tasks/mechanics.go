package tasks

import (
	"fmt"
	"math"

	"ident/mechanics/dynamics"
	"ident/mechanics/loops"
)

// drivesTorque finds the torques of the drives at a moment of a run with a time of one second, by their dependence on the time: with σ its
// inverse, those of a moment are still + viscous·σ + full·σ².
type drivesTorque struct {
	arm                  *arm
	friction             [][3]float64 // viscous, Coulomb and offset of each independent joint
	equations            *dynamics.Equations
	still, viscous, full []float64
	loop                 *loopTorque // nil for a tree
	zero                 []float64
}

// loopTorque is the tree of a robot with loops, along its motion.
type loopTorque struct {
	tracker    *loops.Tracker
	along      *loops.Continuation
	path       *loops.Path
	drive      loops.Drive
	passive    [][2]float64 // viscous and Coulomb friction of the tree's coordinates, zero of driven ones
	zero       []float64
	rest, move []float64 // torques of the tree
	q, dq, ddq []float64
}

// newDrivesTorque prepares those of a run; nil for a robot without bodies.
func (p *planner) newDrivesTorque(r *run) (*drivesTorque, error) {
	a := p.arm
	if a.mass == nil {
		return nil, nil
	}
	d := &drivesTorque{arm: a, friction: p.limits.friction, equations: a.mass.Equations()}
	for _, v := range []*[]float64{&d.still, &d.viscous, &d.full, &d.zero} {
		*v = make([]float64, a.dof())
	}
	if !a.closed {
		return d, nil
	}
	from, _ := r.place(0)
	tracker, err := a.closure.Track(from)
	if err != nil {
		return nil, err
	}
	if len(tracker.Driven()) != a.dof() {
		return nil, fmt.Errorf("more joints of robot %q are driven than its loops leave free, so that they may work against each other: leave the limits of torque out", a.robot.Name)
	}
	l := &loopTorque{tracker: tracker, along: tracker.Continue(), path: tracker.NewPath(1), passive: make([][2]float64, a.mass.DOF())}
	for _, v := range []*[]float64{&l.zero, &l.rest, &l.move, &l.q, &l.dq, &l.ddq} {
		*v = make([]float64, a.mass.DOF())
	}
	for k, link := range a.mass.Coordinates() {
		n := &a.robot.Links[link].Joint
		l.passive[k] = [2]float64{n.Fv, n.Fs}
	}
	for _, k := range tracker.Driven() {
		l.passive[k] = [2]float64{}
	}
	for _, v := range []*[][]float64{&l.drive.Q, &l.drive.DQ, &l.drive.DDQ} {
		*v = loops.Rows(make([]float64, a.dof()), 1)
	}
	d.loop = l
	return d, nil
}

// at evaluates a moment: positions of the independent joints with the first two derivatives by the part of the run.
func (d *drivesTorque) at(q, d1, d2 []float64) error {
	if d.loop == nil {
		d.equations.Torques(d.still, q, d.zero, d.zero)
		d.equations.Torques(d.full, q, d1, d2)
		for k := range d.still {
			d.full[k] -= d.still[k]
			d.viscous[k] = 0
		}
	} else if err := d.closed(q, d1, d2); err != nil {
		return err
	}
	for k, f := range d.friction {
		d.viscous[k] += f[0] * d1[k]
		d.still[k] += f[2] + coulomb(f[1], d1[k])
	}
	return nil
}

// coulomb is dry friction at a rate.
func coulomb(f, rate float64) float64 {
	if rate == 0 {
		return 0
	}
	return math.Copysign(f, rate)
}

// closed evaluates the torques of a robot with loops: those of its tree and the friction of its passive joints, through Gᵀ.
func (d *drivesTorque) closed(q, d1, d2 []float64) error {
	l := d.loop
	for k := range q {
		l.drive.Q[k][0], l.drive.DQ[k][0], l.drive.DDQ[k][0] = q[k], d1[k], d2[k]
	}
	if _, err := l.along.Track(l.path, l.drive, 0, 1, false); err != nil {
		return err
	}
	for k := range l.q {
		l.q[k], l.dq[k], l.ddq[k] = l.path.Q[k][0], l.path.DQ[k][0], l.path.DDQ[k][0]
	}
	d.equations.Torques(l.rest, l.q, l.zero, l.zero)
	d.equations.Torques(l.move, l.q, l.dq, l.ddq)
	for k := range l.move {
		l.move[k] -= l.rest[k]
	}
	for i, k := range l.tracker.Driven() {
		d.still[i], d.viscous[i], d.full[i] = l.rest[k], 0, l.move[k]
	}
	for i, p := range l.tracker.Pairs() {
		k, g := p.Coord, l.path.Jacobian[i][0]
		f := l.passive[k]
		d.still[p.Driven] += g * (l.rest[k] + coulomb(f[1], l.dq[k]))
		d.viscous[p.Driven] += g * f[0] * l.dq[k]
		d.full[p.Driven] += g * l.move[k]
	}
	return nil
}

// place returns the closed state of a robot with loops near a part of a run, nil for a tree, and the joints there.
func (r *run) place(part float64) (closed, q []float64) {
	if r.track == nil {
		return r.start.closed, r.start.q
	}
	t, near := r.track, 0
	for i, at := range t.parts {
		if at <= part {
			near = i
		}
	}
	return t.at[near].state, t.at[near].q
}
