package kinematics

import (
	"fmt"
	"math"
	"slices"

	"ident/internal/spatial"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// Tree is the kinematics of a robot's tree of links in its independent coordinates, those
// of dynamics.Tree. It is immutable and safe for concurrent use.
type Tree struct {
	links []dynamics.Link
	dof   int
	paths [][]int // moving links from the base to each link, itself included
	reach float64
	lower []float64 // limits of the coordinates, -Inf and +Inf where the file gives none
	upper []float64
	name  string
}

// Point is a point fixed to a link, in the link's frame, m. Link -1 is the base.
type Point struct {
	Link int
	At   [3]float64
}

// New prepares a robot that passes robot.Validate, and returns its error for any other. Loops are
// left open: Closed is a robot with loops.
func New(r *robot.Robot) (*Tree, error) {
	d, err := dynamics.New(r)
	if err != nil {
		return nil, err
	}
	t := &Tree{links: d.Links(), dof: d.DOF(), name: r.Name}
	for range t.dof {
		t.lower, t.upper = append(t.lower, math.Inf(-1)), append(t.upper, math.Inf(1))
	}
	for j := range t.links {
		l := &t.links[j]
		var path []int
		if l.Antecedent >= 0 {
			path = slices.Clone(t.paths[l.Antecedent])
		}
		t.reach += spatial.Norm(l.Placement.P)
		if l.Coord >= 0 {
			path = append(path, j)
			t.limit(l, r.Links[j].Joint)
		}
		t.paths = append(t.paths, path)
	}
	if t.reach == 0 {
		t.reach = 1
	}
	return t, nil
}

// limit narrows the limits of a joint's coordinate to those of the joint.
func (t *Tree) limit(l *dynamics.Link, joint robot.Joint) {
	lower, upper := joint.Lower, joint.Upper
	if joint.Continuous || lower == upper {
		return // an empty range is one that nobody filled in
	}
	a, b := (lower-l.Offset)/l.Ratio, (upper-l.Offset)/l.Ratio
	if l.Ratio < 0 {
		a, b = b, a
	}
	if a > t.lower[l.Coord] { // false for NaN, of a limit that is not given
		t.lower[l.Coord] = a
	}
	if b < t.upper[l.Coord] {
		t.upper[l.Coord] = b
	}
	if l.Kind == robot.Prismatic {
		if far := math.Max(math.Abs(lower), math.Abs(upper)); !math.IsInf(far, 0) && !math.IsNaN(far) {
			t.reach += far
		}
	}
}

// DOF returns the number of independent coordinates.
func (t *Tree) DOF() int { return t.dof }

// Reach returns the sum of the distances between consecutive frames, m: the unit of length where
// lengths are compared with angles. It is 1 m where all frames have one origin.
func (t *Tree) Reach() float64 { return t.reach }

// Moving returns the links whose joints move a link, from the base to the link. The slice is a copy.
func (t *Tree) Moving(link int) []int {
	if link < 0 {
		return nil
	}
	return slices.Clone(t.paths[link])
}

// Link returns the index of a link by its own name or by its joint's, -1 for "base", and
// an error that lists the names.
func (t *Tree) Link(name string) (int, error) {
	if name == "base" {
		return -1, nil
	}
	var names []string
	for j, l := range t.links {
		if l.Name == name || l.Joint == name {
			return j, nil
		}
		names = append(names, l.Name)
	}
	return 0, fmt.Errorf("robot %q has no link %q: its links are %q", t.name, name, names)
}

// Tip returns the last link of the longest chain of moving joints, the first of several.
func (t *Tree) Tip() int {
	tip := -1
	for j, path := range t.paths {
		if tip < 0 || len(path) > len(t.paths[tip]) {
			tip = j
		}
	}
	return tip
}

func (t *Tree) check(name string, v []float64) {
	if len(v) != t.dof {
		panic(fmt.Sprintf("kinematics: %s has %d entries, the robot has %d coordinates", name, len(v), t.dof))
	}
}

func (t *Tree) checkPoint(at Point) {
	if at.Link < -1 || at.Link >= len(t.links) {
		panic(fmt.Sprintf("kinematics: link %d of a robot with %d links", at.Link, len(t.links)))
	}
}
