package format

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"ident/internal/spatial"
	"ident/robot"
	"ident/robot/format/yaml"
)

const yamlFourBar = `name: four-bar
links:
  - {name: crank, joint: {name: j1}, origin: {xyz: [0, 0, 0]}}
  - {name: coupler, joint: {name: j2, passive: true}, origin: {xyz: [0.35, 0, 0]}}
  - {name: rocker, parent: base, joint: {name: j3, passive: true}, origin: {xyz: [1, 0, 0]}}
  - {name: pin, joint: {name: weld, kind: fixed}, origin: {xyz: [0.5, 0, 0]}}
loops:
  - joint: {name: cut, kind: revolute}
    frame: {parent: coupler, origin: {xyz: [0.9, 0, 0]}}
    meets: {parent: pin, origin: {xyz: [0.2, 0, 0]}}
assembly: {j1: 0, j2: 1, j3: 1.5}
`

func TestYAMLLoops(t *testing.T) {
	if _, err := Read([]byte(yamlFourBar), "yaml", "four.yaml", robot.ReadOptions{}); err == nil || !strings.Contains(err.Error(), "loop 1 (frame cut meets frame cut')") {
		t.Errorf("without Loops: %v", err)
	}
	if r, err := Read([]byte(yamlFourBar), "yaml", "four.yaml", robot.ReadOptions{TreeOnly: true}); err != nil || r.Closed() || len(r.Links) != 3 {
		t.Errorf("as a tree: %v", err)
	}
	r, err := Read([]byte(yamlFourBar), "yaml", "four.yaml", robot.ReadOptions{Loops: true})
	if err != nil {
		t.Fatal(err)
	}
	// The pin is part of the rocker: its frame is 0.7 m from the rocker's joint.
	if f := r.Extra[r.Loops[0].Meets]; f.Antecedent != 2 || math.Abs(f.Placement.P[0]-0.7) > 1e-15 {
		t.Errorf("the other frame is at %+v", f)
	}
	if got := fmt.Sprint(r.Independent()); got != "[0]" || r.Assembly["j3"] != 1.5 {
		t.Errorf("independent %s, assembly %v", got, r.Assembly)
	}
	for kind, extra := range map[string]int{"revolute": 2, "prismatic": 2, "cylindrical": 3, "universal": 3, "spherical": 2} {
		text := strings.Replace(yamlFourBar, "kind: revolute}\n    frame: {parent: coupler, origin: {xyz: [0.9, 0, 0]}", "kind: "+kind+"}\n    frame: {parent: coupler, origin: {xyz: [0.9, 0, 0], rpy: [0.1, 0.2, 0.3]}, axis: [1, 2, 3]", 1)
		r, err := Read([]byte(text), "yaml", "four.yaml", robot.ReadOptions{Loops: true})
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if len(r.Extra) != extra || r.Loops[0].Spherical != (kind == "spherical") {
			t.Errorf("%s: %d frames, %+v", kind, len(r.Extra), r.Loops)
		}
		var b bytes.Buffer
		if err := yaml.Write(&b, r); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		back, err := Read(b.Bytes(), "yaml", "four.yaml", robot.ReadOptions{Loops: true, NoSnap: true})
		if err != nil {
			t.Fatalf("%s: %v\n%s", kind, err, b.String())
		}
		for k, f := range r.Extra {
			g := back.Extra[k]
			if g.Name != f.Name || g.Kind != f.Kind || g.Antecedent != f.Antecedent || spatial.Norm(spatial.Sub(g.Placement.P, f.Placement.P)) > 1e-14 {
				t.Errorf("%s: frame %+v read back as %+v", kind, f, g)
			}
			for i := range 3 {
				for j := range 3 {
					if math.Abs(g.Placement.R[i][j]-f.Placement.R[i][j]) > 1e-14 {
						t.Errorf("%s: frame %s turned to %v, read back as %v", kind, f.Name, f.Placement.R, g.Placement.R)
					}
				}
			}
		}
		if fmt.Sprint(back.Assembly) != fmt.Sprint(r.Assembly) {
			t.Errorf("%s: assembly %v", kind, back.Assembly)
		}
	}
}

func TestYAMLLoopErrors(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"unknown parent":     {"parent: coupler", "parent: copuler", `loop 1: frame: its parent "copuler" is no link; did you mean "coupler"?`},
		"unknown kind":       {"kind: revolute", "kind: spheric", `joint "cut": kind "spheric" is not known; did you mean "spherical"?`},
		"no meets":           {"    meets: {parent: pin, origin: {xyz: [0.2, 0, 0]}}\n", "", "loop 1: meets is missing"},
		"one link":           {"parent: pin, origin: {xyz: [0.2", "parent: coupler, origin: {xyz: [0.2", "both its frames are on the same link"},
		"name in use":        {"name: cut,", "name: j2,", `joint "j2" is defined twice`},
		"unknown key":        {"meets:", "meat:", `unknown key "meat"; did you mean "meets"?`},
		"assembly":           {"{j1: 0, j2: 1", "{j1: 0, j4: 1", `assembly: joint "j4" does not exist`},
		"coupled to nothing": {"assembly:", "couplings:\n  - {joint: j3, of: {}}\nassembly:", `joint "j3" follows no joint`},
		"coupled to itself":  {"assembly:", "couplings:\n  - {joint: j3, of: {j3: 1}}\nassembly:", `joint "j3" follows itself`},
		"coupled twice":      {"assembly:", "couplings:\n  - {joint: j3, of: {j1: 1}}\n  - {joint: j3, of: {j2: 1}}\nassembly:", `joint "j3" is coupled twice`},
		"half parallelogram": {"assembly:", "parallelograms:\n  - {crank: j1, arm: j2, coupler: j3}\nassembly:", "forearm is missing"},
	} {
		text := strings.Replace(yamlFourBar, c.old, c.new, 1)
		_, err := Read([]byte(text), "yaml", "four.yaml", robot.ReadOptions{Loops: true})
		var fe *robot.FileError
		if !errors.As(err, &fe) || fe.Line == 0 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

const urdfArms = `<robot name="arms">
<link name="world"/><link name="crank"/><link name="coupler"/><link name="rocker"/><link name="pin"/>
<joint name="j1" type="revolute"><parent link="world"/><child link="crank"/><axis xyz="0 1 0"/></joint>
<joint name="j2" type="revolute"><parent link="crank"/><child link="coupler"/><origin xyz="0.35 0 0"/><axis xyz="0 1 0"/></joint>
<joint name="j3" type="revolute"><parent link="world"/><child link="rocker"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/></joint>
<joint name="weld" type="fixed"><parent link="rocker"/><child link="pin"/><origin xyz="0.5 0 0"/></joint>
</robot>`

func TestLoopsBesideURDF(t *testing.T) {
	r, err := Read([]byte(urdfArms), "urdf", "arms.urdf", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := yaml.AddLoops(r, []byte(`passive: [j2, j3]
loops:
  - frame: {parent: coupler, origin: {xyz: [0.9, 0, 0]}, axis: [0, 1, 0]}
    meets: {parent: pin, origin: {xyz: [0.2, 0, 0]}, axis: [0, 1, 0]}
`))
	if err != nil {
		t.Fatal(err)
	}
	if r.Closed() || !c.Closed() || fmt.Sprint(c.Independent()) != "[0]" || c.LoopName(0) != "loop 1 (frame C1 meets frame C1')" {
		t.Errorf("closed %v, independent %v, %s", c.Closed(), c.Independent(), c.LoopName(0))
	}
	// In frame j, whose z is the joint's axis, the point is 0.7 m away, across it.
	p := c.Extra[c.Loops[0].Meets].Placement
	if math.Abs(spatial.Norm(p.P)-0.7) > 1e-15 || p.P[2] != 0 || math.Abs(p.R[2][2]-1) > 1e-15 {
		t.Errorf("the other frame is at %+v", p)
	}
	for text, want := range map[string]string{
		"":                   "the file is empty",
		"passive: [weld]":    `joint "weld"`,
		"passive: [j4]":      `joint "j4" does not exist`,
		"links: []":          `unknown key "links"`,
		"loops: [{frame: 3}": "line 1",
	} {
		if _, err := yaml.AddLoops(r, []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzLoops(f *testing.F) {
	r, err := Read([]byte(urdfArms), "urdf", "arms.urdf", robot.ReadOptions{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("passive: [j2]\nloops:\n  - {joint: {kind: universal}, frame: {parent: coupler}, meets: {parent: pin}}\n"))
	f.Add([]byte("couplings: [{joint: j2, of: {j1: -1, j3: 1}, offset: Pi/2}]\nassembly: {j1: 0.3}\n"))
	f.Add([]byte("parallelograms: [{crank: j1, arm: j3, coupler: j2, forearm: j2}]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := yaml.AddLoops(r, text)
		if err != nil {
			var fe *robot.FileError
			if !errors.As(err, &fe) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if !c.Closed() {
			return
		}
		var b bytes.Buffer
		if err := yaml.Write(&b, c); err != nil {
			t.Fatal(err)
		}
		back, err := Read(b.Bytes(), "yaml", "back.yaml", robot.ReadOptions{Loops: true, NoSnap: true})
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		if len(back.Loops) != len(c.Loops) || len(back.Couplings) != len(c.Couplings) || len(back.Extra) != len(c.Extra) {
			t.Fatalf("%d loops and %d couplings read back as %d and %d", len(c.Loops), len(c.Couplings), len(back.Loops), len(back.Couplings))
		}
	})
}
