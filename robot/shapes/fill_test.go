package shapes

import (
	"math"
	"strings"
	"testing"

	"ident/robot"
	"ident/robot/format"
)

func read(t *testing.T, text, name string) *robot.Robot {
	t.Helper()
	r, err := format.Read([]byte(text), "", name, robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const yamlArm = `name: arm
links:
  - name: upper
    joint: {name: j1}
    shapes:
      - {tube: {outer: 0.02, inner: 0.015, length: 1}, density: 2700, axis: [1, 0, 0], origin: {xyz: [0.5, 0, 0]}}
      - {point: [1, 0, 0], mass: 0.5}
  - name: fore
    joint: {name: j2}
    origin: {xyz: [1, 0, 0]}
    axis: [0, 1, 0]
    inertial: {mass: 2, com: [0.1, 0, 0]}
    shapes: [{box: [0.2, 0.1, 0.1], origin: {xyz: [0.1, 0, 0]}}]
  - name: sound
    joint: {name: j3}
    inertial: {mass: 1, inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}}
    shapes: [{sphere: 0.1}]
  - name: flange
    joint: {name: weld, kind: fixed}
    origin: {xyz: [0, 0, 0.1], rpy: [0, Pi/2, 0]}
    shapes: [{cylinder: {radius: 0.05, length: 0.02}, mass: 0.4}]
`

func TestFillYAML(t *testing.T) {
	r := read(t, yamlArm, "arm.yaml")
	c, filled, left, err := Fill(r, FillOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(filled) != 3 || len(left) != 0 || filled[0].Why != "none" || filled[1].Why != "point mass" || filled[2].Name != "flange" {
		t.Fatalf("%+v %+v", filled, left)
	}
	// The tube's mass lies along x; its moment about the joint is m(l²/3 + …), with the point's at 1 m.
	tube := 2700 * math.Pi * (0.02*0.02 - 0.015*0.015)
	up := r.UserInertial(0, c.Links[0].Own)
	near(t, up.Mass(), tube+0.5, 1e-12)
	near(t, up[robot.MX], tube/2+0.5, 1e-12)
	near(t, up[robot.ZZ], tube*(1.0/3+(0.02*0.02+0.015*0.015)/4)+0.5, 1e-12)
	near(t, up[robot.XX], tube*(0.02*0.02+0.015*0.015)/2, 1e-12)
	// The mass of 2 kg is spread over the box, about its own centre of mass.
	fore := r.UserInertial(1, c.Links[1].Own)
	near(t, fore.Mass(), 2, 1e-12)
	central, _ := fore.Central()
	near(t, central[1][1], 2*(0.04+0.01)/12, 1e-12)
	if c.Links[2].Own != r.Links[2].Own {
		t.Error("a sound inertial was replaced")
	}
	// The flange is lumped into the link that carries it: its axis turned onto x.
	gain := r.UserInertial(2, c.Links[2].Inertial.Sub(c.Links[2].Own))
	near(t, gain[robot.M], 0.4, 1e-12)
	near(t, gain[robot.MZ], 0.04, 1e-12)
	near(t, gain[robot.XX], 0.4*0.05*0.05/2+0.4*0.01, 1e-12)
	if r.Links[0].HasInertial {
		t.Error("the robot that was read has changed")
	}
	// Every replaces the sound ones, which need a density.
	if _, _, _, err := Fill(r, FillOptions{Every: true}); err == nil || !strings.Contains(err.Error(), `"sound"`) {
		t.Errorf("%v", err)
	}
	c, filled, _, err = Fill(r, FillOptions{Every: true, Density: map[string]float64{"": 1000, "sound": 2000}})
	if err != nil || len(filled) != 4 {
		t.Fatalf("%v %+v", err, filled)
	}
	near(t, c.Links[2].Own.Mass(), 2000*4*math.Pi*1e-3/3, 1e-12)
	if _, _, _, err := Fill(r, FillOptions{Density: map[string]float64{"nobody": 1}}); err == nil {
		t.Error("a density of no body is taken")
	}
}

func TestFillURDF(t *testing.T) {
	link := func(name, inertial, geometry string) string {
		return `<link name="` + name + `">` + inertial + `<collision><origin xyz="0 0 0.1"/><geometry>` + geometry + `</geometry></collision></link>`
	}
	one := `<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>`
	joint := func(name, parent, child string) string {
		return `<joint name="` + name + `" type="revolute"><parent link="` + parent + `"/><child link="` + child + `"/><axis xyz="0 0 1"/></joint>`
	}
	text := `<robot name="p"><link name="base"/>` +
		link("a", one, `<box size="0.1 0.2 0.3"/>`) + link("b", one, `<cylinder radius="0.1" length="0.4"/>`) +
		link("c", one, `<sphere radius="0.1"/>`) + link("d", "", `<mesh filename="d.stl"/>`) +
		joint("j1", "base", "a") + joint("j2", "a", "b") + joint("j3", "b", "c") + joint("j4", "c", "d") + `</robot>`
	r := read(t, text, "p.urdf")
	if _, _, _, err := Fill(r, FillOptions{}); err == nil || !strings.Contains(err.Error(), "neither density nor mass") {
		t.Errorf("%v", err)
	}
	c, filled, left, err := Fill(r, FillOptions{Density: map[string]float64{"": 1000}})
	if err != nil {
		t.Fatal(err)
	}
	if len(filled) != 3 || filled[0].Why != "placeholder" || len(left) != 1 || left[0].Name != "d" {
		t.Fatalf("%+v %+v", filled, left)
	}
	for j, want := range []float64{6, 1000 * math.Pi * 0.01 * 0.4, 1000 * 4 * math.Pi * 1e-3 / 3} {
		near(t, c.Links[j].Own.Mass(), want, 1e-12)
		near(t, r.UserInertial(j, c.Links[j].Own)[robot.MZ], 0.1*want, 1e-12)
	}
}

func TestBadShapes(t *testing.T) {
	for text, want := range map[string]string{
		`[{tube: {outer: 0.02, inner: 0.02, length: 1}, density: 1}]`:     "inner radius",
		`[{tube: {outer: 0.02, inner: 0.01, length: 0}, density: 1}]`:     "positive",
		`[{box: [1, 1, 1], density: -3}]`:                                 "positive",
		`[{box: [1, 1, 1], density: 3, mass: 2}]`:                         "not both",
		`[{box: [1, 1, 1], sphere: 2}]`:                                   "give one of",
		`[{tueb: {outer: 1}}]`:                                            `"tueb" is not known`,
		`[{density: 2}]`:                                                  "give one of",
		`[{point: [0, 0, 1]}]`:                                            "",
		`[{rectangular_tube: {x: 1, y: 1, wall: 0.6, length: 1}}]`:        "do not fit",
		`[{sphere: big}]`:                                                 "not a number",
		`[{box: [1, 1, 1], axis: [0, 0, 0]}]`:                             "direction",
		`[{capsule: {radius: 0.1, length: -1}}]`:                          "negative",
		`[{cone: {radius: -1, top: 1, length: 1}}]`:                       "negative",
		`[{box: [1, 1]}]`:                                                 "",
		`{box: [1, 1, 1]}`:                                                "shapes:",
		`[{sphere: 0.1, density: 1}, {cylinder: {radius: 1, lenght: 1}}]`: `"lenght" is not known`,
	} {
		parts, err := Parse(text)
		if err == nil && strings.Contains(text, "point") {
			_, err = Inertial(parts)
			want = "give its mass"
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "shapes.entry") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// No text makes the reader panic.
func FuzzParse(f *testing.F) {
	f.Add(`[{tube: {outer: 0.02, inner: 0.015, length: 1}, density: 2700, axis: [1, 0, 0]}]`)
	f.Add(`[{point: [0, 0, Pi/2], mass: 1, origin: {xyz: [1, 2, 3], rpy: [0, 0, 1]}}]`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return // the time of the fuzzing would go into making texts shorter
		}
		if parts, err := Parse(text); err == nil {
			Inertial(parts)
		}
	})
}

func near(t *testing.T, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
		t.Errorf("%.17g, want %.17g", got, want)
	}
}
