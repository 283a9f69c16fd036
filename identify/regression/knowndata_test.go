package regression

import (
	"math/rand/v2"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// A known value that the log refutes is blamed by name, also beside right ones, which are not.
func TestKnownValuesAgainstTheLog(t *testing.T) {
	for seed := range long.Of(1, 60) {
		rng := rand.New(rand.NewPCG(uint64(seed), 9))
		r := arm(2 + rng.IntN(2))
		for j := range r.Links {
			r.Links[j].Joint.Fv, r.Links[j].Joint.Fs = 0.5+rng.Float64(), 0.5+rng.Float64()
		}
		rec := simulate(t, r, newTrajectory(len(r.Links), uint64(seed), 0.3), steady(100, 10))
		for j := range rec.tau {
			for i := range rec.tau[j] {
				rec.tau[j][i] += 0.02 * rng.NormFloat64()
			}
		}
		full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
		if err != nil {
			t.Fatal(err)
		}
		truth := map[string]float64{"M1": r.Links[0].Inertial.Mass()}
		for _, c := range full.Columns() {
			if v, ok := regressor.ValueOf(r, c); ok && (strings.HasPrefix(c.Name, "Fv") || strings.HasPrefix(c.Name, "Fs")) {
				truth[c.Name] = v
			}
		}
		blamed := func() string {
			e, _, err := begin(t.Context(), r, regressor.DefaultTerms(), []Run{rec.run("log")}, nil, Config{Known: truth, Path: observation.Path{Velocity: "position", Acceleration: "velocity", Cutoff: 10}})
			if err != nil {
				t.Fatal(err)
			}
			found, err := e.refutedKnown(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Join(found, "; ")
		}
		if why := blamed(); why != "" {
			t.Errorf("seed %d: right values are blamed: %s", seed, why)
		}
		wrong := []string{"Fv1", "Fs2", "Fv2"}[rng.IntN(3)]
		truth[wrong] *= 10 + 40*rng.Float64()
		if why := blamed(); !strings.HasPrefix(why, wrong+" =") || strings.Count(why, "where the log gives") != 1 {
			t.Errorf("seed %d: %s is wrong, and %q is blamed", seed, wrong, why)
		}
	}
}

// A mass that no torque shows is not refuted, whatever its value.
func TestKnownValueWithoutTorqueIsNotRefuted(t *testing.T) {
	r := arm(1)
	rec := simulate(t, r, newTrajectory(1, 4, 0.3), steady(100, 6))
	e, set, err := begin(t.Context(), r, regressor.DefaultTerms(), []Run{rec.run("log")}, nil, Config{Known: map[string]float64{robot.ParameterName("M", 0): 40}, Path: observation.Path{Velocity: "position", Acceleration: "velocity"}})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := e.refutedKnown(t.Context(), r); err != nil || len(found) > 0 {
		t.Errorf("%v, %v of %d parameters", found, err, len(set.Base))
	}
}
