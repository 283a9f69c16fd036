package mjcf_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/mujocotest"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/mjcf"
)

func readMJCF(t testing.TB, text string, opt robot.ReadOptions) *robot.Robot {
	t.Helper()
	r, err := format.Read([]byte(text), "", "arm.xml", opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// torques of the whole model without dry friction, by our coordinates.
func torques(t failer, r *robot.Robot, s mujocotest.State) []float64 {
	t.Helper()
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, tree.DOF())
	tree.InverseDynamics(out, s.Q, s.DQ, s.DDQ)
	for i, link := range tree.Coordinates() {
		out[i] += r.Links[link].Joint.Fv * s.DQ[i]
	}
	return out
}

func states(rng *rand.Rand, dof, n int) []mujocotest.State {
	var out []mujocotest.State
	for range n {
		s := mujocotest.State{}
		for range dof {
			s.Q, s.DQ, s.DDQ = append(s.Q, 2*rng.NormFloat64()), append(s.DQ, 2*rng.NormFloat64()), append(s.DDQ, 5*rng.NormFloat64())
		}
		out = append(out, s)
	}
	return out
}

// alike holds torques to a share of the largest of a state.
func alike(t testing.TB, name string, got, want []float64, share float64) {
	t.Helper()
	most := 0.0
	for _, v := range want {
		most = max(most, math.Abs(v))
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d torques, want %d", name, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= share*most) {
			t.Errorf("%s, joint %d: %.12g, want %.12g", name, i+1, got[i], want[i])
		}
	}
}

// samples are files with the special parts of the format: classes, degrees, Euler angles, joints off the origin, several
// joints of a body, frames, geometries with a density, references.
var samples = map[string]string{
	"classes": `<mujoco model="classes"><!-- angles in degrees by default -->
  <compiler eulerseq="XYz"/><option gravity="1 2 -9"/>
  <default><joint damping="0.5" armature="0.1"/><geom density="500"/>
    <default class="wrist"><joint damping="0.05" range="-90 90"/><motor ctrlrange="-12 12" gear="2"/><default class="tool"><joint axis="0 1 0"/></default></default>
  </default>
  <worldbody><geom type="plane" size="1 1 1"/>
    <body name="upper" pos="0 0 0.3" euler="10 20 30"><inertial pos="0.1 0 0.02" mass="3" diaginertia="0.1 0.2 0.25" euler="5 0 40"/>
      <joint name="shoulder" axis="0 0 1" range="-170 170" ref="15"/>
      <frame pos="0.4 0 0" axisangle="0 1 0 35"><body name="fore" childclass="wrist" xyaxes="0 1 0.1 -1 0 0"><inertial pos="0 0.2 0" mass="2" fullinertia="0.05 0.01 0.05 0.002 0 0.001"/>
        <joint name="elbow" pos="0 -0.05 0.02" axis="0 1 1" frictionloss="0.3"/>
        <body name="hand" pos="0 0.4 0" zaxis="1 0 1"><joint name="turn" class="tool"/><joint name="push" type="slide" axis="1 0 0" range="-0.1 0.2" ref="0.05"/>
          <geom type="capsule" fromto="0 0 0 0 0.1 0.1" size="0.03"/><geom type="box" size="0.02 0.03 0.04" pos="0 0 0.1" mass="0.7"/><geom type="sphere" size="0.05"/>
          <body name="lamp" pos="0 0 0.2" quat="0.5 0.5 -0.5 0.5"><geom type="cylinder" size="0.02 0.05"/><geom type="ellipsoid" size="0.02 0.03 0.05" pos="0.1 0 0"/></body>
        </body></body></frame></body></worldbody>
  <actuator><motor joint="turn" class="wrist"/><position joint="shoulder" kp="100" forcerange="-50 50"/></actuator></mujoco>`,
	"tree": `<mujoco><compiler angle="radian" autolimits="false"/><worldbody>
    <body name="trunk" quat="1 1 0 0" pos="1 0 0"><inertial pos="0 0 0.1" mass="5" diaginertia="0.3 0.3 0.2"/><joint type="slide" axis="1 1 0" damping="3"/>
      <body name="left" pos="0 0.3 0"><inertial pos="0.1 0.1 0" mass="1" diaginertia="0.02 0.03 0.04"/><joint name="l" axis="0 2 0" pos="0.1 0 0" limited="false" range="-1 1"/></body>
      <body name="right" pos="0 -0.3 0"><inertial pos="0.1 -0.1 0" mass="1" diaginertia="0.02 0.03 0.04"/><joint name="r" axis="1 0 3"/>
        <body name="bolt"><inertial pos="0.2 0 0" mass="0.2" diaginertia="0.001 0.001 0.001"/></body></body></body></worldbody></mujoco>`,
	"loop": `<mujoco model="loop"><worldbody>
    <body name="crank"><inertial pos="0.1 0 0" mass="1" diaginertia="0.01 0.02 0.02"/><joint name="a" axis="0 0 1"/>
      <body name="coupler" pos="0.2 0 0"><inertial pos="0.3 0 0" mass="2" diaginertia="0.02 0.05 0.05"/><joint name="b" axis="0 0 1"/><site name="pin" pos="0.6 0 0"/></body></body>
    <body name="rocker" pos="0.5 0 0"><inertial pos="0 0.2 0" mass="1.5" diaginertia="0.03 0.01 0.03"/><joint name="c" axis="0 0 1" damping="0.2"/></body></worldbody>
    <equality><connect body1="rocker" body2="coupler" anchor="0.3 0 0"/></equality><actuator><motor joint="a" ctrlrange="-5 5"/></actuator></mujoco>`,
}

// The classes of a file and its degrees, by hand.
func TestMJCFClasses(t *testing.T) {
	r := readMJCF(t, samples["classes"], robot.ReadOptions{})
	if r.Name != "classes" || r.Gravity != [3]float64{1, 2, -9} || strings.Join(r.JointNames(), " ") != "shoulder elbow turn push" {
		t.Fatalf("%s, %v, %v", r.Name, r.Gravity, r.JointNames())
	}
	j := func(i int) robot.Joint { return r.Links[i].Joint }
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"damping by default", j(0).Fv, 0.5}, {"damping of the class", j(1).Fv, 0.05}, {"of a class in it", j(2).Fv, 0.05}, {"armature", j(1).Ia, 0.1},
		{"range in degrees", j(1).Upper, math.Pi / 2}, {"own range", j(0).Lower, -170 * math.Pi / 180}, {"range of a slide", j(3).Upper, 0.2},
		{"dry friction", j(1).Fs, 0.3}, {"motor by its class and gear", j(2).Effort, 24}, {"force of a position drive", j(0).Effort, 50},
	} {
		if math.Abs(c.got-c.want) > 1e-15 {
			t.Errorf("%s: %g, want %g", c.name, c.got, c.want)
		}
	}
}

// Written files read as the same robot, in MuJoCo's coordinates.
func TestMJCFRoundTrip(t *testing.T) {
	check := func(t testing.TB, r *robot.Robot, rng *rand.Rand, opt robot.ReadOptions) {
		t.Helper()
		var b bytes.Buffer
		if err := mjcf.Write(&b, r); err != nil {
			t.Fatal(err)
		}
		opt.NoSnap = true
		back, err := format.Read(b.Bytes(), "", "back.xml", opt)
		if err != nil {
			t.Fatalf("%v\n%s", err, b.Bytes())
		}
		if got, want := strings.Join(back.JointNames(), " "), strings.Join(r.JointNames(), " "); got != want || len(back.Loops) != len(r.Loops) || len(back.Mimics) != len(r.Mimics) {
			t.Fatalf("joints %s, want %s; %d loops, want %d\n%s", got, want, len(back.Loops), len(r.Loops), b.Bytes())
		}
		cut, cutBack := r.Cut(), back.Cut()
		for _, s := range states(rng, len(cut.Independent()), 3) {
			alike(t, r.Name, torques(t, cutBack, s), torques(t, cut, s), 1e-11)
		}
		for i := range r.Links {
			if l := &r.Links[i]; !l.Massless {
				alike(t, "inertial of "+l.Name, inertial(back, i), inertial(r, i), 1e-11)
			}
		}
	}
	for name, text := range samples {
		t.Run(name, func(t *testing.T) {
			opt := robot.ReadOptions{Loops: true, NoSnap: true}
			check(t, readMJCF(t, text, opt), rand.New(rand.NewPCG(1, 1)), opt)
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		r := testrobot.Random(rng, rapid.IntRange(1, 8).Draw(t, "joints"), true)
		for i := range r.Links {
			r.Links[i].Joint.Ia, r.Links[i].Joint.Fv = rng.Float64(), rng.Float64()
		}
		var b bytes.Buffer
		if err := mjcf.Write(&b, r); err != nil {
			if errors.Is(err, robot.ErrNotWritable) {
				return
			}
			t.Fatal(err)
		}
		back, err := format.Read(b.Bytes(), "", "back.xml", robot.ReadOptions{NoSnap: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range states(rng, len(r.Independent()), 2) {
			order := places(r, back)
			got, want := torques(t, back, ordered(s, order)), pick(torques(t, r, s), order)
			// Of the parts as well, which may nearly cancel: of gravity, and with velocities.
			most, zero := 0.0, make([]float64, len(s.Q))
			for _, part := range []mujocotest.State{s, {Q: s.Q, DQ: zero, DDQ: zero}, {Q: s.Q, DQ: s.DQ, DDQ: zero}} {
				for _, v := range torques(t, r, part) {
					most = max(most, math.Abs(v))
				}
			}
			for i := range got {
				// Seventeen digits of quaternions and moments, through a chain of eight.
				if math.Abs(got[i]-want[i]) > 1e-10*most {
					t.Fatalf("joint %d: %.14g, want %.14g", i+1, got[i], want[i])
				}
			}
		}
	})
}

// places are, for each coordinate of a robot, that of its joint in another, which may number links in another order.
func places(in, of *robot.Robot) []int {
	at := map[string]int{}
	for k, link := range in.Cut().Independent() {
		at[in.Links[link].Joint.Name] = k
	}
	var out []int
	for _, link := range of.Cut().Independent() {
		out = append(out, at[of.Links[link].Joint.Name])
	}
	return out
}

func pick(v []float64, at []int) []float64 {
	out := make([]float64, len(at))
	for i, k := range at {
		out[i] = v[k]
	}
	return out
}

func ordered(s mujocotest.State, at []int) mujocotest.State {
	return mujocotest.State{Q: pick(s.Q, at), DQ: pick(s.DQ, at), DDQ: pick(s.DDQ, at)}
}

// failer is a test or that of a property.
type failer interface {
	Helper()
	Fatal(args ...any)
}

func inertial(r *robot.Robot, i int) []float64 {
	p := r.UserInertial(i, r.Links[i].Own)
	return p[:]
}

// MuJoCo itself gives the torques of the files that we read, and of those that we write.
func TestMuJoCoInverse(t *testing.T) {
	type asked struct {
		name string
		r    *robot.Robot
		at   []int // coordinate of r for each of MuJoCo's, which go depth first
		own  []mujocotest.State
	}
	var questions []mujocotest.Question
	var all []asked
	rng := rand.New(rand.NewPCG(21, 2))
	ask := func(name, text string, r *robot.Robot) {
		back, err := format.Read([]byte(text), "mjcf", name, robot.ReadOptions{TreeOnly: true, NoSnap: true})
		if err != nil {
			t.Fatal(err)
		}
		a := asked{name, r, places(r, back), states(rng, len(r.Cut().Independent()), 100)}
		q := mujocotest.Question{Model: text}
		for _, s := range a.own {
			q.States = append(q.States, ordered(s, a.at))
		}
		questions, all = append(questions, q), append(all, a)
	}
	for name, text := range samples {
		r := readMJCF(t, text, robot.ReadOptions{Loops: true, NoSnap: true})
		ask(name, text, r.Cut())
		var b bytes.Buffer
		if err := mjcf.Write(&b, r); err != nil {
			t.Fatal(err)
		}
		ask(name+", written again", b.String(), r.Cut())
	}
	for i := range 10 {
		r := testrobot.Random(rng, 2+i%6, true)
		r.Name = fmt.Sprintf("random %d", i+1)
		for i := range r.Links {
			r.Links[i].Joint.Ia, r.Links[i].Joint.Fv = rng.Float64(), rng.Float64()
		}
		var b bytes.Buffer
		if err := mjcf.Write(&b, r); err != nil {
			t.Logf("%s: %v", r.Name, err)
			continue
		}
		ask(r.Name, b.String(), r)
	}
	answers := mujocotest.Inverse(t, questions)
	for k, a := range answers {
		if a.Error != "" {
			t.Errorf("%s: MuJoCo: %s\n%.600s", all[k].name, a.Error, questions[k].Model)
			continue
		}
		for i, s := range all[k].own {
			alike(t, all[k].name, pick(torques(t, all[k].r, s), all[k].at), a.Torques[i], 1e-10)
		}
	}
	t.Logf("%d models", len(answers))
}

// Identified parameters go into the user's text, and nothing else of it changes.
func TestReplaceMJCF(t *testing.T) {
	text := samples["classes"]
	r := readMJCF(t, text, robot.ReadOptions{NoSnap: true})
	p := robot.InertialFromCentral(2.5, [3]float64{0.1, 0.2, -0.1}, [3][3]float64{{0.06, 0.001}, {0.001, 0.05}, {0, 0, 0.04}})
	drive := r.Links[2].Joint
	drive.Fv, drive.Ia = 0, 0.25
	out, err := mjcf.Replace([]byte(text), map[string]robot.Inertial{"fore": p, "hand": p}, map[string]robot.Joint{"turn": drive, "elbow": r.Links[1].Joint})
	if err != nil {
		t.Fatal(err)
	}
	back := readMJCF(t, string(out), robot.ReadOptions{NoSnap: true})
	alike(t, "fore", inertial(back, 1), p[:], 1e-14)
	// The hand had its inertia from geometries, and its two joints share a body: the last carries it.
	alike(t, "hand", inertial(back, 3), p[:], 1e-14)
	if j := back.Links[2].Joint; j.Fv != 0 || j.Ia != 0.25 || back.Links[1].Joint.Fv != r.Links[1].Joint.Fv {
		t.Errorf("turn has damping %g and armature %g; elbow %+v", j.Fv, j.Ia, back.Links[1].Joint)
	}
	for _, kept := range []string{`<mujoco model="classes"><!-- angles in degrees by default -->`, `<joint name="elbow" pos="0 -0.05 0.02" axis="0 1 1" frictionloss="0.3"/>`, `<geom type="capsule" fromto="0 0 0 0 0.1 0.1" size="0.03"/>`} {
		if !strings.Contains(string(out), kept) {
			t.Errorf("%s is gone", kept)
		}
	}
	for _, c := range []struct {
		text, link, part string
	}{{text, "leg", `no body "leg"`}, {strings.Replace(text, `eulerseq="XYz"`, `inertiafromgeom="true"`, 1), "hand", "inertiafromgeom"}} {
		if _, err := mjcf.Replace([]byte(c.text), map[string]robot.Inertial{c.link: p}, nil); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%v, want %s", err, c.part)
		}
	}
}

// Faults of a file have their line and their remedy.
func TestMJCFRefusals(t *testing.T) {
	body := func(inside string) string {
		return "<mujoco><worldbody>\n<body name=\"a\">" + inside + "</body></worldbody></mujoco>"
	}
	for text, part := range map[string]string{
		body(`<joint axis="0 0 0"/>`):                                                      `arm.xml:2: joint "joint1": the axis is zero`,
		body(`<joint type="screw"/>`):                                                      `type "screw" is not one of`,
		body(`<joint range="2 1"/>`):                                                       "the lower limit is not below",
		body(`<body name="a"/>`):                                                           `body "a": is defined twice`,
		body(`<inertial pos="0 0 0" mass="1"/><joint/>`):                                   "neither diaginertia nor fullinertia",
		body(`<inertial mass="1" diaginertia="1 1 1" fullinertia="1 1 1 0 0 0"/>`):         "keep one",
		body(`<body quat="1 0 0 0" euler="1 2 3"/>`):                                       "both quat and euler",
		body(`<body quat="0 0 0 0"/>`):                                                     "does not give a rotation",
		body(`<replicate count="3"/>`):                                                     "<replicate> is not read",
		`<mujoco><compiler coordinate="global"/></mujoco>`:                                 "coordinates are global",
		`<mujoco><worldbody/><equality><joint joint1="x" joint2="y"/></equality></mujoco>`: `"x": there is no such joint`,
		`<mujoco/>`: "no moving joint",
	} {
		_, err := format.Read([]byte(text), "", "arm.xml", robot.ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v\nwant %s", err, part)
		}
	}
}

func FuzzMJCF(f *testing.F) {
	for _, text := range samples {
		f.Add([]byte(text))
	}
	for _, pair := range welds {
		f.Add([]byte(pair[0]))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := format.Read(text, "mjcf", "fuzz", robot.ReadOptions{Loops: true, NoSnap: true})
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := mjcf.Write(&b, r); err != nil {
			return
		}
		if _, err := format.Read(b.Bytes(), "mjcf", "written", robot.ReadOptions{Loops: true, NoSnap: true}); err != nil {
			t.Errorf("what was written is not read: %v\n%s", err, b.Bytes())
		}
	})
}
