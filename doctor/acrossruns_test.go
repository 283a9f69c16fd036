package doctor_test

import (
	"math"
	"testing"

	"ident/doctor"
)

// Runs of one robot that are alike say nothing; a torque zeroed anew and a drive that got warm between the
// first and the later ones are found in the run that they happened in.
func TestBetween(t *testing.T) {
	for _, c := range []struct {
		name string
		run  int
		edit func(e *experiment)
		want float64
	}{
		{"alike", -1, func(*experiment) {}, 0},
		{"offset", 2, func(e *experiment) {
			for k := range e.tau[3] {
				e.tau[3][k] += 0.5
			}
		}, 0.5},
		{"friction", 1, func(e *experiment) {
			for k := range e.tau[3] {
				e.tau[3][k] -= 0.3 * e.robot.Links[3].Joint.Fs * math.Copysign(1, e.dq[3][k])
			}
		}, -0.3 * 3},
	} {
		var exams []*doctor.Examination
		for run := range 3 {
			e := subjects[2].log(uint64(70+run), nil)
			if run == c.run {
				c.edit(e)
			}
			l, roles := e.log()
			x, err := doctor.Examine(t.Context(), e.robot, l, roles, e.opt)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range x.Findings {
				if f.Severity != doctor.Info {
					t.Errorf("%s: run %d alone: %s", c.name, run, show(f))
				}
			}
			exams = append(exams, x)
		}
		found, of := doctor.Between(t.Context(), exams)
		switch {
		case c.run < 0 && len(found) == 0:
		case c.run >= 0 && len(found) == 1 && of[0] == c.run && found[0].ID == doctor.Drift && found[0].Joint == "J4" && math.Abs(found[0].Value/c.want-1) < 0.1:
		default:
			for i, f := range found {
				t.Logf("run %d: %s", of[i], show(f))
			}
			t.Errorf("%s: %d findings", c.name, len(found))
		}
	}
}
