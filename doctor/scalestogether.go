package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/doctor/trialfit"
)

// Limits on scales that are estimated for all torques at once.
const (
	// Deviations of a scale's logarithm from nothing. On 34 measured logs without a fault the largest was 3.1.
	scaleSure = 4.0
	// Logarithm that a scale must differ by. On the same logs the largest of a torque that takes part was 0.09
	// where its deviation was below 0.05.
	scaleClear = 0.1
	// Part of the reference's torque below which a torque takes no part: errors of sensors and drives are parts
	// of their ranges, which are alike on the joints of a robot. A wrist of 7 % showed 1.15 without a fault.
	scaleHeavy = 0.1
	// Part of a torque that its own fit may leave for it to take part.
	scaleOwn = 0.1
	// Distance, rad or m, over which friction follows a reversal.
	reversalDistance = 0.05
)

// scalesTogether looks for one torque whose scale is off where the joints' equations contradict each other for other
// reasons too: zeros, tilt of gravity and friction with a memory are estimated beside the scales of all torques.
// listed are the contradictions already asked about.
func scalesTogether(rec *recording, t *trialfit.Stacked, listed []contradiction) (f Finding, ok bool) {
	unknown := func(o *trialfit.Joint) bool {
		e := rec.joints[o.Index].effort
		return e.role == current && rec.joints[o.Index].gain == 0
	}
	if len(t.Joints) < 2 || slices.ContainsFunc(t.Joints, unknown) {
		return f, false
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
	heavy := scaleHeavy * t.Joints[reference].Size()
	var off []trialfit.Scale
	taking := 0
	for _, s := range t.Scales(reference, beside) {
		o := t.Joints[s.K]
		if o.Size() < heavy || o.Sigma > scaleOwn*o.Size() || math.IsInf(s.SD, 0) || s.SD > scaleDoubt {
			continue
		}
		taking++
		if l := math.Log(s.Scale); math.Abs(l) > scaleClear && math.Abs(l) > scaleSure*s.SD {
			off = append(off, s)
		}
	}
	if len(off) == 0 {
		return f, false
	}
	worst := slices.MaxFunc(off, func(a, b trialfit.Scale) int {
		return int(math.Copysign(1, math.Abs(math.Log(a.Scale))/a.SD-math.Abs(math.Log(b.Scale))/b.SD))
	})
	k, against := worst.K, "those of the other joints"
	// Two and more that are off alike, with none that is right: the reference is wrong.
	if len(off) > 1 && len(off) == taking && alike(off) {
		k, worst.Scale = reference, 1/worst.Scale
	} else if taking == 1 {
		against = "that of " + rec.joints[t.Joints[reference].Index].effort.name + ", which may be the wrong one as well"
	}
	j := rec.joints[t.Joints[k].Index]
	f = rec.about(GearRatio, Warning, j.effort)
	f.Value, f.Limit, f.Where = worst.Scale, math.Exp(scaleClear), "the whole log"
	f.Why = fmt.Sprintf("%s is %.3g ± %.2g times what the equations ask for beside %s, with zeros, tilt of gravity and friction at reversals estimated too: its gear ratio, drive gain or sensor scale is off",
		j.effort.name, worst.Scale, 2*worst.Scale*worst.SD, against)
	f.Fix = fmt.Sprintf("compare the gear ratio, the gain or the sensor's calibration of joint %s with the data sheet; the equations give the factor to a few percent only, so that {fix} leaves it", j.name)
	return f, true
}

// alike says that scales agree within three deviations of each.
func alike(s []trialfit.Scale) bool {
	for _, a := range s {
		for _, b := range s {
			if math.Abs(math.Log(a.Scale/b.Scale)) > 3*math.Hypot(a.SD, b.SD) {
				return false
			}
		}
	}
	return true
}
