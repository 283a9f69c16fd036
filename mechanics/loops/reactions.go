package loops

import (
	"math"

	"ident/internal/spatial"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// JointWrench is the wrench that a link receives through its joint from its antecedent, or at a cut that the frame
// Loop.Frame receives from Loop.Meets: N and N·m about the origin of the joint's frame, along that frame's axes.
type JointWrench struct {
	dynamics.Wrench
	// Undetermined are the components fx, fy, fz, mx, my, mz that the motion does not determine: bodies that are rigid
	// share them in infinitely many ways. Their values belong to the smallest forces at the cuts.
	Undetermined [6]bool
}

// undetermined is the part of a unit force at the cuts, in units of length, above which a component counts as not
// determined. Axes of a plane loop that are parallel to the rank's tolerance of 1e-7 tilt the forces across its plane by
// some ten times that.
const undetermined = 1e-5

// JointWrenches returns the wrenches in the joints of all links and then those at the cuts, of rates and accelerations of
// the active joints. passive are torques against the motion of the tree's joints that act in them, friction for instance
// (nil for none); those in active joints play no part. With J the derivative of the mismatch, τ the torques that the
// tree needs and τ_a those of the drives,
//
//	Jᵀ·λ = τ − τ_a
//
// gives the forces λ at the cuts. It has a solution, and as many more as Jᵀ has null vectors: in a plane loop
// the forces across the plane. Where a coupling moves a link, no component is determined, since nothing is known of the
// place of its belt.
func (m *Motion) JointWrenches(rates, accelerations, passive []float64) []JointWrench {
	c := m.c
	n := len(c.unit)
	dq, ddq := m.full(rates), m.fullAccelerations(rates, accelerations)
	re := c.tree.NewReactions()
	re.Move(m.Q, dq, ddq)
	rest := make([]float64, n)
	re.Torques(rest)
	for k, v := range passive {
		rest[k] += v
	}
	drives := make([]float64, len(c.active))
	for i := range drives {
		for k, v := range rest {
			drives[i] += m.g.At(k, i) * v
		}
	}
	for i, k := range c.active {
		rest[k] -= drives[i]
	}
	for k := range rest {
		rest[k] = -rest[k]
	}
	forces, free := c.forces(m.s, rest), c.freeForces(m.s)
	out := make([]JointWrench, c.own, c.own+len(c.loops))
	for link := range out {
		at := re.Frame(link)
		out[link].Wrench = re.Joint(link)
		out[link].add(-1, c.carried(link), at, re, forces, free, c)
	}
	for i, l := range c.loops {
		if l.linear != nil {
			continue
		}
		var w JointWrench
		sign := make([]float64, len(c.loops))
		sign[i] = 1
		w.add(1, sign, re.Frame(l.frame), re, forces, free, c)
		out = append(out, w)
	}
	return out
}

// carried tells of each cut whether a link carries its frame, 1, or the one that it meets, −1, and 0 for none or both. Of
// a coupling it is NaN where the link carries one of its joints.
func (c *Closure) carried(link int) []float64 {
	beyond := func(j int) bool {
		for ; j >= 0; j = c.links[j].Antecedent {
			if j == link {
				return true
			}
		}
		return false
	}
	out := make([]float64, len(c.loops))
	for i, l := range c.loops {
		for _, t := range l.linear {
			if beyond(c.coords[t.coord]) {
				out[i] = math.NaN()
			}
		}
		if l.linear == nil && beyond(l.frame) {
			out[i]++
		}
		if l.linear == nil && beyond(l.meets) {
			out[i]--
		}
	}
	return out
}

// add adds the forces at the cuts, times their signs, to the wrench in a frame, and marks the components that their
// free part moves.
func (w *JointWrench) add(factor float64, sign []float64, at robot.Transform, re *dynamics.Reactions, forces []CutForce, free [][]CutForce, c *Closure) {
	here := func(forces []CutForce) (force, moment spatial.Vec) {
		for i := range forces {
			if s := factor * sign[i]; s != 0 && c.loops[i].linear == nil {
				arm := spatial.Sub(re.Frame(c.loops[i].frame).P, at.P)
				force = spatial.AddScaled(force, s, forces[i].Force)
				moment = spatial.AddScaled(moment, s, spatial.Add(forces[i].Moment, spatial.Cross(arm, forces[i].Force)))
			}
		}
		back := spatial.Transpose(at.R)
		return spatial.MulVec(back, force), spatial.MulVec(back, moment)
	}
	force, moment := here(forces)
	w.Force, w.Moment = spatial.Add(w.Force, force), spatial.Add(w.Moment, moment)
	for _, f := range free {
		force, moment := here(f)
		for k := range 3 {
			w.Undetermined[k] = w.Undetermined[k] || math.Abs(force[k])*c.length > undetermined
			w.Undetermined[3+k] = w.Undetermined[3+k] || math.Abs(moment[k]) > undetermined
		}
	}
	for i := range sign {
		if math.IsNaN(sign[i]) {
			w.Undetermined = [6]bool{true, true, true, true, true, true}
		}
	}
}

// freeForces are forces at the cuts that no motion shows, columns of 1 − U·Uᵀ with the independent left singular vectors U.
func (c *Closure) freeForces(s *spectrum) [][]CutForce {
	var out [][]CutForce
	rows := 6 * len(c.loops)
	real := func(i int) bool { // a row of the mismatch
		l := c.loops[i/6]
		return l.linear == nil && (i%6 < 3 || !l.spherical)
	}
	for i := range rows {
		if !real(i) {
			continue
		}
		lambda := make([]float64, rows)
		lambda[i] = 1
		for k := range s.rank {
			for l := range rows {
				lambda[l] -= s.u.At(i, k) * s.u.At(l, k)
			}
		}
		out = append(out, c.cutForces(lambda))
	}
	return out
}
