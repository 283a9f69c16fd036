package doctor

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"ident/doctor/causes"
	"ident/judge"
)

// Unexplained is the finding that a log and its robot disagree, and that no known cause removes what a true one must.
const Unexplained = "unexplained"

// Nearest is a known cause that was not attested, with the part of what a flexible model removes that it removes.
type Nearest struct {
	ID       string  `json:"id"`
	Explains float64 `json:"explains"`
}

// mostNearest is the largest number of causes that an unexplained finding lists.
const mostNearest = 3

// unjudged are the kinds of finding about torques that no fit attests: their evidence is the power of friction, the bodies of the robot
// file, or names and units.
var unjudged = []string{FrictionNotDissipative, RobotMismatch, CurrentAsTorque, Units}

// attested returns torques with causes that do not remove what a true one must in one finding, Unexplained. before are the findings on
// the channels themselves. A cause is judged by the log with its repair if it has edits, otherwise by its own columns. If no cause is
// attested alone, all repairs are tried together.
func (rec *recording) attested(ctx context.Context, rep *causes.Report, outliers []int, before, torques findings) findings {
	if rep == nil {
		return torques
	}
	var refuted []int
	explains := map[int]float64{}
	kept := 0 // causes that were attested
	for i := range torques {
		x := &torques[i]
		if x.Severity == Info || !slices.Contains(causeIDs, x.ID) || slices.Contains(unjudged, x.ID) || x.ofFile {
			continue
		}
		v, known := rec.verdict(ctx, rep, []Finding{*x}, outliers, before)
		switch {
		case !known:
		case v.Attested:
			kept++
			x.Explains = v.Explains
		default:
			refuted = append(refuted, i)
			explains[i] = v.Explains
		}
	}
	if len(refuted) == 0 {
		return torques
	}
	if kept == 0 && len(refuted) > 1 {
		var all []Finding
		for _, i := range refuted {
			if len(torques[i].Repair.Edits) > 0 {
				all = append(all, torques[i])
			}
		}
		if len(all) == len(refuted) {
			if v, known := rec.verdict(ctx, rep, all, outliers, before); known && v.Attested {
				for _, i := range refuted {
					torques[i].Explains = explains[i]
				}
				return torques
			}
		}
	}
	var out findings
	u := Finding{ID: Unexplained, Severity: Warning, Where: "the whole log"}
	for i, x := range torques {
		if !slices.Contains(refuted, i) {
			out = append(out, x)
			continue
		}
		if x.Severity.rank() > u.Severity.rank() {
			u.Severity = x.Severity
		}
		for _, id := range append([]string{x.ID}, x.Group...) {
			if !slices.ContainsFunc(u.Nearest, func(n Nearest) bool { return n.ID == id }) && len(u.Nearest) < mostNearest {
				u.Nearest = append(u.Nearest, Nearest{id, explains[i]})
			}
		}
	}
	if kept > 0 { // the attested cause is told; what it leaves is no second one
		return out
	}
	ref := rep.Reference()
	u.Class = string(ref.Class)
	slices.SortStableFunc(u.Nearest, func(a, b Nearest) int { return cmp.Compare(b.Explains, a.Explains) })
	u.Value, u.Limit = u.Nearest[0].Explains, judge.ShareOfFlexible
	what, hint := follows(ref.Class)
	u.Why = fmt.Sprintf("the torques and the robot disagree%s; nearest known cause: %s, explains %.0f %%, not attested", what, u.Nearest[0].ID, 100*u.Nearest[0].Explains)
	u.Hint = hint
	return append(out, u)
}

// follows says what an excess follows, and where to look.
func follows(c judge.Class) (what, hint string) {
	switch c {
	case judge.Static:
		return ", and the excess follows the state of the robot", "look at the robot file, zeros, scales, couplings and the law of friction"
	case judge.InTime:
		return ", and the excess follows the time", "look at what happened in time: load, contact, drift, clock, an encoder that slips"
	}
	return "", "a motion that passes the same states again and again tells whether the cause is of the robot or of the time"
}

// verdict judges the cause of findings: of one by its repair or by its columns, of several by their repairs together.
func (rec *recording) verdict(ctx context.Context, rep *causes.Report, set []Finding, outliers []int, before findings) (judge.Verdict, bool) {
	f := set[0]
	if len(set) == 1 {
		for i, c := range rep.Causes {
			if c.Family() == f.ID && rec.sameJoints(f, c) && (i < rep.Group && rep.Named || len(f.Repair.Edits) == 0) {
				return rep.Verdict(i)
			}
		}
		if p := f.couples; p.Sign != 0 {
			return rep.Coupled(p.A, p.B, p.Sign)
		}
		if f.ID == LagTorque && rep.Delay != 0 && math.Abs(f.Value-rep.Delay) < sameDelay {
			return judge.Verdict{Attested: true}, true // the free fit has taken it out
		}
	}
	if !slices.ContainsFunc(set, func(f Finding) bool { return len(f.Repair.Edits) > 0 }) {
		return judge.Verdict{}, false
	}
	mended := rec
	torque := make([]int, len(rec.joints))
	for j := range torque {
		torque[j] = j
	}
	for _, f := range set {
		mended = mended.mended(f)
		for _, e := range f.Repair.Edits {
			for j, to := range rec.joints {
				for k, from := range rec.joints {
					if to.effort != nil && from.effort != nil && to.effort.name == e.Channel && from.effort.name == e.From {
						torque[j] = k
					}
				}
			}
		}
	}
	v, err := rep.Repaired(ctx, rec.robot, []causes.Log{mended.causeLog(outliers, before.held(rec))}, rec.causeOptions(), torque)
	return v, err == nil
}

// sameDelay, in s, is the largest difference between the lag of joints' own equations and the delay of a free fit of one fault: a fifth
// of the delay that a fit takes out.
const sameDelay = 0.005
