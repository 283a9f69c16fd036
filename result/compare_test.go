package result

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// setOf is the base set of the torques of some joints, nil for all.
func setOf(t *testing.T, r *robot.Robot, rows []int) *baseparams.Set {
	t.Helper()
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links, regressor.Fv})
	if err != nil {
		t.Fatal(err)
	}
	return baseparams.QR(m, baseparams.Options{Seed: 1, Rows: rows})
}

// sideOf is an estimate of a robot's base parameters with a drawn covariance of the given scale, off the truth by a
// draw of that covariance.
func sideOf(rng *rand.Rand, name string, r *robot.Robot, set *baseparams.Set, scale float64) Side {
	n := set.Count()
	factor := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range i + 1 {
			factor.Set(i, j, scale*rng.NormFloat64())
		}
		factor.Set(i, i, factor.At(i, i)+2*scale)
	}
	var cov mat.Dense
	cov.Mul(factor, factor.T())
	res := &Result{Robot: RobotInfo{Name: "arm"}, Logs: []LogInfo{{Name: name, Role: "train", Last: 10}}}
	x := FileParameters(r, set)
	noise := mat.NewVecDense(n, nil)
	for k := range n {
		noise.SetVec(k, rng.NormFloat64())
	}
	var off mat.VecDense
	off.MulVec(factor, noise)
	for k := range n {
		s := math.Sqrt(cov.At(k, k))
		res.BaseParameters = append(res.BaseParameters, BaseParameter{Name: set.Name(k), Value: x[k] + off.AtVec(k), Sigma: s})
		res.Covariance = append(res.Covariance, cov.RawRowView(k))
	}
	return Side{Name: name, Result: res, Set: set, Robot: r}
}

// The torque of the first joint alone shows combinations of the base parameters that all torques show: each of them
// is expressed by those, to the rounding of the relations, and the others say why they are not determined.
func TestCompareOtherSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	mapped := 0
	for range 12 {
		r := testrobot.RandomSpecial(rng, 4, false)
		whole, part := sideOf(rng, "whole", r, setOf(t, r, nil), 0), sideOf(rng, "part", r, setOf(t, r, []int{0}), 0)
		c, err := Compare([]Side{part, whole})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range c.Parameters {
			a, b := p.Sides[0], p.Sides[1]
			if b.Missing != "" {
				t.Errorf("%s: %s; all torques show the parameters of one", p.Name, b.Missing)
				continue
			}
			if b.Mapped {
				mapped++
			}
			// Bodies of a few kilograms within a metre: values up to 10, relations to relationTolerance.
			if math.Abs(a.Value-b.Value) > 1e-7 {
				t.Errorf("%s is %v by one torque and %v by all", p.Name, a.Value, b.Value)
			}
		}
		back, err := Compare([]Side{whole, part})
		if err != nil {
			t.Fatal(err)
		}
		missing := 0
		for _, p := range back.Parameters {
			if p.Sides[1].Missing != "" {
				missing++
			}
		}
		if n := len(back.Parameters); missing < n-len(c.Parameters) || missing == n {
			t.Errorf("%d of %d parameters are not determined by the %d of one torque", missing, n, len(c.Parameters))
		}
		if why := back.NotCompared(1); len(why) == 0 || !strings.Contains(why[0], ": ") {
			t.Errorf("reasons: %q", why)
		}
	}
	if mapped == 0 {
		t.Error("no base parameter of one torque is a combination of several")
	}
}

// Two estimates of the same robot with known deviations differ significantly as rarely as is promised, and the
// distance by their covariances is that of chance; a parameter moved by eight deviations of the difference is found.
func TestCompareChance(t *testing.T) {
	long.Only(t, "TestHolm and TestCompareOtherSets have the levels and the differences")
	rng := rand.New(rand.NewPCG(8, 1))
	r := testrobot.Random(rng, 3, false)
	set := setOf(t, r, nil)
	draws := long.Of(400, 100)
	wrong, below := 0, 0
	for range draws {
		a, b := sideOf(rng, "a", r, set, 0.1), sideOf(rng, "b", r, set, 0.2)
		c, err := Compare([]Side{a, b})
		if err != nil {
			t.Fatal(err)
		}
		if c.Significant > 0 {
			wrong++
		}
		if c.Apart[0].P < 0.5 {
			below++
		}
		x := &b.Result.BaseParameters[4]
		x.Value = a.Result.BaseParameters[4].Value + 8*math.Hypot(x.Sigma, a.Result.BaseParameters[4].Sigma)
		if c, err = Compare([]Side{a, b}); err != nil || !c.Parameters[4].Sides[1].Difference.Significant {
			t.Fatalf("%v; a difference of eight deviations: %+v", err, c.Parameters[4].Sides[1].Difference)
		}
		b.Result.Logs[0].Name = "a"
		if c, err = Compare([]Side{a, b}); err != nil || !c.Sides[1].SharesData {
			t.Fatalf("%v; the log of one result is not seen in the other", err)
		} else if d := c.Parameters[4].Sides[1].Difference; math.Abs(d.Sigma-a.Result.BaseParameters[4].Sigma-x.Sigma) > 1e-12 {
			t.Fatalf("estimates of the same rows: %+v", d)
		}
	}
	// Binomial, four deviations.
	n := float64(draws)
	if float64(wrong) > 0.05*n+4*math.Sqrt(n*0.05*0.95) {
		t.Errorf("%d of %d comparisons of equals find a difference", wrong, draws)
	}
	if math.Abs(float64(below)-n/2) > 4*math.Sqrt(n/4) {
		t.Errorf("the distance is below its median chance in %d of %d draws", below, draws)
	}
}

// Holm's procedure on three differences, by hand: 3·0.01, 2·0.02, 0.04, none below the one before.
func TestHolm(t *testing.T) {
	c := &Comparison{}
	for _, p := range []float64{0.04, 0.01, 0.02} {
		c.Parameters = append(c.Parameters, ComparedParameter{Sides: []SideEstimate{{}, {Difference: &Difference{P: p}}}})
	}
	c.adjust()
	for i, want := range []float64{0.04, 0.03, 0.04} {
		if d := c.Parameters[i].Sides[1].Difference; math.Abs(d.AdjustedP-want) > 1e-15 || !d.Significant {
			t.Errorf("difference %d: %+v, want an adjusted probability of %g", i, d, want)
		}
	}
}

// Robots with other joints or other frames are refused, and so are sides without a result.
func TestCompareRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	r := testrobot.Random(rng, 2, false)
	a := sideOf(rng, "a", r, setOf(t, r, nil), 0.1)
	locked, err := r.Lock(r.Links[1].Joint.Name, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	moved := r.Clone()
	moved.Links[1].Placement.P[0] += 0.01
	renamed := r.Clone()
	renamed.Links[1].Joint.Name = "other"
	for name, bad := range map[string]*robot.Robot{"is locked in b": locked, "lies elsewhere": moved, `"other"`: renamed, "2 links": testrobot.Random(rng, 3, false)} {
		_, err := Compare([]Side{a, {Name: "b", Robot: bad}})
		if !errors.Is(err, ErrNotComparable) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Compare([]Side{{Name: "file", Robot: r}, {Name: "file", Robot: r}}); !errors.Is(err, ErrNotComparable) {
		t.Errorf("two robot files: %v", err)
	}
	// The file comes second, whatever its place in the call, and has no deviations.
	c, err := Compare([]Side{{Name: "file", Robot: r}, a})
	if err != nil || c.Sides[0].Name != "a" || !c.Sides[1].RobotFile || c.Parameters[0].Sides[1].Sigma != 0 {
		t.Errorf("%v, %+v", err, c)
	}
}
