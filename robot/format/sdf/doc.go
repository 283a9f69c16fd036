// Package sdf reads and writes robots as SDFormat, and puts identified parameters into a user's own file of that format.
//
// Links keep the user's frames; each has its pose relative to the link that carries it, and a joint its place in its child. Damping and friction
// are Fv and Fs. Bodies that fixed joints carry are links where they have mass, and frames where they have none: simulators give a link
// without an inertial 1 kg. The format has no place for rotor inertias, torque offsets, gear ratios and drives that several joints share.
//
// Models in models become one, whose parts have the names of the models around them before their own, "arm::elbow"; models of other
// files are put in their place first. Visual and collision elements, sensors and plugins are passed over.
//
// Poses follow the pose frame semantics of SDFormat 1.7 and later: a pose is relative to the frame that relative_to names, a link's else to
// the model's frame, a joint's to its child link, a frame's to the one that it is attached to; an axis is expressed in the joint's frame or in that of
// expressed_in. Before 1.7 there is use_parent_model_frame, and before 1.5 axes are in the model's frame. Gravity is (0, 0, -9.8) in
// a world that does not say it.
package sdf

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ident/internal/angles"
	"ident/robot"
)

func notWritable(where, format string, args ...any) error {
	return fmt.Errorf("%s: %s: %w", where, fmt.Sprintf(format, args...), robot.ErrNotWritable)
}

// number has all digits, without the sign of a zero.
func number(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }

func spaced(v ...float64) string {
	s := make([]string, len(v))
	for i, x := range v {
		s[i] = number(x)
	}
	return strings.Join(s, " ")
}

// rotationDigits is the error of an entry of a rotation that three angles may have: a few units in the last place. Near pitch ±π/2 they have
// more, and the four numbers of a quaternion are written.
const rotationDigits = 1e-15

// poseElement returns the element of a placement, with the frame that it is relative to where that is not the default.
func poseElement(t robot.Transform, relative string) string {
	attrs := ""
	if relative != "" {
		attrs = " relative_to=" + quoted(relative)
	}
	rpy := angles.RotationRPY(t.R)
	back := angles.RPYRotation(rpy)
	for i := range 3 {
		for k := range 3 {
			if !(math.Abs(back[i][k]-t.R[i][k]) <= rotationDigits) {
				q := angles.Quaternion(t.R)
				return fmt.Sprintf("<pose%s rotation_format=\"quat_xyzw\">%s</pose>", attrs, spaced(t.P[0], t.P[1], t.P[2], q[1], q[2], q[3], q[0]))
			}
		}
	}
	return fmt.Sprintf("<pose%s>%s</pose>", attrs, spaced(t.P[0], t.P[1], t.P[2], rpy[0], rpy[1], rpy[2]))
}

// inertia is the mass, its centre, and the central moments of a body in the order of the format.
type inertia struct {
	mass    float64
	centre  [3]float64
	moments [6]float64
}

var momentNames = [6]string{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}

// inertiaOf turns parameters about the origin of a link's frame into those of an <inertial>.
func inertiaOf(name string, p robot.Inertial) (inertia, error) {
	where := fmt.Sprintf("link %q", name)
	if !(p.Mass() > 0) {
		return inertia{}, notWritable(where, "its mass is %g kg, and SDFormat has no link without one", p.Mass())
	}
	out := inertia{mass: p.Mass()}
	out.centre, _ = p.CentreOfMass()
	j, _ := p.Central()
	out.moments = [6]float64{j[0][0], j[0][1], j[0][2], j[1][1], j[1][2], j[2][2]}
	for _, v := range append(append([]float64{out.mass}, out.centre[:]...), out.moments[:]...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return inertia{}, notWritable(where, "its inertial is not finite")
		}
	}
	return out, nil
}

// lines returns the elements in an <inertial>.
func (n inertia) lines() []string {
	var b strings.Builder
	b.WriteString("<inertia>")
	for k, name := range momentNames {
		fmt.Fprintf(&b, "<%s>%s</%s>", name, number(n.moments[k]), name)
	}
	b.WriteString("</inertia>")
	return []string{fmt.Sprintf("<pose>%s 0 0 0</pose>", spaced(n.centre[:]...)), fmt.Sprintf("<mass>%s</mass>", number(n.mass)), b.String()}
}
