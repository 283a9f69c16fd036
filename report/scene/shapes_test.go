package scene

import (
	"fmt"
	"strings"
	"testing"

	"ident/robot"
	"ident/robot/format"
)

// A table that is larger than the robot is left out of its figure, with a note; a pedestal is drawn.
func TestTable(t *testing.T) {
	for _, c := range []struct {
		edge float64
		left bool
	}{{0.2, false}, {3, true}} {
		text := fmt.Sprintf(`<robot name="arm"><link name="table"><visual><geometry><box size="%[1]g %[1]g %[1]g"/></geometry></visual></link>
<link name="upper"><inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<link name="lower"><inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<joint name="j1" type="revolute"><parent link="table"/><child link="upper"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="j2" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.6 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>`, c.edge)
		r, err := format.Read([]byte(text), "urdf", "arm.urdf", robot.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(r)
		if err != nil {
			t.Fatal(err)
		}
		boxes := 0
		for _, shape := range s.Shapes {
			if shape.Kind == "box" {
				boxes++
			}
		}
		noted := strings.Contains(strings.Join(s.Notes, " "), "larger than the robot")
		if boxes == 1 == c.left || noted != c.left {
			t.Errorf("a table of %g m beside a robot of %g m: %d boxes, notes %q", c.edge, s.Reach, boxes, s.Notes)
		}
	}
}
