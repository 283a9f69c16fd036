package project

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/datasets"
	"ident/doctor"
	"ident/identify/regression"
	"ident/robot"
)

// A joint that stands in all logs is locked where it stands, and named; one that moves in a later log is not.
func TestLockStanding(t *testing.T) {
	r := robot.FromMDH("arm", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.5}, {Antecedent: 1, D: 0.4}})
	const n = 12000 // more than is read first
	log := func(name string, still ...int) *datasets.Log {
		rng := rand.New(rand.NewPCG(5, uint64(len(name))))
		channels, columns := []datasets.Channel{{Name: "t"}}, [][]float64{make([]float64, n)}
		for j := range 3 {
			q, tau, count := make([]float64, n), make([]float64, n), 0.0
			for i := range n {
				at := float64(i) / 200
				columns[0][i] = at
				q[i] = 0.3*float64(j) + math.Sin(2*math.Pi*0.3*at+float64(j))
				for _, s := range still {
					if s == j {
						if rng.Float64() < 0.02 {
							count = 1 - count
						}
						q[i] = 0.7 + 1e-4*count
					}
				}
			}
			channels = append(channels, datasets.Channel{Name: "q" + string(rune('1'+j))}, datasets.Channel{Name: "tau" + string(rune('1'+j))})
			columns = append(columns, q, tau)
		}
		return datasets.FromColumns(name, channels, columns, nil)
	}
	for _, c := range []struct {
		name string
		logs []*datasets.Log
		lock string
	}{
		{"moving", []*datasets.Log{log("a")}, ""},
		{"standing with zero effort", []*datasets.Log{log("a", 2)}, JointNames(r)[2]},
		{"moves in another log", []*datasets.Log{log("a", 2), log("b")}, ""},
		{"another stands in another log", []*datasets.Log{log("a", 2), log("b", 1)}, ""},
		{"all stand", []*datasets.Log{log("a", 0, 1, 2)}, ""},
	} {
		s := &Settings{}
		warnings, err := lockStanding(s, r, c.logs)
		if err != nil {
			t.Fatal(err)
		}
		at, locked := s.Lock[c.lock]
		if locked != (c.lock != "") || len(warnings) != len(s.Lock) || locked && (math.Abs(at-0.7) > 1e-4 || !strings.Contains(warnings[0], c.lock)) {
			t.Errorf("%s: locked %v, warnings %q", c.name, s.Lock, warnings)
		}
	}
}

// A joint that stands in a log is no doubt if another training log moves it.
func TestMovedElsewhere(t *testing.T) {
	runs := []regression.Run{{Name: "a"}, {Name: "b"}}
	for i := range runs {
		runs[i].Roles.Q = []string{"q1", "q2"}
	}
	dead := func(log, channel, joint string) Finding {
		return Finding{log, doctor.Finding{ID: doctor.Dead, Severity: doctor.Warning, Channel: channel, Joint: joint, Fix: "{lock} " + joint + "=1"}}
	}
	found := []Finding{dead("a", "q1", "one"), dead("a", "q2", "two"), dead("b", "q2", "two"), dead("a", "dq1", "one")}
	movedElsewhere(found, runs)
	for i, want := range []doctor.Severity{doctor.Info, doctor.Warning, doctor.Warning, doctor.Warning} {
		if f := found[i]; f.Severity != want || (f.Fix == "") != (want == doctor.Info) {
			t.Errorf("%d: %s with the fix %q, want %s", i, f.Severity, f.Fix, want)
		}
	}
}
