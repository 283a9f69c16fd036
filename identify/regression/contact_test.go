package regression

import (
	"math"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/regressor"
)

// A tip that slides along a line: unknown forces while a flag is set are found with
// the robot's own parameters, measured ones go to the measurement vector, and the
// models without accelerations find the same.
func TestContactIsRecovered(t *testing.T) {
	long.Only(t, "TestWrenchIsRecovered has forces from outside")
	r := arm(3)
	rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 20))
	term := regressor.ContactAt(r.Links[2].Name, []float64{0.2, 0.05, 0.1, 1, 0.5, 2, 0, 2, -0.5})
	terms := append(regressor.DefaultTerms(), term)
	flag, first, second := make([]float64, len(rec.t)), make([]float64, len(rec.t)), make([]float64, len(rec.t))
	for i, at := range rec.t {
		if math.Mod(at, 4) > 2.5 {
			flag[i] = 1
		}
		first[i], second[i] = 8+3*math.Sin(2*at), 5*math.Cos(3*at)
	}
	forces := map[string]float64{"Fn3": 7.5, "Fnb3": -3}
	run := added(t, rec, "a", []regressor.Term{term}, forces, regressor.Batch{Contact: [2][]float64{flag, flag}})
	run.Contact[1] = "" // one flag for both
	out, err := Fit(t.Context(), r, terms, []Run{run}, nil, exact())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range forces {
		if got, _ := parameter(t, out, name); !(math.Abs(got-want) < 1e-8) {
			t.Errorf("%s = %.12g, want %g", name, got, want)
		}
	}
	// Closed in all rows.
	ones := make([]float64, len(rec.t))
	for i := range ones {
		ones[i] = 1
	}
	always := added(t, rec, "b", []regressor.Term{term}, forces, regressor.Batch{Contact: [2][]float64{ones, ones}})
	always.Contact = [2]string{}
	if out, err = Fit(t.Context(), r, terms, []Run{always}, nil, exact()); err != nil {
		t.Fatal(err)
	}
	if got, _ := parameter(t, out, "Fn3"); !(math.Abs(got-7.5) < 1e-8) {
		t.Errorf("closed in all rows, Fn3 = %.12g", got)
	}
	// Measured, with gains of one.
	gains := map[string]float64{"Fn3": 1, "Fnb3": 1}
	measured := added(t, rec, "c", []regressor.Term{term}, gains, regressor.Batch{Contact: [2][]float64{first, second}})
	cfg := exact()
	cfg.Known = gains
	for _, kind := range []Kind{Dynamic, Momentum, Energy} {
		cfg.Model = kind
		if out, err = Fit(t.Context(), r, terms, []Run{measured}, nil, cfg); err != nil {
			t.Fatal(err)
		}
		if e := distance(estimates(out), truth(out, r)); !(e < 1e-4) || kind == Dynamic && !(e < 1e-8) {
			t.Errorf("%s, with measured forces: off by %g", kind, e)
		}
	}
	// A contact that is never closed shows no force.
	clear(flag)
	never := added(t, rec, "d", []regressor.Term{term}, forces, regressor.Batch{Contact: [2][]float64{flag, flag}})
	if _, err := Fit(t.Context(), r, terms, []Run{never}, nil, exact()); err == nil || !strings.Contains(err.Error(), "Fn3") {
		t.Errorf("a contact that is never closed: %v", err)
	}
}
