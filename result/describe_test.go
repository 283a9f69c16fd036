package result

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/estimatortest"
	"ident/internal/testrobot"
	"ident/internal/triangle"
	"ident/regressor"
	"ident/robot"
)

// solved returns a robot's noisy estimate along a trajectory.
func solved(t testing.TB, r *robot.Robot) (*estimatortest.Experiment, *estimate.Solution) {
	return solvedUnder(t, r, 0.05)
}

// solvedUnder is solved under noise of the given deviation, N·m.
func solvedUnder(t testing.TB, r *robot.Robot, noise float64) (*estimatortest.Experiment, *estimate.Solution) {
	x := estimatortest.NewExperiment(t, r, 50, 12)
	tau := x.Torque()
	rng := rand.New(rand.NewPCG(4, 4))
	for k := range tau {
		for i := range tau[k] {
			tau[k][i] += noise * rng.NormFloat64()
		}
	}
	var work triangle.Work
	s, err := x.Reduce(tau, 0, x.Rows.Rows, 20, &work).Solve(estimate.WLS, false)
	if err != nil {
		t.Fatal(err)
	}
	return x, s
}

func TestDescribe(t *testing.T) {
	r := estimatortest.Arm()
	x, sol := solved(t, r)
	var res Result
	res.Describe(r, x.Set, sol)
	if len(res.BaseParameters) != len(sol.X) || len(res.StandardParameters) < len(x.Set.Columns) {
		t.Fatalf("%d base and %d standard parameters", len(res.BaseParameters), len(res.StandardParameters))
	}
	student := distuv.StudentsT{Sigma: 1, Nu: sol.DegreesOfFreedom[3]}.Quantile(0.975)
	p := res.BaseParameters[3]
	if p.Name != x.Set.Name(3) || p.Value != sol.X[3] || p.Sigma != math.Sqrt(sol.Covariance[3][3]) ||
		math.Abs((p.High95-p.Low95)/(2*student*p.Sigma)-1) > 1e-9 || math.Abs(p.RelativeSigmaPercent/(100*p.Sigma/math.Abs(p.Value))-1) > 1e-12 {
		t.Errorf("parameter %+v", p)
	}
	inside := 0
	for i, p := range res.BaseParameters {
		if !p.HasPrior || math.Abs(p.Prior-x.Truth[i]) > 1e-12*(1+math.Abs(p.Prior)) {
			t.Errorf("%s: the robot file gives %v, %v was stated (%v)", p.Name, x.Truth[i], p.Prior, p.HasPrior)
		}
		if p.Low95 <= x.Truth[i] && x.Truth[i] <= p.High95 {
			inside++
		}
	}
	if inside < 20 {
		t.Errorf("%d of %d intervals hold the truth", inside, len(res.BaseParameters))
	}
	if !res.PhysicallyConsistent || len(res.Impossible) > 0 {
		t.Errorf("an arm identified to 1%% is impossible: %+v", res.Impossible)
	}
	for _, p := range res.StandardParameters {
		if p.Determined && p.Sigma == 0 || !p.Determined && p.Name == "Fv1" {
			t.Errorf("%+v", p)
		}
	}
}

// The lifted standard parameters have the estimated base parameters, and those
// that no data determine are the robot file's, for every tree.
func TestLiftedIsEstimate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 8))
		r := testrobot.Random(rng, rapid.IntRange(1, 6).Draw(t, "links"), true)
		full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
		if err != nil {
			t.Fatal(err)
		}
		set := baseparams.QR(full, baseparams.Options{})
		n := len(set.Base)
		sol := &estimate.Solution{X: make([]float64, n), DegreesOfFreedom: make([]float64, n), Covariance: make([][]float64, n)}
		for i := range n {
			sol.X[i], sol.DegreesOfFreedom[i], sol.Covariance[i] = rng.NormFloat64(), 30, make([]float64, n)
			sol.Covariance[i][i] = rng.Float64()
		}
		var res Result
		res.Describe(r, set, sol)
		chi := make([]float64, len(set.Columns))
		for i := range chi {
			chi[i] = res.StandardParameters[i].Value
			if res.StandardParameters[i].Name != set.Columns[i].Name {
				t.Fatalf("%s instead of %s", res.StandardParameters[i].Name, set.Columns[i].Name)
			}
		}
		for i, v := range set.FromStandard(chi) {
			if !(math.Abs(v-sol.X[i]) < 1e-9*(1+math.Abs(sol.X[i]))) {
				t.Fatalf("%s: %v lifted, %v estimated", set.Name(i), v, sol.X[i])
			}
		}
		for _, i := range append(append([]int(nil), set.Zero...), set.Dependent...) {
			want, _ := regressor.ValueOf(r, set.Columns[i])
			if chi[i] != want || res.StandardParameters[i].Determined {
				t.Fatalf("%s is not determined, but became %v from %v", set.Columns[i].Name, chi[i], want)
			}
		}
		if _, err := json.Marshal(&res); err != nil {
			t.Fatal(err)
		}
	})
}

// A lifted body that cannot exist is named with its cause, and so is negative friction.
func TestImpossible(t *testing.T) {
	r := estimatortest.Arm()
	x, sol := solved(t, r)
	spoil := func(change func(chi []float64)) Result {
		chi := make([]float64, len(x.Set.Columns))
		for i, c := range x.Set.Columns {
			chi[i], _ = regressor.ValueOf(r, c)
		}
		change(chi)
		bad := *sol
		bad.X = x.Set.FromStandard(chi)
		var res Result
		res.Describe(r, x.Set, &bad)
		return res
	}
	column := func(name string) int {
		for i, c := range x.Set.Columns {
			if c.Name == name {
				return i
			}
		}
		t.Fatalf("no column %s", name)
		return -1
	}
	for _, c := range []struct {
		column string
		value  float64
		link   string
		why    string
	}{
		{"ZZ3", -1, r.Links[2].Name, "principal inertia"},
		{"ZZ3", 2, r.Links[2].Name, "triangle inequality"},
		{"Fv2", -0.3, r.Links[1].Joint.Name, "Fv2 = -0.3 is negative"},
		{"Fs1", -2, r.Links[0].Joint.Name, "Fs1 = -2 is negative"},
	} {
		res := spoil(func(chi []float64) { chi[column(c.column)] = c.value })
		found := false
		for _, b := range res.Impossible {
			found = found || b.Link == c.link && strings.Contains(b.Why, c.why)
		}
		if res.PhysicallyConsistent || !found {
			t.Errorf("%s = %g: consistent %v, %+v", c.column, c.value, res.PhysicallyConsistent, res.Impossible)
		}
	}
	if res := spoil(func(chi []float64) { chi[column("Fo1")] = -5 }); !res.PhysicallyConsistent {
		t.Errorf("an offset has no sign: %+v", res.Impossible)
	}
	// A robot file without inertials cannot have its bodies judged, and says so.
	bare := estimatortest.Arm()
	for j := range bare.Links {
		bare.Links[j].HasInertial, bare.Links[j].Inertial = false, robot.Inertial{}
	}
	var res Result
	res.Describe(bare, x.Set, sol)
	if res.PhysicallyConsistent || len(res.Notes) == 0 || res.BaseParameters[0].HasPrior {
		t.Errorf("consistent %v, notes %q", res.PhysicallyConsistent, res.Notes)
	}
}

// The result survives its JSON form, also when the data determine little.
func TestResultJSON(t *testing.T) {
	r := estimatortest.Arm()
	x, sol := solved(t, r)
	res := Result{Schema: Schema, Robot: RobotInfo{Name: "arm", DOF: 3}, Terms: []string{"links"}, Joints: []string{"a", "b", "c"},
		Processing: Processing{RateHz: 50, Lock: map[string]float64{"d": 0.5}, Gravity: robot.StandardGravity}}
	res.Describe(r, x.Set, sol)
	res.Validation = &Validation{Errors: Errors{RMSE: []float64{1, 2, 3}}, Runs: []ValidationRun{{Log: "other"}}}
	res.Judge(DefaultLimits())
	text, err := json.Marshal(&res)
	if err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(res, back) {
		t.Errorf("the result changed on its way through JSON")
	}
	for _, key := range []string{`"condition_number":{"scaled"`, `"relative_sigma_percent"`, `"relative_error_percent"`, `"physically_consistent"`, `"velocity"`, `"why"`, `"cutoff_hz"`} {
		if !strings.Contains(string(text), key) {
			t.Errorf("the document lacks %s", key)
		}
	}
	// At rest nothing but gravity shows; the document still has finite numbers.
	still := estimatortest.NewExperiment(t, r, 50, 2)
	for k := range still.Rows.Joint {
		for _, col := range still.Rows.Joint[k] {
			for i := range col {
				col[i] = col[0]
			}
		}
	}
	var work triangle.Work
	least, err := still.Reduce(still.Torque(), 0, still.Rows.Rows, 10, &work).Solve(estimate.WLS, true)
	if err != nil {
		t.Fatal(err)
	}
	var poor Result
	poor.Describe(r, still.Set, least)
	poor.Judge(DefaultLimits())
	if _, err := json.Marshal(&poor); err != nil {
		t.Error(err)
	}
	if !poor.Failed() {
		t.Error("a log of a robot at rest passes every verdict")
	}
}
