package doctor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ident/doctor"
)

// slowly is a log as an arm's maker publishes it: twelve seconds of one slow motion at 25 Hz, positions and torques of few digits, no
// velocities. It excites little of an arm of seven joints.
func slowly(seed uint64) *experiment {
	rng := rand.New(rand.NewPCG(seed, 25))
	r := panda7()
	r.Gravity = [3]float64{9.81, 0, 0} // it hangs on a wall
	e := run(r, rng, 25, 14)
	for j := range e.q {
		e.skip[fmt.Sprintf("dq%d", j+1)] = true
	}
	// Friction with memory, which no model of it has: it grows over some degrees after a reversal.
	for j := range e.tau {
		size, z := e.robot.Links[j].Joint.Fs, 0.0
		for k := 1; k < len(e.t); k++ {
			d := e.q[j][k] - e.q[j][k-1]
			z += d/0.1 - z*math.Abs(d)/0.1
			e.tau[j][k] += 1.5 * size * z
		}
	}
	return e.measure(rng, 1e-5, 0, 0.01)
}

// first returns the first finding that is more than a remark.
func first(found []doctor.Finding) (f doctor.Finding) {
	for _, x := range found {
		if x.Severity != doctor.Info {
			return x
		}
	}
	return f
}

// Frames without torques that were written as zeros are named before what they do to a fit, though no torque falls far above its noise.
func TestZeroFrames(t *testing.T) {
	e := slowly(1)
	want := map[int]bool{}
	rng := rand.New(rand.NewPCG(3, 3))
	for len(want) < len(e.t)/30 {
		k := 1 + rng.IntN(len(e.t)-2)
		want[k] = true
		for j := range e.tau {
			e.tau[j][k] = 0
		}
	}
	f := first(e.findings(t))
	got := map[int]bool{}
	for _, edit := range f.Repair.Edits {
		for _, span := range edit.Rows {
			for k := span[0]; k < span[1]; k++ {
				got[k] = true
			}
		}
	}
	if f.ID != doctor.Dropout || f.Severity != doctor.Error || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: rows %v, want %v", show(f), got, want)
	}
}
