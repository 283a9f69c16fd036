package doctor

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"ident/doctor/causes"
	"ident/internal/findingkind"
	"ident/judge"
)

// Unexplained is the finding that a log and its robot disagree, and that no known cause removes what a true one must.
const Unexplained = "unexplained"

// Nearest is a known cause that was not attested, with the part of what a flexible model removes that it removes.
type Nearest struct {
	ID       string  `json:"id"`
	Explains float64 `json:"explains"`
}

const (
	// mostNearest is the largest number of causes that an unexplained finding lists.
	mostNearest = 3
	// leastNearest is the part that a cause must explain to be listed where none leads.
	leastNearest = 0.1
)

// attested returns torques with causes that do not remove what a true one must in one finding, Unexplained. before are the findings on
// the channels themselves. A cause is judged by the log with its repair if it has edits, otherwise by its own columns. If no cause is
// attested alone, all repairs are tried together. Unless the options ask for it, the leading causes of free fits are told as they are: their
// evidence is of rows left out, which that of the joints' own equations is not. With the option a log without any cause is unexplained if
// its excess is one that no sound log has, and no ordinary effect of drives is attested.
func (rec *recording) attested(ctx context.Context, rep *causes.Report, outliers []int, before, torques findings) findings {
	if rep == nil {
		return torques
	}
	var refuted []int
	explains := map[int]float64{}
	kept := 0 // causes that were attested
	for i := range torques {
		x := &torques[i]
		if x.Severity == Info || !findingkind.Of(x.ID).Attested && !rec.leads(rep, x) || x.ofFile {
			continue
		}
		must, enough := mustBeAttested(rec, rep, x)
		if !rec.opt.Attested && rec.leads(rep, x) && !must {
			kept++
			continue
		}
		v, known := rec.verdict(ctx, rep, []Finding{*x}, outliers, before)
		switch {
		case must && !enough:
			x.unattested("it explains less than half of the error")
		case !must && (!known || !v.Attested && rep.Reference().Blind()): // checks of all rows see what the few rows of the reference do not
		case known && !v.Attested && !rep.Reference().Excess() && !rec.leads(rep, x): // nothing that is too much, so that nothing is refuted: a single equation sees smaller faults
		case v.Attested:
			kept++
			x.Explains = v.Explains
		case rec.mendsBesideResult(ctx, x, outliers, before): // a free fit absorbs what an earlier result knows
			kept++
		case rep.Reference() == nil || !rep.Reference().Excess(): // the same fit leaves nothing that is too much
			x.unattested("fits of sound logs leave as much")
		default:
			refuted = append(refuted, i)
			explains[i] = v.Explains
		}
	}
	if len(refuted) > 1 && kept == 0 && rec.together(ctx, rep, torques, refuted, outliers, before) {
		return torques
	}
	if kept > 0 { // the attested cause is told; what another one explains of the rest is no second one
		for _, i := range refuted {
			torques[i].unattested("the other cause explains more")
		}
		return torques
	}
	if rec.torqueDoubted(before) { // what is wrong with a torque's channel is told; what it does to fits is no second finding
		for _, i := range refuted {
			torques[i].unattested("what is wrong with the channel explains more")
		}
		return torques
	}
	if len(refuted) == 0 {
		if !rec.opt.Attested || rep.Reference() == nil {
			return torques
		}
		if told := slices.ContainsFunc(torques, func(f Finding) bool { return f.Severity != Info && findingkind.Of(f.ID).Symptom }); told || !rep.Reference().Large() || rep.Ordinary() {
			return torques
		}
		return append(torques, rec.unexplained(rep, nil))
	}
	var out, those findings
	for i, x := range torques {
		if slices.Contains(refuted, i) {
			x.Explains = explains[i]
			those = append(those, x)
		} else {
			out = append(out, x)
		}
	}
	return append(out, rec.unexplained(rep, those))
}

// mendsBesideResult reports whether beside an earlier result of the robot the finding's repair lowers the error on rows left out as far as that of a
// zero must. Without such a result, or without a repair, it does not.
func (rec *recording) mendsBesideResult(ctx context.Context, f *Finding, outliers []int, before findings) bool {
	opt := rec.causeOptions()
	if opt.Known == nil || len(f.Repair.Edits) == 0 {
		return false
	}
	held := before.held(rec)
	now, err := causes.LeftOut(ctx, rec.robot, []causes.Log{rec.causeLog(outliers, held)}, opt)
	if err != nil {
		return false
	}
	after, err := causes.LeftOut(ctx, rec.robot, []causes.Log{rec.mended(*f).causeLog(outliers, held)}, opt)
	return err == nil && after < surelyZero*now
}

// unattested makes a finding a remark, with the reason.
func (f *Finding) unattested(why string) {
	f.Severity, f.Why = Info, declinedWhy(f.Why, why)
	f.decline(Trial{})
}

// torqueDoubted reports whether the findings on single channels have an error of a torque, or doubt its unit.
func (rec *recording) torqueDoubted(before findings) bool {
	return slices.ContainsFunc(rec.joints, func(j joint) bool {
		return j.effort != nil && slices.ContainsFunc(before, func(f Finding) bool {
			return (f.Severity == Error || f.ID == Units && f.Severity != Info) && f.Channel == j.effort.name
		})
	})
}

// leads reports whether a finding is a cause that a free fit has named.
func (rec *recording) leads(rep *causes.Report, x *Finding) bool {
	return rep.Named && slices.ContainsFunc(rep.Causes[:rep.Group], func(c causes.Cause) bool { return c.Family() == x.ID && rec.sameJoints(*x, c) })
}

// attestedShare is the part of the error on rows left out that a leading cause whose kind must be attested explains at least. On sound
// logs with noisy motion a spring explains 38 %; of 37 springs and hoses in simulated logs three explain less than half.
const attestedShare = 0.5

// attestedOwn is the same part of the error of one torque, for a cause of that torque alone: in a mean over six joints it is a third where
// nothing is left of it. On those sound logs it is at most 0.85.
const attestedOwn = 0.9

// mustBeAttested reports whether a finding is of a leading cause that must be attested by its kind, and whether it explains enough of the
// error.
func mustBeAttested(rec *recording, rep *causes.Report, x *Finding) (must, enough bool) {
	for i, c := range rep.Causes[:rep.Group] {
		if c.Family() == x.ID && rec.sameJoints(*x, c) && causes.KindOf(c.Kind).Attested {
			return true, c.Gain >= attestedShare || rep.Own(i) >= attestedOwn
		}
	}
	return false, false
}

// together reports whether the repairs of several findings, none of which is attested, are attested together.
func (rec *recording) together(ctx context.Context, rep *causes.Report, torques findings, which []int, outliers []int, before findings) bool {
	var all []Finding
	for _, i := range which {
		if len(torques[i].Repair.Edits) == 0 {
			return false
		}
		all = append(all, torques[i])
	}
	v, known := rec.verdict(ctx, rep, all, outliers, before)
	return known && v.Attested
}

// unexplained returns the finding in place of those that were not attested. Without any it lists the causes that explain most.
func (rec *recording) unexplained(rep *causes.Report, those findings) Finding {
	u := Finding{ID: Unexplained, Severity: Warning, Where: "the whole log"}
	about := map[string]string{} // the channel of a cause
	near := func(id string, explains float64) {
		if !slices.ContainsFunc(u.Nearest, func(n Nearest) bool { return n.ID == id }) {
			u.Nearest = append(u.Nearest, Nearest{id, explains})
		}
	}
	for _, x := range those {
		if x.Severity.rank() > u.Severity.rank() {
			u.Severity = x.Severity
		}
		near(x.ID, x.Explains)
		if x.Channel != "" && about[x.ID] == "" {
			about[x.ID] = " of " + x.Channel
		}
		for _, id := range x.Group {
			near(id, x.Explains)
		}
	}
	if len(those) == 0 {
		for i, c := range rep.Causes {
			if v, known := rep.Verdict(i); known && rep.Fault(i) && v.Explains >= leastNearest {
				near(c.Family(), v.Explains)
			}
		}
	}
	u.Nearest = slices.DeleteFunc(u.Nearest, func(n Nearest) bool { return n.Explains < leastNearest })
	slices.SortStableFunc(u.Nearest, func(a, b Nearest) int { return cmp.Compare(b.Explains, a.Explains) })
	u.Nearest = u.Nearest[:min(len(u.Nearest), mostNearest)]
	class := rep.Reference().Class()
	what, hint := follows(class)
	u.Class, u.Hint, u.Limit = string(class), hint, judge.ShareOfFlexible
	if len(u.Nearest) == 0 {
		u.Why = "the torques and the robot disagree" + what + "; no known cause explains a tenth of it"
		return u
	}
	n := u.Nearest[0]
	u.Value = n.Explains
	u.Why = fmt.Sprintf("the torques and the robot disagree, nearest known cause %s%s, which explains %.0f %% and is not attested%s", n.ID, about[n.ID], 100*n.Explains, what)
	return u
}

// classed returns findings of unexplained torques with what these follow, by the reference of a report; without one they stay as they are. No
// cause was near, so the class static becomes unclear: rows that are near in time have states near each other, and a kernel of the state then
// also explains what happens in time.
func (f findings) classed(rep *causes.Report) findings {
	if len(f) == 0 || rep == nil || rep.Reference() == nil {
		return f
	}
	class := rep.Reference().Class()
	if class == judge.Static {
		class = judge.Unclear
	}
	what, _ := follows(class)
	for i := range f {
		f[i].Class = string(class)
		f[i].Why += what
	}
	return f
}

// follows says what an excess follows, and where to look.
func follows(c judge.Class) (what, hint string) {
	switch c {
	case judge.Static:
		return "; the excess follows the state of the robot", "look at the robot file, zeros, scales, couplings and the law of friction"
	case judge.InTime:
		return "; the excess follows the time", "look at what happened in time: load, contact, drift, clock, an encoder that slips"
	}
	return "", "a motion that passes the same states again and again tells whether the cause is of the robot or of the time"
}

// verdict judges the cause of findings: of one by its repair or by its columns, of several by their repairs together.
func (rec *recording) verdict(ctx context.Context, rep *causes.Report, set []Finding, outliers []int, before findings) (judge.Verdict, bool) {
	f := set[0]
	if s := f.stepped; s != nil && len(set) == 1 {
		return rep.Stepped(s.joint, s.time, s.scale)
	}
	if len(set) == 1 {
		for i, c := range rep.Causes {
			if c.Family() == f.ID && rec.sameJoints(f, c) && (i < rep.Group && rep.Named || len(f.Repair.Edits) == 0) {
				if v, known := rep.Verdict(i); !known || v.Attested || len(f.Repair.Edits) == 0 {
					return v, known
				}
				break // a linear column may fall short of the repair
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
					if to.effort != nil && from.effort != nil && to.effort.name == e.Channel && from.effort.name == e.From && e.Since == 0 {
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
