package result

import (
	"math"
	"testing"

	"ident/internal/estimatortest"
	"ident/physical"
	"ident/regressor"
	"ident/robot"
)

// The tables of a result hold the consistent parameters, and say so; masses are told with their deviations and their sources.
func TestDescribeConsistent(t *testing.T) {
	r := estimatortest.Arm()
	r.Links[1].HasInertial = false
	x, s := solvedUnder(t, r, 30)
	c, err := physical.Bodies(t.Context(), s, r, x.Set, physical.BodyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var res Result
	res.DescribeConsistent(r, x.Set, s, c, physical.BodyOptions{})
	res.DescribeBodies(r, x.Set, c, s)
	if !res.PhysicallyConsistent || len(res.Impossible) > 0 || res.Consistency == nil || res.Consistency.DistanceSigma != c.Distance || len(res.Notes) == 0 {
		t.Fatalf("%v %+v %+v", res.PhysicallyConsistent, res.Impossible, res.Consistency)
	}
	for i, p := range res.StandardParameters[:len(x.Set.Columns)] {
		if !(math.Abs(p.Value-c.Standard[i]) <= 1e-9*(1+math.Abs(c.Standard[i]))) {
			t.Errorf("%s is %v in the table, %v", p.Name, p.Value, c.Standard[i])
		}
	}
	if id := NewIdentifiedFrom(r, r, x.Set, c.Base, c.Standard); len(id.Impossible) > 0 || len(id.Negative) > 0 || id.Check(id.Robot) != nil {
		t.Errorf("the robot that carries it: impossible %+v, negative %v, %v", id.Impossible, id.Negative, id.Check(id.Robot))
	}
	for k, p := range res.BaseParameters {
		if p.Value != c.Base[k] {
			t.Errorf("%s is %v in the table, %v", p.Name, p.Value, c.Base[k])
		}
	}
	b := res.Bodies
	if b == nil || len(b.Links) != 3 || b.Links[1].From == FromFile || b.Links[1].FileKg != 0 || b.Links[0].FileKg == 0 || !(b.Total.Sigma > 0) {
		t.Fatalf("%+v", b)
	}
	sum := 0.0
	for _, l := range b.Links {
		sum += l.Kg
	}
	if !(math.Abs(sum-b.Total.Kg) < 1e-9*sum) {
		t.Errorf("links of %g kg, in all %g", sum, b.Total.Kg)
	}
	if g := b.Grade(); g.Mass != b.Total || (g.Value == BodiesWeak) != (b.Determined < 0.8*float64(b.Of)) {
		t.Errorf("%+v of %+v", g, b)
	}
}

// A free estimate keeps its base parameters, and its standard parameters are those of its bodies.
func TestDescribeBodies(t *testing.T) {
	r := estimatortest.Arm()
	x, s := solvedUnder(t, r, 30)
	c, err := physical.Bodies(t.Context(), s, r, x.Set, physical.BodyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var res Result
	res.Describe(r, x.Set, s)
	res.DescribePossibility(r, x.Set, c.Nearest)
	res.DescribeBodies(r, x.Set, c, s)
	standard := make([]float64, len(x.Set.Columns))
	for i := range standard {
		standard[i] = res.StandardParameters[i].Value
	}
	for k, v := range x.Set.FromStandard(standard) {
		if !(math.Abs(v-c.Base[k]) <= 1e-9*(1+math.Abs(v))) {
			t.Errorf("%s is %v of the bodies, %v", x.Set.Name(k), v, c.Base[k])
		}
		if res.BaseParameters[k].Value != s.X[k] {
			t.Errorf("%s is %v in the table, %v", x.Set.Name(k), res.BaseParameters[k].Value, s.X[k])
		}
	}
	if id := NewIdentifiedFrom(r, r, x.Set, x.Set.FromStandard(standard), standard); len(id.Impossible) > 0 || len(res.Impossible) > 0 {
		t.Errorf("impossible: %+v, %+v", id.Impossible, res.Impossible)
	}
}

// A gripper on a flange is made lighter where no body would be left of the flange; together they are what was fitted.
func TestSharedWithFixedBodies(t *testing.T) {
	r := estimatortest.Arm()
	last := &r.Links[2]
	own := robot.InertialFromCentral(0.2, [3]float64{0.01, 0, 0.02}, [3][3]float64{{1e-4}, {0, 1e-4}, {0, 0, 1e-4}})
	gripper := last.Inertial
	last.Own, last.Inertial = own, gripper.Add(own)
	r.Lumped = []robot.Lumped{{Name: "gripper", Into: 2, InLink: robot.Identity(), Inertial: gripper, HasInertial: true}}
	x := estimatortest.NewExperiment(t, r, 50, 12)
	standard := make([]float64, len(x.Set.Columns))
	for i, c := range x.Set.Columns {
		if standard[i], _ = regressor.ValueOf(r, c); c.Link == 2 && c.Term == regressor.Links {
			standard[i] *= 0.9
		}
	}
	id := NewIdentifiedFrom(r, r, x.Set, x.Set.FromStandard(standard), standard)
	if len(id.Impossible) > 0 || !(id.Lighter["gripper"] > 0.8 && id.Lighter["gripper"] < 0.96) {
		t.Fatalf("impossible %+v, lighter %v", id.Impossible, id.Lighter)
	}
	got := id.Robot.Links[2]
	for p, v := range got.Inertial {
		if want := 0.9 * r.Links[2].Inertial[p]; !(math.Abs(v-want) < 1e-12) || !(math.Abs(v-got.Own[p]-id.Robot.Lumped[0].Inertial[p]) < 1e-12) {
			t.Errorf("%s is %g, want %g; own %g and gripper %g", robot.InertialNames[p], v, want, got.Own[p], id.Robot.Lumped[0].Inertial[p])
		}
	}
	if err := id.Check(id.Robot); err != nil {
		t.Error(err)
	}
	if least := physical.LeastEigenvalue(got.Own); !(least > 0) {
		t.Errorf("own body: eigenvalue %g", least)
	}
}
