package result

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/baseparams"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// TestIdentifiedLifts: whatever the base estimate, and whichever joints are
// locked, the robot that carries it has its base parameters, and bodies that the fit
// did not touch are those of the source, but for those that it names as lighter.
func TestIdentifiedLifts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		source := testrobot.Random(rng, rapid.IntRange(2, 6).Draw(t, "links"), rapid.Bool().Draw(t, "fixed"))
		for i := range source.Links {
			if rng.IntN(4) == 0 { // a link of which the file says nothing
				source.Links[i].Inertial, source.Links[i].Own, source.Links[i].HasInertial = robot.Inertial{}, robot.Inertial{}, false
			}
		}
		fitted, locked := source, ""
		if names := source.JointNames(); len(names) > 1 && rapid.Bool().Draw(t, "lock") {
			locked = names[rng.IntN(len(names))]
			var err error
			if fitted, err = source.Lock(locked, 0.4); err != nil {
				t.Skip(err)
			}
		}
		m, err := regressor.NewDynamic(fitted, regressor.DefaultTerms())
		if err != nil {
			t.Skip(err)
		}
		set := baseparams.QR(m, baseparams.Options{})
		x := make([]float64, set.Count())
		for k := range x {
			x[k] = rng.NormFloat64()
		}
		id := NewIdentified(source, fitted, set, x)
		back := id.Robot
		if locked != "" {
			if back, err = back.Lock(locked, 0.4); err != nil {
				t.Fatal(err)
			}
		}
		if err := id.Check(back); err != nil {
			t.Fatal(err)
		}
		for i, c := range set.Columns {
			if v, _ := regressor.ValueOf(back, c); c.Term != regressor.Links && v != id.Value(c) {
				t.Fatalf("%s (column %d) is %g in the robot, %g lifted", c.Name, i, v, id.Value(c))
			}
		}
		for i := range source.Links {
			if _, lighter := id.Lighter[source.Links[i].Name]; source.Links[i].Joint.Name == locked && !lighter && source.Links[i].Own != id.Robot.Links[i].Own {
				t.Fatalf("the body of the locked joint %q was changed", locked)
			}
		}
		// A wrong body is noticed.
		if len(id.Bodies) > 0 {
			base := set.Columns[set.Base[0]]
			if base.Term == regressor.Links {
				back = back.Clone()
				back.Links[base.Link].Inertial[base.Param] += 1e-3
				if err := id.Check(back); err == nil || !strings.Contains(err.Error(), set.Name(0)) {
					t.Fatalf("a changed %s was not noticed: %v", base.Name, err)
				}
			}
		}
	})
}

func TestIdentifiedImpossible(t *testing.T) {
	body := robot.InertialFromCentral(2, [3]float64{0.1, 0, 0}, [3][3]float64{{0.01, 0, 0}, {0, 0.02, 0}, {0, 0, 0.02}})
	r := &robot.Robot{Gravity: robot.StandardGravity, Links: []robot.Link{{Name: "arm", Antecedent: -1, Placement: robot.Identity(), UserFrame: robot.Identity(),
		Joint: robot.Joint{Name: "j"}, Inertial: body, Own: body, HasInertial: true}}}
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links, regressor.Fv})
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(m, baseparams.Options{})
	chi := make([]float64, len(set.Columns))
	for i, c := range set.Columns {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	x := set.FromStandard(chi)
	if id := NewIdentified(r, r, set, x); len(id.Impossible) > 0 || len(id.Negative) > 0 || len(id.Bodies) > 0 {
		t.Errorf("the file's own parameters: impossible %v, negative %v, changed %v", id.Impossible, id.Negative, id.Bodies)
	}
	for k, c := range set.Base {
		switch set.Columns[c].Name {
		case "ZZ1":
			x[k] = -0.5
		case "Fv1":
			x[k] = -0.1
		}
	}
	id := NewIdentified(r, r, set, x)
	if len(id.Impossible) != 1 || id.Impossible[0].Link != "arm" || len(id.Bodies) != 1 {
		t.Errorf("impossible %v, changed %v", id.Impossible, id.Bodies)
	}
	if len(id.Negative) != 1 || id.Negative[0].Name != "Fv1" || id.Robot.Links[0].Joint.Fv != -0.1 {
		t.Errorf("negative %v", id.Negative)
	}
}
