package doctor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/doctor"
	"ident/robot"
)

// A load in one of several runs is told as one, with its mass and its run, and no sensor is blamed; a sensor that was zeroed anew is no load.
func TestLoadOfOneRun(t *testing.T) {
	frames := []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: half}, {Antecedent: 1, D: 0.4}}
	for _, c := range []struct {
		name   string
		loaded int // -1 for none
		mass   float64
		zeroed bool
	}{{"the second of two", 1, 1.5, false}, {"the first of two", 0, 2.5, false}, {"none", -1, 0, false}, {"a zeroed sensor", -1, 0, true}} {
		var exams []*doctor.Examination
		for i := range 2 {
			rng := rand.New(rand.NewPCG(66, 0))
			r := arm("three", rng, frames)
			carrying := r.Clone()
			if i == c.loaded {
				at, in := [3]float64{0.2, 0.03, 0.05}, &carrying.Links[2].Inertial
				in[robot.M] += c.mass
				in[robot.MX], in[robot.MY], in[robot.MZ] = in[robot.MX]+c.mass*at[0], in[robot.MY]+c.mass*at[1], in[robot.MZ]+c.mass*at[2]
				in[robot.ZZ] += c.mass * (at[0]*at[0] + at[1]*at[1])
				in[robot.YY] += c.mass * (at[0]*at[0] + at[2]*at[2])
				in[robot.XX] += c.mass * (at[1]*at[1] + at[2]*at[2])
			}
			rng = rand.New(rand.NewPCG(67, uint64(i)))
			e := run(carrying, rng, 100, 10).measure(rng, 0, 1e-4, 0.01)
			e.robot, e.opt.Rows = r, 500
			for k := range e.t {
				if c.zeroed && i == 1 {
					e.tau[1][k] += 4
				}
			}
			l, roles := e.log()
			x, err := doctor.Examine(t.Context(), e.robot, l, roles, e.opt)
			if err != nil {
				t.Fatal(err)
			}
			exams = append(exams, x)
		}
		found, of := doctor.Between(t.Context(), exams)
		switch {
		case c.loaded < 0 && !c.zeroed && len(found) == 0:
		case c.zeroed && len(found) == 1 && found[0].ID == doctor.Drift && found[0].Joint == "J2":
		case c.loaded >= 0 && len(found) == 1 && of[0] == c.loaded && found[0].ID == doctor.Payload && math.Abs(found[0].Value/c.mass-1) < 0.1:
		default:
			for i, f := range found {
				t.Logf("run %d: %s", of[i], show(f))
			}
			t.Errorf("%s: %d findings", c.name, len(found))
		}
	}
}
