package doctor

import (
	"fmt"

	"ident/doctor/internal/trialfit"
)

// Limits on sudden changes of a torque: the part of the joint's residual sum of squares that the change must explain,
// and its least contribution to the torque, relative to its RMS. On 33 measured logs without a fault the best instant
// explained up to 0.67 of a joint's residuals with 0.045 of its torque, and up to 0.41 elsewhere.
const (
	stepShare  = 0.6
	stepEffect = 0.055
)

// stepped is a sudden change of a torque.
type stepped struct {
	joint int
	time  float64
	scale bool // of the scale, otherwise of the offset
}

// steps returns hypotheses of a sudden change of a torque: of its offset (a sensor was zeroed again), or of its scale (a
// gain was changed or a load mounted).
func steps(rec *recording, tr *trialfit.Rows, o *trialfit.Joint) (out []hypothesis) {
	me := rec.joints[o.Index]
	ones := make([]float64, len(tr.T))
	for k := range ones {
		ones[k] = 1
	}
	for kind, column := range [][]float64{ones, o.Fitted()} {
		c, instant := o.Step(tr, column)
		if c == nil {
			continue
		}
		at := &stepped{o.Index, instant, kind == 1}
		instant -= rec.t.At(0)
		out = append(out, hypothesis{cols: [][]float64{c}, share: stepShare, least: stepEffect, finding: func(g trialfit.Gain) Finding {
			f := rec.about(Drift, Warning, me.effort)
			f.stepped = at
			f.Value, f.Limit = g.Coef[0], 6*g.SD
			f.Where, f.Spans = fmt.Sprintf("from %.4g s on", instant), [][2]float64{{instant, instant}}
			f.Why = fmt.Sprintf("%s changes by %.3g %s ± %.2g at about %.4g s: a sensor that was zeroed again, or a load that was put on",
				me.effort.name, g.Coef[0], rec.unitOf(me.effort), 2*g.SD, instant)
			if kind == 1 {
				f.Why = fmt.Sprintf("%s is %.3g ± %.2g times as large from about %.4g s on as before: a gain that was changed, or a load that was put on",
					me.effort.name, 1+g.Coef[0], 2*g.SD, instant)
			}
			f.Fix = "cut the log there with {rows} LOG:FIRST-LAST, and fit both parts as runs of their own"
			return f
		}})
	}
	return out
}
