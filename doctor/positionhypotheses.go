package doctor

import (
	"context"
	"fmt"
	"math"

	"ident/doctor/internal/trialfit"
)

// Limits on scales and offsets (rad or m) of positions: smaller ones matter less than the errors of a rigid model.
const (
	positionScaleLeast = 0.01
	offsetLeast        = 0.01
	// A larger scale than this is not believed: the column is a derivative, which says nothing of motions so different.
	positionScaleMost = 0.5
)

// positions returns hypotheses of an offset or scaled position. The base parameters absorb an offset of the last joint
// and, if gravity is along its axis, of the first.
func positions(ctx context.Context, rec *recording, t *trialfit.Stacked, asked map[question]bool) []contradiction {
	var out []contradiction
	tr := t.Equations
	// Where the gains of currents are unknown, each torque has a factor of its own, which trades with the factor of a motion.
	unknown := rec.unknownGains()
	for j, jt := range rec.joints {
		if jt.q == nil || rec.isStill(jt) || ctx.Err() != nil {
			continue
		}
		with := func(x [][]float64, f func(v float64) float64) [][]float64 {
			y := append([][]float64(nil), x...)
			y[j] = make([]float64, len(x[j]))
			for k, v := range x[j] {
				y[j][k] = f(v)
			}
			return y
		}
		offset := t.Derivative(1e-4, func(h float64) (q, dq, ddq [][]float64) {
			return with(tr.Q, func(v float64) float64 { return v + h }), tr.FDQ, tr.FDDQ
		})
		scale := t.Derivative(1e-4, func(h float64) (q, dq, ddq [][]float64) {
			s := func(v float64) float64 { return v * (1 + h) }
			// Filtered friction does not scale like the unfiltered columns. Its viscous part does, and the fit has a
			// column of it anyway.
			return with(tr.Q, s), with(tr.FDQ, s), with(tr.FDDQ, s)
		})
		unit := rec.unitOf(jt.q)
		beyond := func(least float64) func(g trialfit.Gain) bool {
			return func(g trialfit.Gain) bool { return math.Abs(g.Coef[0]) > least && math.Abs(g.Coef[0]) > 5*g.SD }
		}
		out = append(out, contradiction{
			question: question{positionOffset, j},
			cols:     [][]float64{offset},
			matters:  beyond(offsetLeast),
			accept: func(g trialfit.Gain) (Finding, bool) {
				f := rec.about(Offset, Warning, jt.q)
				f.Value, f.Limit, f.Where = -g.Coef[0], offsetLeast, "the whole log"
				f.Why = fmt.Sprintf("the torques fit positions of joint %s that are %.4g ± %.2g %s from the logged ones: its zero differs from the robot file",
					jt.name, g.Coef[0], 2*g.SD, unit)
				f.Fix = fmt.Sprintf("{mend} writes a log with %.4g added to %s; or correct the joint's zero in the robot file", g.Coef[0], jt.q.name)
				f.Repair = Repair{Edits: []Edit{{Channel: jt.q.name, Offset: g.Coef[0]}}}
				t.Extend([][]float64{offset})
				// The offset is so large that a second one may remain, which is not news.
				return f, !asked[question{positionOffset, j}]
			},
			overrules: true,
		}, contradiction{
			question: question{positionScale, j},
			cols:     [][]float64{scale},
			matters: func(g trialfit.Gain) bool {
				return beyond(positionScaleLeast)(g) && math.Abs(g.Coef[0]) < positionScaleMost && !unknown
			},
			accept: func(g trialfit.Gain) (Finding, bool) {
				f := rec.about(GearRatio, Warning, jt.q)
				f.Value, f.Limit, f.Where = 1/(1+g.Coef[0]), 1+positionScaleLeast, "the whole log"
				f.Why = fmt.Sprintf("the torques fit a motion of joint %s that is %.4g ± %.2g times as large as logged: its gear ratio or encoder resolution is off by %.2g %%",
					jt.name, 1+g.Coef[0], 2*g.SD, 100*math.Abs(g.Coef[0]))
				f.Fix = fmt.Sprintf("{mend} writes a log with %s times %.4g; or correct the gear ratio with which it was converted", jt.q.name, 1+g.Coef[0])
				f.Repair = Repair{Edits: []Edit{{Channel: jt.q.name, Scale: 1 + g.Coef[0]}}}
				if jt.dq != nil {
					f.Repair.Edits = append(f.Repair.Edits, Edit{Channel: jt.dq.name, Scale: 1 + g.Coef[0]})
				}
				t.Extend([][]float64{scale})
				return f, !asked[question{positionScale, j}]
			},
			overrules: true,
		})
	}
	return out
}
