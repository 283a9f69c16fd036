package dynamics

import (
	"fmt"
	"math"

	"ident/internal/spatial"
	"ident/robot"
)

// Tree is a robot prepared for numeric mechanics. It works in the robot's
// independent coordinates: one entry for each moving joint that does not mimic
// another, in link order. It is immutable; a State holds what a computation
// leaves behind.
type Tree struct {
	links   []link
	gravity spatial.Vec
	coords  []int // link index of each coordinate
	mimics  bool
}

type link struct {
	name       string
	joint      string
	kind       robot.Kind
	antecedent int
	r          spatial.Mat // constant placement on the antecedent
	p          spatial.Vec
	inertia    spatial.Mat // about the frame's origin
	first      spatial.Vec // first moments
	mass       float64
	ia         float64
	coord      int // independent coordinate, -1 for a fixed link
	ratio      float64
	offset     float64
}

// New prepares a robot. It fails when the geometry still has symbols without
// values or when an antecedent does not come before its link.
func New(r *robot.Robot) (*Tree, error) {
	if len(r.Unset) > 0 {
		return nil, fmt.Errorf("robot %q: geometry symbols without a value: %v; give them with --set NAME=VALUE", r.Name, r.Unset)
	}
	t := &Tree{gravity: r.Gravity}
	follows := map[int]robot.Mimic{}
	for _, m := range r.Mimics {
		follows[m.Joint] = m
	}
	t.mimics = len(r.Mimics) > 0
	for j := range r.Links {
		l := &r.Links[j]
		if l.Antecedent >= j || l.Antecedent < -1 {
			return nil, fmt.Errorf("robot %q: link %q (number %d) has antecedent %d, which does not come before it", r.Name, l.Name, j+1, l.Antecedent+1)
		}
		n := link{name: l.Name, joint: l.Joint.Name, kind: l.Joint.Kind, antecedent: l.Antecedent, r: l.Placement.R, p: l.Placement.P,
			inertia: l.Inertial.Origin(), first: l.Inertial.FirstMoments(), mass: l.Inertial.Mass(),
			ia: l.Joint.Ia, coord: -1, ratio: 1}
		if _, mimic := follows[j]; n.kind != robot.Fixed && !mimic {
			n.coord = len(t.coords)
			t.coords = append(t.coords, j)
		}
		t.links = append(t.links, n)
	}
	for j, m := range follows {
		lead := t.links[m.Of].coord
		if lead < 0 || j == m.Of {
			return nil, fmt.Errorf("robot %q: joint %q mimics joint %q, which is not an independent moving joint", r.Name, r.Links[j].Joint.Name, r.Links[m.Of].Joint.Name)
		}
		t.links[j].coord, t.links[j].ratio, t.links[j].offset = lead, m.Multiplier, m.Offset
	}
	for j, l := range t.links {
		for i := range 3 {
			if math.IsNaN(l.p[i]) || math.IsNaN(l.r[i][0]+l.r[i][1]+l.r[i][2]) {
				return nil, fmt.Errorf("robot %q: link %q (number %d) has no finite placement", r.Name, l.name, j+1)
			}
		}
	}
	return t, nil
}

// DOF returns the number of independent coordinates.
func (t *Tree) DOF() int { return len(t.coords) }

// Links returns the number of links.
func (t *Tree) Links() int { return len(t.links) }

// place returns the placement of link j on its antecedent at coordinates q.
func (t *Tree) place(j int, q []float64) (spatial.Mat, spatial.Vec) {
	l := &t.links[j]
	switch l.kind {
	case robot.Revolute:
		return spatial.Mul(l.r, spatial.RotZ(l.ratio*q[l.coord]+l.offset)), l.p
	case robot.Prismatic:
		d := l.ratio*q[l.coord] + l.offset
		return l.r, spatial.AddScaled(l.p, d, spatial.Vec{l.r[0][2], l.r[1][2], l.r[2][2]})
	}
	return l.r, l.p
}

// Poses returns the placement of every link frame in the base frame.
func (t *Tree) Poses(q []float64) []robot.Transform {
	t.check("q", q)
	out := make([]robot.Transform, len(t.links))
	for j := range t.links {
		a, p := t.place(j, q)
		out[j] = robot.Transform{R: a, P: p}
		if i := t.links[j].antecedent; i >= 0 {
			out[j] = out[i].Mul(out[j])
		}
	}
	return out
}

func (t *Tree) check(name string, v []float64) {
	if len(v) != len(t.coords) {
		panic(fmt.Sprintf("dynamics: %s has %d entries, the robot has %d coordinates", name, len(v), len(t.coords)))
	}
}
