package regression

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"ident/regressor"
	"ident/robot"
)

// Values that some body and some drive has are never refused, however few of them are known and however thin the body; the
// same with one of them turned impossible are.
func TestImpossibleKnownValuesAreRefused(t *testing.T) {
	r := arm(2)
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	rapid.Check(t, func(t *rapid.T) {
		// A body is a sum of points.
		var body robot.Inertial
		for range rapid.IntRange(1, 6).Draw(t, "points") {
			m := rapid.Float64Range(0.01, 5).Draw(t, "mass")
			var x [3]float64
			for k := range x {
				x[k] = float64(rapid.IntRange(-1000, 1000).Draw(t, "place, mm")) / 1000
			}
			point := robot.Inertial{robot.XX: m * (x[1]*x[1] + x[2]*x[2]), robot.YY: m * (x[0]*x[0] + x[2]*x[2]), robot.ZZ: m * (x[0]*x[0] + x[1]*x[1]),
				robot.XY: -m * x[0] * x[1], robot.XZ: -m * x[0] * x[2], robot.YZ: -m * x[1] * x[2], robot.MX: m * x[0], robot.MY: m * x[1], robot.MZ: m * x[2], robot.M: m}
			for p := range body {
				body[p] += point[p]
			}
		}
		known := map[string]float64{}
		for p, kind := range robot.InertialNames {
			if rapid.Bool().Draw(t, kind) {
				known[robot.ParameterName(kind, 1)] = body[p]
			}
		}
		for _, name := range []string{"Fv1", "Ia2", "Fo1"} {
			known[name] = rapid.Float64Range(0, 10).Draw(t, name)
		}
		check := func() error {
			_, fixed, values, err := ModelOf(r, regressor.DefaultTerms(), known)
			if err != nil {
				t.Fatal(err)
			}
			return checkKnown(fixed.Columns(), values, nil)
		}
		if err := check(); err != nil {
			t.Fatalf("%v is a body and is refused: %v", known, err)
		}
		broken := rapid.SampledFrom([]string{"M2", "XX2", "ZZ2", "Fv1", "Ia2", "MX2", "XY2"}).Draw(t, "broken")
		switch _, both := known["ZZ2"]; {
		case broken == "MX2":
			known["M2"], known["ZZ2"], known["MX2"] = body[robot.M], body[robot.ZZ], 1.01*math.Sqrt(body[robot.M]*body[robot.ZZ])+1e-6
		case broken == "XY2":
			known["ZZ2"], known["XY2"] = body[robot.ZZ], -0.51*body[robot.ZZ]-1e-6
		case broken == "XX2" && both:
			known["YY2"], known["XX2"] = body[robot.YY], 1.01*(body[robot.YY]+body[robot.ZZ])+1e-6
		default:
			known[broken] = -rapid.Float64Range(1e-6, 500).Draw(t, "below zero")
		}
		var is *ValueError
		if err := check(); !errors.As(err, &is) {
			t.Fatalf("%v with an impossible %s: %v", known, broken, err)
		}
		refused++
	})
	if _, have := regressor.ValueOf(r, full.Columns()[0]); !have || refused == 0 {
		t.Error("nothing was tried")
	}
}

// A doubted value is refused only if its deviation does not explain it, and a known mass far from the file's is doubted.
func TestKnownMassesAreDoubted(t *testing.T) {
	r := arm(3)
	file := r.Links[2].Inertial.Mass()
	for _, c := range []struct {
		mass    float64
		doubted int
	}{{file, 0}, {2.9 * file, 0}, {file / 2.9, 0}, {3.1 * file, 1}, {file / 3.1, 1}, {20 * file, 1}} {
		_, fixed, values, err := ModelOf(r, regressor.DefaultTerms(), map[string]float64{"M3": c.mass})
		if err != nil {
			t.Fatal(err)
		}
		if got := doubtedKnown(r, fixed.Columns(), values); len(got) != c.doubted {
			t.Errorf("%.3g times the file's mass: doubts %q, want %d", c.mass/file, got, c.doubted)
		}
	}
	_, fixed, values, err := ModelOf(r, regressor.DefaultTerms(), map[string]float64{"Fv1": -0.1})
	if err != nil {
		t.Fatal(err)
	}
	if err := checkKnown(fixed.Columns(), values, map[string]float64{"Fv1": 0.1}); err != nil {
		t.Errorf("-0.1 ± 0.1: %v", err)
	}
	if err := checkKnown(fixed.Columns(), values, map[string]float64{"Fv1": 0.01}); err == nil {
		t.Error("-0.1 ± 0.01 is taken")
	}
}
