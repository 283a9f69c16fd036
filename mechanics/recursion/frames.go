package recursion

import "ident/robot"

// Kinematics is the geometry of a tree between any two of its frames.
type Kinematics struct{ *Tree }

// pointOut takes a point from the frame of link j to its antecedent's.
func (t Kinematics) pointOut(j int, p Vec) Vec {
	l := &t.Links[j]
	p[2] = t.G.Add(p[2], l.slide)
	return t.vec.add(l.p, t.outOf(j, p))
}

// pointInto takes a point from the antecedent's frame to that of link j.
func (t Kinematics) pointInto(j int, p Vec) Vec {
	l := &t.Links[j]
	p = t.into(j, t.vec.add(p, Vec{-l.p[0], -l.p[1], -l.p[2]}))
	p[2] = t.G.Sub(p[2], l.slide)
	return p
}

// between lists the links to leave, from link `from` on, and those to enter, in that order, on
// the way from one frame to another; -1 is the base.
func (t Kinematics) between(from, to int) (leave, enter []int) {
	carries := map[int]bool{-1: true}
	for j := to; j >= 0; j = t.Links[j].Antecedent {
		carries[j] = true
	}
	common := from
	for ; !carries[common]; common = t.Links[common].Antecedent {
		leave = append(leave, common)
	}
	for j := to; j != common; j = t.Links[j].Antecedent {
		enter = append([]int{j}, enter...)
	}
	return leave, enter
}

// Turned takes a free vector from the axes of one link to those of another.
func (t Kinematics) Turned(from, to int, v Vec) Vec {
	return t.carried(from, to, v, t.outOf, t.into)
}

// carried takes a vector out of the frames between two links and into those after them.
func (t Kinematics) carried(from, to int, v Vec, out, in func(j int, v Vec) Vec) Vec {
	leave, enter := t.between(from, to)
	for _, j := range leave {
		v = out(j, v)
	}
	for _, j := range enter {
		v = in(j, v)
	}
	return v
}

// Moved takes a point from the frame of one link to that of another.
func (t Kinematics) Moved(from, to int, p Vec) Vec {
	return t.carried(from, to, p, t.pointOut, t.pointInto)
}

// Jacobian returns, for each coordinate, the twist of a link under a unit rate of that coordinate:
// angular part, and velocity of the link's point that is now at `at` of the frame of link on, along
// the axes of link f. f and on lie between the base (-1) and the link, it included. The screws of the joints before f are carried outward to f
// and those beyond it inward (Renaud 1980), so that a frame in the middle needs the fewest
// operations.
func (t Kinematics) Jacobian(f, link, on int, at Vec) []Screw {
	out := make([]Screw, len(t.Coords))
	if f >= 0 {
		screws := t.Screws()[f]
		for k, c := range t.Links[f].path {
			out[c] = screws[k]
		}
	}
	t.inward(out, f, link)
	x := t.Moved(on, f, at)
	for c := range out {
		out[c].V = t.vec.add(out[c].V, t.vec.cross(out[c].A, x))
	}
	return out
}

// inward adds to each coordinate's screw, about the origin and along the axes of link f, those of the
// joints from f on to a link.
func (t Kinematics) inward(out []Screw, f, link int) {
	for j := link; j != f; j = t.Links[j].Antecedent {
		l := &t.Links[j]
		if l.Coord < 0 {
			continue
		}
		s := axis(l.Kind)
		for k := range 3 {
			s.A[k], s.V[k] = t.G.Mul(l.Ratio, s.A[k]), t.G.Mul(l.Ratio, s.V[k])
		}
		for k := j; k != f; k = t.Links[k].Antecedent {
			s.V, s.A = t.wrenchOut(k, s.V, s.A) // a screw moves as a wrench does: moment and velocity are of a point
		}
		to := &out[l.Coord]
		to.A, to.V = t.vec.add(to.A, s.A), t.vec.add(to.V, s.V)
	}
}

// On returns the path of links from the base, -1, to a link, both included.
func (t Kinematics) On(link int) []int {
	path := []int{-1}
	_, enter := t.between(-1, link)
	return append(path, enter...)
}

// PointVelocity returns the velocity of a point of a link in the link's own axes.
func (t Kinematics) PointVelocity(m *Motion, at Vec) Vec {
	return t.vec.add(m.V, t.vec.cross(m.W, at))
}

// PointAcceleration returns the acceleration, less gravity, of a point of a link in the link's own axes.
func (t Kinematics) PointAcceleration(m *Motion, at Vec) Vec {
	a := m.DV
	for k := range 3 {
		a[k] = t.G.Add(a[k], t.vec.dot(m.U[k], at))
	}
	return a
}

// NameAngles gives sines and cosines of the revolute joints, and of sums of neighbours on parallel
// axes, the names of the literature: S3, C3, S23.
func (t Kinematics) NameAngles() {
	for j := range t.Links {
		var sum Node
		number := ""
		for k := j; k >= 0; k = t.Links[k].Antecedent {
			l := &t.Links[k]
			if l.Kind != robot.Revolute || l.Coord < 0 || l.Ratio != one || len(t.Links) > 9 {
				break
			}
			sum = t.G.Add(sum, t.Q[l.Coord])
			number = t.label("", k) + number
			t.G.Name(t.G.Sin(sum), "S"+number)
			t.G.Name(t.G.Cos(sum), "C"+number)
		}
	}
}

// Frame is a frame's axes (columns) and origin, as seen from another one.
type Frame struct {
	Axes   [3]Vec
	Origin Vec
}

// Place returns the frame of a link in the frame of another.
func (t Kinematics) Place(in, link int) Frame {
	f := Frame{Origin: t.Moved(link, in, Vec{})}
	for k := range 3 {
		var e Vec
		e[k] = one
		f.Axes[k] = t.Turned(link, in, e)
	}
	return f
}

// Common returns the last link that carries both of two, -1 for the base.
func (t Kinematics) Common(a, b int) int {
	leave, _ := t.between(a, b)
	if len(leave) == 0 {
		return a
	}
	return t.Links[leave[len(leave)-1]].Antecedent
}

// Beyond returns, for each coordinate, the twist of the origin of link that the coordinate's unit rate causes through the joints
// between f and link alone. f is a link before it, or -1 for the base; twists are along the axes of f.
func (t Kinematics) Beyond(f, link int) []Screw {
	out := make([]Screw, len(t.Coords))
	t.inward(out, f, link)
	x := t.Moved(link, f, Vec{})
	for c := range out {
		out[c].V = t.vec.add(out[c].V, t.vec.cross(out[c].A, x))
	}
	return out
}
