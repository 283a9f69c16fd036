package doctor

import (
	"context"
	"fmt"
	"slices"

	"ident/doctor/internal/trialfit"
	"ident/internal/findingkind"
)

// Limits on contradictions between the joints' equations. A hypothesis about one joint must remove excessShare of the
// excess of the weighted sum of squares over that of the own fits and togetherShare of the whole, and differ from zero
// by that many standard deviations. A poorly modelled drive leaves an excess too, but no single reason for it.
const (
	excessShare   = 0.5
	togetherShare = 0.03
	togetherSure  = 8.0
	// The largest number of hypotheses accepted for one log.
	maxAccepted = 4
)

// checkTogether looks for contradictions between the equations of all joints; t may be nil. power is the friction power
// of each joint, found holds the findings about single torques, before those of earlier stages. It returns found without
// the findings that it overrules, and with its own.
func checkTogether(ctx context.Context, rec *recording, t *trialfit.Stacked, power []frictionPower, found, before findings) findings {
	if t == nil || t.Rows < 3*t.Basis.Rank() {
		if t != nil {
			found.add(skipped(shareChecks, fmt.Sprintf("%d rows are too few for %d parameters", t.Rows, t.Basis.Rank()), "a longer log"))
		}
		return found
	}
	rec.weigh(t)
	found.keep(rec.skippedFile(t))
	if len(t.Joints) > trialfit.ManyJoints {
		found.add(skipped("exchanged joints were not checked but for neighbours:", fmt.Sprintf("a search among all pairs of %d joints would take too long", len(t.Joints)), "check the channel map by hand"))
	}
	var suspects []int // joints whose friction drives, as k of the stack
	for k, o := range t.Joints {
		if power[o.Index].drives() {
			suspects = append(suspects, k)
		}
	}
	if all := allSigns(rec, t, power, suspects); all != nil {
		found = found.overruled(true)
		found.add(all...)
		return found
	}
	found.add(checkSigns(rec, t, power, suspects)...)
	asked := map[question]bool{}
	var listed []contradiction
	var beside *trialfit.Beside
	told := false
	for range maxAccepted {
		var best contradiction
		var its trialfit.Gain
		score := 0.0
		listed = contradictions(ctx, rec, t, asked)
		var cols [][]float64
		for _, h := range listed {
			cols = append(cols, h.cols...)
		}
		beside = t.Beside(cols)
		least := max(togetherShare, excessShare*(1-1/t.Chi2))
		for _, h := range listed {
			if beside.Most(h.cols...) < least {
				continue
			}
			g, ok := beside.Added(h.cols...)
			if h.kind == allScales && best.kind == torqueScale && its.Share > single*g.Share && slices.Max(g.Coef) > 0.5 {
				continue
			}
			if !ok || g.Sure < togetherSure || g.Share < least || !h.matters(g) {
				continue
			}
			if g.Score > score {
				best, its, score = h, g, g.Score
			}
		}
		if score == 0 || ctx.Err() != nil {
			break
		}
		f, ok := best.accept(its)
		beside = nil // that before the change
		asked[best.question] = true
		if best.overrules {
			found = found.overruled(false)
		}
		found.keep(f, ok)
		told = told || ok
		if best.kind == allScales && ok {
			return found // nothing more can be said of scales
		}
	}
	if f, ok := fileBodies(rec, t, before); ok {
		found.add(f)
		return found
	}
	if told || ctx.Err() != nil {
		return found // one cause at a time
	}
	if ctx.Err() == nil {
		found.keep(unseenScales(rec, t, listed, beside))
	}
	return found
}

// question identifies a contradiction by its kind and the joint k of the stack.
type question struct {
	kind contradictionKind
	k    int
}

type contradictionKind int

const (
	torqueScale contradictionKind = iota
	allScales
	positionOffset
	positionScale
	gravityTilt
)

// contradiction is a possible reason why the joints' equations contradict each other.
type contradiction struct {
	question
	cols      [][]float64
	matters   func(g trialfit.Gain) bool            // beside the torques
	accept    func(g trialfit.Gain) (Finding, bool) // removes its effect from the fit, and reports it if it holds
	overrules bool                                  // explains the findings about single torques
}

// contradictions returns those that have not been tried.
func contradictions(ctx context.Context, rec *recording, t *trialfit.Stacked, asked map[question]bool) []contradiction {
	var predicted [][]float64
	for k := range t.Joints {
		predicted = append(predicted, t.Predicted(k))
	}
	out := torqueScales(rec, t, predicted, asked)
	scaled := false
	for q := range asked {
		scaled = scaled || q.kind == torqueScale
	}
	if !scaled && !asked[question{kind: allScales}] {
		out = append(out, commonScales(rec, t, predicted)...)
	}
	out = append(out, positions(ctx, rec, t, asked)...)
	if !asked[question{kind: gravityTilt}] && ctx.Err() == nil {
		out = append(out, tilts(rec, t)...)
	}
	return out
}

// overruled removes findings about single torques that a common reason explains: if the motion or gravity is wrong,
// torques seem to have lags and couplings. Sign findings stay unless a sign is the reason.
func (f findings) overruled(signs bool) findings {
	var kept findings
	for _, x := range f {
		if !findingkind.Of(x.ID).Alone && (x.ID != Sign || !signs) {
			kept = append(kept, x)
		}
	}
	return kept
}
