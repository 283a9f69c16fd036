package excite

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/internal/long"
	"ident/mechanics/dynamics"
	"ident/regressor"
)

// A design's predicted deviations against those of a thousand fits of its own
// simulated torques, with different noise on each joint, and a prior. Torques come
// from package dynamics. Least squares are linear in the torques, so one factor
// serves all fits.
func TestPredictedDeviations(t *testing.T) {
	r := elbow()
	p := small(t)
	p.Model = base(t, r, regressor.Links)
	p.Noise, p.LogRate, p.Repeats, p.Criterion = []float64{0.5, 0.2, 0.1}, 50, 2, AOptimal
	n := len(p.Model.Columns())
	// A prior of the third parameter, with deviation 0.01.
	truth := valuesOf(t, r, p.Model)
	prior := make([]float64, n)
	prior[2] = 1 / 0.01
	p.PriorRows = [][]float64{prior}
	d, err := Design(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	samples := int(p.LogRate * p.Period * float64(p.Repeats))
	joints := p.Model.Joints()
	var q [3][][]float64
	for o := range q {
		q[o] = grid(joints, samples)
	}
	sampleAt(d.Trajectory, steps(samples, p.Period*float64(p.Repeats), 0), q[0], q[1], q[2])
	b := p.Model.NewBlock(samples)
	p.Model.Eval(b, q[0], q[1], q[2], p.Model.NewWorkspace())
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	w, y := mat.NewDense(joints*samples+1, n, nil), make([]float64, joints*samples+1)
	for s := range samples {
		x, tau := [3][]float64{}, make([]float64, joints)
		for o := range x {
			for i := range joints {
				x[o] = append(x[o], q[o][i][s])
			}
		}
		tree.InverseDynamics(tau, x[0], x[1], x[2])
		for k := range joints {
			for a, c := range p.Model.Mask(k) {
				w.Set(k*samples+s, c, b.Joint[k][a][s]/p.Noise[k])
			}
			y[k*samples+s] = tau[k] / p.Noise[k]
		}
	}
	w.SetRow(joints*samples, prior)
	y[joints*samples] = truth[2] / 0.01
	var normal, solve mat.Dense
	normal.Mul(w.T(), w)
	if err := normal.Inverse(&normal); err != nil {
		t.Fatal(err)
	}
	solve.Mul(&normal, w.T())
	const fits = 1000
	rng := rand.New(rand.NewPCG(1, 2))
	mean, square := make([]float64, n), make([]float64, n)
	noisy := mat.NewVecDense(len(y), nil)
	var x mat.VecDense
	for range fits {
		for i := range y {
			noisy.SetVec(i, y[i]+rng.NormFloat64())
		}
		x.MulVec(&solve, noisy)
		for c := range n {
			e := x.AtVec(c) - truth[c]
			mean[c] += e / fits
			square[c] += e * e / fits
		}
	}
	for c := range n {
		// The deviation of a thousand fits has itself a relative deviation of 2.2 %, their
		// mean one of 3.2 % of it.
		if ratio := math.Sqrt(square[c]) / d.Deviations[c]; ratio < 0.9 || ratio > 1.1 {
			t.Errorf("%s: deviation %g, predicted %g", p.Model.Columns()[c].Name, math.Sqrt(square[c]), d.Deviations[c])
		}
		if math.Abs(mean[c]) > 0.15*d.Deviations[c] {
			t.Errorf("%s: bias %g, deviation %g", p.Model.Columns()[c].Name, mean[c], d.Deviations[c])
		}
	}
	// The posterior rows give the same deviations.
	cov := mat.NewDense(n, n, nil)
	for _, row := range d.PosteriorRows {
		for i := range n {
			for k := range n {
				cov.Set(i, k, cov.At(i, k)+row[i]*row[k])
			}
		}
	}
	if err := cov.Inverse(cov); err != nil {
		t.Fatal(err)
	}
	for c := range n {
		if got := math.Sqrt(cov.At(c, c)); math.Abs(got-d.Deviations[c]) > 1e-8*got {
			t.Errorf("column %d: %g from what is learnt, predicted %g", c, got, d.Deviations[c])
		}
	}
}

// The Gram matrix of rows from a covariance is its inverse.
func TestKnownFrom(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const n = 5
	a := mat.NewDense(n, n, nil)
	for i := range n {
		for k := range n {
			a.Set(i, k, rng.NormFloat64()*math.Pow(10, float64(i)))
		}
	}
	var cov mat.Dense
	cov.Mul(a, a.T())
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = mat.Row(nil, i, &cov)
	}
	index := []int{0, 2, 3, 5, 6}
	known, err := PriorRowsFrom(rows, index, 8)
	if err != nil {
		t.Fatal(err)
	}
	var unit mat.Dense
	k := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			k.Set(i, j, known[i][index[j]])
		}
	}
	unit.Product(k, &cov, k.T())
	for i := range n {
		for j := range n {
			want := 0.0
			if i == j {
				want = 1
			}
			if math.Abs(unit.At(i, j)-want) > 1e-8 {
				t.Errorf("entry %d,%d is %g", i, j, unit.At(i, j))
			}
		}
	}
	rows[1][1] = -1
	if _, err := PriorRowsFrom(rows, index, 8); err == nil {
		t.Error("a negative variance is no error")
	}
}

// A design with an earlier one as prior complements it: it improves the least
// determined direction by more than a repetition of the first would, and so do
// segments.
func TestSequentialDesign(t *testing.T) {
	long.Only(t, "TestDesignBeatsRandomDraws has designs, TestPredictedDeviations the information of a log before")
	p := small(t)
	p.Noise, p.LogRate, p.Criterion = []float64{1, 1, 1}, 100, EOptimal
	p.Harmonics = 2
	first, err := Design(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	p.PriorRows = first.PosteriorRows
	second, err := Design(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if gain := second.Value / first.Value; gain > 0.98/math.Sqrt2 {
		t.Errorf("the second motion leaves %g of the deviation, the first again would %g", gain, 1/math.Sqrt2)
	}
	for _, w := range second.Weak {
		if !(w.Deviation < w.Before) || len(w.Parts) == 0 || math.Abs(w.Parts[0].Weight) != 1 {
			t.Errorf("direction %+v", w)
		}
	}
	p.PriorRows = nil
	both, err := DesignSequence(context.Background(), p, 2)
	if err != nil {
		t.Fatal(err)
	}
	if both.Value > 0.9*first.Value || both.Violations != 0 || both.Trajectory.Duration() != 2*p.Period {
		t.Errorf("two segments: value %g, first %g, %d violations, %g s", both.Value, first.Value, both.Violations, both.Trajectory.Duration())
	}
	parts := both.Trajectory.(*Sequence).Parts
	if gap := gapBetween(parts[0], parts[1]); gap > 1e-12 {
		t.Errorf("the segments are %g apart", gap)
	}
}
