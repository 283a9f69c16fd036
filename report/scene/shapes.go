package scene

import (
	"fmt"
	"math"
	"slices"

	"ident/internal/spatial"
	"ident/robot"
	"ident/robot/format/urdf"
)

// radius returns the radius of the capsules: an arm of 1 m is 7 cm thick, and one of many short links a third as thick as
// these are long.
func radius(r *robot.Robot, reach float64) float64 {
	var lengths []float64
	for j := range r.Links {
		if d := spatial.Norm(r.Links[j].Placement.P); d > 1e-3*reach {
			lengths = append(lengths, d)
		}
	}
	out := 0.035 * reach
	if len(lengths) > 0 {
		slices.Sort(lengths)
		out = math.Min(out, lengths[len(lengths)/2]/6)
	}
	return round(math.Max(out, 0.008*reach))
}

// addShapes takes the primitives of the file's geometry, and gives every link without any capsules from its own
// frame to the joints that it carries.
func (s *Scene) addShapes() error {
	solids, _, err := urdf.Solids(s.robot)
	if err != nil {
		return fmt.Errorf("scene: geometry of the links: %w", err)
	}
	drawn, left := map[int]bool{}, 0
	for _, b := range solids {
		if b.Link < 0 && extent(b.Kind, b.Size) > s.Reach {
			left++ // a table or a cell about the robot would hide it
			continue
		}
		drawn[b.Link] = true
		pose, from := PoseOf(b.Place), "collision"
		if b.Visual {
			from = "visual"
		}
		s.Shapes = append(s.Shapes, Shape{Link: b.Link, Kind: b.Kind, Size: b.Size, Pose: &pose, From: from})
	}
	if left > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("shapes of the base that are larger than the robot are not drawn: %d", left))
	}
	for j := -1; j < len(s.Links); j++ {
		if drawn[j] {
			continue
		}
		for _, end := range ends(s.robot, j) {
			if spatial.Norm(end) > 0.2*s.Radius {
				s.Shapes = append(s.Shapes, Shape{Link: j, Kind: "capsule", Size: [3]float64{s.Radius}, B: roundAll(end), From: "joints"})
			}
		}
	}
	return nil
}

// extent returns the largest length in a shape, m.
func extent(kind string, size [3]float64) float64 {
	switch kind {
	case "box":
		return spatial.Norm(size)
	case "cylinder":
		return math.Hypot(2*size[0], size[2])
	}
	return 2 * size[0]
}

// ends returns the points that a link reaches to from its own frame: joints and cuts of loops that it carries,
// frames fixed to it, or its centre of mass.
func ends(r *robot.Robot, j int) (out [][3]float64) {
	for k := range r.Links {
		if r.Links[k].Antecedent == j {
			out = append(out, r.Links[k].Placement.P)
		}
	}
	for k := range r.Extra {
		if m := cutPoint(r, k); m.Link == j {
			out = append(out, m.At)
		}
	}
	if len(out) > 0 || j < 0 {
		return out
	}
	var far [3]float64
	for _, l := range r.Lumped {
		if l.Into == j && spatial.Norm(l.InLink.P) > spatial.Norm(far) {
			far = l.InLink.P
		}
	}
	if com, ok := r.Links[j].Inertial.CentreOfMass(); ok && spatial.Norm(com) > spatial.Norm(far) {
		far = com
	}
	return [][3]float64{far}
}
