package format

import (
	"math"
	"strings"
	"testing"

	"ident/robot"
	"ident/robot/format/yaml"
)

const yamlArm = `name: arm
base: floor
gravity: [0, 0, -9.8]
symbols: {D3: 0.45}
links:
  - name: shoulder
    joint:
      name: j1
      limits: {position: [-3, Pi], velocity: 2, acceleration: 5, jerk: 50, effort: 100}
      drive: {ia: 0.5, fv: 1, fs: 2, fo: 0.1, gear_ratio: 100, gain: 10.5}
    mdh: {alpha: 1.5708}
    standard: {ZZ: 1.5, M: 3}
  - name: elbow
    joint: {name: j2, kind: continuous, passive: true}
    mdh: {d: D3, r: R2}
  - name: tool
    parent: shoulder
    joint: {name: weld, kind: fixed}
    origin: {xyz: [0, 0, 1]}
    inertial: {mass: 2, com: [0, 0, 0.5], inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}}
  - name: slide
    parent: tool
    joint: {name: j3, kind: prismatic}
    origin: {xyz: [1, 0, 0], rpy: [0, 0, 1.5708]}
    axis: [1, 0, 0]
    inertial: {mass: 1}
mimics:
  - {joint: j3, of: j1, multiplier: 0.5}
drives:
  - {drive: j2, of: {j1: 1, j2: -1}}
`

// Solids, sections and motors are kept as they stand, through a file that is written and read again.
func TestYAMLParts(t *testing.T) {
	text := `name: arm
links:
  - name: upper
    joint: {name: j1, motor: {stall_torque: 10.5, name: "M 1"}}
    shapes:
      - {tube: {outer: 0.02, inner: 0.015, length: 1}, density: 2700, axis: [1, 0, 0]}
      - mass: 3.07
        point: [0.5, 0, Pi/8]
    section: {tube: {outer: 0.02, inner: 0.015}, material: AlMg3}
  - name: tip
    joint: {name: weld, kind: fixed}
    shapes: [{sphere: 0.1, mass: 2}]
`
	r, err := Read([]byte(text), "", "arm.yaml", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := [4]string{`[{tube: {outer: 0.02, inner: 0.015, length: 1}, density: 2700, axis: [1, 0, 0]}, {mass: 3.07, point: [0.5, 0, Pi/8]}]`,
		`{tube: {outer: 0.02, inner: 0.015}, material: AlMg3}`, `{stall_torque: 10.5, name: "M 1"}`, `[{sphere: 0.1, mass: 2}]`}
	for range 2 {
		got := [4]string{r.Links[0].Shapes, r.Links[0].Section, r.Links[0].Joint.Motor, r.Lumped[0].Shapes}
		if got != want {
			t.Fatalf("%q", got)
		}
		var b strings.Builder
		if err := yaml.Write(&b, r); err != nil {
			t.Fatal(err)
		}
		if r, err = Read([]byte(b.String()), "", "again.yaml", robot.ReadOptions{}); err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
	}
}

func TestYAML(t *testing.T) {
	r, err := Read([]byte(yamlArm), "", "arm.yml", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Links) != 3 || r.BaseName != "floor" || r.Gravity[2] != -9.8 || strings.Join(r.Unset, " ") != "R2" {
		t.Fatalf("%+v", r)
	}
	j := r.Links[0].Joint
	if j.Upper != math.Pi || j.Ia != .5 || j.GearRatio != 100 || j.Gain != 10.5 || j.Fo != .1 || j.Jerk != 50 {
		t.Errorf("%+v", j)
	}
	if p := r.Links[0].Inertial; p[robot.M] != 5 || p[robot.MZ] != 3 || r.Links[0].Own[robot.M] != 3 {
		t.Errorf("%v", p)
	}
	if !r.Links[1].Joint.Continuous || !r.Links[1].Joint.Passive || r.Links[1].MDH.D != .45 || !math.IsNaN(r.Links[1].MDH.R) {
		t.Errorf("%+v", r.Links[1])
	}
	s := r.Links[2]
	if s.Antecedent != 0 || s.Placement.P != [3]float64{1, 0, 1} || [3]float64{s.Placement.R[0][2], s.Placement.R[1][2], s.Placement.R[2][2]} != [3]float64{0, 1, 0} {
		t.Errorf("%+v", s)
	}
	if len(r.Mimics) != 1 || r.Mimics[0] != (robot.Mimic{Joint: 2, Of: 0, Multiplier: .5, Offset: 0}) || len(r.Drives) != 1 || r.Drives[0].Number != 1 || r.Drives[0].Weights[1] != -1 {
		t.Errorf("%+v %+v", r.Mimics, r.Drives)
	}
	r, err = Read([]byte(yamlArm), "", "arm.yml", robot.ReadOptions{Set: map[string]float64{"R2": .1, "D3": 1}})
	if err != nil || r.Links[1].MDH.D != 1 || r.Links[1].MDH.R != .1 || len(r.Unset) != 0 {
		t.Errorf("%v", err)
	}
}

func TestYAMLFaultsAreNamed(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"unknown key":   {"velocity: 2", "velocty: 2", `arm.yml:9: link "shoulder": joint: limits: unknown key "velocty"; did you mean "velocity"?`},
		"top key":       {"base:", "bse:", `unknown key "bse"; did you mean "base"`},
		"no parent":     {"parent: tool", "parent: toll", `its parent "toll" is not above it in the list; did you mean "tool"`},
		"twice":         {"name: elbow", "name: shoulder", `"shoulder" is defined twice`},
		"joint twice":   {"name: j2", "name: j1", `"j1" is defined twice`},
		"key twice":     {"base: floor", "name: floor", `key "name" is given twice`},
		"kind":          {"kind: prismatic", "kind: prismatik", `did you mean "prismatic"`},
		"expression":    {"r: R2", "r: R2 +", "arm.yml:15"},
		"number":        {"ZZ: 1.5", "ZZ: big", "is not a number"},
		"infinite":      {"ZZ: 1.5", "ZZ: 1/0", "not finite"},
		"both":          {"axis: [1, 0, 0]", "mdh: {d: 1}", "not both"},
		"mdh on fixed":  {"    origin: {xyz: [1, 0, 0], rpy: [0, 0, 1.5708]}\n    axis: [1, 0, 0]", "    mdh: {d: 1}", "fixed body"},
		"zero axis":     {"axis: [1, 0, 0]", "axis: [0, 0, 0]", "axis is zero"},
		"two of three":  {"axis: [1, 0, 0]", "axis: [0, 0]", "needs three numbers, found 2"},
		"limits":        {"position: [-3, Pi]", "position: [3, -Pi]", "above upper"},
		"drive":         {"j1: 1, j2: -1", "j1: 1, weld: -1", `"weld" is fixed`},
		"drive unknown": {"drive: j2", "drive: jj2", `did you mean "j2"`},
		"mimic":         {"of: j1, ", "of: j9, ", `"j9"`},
		"syntax":        {"base: floor", "base: [floor", "arm.yml"},
	} {
		_, err := Read([]byte(strings.Replace(yamlArm, c.old, c.new, 1)), "yaml", "arm.yml", robot.ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v does not say %q", name, err, c.want)
		}
	}
}

func FuzzYAML(f *testing.F) {
	f.Add([]byte(yamlArm))
	f.Add([]byte("links: [{joint: &a {name: x}, mdh: {theta: Pi/2}}, {keep: true, joint: {kind: fixed}}, {joint: *a}]"))
	f.Fuzz(func(t *testing.T, text []byte) { fuzzRead(t, text, "yaml") })
}
