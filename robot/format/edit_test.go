package format

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/robot"
	"ident/robot/format/urdf"
)

const editText = "<?xml version='1.0' encoding='ISO-8859-1'?>\r\n<robot name='caf\xe9'>\r\n\t<link name='base'/>\r\n\t<link name='bare'/>\r\n" +
	"\t<link name='open'>\r\n\t\t<visual/>\r\n\t</link>\r\n" +
	"\t<link name='full'><!-- kept -->\r\n\t\t<inertial>\r\n\t\t\t<mass  value = '1.50' />\r\n\t\t\t<inertia ixx=\"1\" iyy='2'\r\n\t\t\t\tizz='3' />\r\n\t\t</inertial>\r\n\t</link>\r\n" +
	"\t<link name='empty'><inertial/></link>\r\n" +
	"\t<joint name='1' type='revolute'><parent link='base'/><child link='bare'/></joint>\r\n\t<joint name='2' type='revolute'><parent link='bare'/><child link='open'/></joint>\r\n" +
	"\t<joint name='3' type='revolute'><parent link='open'/><child link='full'/></joint>\r\n\t<joint name='4' type='fixed'><parent link='full'/><child link='empty'/></joint>\r\n</robot>\r\n"

func TestReplacedInertialsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := map[string]robot.Inertial{}
		for _, name := range []string{"base", "bare", "open", "full", "empty"} {
			if rapid.Bool().Draw(t, name) {
				want[name] = drawInertial(t)
			}
		}
		out, err := urdf.ReplaceInertials([]byte(editText), want)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Read(out, "urdf", "", robot.ReadOptions{})
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for i, l := range r.Links {
			if p, ok := want[l.Name]; ok && !near(r.UserInertial(i, l.Own), p, 1e-13*(1+p.Mass())) {
				t.Fatalf("%s: %v, want %v\n%s", l.Name, r.UserInertial(i, l.Own), p, out)
			}
			if _, ok := want[l.Name]; !ok && l.Name != "full" && l.Own != (robot.Inertial{}) {
				t.Fatalf("%s got an inertial", l.Name)
			}
		}
		if p, ok := want["empty"]; ok {
			if got := r.Lumped[0].Inertial.InFrame(r.Lumped[0].InLink.Inv()); !near(got, p, 1e-13*(1+p.Mass())) {
				t.Fatalf("empty: %v, want %v", got, p)
			}
		}
		// All that was there before still is, in the same order.
		rest := out
		for _, piece := range []string{"caf\xe9", "<visual/>\r\n\t</link>", "<!-- kept -->\r\n", "<mass  value = '", "' />\r\n\t\t\t<inertia ixx=\"", "'\r\n\t\t\t\tizz='"} {
			i := bytes.Index(rest, []byte(piece))
			if i < 0 {
				t.Fatalf("%q is gone:\n%s", piece, out)
			}
			rest = rest[i+len(piece):]
		}
	})
}

func TestReplaceKeepsWhatIsTheSame(t *testing.T) {
	for _, f := range dataURDFs(t) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		same, err := urdf.ReplaceInertials(text, nil)
		if err != nil || !bytes.Equal(same, text) {
			t.Errorf("%s: no inertials, other bytes (%v)", f, err)
		}
		r, err := Read(text, "urdf", f, robot.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]robot.Inertial{}
		for i, l := range r.Links {
			p := r.UserInertial(i, l.Own)
			if p.Mass() == 0 {
				p = robot.InertialFromCentral(1.5, [3]float64{.1, .2, .3}, [3][3]float64{{1, .1, .2}, {.1, 1, .3}, {.2, .3, 1}})
			}
			all[l.Name] = p
		}
		out, err := urdf.ReplaceInertials(text, all)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Read(out, "urdf", f, robot.ReadOptions{})
		if err != nil {
			t.Fatalf("%s: %v\n%s", f, err, out)
		}
		for i, l := range back.Links {
			if got, want := back.UserInertial(i, l.Own), all[l.Name]; !near(got, want, 1e-13*(1+want.Mass())) {
				t.Errorf("%s, %s: %v, want %v", filepath.Base(f), l.Name, got, want)
			}
			if !closeTransform(l.Placement, r.Links[i].Placement, 0) {
				t.Errorf("%s: link %s moved", f, l.Name)
			}
		}
	}
}

func TestReplaceFaults(t *testing.T) {
	_, err := urdf.ReplaceInertials([]byte(editText), map[string]robot.Inertial{"opem": {robot.M: 1}})
	if err == nil || !strings.Contains(err.Error(), `did you mean "open"`) {
		t.Errorf("unknown link: %v", err)
	}
	_, err = urdf.ReplaceInertials([]byte(editText), map[string]robot.Inertial{"open": {robot.MX: 1}})
	if !errors.Is(err, robot.ErrNotWritable) || !strings.Contains(err.Error(), `"open"`) {
		t.Errorf("massless: %v", err)
	}
	_, err = urdf.ReplaceInertials([]byte(editText), map[string]robot.Inertial{"open": {robot.XX: math.NaN(), robot.M: 1}})
	if !errors.Is(err, robot.ErrNotWritable) {
		t.Errorf("NaN: %v", err)
	}
}

// worldFrames returns the placement of every link's user frame in the base.
func worldFrames(r *robot.Robot, q map[string]float64) map[string]robot.Transform {
	out := map[string]robot.Transform{}
	at := make([]robot.Transform, len(r.Links))
	for i, l := range r.Links {
		up := robot.Identity()
		if l.Antecedent >= 0 {
			up = at[l.Antecedent]
		}
		at[i] = up.Mul(l.Placement).Mul(robot.JointMotion(l.Joint.Kind, q[l.Joint.Name]))
		out[l.Name] = at[i].Mul(l.UserFrame)
	}
	for _, m := range r.Lumped {
		up := robot.Identity()
		if m.Into >= 0 {
			up = at[m.Into]
		}
		out[m.Name] = up.Mul(m.InLink)
	}
	return out
}

func TestLockMovesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawTree(t)
		r.Mimics = nil
		if r.DOF() < 2 {
			t.Skip("one joint")
		}
		q := map[string]float64{}
		for _, n := range r.JointNames() {
			q[n] = rapid.Float64Range(-2, 2).Draw(t, "q")
		}
		k := rapid.IntRange(0, len(r.Links)-1).Draw(t, "k")
		name := r.Links[k].Joint.Name
		c, err := r.Lock(name, q[name])
		if err != nil {
			t.Fatal(err)
		}
		before, after := worldFrames(r, q), worldFrames(c, q)
		for n, x := range before {
			if !closeTransform(x, after[n], 1e-12) {
				t.Fatalf("%s moved from %v to %v", n, x, after[n])
			}
		}
		// The bodies together have the same moments about the base.
		if a, b := worldInertial(r, q), worldInertial(c, q); r.Links[k].Antecedent >= 0 && !near(a, b, 1e-9) {
			t.Fatalf("moments %v became %v", a, b)
		}
		if c.DOF() != r.DOF()-1 || len(c.Lumped) != len(r.Lumped)+1 {
			t.Fatalf("%d joints, %d lumped", c.DOF(), len(c.Lumped))
		}
	})
}

func worldInertial(r *robot.Robot, q map[string]float64) robot.Inertial {
	var sum robot.Inertial
	at := worldFrames(r, q)
	for i, l := range r.Links {
		sum = sum.Add(r.UserInertial(i, l.Inertial).InFrame(at[l.Name]))
	}
	return sum
}

func TestLockAdjustsCouplings(t *testing.T) {
	r := robot.FromMDH("arm", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 1}, {Antecedent: 1, D: 1}, {Antecedent: 2, D: 1}})
	r.Mimics = []robot.Mimic{{Joint: 2, Of: 1, Multiplier: 2, Offset: .5}}
	r.Drives = []robot.Drive{{Number: 3, Weights: map[int]float64{2: 1, 3: -1}}}
	c, err := r.Lock("J2", .25)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Links) != 2 || len(c.Mimics) != 0 || len(c.Drives) != 1 || c.Drives[0].Number != 1 || c.Drives[0].Weights[1] != -1 || len(c.Drives[0].Weights) != 1 {
		t.Errorf("links %d, mimics %v, drives %v", len(c.Links), c.Mimics, c.Drives)
	}
	want := robot.Identity().Mul(r.Links[1].Placement).Mul(robot.JointMotion(robot.Revolute, .25)).Mul(r.Links[2].Placement).Mul(robot.JointMotion(robot.Revolute, 1)).Mul(r.Links[3].Placement)
	if !closeTransform(c.Links[1].Placement, want, 1e-15) || c.Links[1].MDH != nil || len(r.Links) != 4 {
		t.Errorf("link 4 at %v, want %v", c.Links[1].Placement, want)
	}
	for name, bad := range map[string]func() error{
		"J3":  func() error { _, err := r.Lock("J3", 0); return err },
		"J9":  func() error { _, err := r.Lock("J9", 0); return err },
		"Inf": func() error { _, err := r.Lock("J1", math.Inf(1)); return err },
		"last": func() error {
			_, err := robot.FromMDH("", []robot.MDHFrame{{Antecedent: -1}}).Lock("J1", 0)
			return err
		},
	} {
		var fe *robot.FileError
		if err := bad(); !errors.As(err, &fe) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
