package causes

import (
	"ident/internal/spatial"
	"ident/robot"
)

// change is a small change of the robot or of its known motion, by which the torques are differentiated.
type change struct {
	kind changeKind
	link int
	axis int   // 0, 1, 2 for x, y, z: direction of a shift, or axis of a turn
	path *path // of a path change
}

// path is a change of a joint's position at the rows, with its derivatives in time.
type path struct{ q, v, a []float64 }

type changeKind int

const (
	zeroChange  changeKind = iota // the zero of the link's joint
	pathChange                    // the positions of its joint by a path, velocities and accelerations with them
	shiftChange                   // the link's frame along an axis of its antecedent's
	turnChange                    // the link's frame about one of its own axes
)

// screw is a twist (angular velocity, linear velocity at the base's origin), its derivative in time, or a wrench (moment
// about that origin, force).
type screw struct{ a, l spatial.Vec }

func (s screw) plus(by float64, x screw) screw {
	return screw{spatial.AddScaled(s.a, by, x.a), spatial.AddScaled(s.l, by, x.l)}
}

// cross returns the rate of change of twist x when s moves it; crossForce does the same for a wrench.
func (s screw) cross(x screw) screw {
	return screw{spatial.Cross(s.a, x.a), spatial.Add(spatial.Cross(s.a, x.l), spatial.Cross(s.l, x.a))}
}

func (s screw) crossForce(f screw) screw {
	return screw{spatial.Add(spatial.Cross(s.a, f.a), spatial.Cross(s.l, f.l)), spatial.Cross(s.a, f.l)}
}

func (s screw) power(f screw) float64 { return spatial.Dot(s.a, f.a) + spatial.Dot(s.l, f.l) }

// moved is the state of a link at one row, in the base frame.
type moved struct {
	antecedent, coord int // coord is the joint of the model, -1 for none
	prismatic         bool
	place             robot.Transform // constant
	own               robot.Inertial

	r       spatial.Mat
	p       spatial.Vec
	axis    screw
	v, acc  screw // acc falls against gravity
	force   screw // on it and, as what follows, on all that it carries
	rest    mass
	turning [6]screw // wrenches by unit velocities of all, accelerations as they are
	along   screw    // rest times the axis
	against screw    // powers of turning on the axis
	within  bool     // carried by the link that changes
}

// mass is the inertia of a rigid body about the base's origin.
type mass struct {
	inertia spatial.Mat
	first   spatial.Vec
	m       float64
}

// times returns the momentum for a twist.
func (m *mass) times(t screw) screw {
	return screw{
		spatial.Add(spatial.MulVec(m.inertia, t.a), spatial.Cross(m.first, t.l)),
		spatial.Sub(spatial.Scale(m.m, t.l), spatial.Cross(m.first, t.a)),
	}
}

// derivatives returns the derivatives of the fitted links' torques with respect to the changes, by change and joint. A
// changed place moves all that a link carries by a screw s. Seen from there, the antecedent's motion V, A changes by
// -s×V and -s×A. For the antecedents, the wrench F on all that the link carries changes by s×F. A change u of all
// velocities, and with it a change x of all accelerations besides u×V of each link, changes F by
//
//	ΔF = (ΣI)·x + Σ (I·(u×V) + u×I·V + V×I·u)
//
// so that one pass inward sums what every change needs, where differences of torques would take a robot each.
func (t *trial) derivatives(asked []change) [][][]float64 {
	out := make([][][]float64, len(asked))
	for i := range out {
		for range t.bodies.joints {
			out[i] = append(out[i], make([]float64, len(t.rows)))
		}
	}
	links := t.movedLinks()
	for row := range t.rows {
		t.follow(links, row)
		for i, c := range asked {
			t.differentiate(links, c, row, out[i])
		}
	}
	return out
}

// movedLinks returns the links of the robot with the fitted parameters.
func (t *trial) movedLinks() []moved {
	links := make([]moved, len(t.bodies.robot.Links))
	for i := range links {
		l := &t.bodies.robot.Links[i]
		links[i] = moved{antecedent: l.Antecedent, coord: -1, place: l.Placement, prismatic: l.Joint.Kind == robot.Prismatic}
	}
	for j, l := range t.bodies.links {
		links[l].coord = j
	}
	for i, c := range t.bodies.rest.Columns() {
		links[c.Link].own[c.Param] = t.links[i]
	}
	return links
}

// follow computes the motion of the links at a row and the wrenches for it.
func (t *trial) follow(links []moved, row int) {
	for i := range links {
		m := &links[i]
		up, rest := spatial.Eye(), screw{l: spatial.Scale(-1, t.opt.Gravity)}
		var at spatial.Vec
		m.v, m.acc = screw{}, rest
		if m.antecedent >= 0 {
			a := &links[m.antecedent]
			up, at, m.v, m.acc = a.r, a.p, a.v, a.acc
		}
		m.p = spatial.Add(at, spatial.MulVec(up, m.place.P))
		m.r = spatial.Mul(up, m.place.R)
		if m.coord >= 0 {
			q, v, a := t.motion.q[m.coord][row], t.motion.v[m.coord][row], t.motion.a[m.coord][row]
			z := spatial.Vec{m.r[0][2], m.r[1][2], m.r[2][2]}
			if m.prismatic {
				m.axis = screw{l: z}
				m.p = spatial.AddScaled(m.p, q, z)
			} else {
				m.axis = screw{z, spatial.Cross(m.p, z)}
				m.r = spatial.Mul(m.r, spatial.RotZ(q))
			}
			m.v = m.v.plus(v, m.axis)
			m.acc = m.acc.plus(a, m.axis).plus(v, m.v.cross(m.axis))
		}
		m.settle()
	}
	for i := len(links) - 1; i >= 0; i-- {
		m := &links[i]
		if m.antecedent >= 0 {
			a := &links[m.antecedent]
			a.force = a.force.plus(1, m.force)
			a.rest.inertia = spatial.AddMat(a.rest.inertia, m.rest.inertia)
			a.rest.first, a.rest.m = spatial.Add(a.rest.first, m.rest.first), a.rest.m+m.rest.m
			for c := range a.turning {
				a.turning[c] = a.turning[c].plus(1, m.turning[c])
			}
		}
		if m.coord >= 0 {
			m.along = m.rest.times(m.axis)
			for c := range 3 {
				m.against.a[c], m.against.l[c] = m.axis.power(m.turning[c]), m.axis.power(m.turning[3+c])
			}
		}
	}
}

// settle computes the wrench that acts on the link alone.
func (m *moved) settle() {
	m.rest.m = m.own[robot.M]
	b := spatial.MulVec(m.r, m.own.FirstMoments())
	m.rest.first = spatial.AddScaled(b, m.rest.m, m.p)
	j := spatial.Mul(spatial.Mul(m.r, m.own.Origin()), spatial.Transpose(m.r))
	// About the base's origin: p times the first moment about the link's origin, twice, plus p times the mass.
	both := spatial.AddScaled(spatial.Scale(2, b), m.rest.m, m.p)
	square := spatial.Dot(m.p, both)
	for x := range 3 {
		for y := range 3 {
			j[x][y] -= (m.p[x]*both[y] + m.p[y]*both[x]) / 2
		}
		j[x][x] += square
	}
	m.rest.inertia = j
	moment := m.rest.times(m.v)
	m.force = m.rest.times(m.acc).plus(1, m.v.crossForce(moment))
	for c := range m.turning {
		var u screw
		if c < 3 {
			u.a[c] = 1
		} else {
			u.l[c-3] = 1
		}
		m.turning[c] = m.rest.times(u.cross(m.v)).plus(1, u.crossForce(moment)).plus(1, m.v.crossForce(m.rest.times(u)))
	}
}

// differentiate stores the derivative of the torques by one change at a row.
func (t *trial) differentiate(links []moved, c change, row int, out [][]float64) {
	l := &links[c.link]
	up, rest := spatial.Eye(), screw{l: spatial.Scale(-1, t.opt.Gravity)}
	var at spatial.Vec
	var v screw
	if l.antecedent >= 0 {
		a := &links[l.antecedent]
		up, at, v, rest = a.r, a.p, a.v, a.acc
	}
	// s moves the link and all that it carries. faster additionally changes their velocities, harder the acceleration
	// of the link.
	var s, faster, harder screw
	switch c.kind {
	case zeroChange:
		s = l.axis
	case pathChange:
		s = screw{}.plus(c.path.q[row], l.axis)
		faster = screw{}.plus(c.path.v[row], l.axis)
		harder = screw{}.plus(c.path.a[row], l.axis).plus(1, l.v.cross(faster))
	case shiftChange:
		s.l = spatial.Vec{up[0][c.axis], up[1][c.axis], up[2][c.axis]}
	case turnChange:
		r := spatial.Mul(up, l.place.R)
		s.a = spatial.Vec{r[0][c.axis], r[1][c.axis], r[2][c.axis]}
		s.l = spatial.Cross(spatial.Add(at, spatial.MulVec(up, l.place.P)), s.a)
	}
	w := s.cross(v)
	u := faster.plus(-1, w)
	x := harder.plus(-1, s.cross(rest)).plus(1, w.cross(v)).plus(-1, faster.cross(l.v))
	for i := c.link; i < len(links); i++ {
		m := &links[i]
		if m.within = i == c.link || m.antecedent >= c.link && links[m.antecedent].within; m.within && m.coord >= 0 {
			out[m.coord][row] = x.power(m.along) + u.power(m.against)
		}
	}
	down := l.rest.times(x).plus(1, s.crossForce(l.force))
	for c := range 3 {
		down = down.plus(u.a[c], l.turning[c]).plus(u.l[c], l.turning[3+c])
	}
	for i := l.antecedent; i >= 0; i = links[i].antecedent {
		if m := &links[i]; m.coord >= 0 {
			out[m.coord][row] = m.axis.power(down)
		}
	}
}
