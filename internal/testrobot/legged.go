package testrobot

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/robot"
	"ident/robot/format"
)

// QuadrupedRadius is the radius of a foot of Quadruped, m, and QuadrupedFoot its centre in the frame of a calf.
const QuadrupedRadius = 0.025

var (
	QuadrupedFoot = [3]float64{0, 0, -0.2}
	QuadrupedLegs = [...]string{"fl", "fr", "rl", "rr"}
)

// Quadruped returns a quadruped of 13 bodies and 12 joints on a floating base, in links fl_calf, fr_calf, rl_calf and
// rr_calf with round feet. Its masses spread by 20 % about those of a dog of 15 kg, or have them with a nil rng.
func Quadruped(t testing.TB, rng *rand.Rand) *robot.Robot {
	t.Helper()
	r, err := format.Read([]byte(QuadrupedURDF(rng)), "urdf", "quadruped.urdf", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// QuadrupedURDF returns the text of Quadruped.
func QuadrupedURDF(rng *rand.Rand) string {
	var b strings.Builder
	link := func(name string, mass float64, centre, size [3]float64) {
		draw := func(spread float64) float64 {
			if rng == nil {
				return 0
			}
			return spread * rng.NormFloat64()
		}
		m := mass * math.Exp(draw(0.2))
		for k := range centre {
			centre[k] += draw(0.05 * size[k])
		}
		x, y, z := size[0]*size[0], size[1]*size[1], size[2]*size[2]
		fmt.Fprintf(&b, "<link name=%q><inertial><origin xyz=\"%g %g %g\" rpy=\"%g %g %g\"/><mass value=\"%g\"/><inertia ixx=\"%g\" iyy=\"%g\" izz=\"%g\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n",
			name, centre[0], centre[1], centre[2], draw(0.1), draw(0.1), draw(0.1), m, m*(y+z)/12, m*(x+z)/12, m*(x+y)/12)
	}
	joint := func(name, parent, child, axis string, at [3]float64) {
		fmt.Fprintf(&b, "<joint name=%q type=\"revolute\"><parent link=%q/><child link=%q/><origin xyz=\"%g %g %g\"/><axis xyz=%q/><limit lower=\"-3\" upper=\"3\" effort=\"40\" velocity=\"20\"/></joint>\n",
			name, parent, child, at[0], at[1], at[2], axis)
	}
	b.WriteString("<robot name=\"quadruped\">\n<link name=\"world\"/>\n<joint name=\"base\" type=\"floating\"><parent link=\"world\"/><child link=\"trunk\"/></joint>\n")
	link("trunk", 7, [3]float64{0.02, 0, 0}, [3]float64{0.4, 0.2, 0.1})
	for i, leg := range QuadrupedLegs {
		x, y := 0.2, 0.05
		if i >= 2 {
			x = -x
		}
		if i%2 == 1 {
			y = -y
		}
		side := math.Copysign(1, y)
		joint(leg+"_hip", "trunk", leg+"_hip_link", "1 0 0", [3]float64{x, y, 0})
		link(leg+"_hip_link", 0.7, [3]float64{0, 0.01 * side, 0}, [3]float64{0.08, 0.06, 0.06})
		joint(leg+"_thigh", leg+"_hip_link", leg+"_thigh_link", "0 1 0", [3]float64{0, 0.09 * side, 0})
		link(leg+"_thigh_link", 1.1, [3]float64{-0.005, -0.02 * side, -0.04}, [3]float64{0.05, 0.05, 0.2})
		joint(leg+"_knee", leg+"_thigh_link", leg+"_calf", "0 1 0", [3]float64{0, 0, -0.2})
		link(leg+"_calf", 0.25, [3]float64{0.005, 0, -0.12}, [3]float64{0.03, 0.03, 0.2})
	}
	b.WriteString("</robot>\n")
	return b.String()
}
