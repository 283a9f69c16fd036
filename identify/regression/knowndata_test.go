package regression

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/observation"
	"ident/physical"
	"ident/regressor"
	"ident/result"
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

// A known value of a body that other bodies take over in all torques is doubted by name if feasible bodies are found only without it, also
// beside right ones, which are not. No result with a wrong value is sound unless there are bodies that have it.
func TestKnownValuesWithoutBodies(t *testing.T) {
	blamed, possible := 0, 0
	for seed := range long.Of(40, 4) {
		rng := rand.New(rand.NewPCG(uint64(seed), 13))
		r := arm(2 + rng.IntN(2))
		rec := simulate(t, r, newTrajectory(len(r.Links), uint64(seed), 0.3), steady(100, 10))
		for j := range rec.tau {
			for i := range rec.tau[j] {
				rec.tau[j][i] += 0.02 * rng.NormFloat64()
			}
		}
		link := rng.IntN(len(r.Links))
		right := robot.ParameterName("M", link)
		given := map[string]float64{right: r.Links[link].Inertial.Mass()}
		fit := func(c Config) (*Outcome, error) {
			c.Known, c.Plain, c.Path = given, true, observation.Path{Velocity: "position", Acceleration: "velocity", Cutoff: 10}
			return Fit(t.Context(), r, regressor.DefaultTerms(), []Run{rec.run("log")}, nil, c)
		}
		says := func(res *result.Result) string {
			for _, v := range res.Verdicts {
				if v.ID == "known-values" {
					return v.Why
				}
			}
			return ""
		}
		out, err := fit(Config{})
		if err != nil {
			t.Fatal(err)
		}
		if why := says(&out.Result); why != "" || out.Result.Grade.Parameters.Value != result.Sound {
			t.Errorf("seed %d: a right value: %q, %+v", seed, why, out.Result.Grade.Parameters)
		}
		wrong := robot.ParameterName([]string{"MX", "MY", "ZZ"}[rng.IntN(3)], link)
		given[wrong] = 20 + 300*rng.Float64()
		if out, err = fit(Config{}); err != nil {
			t.Fatal(err)
		}
		why, res := says(&out.Result), &out.Result
		if res.Possibility != nil && res.Possibility.Possible {
			possible++
			continue
		}
		if res.Grade.Parameters.Value == result.Sound {
			t.Errorf("seed %d: %s = %g is sound: %v", seed, wrong, given[wrong], res.Notes)
		}
		if !strings.Contains(why, "no feasible bodies") {
			continue // the log itself refutes it, or bodies are far
		}
		blamed++
		if !strings.Contains(why, fmt.Sprintf("%s = %.4g, with which", wrong, given[wrong])) || strings.Contains(why, right+" =") {
			t.Errorf("seed %d: %s is wrong, and blamed is: %s", seed, wrong, why)
		}
		var refused *BoundsError
		if _, err := fit(Config{Consistent: &physical.BodyOptions{}}); !errors.As(err, &refused) || !strings.HasPrefix(refused.Given[0], wrong) {
			t.Errorf("seed %d: %s is wrong, and a fit of feasible bodies says: %v", seed, wrong, err)
		}
	}
	t.Logf("%d wrong values blamed, %d possible", blamed, possible)
	if blamed == 0 {
		t.Error("no value was blamed")
	}
}

// A known inertia of a drive that the log tells only together with the bodies is doubted by name, and no other cause is told: without it bodies
// exist.
func TestKnownDriveWithoutBodies(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 13))
	r := arm(3)
	rec := simulate(t, r, newTrajectory(3, 5, 0.3), steady(100, 10))
	for j := range rec.tau {
		for i := range rec.tau[j] {
			rec.tau[j][i] += 0.02 * rng.NormFloat64()
		}
	}
	for value, wrong := range map[float64]bool{0: false, 30: true} {
		c := Config{Known: map[string]float64{robot.ParameterName("Ia", 1): value}, Plain: true, Path: observation.Path{Velocity: "position", Acceleration: "velocity", Cutoff: 10}}
		out, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{rec.run("log")}, nil, c)
		if err != nil {
			t.Fatal(err)
		}
		said := false
		for _, v := range out.Result.Verdicts {
			said = said || v.ID == "known-values" && !v.Pass && strings.Contains(v.Why, "Ia2 = 30")
			if wrong && v.ID == "impossible" && !v.Pass && !strings.Contains(v.Fix, "leave it out") {
				t.Errorf("Ia2 = %g: %s: %s", value, v.Why, v.Fix)
			}
		}
		if said != wrong {
			t.Errorf("Ia2 = %g: %+v", value, out.Result.Grade)
		}
	}
}
