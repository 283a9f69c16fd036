package mjcf_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ident/internal/mujocotest"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/mjcf"
	"ident/robot/format/urdf"
)

// possibleBody draws the inertial of ten points of mass, which a body can have.
func possibleBody(rng *rand.Rand) robot.Inertial {
	var sum robot.Inertial
	for range 10 {
		var m robot.Inertial
		at := [3]float64{0.2 * rng.NormFloat64(), 0.2 * rng.NormFloat64(), 0.2 * rng.NormFloat64()}
		mass := 0.1 + 0.5*rng.Float64()
		m = robot.InertialFromCentral(mass, at, [3][3]float64{})
		sum = sum.Add(m)
	}
	return sum
}

var drawings = regexp.MustCompile(`(?s)<(visual|collision)\b[^>]*?(/>|>.*?</(visual|collision)>)|<(gazebo|transmission)\b[^>]*?(/>|>.*?</(gazebo|transmission)>)`)

// Every robot of the reference data, with bodies that can be, rotors and friction, gives MuJoCo the torques that it gives us: as
// MuJoCo's XML, as a URDF of our own, and as the user's own URDF with these inertials (without its shapes, whose files are not there).
func TestMuJoCoReferenceRobots(t *testing.T) {
	dir := os.Getenv("IDENT_DATA")
	var paths []string
	for _, pattern := range []string{"data/*/model/*.urdf", "cases/par_samples/*.par"} {
		found, _ := filepath.Glob(filepath.Join(dir, pattern))
		paths = append(paths, found...)
	}
	if dir == "" || len(paths) < 10 {
		t.Skip("IDENT_DATA names no folder with reference robots")
	}
	var names []string
	var questions []mujocotest.Question
	var want [][][]float64
	rng := rand.New(rand.NewPCG(21, 4))
	for _, path := range paths {
		name := filepath.Base(path)
		r, err := openWithSymbols(rng, path)
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		for i := range r.Links {
			l := &r.Links[i]
			if !l.Massless {
				l.Own = possibleBody(rng)
				l.Inertial, l.HasInertial = l.Own, true
				for _, m := range r.Lumped {
					if m.Into == i && m.HasInertial {
						l.Inertial = l.Inertial.Add(m.Inertial)
					}
				}
			}
			l.Joint.Ia, l.Joint.Fv, l.Joint.Fs = rng.Float64(), rng.Float64(), rng.Float64()
		}
		ask := func(kind string, r *robot.Robot, text []byte, err error) {
			if err != nil {
				t.Logf("%s, %s: %v", name, kind, err)
				return
			}
			as := "mjcf"
			if !strings.Contains(string(text), "<mujoco") {
				as = "urdf"
			}
			back, err := format.Read(text, as, name, robot.ReadOptions{TreeOnly: true, NoSnap: true})
			if err != nil {
				t.Fatal(err)
			}
			q := mujocotest.Question{Model: string(text)}
			var torque [][]float64
			cut := r.Cut()
			order := places(cut, back)
			for _, s := range states(rng, len(cut.Independent()), 100) {
				q.States = append(q.States, ordered(s, order))
				torque = append(torque, pick(torques(t, cut, s), order))
			}
			q.Applied = torque
			names, questions, want = append(names, name+", "+kind), append(questions, q), append(want, torque)
		}
		var b bytes.Buffer
		err = mjcf.Write(&b, r)
		ask("MJCF", r, b.Bytes(), err)
		plain := r.Clone()
		for i := range plain.Links {
			plain.Links[i].Joint.Ia = 0 // a URDF has no rotors
		}
		plain.Gravity = robot.StandardGravity // and no gravity
		var u bytes.Buffer
		err = urdf.Write(&u, plain)
		ask("URDF", plain, u.Bytes(), err)
		if r.Source.Format != "urdf" {
			continue
		}
		own := map[string]robot.Inertial{}
		for i, l := range r.Links {
			own[l.Name] = r.UserInertial(i, l.Own)
		}
		text, err := urdf.ReplaceInertials(drawings.ReplaceAll(r.Source.Text, nil), own)
		if err == nil {
			var back *robot.Robot
			if back, err = format.Read(text, "urdf", name, robot.ReadOptions{NoSnap: true}); err == nil {
				ask("the user's URDF", back, text, nil)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	worst, forward := 0.0, 0.0
	for k, a := range mujocotest.Inverse(t, questions) {
		if a.Error != "" {
			t.Errorf("%s: MuJoCo: %s", names[k], a.Error)
			continue
		}
		for i := range want[k] {
			most, off := 0.0, 0.0
			for j, v := range want[k][i] {
				most, off = max(most, abs(v)), max(off, abs(v-a.Torques[i][j]))
			}
			worst = max(worst, off/most)
			// Accelerations under our torques are those that the torques were asked for: the error of a torque is multiplied by the
			// inverse inertia matrix, whose condition number is below 1e5 here.
			fast := 0.0
			for j, v := range questions[k].States[i].DDQ {
				fast = max(fast, abs(v))
				if d := abs(v - a.Accelerations[i][j]); d > 1e-8*max(1, fast) {
					t.Fatalf("%s, state %d: acceleration %d is %.12g, want %.12g", names[k], i+1, j+1, a.Accelerations[i][j], v)
				} else {
					forward = max(forward, d)
				}
			}
			if !(off <= 1e-8*most) {
				t.Errorf("%s, state %d: torques up to %.3g differ by %.3g", names[k], i+1, most, off)
				break
			}
		}
	}
	t.Logf("%d models of %d robots: torques agree to %.1e, accelerations to %.1e rad/s²", len(questions), len(paths), worst, forward)
}

func abs(v float64) float64 { return max(v, -v) }

// openWithSymbols reads a robot with its loops; symbols of its geometry have random values.
func openWithSymbols(rng *rand.Rand, path string) (*robot.Robot, error) {
	opt := robot.ReadOptions{NoSnap: true, Loops: true}
	r, err := format.Open(path, opt)
	if err != nil || len(r.Unset) == 0 {
		return r, err
	}
	opt.Set = map[string]float64{}
	for _, s := range r.Unset {
		opt.Set[s] = 0.2 + rng.Float64()
	}
	return format.Open(path, opt)
}

// Three robots with loops, defaults and classes keep their torques from MuJoCo's XML through ours and back, and our loops' ends stay where
// they meet.
func TestMuJoCoRoundTripOfLoops(t *testing.T) {
	var questions []mujocotest.Question
	rng := rand.New(rand.NewPCG(21, 5))
	for name, text := range loopSamples {
		r := readMJCF(t, text, robot.ReadOptions{Loops: true, NoSnap: true})
		if len(r.Loops) == 0 {
			t.Fatalf("%s has no loops", name)
		}
		var b bytes.Buffer
		if err := mjcf.Write(&b, r); err != nil {
			t.Fatal(err)
		}
		back := readMJCF(t, b.String(), robot.ReadOptions{Loops: true, NoSnap: true})
		if len(back.Loops) != len(r.Loops) {
			t.Errorf("%s: %d loops become %d", name, len(r.Loops), len(back.Loops))
		}
		for k, l := range back.Loops { // the ends, in the frames of their links
			for e, pair := range [2][2]int{{l.Frame, r.Loops[k].Frame}, {l.Meets, r.Loops[k].Meets}} {
				f, g := back.Extra[pair[0]], r.Extra[pair[1]]
				for i := range 3 {
					if f.Antecedent != g.Antecedent || abs(f.Placement.P[i]-g.Placement.P[i]) > 1e-12 {
						t.Errorf("%s, loop %d, end %d: link %d at %v, was %d at %v", name, k+1, e+1, f.Antecedent, f.Placement.P, g.Antecedent, g.Placement.P)
					}
				}
			}
		}
		first := mujocotest.Question{Model: text, States: states(rng, len(r.Cut().Independent()), 100)}
		questions = append(questions, first, mujocotest.Question{Model: b.String(), States: first.States})
	}
	answers := mujocotest.Inverse(t, questions)
	worst := 0.0
	for k := 0; k < len(answers); k += 2 {
		if e := answers[k].Error + answers[k+1].Error; e != "" {
			t.Fatal(e)
		}
		for i, want := range answers[k].Torques {
			most, off := 0.0, 0.0
			for j, v := range want {
				most, off = max(most, abs(v)), max(off, abs(v-answers[k+1].Torques[i][j]))
			}
			if worst = max(worst, off/most); off > 1e-10*most {
				t.Fatalf("model %d, state %d: torques up to %.3g differ by %.3g", k/2+1, i+1, most, off)
			}
		}
	}
	t.Logf("%d robots agree to %.1e", len(answers)/2, worst)
}

// loopSamples have loops at points of bodies and of the world, closed at sites and at anchors, with classes and defaults.
var loopSamples = map[string]string{
	"four bars": `<mujoco model="fourbar"><compiler angle="degree"/><default><joint damping="0.4" axis="0 1 0"/><default class="light"><joint armature="0.02" damping="0.05" range="-120 120"/><geom density="800"/></default></default>
    <worldbody><body name="crank"><inertial pos="0.1 0 0" mass="1" diaginertia="0.01 0.02 0.02"/><joint name="a"/>
      <body name="coupler" pos="0.2 0 0" childclass="light" euler="0 20 0"><geom type="capsule" fromto="0 0 0 0.6 0 0" size="0.02"/><joint name="b"/><site name="pin" pos="0.6 0 0"/></body></body>
    <body name="rocker" pos="0.5 0 0" euler="0 -50 0"><inertial pos="0 0 0.2" mass="1.5" diaginertia="0.03 0.01 0.03" euler="5 0 10"/><joint name="c" class="light" frictionloss="0.2"/><site name="eye" pos="0 0 0.45"/></body></worldbody>
    <equality><connect site1="pin" site2="eye"/></equality><actuator><motor joint="a"/></actuator></mujoco>`,
	"five bars": `<mujoco model="fivebar"><compiler angle="radian"/><default><geom density="2700"/><default class="arm"><joint axis="0 0 1" armature="0.1" frictionloss="0.3"/></default><default class="free"><joint axis="0 0 1" damping="0.01"/></default></default>
    <worldbody><body name="left" pos="-0.1 0 0" childclass="arm"><geom type="box" size="0.15 0.02 0.01" pos="0.15 0 0"/><joint name="l1" range="-2 2"/>
      <body name="left2" pos="0.3 0 0" childclass="free"><geom type="box" size="0.2 0.015 0.01" pos="0.2 0 0"/><joint name="l2"/></body></body>
    <body name="right" pos="0.1 0 0" childclass="arm"><geom type="box" size="0.15 0.02 0.01" pos="0.15 0 0"/><joint name="r1"/>
      <body name="right2" pos="0.3 0 0" childclass="free"><geom type="box" size="0.2 0.015 0.01" pos="0.2 0 0"/><joint name="r2"/></body></body></worldbody>
    <equality><connect body1="left2" body2="right2" anchor="0.4 0 0"/></equality><actuator><motor joint="l1"/><motor joint="r1"/></actuator></mujoco>`,
	"two loops": `<mujoco model="twoloops"><option gravity="0 1 -9.7"/><default><default class="link"><joint axis="0 1 0" damping="0.2"/><default class="rotor"><joint armature="0.3"/></default></default></default>
    <worldbody><body name="base" pos="0 0 0.4" quat="0.9 0.1 0 0.2"><inertial pos="0.05 0 0.1" mass="6" diaginertia="0.2 0.2 0.1"/><joint name="turn" class="rotor" axis="0 0 1"/>
      <body name="arm" pos="0.1 0 0.2" childclass="link"><inertial pos="0 0 0.3" mass="4" diaginertia="0.3 0.3 0.02"/><joint name="arm" class="rotor" ref="10"/><site name="elbow" pos="0 0.02 0.3"/>
        <body name="fore" pos="0 0 0.6"><inertial pos="0.2 0 0" mass="2" fullinertia="0.02 0.08 0.08 0.001 0.002 0"/><joint name="fore"/></body></body>
      <body name="lever" pos="0.1 0.05 0.2" childclass="link"><inertial pos="-0.1 0 0" mass="1" diaginertia="0.01 0.02 0.02"/><joint name="lever" class="rotor"/>
        <body name="rod" pos="-0.2 0 0"><inertial pos="0 0 0.3" mass="0.5" diaginertia="0.02 0.02 0.001"/><joint name="rod"/></body></body></body></worldbody>
    <equality><connect name="rod" body1="rod" body2="fore" anchor="0 0 0.6"/><connect name="world" body1="fore" anchor="0.4 0 0"/></equality><actuator><motor joint="turn"/></actuator></mujoco>`,
}
