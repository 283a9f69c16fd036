package kinematics

import (
	"slices"

	"ident/internal/spatial"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// SamplePose is the frames of all links at one sample of a motion that is stored joint by joint, [coordinate][sample],
// with gradients of points and of their velocities added to lists of the same kind. It is the part of Pose that
// searches over motions need: no velocities of links that nobody asks for, no checks and no allocation per sample. It
// serves one goroutine.
type SamplePose struct {
	tree *Tree
	rot  []spatial.Mat // orientations in the base, [link]
	at   []spatial.Vec // origins in the base, [link]
	dq   []float64     // [coordinate]
}

// NewSamplePose returns a pose that has not been placed.
func (t *Tree) NewSamplePose() *SamplePose {
	return &SamplePose{tree: t, rot: make([]spatial.Mat, len(t.links)), at: make([]spatial.Vec, len(t.links)), dq: make([]float64, t.dof)}
}

// Links returns the links with their joints, as package dynamics numbers them. The slice is a copy.
func (t *Tree) Links() []dynamics.Link { return slices.Clone(t.links) }

// Tree returns the tree of the pose.
func (p *SamplePose) Tree() *Tree { return p.tree }

// Place computes the frames at sample s of a motion; dq may be nil, where velocities are not wanted.
func (p *SamplePose) Place(q, dq [][]float64, s int) {
	for j := range p.tree.links {
		l := &p.tree.links[j]
		r, o := l.Placement.R, l.Placement.P
		if l.Coord >= 0 {
			x := l.Ratio*q[l.Coord][s] + l.Offset
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
	if dq != nil {
		for i := range p.dq {
			p.dq[i] = dq[i][s]
		}
	}
}

// Origin returns the origin of a link's frame in the base, m.
func (p *SamplePose) Origin(link int) [3]float64 { return p.at[link] }

// Point returns the position of a point fixed to a link in the base, m; link -1 is the base.
func (p *SamplePose) Point(link int, at [3]float64) [3]float64 {
	if link < 0 {
		return at
	}
	return spatial.Add(p.at[link], spatial.MulVec(p.rot[link], at))
}

// Carry takes a point from the frame of a link to the base, in place; link -1 is the base.
func (p *SamplePose) Carry(x *[3]float64, link int) {
	if link < 0 {
		return
	}
	r, o, at := &p.rot[link], &p.at[link], *x
	for k := range x {
		x[k] = o[k] + (r[k][0]*at[0] + r[k][1]*at[1] + r[k][2]*at[2])
	}
}

func (p *SamplePose) axis(j int) spatial.Vec {
	return spatial.Vec{p.rot[j][0][2], p.rot[j][1][2], p.rot[j][2][2]}
}

// column returns the velocity of a point x of a link beyond joint j, for a unit rate of that joint's coordinate.
func (p *SamplePose) column(j int, x spatial.Vec) spatial.Vec {
	l := &p.tree.links[j]
	if l.Kind == robot.Revolute {
		return spatial.Scale(l.Ratio, spatial.Cross(p.axis(j), spatial.Sub(x, p.at[j])))
	}
	return spatial.Scale(l.Ratio, p.axis(j))
}

// AddPositionGradient adds to gq[coordinate][s] scale times the derivative of n·x by the coordinates, for a point of a
// link that is at x in the base.
func (p *SamplePose) AddPositionGradient(gq [][]float64, s, link int, x, n [3]float64, scale float64) {
	if link < 0 {
		return
	}
	for _, j := range p.tree.paths[link] {
		gq[p.tree.links[j].Coord][s] += scale * spatial.Dot(n, p.column(j, x))
	}
}

// Velocity returns the velocity, m/s, of the point of a link that is at x in the base, at the rates of Place.
func (p *SamplePose) Velocity(link int, x [3]float64) (v [3]float64) {
	for _, j := range p.tree.paths[link] {
		v = spatial.AddScaled(v, p.dq[p.tree.links[j].Coord], p.column(j, x))
	}
	return v
}

// AddVelocityGradient adds scale times the derivative of n·v by the coordinates and their rates, v being the velocity of
// the point of a link that is at x in the base. With z the axis of joint j and J its column, ∂v/∂q_j = z×(velocity of x
// due to the joints beyond j) + (angular velocity of the joints up to j)×J.
func (p *SamplePose) AddVelocityGradient(gq, gdq [][]float64, s, link int, x, n [3]float64, scale float64) {
	var before, w spatial.Vec // angular velocities up to the joint before and this one
	beyond := p.Velocity(link, x)
	for _, j := range p.tree.paths[link] {
		l := &p.tree.links[j]
		c := p.column(j, x)
		gdq[l.Coord][s] += scale * spatial.Dot(n, c)
		rate := p.dq[l.Coord]
		beyond = spatial.AddScaled(beyond, -rate, c)
		w = before
		if l.Kind == robot.Revolute {
			z := spatial.Scale(l.Ratio, p.axis(j))
			w = spatial.AddScaled(before, rate, z)
			gq[l.Coord][s] += scale * spatial.Dot(n, spatial.Cross(z, beyond))
		}
		gq[l.Coord][s] += scale * spatial.Dot(n, spatial.Cross(w, c))
		before = w
	}
}
