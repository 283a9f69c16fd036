package dynamics

import (
	"fmt"
	"slices"

	"ident/internal/spatial"
	"ident/robot"
)

// Tree is a robot prepared for numeric mechanics. It works in the robot's
// independent coordinates: one entry for each moving joint that does not mimic
// another, in link order. It is immutable and safe for concurrent use.
type Tree struct {
	links   []link
	gravity spatial.Vec
	coords  []int // link index of each coordinate
	mimics  bool
}

// Link is the joint of a link in the tree's coordinates: at coordinates q it
// stands at Ratio·q[Coord] + Offset.
type Link struct {
	Name, Joint string
	Kind        robot.Kind
	Antecedent  int             // link index, -1 for the base
	Placement   robot.Transform // constant pose on the antecedent
	Coord       int             // index of the independent coordinate that moves the link, -1 for a fixed link
	Ratio       float64
	Offset      float64 // rad or m
}

// link is a Link with its body.
type link struct {
	Link
	inertia spatial.Mat // about the frame's origin
	first   spatial.Vec // first moments
	mass    float64
	ia      float64
}

// New prepares a robot that passes robot.Validate, and returns its error for any
// other.
func New(r *robot.Robot) (*Tree, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	t := &Tree{gravity: r.Gravity}
	mimics := map[int]robot.Mimic{}
	for _, m := range r.Mimics {
		mimics[m.Joint] = m
	}
	t.mimics = len(r.Mimics) > 0
	for j := range r.Links {
		l := &r.Links[j]
		n := link{Link: Link{Name: l.Name, Joint: l.Joint.Name, Kind: l.Joint.Kind, Antecedent: l.Antecedent, Placement: l.Placement, Coord: -1, Ratio: 1},
			inertia: l.Inertial.Origin(), first: l.Inertial.FirstMoments(), mass: l.Inertial.Mass(), ia: l.Joint.Ia}
		if _, mimic := mimics[j]; n.Kind != robot.Fixed && !mimic {
			n.Coord = len(t.coords)
			t.coords = append(t.coords, j)
		}
		t.links = append(t.links, n)
	}
	for j, m := range mimics {
		t.links[j].Coord, t.links[j].Ratio, t.links[j].Offset = t.links[m.Of].Coord, m.Multiplier, m.Offset
	}
	return t, nil
}

// DOF returns the number of independent coordinates.
func (t *Tree) DOF() int { return len(t.coords) }

// Coordinates returns the link of each coordinate.
func (t *Tree) Coordinates() []int { return slices.Clone(t.coords) }

// Links returns the joints of all links, in link order.
func (t *Tree) Links() []Link {
	out := make([]Link, len(t.links))
	for j := range t.links {
		out[j] = t.links[j].Link
	}
	return out
}

// place returns the placement of link j on its antecedent at coordinates q.
func (t *Tree) place(j int, q []float64) (spatial.Mat, spatial.Vec) {
	l := &t.links[j]
	switch l.Kind {
	case robot.Revolute:
		return spatial.Mul(l.Placement.R, spatial.RotZ(l.Ratio*q[l.Coord]+l.Offset)), l.Placement.P
	case robot.Prismatic:
		d := l.Ratio*q[l.Coord] + l.Offset
		return l.Placement.R, spatial.AddScaled(l.Placement.P, d, spatial.Vec{l.Placement.R[0][2], l.Placement.R[1][2], l.Placement.R[2][2]})
	}
	return l.Placement.R, l.Placement.P
}

// Poses returns the placement of every link frame in the base frame.
func (t *Tree) Poses(q []float64) []robot.Transform {
	t.check("q", q)
	out := make([]robot.Transform, len(t.links))
	for j := range t.links {
		a, p := t.place(j, q)
		out[j] = robot.Transform{R: a, P: p}
		if i := t.links[j].Antecedent; i >= 0 {
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
