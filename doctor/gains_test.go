package doctor_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/datasets"
	"ident/doctor"
)

// Where no gains are known, the check names channels that look like torques, and the experiment that finds gains.
func TestGainsMissing(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	e := run(sixAxis(rng), rng, 100, 10)
	e.current = true
	l, roles := e.log()
	columns, err := l.Columns(l.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	channels := append(l.Channels(), datasets.Channel{Name: "joint_moment_1", Unit: "N.m"}, datasets.Channel{Name: "temperature", Unit: "K"})
	wide := datasets.FromColumns("log", channels, append(columns, e.tau[0], e.tau[0]), nil)
	found, err := doctor.Check(context.Background(), e.robot, wide, roles, e.opt)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, f := range found {
		if f.ID != doctor.CurrentAsTorque {
			continue
		}
		told++
		for _, part := range []string{"{gains}", "joint_moment_1", "payload:", "{carries}", "{known} PM6="} {
			if !strings.Contains(f.Advice(), part) {
				t.Errorf("no %q in %q", part, f.Advice())
			}
		}
		if strings.Contains(f.Advice(), "temperature") {
			t.Errorf("a temperature is proposed: %q", f.Advice())
		}
	}
	if told != 6 {
		t.Errorf("%d of 6 joints without gains", told)
	}
}
