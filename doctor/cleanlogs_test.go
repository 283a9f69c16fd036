package doctor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
	"ident/robot"
)

// A sound log, however it was sampled and printed, gives no warning.
func TestCleanLogs(t *testing.T) {
	robots := []func(*rand.Rand) *robot.Robot{sixAxis, scara, planar}
	for i := range draws.Of(24, 4) { // each kind of positions and each of times and torques once
		seed := uint64(5 * i % 24) // all of them, as 5 and 24 have no common factor
		rng := rand.New(rand.NewPCG(seed, 7))
		r := robots[seed%3](rng)
		rate := []float64{100, 250, 500, 1000}[seed/3%4]
		e := run(r, rng, rate, 25)
		angle := 2 * math.Pi / float64(int(1)<<19)
		what := "encoder of 19 bits"
		switch seed % 5 {
		case 1:
			angle, what = 1e-5, "five decimals"
		case 2:
			angle, what = 0, "exact positions"
		case 3:
			angle, what = 1e-4, "four decimals"
			if rate > 250 {
				angle = 1e-6
			}
		}
		e.measure(rng, angle, 2e-3, 0.01)
		switch seed % 4 {
		case 1: // times printed to the millisecond
			for k := range e.t {
				e.t[k] = math.Round(e.t[k]*1000) / 1000
			}
			what += ", times in ms"
		case 2: // torques in steps
			for j := range e.tau {
				for k, v := range e.tau[j] {
					e.tau[j][k] = math.Round(v/0.05) * 0.05
				}
			}
			what += ", torques in steps"
		case 3:
			e.skip = map[string]bool{"dq1": true, "dq2": true}
			what += ", some velocities missing"
		}
		t.Run(fmt.Sprintf("%d %s %g Hz %s", seed, r.Name, rate, what), func(t *testing.T) {
			for _, f := range e.findings(t) {
				if f.Severity != doctor.Info {
					t.Error(show(f))
				}
			}
		})
	}
}

// Without any noise the log is as sound.
func TestExactLog(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, f := range run(sixAxis(rng), rng, 500, 20).findings(t) {
		if f.Severity != doctor.Info {
			t.Error(show(f))
		}
	}
}

// White noise of half a milliradian on motions of up to 0.6 Hz is not taken for motion, and an untrue warning comes in one of 40 logs at most. That
// such a motion says little of rotors is true.
func TestNoisySlowLogs(t *testing.T) {
	robots := []func(*rand.Rand) *robot.Robot{sixAxis, scara, planar}
	warned := 0
	n := draws.Of(40, 2)
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 13))
		e := run(robots[seed%3](rng), rng, []float64{100, 200, 500}[seed/3%3], 30).measure(rng, 0, 0, 0.01)
		for j := range e.q {
			for k := range e.q[j] {
				e.q[j][k] += 5e-4 * rng.NormFloat64()
			}
			e.skip[fmt.Sprintf("dq%d", j+1)] = true
		}
		for _, f := range e.findings(t) {
			if f.Severity != doctor.Info && f.ID != doctor.ExcitationSmall {
				warned++
				t.Log(seed, show(f))
				break
			}
		}
	}
	if warned > n/40 {
		t.Errorf("%d of %d logs have a warning", warned, n)
	}
}
