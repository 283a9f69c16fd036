package excite

import (
	"ident/internal/spatial"
	"ident/robot"
)

// kinematicTree is the kinematics of a robot as a tree: the positions of its links
// and the Jacobians of their points.
type kinematicTree struct {
	links []treeLink
	dof   int
}

type treeLink struct {
	kind          robot.Kind
	antecedent    int
	r             spatial.Mat // placement on the antecedent at zero position
	p             spatial.Vec
	coord         int     // index of the joint's coordinate, -1 for a fixed link
	ratio, offset float64 // joint position = ratio·coordinate + offset, for mimics
	path          []int   // moving links from the base to this one
}

// pose is the frames of all links at one state, in the base frame.
type pose struct {
	tree *kinematicTree
	r    []spatial.Mat // orientations, [link]
	o    []spatial.Vec // origins, [link]
	dq   []float64     // [coordinate]
}

func newKinematicTree(r *robot.Robot) *kinematicTree {
	f := &kinematicTree{}
	mimics := map[int]robot.Mimic{}
	for _, m := range r.Mimics {
		mimics[m.Joint] = m
	}
	for j := range r.Links {
		l := &r.Links[j]
		n := treeLink{kind: l.Joint.Kind, antecedent: l.Antecedent, r: l.Placement.R, p: l.Placement.P, coord: -1, ratio: 1}
		if _, mimic := mimics[j]; n.kind != robot.Fixed && !mimic {
			n.coord = f.dof
			f.dof++
		}
		f.links = append(f.links, n)
	}
	for j, m := range mimics {
		f.links[j].coord, f.links[j].ratio, f.links[j].offset = f.links[m.Of].coord, m.Multiplier, m.Offset
	}
	for j := range f.links {
		n := &f.links[j]
		if n.antecedent >= 0 {
			n.path = append(n.path, f.links[n.antecedent].path...)
		}
		if n.coord >= 0 {
			n.path = append(n.path, j)
		}
	}
	return f
}

func (f *kinematicTree) newPose() *pose {
	return &pose{tree: f, r: make([]spatial.Mat, len(f.links)), o: make([]spatial.Vec, len(f.links)), dq: make([]float64, f.dof)}
}

// set computes the pose at sample t of a motion, [joint][sample]; dq may be nil.
func (p *pose) set(q, dq [][]float64, t int) {
	for j := range p.tree.links {
		l := &p.tree.links[j]
		r, o := l.r, l.p
		if l.coord >= 0 {
			x := l.ratio*q[l.coord][t] + l.offset
			if l.kind == robot.Revolute {
				r = spatial.Mul(r, spatial.RotZ(x))
			} else {
				o = spatial.AddScaled(o, x, spatial.Vec{r[0][2], r[1][2], r[2][2]})
			}
		}
		if i := l.antecedent; i >= 0 {
			o = spatial.Add(p.o[i], spatial.MulVec(p.r[i], o))
			r = spatial.Mul(p.r[i], r)
		}
		p.r[j], p.o[j] = r, o
	}
	if dq != nil {
		for i := range p.dq {
			p.dq[i] = dq[i][t]
		}
	}
}

// point returns the position of a point fixed to a link; link -1 is the base.
func (p *pose) point(link int, at spatial.Vec) spatial.Vec {
	if link < 0 {
		return at
	}
	return spatial.Add(p.o[link], spatial.MulVec(p.r[link], at))
}

// move takes a point from the frame of a link to the base frame, in place; link -1 is
// the base.
func (p *pose) move(x *spatial.Vec, link int) {
	if link < 0 {
		return
	}
	r, o, at := &p.r[link], &p.o[link], *x
	for k := range x {
		x[k] = o[k] + (r[k][0]*at[0] + r[k][1]*at[1] + r[k][2]*at[2])
	}
}

func (p *pose) axis(j int) spatial.Vec {
	return spatial.Vec{p.r[j][0][2], p.r[j][1][2], p.r[j][2][2]}
}

// jacobianColumn is the velocity of a point x of a link beyond joint j, for a unit
// rate of that joint's coordinate.
func (p *pose) jacobianColumn(j int, x spatial.Vec) spatial.Vec {
	l := &p.tree.links[j]
	if l.kind == robot.Revolute {
		return spatial.Scale(l.ratio, spatial.Cross(p.axis(j), spatial.Sub(x, p.o[j])))
	}
	return spatial.Scale(l.ratio, p.axis(j))
}

// addPositionGradient adds to gq[joint][t] scale times the derivative of n·x by the
// joints' positions, for a point x of a link.
func (p *pose) addPositionGradient(gq [][]float64, t, link int, x, n spatial.Vec, scale float64) {
	if link < 0 {
		return
	}
	for _, j := range p.tree.links[link].path {
		gq[p.tree.links[j].coord][t] += scale * spatial.Dot(n, p.jacobianColumn(j, x))
	}
}

// velocity returns the velocity of a point x of a link at the rates of the pose.
func (p *pose) velocity(link int, x spatial.Vec) (v spatial.Vec) {
	for _, j := range p.tree.links[link].path {
		v = spatial.AddScaled(v, p.dq[p.tree.links[j].coord], p.jacobianColumn(j, x))
	}
	return v
}

// addVelocityGradient adds scale times the derivative of n·v by the joints' positions
// and rates, v being the velocity of a point x of a link. With z the axis of joint j
// and J its column, ∂v/∂q_j = z×(velocity of x due to the joints beyond j) +
// (angular velocity of the joints up to j)×J.
func (p *pose) addVelocityGradient(gq, gdq [][]float64, t, link int, x, n spatial.Vec, scale float64) {
	path := p.tree.links[link].path
	var before, w, beyond spatial.Vec // angular velocities up to the joint before and this one; velocity of x due to the joints beyond
	beyond = p.velocity(link, x)
	for _, j := range path {
		l := &p.tree.links[j]
		c := p.jacobianColumn(j, x)
		gdq[l.coord][t] += scale * spatial.Dot(n, c)
		rate := p.dq[l.coord]
		beyond = spatial.AddScaled(beyond, -rate, c)
		w = before
		if l.kind == robot.Revolute {
			z := spatial.Scale(l.ratio, p.axis(j))
			w = spatial.AddScaled(before, rate, z)
			gq[l.coord][t] += scale * spatial.Dot(n, spatial.Cross(z, beyond))
		}
		gq[l.coord][t] += scale * spatial.Dot(n, spatial.Cross(w, c))
		before = w
	}
}
