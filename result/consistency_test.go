package result

import (
	"math"
	"testing"

	"ident/internal/estimatortest"
	"ident/physical"
)

// The tables of a result hold the consistent parameters, and say so.
func TestDescribeConsistent(t *testing.T) {
	r := estimatortest.Arm()
	r.Links[1].HasInertial = false
	x, s := solvedUnder(t, r, 30)
	c, err := physical.Consistent(s, r, x.Set, physical.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var res Result
	res.DescribeConsistent(r, x.Set, s, c, physical.Options{})
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
}
