package kinematics

import (
	"ident/internal/spatial"
	"ident/robot"
)

// Twist is a velocity of a body, or an acceleration, along the axes of the base: Linear
// of a named point, m/s or m/s², Angular in rad/s or rad/s².
type Twist struct{ Linear, Angular [3]float64 }

// Pose is the frames of all links of a tree at one state, with their velocities and
// accelerations after Move. Its methods allocate nothing; a Pose serves one goroutine.
type Pose struct {
	tree *Tree
	rot  []spatial.Mat // orientations in the base, [link]
	at   []spatial.Vec // origins in the base, [link]
	v, a []Twist       // of the origins, [link]
}

// NewPose returns a pose of the tree at coordinates zero and at rest.
func (t *Tree) NewPose() *Pose {
	n := len(t.links)
	p := &Pose{tree: t, rot: make([]spatial.Mat, n), at: make([]spatial.Vec, n), v: make([]Twist, n), a: make([]Twist, n)}
	p.Place(make([]float64, t.dof))
	return p
}

// Place computes the frames at coordinates q, at rest.
func (p *Pose) Place(q []float64) {
	p.tree.check("q", q)
	clear(p.v)
	clear(p.a)
	for j := range p.tree.links {
		l := &p.tree.links[j]
		r, o := l.Placement.R, l.Placement.P
		if l.Coord >= 0 {
			x := l.Ratio*q[l.Coord] + l.Offset
			if l.Kind == robot.Revolute {
				r = spatial.Mul(r, spatial.RotZ(x))
			} else {
				o = spatial.AddScaled(o, x, spatial.Vec{r[0][2], r[1][2], r[2][2]})
			}
		}
		if i := l.Antecedent; i >= 0 {
			o = spatial.Add(p.at[i], spatial.MulVec(p.rot[i], o))
			r = spatial.Mul(p.rot[i], r)
		}
		p.rot[j], p.at[j] = r, o
	}
}

// Move computes velocities and accelerations of the frames at the coordinates of the last Place
// for rates dq and accelerations ddq; nil is zero, with which accelerations are J'·dq.
func (p *Pose) Move(dq, ddq []float64) {
	p.tree.check("dq", dq)
	if ddq != nil {
		p.tree.check("ddq", ddq)
	}
	for j := range p.tree.links {
		l := &p.tree.links[j]
		var v, a Twist
		from := spatial.Vec{}
		if i := l.Antecedent; i >= 0 {
			v, a, from = p.v[i], p.a[i], p.at[i]
		}
		// The frame as a point of the antecedent, which the joint has not moved yet.
		arm := spatial.Sub(p.at[j], from)
		spin := spatial.Cross(v.Angular, arm)
		a.Linear = spatial.Add(a.Linear, spatial.Add(spatial.Cross(a.Angular, arm), spatial.Cross(v.Angular, spin)))
		v.Linear = spatial.Add(v.Linear, spin)
		if l.Coord >= 0 {
			z, rate, acc := p.axis(j), l.Ratio*dq[l.Coord], 0.0
			if ddq != nil {
				acc = l.Ratio * ddq[l.Coord]
			}
			turn := spatial.Scale(rate, spatial.Cross(v.Angular, z))
			if l.Kind == robot.Revolute {
				a.Angular = spatial.Add(spatial.AddScaled(a.Angular, acc, z), turn)
				v.Angular = spatial.AddScaled(v.Angular, rate, z)
			} else {
				a.Linear = spatial.Add(spatial.AddScaled(a.Linear, acc, z), spatial.Scale(2, turn))
				v.Linear = spatial.AddScaled(v.Linear, rate, z)
			}
		}
		p.v[j], p.a[j] = v, a
	}
}

// axis returns the axis of joint j in the base.
func (p *Pose) axis(j int) spatial.Vec {
	return spatial.Vec{p.rot[j][0][2], p.rot[j][1][2], p.rot[j][2][2]}
}

// Frame returns the placement of a link's frame in the base.
func (p *Pose) Frame(link int) robot.Transform {
	p.tree.checkPoint(Point{Link: link})
	if link < 0 {
		return robot.Identity()
	}
	return robot.Transform{R: p.rot[link], P: p.at[link]}
}

// Between returns the placement of link to's frame in that of link from, on any branches.
func (p *Pose) Between(from, to int) robot.Transform { return p.Frame(from).Inv().Mul(p.Frame(to)) }

// Position returns a point in the base, m.
func (p *Pose) Position(at Point) [3]float64 { return p.Frame(at.Link).Apply(at.At) }

// Twist returns the velocity of a point of a link, and the link's angular one.
func (p *Pose) Twist(at Point) Twist {
	p.tree.checkPoint(at)
	if at.Link < 0 {
		return Twist{}
	}
	v := p.v[at.Link]
	v.Linear = spatial.Add(v.Linear, spatial.Cross(v.Angular, spatial.MulVec(p.rot[at.Link], at.At)))
	return v
}

// Acceleration returns the acceleration of a point of a link, gravity left out, and the
// link's angular one.
func (p *Pose) Acceleration(at Point) Twist {
	p.tree.checkPoint(at)
	if at.Link < 0 {
		return Twist{}
	}
	a, w, arm := p.a[at.Link], p.v[at.Link].Angular, spatial.MulVec(p.rot[at.Link], at.At)
	a.Linear = spatial.Add(a.Linear, spatial.Add(spatial.Cross(a.Angular, arm), spatial.Cross(w, spatial.Cross(w, arm))))
	return a
}
