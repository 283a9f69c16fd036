package doctor

import (
	"fmt"
	"math"

	"ident/doctor/internal/trialfit"
)

// Limits on changes with time: the part of the joint's residual sum of squares that they must explain, and their least
// contribution to the torque, as a part of its RMS.
const (
	driftShare  = 0.2
	driftEffect = 0.01
)

// drifts returns hypotheses of change with time: of an offset, and of friction.
func drifts(rec *recording, tr *trialfit.Rows, o *trialfit.Joint) []hypothesis {
	me := rec.joints[o.Index]
	n := len(tr.T)
	mid, span := (tr.T[0]+tr.T[n-1])/2, tr.T[n-1]-tr.T[0]
	ramp, friction := make([]float64, n), make([]float64, n)
	for k, t := range tr.T {
		ramp[k] = (t - mid) / span
		friction[k] = ramp[k] * tr.FSign[o.Index][k]
	}
	finding := func(g trialfit.Gain) Finding {
		f := rec.about(Drift, Warning, me.effort)
		f.Value, f.Limit = g.Coef[0], 6*g.SD
		f.Where = "the whole log"
		return f
	}
	return []hypothesis{
		{cols: [][]float64{ramp}, share: driftShare, least: driftEffect, finding: func(g trialfit.Gain) Finding {
			f := finding(g)
			f.Why = fmt.Sprintf("%s drifts by %.3g %s ± %.2g from the first row to the last, %.2g %% of its RMS: a sensor that warms up, or a bias that was zeroed under load",
				me.effort.name, g.Coef[0], rec.unitOf(me.effort), 2*g.SD, 100*math.Abs(g.Coef[0])/o.Size())
			f.Fix = fmt.Sprintf("{mend} writes a log without the ramp; zero the sensor of joint %s before the run, or warm it up", me.name)
			f.Repair = Repair{Edits: []Edit{{Channel: me.effort.name, Ramp: -g.Coef[0] / me.torquePerUnit()}}}
			return f
		}},
		{cols: [][]float64{friction}, share: driftShare, least: driftEffect, finding: func(g trialfit.Gain) Finding {
			f := finding(g)
			f.Why = fmt.Sprintf("the friction of joint %s changes by %.3g %s ± %.2g from the first row to the last: the drive warms up",
				me.name, g.Coef[0], rec.unitOf(me.effort), 2*g.SD)
			f.Fix = "warm the robot up before logging, or cut the log with {rows} LOG:FIRST-LAST to its steady part"
			return f
		}},
	}
}
