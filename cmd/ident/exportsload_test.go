package main_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/cmd/ident/internal/exports"
	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/result"
	"ident/robot"
	"ident/robot/format"
)

// turned is R·diag·Rᵀ.
func turned(r [3][3]float64, d [3]float64) [3][3]float64 {
	return spatial.Mul(r, spatial.Mul([3][3]float64{{d[0]}, {0, d[1]}, {0, 0, d[2]}}, spatial.Transpose(r)))
}

// A load of 2 kg whose principal axes are those of the flange turned by 30° about z, worked by hand: Ixx = 0.02·3/4 + 0.04/4 = 0.025,
// Iyy = 0.02/4 + 0.04·3/4 = 0.035, Ixy = (0.02 − 0.04)·sin 30°·cos 30° = −0.00866025; the quaternion is (cos 15°, 0, 0, sin 15°).
func TestWorkedLoads(t *testing.T) {
	l := exports.Load{Mass: 2, Centre: [3]float64{0.01, -0.002, 0.075}, Inertia: turned(spatial.RotZ(math.Pi/6), [3]float64{0.02, 0.04, 0.05}), Frame: "tool0"}
	for controller, want := range map[string]string{
		"ur":        "set_target_payload(2, [0.01, -0.002, 0.075], [0.025, 0.035, 0.05, -0.00866025, 0, 0])",
		"franka":    `"load_inertia": [ 0.025`,
		"franka-ee": `{ "mass": 2, "centerOfMass": [ 0.01, -0.002, 0.075 ], "transformation": [ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 ], "inertia": [ 0.025`,
		"kuka":      "{M 2,CM {X 10,Y -2,Z 75,A 30,B 0,C 0},J {X 0.02,Y 0.04,Z 0.05}}",
		// 0.025, 0.035 and 0.05 kg·m² over 0.0980665.
		"fanuc":   "PAYLOAD [kg]: 2\nPAYLOAD CENTER X [cm]: 1\nPAYLOAD CENTER Y [cm]: -0.2\nPAYLOAD CENTER Z [cm]: 7.5\nPAYLOAD INERTIA X [kgfcms^2]: 0.254929\nPAYLOAD INERTIA Y [kgfcms^2]: 0.356901\nPAYLOAD INERTIA Z [kgfcms^2]: 0.509858\n",
		"yaskawa": "W: 2\nXg: 10\nYg: -2\nZg: 75\nIx: 0.025\nIy: 0.035\nIz: 0.05\n",
		"xarm":    "arm.set_tcp_load(2, [10, -2, 75])",
		"kinova":  "tool.tool_mass = 2\ntool.tool_mass_center.x, tool.tool_mass_center.y, tool.tool_mass_center.z = 0.01, -0.002, 0.075\n",
		"ros2":    "    id: \"tool0\"\n  CoG:\n    pos: [0.01, -0.002, 0.075]\n    force: 19.6133\n",
		"abb":     "PERS loaddata payload:=[2,[10,-2,75],[0.965926,0,0,0.258819],0.02,0.04,0.05];",
	} {
		got, err := l.Text(controller)
		if strings.HasPrefix(controller, "franka") {
			got = strings.Join(strings.Fields(got), " ")
		}
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %s, %v; want %s", controller, got, err, want)
		}
	}
	if _, err := l.Text("lathe"); err == nil {
		t.Error("a lathe is none of them")
	}
	l.Point = true
	if got, err := l.Text("ur"); err != nil || !strings.Contains(got, "set_target_payload(2, [0.01, -0.002, 0.075])\n") {
		t.Errorf("a point mass: %s, %v", got, err)
	}
}

// A load that no robot can carry, or no body can have, is written for no controller.
func TestRefusedLoads(t *testing.T) {
	good := exports.Load{Mass: 2, Centre: [3]float64{0.01, -0.002, 0.075}, Inertia: turned(spatial.RotZ(1), [3]float64{0.02, 0.04, 0.05}), Frame: "tool0", Reach: 0.9, Robot: 20}
	for name, change := range map[string]func(*exports.Load){
		"no mass":              func(l *exports.Load) { l.Mass = 0 },
		"a negative mass":      func(l *exports.Load) { l.Mass = -5 },
		"a mass of a house":    func(l *exports.Load) { l.Mass = 1e5 },
		"a mass of NaN":        func(l *exports.Load) { l.Mass = math.NaN() },
		"a far centre":         func(l *exports.Load) { l.Centre[1] = -3.1 },
		"a centre of 1e40":     func(l *exports.Load) { l.Centre[0] = 1e40 },
		"an infinite centre":   func(l *exports.Load) { l.Centre[2] = math.Inf(-1) },
		"no triangle":          func(l *exports.Load) { l.Inertia = turned(spatial.RotZ(1), [3]float64{0.02, 0.04, 0.07}) },
		"a negative moment":    func(l *exports.Load) { l.Inertia = turned(spatial.RotZ(1), [3]float64{-0.01, 0.04, 0.04}) },
		"an inertia of NaN":    func(l *exports.Load) { l.Inertia[0][1] = math.NaN() },
		"an inertia too large": func(l *exports.Load) { l.Inertia = turned(spatial.RotZ(1), [3]float64{20, 20, 20}) },
	} {
		bad := good
		change(&bad)
		for _, c := range exports.Controllers() {
			var refused *exports.LoadError
			if text, err := bad.Text(c); !errors.As(err, &refused) || text != "" {
				t.Errorf("%s for %s: %q, %v", name, c, text, err)
			}
		}
	}
	for _, c := range exports.Controllers() {
		if _, err := good.Text(c); err != nil || len(good.Doubts(c)) > 0 {
			t.Errorf("%s: %v, %v", c, err, good.Doubts(c))
		}
		heavy := good
		heavy.Mass = 40
		if _, err := heavy.Text(c); err != nil || len(heavy.Doubts(c)) != 1 {
			t.Errorf("%s: 40 kg on a robot of 20 kg: %v, %v", c, err, heavy.Doubts(c))
		}
	}
	far := good
	if far.Centre[0], far.Reach = 4, 4.5; far.Doubts("kuka") != nil {
		t.Error("a centre within the reach")
	}
	if _, err := far.Text("kuka"); err != nil {
		t.Error(err)
	}
	far.Mass, far.Inertia = 1000, turned(spatial.RotZ(1), [3]float64{120, 130, 140})
	if _, err := far.Text("kuka"); err != nil {
		t.Error(err)
	}
	if _, err := far.Text("ur"); err == nil {
		t.Error("140 kg·m² are above what set_target_payload takes")
	}
}

// Principal moments and angles give the inertia back, for any body, also one whose moments are equal.
func TestPrincipalAxes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		d := [3]float64{0.1 + rng.Float64(), 0.1 + rng.Float64(), 0.1 + rng.Float64()}
		if rapid.Bool().Draw(t, "equal") {
			d[1] = d[0]
		}
		l := exports.Load{Mass: 1, Inertia: turned(angles.RPYRotation([3]float64{6 * rng.Float64(), 6 * rng.Float64(), 6 * rng.Float64()}), d)}
		moments, axes, err := l.Principal()
		if err != nil {
			t.Fatal(err)
		}
		// Products of rotations and moments up to 1.1, and the digits of the eigenvectors: tens of units in the last place.
		back := turned(axes, moments)
		rpy := angles.RPYRotation(angles.RotationRPY(axes))
		q := angles.Quaternion(axes)
		if math.Abs(spatial.Dot(axes[0], spatial.Cross(axes[1], axes[2]))-1) > 1e-12 || math.Abs(q[0]*q[0]+q[1]*q[1]+q[2]*q[2]+q[3]*q[3]-1) > 1e-12 {
			t.Fatalf("axes %v, quaternion %v", axes, q)
		}
		for i := range 3 {
			for k := range 3 {
				if math.Abs(back[i][k]-l.Inertia[i][k]) > 1e-12 || math.Abs(rpy[i][k]-axes[i][k]) > 1e-7 { // near gimbal lock angles lose half their digits
					t.Fatalf("%v, want %v", back, l.Inertia)
				}
			}
		}
	})
}

// The load goes from the link's frame to the flange that is fixed to it.
func TestFlange(t *testing.T) {
	r, err := format.Read([]byte(`<robot name="arm"><link name="base"/><link name="wrist"/><joint name="j" type="revolute"><parent link="base"/><child link="wrist"/><axis xyz="0 1 0"/></joint>
		<link name="tool0"/><joint name="f" type="fixed"><parent link="wrist"/><child link="tool0"/><origin xyz="0 0 0.1" rpy="0 0 1.5707963267948966"/></joint></robot>`), "urdf", "arm", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m := func(v float64) result.Measured { return result.Measured{Value: v} }
	mass := m(2)
	res := &result.Result{Payloads: []result.Payload{{Link: "wrist", Frame: "user", Complete: true, Possible: true, Mass: &mass, Centre: []result.Measured{m(0.03), m(0.01), m(0.15)},
		CentralInertia: []result.Measured{m(0.01), m(0.001), m(0), m(0.02), m(0), m(0.015)}}}}
	l, err := exports.LoadOf(res, r, "", "tool0")
	if err != nil {
		t.Fatal(err)
	}
	// x of the flange is y of the link, y is -x: the centre is (0.01, -0.03, 0.05), Ixx and Iyy change places and Ixy its sign.
	if got := fmt.Sprintf("%.4f %.4f %.4f %.4f %s", l.Centre, l.Inertia[0][0], l.Inertia[1][1], l.Inertia[0][1], l.Frame); got != "[0.0100 -0.0300 0.0500] 0.0200 0.0100 -0.0010 tool0" {
		t.Error(got)
	}
	if l, err = exports.LoadOf(res, r, "", ""); err != nil || l.Centre != [3]float64{0.03, 0.01, 0.15} {
		t.Error(l, err)
	}
	if _, err = exports.LoadOf(res, r, "", "tool1"); err == nil || !strings.Contains(err.Error(), "tool0") {
		t.Error(err)
	}
	res.Payloads[0].Possible = false
	if _, err = exports.LoadOf(res, r, "", ""); err == nil {
		t.Error("a body that cannot be")
	}
	// Of several one is chosen by the name in its term.
	second := res.Payloads[0]
	second.Number, second.Possible, second.Mass = 2, true, &result.Measured{Value: 5}
	two := &result.Result{Payloads: []result.Payload{res.Payloads[0], second}}
	var choose *exports.PayloadError
	if _, err = exports.LoadOf(two, r, "", ""); !errors.As(err, &choose) || len(choose.Names) != 2 {
		t.Errorf("no choice of two: %v", err)
	}
	if _, err = exports.LoadOf(two, r, second.Link+"=3", ""); !errors.As(err, &choose) {
		t.Errorf("a choice that is not there: %v", err)
	}
	if l, err = exports.LoadOf(two, r, second.Link+"=2", ""); err != nil || l.Mass != 5 {
		t.Errorf("the second: %+v, %v", l, err)
	}
	if _, err = exports.LoadOf(&result.Result{}, r, "", ""); err == nil || !strings.Contains(err.Error(), "payload:LINK") {
		t.Error(err)
	}
}
