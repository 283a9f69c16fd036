package doctor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/doctor"
)

// Positions beyond the limits of the robot file name an exchange of joints where one alone brings all within, and
// the file where none does. No torque is logged: nothing else could say so.
func TestLimits(t *testing.T) {
	seen := func(change func(e *experiment)) []doctor.Finding {
		rng := rand.New(rand.NewPCG(3, 9))
		e := run(sixAxis(rng), rng, 200, 15)
		for j := range e.q {
			times(e.q[j], 0.4+0.2*float64(j)) // every joint goes further than the one before it
			l := &e.robot.Links[j].Joint
			l.Lower, l.Upper = slices.Min(e.q[j])-0.02, slices.Max(e.q[j])+0.02
			e.skip[fmt.Sprint("tau", j+1)], e.skip[fmt.Sprint("dq", j+1)] = true, true
		}
		change(e)
		var about []doctor.Finding
		for _, f := range e.findings(t) {
			if f.ID == doctor.JointOrder || f.ID == doctor.RobotMismatch {
				about = append(about, f)
			}
		}
		return about
	}
	if f := seen(func(*experiment) {}); len(f) > 0 {
		t.Errorf("within its limits: %s", show(f[0]))
	}
	f := seen(func(e *experiment) { e.q[1], e.q[4] = e.q[4], e.q[1] })
	if len(f) != 1 || f[0].ID != doctor.JointOrder || f[0].Severity != doctor.Warning || f[0].Channel != "q2" || !strings.Contains(f[0].Fix, "{map} q_J2=q5") {
		t.Errorf("exchanged: %v", f)
	}
	f = seen(func(e *experiment) {
		for k := range e.q[2] {
			e.q[2][k] += 2
		}
	})
	if len(f) != 1 || f[0].ID != doctor.RobotMismatch || f[0].Channel != "q3" || math.Abs(f[0].Value-1.98) > 1e-9 {
		t.Errorf("a zero two radians off: %v", f)
	}
	if f = seen(func(e *experiment) { e.q[2][700] += 4 }); len(f) > 0 {
		t.Errorf("a damaged value: %s", show(f[0]))
	}
	f = seen(func(e *experiment) { e.robot.Links[2].Joint.Continuous = true; times(e.q[2], 3) })
	if len(f) > 0 {
		t.Errorf("a joint without stops: %s", show(f[0]))
	}
}
