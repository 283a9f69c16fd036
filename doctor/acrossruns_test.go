package doctor_test

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
)

// Runs of one robot that are alike say nothing; a torque zeroed anew, a drive that got warm and another scale of all torques
// between the first and the later ones are found in the run that they happened in.
func TestBetween(t *testing.T) {
	draws.Only(t, "the checks of single runs")
	clean := make([]*doctor.Examination, 3)
	examine := func(run int, edit func(e *experiment)) *doctor.Examination {
		e := subjects[2].log(uint64(70+run), nil)
		edit(e)
		l, roles := e.log()
		x, err := doctor.Examine(t.Context(), e.robot, l, roles, e.opt)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for run := range clean {
		clean[run] = examine(run, func(*experiment) {})
	}
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
		{"scale", 2, func(e *experiment) {
			for _, tau := range e.tau {
				e.scaled(tau, 1.15)
			}
		}, 1.15},
	} {
		exams := slices.Clone(clean)
		if c.run >= 0 {
			exams[c.run] = examine(c.run, c.edit)
		}
		for run, x := range exams {
			for _, f := range x.Findings {
				if f.Severity != doctor.Info {
					t.Errorf("%s: run %d alone: %s", c.name, run, show(f))
				}
			}
		}
		found, of := doctor.Between(t.Context(), exams)
		switch {
		case c.run < 0 && len(found) == 0:
		case c.name == "scale" && len(found) == 1 && of[0] == c.run && found[0].ID == doctor.GearRatio && found[0].Joint == "" && math.Abs(found[0].Value/c.want-1) < 0.02:
		case c.name != "scale" && c.run >= 0 && len(found) == 1 && of[0] == c.run && found[0].ID == doctor.Drift && found[0].Joint == "J4" && math.Abs(found[0].Value/c.want-1) < 0.1:
		default:
			for i, f := range found {
				t.Logf("run %d: %s", of[i], show(f))
			}
			t.Errorf("%s: %d findings", c.name, len(found))
		}
	}
}

// An examination that is kept for Between holds its rows, not the model and its programs: a thousand runs have a
// thousand examinations. Sixty rows of six joints are 0.1 MB, the programs another 0.1 MB.
func TestExaminationsAreSmall(t *testing.T) {
	draws.Only(t, "the checks of single runs")
	e := subjects[2].log(70, nil)
	e.opt.Rows = 60
	l, roles := e.log()
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var exams []*doctor.Examination
	before := uint64(0)
	const warm, runs = 1, 3
	for k := range warm + runs { // the first ones fill tables that are made once
		x, err := doctor.Examine(t.Context(), e.robot, l, roles, e.opt)
		if err != nil {
			t.Fatal(err)
		}
		exams = append(exams, x)
		if k == warm-1 {
			before = heap()
		}
	}
	each := (int64(heap()) - int64(before)) / runs
	runtime.KeepAlive(exams)
	runtime.KeepAlive(l)
	runtime.KeepAlive(e)
	t.Logf("%d KiB an examination", each>>10)
	if each > 150<<10 {
		t.Errorf("an examination keeps %d KiB", each>>10)
	}
}
