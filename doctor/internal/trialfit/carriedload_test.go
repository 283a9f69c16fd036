package trialfit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/baseparams"
	"ident/doctor/internal/trialfit"
	"ident/regressor"
	"ident/robot"
)

// A load of two kilograms in a part of the log is found with its mass and times, and none where none is carried or
// where it is carried throughout, which the bodies of the last link take up.
func TestFindLoad(t *testing.T) {
	r := robot.FromMDH("three", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: math.Pi / 2}, {Antecedent: 1, D: 0.5}})
	models, err := trialfit.NewModels(r, regressor.DefaultTerms(), baseparams.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(6) {
		tr, _ := threeJoints(t, rand.New(rand.NewPCG(seed, 5)), 1)
		unit := tr.UnitMass(models, 2)
		span := tr.T[len(tr.T)-1] - tr.T[0]
		for _, c := range []struct{ mass, from, to float64 }{{0, 0, 1}, {2, 0, 1}, {2, 0.5, 1}, {2, 0.25, 0.625}} {
			var fits []*trialfit.Joint
			on := func(k int) bool { s := (tr.T[k] - tr.T[0]) / span; return s >= c.from && s <= c.to }
			for j := range unit {
				f := trialfit.NewJoint(tr, j)
				y := append([]float64(nil), tr.Y[j]...)
				for k := range y {
					if on(k) {
						y[k] += c.mass * unit[j][k]
					}
				}
				f.SetTorque(f.Masked(y))
				fits = append(fits, f)
			}
			l, ok := trialfit.FindLoad(tr, fits, unit)
			if want := c.mass > 0 && c.to-c.from < 1; ok != want {
				t.Errorf("seed %d: load of %g kg from %g to %g found: %v", seed, c.mass, c.from, c.to, ok)
				continue
			}
			if !ok {
				continue
			}
			if math.Abs(l.Mass-c.mass) > 0.1*c.mass {
				t.Errorf("seed %d: load of %.3g kg, want %g", seed, l.Mass, c.mass)
			}
			// Parts are a sixteenth of the rows: the edge of a load is known to one.
			begin, end := (l.Spans[0][0]-tr.T[0])/span, (l.Spans[len(l.Spans)-1][1]-tr.T[0])/span
			if math.Abs(begin-c.from) > 1.0/16 || math.Abs(end-c.to) > 1.0/16 {
				t.Errorf("seed %d: load from %.3f to %.3f of the log, want %g to %g", seed, begin, end, c.from, c.to)
			}
		}
	}
}

// TestPredicting: the torques of parameters of all terms are those of the base parameters, and of all terms where a joint is taken
// to stand.
func TestPredicting(t *testing.T) {
	r := robot.FromMDH("three", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: math.Pi / 2}, {Antecedent: 1, D: 0.5}})
	rng := rand.New(rand.NewPCG(1, 6))
	var motion [3][][]float64
	for i := range motion {
		for range 3 {
			x := make([]float64, 20)
			for k := range x {
				x[k] = rng.NormFloat64()
			}
			motion[i] = append(motion[i], x)
		}
	}
	for _, immobile := range [][]int{nil, {0}} {
		models, err := trialfit.NewModels(r, regressor.DefaultTerms(), baseparams.Options{Seed: 1, Immobile: immobile})
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, len(models.Full().Columns()))
		for c := range x {
			x[c] = rng.NormFloat64()
		}
		m, own := models.Predicting(x)
		if base := m == models.Base(); base != (immobile == nil) {
			t.Errorf("immobile %v: by the base parameters %v", immobile, base)
		}
		got, want := trialfit.Predict(m, own, motion[0], motion[1], motion[2]), trialfit.Predict(models.Full(), x, motion[0], motion[1], motion[2])
		for j := range want {
			for k := range want[j] {
				// Base parameters are known to some roundings of the standard ones.
				if d := math.Abs(got[j][k] - want[j][k]); d > 1e-9 {
					t.Errorf("joint %d, row %d: off by %g", j, k, d)
				}
			}
		}
	}
}
