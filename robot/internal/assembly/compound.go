package assembly

import (
	"fmt"
	"slices"

	"ident/internal/angles"
	"ident/robot"
	"ident/robot/internal/words"
)

// freedom is one motion of a joint with several: a step of the chain of joints
// that stands for it.
type freedom struct {
	Suffix string // of the names of the joint and of the massless link on it
	Kind   robot.Kind
	Axis   [3]float64 // in the frame of the joint
}

// CompoundKinds are the kinds of joints that become chains.
var CompoundKinds = [...]string{"planar", "spherical", "floating", "moving", "screw"}

// Freedoms lists the motions of a joint of several freedoms. Angles are those of
// yaw, pitch and roll: about z, then the turned y, then the turned x.
func Freedoms(kind string, axis [3]float64) []freedom {
	x, y, z := [3]float64{1, 0, 0}, [3]float64{0, 1, 0}, [3]float64{0, 0, 1}
	turns := []freedom{{".yaw", robot.Revolute, z}, {".pitch", robot.Revolute, y}, {".roll", robot.Revolute, x}}
	slides := []freedom{{".x", robot.Prismatic, x}, {".y", robot.Prismatic, y}, {".z", robot.Prismatic, z}}
	switch kind {
	case "planar":
		a := angles.AlignZ(axis)
		column := func(k int) [3]float64 { return [3]float64{a[0][k], a[1][k], a[2][k]} }
		return []freedom{{".x", robot.Prismatic, column(0)}, {".y", robot.Prismatic, column(1)}, {".turn", robot.Revolute, axis}}
	case "spherical":
		return turns
	case "floating", "moving":
		return slices.Concat(slides, turns)
	case "screw":
		return []freedom{{"", robot.Revolute, axis}, {".slide", robot.Prismatic, axis}}
	}
	return nil
}

// Virtual reports whether the joints of a kind are of a body that floats or is
// moved: they have neither drive nor friction.
func Virtual(kind string) bool { return kind == "floating" || kind == "moving" }

// Chain replaces a URDF joint of several freedoms by joints in a row, with
// massless bodies between them.
func Chain(e Edge, kind string, axis [3]float64) ([]Body, []Edge, robot.Note) {
	var bodies []Body
	var edges []Edge
	steps := Freedoms(kind, axis)
	parent, origin := e.Parent, e.Origin
	for i, f := range steps {
		s := Edge{Joint: robot.NewJoint(e.Joint.Name+f.Suffix, f.Kind), Line: e.Line, Parent: parent, Child: e.Child + f.Suffix,
			Origin: origin, Axis: f.Axis, Multiplier: 1}
		s.Joint.Virtual = Virtual(kind)
		if i == len(steps)-1 {
			s.Child = e.Child
		} else {
			bodies = append(bodies, Body{Name: s.Child, Line: e.Line, Massless: true})
		}
		edges = append(edges, s)
		parent, origin = s.Child, robot.Identity()
	}
	said := fmt.Sprintf("%s, read as %d joints in a row on massless links: %s", kind, len(steps), chainNames(edges))
	return bodies, edges, robot.Note{Where: words.Joint(e.Joint.Name), Text: said}
}

func chainNames(edges []Edge) string {
	s := ""
	for i, e := range edges {
		if i > 0 {
			s += ", "
		}
		s += e.Joint.Name
	}
	return s
}
