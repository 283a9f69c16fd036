package doctor

import (
	"fmt"
	"math"
)

// Limits on changes with time: part of the joint's residual sum of squares that they must explain, and
// contribution to the torque, of its RMS.
const (
	driftShare  = 0.2
	driftEffect = 0.01
)

// drifts are changes with time: of an offset, and of friction.
func drifts(rec *recording, tr *torqueRows, o *jointFit) []hypothesis {
	me := rec.joints[o.joint]
	n := len(tr.t)
	mid, span := (tr.t[0]+tr.t[n-1])/2, tr.t[n-1]-tr.t[0]
	ramp, friction := make([]float64, n), make([]float64, n)
	for k, t := range tr.t {
		ramp[k] = (t - mid) / span
		friction[k] = ramp[k] * tr.fsgn[o.joint][k]
	}
	finding := func(g gain) Finding {
		f := rec.about(Drift, Warning, me.effort)
		f.Value, f.Limit = g.coef[0], 6*g.sd
		f.Where = "the whole log"
		return f
	}
	return []hypothesis{
		{cols: [][]float64{ramp}, share: driftShare, least: driftEffect, finding: func(g gain) Finding {
			f := finding(g)
			f.Why = fmt.Sprintf("%s drifts by %.3g %s ± %.2g from the first row to the last, %.2g %% of its RMS: a sensor that warms up, or a bias that was zeroed under load",
				me.effort.name, g.coef[0], rec.unitOf(me.effort), 2*g.sd, 100*math.Abs(g.coef[0])/o.size())
			f.Fix = fmt.Sprintf("ident check --fix FILE writes a log without the ramp; zero the sensor of joint %s before the run, or warm it up", me.name)
			f.Repair = Repair{Edits: []Edit{{Channel: me.effort.name, Ramp: -g.coef[0] / me.torquePerUnit()}}}
			return f
		}},
		{cols: [][]float64{friction}, share: driftShare, least: driftEffect, finding: func(g gain) Finding {
			f := finding(g)
			f.Why = fmt.Sprintf("the friction of joint %s changes by %.3g %s ± %.2g from the first row to the last: the drive warms up",
				me.name, g.coef[0], rec.unitOf(me.effort), 2*g.sd)
			f.Fix = "warm the robot up before logging, or cut the log with --rows LOG:FIRST-LAST to its steady part"
			return f
		}},
	}
}
