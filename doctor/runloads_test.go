package doctor_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/doctor"
	"ident/robot"
)

// A load in one of several runs is told as one, with its mass, its link and its run, and no sensor is blamed, also if both runs have one motion, in
// which no torque has another mean; a zero that slipped, a sensor that was zeroed anew and a pull that nobody looks for are no loads.
func TestLoadOfOneRun(t *testing.T) {
	frames := []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: half}, {Antecedent: 1, D: 0.4}}
	for _, c := range []struct {
		name   string
		loaded int // -1 for none
		link   int
		mass   float64
		edit   func(e *experiment, k int) // of the second run
		id     string                     // with joint and value, unless a load is looked for; "" for none
		joint  string
		value  float64
	}{
		{"the second of two", 1, 2, 1.5, nil, doctor.Payload, "J3", 1.5},
		{"the first of two", 0, 2, 2.5, nil, doctor.Payload, "J3", 2.5},
		{"on the link before, which three joints cannot tell from the last", 1, 1, 2, nil, doctor.Payload, "J3", 0.9},
		{"none", -1, 0, 0, nil, "", "", 0},
		{"a zeroed sensor", -1, 0, 0, func(e *experiment, k int) { e.tau[1][k] += 4 }, doctor.Drift, "J2", 4},
		{"a slipped zero", -1, 0, 0, func(e *experiment, k int) { e.q[1][k] += 0.08 }, doctor.Offset, "J2", 0.08},
	} {
		for _, motions := range []int{1, 2} {
			var exams []*doctor.Examination
			for i := range 2 {
				rng := rand.New(rand.NewPCG(66, 0))
				r := arm("three", rng, frames)
				carrying := r.Clone()
				if i == c.loaded {
					at, in := [3]float64{0.2, 0.03, 0.05}, &carrying.Links[c.link].Inertial
					in[robot.M] += c.mass
					in[robot.MX], in[robot.MY], in[robot.MZ] = in[robot.MX]+c.mass*at[0], in[robot.MY]+c.mass*at[1], in[robot.MZ]+c.mass*at[2]
					in[robot.ZZ] += c.mass * (at[0]*at[0] + at[1]*at[1])
					in[robot.YY] += c.mass * (at[0]*at[0] + at[2]*at[2])
					in[robot.XX] += c.mass * (at[1]*at[1] + at[2]*at[2])
				}
				e := run(carrying, rand.New(rand.NewPCG(67, uint64(i%motions))), 100, 10).measure(rand.New(rand.NewPCG(68, uint64(i))), 0, 1e-4, 0.01)
				e.robot, e.opt.Rows = r, 500
				for k := range e.t {
					if c.edit != nil && i == 1 {
						c.edit(e, k)
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
			case c.id == "" && len(found) == 0:
			case c.id != "" && len(found) == 1 && found[0].ID == c.id && found[0].Joint == c.joint && math.Abs(math.Abs(found[0].Value)-c.value) <= 0.1*c.value && (c.loaded < 0 || of[0] == c.loaded && (c.link == 2 || strings.Contains(found[0].Why, "or a body on L2"))):
			default:
				for i, f := range found {
					t.Logf("run %d: %s", of[i], show(f))
				}
				t.Errorf("%s, %d motions: %d findings", c.name, motions, len(found))
			}
		}
	}
}
