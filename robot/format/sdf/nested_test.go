package sdf_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ident/internal/angles"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/sdf"
)

// cell has an arm as a nested model that stands on its foot, and a hand of another file on the arm's flange.
const cell = `<sdf version="1.9"><model name="cell">
  <link name="base"/>
  <joint name="weld" type="fixed"><parent>world</parent><child>base</child></joint>
  <frame name="seat" attached_to="base"><pose>0.1 0.2 0.3 0.1 0.2 0.3</pose></frame>
  <model name="arm" placement_frame="foot">
    <pose relative_to="seat">0.05 0 0.1 0.3 0 0.2</pose>
    <link name="upper"><pose>0 0 0.1 0 0 0.4</pose>UPPER</link>
    <frame name="foot" attached_to="upper"><pose>0 0 -0.2 0.1 0 0</pose></frame>
    <link name="fore"><pose relative_to="upper">0.4 0 0 0 0.2 0</pose>FORE</link>
    <joint name="elbow" type="revolute"><parent>upper</parent><child>fore</child><axis><xyz expressed_in="__model__">0 0.6 0.8</xyz>LIMIT</axis></joint>
    <frame name="flange" attached_to="fore"><pose>0.3 0 0 0 0 0.5</pose></frame>
  </model>
  <joint name="shoulder" type="revolute"><parent>seat</parent><child>arm::upper</child><axis><xyz expressed_in="arm::flange">0.6 0 0.8</xyz>LIMIT</axis></joint>
  <include>
    <uri>model://hand</uri>
    <name>left</name>
    <pose relative_to="arm::flange">0 0.1 0 0 0.7 0</pose>
  </include>
  <joint name="wrist" type="revolute"><parent>arm::flange</parent><child>left</child><axis><xyz>1 0 0</xyz>LIMIT</axis></joint>
</model></sdf>
`

const hand = `<sdf version="1.9">
<model name="hand" canonical_link="palm">
  <pose>9 9 9 0 0 0</pose>
  <link name="finger"><pose relative_to="palm">0 0 0.1 0.2 0 0</pose>FINGER</link>
  <link name="palm"><pose>0.02 0 0 0 0 0</pose>PALM</link>
  <joint name="knuckle" type="prismatic"><parent>palm</parent><child>finger</child><axis><xyz>0 1 0</xyz>LIMIT<mimic joint="none"/></axis></joint>
</model></sdf>
`

// filled puts bodies and limits instead of their words.
func filled(text string) string {
	body := func(m float64) string {
		return fmt.Sprintf("<inertial><pose>0.1 %g 0.02 0 0 0</pose><mass>%g</mass><inertia><ixx>0.02</ixx><iyy>0.03</iyy><izz>0.04</izz><ixy>0.001</ixy></inertia></inertial>", m/50, m)
	}
	return strings.NewReplacer("UPPER", body(3), "FORE", body(2), "PALM", body(1), "FINGER", body(0.5), "LIMIT", "<limit><lower>-1</lower><upper>2</upper></limit>",
		`<mimic joint="none"/>`, "").Replace(text)
}

// files writes the cell and the hand beside each other.
func files(t *testing.T, cell, hand string) (path, folder string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"cell/cell.sdf": cell, "hand/hand-1.sdf": hand, "hand/model.config": "<model><name>h</name><sdf version=\"1.9\">hand-1.sdf</sdf></model>"} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(filled(text)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "cell", "cell.sdf"), filepath.Join(dir, "hand")
}

// flat is the cell in one model, whose poses are products of these transforms.
func flat() string {
	at := func(x, y, z, roll, pitch, yaw float64) robot.Transform {
		return robot.Transform{R: angles.RPYRotation([3]float64{roll, pitch, yaw}), P: [3]float64{x, y, z}}
	}
	pose := func(t robot.Transform) string {
		a := angles.RotationRPY(t.R)
		return fmt.Sprintf("<pose>%.17g %.17g %.17g %.17g %.17g %.17g</pose>", t.P[0], t.P[1], t.P[2], a[0], a[1], a[2])
	}
	seat := at(0.1, 0.2, 0.3, 0.1, 0.2, 0.3)
	upperInArm := at(0, 0, 0.1, 0, 0, 0.4)
	foot := upperInArm.Mul(at(0, 0, -0.2, 0.1, 0, 0))
	arm := seat.Mul(at(0.05, 0, 0.1, 0.3, 0, 0.2)).Mul(foot.Inv())
	upper := arm.Mul(upperInArm)
	fore := upper.Mul(at(0.4, 0, 0, 0, 0.2, 0))
	flange := fore.Mul(at(0.3, 0, 0, 0, 0, 0.5))
	left := flange.Mul(at(0, 0.1, 0, 0, 0.7, 0))
	palm := left.Mul(at(0.02, 0, 0, 0, 0, 0))
	finger := palm.Mul(at(0, 0, 0.1, 0.2, 0, 0))
	link := func(name string, t robot.Transform, body string) string {
		return fmt.Sprintf("<link name=%q>%s%s</link>\n", name, pose(t), body)
	}
	joint := func(name, kind, parent, child string, frame robot.Transform, x, y, z float64) string {
		r := frame.R
		return fmt.Sprintf("<joint name=%q type=%q><parent>%s</parent><child>%s</child><axis><xyz expressed_in=\"__model__\">%.17g %.17g %.17g</xyz>LIMIT</axis></joint>\n", name, kind, parent, child,
			r[0][0]*x+r[0][1]*y+r[0][2]*z, r[1][0]*x+r[1][1]*y+r[1][2]*z, r[2][0]*x+r[2][1]*y+r[2][2]*z)
	}
	return filled(`<sdf version="1.9"><model name="cell"><link name="base"/><joint name="weld" type="fixed"><parent>world</parent><child>base</child></joint>` +
		link("upper", upper, "UPPER") + link("fore", fore, "FORE") + link("palm", palm, "PALM") + link("finger", finger, "FINGER") +
		joint("shoulder", "revolute", "base", "upper", flange, 0.6, 0, 0.8) + joint("elbow", "revolute", "upper", "fore", arm, 0, 0.6, 0.8) +
		joint("wrist", "revolute", "fore", "palm", palm, 1, 0, 0) + joint("knuckle", "prismatic", "palm", "finger", finger, 0, 1, 0) + `</model></sdf>`)
}

// A robot of nested and included models is that of the same links in one model.
func TestNestedIsFlat(t *testing.T) {
	path, folder := files(t, cell, hand)
	other := filepath.Join(t.TempDir(), "cell.sdf")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, text, 0o644); err != nil {
		t.Fatal(err)
	}
	want, err := format.Read([]byte(flat()), "", "flat.sdf", robot.ReadOptions{NoSnap: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, opt := range map[string]robot.ReadOptions{path: {NoSnap: true}, other: {NoSnap: true, Packages: map[string]string{"hand": folder}}} {
		r, err := format.Open(name, opt)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.JointNames(), " "); got != "shoulder arm::elbow wrist left::knuckle" {
			t.Fatalf("joints %s", got)
		}
		if k := slices.IndexFunc(r.Lumped, func(l robot.Lumped) bool { return l.Name == "arm::flange" }); k < 0 || r.Links[r.Lumped[k].Into].Name != "arm::fore" {
			t.Errorf("the flange is no body on the forearm: %+v", r.Lumped)
		}
		rng := rand.New(rand.NewPCG(21, 4))
		for range 20 {
			var s [3][]float64
			for d := range s {
				for range 4 {
					s[d] = append(s[d], rng.NormFloat64())
				}
			}
			a, b := torques(t, r, s[0], s[1], s[2]), torques(t, want, s[0], s[1], s[2])
			for k := range a {
				// Torques of some 100 N·m by products of four transforms to 1e-16.
				if !(math.Abs(a[k]-b[k]) <= 1e-12*100) {
					t.Fatalf("joint %d: %.15g, in one model %.15g", k+1, a[k], b[k])
				}
			}
		}
		// Identified parameters go into the text with the included model.
		p := robot.InertialFromCentral(2.5, [3]float64{0.1, 0.2, -0.1}, [3][3]float64{{0.06, 0.001}, {0.001, 0.05}, {0, 0, 0.04}})
		out, err := sdf.Replace(r.Source.Text, map[string]robot.Inertial{"arm::fore": p, "left::palm": p}, map[string]robot.Joint{"left::knuckle": {Fv: 0.25}})
		if err != nil {
			t.Fatal(err)
		}
		back := read(t, string(out))
		if a, b := back.Links[1].Own.Mass(), back.Links[2].Own.Mass(); a != 2.5 || b != 2.5 || back.Links[3].Joint.Fv != 0.25 {
			t.Errorf("masses %g and %g, friction %g\n%s", a, b, back.Links[3].Joint.Fv, out)
		}
	}
}

// Faults of included files have their own file and line, and includes that cannot be read say why.
func TestIncludesRefused(t *testing.T) {
	for name, c := range map[string]struct{ cell, hand, part string }{
		"a fault in the file":  {cell, strings.Replace(hand, `type="prismatic"`, `type="screw"`, 1), `hand-1.sdf:6: joint "left::knuckle": type "screw" is not read`},
		"a fault behind it":    {strings.Replace(cell, `<child>left</child>`, `<child>right</child>`, 1), hand, `cell.sdf:19: the model has no frame "right"`},
		"no such model":        {strings.Replace(cell, "model://hand", "model://foot", 1), hand, `cell.sdf:14: <include> of model://foot: no folder of "foot" is known`},
		"no such file":         {strings.Replace(cell, "model://hand", "model://hand/x.sdf", 1), hand, "no such file"},
		"another scheme":       {strings.Replace(cell, "model://hand", "https://hand", 1), hand, "model://, package://, file:// and relative paths are read"},
		"itself":               {strings.Replace(cell, "model://hand", "cell.sdf", 1), hand, "cell.sdf includes itself"},
		"merged":               {strings.Replace(cell, "<include>", `<include merge="true">`, 1), hand, "<include merge> is not read"},
		"changed":              {strings.Replace(cell, "<name>left</name>", "<params/>", 1), hand, "<params> of an <include> is not read"},
		"an old one":           {cell, strings.Replace(hand, "1.9", "1.4", 1), "of version 1.4"},
		"two models":           {cell, strings.Replace(hand, "</sdf>", `<model name="x"/></sdf>`, 1), "this has 2"},
		"no uri":               {strings.Replace(cell, "<uri>model://hand</uri>", "", 1), hand, "<include> without a <uri>"},
		"a world without":      {`<sdf version="1.9"><world name="w"><include><uri>model://foot</uri></include></world></sdf>`, hand, `no folder of "foot"`},
		"static":               {strings.Replace(cell, "<name>left</name>", "<name>left</name><static>true</static>", 1), hand, "the model is static"},
		"nothing that is read": {cell, "<sdf", "hand-1.sdf: line 1: XML syntax"},
	} {
		path, _ := files(t, c.cell, c.hand)
		_, err := format.Open(path, robot.ReadOptions{NoSnap: true})
		var fe *robot.FileError
		if !errors.As(err, &fe) || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v\nwant %s", name, err, c.part)
		}
	}
	// A robot of a world is included as well.
	path, _ := files(t, `<sdf version="1.9"><world name="w"><gravity>0 0 -9</gravity><include><uri>model://sun</uri></include><include><uri>../hand</uri></include></world></sdf>`, hand)
	r, err := format.Open(path, robot.ReadOptions{NoSnap: true})
	if err != nil || r.Name != "hand" || r.Gravity[2] != -9 || len(r.JointNames()) != 1 {
		t.Errorf("a hand in a world: %v, %+v", err, r)
	}
}
