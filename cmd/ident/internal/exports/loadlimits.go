package exports

import (
	"fmt"
	"math"
	"slices"

	"ident/robot"
)

// Bounds of loads. Controllers do not document the range of their fields, apart from the inertia of Universal Robots, so
// the bounds are physical.
const (
	// heaviest is the largest rated payload of an arm in series, that of FANUC's M-2000iA/2300, kg.
	heaviest = 2300
	// farthest is the distance of a load's centre from the flange, m, that is taken whatever the robot's reach: the arms
	// with the longest reach have grippers of this size.
	farthest = 3
	// urInertia bounds the entries of the inertia of set_target_payload, kg·m² (Universal Robots, script manual).
	urInertia = 133
	// rounding is the part of the largest moment by which moments may miss the triangle inequality: that of the six digits
	// that are written.
	rounding = 1e-6
)

// largest are the rated payloads of the largest arms of makers whose arms are few, kg.
func largest(controller string) (kg float64, arm string) {
	switch controller {
	case "ur":
		return 35, "UR30"
	case "franka", "franka-ee":
		return 3, "Franka Research 3"
	case "xarm":
		return 5, "xArm 6"
	case "kinova":
		return 4, "Gen3"
	}
	return 0, ""
}

// LoadError reports a load that is not written, because no robot can carry it or no body can have it.
type LoadError struct{ Frame, Why string }

func (e *LoadError) Error() string {
	return fmt.Sprintf("the load on %q is not written: %s", e.Frame, e.Why)
}

// check refuses a load that no robot can carry, and one that no body can have.
func (l Load) check(controller string) error {
	refuse := func(format string, args ...any) error { return &LoadError{l.Frame, fmt.Sprintf(format, args...)} }
	all := append([]float64{l.Mass}, l.Centre[:]...)
	for _, row := range l.Inertia {
		all = append(all, row[:]...)
	}
	if slices.ContainsFunc(all, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return refuse("mass, centre and inertia must be finite numbers")
	}
	if !(l.Mass > 1e-6) { // a milligram: below it, a controller's digits show none
		return refuse("its mass is %.4g kg, and a mass must be above zero", l.Mass)
	}
	if l.Mass > heaviest {
		return refuse("its mass is %.4g kg; no robot carries more than %d kg", l.Mass, heaviest)
	}
	most := max(l.Reach, farthest)
	if far := math.Hypot(math.Hypot(l.Centre[0], l.Centre[1]), l.Centre[2]); far > most {
		return refuse("its centre of mass is %.4g m from the frame; at most %.4g m is taken, the reach of the robot or %d m. Look at the mount and at the units of the log", far, most, farthest)
	}
	if l.Point {
		return nil
	}
	moments, _, err := l.Principal()
	if err != nil {
		return refuse("%v", err)
	}
	slices.Sort(moments[:])
	lacks := moments[0] + moments[1] - moments[2]
	switch {
	case moments[0] < -rounding*moments[2] || lacks < -rounding*moments[2] || moments[2] < 0:
		return refuse("no body has its inertia: the principal moments are %.4g, %.4g and %.4g kg·m², each must be positive and at most the sum of the others. Weigh it with more motion, or without inertia", moments[0], moments[1], moments[2])
	case moments[2] > l.Mass*most*most:
		return refuse("its inertia of %.4g kg·m² is that of a body that reaches farther than %.4g m", moments[2], most)
	}
	if controller == "ur" {
		for _, row := range l.Inertia {
			for _, v := range row {
				if math.Abs(v) > urInertia {
					return refuse("set_target_payload takes at most %d kg·m², and its inertia has %.4g", urInertia, v)
				}
			}
		}
	}
	return nil
}

// Doubts returns what is unusual about a load that is written all the same.
func (l Load) Doubts(controller string) []string {
	if kg, arm := largest(controller); kg > 0 && l.Mass > kg {
		return []string{fmt.Sprintf("the load on %q is %.4g kg, more than the rated payload of the maker's largest arm (%s, %g kg)", l.Frame, l.Mass, arm, kg)}
	}
	if l.Robot > 0 && l.Mass > l.Robot {
		return []string{fmt.Sprintf("the load on %q is %.4g kg, more than the robot itself (%.4g kg)", l.Frame, l.Mass, l.Robot)}
	}
	return nil
}

// reach bounds the distance from the base to a link: the sum of the offsets of the joints on the way, with the strokes
// of those that slide. It is 0 if the file does not say.
func reach(r *robot.Robot, link int) float64 {
	sum := 0.0
	for i := link; i >= 0; i = r.Links[i].Antecedent {
		p := r.Links[i].Placement.P
		sum += math.Hypot(math.Hypot(p[0], p[1]), p[2])
		if j := &r.Links[i].Joint; j.Kind == robot.Prismatic && j.Upper > j.Lower {
			sum += max(math.Abs(j.Lower), math.Abs(j.Upper))
		}
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return 0
	}
	return sum
}

// mass returns the mass of a robot's moving links, 0 if the file does not say.
func mass(r *robot.Robot) float64 {
	sum := 0.0
	for i := range r.Links {
		sum += r.Links[i].Inertial.Mass()
	}
	return max(sum, 0)
}
