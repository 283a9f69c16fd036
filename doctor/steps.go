package doctor

import (
	"fmt"

	"ident/doctor/trialfit"
)

// Limits on changes of a torque at an instant: part of the joint's residual sum of squares that the change must
// explain, and contribution to the torque, of its RMS. On 33 measured logs without a fault the best instant explained
// up to 0.67 of a joint's residuals with 0.045 of its torque, and up to 0.41 elsewhere.
const (
	stepShare  = 0.6
	stepEffect = 0.055
	// Instants that are tried, evenly between both ends of the log, and the part of it that is left before the first and
	// after the last.
	stepTimes = 33
	stepEdge  = 0.1
)

// steps are changes of a torque at an instant: of its offset, where a sensor was zeroed again, and of its scale, where
// a gain was changed or a load was mounted. The instant is that of the least residual.
func steps(rec *recording, tr *trialfit.Rows, o *trialfit.Joint) []hypothesis {
	me := rec.joints[o.Index]
	n := len(tr.T)
	first, span := tr.T[0], tr.T[n-1]-tr.T[0]
	fitted := make([]float64, n)
	for k, y := range o.Y {
		fitted[k] = y - o.Rest[k]
	}
	best := func(column func(k int) float64) ([]float64, float64) {
		var at []float64
		share, when := -1.0, 0.0
		for i := range stepTimes {
			t0 := first + span*(stepEdge+(1-2*stepEdge)*float64(i)/(stepTimes-1))
			c := make([]float64, n)
			for k, t := range tr.T {
				if t >= t0 {
					c[k] = column(k)
				}
			}
			if g, ok := o.Added(c); ok && g.Share > share {
				at, share, when = c, g.Share, t0
			}
		}
		return at, when
	}
	finding := func(g trialfit.Gain, t0 float64) Finding {
		f := rec.about(Drift, Warning, me.effort)
		f.Value, f.Limit = g.Coef[0], 6*g.SD
		f.Where = fmt.Sprintf("from %.4g s on", t0)
		f.Fix = "cut the log there with {rows} LOG:FIRST-LAST, and fit both parts as runs of their own"
		return f
	}
	var out []hypothesis
	if c, t0 := best(func(int) float64 { return 1 }); c != nil {
		out = append(out, hypothesis{cols: [][]float64{c}, share: stepShare, least: stepEffect, finding: func(g trialfit.Gain) Finding {
			f := finding(g, t0)
			f.Why = fmt.Sprintf("%s changes by %.3g %s ± %.2g at about %.4g s: a sensor that was zeroed again, or a load that was put on",
				me.effort.name, g.Coef[0], rec.unitOf(me.effort), 2*g.SD, t0)
			return f
		}})
	}
	if c, t0 := best(func(k int) float64 { return fitted[k] }); c != nil {
		out = append(out, hypothesis{cols: [][]float64{c}, share: stepShare, least: stepEffect, finding: func(g trialfit.Gain) Finding {
			f := finding(g, t0)
			f.Why = fmt.Sprintf("%s is %.3g ± %.2g times as large from about %.4g s on as before: a gain that was changed, or a load that was put on",
				me.effort.name, 1+g.Coef[0], 2*g.SD, t0)
			return f
		}})
	}
	return out
}
