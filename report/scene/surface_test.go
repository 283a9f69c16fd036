package scene

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ident/robot"
	"ident/robot/format"
)

// ball returns a text STL of a sphere of radius 0.1 m with about 4n² triangles.
func ball(n int) []byte {
	var b strings.Builder
	b.WriteString("solid ball\n")
	at := func(i, k int) [3]float64 {
		a, c := math.Pi*float64(i)/float64(n), math.Pi*float64(k)/float64(n)
		return [3]float64{0.1 * math.Cos(a) * math.Sin(c), 0.1 * math.Sin(a) * math.Sin(c), 0.1 * math.Cos(c)}
	}
	face := func(p, q, r [3]float64) {
		b.WriteString("facet normal 0 0 0\nouter loop\n")
		for _, v := range [][3]float64{p, q, r} {
			fmt.Fprintf(&b, "vertex %.9g %.9g %.9g\n", v[0], v[1], v[2])
		}
		b.WriteString("endloop\nendfacet\n")
	}
	for i := range 2 * n {
		for k := range n {
			face(at(i, k), at(i, k+1), at(i+1, k+1))
			face(at(i, k), at(i+1, k+1), at(i+1, k))
		}
	}
	return []byte(b.String() + "endsolid ball\n")
}

// dressed returns the scene of an arm of two links, the second of which names a mesh.
func dressed(t *testing.T, mesh string, files func(name string) ([]byte, error)) *Scene {
	t.Helper()
	text := fmt.Sprintf(`<robot name="arm"><link name="base"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<link name="b"><visual><origin xyz="0 0 0.5"/><geometry><mesh filename=%q/></geometry></visual><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>
<inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<joint name="j1" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
<joint name="j2" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/></joint></robot>`, mesh)
	r, err := format.Read([]byte(text), "urdf", "arm.urdf", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r.Source.Files = files
	s, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// numbers decodes the numbers of a surface, as the page does.
func numbers(t *testing.T, text string) (out []int) {
	t.Helper()
	var bytes []byte
	if err := json.Unmarshal([]byte(`"`+text+`"`), &bytes); err != nil {
		t.Fatal(err)
	}
	for ; len(bytes) > 0; bytes = bytes[2:] {
		out = append(out, int(binary.LittleEndian.Uint16(bytes)))
	}
	return out
}

// A mesh of 89 000 triangles is thinned to what a page has room for, and keeps its place, its size and its volume.
func TestThinnedMesh(t *testing.T) {
	stl := ball(150)
	s := dressed(t, "ball.stl", func(name string) ([]byte, error) {
		if name != "ball.stl" {
			return nil, errors.New(name)
		}
		return stl, nil
	})
	shape := s.Shapes[len(s.Shapes)-1]
	if shape.Kind != "mesh" || shape.Link != 1 || shape.Surface == nil || len(s.Notes) > 0 {
		t.Fatalf("%+v, notes %q", shape, s.Notes)
	}
	f := shape.Surface
	points, faces := numbers(t, f.Point), numbers(t, f.Face)
	if n := len(faces) / 3; n > mostTriangles || n < mostTriangles/3 {
		t.Errorf("%d triangles", n)
	}
	if text, err := json.Marshal(s); err != nil || len(text) > 400e3 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	at := func(i int) (p [3]float64) {
		for k := range p {
			p[k] = f.Low[k] + (f.High[k]-f.Low[k])*float64(points[3*i+k])/65535
		}
		p[2] -= 0.5
		return p
	}
	volume := 0.0
	for i := 0; i < len(faces); i += 3 {
		a, b, c := at(faces[i]), at(faces[i+1]), at(faces[i+2])
		volume += (a[0]*(b[1]*c[2]-b[2]*c[1]) + a[1]*(b[2]*c[0]-b[0]*c[2]) + a[2]*(b[0]*c[1]-b[1]*c[0])) / 6
	}
	if want := 4. / 3 * math.Pi * 1e-3; math.Abs(volume-want) > 0.01*want {
		t.Errorf("volume %g m³, of the ball %g", volume, want)
	}
}

// A mesh that cannot be read is a note, and its link keeps the other shapes.
func TestUnreadMesh(t *testing.T) {
	for name, c := range map[string]struct {
		mesh  string
		files func(string) ([]byte, error)
		want  string
	}{
		"no files":     {"ball.stl", nil, "the files are not at hand"},
		"missing":      {"ball.stl", func(string) ([]byte, error) { return nil, errors.New("there is no ball.stl") }, "there is no ball.stl"},
		"another kind": {"ball.ply", func(string) ([]byte, error) { return nil, nil }, "only STL, OBJ and COLLADA"},
		"large":        {"ball.stl", func(string) ([]byte, error) { return make([]byte, mostBytes+1), nil }, "more than 100 MB"},
	} {
		s := dressed(t, c.mesh, c.files)
		boxes := 0
		for _, shape := range s.Shapes {
			if shape.Surface != nil {
				t.Errorf("%s: a surface", name)
			}
			if shape.Kind == "box" {
				boxes++
			}
		}
		if boxes != 1 || !strings.Contains(strings.Join(s.Notes, " "), c.want) {
			t.Errorf("%s: %d boxes, notes %q", name, boxes, s.Notes)
		}
	}
}

// The same arm is drawn with the same mesh from a URDF, from MuJoCo's XML and from SDFormat, whose visual geometries go before
// those of collisions.
func TestMeshOfEveryFormat(t *testing.T) {
	const inertia = `<inertial><mass>1</mass><inertia><ixx>0.1</ixx><ixy>0</ixy><ixz>0</ixz><iyy>0.1</iyy><iyz>0</iyz><izz>0.1</izz></inertia></inertial>`
	texts := map[string]string{
		"mjcf": `<mujoco model="arm"><compiler angle="radian" meshdir="parts"/>
<default><default class="seen"><geom type="mesh" contype="0" conaffinity="0" group="2"/></default><default class="touched"><geom group="3"/></default></default>
<asset><mesh file="ball.stl" scale="2 2 2"/><mesh name="crude" file="box.obj"/></asset>
<worldbody><body name="a"><joint name="j1" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>
<body name="b" pos="0.5 0 0" childclass="seen"><joint name="j2" axis="0 0 1" pos="0 0.2 0"/><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>
<geom class="touched" type="mesh" mesh="crude"/><geom mesh="ball" pos="0 0.1 0.5" euler="1.5 0 0"/></body></body></worldbody></mujoco>`,
		"sdf": `<sdf version="1.9"><model name="arm"><link name="base"/>
<link name="a">` + inertia + `</link><link name="b"><pose relative_to="a">0.5 0 0 0 0 0</pose>` + inertia + `
<visual name="v"><pose relative_to="spot">0 0 0.2 1.5 0 0</pose><geometry><mesh><uri>model://arm/parts/ball.stl</uri><scale>2 2 2</scale></mesh></geometry></visual>
<collision name="c"><geometry><mesh><uri>model://arm/parts/box.obj</uri></mesh></geometry></collision></link>
<frame name="spot" attached_to="b"><pose>0 0.1 0.3 0 0 0</pose></frame>
<joint name="j1" type="continuous"><parent>base</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="j2" type="continuous"><pose>0 0.2 0 0 0 0</pose><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>`,
	}
	for kind, text := range texts {
		r, err := format.Read([]byte(text), kind, "arm", robot.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r.Source.Files = func(name string) ([]byte, error) {
			if !strings.HasSuffix(name, "parts/ball.stl") {
				return nil, errors.New(name)
			}
			return ball(10), nil
		}
		s, err := New(r)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(s.Shapes, func(x Shape) bool { return x.Kind == "mesh" })
		if i < 0 || s.Shapes[i].Link != 1 || len(s.Notes) > 0 {
			t.Fatalf("%s: shapes %+v, notes %v", kind, s.Shapes, s.Notes)
		}
		// The ball of radius 0.2 m about (0, 0.1, 0.5) in the frame of b, whose joint's axis is at (0, 0.2).
		of := s.Shapes[i].Surface
		for k, want := range [3]float64{0, -0.1, 0.5} {
			if middle := (of.Low[k] + of.High[k]) / 2; math.Abs(middle-want) > 0.01 || math.Abs(of.High[k]-of.Low[k]-0.4) > 0.02 {
				t.Errorf("%s: %v to %v along axis %d, the middle should be %g", kind, of.Low[k], of.High[k], k, want)
			}
		}
	}
}
