package format

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/robot"
	"ident/robot/format/par"
	"ident/robot/format/urdf"
	"ident/robot/format/yaml"
	"ident/robot/internal/assembly"
)

func drawVec(t *rapid.T, label string, size float64) [3]float64 {
	var v [3]float64
	for i := range v {
		v[i] = rapid.Float64Range(-size, size).Draw(t, label)
	}
	return v
}

// drawTransform mixes right angles with general ones.
func drawTransform(t *rapid.T) robot.Transform {
	rpy := drawVec(t, "rpy", 3)
	for i := range rpy {
		if rapid.Bool().Draw(t, "right") {
			rpy[i] = float64(rapid.IntRange(-2, 2).Draw(t, "quarter")) * math.Pi / 2
		}
	}
	return robot.Transform{R: angles.RPYRotation(rpy), P: drawVec(t, "p", 1)}
}

// drawInertial draws a feasible body: three rods of mass about a centre.
func drawInertial(t *rapid.T) robot.Inertial {
	p := robot.InertialFromCentral(rapid.Float64Range(0.1, 9).Draw(t, "mass"), drawVec(t, "com", .3), [3][3]float64{})
	for range 3 {
		q := drawVec(t, "rod", .3)
		p = p.Add(robot.InertialFromCentral(.5, q, spatial.ScaleMat(.01, spatial.Eye())))
	}
	return p
}

func drawJoint(t *rapid.T, i int) robot.Joint {
	j := robot.NewJoint(fmt.Sprintf("joint %d <&>", i), robot.Kind(rapid.IntRange(0, 1).Draw(t, "kind")))
	if rapid.Bool().Draw(t, "limits") {
		j.Lower, j.Upper, j.Velocity, j.Effort = -1.25, rapid.Float64Range(0, 3).Draw(t, "upper"), 2, 30
		j.Accel, j.Jerk = 4, 50
	} else if j.Kind == robot.Revolute {
		j.Continuous = true
	}
	j.Fv, j.Fs = rapid.Float64Range(0, 3).Draw(t, "fv"), rapid.Float64Range(0, 3).Draw(t, "fs")
	return j
}

// drawTree draws a robot as the URDF reader would make it.
func drawTree(t *rapid.T) *robot.Robot {
	r := &robot.Robot{Name: "tree \"7\"", BaseName: "base link", Gravity: robot.StandardGravity}
	n := rapid.IntRange(1, 6).Draw(t, "links")
	for i := range n {
		l := robot.Link{Name: fmt.Sprintf("link %d", i), Joint: drawJoint(t, i), Antecedent: -1}
		if i > 0 { // a depth-first order: hang on the last link or one above it
			l.Antecedent = i - 1
			for l.Antecedent >= 0 && rapid.IntRange(0, 3).Draw(t, "up") == 0 {
				l.Antecedent = r.Links[l.Antecedent].Antecedent
			}
		}
		axis, _, err := assembly.UnitAxis(drawVec(t, "axis", 1), false)
		if err != nil || rapid.Bool().Draw(t, "along") {
			axis = [3]float64{}
			axis[rapid.IntRange(0, 2).Draw(t, "xyz")] = float64(2*rapid.IntRange(0, 1).Draw(t, "sign") - 1)
		}
		align := angles.AlignZ(axis)
		l.UserFrame = robot.Transform{R: spatial.Transpose(align)}
		l.Placement = drawTransform(t)
		if l.HasInertial = rapid.Bool().Draw(t, "has"); l.HasInertial {
			l.Own = drawInertial(t)
			l.Inertial = l.Own
		}
		r.Links = append(r.Links, l)
	}
	for k := range rapid.IntRange(0, 3).Draw(t, "lumped") {
		m := robot.Lumped{Name: fmt.Sprintf("fixed %d", k), Joint: fmt.Sprintf("weld %d", k),
			Into: rapid.IntRange(-1, n-1).Draw(t, "into"), InLink: drawTransform(t)}
		if m.HasInertial = rapid.Bool().Draw(t, "fixed has"); m.HasInertial {
			m.Inertial = drawInertial(t)
		}
		r.Lumped = append(r.Lumped, m)
	}
	assembly.AddLumped(r)
	if n > 1 && rapid.Bool().Draw(t, "mimic") {
		r.Mimics = []robot.Mimic{{Joint: n - 1, Of: 0, Multiplier: -2.5, Offset: .125}}
	}
	return r
}

// different names the first difference of two robots beyond a tolerance, "" if none.
func different(a, b *robot.Robot, tol float64, what string) string {
	if len(a.Links) != len(b.Links) {
		return fmt.Sprintf("%d and %d links", len(a.Links), len(b.Links))
	}
	for i := range a.Links {
		x, y := a.Links[i], b.Links[i]
		switch {
		case x.Antecedent != y.Antecedent, x.Joint.Kind != y.Joint.Kind, x.HasInertial != y.HasInertial:
			return fmt.Sprintf("link %d: %+v, %+v", i, x, y)
		case !closeTransform(x.Placement, y.Placement, tol):
			return fmt.Sprintf("placement of link %d: %v, %v", i, x.Placement, y.Placement)
		case !near(x.Inertial, y.Inertial, tol):
			return fmt.Sprintf("inertial of link %d: %v, %v", i, x.Inertial, y.Inertial)
		case x.Joint.Fv != y.Joint.Fv, x.Joint.Fs != y.Joint.Fs:
			return fmt.Sprintf("friction of link %d", i)
		}
		if what == "par" {
			continue
		}
		switch {
		case fmt.Sprint(x.Joint.Lower, x.Joint.Upper, x.Joint.Velocity, x.Joint.Effort, x.Joint.Continuous, x.Joint.Name, x.Name, x.Joint.Accel, x.Joint.Jerk) !=
			fmt.Sprint(y.Joint.Lower, y.Joint.Upper, y.Joint.Velocity, y.Joint.Effort, y.Joint.Continuous, y.Joint.Name, y.Name, y.Joint.Accel, y.Joint.Jerk):
			return fmt.Sprintf("joint %d: %+v, %+v", i, x.Joint, y.Joint)
		case !closeTransform(x.UserFrame, y.UserFrame, tol):
			return fmt.Sprintf("user frame of link %d: %v, %v", i, x.UserFrame, y.UserFrame)
		case !near(x.Own, y.Own, tol):
			return fmt.Sprintf("own inertial of link %d: %v, %v", i, x.Own, y.Own)
		}
	}
	if a.Name != b.Name || a.Gravity != b.Gravity && what != "urdf" {
		return fmt.Sprintf("%q %v, %q %v", a.Name, a.Gravity, b.Name, b.Gravity)
	}
	if what == "par" {
		return ""
	}
	if a.BaseName != b.BaseName || fmt.Sprint(a.Mimics) != fmt.Sprint(b.Mimics) || len(a.Lumped) != len(b.Lumped) {
		return fmt.Sprintf("base %q %q, mimics %v %v, %d and %d lumped", a.BaseName, b.BaseName, a.Mimics, b.Mimics, len(a.Lumped), len(b.Lumped))
	}
	for i := range a.Lumped {
		x, y := a.Lumped[i], b.Lumped[i]
		if x.Name != y.Name || x.Into != y.Into || x.HasInertial != y.HasInertial || !closeTransform(x.InLink, y.InLink, tol) || !near(x.Inertial, y.Inertial, tol) {
			return fmt.Sprintf("lumped %+v, %+v", x, y)
		}
	}
	return ""
}

func closeTransform(a, b robot.Transform, tol float64) bool {
	for i := range 3 {
		if !(math.Abs(a.P[i]-b.P[i]) <= tol) {
			return false
		}
		for j := range 3 {
			if !(math.Abs(a.R[i][j]-b.R[i][j]) <= tol) {
				return false
			}
		}
	}
	return true
}

func TestWrittenRobotsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawTree(t)
		var b bytes.Buffer
		if err := urdf.Write(&b, r); err != nil {
			t.Fatal(err)
		}
		back, err := Read(b.Bytes(), "urdf", "", robot.ReadOptions{NoSnap: true})
		if err != nil {
			t.Fatalf("%v\n%s", err, b.Bytes())
		}
		if d := different(r, back, 1e-12, "urdf"); d != "" {
			t.Fatalf("URDF: %s\n%s", d, b.Bytes())
		}
		b.Reset()
		r.Gravity = drawVec(t, "g", 9)
		r.Links[0].Joint.Ia, r.Links[0].Joint.Fo, r.Links[0].Joint.GearRatio, r.Links[0].Joint.Gain, r.Links[0].Joint.Passive = .5, .25, 100, 10.5, true
		r.Drives = []robot.Drive{{Number: 0, Weights: map[int]float64{0: 1, len(r.Links) - 1: -.5}}}
		if err := yaml.Write(&b, r); err != nil {
			t.Fatal(err)
		}
		if back, err = Read(b.Bytes(), "yaml", "", robot.ReadOptions{NoSnap: true}); err != nil {
			t.Fatalf("%v\n%s", err, b.Bytes())
		}
		if d := different(r, back, 1e-12, "yaml"); d != "" {
			t.Fatalf("YAML: %s\n%s", d, b.Bytes())
		}
		if x, y := r.Links[0].Joint, back.Links[0].Joint; x.Ia != y.Ia || x.Fo != y.Fo || x.GearRatio != y.GearRatio || x.Gain != y.Gain || !y.Passive {
			t.Fatalf("drive %+v, %+v", x, y)
		}
		if fmt.Sprint(r.Drives) != fmt.Sprint(back.Drives) {
			t.Fatalf("drives %v, %v", r.Drives, back.Drives)
		}
		b.Reset()
		r.Name = "tree"
		if err := par.Write(&b, r); err != nil {
			if errors.Is(err, robot.ErrNotWritable) {
				t.Skip("nearly parallel axes")
			}
			t.Fatal(err)
		}
		if back, err = Read(b.Bytes(), "par", "", robot.ReadOptions{NoSnap: true}); err != nil {
			t.Fatalf("%v\n%s", err, b.Bytes())
		}
		if d := different(r, back, 1e-11, "par"); d != "" {
			t.Fatalf("par: %s\n%s", d, b.Bytes())
		}
	})
}

func TestDataRobotsRoundTrip(t *testing.T) {
	for _, f := range dataURDFs(t) {
		r, err := Open(f, robot.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for format, write := range map[string]func(*bytes.Buffer) error{
			"urdf": func(b *bytes.Buffer) error { return urdf.Write(b, r) },
			"yaml": func(b *bytes.Buffer) error { return yaml.Write(b, r) },
			"par":  func(b *bytes.Buffer) error { return par.Write(b, r) },
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Errorf("%s as %s: %v", f, format, err)
				continue
			}
			back, err := Read(b.Bytes(), format, "", robot.ReadOptions{})
			if err != nil {
				t.Errorf("%s as %s: %v", f, format, err)
				continue
			}
			if d := different(r, back, 1e-12, format); d != "" {
				t.Errorf("%s as %s: %s", f, format, d)
			}
		}
	}
}

func TestParSamplesRoundTrip(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(dataPath(t, "cases", "par_samples"), "*.par"))
	for _, f := range files {
		r, err := Open(f, robot.ReadOptions{TreeOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"par", "yaml"} {
			var b bytes.Buffer
			write := par.Write
			if format == "yaml" {
				write = yaml.Write
			}
			if err := write(&b, r); err != nil {
				t.Fatal(err)
			}
			back, err := Read(b.Bytes(), format, "", robot.ReadOptions{})
			if err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			if fmt.Sprint(back.Unset) != fmt.Sprint(r.Unset) || back.Gravity != r.Gravity || len(back.Links) != len(r.Links) {
				t.Errorf("%s as %s: unset %v, want %v", f, format, back.Unset, r.Unset)
			}
			for i := range r.Links {
				if r.Links[i].Joint.Passive != back.Links[i].Joint.Passive || r.Links[i].Antecedent != back.Links[i].Antecedent || r.Links[i].MDH.Text != back.Links[i].MDH.Text {
					t.Errorf("%s as %s: link %d", f, format, i)
				}
			}
		}
	}
}

func FuzzURDF(f *testing.F) {
	f.Add([]byte(urdfText(`<link name="c"/><joint name="j" type="revolute"><origin xyz="0 0 1" rpy="0 1.57 0"/><parent link="b"/><child link="c"/><axis xyz="0 1 0"/><mimic joint="k"/></joint>`)))
	f.Add([]byte(editText))
	addSeeds(f, "data", "*", "model", "*.urdf")
	f.Fuzz(func(t *testing.T, text []byte) {
		fuzzRead(t, text, "urdf")
		r, err := Read(text, "urdf", "fuzz", robot.ReadOptions{})
		if err != nil {
			return
		}
		// A readable text stays readable when its inertials are replaced.
		want := map[string]robot.Inertial{}
		p := robot.InertialFromCentral(2, [3]float64{.1, .2, .3}, [3][3]float64{{1, .1, .2}, {.1, 1, .3}, {.2, .3, 1}})
		for _, l := range r.Links {
			want[l.Name] = p
		}
		out, err := urdf.ReplaceInertials(text, want)
		if err != nil {
			t.Fatalf("%v\n%q", err, text)
		}
		back, err := Read(out, "urdf", "replaced", robot.ReadOptions{})
		if err != nil {
			t.Fatalf("%v\n%q\n%q", err, text, out)
		}
		for i, l := range back.Links {
			if got := back.UserInertial(i, l.Own); !near(got, p, 1e-12) {
				t.Fatalf("%s: %v, want %v\n%q\n%q", l.Name, got, p, text, out)
			}
		}
	})
}
