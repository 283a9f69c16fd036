package doctor

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/doctor/internal/trialfit"
)

// reversalDistance is the travel, rad or m, over which friction follows a reversal.
const reversalDistance = 0.05

// seldomScale is the logarithm of a factor of one torque that gains and gears of a robot's drives seldom have.
const seldomScale = 1.6

// scalesTogether looks for one wrong torque scale if the joints' equations contradict each other for other reasons too:
// it estimates zeros, tilt of gravity and friction with memory together with the scales of all torques. listed holds the
// contradictions already tried, with their residuals.
func scalesTogether(ctx context.Context, rec *recording, t *trialfit.Stacked, listed []contradiction, residuals *trialfit.Beside) (f Finding, ok bool) {
	unknown := func(o *trialfit.Joint) bool {
		e := rec.joints[o.Index].effort
		return e.role == current && rec.joints[o.Index].gain == 0
	}
	if slices.ContainsFunc(t.Joints, unknown) {
		return f, false
	}
	if len(t.Joints) == 1 {
		return unseenScales(rec, t, []int{0})
	}
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
	g := t.JudgeScales(reference, t.Scales(reference, beside, residuals))
	if len(g.Off) == 0 {
		return unseenScales(rec, t, g.Unseen)
	}
	worst := g.Worst()
	if !worst.Holds(t.WithoutThirds(ctx), reference, beside) {
		return unseenScales(rec, t, append(g.Unseen, worst.K))
	}
	k, against, size := worst.K, "those of the other joints", worst.String()
	// If several are off alike and none is right, the reference is wrong.
	if len(g.Off) > 1 && len(g.Off) == g.Taking && g.Alike() {
		k, worst.Scale = reference, 1/worst.Scale
		size = fmt.Sprintf("about %.2g", worst.Scale)
	} else if g.Taking == 1 {
		against = "that of " + rec.joints[t.Joints[reference].Index].effort.name + ", which may be wrong itself"
	}
	if rec.sharesDrive(t.Joints[k].Index) {
		against += ", or the torque of another joint that its drive moves is"
	}
	j := rec.joints[t.Joints[k].Index]
	f = rec.about(GearRatio, Warning, j.effort)
	f.scaled = true
	f.Value, f.Limit, f.Where = worst.Scale, math.Exp(trialfit.ScaleClear), "the whole log"
	f.Why = fmt.Sprintf("%s is %s times what the equations ask beside %s, zeros, tilt and reversals estimated too: its gear, gain or sensor scale is off",
		j.effort.name, size, against)
	f.Fix = fmt.Sprintf("compare gear ratio, gain and calibration of joint %s with the data sheet; the factor is known to a few per cent only, so {fix} does not change it", j.name)
	if math.Abs(math.Log(worst.Scale)) > seldomScale {
		f.Group = []string{GearRatio, TorqueKind}
		f.Fix = fmt.Sprintf("hold some poses far apart, where gravity acts alone: torques without their gravity look like that too; or compare the gear and gain of joint %s with the data sheet", j.name)
	}
	return f, true
}

// unseenScales reports the torques that cannot be compared with any other, so that their scale is unverified.
func unseenScales(rec *recording, t *trialfit.Stacked, unseen []int) (f Finding, ok bool) {
	if len(unseen) == 0 {
		return f, false
	}
	names := ""
	for _, k := range unseen {
		names += pick(names == "", "", ", ") + rec.joints[t.Joints[k].Index].effort.name
	}
	reason := "a factor of two would not show in any other torque, because friction or noise would hide it"
	if len(t.Joints) == 1 {
		reason = "there is no other torque that it could contradict"
	}
	return skipped("the scales of "+names+" were not checked:", reason, "gear ratios and gains from the data sheet; or a run with a weighed payload"), true
}
