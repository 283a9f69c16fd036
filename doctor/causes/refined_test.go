package causes_test

import (
	"math"
	"testing"

	"ident/doctor/causes"
	"ident/robot"
)

// A load that comes between the times of the grid is found where it comes, and a base at its tilt: what is left then is noise, which a column
// of a wrong time and a tangent of the tilt do not reach.
func TestFullSize(t *testing.T) {
	attested := func(what string, r *robot.Robot, l causes.Log, kind string) causes.Cause {
		t.Helper()
		rep := judge(t, r, l)
		if !rep.Named || rep.Causes[0].Kind != kind {
			t.Errorf("%s: %v %+v", what, rep.Named, rep.Causes[:min(len(rep.Causes), 3)])
			return causes.Cause{}
		}
		if v, known := rep.Verdict(0); !known || !v.Attested {
			t.Errorf("%s: %+v", what, v)
		}
		return rep.Causes[0]
	}
	r, l := swing(t, 0)
	carries := r.Clone()
	tip := &carries.Links[1].Inertial
	tip[robot.M] += 2
	tip[robot.MX] += 0.8
	tip[robot.YY] += 0.32
	tip[robot.ZZ] += 0.32
	loaded := swung(t, carries, 0, 36)
	const part = 0.553
	for j := range l.Segments[0].Effort {
		from := int(part * float64(len(l.Segments[0].T)))
		copy(l.Segments[0].Effort[j][from:], loaded.Segments[0].Effort[j][from:])
	}
	if c := attested("a load", r, l, causes.Payload); math.Abs(c.Value-part) > 0.003 {
		t.Errorf("a load from %g of the log on: %g", part, c.Value)
	}
	tilted := r.Clone()
	const tilt = 0.6
	tilted.Gravity = [3]float64{9.81 * math.Sin(tilt), 0, -9.81 * math.Cos(tilt)}
	attested("a base at 0.6 rad", r, swung(t, tilted, 0, 36), causes.GravityVector)
}
