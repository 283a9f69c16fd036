package main

import (
	"context"
	"math/rand/v2"
	"testing"

	"ident/doctor"
	"ident/internal/long"
	"ident/result"
)

// levelOf is the grade that the doctor's findings make, if no verdict makes another.
func levelOf(t *testing.T, d *run, nameless bool) result.Level {
	l, roles := d.log()
	found, err := doctor.Check(context.Background(), d.robot, l, roles, doctor.Options{Gravity: d.gravity, Nameless: nameless})
	if err != nil {
		t.Fatal(err)
	}
	var f []result.Finding
	for _, x := range found {
		f = append(f, result.Finding{ID: x.ID, Severity: string(x.Severity), Joint: x.Joint, Why: x.Why, Excess: string(x.Excess)})
	}
	return result.GradeOf(nil, f).Value
}

// Without the table of causes every log of the study has the same grade.
func TestNamesMakeNoGrade(t *testing.T) {
	subjects := 1
	if long.Set() {
		subjects = len(arms())
	}
	step := long.Of(1, 40)
	logs := 0
	for i, r := range arms()[:subjects] {
		sound, err := simulated(r, uint64(i+1), 24)
		if err != nil {
			t.Fatal(err)
		}
		ks := kinds()
		for k := 0; k < len(ks); k += step {
			d := sound.clone()
			if !ks[k].make(d, rand.New(rand.NewPCG(uint64(i), 7))) {
				continue
			}
			logs++
			if with, without := levelOf(t, d, false), levelOf(t, d, true); with != without {
				t.Errorf("%s: %s: %s with names, %s without", r.Name, ks[k].name, with, without)
			}
		}
	}
	t.Logf("%d logs", logs)
}
