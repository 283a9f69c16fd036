package sdf_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/sdf"
)

// arm has frames, poses relative to links, joints and frames, axes expressed in other frames, and turned inertials.
const arm = `<?xml version="1.0"?>
<!-- an arm on a table -->
<sdf version="1.9"><world name="hall">
  <gravity>0 3 -10</gravity>
  <include><uri>model://sun</uri></include>
  <model name="table"><static>true</static><link name="top"/></model>
  <model name="arm &amp; hand">
    <pose degrees="true">1 0 0 0 0 90</pose>
    <link name="base"><pose>0 0 0.2 0 0 0</pose></link>
    <joint name="weld" type="fixed"><parent>world</parent><child>base</child></joint>
    <frame name="mount" attached_to="base"><pose>0 0 0.3 0 0 0</pose></frame>
    <link name="upper">
      <pose relative_to="mount">0 0 0 1.5708 0 0</pose>
      <inertial><pose>0.2 0.05 0 0 0 0</pose><mass>2</mass><inertia><ixx>0.01</ixx><iyy>0.02</iyy><izz>0.02</izz></inertia></inertial>
    </link>
    <joint name="shoulder" type="revolute">
      <pose>-0.1 0 0 0.3 0.2 0.1</pose><parent>mount</parent><child>upper</child>
      <axis><xyz expressed_in="__model__">0 1 0</xyz><limit><lower>-2</lower><upper>1.5</upper><effort>80</effort><velocity>3</velocity></limit></axis>
    </joint>
    <joint name="elbow" type="revolute">
      <pose relative_to="upper">0.4 0 0 0 0 1.5707963267948966</pose><parent>upper</parent><child>fore</child>
      <axis>
        <xyz>0 0 2</xyz>
        <limit><lower>-1e16</lower><upper>inf</upper><effort>-1</effort></limit>
        <dynamics><damping>0.4</damping></dynamics>
      </axis>
    </joint>
    <link name="fore">
      <pose relative_to="elbow">0.1 0 0 0 0 0</pose>
      <inertial>
        <pose rotation_format="quat_xyzw">0 -0.2 0.03 1 0 0 1</pose>
        <mass>1</mass>
        <inertia><ixx>0.01</ixx><ixy>0</ixy><ixz>0</ixz><iyy>0.02</iyy><iyz>0</iyz><izz>0.03</izz></inertia>
      </inertial>
    </link>
    <frame name="tool" attached_to="fore"><pose>0 -0.4 0 0 0 0</pose></frame>
  </model>
</world></sdf>
`

func read(t testing.TB, text string) *robot.Robot {
	t.Helper()
	r, err := format.Read([]byte(text), "", "arm.sdf", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func torques(t interface{ Fatal(...any) }, r *robot.Robot, q, dq, ddq []float64) []float64 {
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, tree.DOF())
	tree.InverseDynamics(out, q, dq, ddq)
	return out
}

// Worked by hand, in the model's frame, whose x is the world's y: gravity is (3, 0, -10). The shoulder is at (-0.1, 0, 0.5) and turns about y; the
// masses are at (0.2, 0, 0.55), 2 kg, and (0.6, -0.03, 0.6), 1 kg. The elbow is at (0.4, 0, 0.5), its x along z, its axis z along -y. The moments of the weights
// about y are 2·(0.05·3 + 0.3·10) = 6.3 and 0.1·3 + 0.7·10 = 7.3 at the shoulder, 0.1·3 + 0.2·10 = 2.3 at the elbow. The forearm's inertia is turned
// about x, so that its moment about z is 0.02, and 1 kg is √0.05 m off the axis.
func TestPosesByHand(t *testing.T) {
	r := read(t, arm)
	if r.Name != "arm & hand" || r.Source.Format != "sdf" || strings.Join(r.JointNames(), " ") != "shoulder elbow" || r.Gravity != [3]float64{0, 3, -10} {
		t.Fatalf("%s, %s, %v, %v", r.Name, r.Source.Format, r.JointNames(), r.Gravity)
	}
	if kept, err := format.Read([]byte(strings.Replace(arm, "1.5708", "1.5707963267948966", 1)), "", "arm.sdf", robot.ReadOptions{NoSnap: true}); err != nil {
		t.Fatal(err)
	} else if got := torques(t, kept, []float64{0, 0}, []float64{0, 0}, []float64{0, 0}); math.Abs(got[0]+13.6)+math.Abs(got[1]-2.3) > 1e-13 {
		t.Errorf("without rounding of angles %v", got)
	}
	zero := []float64{0, 0}
	weight := torques(t, r, zero, zero, zero)
	moved := torques(t, r, zero, zero, []float64{0, 1})
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"shoulder", weight[0], -6.3 - 7.3}, {"elbow", weight[1], 2.3}, {"inertia at the elbow", moved[1] - weight[1], 0.02 + 0.05},
		{"lower", r.Links[0].Joint.Lower, -2}, {"upper", r.Links[0].Joint.Upper, 1.5}, {"effort", r.Links[0].Joint.Effort, 80}, {"velocity", r.Links[0].Joint.Velocity, 3},
		{"damping", r.Links[1].Joint.Fv, 0.4},
	} {
		if !(math.Abs(c.got-c.want) < 1e-14*20) {
			t.Errorf("%s: %.15g, want %g", c.name, c.got, c.want)
		}
	}
	if j := r.Links[1].Joint; !j.Continuous || !math.IsNaN(j.Effort) || !math.IsNaN(j.Velocity) {
		t.Errorf("%+v", j)
	}
	var names []string
	for _, l := range r.Lumped {
		names = append(names, fmt.Sprintf("%s by %s %v", l.Name, l.Joint, l.HasInertial))
	}
	if got := strings.Join(names, ", "); got != "base by weld false, mount by mount.fixed false, tool by tool.fixed false" {
		t.Error(got)
	}
}

// The frames of versions before 1.5, and use_parent_model_frame before 1.7, put axes into the model's frame.
func TestAxesOfOlderVersions(t *testing.T) {
	text := func(version, inside string) string {
		return fmt.Sprintf(`<sdf version=%q><model name="m"><link name="a"><pose>0 0 0 0 0 1.5707963267948966</pose><inertial><mass>1</mass></inertial></link>
			<joint name="j" type="revolute"><parent>world</parent><child>a</child><axis><xyz>1 0 0</xyz>%s</axis></joint></model></sdf>`, version, inside)
	}
	for _, c := range []struct {
		text string
		want [3]float64 // in the world
	}{
		{text("1.4", ""), [3]float64{1, 0, 0}}, {text("1.6", ""), [3]float64{0, 1, 0}}, {text("1.10", ""), [3]float64{0, 1, 0}},
		{text("1.6", "<use_parent_model_frame>1</use_parent_model_frame>"), [3]float64{1, 0, 0}},
	} {
		p := read(t, c.text).Links[0].Placement
		if got := [3]float64{p.R[0][2], p.R[1][2], p.R[2][2]}; math.Abs(got[0]-c.want[0])+math.Abs(got[1]-c.want[1]) > 1e-15 {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// same holds a robot that was written and read back to the one before: torques at random states, to a share of the largest of their parts.
func same(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
}, r *robot.Robot, rng *rand.Rand, n int, share float64) float64 {
	var b bytes.Buffer
	if err := sdf.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	back, err := format.Read(b.Bytes(), "", "back.sdf", robot.ReadOptions{NoSnap: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	at := map[string]int{}
	for k, name := range r.JointNames() {
		at[name] = k
	}
	order := make([]int, len(at))
	for k, name := range back.JointNames() {
		order[k] = at[name]
	}
	if back.Gravity != r.Gravity || len(back.JointNames()) != len(at) || len(back.Mimics) != len(r.Mimics) {
		t.Fatalf("gravity %v, joints %v, %d mimics", back.Gravity, back.JointNames(), len(back.Mimics))
	}
	for k, i := range back.Moving() {
		was, is := r.Links[r.Moving()[order[k]]].Joint, back.Links[i].Joint
		was.Ia, was.Fo, was.Accel, was.Jerk, was.GearRatio, was.Gain = 0, 0, math.NaN(), math.NaN(), 0, 0
		if is.Continuous = was.Continuous; fmt.Sprint(was) != fmt.Sprint(is) {
			t.Fatalf("%+v became %+v", was, is)
		}
	}
	if len(r.Mimics) > 0 {
		return 0 // coordinates of their own
	}
	worst := 0.0
	for range n {
		var s, own [3][]float64
		for d := range s {
			own[d], s[d] = make([]float64, len(order)), make([]float64, len(order))
			for k := range order {
				own[d][k] = 2 * rng.NormFloat64()
			}
			for k, i := range order {
				s[d][k] = own[d][i]
			}
		}
		zero := make([]float64, len(order))
		most := 0.0
		for _, part := range [][3][]float64{own, {own[0], zero, zero}, {own[0], own[1], zero}} {
			for _, v := range torques(t, withoutRotors(r), part[0], part[1], part[2]) {
				most = max(most, math.Abs(v))
			}
		}
		want, got := torques(t, withoutRotors(r), own[0], own[1], own[2]), torques(t, back, s[0], s[1], s[2])
		for k := range got {
			d := math.Abs(got[k] - want[order[k]])
			if worst = max(worst, d/most); !(d <= share*most) {
				t.Fatalf("%s, joint %d: %.15g, want %.15g; torques up to %g\n%s", r.Name, k+1, got[k], want[order[k]], most, b.Bytes())
			}
		}
	}
	return worst
}

// withoutRotors is the robot as SDFormat says it.
func withoutRotors(r *robot.Robot) *robot.Robot {
	r = r.Clone()
	for i := range r.Links {
		r.Links[i].Joint.Ia = 0
	}
	return r
}

func TestRoundTrip(t *testing.T) {
	same(t, read(t, arm), rand.New(rand.NewPCG(1, 1)), 10, 1e-13)
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		r := testrobot.Random(rng, rapid.IntRange(1, 8).Draw(t, "joints"), true)
		for i := range r.Links {
			r.Links[i].Joint.Fv, r.Links[i].Joint.Fs = rng.Float64(), rng.Float64()
		}
		var b bytes.Buffer
		if err := sdf.Write(&b, r); errors.Is(err, robot.ErrNotWritable) {
			t.Skip(err)
		}
		// Rotations of 1e-15, seventeen digits of moments about a mass centre that may be metres away, through a chain of eight.
		same(t, r, rng, 2, 1e-10)
	})
}

// Every URDF of the reference data goes through SDFormat and back with the torques that it had.
func TestReferenceRobots(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join(testrobot.DataDir(t), "data", "*", "model", "*.urdf"))
	rng := rand.New(rand.NewPCG(21, 6))
	worst, count := 0.0, 0
	for _, path := range paths {
		r, err := format.Open(path, robot.ReadOptions{NoSnap: true})
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Links { // bodies of the other robots
			if l := &r.Links[i]; l.Own.Mass() == 0 {
				l.Own = robot.InertialFromCentral(1+rng.Float64(), [3]float64{0.1, 0.2 * rng.Float64(), -0.1}, [3][3]float64{{0.02}, {0, 0.03}, {0, 0, 0.02}})
				l.Inertial, l.HasInertial = l.Inertial.Add(l.Own), true
			}
		}
		worst = max(worst, same(t, r, rng, 100, 1e-12))
		count++
	}
	if len(paths) < 3 {
		t.Fatalf("%d URDFs", len(paths))
	}
	t.Logf("%d robots, 100 states each: torques agree to %.1e of the largest", count, worst)
}

var moments = regexp.MustCompile(`<(i[xyz][xyz])>[^<]*<`)

// Identified parameters go into the user's text, and nothing else of it changes.
func TestReplace(t *testing.T) {
	r := read(t, arm)
	p := robot.InertialFromCentral(2.5, [3]float64{0.1, 0.2, -0.1}, [3][3]float64{{0.06, 0.001}, {0.001, 0.05}, {0, 0, 0.04}})
	upper := r.UserInertial(0, r.Links[0].Own)
	drive := r.Links[0].Joint
	drive.Fv, drive.Fs = 0.25, 0.5
	elbow := r.Links[1].Joint
	elbow.Fs = 0.125
	out, err := sdf.Replace([]byte(arm), map[string]robot.Inertial{"fore": p, "upper": upper}, map[string]robot.Joint{"shoulder": drive, "elbow": elbow})
	if err != nil {
		t.Fatal(err)
	}
	back := read(t, string(out))
	for k, v := range back.UserInertial(1, back.Links[1].Own) {
		if math.Abs(v-p[k]) > 1e-14 {
			t.Errorf("%s of the forearm: %g, want %g", robot.InertialNames[k], v, p[k])
		}
	}
	if a, b := back.Links[0].Joint, back.Links[1].Joint; a.Fv != 0.25 || a.Fs != 0.5 || b.Fv != 0.4 || b.Fs != 0.125 {
		t.Errorf("%+v\n%+v", a, b)
	}
	want := strings.NewReplacer(
		`<pose rotation_format="quat_xyzw">0 -0.2 0.03 1 0 0 1</pose>`, `<pose>0.1 0.2 -0.1 0 0 0</pose>`, "<mass>1</mass>", "<mass>2.5</mass>",
		"<damping>0.4</damping>", "<friction>0.125</friction><damping>0.4</damping>",
		`<axis><xyz expressed_in`, `<axis><dynamics><damping>0.25</damping><friction>0.5</friction></dynamics><xyz expressed_in`).Replace(arm)
	// Digits of moments and of a mass centre that came back from moments are rounded.
	plain := func(text string) string {
		text = strings.Join(strings.Fields(strings.Replace(text, "0.20000000000000004", "0.2", 1)), "")
		return moments.ReplaceAllString(text, "<$1>…<")
	}
	if plain(string(out)) != plain(want) {
		t.Errorf("%s\nwant\n%s", out, want)
	}
	for _, c := range []struct{ text, link, part string }{
		{arm, "leg", `no link "leg"`}, {strings.Replace(arm, "<inertial><pose>0.2", `<inertial auto="true"><pose>0.2`, 1), "upper", "auto"},
	} {
		if _, err := sdf.Replace([]byte(c.text), map[string]robot.Inertial{c.link: p}, nil); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%v, want %s", err, c.part)
		}
	}
	if _, err := sdf.Replace([]byte(arm), map[string]robot.Inertial{"fore": {}}, nil); !errors.Is(err, robot.ErrNotWritable) {
		t.Error(err)
	}
	// Elements that are missing are put in.
	bare := `<sdf version="1.9"><model name="m"><link name="a"/><link name="b"><inertial/></link><joint name="j" type="revolute"><parent>world</parent><child>a</child><axis/></joint><joint name="k" type="prismatic"><parent>a</parent><child>b</child><axis><dynamics/></axis></joint></model></sdf>`
	out, err = sdf.Replace([]byte(bare), map[string]robot.Inertial{"a": p, "b": p}, map[string]robot.Joint{"j": drive, "k": drive})
	if err != nil {
		t.Fatal(err)
	}
	back = read(t, string(out))
	for i := range back.Links {
		for k, v := range back.UserInertial(i, back.Links[i].Own) {
			if math.Abs(v-p[k]) > 1e-14 {
				t.Errorf("link %d, %s: %g, want %g\n%s", i+1, robot.InertialNames[k], v, p[k], out)
			}
		}
		if j := back.Links[i].Joint; j.Fv != 0.25 || j.Fs != 0.5 {
			t.Errorf("%+v\n%s", j, out)
		}
	}
}

// Faults of a file have their line and their remedy.
func TestRefusals(t *testing.T) {
	model := func(inside string) string {
		return "<sdf version=\"1.9\"><model name=\"m\">\n<link name=\"a\"/><link name=\"b\"/>" + inside + "</model></sdf>"
	}
	joint := func(attrs, inside string) string {
		return model("<joint name=\"i\" type=\"fixed\"><parent>world</parent><child>a</child></joint><joint name=\"j\" " + attrs + "><parent>a</parent><child>b</child>" + inside + "</joint>")
	}
	for text, part := range map[string]string{
		joint(`type="screw"`, ""):                                                                            `arm.sdf:2: joint "j": type "screw" is not read`,
		joint(`type="revolute"`, ""):                                                                         "it has no <axis>",
		joint(`type="revolute"`, "<axis><xyz>0 0 0</xyz></axis>"):                                            "the axis is zero",
		joint(`type="revolute"`, "<axis><xyz>0 0</xyz></axis>"):                                              "<xyz> has three numbers, found 2",
		joint(`type="revolute"`, "<axis><limit><lower>x</lower></limit></axis>"):                             "<lower>x</lower>: not a number",
		joint(`type="revolute"`, "<axis><limit><lower>2</lower><upper>1</upper></limit></axis>"):             "lower limit 2 is above upper limit 1",
		joint(`type="fixed"`, `<pose relative_to="c">0 0 0 0 0 0</pose>`):                                    `the model has no frame "c"`,
		joint(`type="fixed"`, `<pose relative_to="x::y">0 0 0 0 0 0</pose>`):                                 `the model has no frame "x::y"`,
		joint(`type="fixed"`, `<pose>0 0 0</pose>`):                                                          "<pose> has six numbers",
		joint(`type="fixed"`, `<pose frame="a">0 0 0 0 0 0</pose>`):                                          "relative_to of version 1.7",
		joint(`type="revolute"`, `<axis><mimic joint="z"/></axis>`):                                          `follows joint "z"`,
		model(`<model name="gripper"><link name="c"/></model>`):                                              `link "a": no joint connects it`,
		model(`<model name="g" placement_frame="f"><frame name="f"><pose relative_to="f"/></frame></model>`): "relative to itself",
		model(`<model name="g" placement_frame="f"/>`):                                                       `placement_frame "g::f" is no frame of model "g"`,
		model(strings.Repeat(`<model name="g">`, 22) + strings.Repeat(`</model>`, 22)):                       "more than 20 models in each other",
		model(`<include><uri>x</uri></include>`):                                                             "<include>",
		model(`<joint name="j" type="fixed"><parent>a</parent><child>b</child></joint><joint name="k" type="fixed"><parent>world</parent><child>b</child></joint>`): `link "b" is the child of joint "j" as well: loops`,
		model(`<joint name="j" type="fixed"><parent>a</parent><child>b</child></joint><joint name="k" type="fixed"><parent>b</parent><child>a</child></joint>`):     "cycle",
		model(`<link name="c"/><joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>`):                                                            "no joint connects it",
		model(`<frame name="f" attached_to="g"/><frame name="g" attached_to="f"/>`):                                                                                 "relative to itself",
		model(`<link name="a"/>`):     `the name is that of the link in line 2`,
		model(`<link name="world"/>`): "the name is reserved",
		`<sdf version="2.0"/>`:        "version",
		`<sdf version="1.9"><world name="w"><include><uri>x</uri></include></world></sdf>`: "gz sdf -p",
		`<sdf version="1.9"/>`: "no <model> with joints",
		`<sdf version="1.9"><model name="m"><static>1</static><link name="a"/></model></sdf>`: "static",
	} {
		_, err := format.Read([]byte(text), "", "arm.sdf", robot.ReadOptions{})
		var fe *robot.FileError
		if !errors.As(err, &fe) || !strings.Contains(err.Error(), part) {
			t.Errorf("%v\nwant %s", err, part)
		}
	}
}

// Parts that the format has no place for are an error before anything is written.
func TestNotWritable(t *testing.T) {
	for name, change := range map[string]func(r *robot.Robot){
		"mass":     func(r *robot.Robot) { r.Links[1].Own, r.Links[1].Inertial = robot.Inertial{}, robot.Inertial{} },
		"name":     func(r *robot.Robot) { r.Links[1].Name = "elbow" },
		"reserved": func(r *robot.Robot) { r.Links[1].Name = "__fore__" },
		"virtual":  func(r *robot.Robot) { r.Links[0].Joint.Virtual = true },
		"unset":    func(r *robot.Robot) { r.Unset = []string{"D3"} },
		"NaN":      func(r *robot.Robot) { r.Links[1].Own[robot.XX] = math.NaN() },
	} {
		r := read(t, arm)
		change(r)
		var b bytes.Buffer
		if err := sdf.Write(&b, r); !errors.Is(err, robot.ErrNotWritable) || b.Len() > 0 {
			t.Errorf("%s: %v, %d bytes", name, err, b.Len())
		}
	}
}

func ExampleWrite() {
	r, err := format.Read([]byte(`<robot name="arm"><link name="floor"/><link name="a"><inertial><mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
		<joint name="j" type="continuous"><parent link="floor"/><child link="a"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/><dynamics damping="0.3"/></joint></robot>`), "urdf", "arm", robot.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := sdf.Write(os.Stdout, r); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <?xml version="1.0"?>
	// <sdf version="1.9">
	//   <model name="arm">
	//     <link name="floor"/>
	//     <joint name="floor_weld" type="fixed"><parent>world</parent><child>floor</child></joint>
	//     <link name="a">
	//       <pose relative_to="floor">0 0 0.5 0 0 0</pose>
	//       <inertial>
	//         <pose>0 0 0 0 0 0</pose>
	//         <mass>2</mass>
	//         <inertia><ixx>0.01</ixx><ixy>0</ixy><ixz>0</ixz><iyy>0.02</iyy><iyz>0</iyz><izz>0.02</izz></inertia>
	//       </inertial>
	//     </link>
	//     <joint name="j" type="continuous">
	//       <parent>floor</parent>
	//       <child>a</child>
	//       <axis>
	//         <xyz>0 1 0</xyz>
	//         <limit></limit>
	//         <dynamics><damping>0.3</damping><friction>0</friction></dynamics>
	//       </axis>
	//     </joint>
	//   </model>
	// </sdf>
}

func FuzzSDF(f *testing.F) {
	f.Add([]byte(arm))
	f.Add([]byte(filled(strings.Replace(strings.Replace(cell, "include>", "model>", 2), "<model>", `<model name="left">`, 1))))
	f.Add([]byte(`<sdf version="1.4"><model name="m"><link name="a"/><joint name="j" type="ball"><parent>world</parent><child>a</child></joint></model></sdf>`))
	p := robot.InertialFromCentral(2, [3]float64{.1, .2, .3}, [3][3]float64{{1, .1, .2}, {.1, 1, .3}, {.2, .3, 1}})
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := format.Read(text, "sdf", "fuzz", robot.ReadOptions{NoSnap: true})
		if err != nil {
			return
		}
		links := map[string]robot.Inertial{}
		for _, l := range r.Links {
			if !l.Massless {
				links[l.Name] = p
			}
		}
		out, err := sdf.Replace(text, links, nil)
		if err != nil {
			if strings.Contains(err.Error(), "no link") {
				return // of a joint with several freedoms
			}
			t.Fatalf("%v\n%q", err, text)
		}
		back, err := format.Read(out, "sdf", "replaced", robot.ReadOptions{NoSnap: true})
		if err != nil {
			t.Fatalf("what was replaced is not read: %v\n%q\n%q", err, text, out)
		}
		for i, l := range back.Links {
			if _, ok := links[l.Name]; !ok {
				continue
			}
			for k, v := range back.UserInertial(i, l.Own) {
				// Moments are carried to the axis, which may be far from the link, and back: an error in the square of the distance.
				far := 1 + math.Abs(l.UserFrame.P[0]) + math.Abs(l.UserFrame.P[1]) + math.Abs(l.UserFrame.P[2])
				if math.Abs(v-p[k]) > 1e-13*far*far && far < 1e4 {
					t.Fatalf("%s %s: %g, want %g\n%q", l.Name, robot.InertialNames[k], v, p[k], out)
				}
			}
		}
		var b bytes.Buffer
		if err := sdf.Write(&b, r); err != nil {
			return
		}
		if _, err := format.Read(b.Bytes(), "sdf", "written", robot.ReadOptions{NoSnap: true}); err != nil {
			t.Errorf("what was written is not read: %v\n%s", err, b.Bytes())
		}
	})
}
