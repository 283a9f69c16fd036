package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/doctor/internal/trialfit"
)

// Limits on scales of torques.
const (
	scaleLeast = 0.02 // smaller ones matter less than the faults of a rigid model
	scaleDoubt = 0.05 // relative standard deviation of a scale that is believed
	// A scale that contributes less than scaleEffect to the residual (in standard deviations of the own fits, RMS over
	// all rows) must explain scaleShare of the excess. Missing friction follows the torque of a wrist too: on a
	// measured log it contributes 0.4 and explains half of the excess.
	scaleEffect = 0.5
	scaleShare  = 0.65
	// The part of the gain by all joints' factors that a single torque's factor must reach to be preferred if one of
	// them exceeds two. The reason for many is friction that the model lacks, since the drives of a robot are alike.
	single = 0.85
	// Scales of all other torques within this factor of each other are one: that of the torque they are compared with.
	alike = 1.1
	// A scale stands out if the logarithms of the others are below this part of its own.
	standsOut = 0.2
)

// torqueScales returns hypotheses that the torque of one joint is s times what the others' equations require. With h the
// own fit's prediction, y - θ·h satisfies the common equation for 1 - θ = 1/s. The common scale of all torques needs a
// body of known mass. predicted holds the own fits' predictions, stacked.
func torqueScales(rec *recording, t *trialfit.Stacked, predicted [][]float64, asked map[question]bool) []contradiction {
	var out []contradiction
	if len(t.Joints) < 2 {
		return nil
	}
	for k, o := range t.Joints {
		j := rec.joints[o.Index]
		its := question{torqueScale, k}
		if asked[its] || j.effort.role == current && j.gain == 0 {
			continue
		}
		scale := func(g trialfit.Gain) float64 { return 1 / math.Max(1-g.Coef[0], 1e-3) }
		out = append(out, contradiction{
			question: its,
			cols:     [][]float64{predicted[k]},
			matters: func(g trialfit.Gain) bool {
				return math.Abs(scale(g)-1) > scaleLeast && math.Abs(g.Coef[0]) > 5*g.SD &&
					(g.Effect > scaleEffect || g.Share > scaleShare*(1-1/t.Chi2))
			},
			accept: func(g trialfit.Gain) (Finding, bool) {
				// The prediction is scaled like the torque: a few iterations converge for large scales.
				s, sd := 1.0, 0.0
				saved := t.Torques([]int{k})
				for range 8 {
					step := scale(g)
					s *= step
					sd = g.SD * s * step
					t.DivideTorques([]int{k}, []float64{step})
					var ok bool
					if g, ok = t.Added(t.Predicted(k)); !ok || math.Abs(scale(g)-1) < 1e-4 {
						break
					}
				}
				if !(sd < scaleDoubt*s && s > 1e-3 && s < 1e3) {
					t.Restore([]int{k}, saved)
					return Finding{}, false
				}
				f := rec.about(GearRatio, Warning, j.effort)
				f.Value, f.Limit, f.Where = s, 1+scaleLeast, "the whole log"
				f.Why = fmt.Sprintf("%s is scaled by %.4g ± %.2g relative to the other joints: its gear ratio, drive gain or sensor scale is off by %.2g %%",
					j.effort.name, s, 2*sd, 100*math.Abs(s-1))
				if len(t.Joints) < 3 {
					f.Fix = oneOfTwo
					return f, true
				}
				f.Fix = fmt.Sprintf("{mend} writes a log with %s divided by %.4g; or correct the gear ratio or {gains} of joint %s", j.effort.name, s, j.name)
				f.Repair = Repair{Edits: []Edit{{Channel: j.effort.name, Scale: 1 / s}}}
				return f, true
			},
		})
	}
	return out
}

// oneOfTwo is what to do about the scale of one of two torques.
const oneOfTwo = "two torques tell only the ratio of their scales: compare gains or gear ratios of both joints with the data sheet"

// commonScales returns the hypothesis that every torque has its own scale, like motor currents taken for torques. The
// common scale is free, so the joint with the largest torque is held.
func commonScales(rec *recording, t *trialfit.Stacked, predicted [][]float64) []contradiction {
	var cols [][]float64
	var ks []int
	for k, o := range t.Joints {
		j := rec.joints[o.Index]
		if j.effort.role == torque || j.gain != 0 {
			cols, ks = append(cols, predicted[k]), append(ks, k)
		}
	}
	if len(cols) < 4 {
		return nil
	}
	held := 0
	for i, k := range ks {
		if t.Joints[k].Size() > t.Joints[ks[held]].Size() {
			held = i
		}
	}
	reference := rec.joints[t.Joints[ks[held]].Index].effort.name
	ref := ks[held]
	cols, ks = slices.Delete(cols, held, held+1), slices.Delete(ks, held, held+1)
	off := func(g trialfit.Gain) (n int) {
		for _, c := range g.Coef {
			if math.Abs(c) > scaleLeast {
				n++
			}
		}
		return n
	}
	return []contradiction{{
		question: question{kind: allScales},
		cols:     cols,
		matters:  func(g trialfit.Gain) bool { return 2*off(g) > len(cols) },
		accept: func(g trialfit.Gain) (Finding, bool) {
			saved := t.Torques(ks)
			scales, step := t.FindScales(ks, g)
			if step > scaleLeast || slices.Max(scales) > 100 || slices.Min(scales) < 0.01 {
				t.Restore(ks, saved)
				return Finding{}, false
			}
			var heavy []float64 // scales of the torques that are large enough to be compared
			most, next := 0.0, 0.0
			for i, k := range ks {
				if t.Joints[k].Size() >= trialfit.ScaleHeavy*t.Joints[ref].Size() {
					heavy = append(heavy, scales[i])
					off := math.Abs(math.Log(scales[i]))
					most, next = max(most, off), max(next, min(most, off))
				}
			}
			if next < standsOut*most || most == 0 { // a single torque, which has its own hypothesis, or torques of wrists, which consist mostly of friction
				t.Restore(ks, saved)
				return Finding{}, false
			}
			if low, high := slices.Min(heavy), slices.Max(heavy); high < alike*low && (low > 1 || high < 1) {
				// All others are off by one factor: it is the reference's.
				t.Restore(ks, saved)
				slices.Sort(heavy)
				s := 1 / heavy[len(heavy)/2]
				t.DivideTorques([]int{ref}, []float64{s})
				j := rec.joints[t.Joints[ref].Index]
				f := rec.about(GearRatio, Warning, j.effort)
				f.Value, f.Limit, f.Where = s, 1+scaleLeast, "the whole log"
				f.Why = fmt.Sprintf("%s is scaled by about %.3g relative to the other joints, which agree with each other: its gear ratio, drive gain or sensor scale is off", reference, s)
				f.Fix = fmt.Sprintf("{mend} writes a log with %s divided by %.3g; or correct the gear ratio or {gains} of joint %s", reference, s, j.name)
				f.Repair = Repair{Edits: []Edit{{Channel: reference, Scale: 1 / s}}}
				return f, true
			}
			text := ""
			worst := 1.0
			for i, k := range ks {
				text += pick(i > 0, ", ", "") + fmt.Sprintf("%s %.3g", rec.joints[t.Joints[k].Index].effort.name, scales[i])
				if math.Abs(math.Log(scales[i])) > math.Abs(math.Log(worst)) {
					worst = scales[i]
				}
			}
			f := Finding{ID: CurrentAsTorque, Severity: Warning, Value: worst, Limit: 1 + scaleLeast, Where: "the whole log"}
			f.Why = fmt.Sprintf("the torques fit each other only with a factor for each joint (beside %s: %s): motor currents, or motor-side torques, without the drives' gains", reference, text)
			f.Fix = "map these channels as currents, {map} i1=CHANNEL for each joint, and give {gains}"
			return f, true
		},
	}}
}
