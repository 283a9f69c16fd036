package doctor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
)

// remember adds friction with memory, which no model of the log has, of so many times the joints' dry friction: it grows over some
// degrees after a reversal.
func remember(e *experiment, times float64) {
	for j := range e.tau {
		size, z := e.robot.Links[j].Joint.Fs, 0.0
		for k := 1; k < len(e.t); k++ {
			d := e.q[j][k] - e.q[j][k-1]
			z += d/0.1 - z*math.Abs(d)/0.1
			e.tau[j][k] += times * size * z
		}
	}
}

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
	remember(e, 1.5)
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

// An arm on a wall whose gravity is declared along another axis, or the other way, gets the true direction: by its bodies in the file, since
// identified ones may have negative masses. A zero of the joint on the base by quarter turns is the same: a group of both has the direction,
// and no fix.
func TestGravityOnAWall(t *testing.T) {
	for seed := range uint64(draws.Of(8, 1)) {
		for _, declared := range [][3]float64{{9.81, 0, 0}, {-9.81, 0, 0}, {0, 0, -9.81}, {0, -9.81, 0}, {0, 9.81, 0}}[:draws.Of(5, 2)] {
			e := slowly(seed)
			e.robot = e.robot.Clone()
			e.robot.Gravity = declared
			f := first(e.findings(t))
			if declared[0] > 0 {
				if f.ID == doctor.Gravity {
					t.Errorf("%v is right: %s", declared, show(f))
				}
			} else if f.ID != doctor.Gravity || !strings.HasPrefix(f.Fix, "{gravity} 9.81,0,0") && !strings.Contains(f.Why, "along 1,0,0 of the base") && f.Joint == "" {
				t.Errorf("seed %d, declared %v: %s", seed, declared, show(f))
			}
		}
	}
}

// What the file's bodies say of gravity as a warning is an error where identified bodies say the same.
func TestGravityOfTwoWitnesses(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 25))
	e := run(sixAxis(rng), rng, 50, 12)
	remember(e, 4)
	e.measure(rng, 1e-4, 1e-2, 0.1)
	e.robot = e.robot.Clone()
	for i := range e.robot.Links {
		by := math.Exp(0.2 * rng.NormFloat64())
		for k := range e.robot.Links[i].Inertial {
			e.robot.Links[i].Inertial[k] *= by
		}
	}
	e.robot.Gravity = [3]float64{9.81, 0, 0}
	if f := first(e.findings(t)); f.ID != doctor.Gravity || f.Severity != doctor.Error || !strings.HasPrefix(f.Fix, "{gravity} 0,0,-9.81") {
		t.Error(show(f))
	}
}

// A clock that was set forward cuts the log in two, and neither half is wrong.
func TestClockSetForward(t *testing.T) {
	e := slowly(1)
	for k := range e.t {
		if k >= len(e.t)/2 {
			e.t[k]++
		}
	}
	found := e.findings(t)
	if slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.ID == doctor.TimeJump }) || first(found).ID != doctor.ClockGap {
		t.Error(show(first(found)))
	}
}

// Stretches that are missing under a clock that goes on evenly are told, and the repair opens a gap at each of them: that it is there is no
// reason against the repair. One of three may lie where the joints hardly move.
func TestLostStretches(t *testing.T) {
	seeds := draws.Of(8, 2)
	for _, lost := range []int{1, 3} {
		mended := 0
		for seed := range uint64(seeds) {
			e := soundArm(seed + 700)
			n, rows := len(e.t), 40
			keep := func(x []float64) []float64 {
				for k := lost; k >= 1; k-- {
					at := k * n / (lost + 1)
					x = slices.Delete(slices.Clone(x), at, at+rows)
				}
				return x
			}
			for j := range e.q {
				e.q[j], e.dq[j], e.tau[j] = keep(e.q[j]), keep(e.dq[j]), keep(e.tau[j])
			}
			e.t = e.t[:len(e.q[0])]
			f := first(e.findings(t))
			// The velocities before a jump tell how long a stretch of 0.4 s was within a factor of two.
			if f.ID != doctor.TimeJump || !(f.Value > 0.2 && f.Value < 0.8) {
				t.Errorf("seed %d, %d stretches: %s", seed, lost, show(f))
			}
			if f.Tried.Outcome == "written" && len(f.Repair.Edits) == lost && f.Tried.ErrorAfter < 0.1*f.Tried.ErrorBefore {
				mended++
			}
		}
		if mended < seeds-(lost-1)*seeds/8 {
			t.Errorf("%d stretches: %d of %d logs mended", lost, mended, seeds)
		}
	}
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
