package doctor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/doctor"
	draws "ident/internal/long"
)

// hold keeps the positions of a log for so many rows each.
func (e *experiment) hold(rows int) {
	for _, q := range e.q {
		for k := range q {
			q[k] = q[k-k%rows]
		}
	}
}

// round rounds the positions to steps.
func (e *experiment) round(step float64) {
	for _, q := range e.q {
		for k := range q {
			q[k] = step * math.Round(q[k]/step)
		}
	}
}

// Positions of a slower source are one fact, whose repair keeps the rows at which they are new; positions that are counted coarsely are
// neither held nor shuffled.
func TestStairs(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(e *experiment)
		held bool
	}{
		{"held for 20 ms", func(e *experiment) { e.hold(4) }, true},
		{"counted by 10 mrad", func(e *experiment) { e.round(0.01) }, false},
		{"sound", func(*experiment) {}, false},
	} {
		rng := rand.New(rand.NewPCG(41, 0))
		e := run(planar(rng), rng, 200, 12).measure(rng, 0, 1e-4, 0.01)
		c.make(e)
		e.skip["dq1"], e.skip["dq2"] = true, true
		held := false
		for _, f := range e.findings(t) {
			switch {
			case f.ID == doctor.Held && f.Severity != doctor.Info:
				held = f.Tried.Outcome == "written" && math.Abs(f.Value-0.02) < 1e-9
			case f.Severity != doctor.Info && !slices.Contains([]string{doctor.ExcitationSmall, doctor.ExcitationCollinear}, f.ID):
				t.Errorf("%s: %s", c.name, show(f))
			}
		}
		if held != c.held {
			t.Errorf("%s: held %v", c.name, held)
		}
	}
}

// Whatever the robot, its rate and the steps of its encoders, no steps are told as packets in another order, as a jump in time, as fast
// motion or as velocities that differ.
func TestStairsOfRandomRobots(t *testing.T) {
	draws.Only(t, "positions in steps of random robots")
	logs := 0
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 6))
		rate := rapid.SampledFrom([]float64{50, 100, 200, 500}).Draw(t, "rate")
		e := run(randomArm(rng, rapid.IntRange(2, 5).Draw(t, "joints")), rng, rate, 14).measure(rng, 0, 1e-4, 0.01)
		step := rapid.SampledFrom([]float64{0, 1e-3, 5e-3, 0.02, 0.05}).Draw(t, "step")
		if step > 0 {
			e.round(step)
		}
		if rows := rapid.IntRange(1, 12).Draw(t, "held"); rows > 1 && float64(rows) <= rate/10 {
			e.hold(rows)
		}
		logs++
		for _, f := range e.findings(t) {
			of := f.Severity != doctor.Info && (f.ID == doctor.Aliasing || f.ID == doctor.LagVelocity && step < 0.02) // steps of a degree and more bend a velocity by a tenth
			if f.ID == doctor.TimeJump || f.ID == doctor.ClockRate || f.ID == doctor.ClockJitter && f.Channel == "t" || of {
				t.Errorf("%s", show(f))
			}
		}
	})
	t.Logf("%d logs", logs)
}

// An encoder at the motor of an elastic gear, beside the velocity of the link, is told as that, and as nothing else. Velocities that are
// late are no gear.
func TestElasticGear(t *testing.T) {
	for _, elastic := range []bool{true, false} {
		rng := rand.New(rand.NewPCG(42, 0))
		e := run(planar(rng), rng, 200, 16).measure(rng, 0, 1e-4, 0.01)
		for j := range e.q {
			if !elastic {
				copy(e.dq[j][3:], slices.Clone(e.dq[j]))
				continue
			}
			for k := range e.q[j] {
				e.q[j][k] += 0.01 * e.tau[j][k] / norm(e.tau[j])
			}
		}
		told := 0
		for _, f := range e.findings(t) {
			switch {
			case f.ID == doctor.Elastic:
				told++
			case elastic && f.Severity != doctor.Info:
				t.Errorf("%s", show(f))
			}
		}
		if told != len(e.q) && elastic || told > 0 && !elastic {
			t.Errorf("elastic %v: told of %d joints", elastic, told)
		}
	}
}
