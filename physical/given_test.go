package physical

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/baseparams"
	"ident/internal/estimatortest"
	"ident/regressor"
	"ident/robot"
)

// known returns the set of a robot's columns without some, and these at their true values.
func known(t interface{ Fatal(...any) }, r *robot.Robot, names ...string) (*baseparams.Set, []Given) {
	full, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		t.Fatal(err)
	}
	var open []int
	var given []Given
	for i, c := range full.Columns() {
		held := false
		for _, n := range names {
			held = held || n == c.Name
		}
		if held {
			given = append(given, Given{c, r.Links[c.Link].Inertial[c.Param]})
		} else {
			open = append(open, i)
		}
	}
	return baseparams.QR(full.Select(open), baseparams.Options{}), given
}

// Feasible bodies of an estimate with known values have the values, whatever the values are that bodies can have.
func TestBodiesKeepGivenValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := estimatortest.Arm()
		link := rapid.IntRange(0, len(r.Links)-1).Draw(t, "link")
		param := rapid.SampledFrom([]int{robot.M, robot.MX, robot.MZ, robot.XX}).Draw(t, "param")
		set, given := known(t, r, robot.ParameterName(robot.InertialNames[param], link))
		if param == robot.M {
			given[0].Value *= rapid.Float64Range(0.3, 3).Draw(t, "factor")
		}
		s := invented(rand.New(rand.NewPCG(3, rapid.Uint64().Draw(t, "seed"))), r, set, 0.1)
		out, err := Consistent(s, r, set, Options{Given: given})
		if err != nil {
			t.Fatal(err)
		}
		body, ok := out.Completed[link]
		if !ok || body[param] != given[0].Value {
			t.Fatalf("%s is known to be %g, the body has %g", given[0].Column.Name, given[0].Value, body[param])
		}
		if !(LeastEigenvalue(body) > 0) {
			t.Fatalf("%v is no body: %s", body, WhyImpossible(body))
		}
		if len(out.Standard) != len(set.Columns) {
			t.Fatalf("%d parameters of %d columns", len(out.Standard), len(set.Columns))
		}
	})
}

// A value that bounds exclude is an error that names it.
func TestGivenAgainstABound(t *testing.T) {
	r := estimatortest.Arm()
	set, given := known(t, r, "M2")
	mass := given[0].Value
	s := invented(rand.New(rand.NewPCG(3, 4)), r, set, 0.1)
	bounds := Bounds{Bodies: []BodyBounds{{Link: 1, Mass: Interval{2 * mass, 3 * mass}}}}
	if _, err := Consistent(s, r, set, Options{Given: given, Bounds: bounds}); !errors.Is(err, ErrGiven) || !strings.Contains(err.Error(), "M2") {
		t.Errorf("a mass of %g between twice and three times itself: %v", mass, err)
	}
}
