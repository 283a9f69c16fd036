package physical

import (
	"fmt"
	"math"

	"ident/internal/rowlist"
	"ident/robot"
)

// SameTree returns an error unless two robots have the same links in the same frames, so that parameters of one mean the
// same in the other.
func SameTree(r, o *robot.Robot) error {
	if len(r.Links) != len(o.Links) {
		return fmt.Errorf("it has %s, the robot that is fitted %d", rowlist.Plural(len(o.Links), "link"), len(r.Links))
	}
	// Angles and lengths that files print with six digits.
	const tolerance = 1e-4
	for j := range r.Links {
		a, b := &r.Links[j], &o.Links[j]
		if a.Name != b.Name || a.Antecedent != b.Antecedent || a.Joint.Kind != b.Joint.Kind {
			return fmt.Errorf("its link %d is %q, but in the robot that is fitted it is %q, or it has another parent", j+1, b.Name, a.Name)
		}
		if d := apart(a.Placement, b.Placement); !(d <= tolerance) {
			return fmt.Errorf("the frame of link %q is elsewhere than in the robot that is fitted, by %.3g (rad, m)", a.Name, d)
		}
	}
	return nil
}

// apart returns the largest difference between the entries of two placements.
func apart(a, b robot.Transform) float64 {
	d := 0.0
	for i := range 3 {
		d = max(d, math.Abs(a.P[i]-b.P[i]))
		for k := range 3 {
			d = max(d, math.Abs(a.R[i][k]-b.R[i][k]))
		}
	}
	return d
}
