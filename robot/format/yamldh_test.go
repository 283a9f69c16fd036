package format_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/mechanics/dynamics"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/par"
	"ident/robot/format/yaml"
)

// puma560 is the arm as the Robotics Toolbox gives it (P. Corke, models puma560 and DH.Puma560): standard rows, centres of mass and moments in the
// frames of the rows, and motors by their gear ratios and inertias, whose product Ia = G²·Jm is written out.
var puma560 = func() string {
	type row struct {
		d, a        float64
		alpha       string
		m           float64
		com, moment [3]float64
		g, j        float64
	}
	var b strings.Builder
	b.WriteString("name: puma560\nconvention: standard\nlinks:\n")
	for i, r := range []row{
		{0, 0, "Pi/2", 0, [3]float64{}, [3]float64{0, 0.35, 0}, -62.6111, 200e-6},
		{0, 0.4318, "0", 17.4, [3]float64{-0.3638, 0.006, 0.2275}, [3]float64{0.13, 0.524, 0.539}, 107.815, 200e-6},
		{0.15005, 0.0203, "-Pi/2", 4.8, [3]float64{-0.0203, -0.0141, 0.070}, [3]float64{0.066, 0.086, 0.0125}, -53.7063, 200e-6},
		{0.4318, 0, "Pi/2", 0.82, [3]float64{0, 0.019, 0}, [3]float64{1.8e-3, 1.3e-3, 1.8e-3}, 76.0364, 33e-6},
		{0, 0, "-1.5708", 0.34, [3]float64{}, [3]float64{0.3e-3, 0.4e-3, 0.3e-3}, 71.923, 33e-6},
		{0, 0, "0", 0.09, [3]float64{0, 0, 0.032}, [3]float64{0.15e-3, 0.15e-3, 0.04e-3}, 76.686, 33e-6},
	} {
		fmt.Fprintf(&b, "  - joint: {name: q%d, drive: {ia: %g}}\n    dh: {d: %g, a: %g, alpha: %s}\n", i+1, r.g*r.g*r.j, r.d, r.a, r.alpha)
		if r.m == 0 { // moments alone, which a mass centre has no place for
			fmt.Fprintf(&b, "    standard: {ZZ: %g}\n", r.moment[1]) // y of the link's frame is z of its joint's
			continue
		}
		fmt.Fprintf(&b, "    inertial: {mass: %g, com: [%g, %g, %g], inertia: {ixx: %g, iyy: %g, izz: %g}}\n", r.m, r.com[0], r.com[1], r.com[2], r.moment[0], r.moment[1], r.moment[2])
	}
	return b.String()
}()

func Read(t interface{ Fatal(...any) }, text string) *robot.Robot {
	r, err := format.Read([]byte(text), "yaml", "arm.yaml", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func torque(t interface{ Fatal(...any) }, r *robot.Robot, q, dq, ddq []float64) []float64 {
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, tree.DOF())
	tree.InverseDynamics(out, q, dq, ddq)
	return out
}

// The published torques of the Puma at its nominal pose (roboticstoolbox-python, tests of DHRobot, test_rne): of gravity, and of accelerations of 1 rad/s²
// at rates of 1 rad/s less those of the rates alone. Four digits are printed: half a unit of the last of either term.
func TestStandardDHOfPuma(t *testing.T) {
	r := Read(t, puma560)
	q := []float64{0, math.Pi / 4, math.Pi, 0, math.Pi / 4, 0}
	zero, one := make([]float64, 6), []float64{1, 1, 1, 1, 1, 1}
	gravity := torque(t, r, q, zero, zero)
	moved, turning := torque(t, r, q, one, one), torque(t, r, q, one, zero)
	for k, want := range []float64{0, 31.6399, 6.0351, 0, 0.0283, 0} {
		if math.Abs(gravity[k]-want) > 0.5e-4 {
			t.Errorf("gravity at joint %d: %.5f, published %.4f", k+1, gravity[k], want)
		}
	}
	for k, want := range [][2]float64{{32.4952, 29.1421}, {60.8670, 56.5044}, {17.7436, 16.3528}, {1.4545, 1.2645}, {1.2991, 1.1239}, {0.7138, 0.5196}} {
		if got := moved[k] - turning[k]; math.Abs(got-want[0]+want[1]) > 1.01e-4 {
			t.Errorf("inertia at joint %d: %.5f, published %.4f", k+1, got, want[0]-want[1])
		}
	}
}

// rowsOf writes tables of both conventions of one random arm: of the standard rows' second halves the modified ones begin with those of the link before. The
// inertial is that of the standard row's frame, and about the joint's frame by hand: the frame is a along x and turned by α about it.
func rowsOf(rng *rand.Rand, n int) (standard, modified string) {
	angle := []string{"0", "Pi/2", "-Pi/2", "Pi", "0.3", "-1.1"}
	s, m := "convention: standard\nlinks:\n", "convention: modified\nlinks:\n"
	a, alpha := 0.0, "0"
	for i := range n {
		kind := []string{"revolute", "prismatic"}[rng.IntN(5)/4]
		theta, d, nextA, nextAlpha := angle[rng.IntN(len(angle))], rng.NormFloat64(), rng.NormFloat64(), angle[rng.IntN(len(angle))]
		mass, com := 1+rng.Float64(), [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		joint := fmt.Sprintf("  - joint: {name: q%d, kind: %s}\n    dh: {theta: %s, d: %.17g, ", i+1, kind, theta, d)
		body := "    inertial: {mass: %.17g, com: [%.17g, %.17g, %.17g], inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}}\n"
		s += joint + fmt.Sprintf("a: %.17g, alpha: %s}\n", nextA, nextAlpha) + fmt.Sprintf(body, mass, com[0], com[1], com[2])
		sin, cos := math.Sincos(map[string]float64{"0": 0, "Pi/2": math.Pi / 2, "-Pi/2": -math.Pi / 2, "Pi": math.Pi, "0.3": 0.3, "-1.1": -1.1}[nextAlpha])
		m += joint + fmt.Sprintf("a: %.17g, alpha: %s}\n", a, alpha) + fmt.Sprintf(body, mass, com[0]+nextA, cos*com[1]-sin*com[2], sin*com[1]+cos*com[2])
		a, alpha = nextA, nextAlpha
	}
	return s, m
}

// Both conventions of one arm have the same frames and torques, and both stay so through the library's own format.
func TestConventionsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 21))
		n := rapid.IntRange(1, 7).Draw(t, "joints")
		standard, modified := rowsOf(rng, n)
		a, b := Read(t, standard), Read(t, modified)
		var text bytes.Buffer
		if err := yaml.Write(&text, a); err != nil {
			t.Fatal(err)
		}
		back := Read(t, text.String())
		var x [3][]float64
		for d := range x {
			for range n {
				x[d] = append(x[d], 2*rng.NormFloat64())
			}
		}
		zero, most := make([]float64, n), 0.0
		want := torque(t, b, x[0], x[1], x[2])
		for _, part := range [][3][]float64{x, {x[0], zero, zero}, {x[0], x[1], zero}} {
			for _, v := range torque(t, b, part[0], part[1], part[2]) {
				most = max(most, math.Abs(v))
			}
		}
		for _, r := range []*robot.Robot{a, back} {
			got := torque(t, r, x[0], x[1], x[2])
			for k := range got {
				// Seven frames, and moments carried over some metres: hundreds of units in the last place of the largest.
				if !(math.Abs(got[k]-want[k]) <= 1e-12*most) {
					t.Fatalf("joint %d: %.15g, want %.15g\n%s%s", k+1, got[k], want[k], standard, modified)
				}
			}
			for i := range r.Links {
				for row := range 3 {
					if p, w := r.Links[i].Placement, b.Links[i].Placement; p.R[row] != w.R[row] || p.P[row] != w.P[row] {
						t.Fatalf("frame %d is at %v, want %v", i+1, p, w)
					}
				}
			}
		}
	})
}

// The Puma of the reference data has modified rows; they are the same as mdh's.
func TestModifiedRows(t *testing.T) {
	text := "convention: modified\nsymbols: {D3: 0.4318}\nlinks:\n  - joint: {name: a}\n    dh: {theta: 0.1, d: 0.2}\n  - joint: {name: b, kind: prismatic}\n    dh: {alpha: -Pi/2, a: D3, d: D3/2}\n"
	same := strings.NewReplacer("convention: modified\n", "", "dh: {theta: 0.1, d: 0.2}", "mdh: {theta: 0.1, r: 0.2}", "dh: {alpha: -Pi/2, a: D3, d: D3/2}", "mdh: {alpha: -Pi/2, d: D3, r: D3/2}").Replace(text)
	a, b := Read(t, text), Read(t, same)
	for i := range a.Links {
		if a.Links[i].Placement != b.Links[i].Placement || a.Links[i].MDH.Text != b.Links[i].MDH.Text || a.Links[i].UserFrame != robot.Identity() {
			t.Errorf("%+v\n%+v", a.Links[i], b.Links[i])
		}
	}
}

func TestRowsRefused(t *testing.T) {
	for text, part := range map[string]string{
		"convention: craig\nlinks: []\n":                                                                                                      `arm.yaml:1: convention: "craig" is not known`,
		"links:\n  - joint: {name: a}\n    dh: {a: 1}\n":                                                                                      `arm.yaml:3: link "L1": dh: the file does not say which convention`,
		"convention: standard\nlinks:\n  - joint: {name: a}\n    dh: {r: 1}\n":                                                                `unknown key "r"`,
		"convention: standard\nlinks:\n  - joint: {name: a}\n    dh: {a: D3}\nsymbols: {D3: 1}\n":                                             `dh: a: "D3" is no number`,
		"convention: standard\nlinks:\n  - joint: {name: a}\n    dh: {alpha: 1/0}\n":                                                          `dh: alpha: "1/0" is no number`,
		"convention: standard\nlinks:\n  - joint: {name: a}\n    dh: {theta: (1}\n":                                                           "dh: theta: expression",
		"convention: standard\nlinks:\n  - joint: {name: a}\n    dh: {a: 1}\n    mdh: {d: 1}\n":                                               "one of the three",
		"convention: standard\nlinks:\n  - joint: {name: a}\n    dh: {a: 1}\n    user_frame: {xyz: [1, 0, 0]}\n":                              "one of the three",
		"convention: standard\nlinks:\n  - {name: w, joint: {kind: fixed}, origin: {xyz: [1, 0, 0]}}\n  - joint: {name: a}\n    dh: {a: 1}\n": "its parent is a fixed body",
	} {
		_, err := format.Read([]byte(text), "yaml", "arm.yaml", robot.ReadOptions{})
		var fe *robot.FileError
		if !errors.As(err, &fe) || !strings.Contains(err.Error(), part) {
			t.Errorf("%v\nwant %s", err, part)
		}
	}
}

// The standard table of the Puma goes through the other formats with its torques.
func TestStandardDHWritten(t *testing.T) {
	r := Read(t, puma560)
	rng := rand.New(rand.NewPCG(560, 1))
	var x [3][]float64
	for d := range x {
		for range 6 {
			x[d] = append(x[d], rng.NormFloat64())
		}
	}
	want := torque(t, r, x[0], x[1], x[2])
	path := filepath.Join(t.TempDir(), "puma.par")
	var b bytes.Buffer
	if err := par.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	back, err := format.Open(path, robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range torque(t, back, x[0], x[1], x[2]) {
		if math.Abs(v-want[k]) > 1e-11 {
			t.Errorf("joint %d: %.15g, want %.15g", k+1, v, want[k])
		}
	}
}
