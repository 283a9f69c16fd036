package regression

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/observation"
	"ident/physical"
	"ident/regressor"
	"ident/result"
)

// Masses and totals that a log refutes are named in the grade, or no bodies are found with them; right ones, and those that no torque
// shows, are not.
func TestRefutedBounds(t *testing.T) {
	for seed := range long.Of(1, 12) {
		rng := rand.New(rand.NewPCG(uint64(seed), 11))
		r := arm(3)
		total := 0.0
		for j := range r.Links {
			total += r.Links[j].Inertial.Mass()
			r.Links[j].Joint.Fv, r.Links[j].Joint.Fs = 0.5+rng.Float64(), 0.5+rng.Float64()
		}
		rec := simulate(t, r, newTrajectory(len(r.Links), uint64(seed), 0.3), steady(100, 10))
		for j := range rec.tau {
			for i := range rec.tau[j] {
				rec.tau[j][i] += 0.02 * rng.NormFloat64()
			}
		}
		last := r.Links[2].Inertial.Mass()
		one := func(low, high float64) []physical.BodyBounds {
			return []physical.BodyBounds{{Link: 2, Mass: physical.Interval{Low: low, High: high}}}
		}
		for _, c := range []struct {
			name    string
			opt     physical.BodyOptions
			refuted string // what is named; "" for right values
		}{
			{"right mass", physical.BodyOptions{Bounds: physical.Bounds{Bodies: one(0.9*last, 1.1*last)}}, ""},
			{"right total", physical.BodyOptions{Total: total, TotalDeviation: 0.05 * total}, ""},
			{"light link", physical.BodyOptions{Bounds: physical.Bounds{Bodies: one(0, 0.02*last)}}, `link "` + r.Links[2].Name + `": mass at most`},
			{"light link and right total", physical.BodyOptions{Total: total, TotalDeviation: 0.05 * total, Bounds: physical.Bounds{Bodies: one(0, 0.02*last)}}, `link "` + r.Links[2].Name + `": mass at most`},
			{"light arm", physical.BodyOptions{Bounds: physical.Bounds{TotalMass: physical.Interval{High: 0.01 * total}}}, "total mass at most"},
		} {
			out, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{rec.run("log")}, nil, Config{Consistent: &c.opt, Plain: true, Path: observation.Path{Velocity: "position", Acceleration: "velocity", Cutoff: 10}})
			said := ""
			var bounds *BoundsError
			switch {
			case errors.As(err, &bounds):
				said = strings.Join(bounds.Given, "; ")
				if len(err.Error()) > 200 {
					t.Errorf("seed %d, %s: %d characters: %v", seed, c.name, len(err.Error()), err)
				}
			case err != nil:
				t.Fatalf("seed %d, %s: %v", seed, c.name, err)
			default:
				for _, v := range out.Result.Verdicts {
					if v.ID == "known-values" && !v.Pass {
						said = v.Why
					}
				}
				if said != "" && out.Result.Grade.Value == result.Sound {
					t.Errorf("seed %d, %s: sound, though %s", seed, c.name, said)
				}
			}
			if (said == "") != (c.refuted == "") || !strings.Contains(said, c.refuted) {
				t.Errorf("seed %d, %s: named %q, want %q", seed, c.name, said, c.refuted)
			}
		}
	}
}
