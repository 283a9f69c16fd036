package doctor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/doctor"
)

// TestBeyondLimit: positions somewhat beyond a limit are no degrees, and positions that each reach exactly 100 have no common unit. What a
// finding says a channel reaches is its largest value.
func TestBeyondLimit(t *testing.T) {
	seen := func(change func(e *experiment)) (ids []string, why string) {
		rng := rand.New(rand.NewPCG(5, 9))
		e := run(sixAxis(rng), rng, 200, 15)
		for j := range e.q {
			l := &e.robot.Links[j].Joint
			l.Lower, l.Upper = -3, 2.5
			e.skip["dq"+string(rune('1'+j))] = true
		}
		change(e)
		for _, f := range e.findings(t) {
			if f.Severity != doctor.Info && (f.ID == doctor.Units || f.ID == doctor.RobotMismatch) {
				ids, why = append(ids, f.ID), why+f.Why+f.Hint+"; "
			}
		}
		return ids, why
	}
	most := func(x []float64) float64 { return max(-slices.Min(x), slices.Max(x)) }
	ids, why := seen(func(e *experiment) {
		l := &e.robot.Links[1].Joint
		l.Lower, l.Upper = -most(e.q[1])/4, most(e.q[1])/4 // in degrees the joint would hardly move
	})
	if !slices.Equal(ids, []string{doctor.RobotMismatch}) {
		t.Errorf("four times a limit: %v %s", ids, why)
	}
	ids, why = seen(func(e *experiment) {
		for j := range e.q {
			times(e.q[j], 100/most(e.q[j]))
			for k, v := range e.q[j] {
				if math.Abs(math.Abs(v)-100) < 1e-9 {
					e.q[j][k] = math.Copysign(100, v)
				}
			}
		}
	})
	if len(ids) != 6 || !strings.Contains(why, "reaches exactly 100, as the positions of all joints do") || strings.Contains(why, "deg") {
		t.Errorf("divided by their own largest values: %v %s", ids, why)
	}
	ids, why = seen(func(e *experiment) {
		for j := range e.q {
			times(e.q[j], 180/math.Pi)
		}
	})
	if len(ids) != 6 || !strings.Contains(why, "it is in deg") {
		t.Errorf("degrees: %v %s", ids, why)
	}
}

// TestSlowClock: a factor that the velocities of all joints share exactly is the clock's; factors that differ are the channels' own.
func TestSlowClock(t *testing.T) {
	seen := func(change func(e *experiment)) (ids []string) {
		rng := rand.New(rand.NewPCG(7, 9))
		e := run(sixAxis(rng), rng, 200, 15)
		change(e)
		for _, f := range e.findings(t) {
			if f.Severity != doctor.Info && !slices.Contains(ids, f.ID) {
				ids = append(ids, f.ID)
			}
		}
		return ids
	}
	for _, by := range []float64{0.9, 0.97, 1.025, 1.2} {
		if ids := seen(func(e *experiment) { times(e.t, by) }); !slices.Equal(ids, []string{doctor.ClockRate}) {
			t.Errorf("times × %g: %v", by, ids)
		}
	}
	for _, by := range []float64{1.01, 1.03} {
		ids := seen(func(e *experiment) {
			for j := range e.dq {
				times(e.dq[j], 1+(by-1)*(0.8+0.1*float64(j)))
			}
		})
		if slices.Contains(ids, doctor.ClockRate) {
			t.Errorf("velocities about × %g, each by its own factor: %v", by, ids)
		}
	}
}
