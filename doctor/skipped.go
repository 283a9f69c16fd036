package doctor

import (
	"fmt"
	"math"
	"strings"

	"ident/doctor/internal/trialfit"
)

// skipped returns the finding that checks were skipped, with the reason.
func skipped(checks, reason, fix string) Finding {
	return Finding{ID: Skipped, Severity: Info, Where: "the whole log", Why: checks + " " + reason, Fix: fix}
}

// skippedFor returns the finding that checks were skipped because of another finding, whose advice it takes.
func skippedFor(checks, reason string, because *Finding) Finding {
	f := skipped(checks, fmt.Sprintf("%s (%s of %s)", reason, because.ID, because.Channel), because.Fix)
	f.Hint = because.Hint
	return f
}

const (
	torqueChecks = "lags, signs, scales, couplings, drift and joint order were not checked:"
	jointChecks  = "its lag, sign, scale and drift were not checked by its own equation:"
	shareChecks  = "signs, scales, zeros, gravity and joint order, which need several joints, were not checked:"
	fileChecks   = "the common scale of all torques, and whether the robot file is this robot's, were not checked:"
)

// skippedJoints reports the torques that could not be fitted by themselves, and why.
func skippedJoints(rec *recording, tr *trialfit.Rows, fits []*trialfit.Joint, before findings) (found findings) {
	for j, jt := range rec.joints {
		if jt.effort == nil || fits[j] != nil || rec.stats(jt.effort).span() == 0 {
			continue // checkMissing and the constant channel's finding say so
		}
		f := skipped("of "+jt.effort.name, jointChecks+" ", "")
		f.Channel, f.Joint = jt.effort.name, jt.name
		if x := before.damage(jt); x != nil {
			f.Why += fmt.Sprintf("nothing to compare it with, because of %s (see %s)", x.Channel, x.ID)
			f.Fix, f.Hint = x.Fix, x.Hint
		} else {
			f.Why += fmt.Sprintf("%d of the %d rows are left in which joint %s neither stands nor creeps, for %d parameters", counted(tr.Lost[j]), len(tr.T), jt.name, len(tr.W[j]))
			f.Fix = "record a longer log in which this joint moves"
		}
		found.add(f)
	}
	return found
}

func counted(lost []bool) (n int) {
	for _, l := range lost {
		if !l {
			n++
		}
	}
	return n
}

// slowestLag is the smallest detectable lag, in seconds, from which it is reported that smaller ones would not show: two
// samples of a controller at 100 Hz.
const slowestLag = 0.02

// unseenLags reports the lag below which a delay of the torques looks like friction.
func unseenLags(lags []trialfit.Lag, interval float64) (f Finding, ok bool) {
	best := math.Inf(1)
	for _, l := range lags {
		if l.Seen && !l.Coarse && l.SD > 0 {
			best = math.Min(best, l.SD)
		}
	}
	if math.IsInf(best, 1) || 5*best < math.Max(slowestLag, 2*interval) {
		return f, false
	}
	f = skipped(fmt.Sprintf("lags of torques below %.2g s were not checked:", 5*best), "the motion is too slow to tell them from friction with a memory", "a faster motion, or one known delay of the acquisition")
	f.Value, f.Limit = 5*best, slowestLag
	return f, true
}

// skippedFile reports why the robot file's bodies give no evidence, if they do not.
func (rec *recording) skippedFile(t *trialfit.Stacked) (Finding, bool) {
	var without []string
	for _, o := range t.Joints {
		if j := rec.joints[o.Index]; j.effort.role == current && j.gain == 0 {
			without = append(without, j.name)
		}
	}
	switch {
	case len(without) > 0:
		return skipped(fileChecks, "no gains of joints "+strings.Join(without, ", ")+" are known", "{gains}"), true
	case rec.fileValues() == nil:
		return skipped(fileChecks, "the robot file has no bodies", "a robot file with masses; or a run with a weighed payload, {terms} links,Ia,Fv,Fs,Fo,payload:LINK,gain {carries} LOADED {known} PM=MASS"), true
	case len(t.Joints) > 1 && rec.placeholders():
		return skipped("whether the robot file is this robot's was not checked:", "its bodies have all one mass, as placeholders have", "a robot file with its masses"), true
	}
	return Finding{}, false
}
