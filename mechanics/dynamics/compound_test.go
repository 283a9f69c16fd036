package dynamics

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ident/internal/spatial"
	"ident/robot"
	"ident/robot/format"
)

func readYAML(t *testing.T, text string) *robot.Robot {
	t.Helper()
	r, err := format.Read([]byte(text), "yaml", "compound.yaml", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Joints of several freedoms place their body as they say: a floating base by
// x, y, z, yaw, pitch and roll, a planar joint in the plane of its axis, a screw
// by its pitch a turn.
func TestJointsOfSeveralFreedoms(t *testing.T) {
	const origin = "origin: {xyz: [0.3, -0.2, 0.5], rpy: [0.4, 0.5, 0.6]}"
	at := robot.Transform{R: spatial.Mul(spatial.RotZ(0.6), spatial.Mul(spatial.RotY(0.5), spatial.RotX(0.4))), P: spatial.Vec{0.3, -0.2, 0.5}}
	q := []float64{0.7, -0.4, 1.1, 0.3, -0.8, 0.2}
	axis := spatial.Scale(1/math.Sqrt(14), spatial.Vec{1, 2, 3})
	about := func(angle float64) spatial.Mat {
		s, c := math.Sincos(angle)
		k := spatial.Skew(axis)
		return spatial.AddMat(spatial.Eye(), spatial.AddMat(spatial.ScaleMat(s, k), spatial.ScaleMat(1-c, spatial.Mul(k, k))))
	}
	turns := func(yaw, pitch, roll float64) spatial.Mat {
		return spatial.Mul(spatial.RotZ(yaw), spatial.Mul(spatial.RotY(pitch), spatial.RotX(roll)))
	}
	for _, c := range []struct {
		joint, more string
		names       string
		want        func(pose robot.Transform) robot.Transform
	}{
		{"kind: floating", "", "j.x j.y j.z j.yaw j.pitch j.roll", func(robot.Transform) robot.Transform {
			return robot.Transform{R: turns(q[3], q[4], q[5]), P: spatial.Vec{q[0], q[1], q[2]}}
		}},
		{"kind: spherical", "", "j.yaw j.pitch j.roll", func(robot.Transform) robot.Transform {
			return robot.Transform{R: turns(q[0], q[1], q[2])}
		}},
		{"kind: planar", "axis: [0, 0, 1]", "j.x j.y j.turn", func(robot.Transform) robot.Transform {
			return robot.Transform{R: spatial.RotZ(q[2]), P: spatial.Vec{q[0], q[1], 0}}
		}},
		{"kind: planar", "axis: [1, 2, 3]", "j.x j.y j.turn", func(pose robot.Transform) robot.Transform {
			// The two slides are across the axis and across each other.
			if d := spatial.Dot(axis, pose.P); math.Abs(d) > 1e-15 {
				t.Errorf("planar: %g out of the plane", d)
			}
			if d := spatial.Norm(pose.P) - math.Hypot(q[0], q[1]); math.Abs(d) > 1e-15 {
				t.Errorf("planar: the slides are not across each other, by %g", d)
			}
			return robot.Transform{R: about(q[2]), P: pose.P}
		}},
		{"kind: screw, pitch: 0.02", "axis: [1, 2, 3]", "j", func(robot.Transform) robot.Transform {
			return robot.Transform{R: about(q[0]), P: spatial.Scale(0.02*q[0]/(2*math.Pi), axis)}
		}},
	} {
		text := "links:\n  - {name: body, joint: {name: j, " + c.joint + "}, " + origin
		if c.more != "" {
			text += ", " + c.more
		}
		text += ", inertial: {mass: 2, com: [0.1, 0.2, 0.3]}}\n  - {name: arm, joint: {name: elbow}, origin: {xyz: [0, 0, 0.1]}}\n"
		r := readYAML(t, text)
		tree, err := New(r)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, i := range r.Independent() {
			names = append(names, r.Links[i].Joint.Name)
		}
		if got := strings.Join(names, " "); got != c.names+" elbow" {
			t.Errorf("%s: joints %s", c.joint, got)
		}
		state := append(append([]float64(nil), q[:tree.DOF()-1]...), 0.9)
		for i := range r.Links {
			l := &r.Links[i]
			if l.Massless == (l.Name == "body" || l.Name == "arm") || l.Joint.Virtual != strings.Contains(c.joint, "floating") && l.Name != "arm" {
				t.Errorf("%s: link %q massless %v, virtual %v", c.joint, l.Name, l.Massless, l.Joint.Virtual)
			}
			if l.Name != "body" {
				continue
			}
			pose := at.Inv().Mul(tree.Poses(state)[i]).Mul(l.UserFrame)
			want := c.want(pose)
			for a := range 3 {
				if math.Abs(pose.P[a]-want.P[a]) > 1e-14 {
					t.Errorf("%s: at %v, want %v", c.joint, pose.P, want.P)
				}
				for b := range 3 {
					if math.Abs(pose.R[a][b]-want.R[a][b]) > 1e-14 {
						t.Fatalf("%s: turned to %v, want %v", c.joint, pose.R, want.R)
					}
				}
			}
			if com, _ := r.UserInertial(i, l.Own).CentreOfMass(); math.Abs(com[0]-0.1)+math.Abs(com[1]-0.2)+math.Abs(com[2]-0.3) > 1e-14 {
				t.Errorf("%s: centre of mass at %v", c.joint, com)
			}
		}
	}
	for text, want := range map[string]string{
		"kind: screw":                "needs its pitch",
		"kind: spherical, pitch: 1":  "only a screw has a pitch",
		"kind: sherical":             `did you mean "spherical"`,
		"kind: floating, limits: {}": `unknown key "limits"`,
	} {
		_, err := format.Read([]byte("links: [{name: body, joint: {name: j, "+text+"}}]"), "yaml", "x.yaml", robot.ReadOptions{})
		var fe *robot.FileError
		if !errors.As(err, &fe) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A URDF says the same with its own joint types.
func TestURDFJointsOfSeveralFreedoms(t *testing.T) {
	text := func(kind string) string {
		return `<robot name="r"><link name="world"/><link name="body"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="arm"/><joint name="j" type="` + kind + `"><parent link="world"/><child link="body"/><origin xyz="1 2 3"/><axis xyz="0 0 1"/></joint>
<joint name="elbow" type="revolute"><parent link="body"/><child link="arm"/></joint></robot>`
	}
	for kind, n := range map[string]int{"floating": 6, "planar": 3, "spherical": 3} {
		r, err := format.Read([]byte(text(kind)), "urdf", "r.urdf", robot.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		tree, err := New(r)
		if err != nil {
			t.Fatal(err)
		}
		if tree.DOF() != n+1 || len(r.Notes) == 0 || !strings.Contains(r.Notes[0].Text, kind) {
			t.Errorf("%s: %d joints, notes %v", kind, tree.DOF(), r.Notes)
		}
		pose := tree.Poses(make([]float64, n+1))[n-1]
		if pose.P != (spatial.Vec{1, 2, 3}) || !r.Links[0].Massless || r.Links[n-1].Name != "body" || r.Links[n-1].Massless {
			t.Errorf("%s: body %q at %v", kind, r.Links[n-1].Name, pose.P)
		}
	}
}
