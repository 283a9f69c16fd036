package identify

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"ident/datasets"
	"ident/identify/project"
	"ident/mechanics/dynamics"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

// evaluationExample is the embedded robot with states of one row each.
func evaluationExample(t *testing.T, rows int) (*robot.Robot, *datasets.Log, [3][][]float64) {
	t.Helper()
	r, err := format.Read(datasets.ExampleRobot(), "urdf", "puma560.urdf", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	var motion [3][][]float64
	var channels []datasets.Channel
	var cols [][]float64
	for k, prefix := range []string{"q_", "dq_", "ddq_"} {
		for _, name := range project.JointNames(r) {
			x := make([]float64, rows)
			for i := range x {
				x[i] = 2*random.Float64() - 1
			}
			motion[k] = append(motion[k], x)
			channels, cols = append(channels, datasets.Channel{Name: prefix + name}), append(cols, x)
		}
	}
	return r, datasets.FromColumns("states", channels, cols, nil), motion
}

// evaluateAll returns the columns of the quantities, through a file.
func evaluateAll(t *testing.T, e *Evaluator, l *datasets.Log, q ...Quantity) (*EvaluationDocument, [][]float64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.npz")
	doc, err := e.Evaluate(context.Background(), new(project.Settings), l, q, path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := datasets.Open(path, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var names []string
	for _, c := range doc.Channels {
		names = append(names, c.Name)
	}
	cols, err := out.Columns(names...)
	if err != nil {
		t.Fatal(err)
	}
	return doc, cols
}

// Torques, standard and base regressors times their parameters, and Newton and Euler's recursion are equal, over several batches.
func TestQuantitiesAgree(t *testing.T) {
	const rows = 2*datasets.DefaultBatch + 17
	r, l, motion := evaluationExample(t, rows)
	e, err := NewEvaluator(r, []regressor.Term{regressor.Links}, new(project.Settings)) // the recursion has no friction
	if err != nil {
		t.Fatal(err)
	}
	doc, cols := evaluateAll(t, e, l, EvaluateInverseDynamics, EvaluateRegressor, EvaluateBaseRegressor)
	if doc.Rows != rows || doc.Incomplete != 0 {
		t.Fatalf("%d rows, %d incomplete", doc.Rows, doc.Incomplete)
	}
	joints := len(doc.Joints)
	sums := map[Quantity][][]float64{}
	for _, q := range []Quantity{EvaluateInverseDynamics, EvaluateRegressor, EvaluateBaseRegressor} {
		sums[q] = sizedColumns(nil, joints, rows)
	}
	for i, c := range doc.Channels {
		factor := 1.0
		switch c.Quantity {
		case EvaluateRegressor:
			factor = *doc.Parameters[c.Parameter].Value
		case EvaluateBaseRegressor:
			factor = *doc.BaseParameters[c.Parameter].Value
		}
		for k, v := range cols[i] {
			sums[c.Quantity][c.Joint][k] += factor * v
		}
	}
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	q, dq, ddq := make([]float64, joints), make([]float64, joints), make([]float64, joints)
	tau := make([]float64, joints)
	for k := 0; k < rows; k += 501 {
		for j := range joints {
			q[j], dq[j], ddq[j] = motion[0][j][k], motion[1][j][k], motion[2][j][k]
		}
		tree.InverseDynamics(tau, q, dq, ddq)
		for j := range joints {
			for name, s := range sums {
				// Torques are some 100 N·m, sums of some 20 terms.
				if d := math.Abs(s[j][k] - tau[j]); !(d < 1e-10) {
					t.Fatalf("%s, joint %d, row %d: %g, by the recursion %g", name, j, k, s[j][k], tau[j])
				}
			}
		}
	}
}

// The power of the torques is the rate of the energy plus the power of friction: along a straight motion at constant velocity, by differences.
func TestEnergyIsConserved(t *testing.T) {
	r, _, _ := evaluationExample(t, 1)
	const h = 1e-5
	names := project.JointNames(r)
	var channels []datasets.Channel
	var cols [][]float64
	for k, prefix := range []string{"q_", "dq_", "ddq_"} {
		for j, name := range names {
			v := 0.3 + 0.1*float64(j)
			x := map[int][]float64{0: {0.2 - h*v, 0.2, 0.2 + h*v}, 1: {v, v, v}, 2: {0, 0, 0}}[k]
			channels, cols = append(channels, datasets.Channel{Name: prefix + name}), append(cols, x)
		}
	}
	e, err := NewEvaluator(r, regressor.DefaultTerms(), new(project.Settings))
	if err != nil {
		t.Fatal(err)
	}
	doc, out := evaluateAll(t, e, datasets.FromColumns("line", channels, cols, nil), EvaluateInverseDynamics, EvaluateEnergy)
	value := map[string][]float64{}
	for i, c := range doc.Channels {
		value[c.Name] = out[i]
	}
	power := 0.0
	for j, name := range names {
		power += value["tau_"+name][1] * (0.3 + 0.1*float64(j))
	}
	total := func(k int) float64 { return value["kinetic"][k] + value["potential"][k] }
	rate := (total(2) - total(0)) / (2 * h)
	// Differences of energies of 100 J are good to 1e-14·100/h.
	if d := math.Abs(power - rate - value["friction_power"][1]); !(d < 1e-6*math.Abs(power)) {
		t.Errorf("power %g, rate of the energy %g, of friction %g", power, rate, value["friction_power"][1])
	}
	if slices.Contains(value["kinetic"], 0) {
		t.Error("no kinetic energy in motion")
	}
}

// A clock is not needed, and rows do not depend on each other.
func TestRowsAreAlone(t *testing.T) {
	r, l, _ := evaluationExample(t, 7)
	e, err := NewEvaluator(r, regressor.DefaultTerms(), new(project.Settings))
	if err != nil {
		t.Fatal(err)
	}
	_, all := evaluateAll(t, e, l, EvaluateInverseDynamics)
	_, one := evaluateAll(t, e, l.Slice(3, 4), EvaluateInverseDynamics)
	for j := range all {
		if all[j][3] != one[j][0] {
			t.Errorf("joint %d: %g in the middle, %g alone", j, all[j][3], one[j][0])
		}
	}
}
