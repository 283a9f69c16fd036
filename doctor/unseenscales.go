package doctor

import (
	"slices"

	"ident/doctor/internal/trialfit"
)

// reversalDistance is the travel, rad or m, over which friction follows a reversal.
const reversalDistance = 0.05

// unseenScales reports the torques that cannot be compared with any other, so that their scale is unverified: zeros, tilt of gravity and
// friction with memory are estimated together with the scales of all torques. listed holds the contradictions already tried, with their
// residuals.
func unseenScales(rec *recording, t *trialfit.Stacked, listed []contradiction, residuals *trialfit.Beside) (f Finding, ok bool) {
	unknown := func(o *trialfit.Joint) bool {
		e := rec.joints[o.Index].effort
		return e.role == current && rec.joints[o.Index].gain == 0
	}
	if slices.ContainsFunc(t.Joints, unknown) {
		return f, false
	}
	reason := "a factor of two would not show in any other torque, because friction or noise would hide it"
	unseen := []int{0}
	if len(t.Joints) == 1 {
		reason = "there is no other torque that it could contradict"
	} else {
		var beside [][]float64
		for _, c := range listed {
			if c.kind == positionOffset || c.kind == gravityTilt {
				beside = append(beside, c.cols...)
			}
		}
		for k, o := range t.Joints {
			if rec.isStill(rec.joints[o.Index]) {
				continue
			}
			memory := make([]float64, t.Basis.Rows)
			t.Put(memory, k, t.Equations.Memory(o.Index, reversalDistance))
			beside = append(beside, memory)
		}
		reference := t.Reference()
		unseen = t.UnseenScales(reference, t.Scales(reference, beside, residuals))
	}
	names := ""
	for _, k := range unseen {
		names += pick(names == "", "", ", ") + rec.joints[t.Joints[k].Index].effort.name
	}
	if names == "" {
		return f, false
	}
	return skipped("the scales of "+names+" were not checked:", reason, "gear ratios and gains from the data sheet; or a run with a weighed payload"), true
}
