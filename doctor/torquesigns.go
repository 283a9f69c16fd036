package doctor

import (
	"fmt"
	"slices"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/trialfit"
)

// neutral is the relative increase of the residual up to which reversing torque signs counts as neutral.
const neutral = 0.05

// checkSigns finds torques with the wrong sign and reverses them. The first evidence is friction that drives the joint,
// which needs neither other joints nor known bodies; suspects are the joints with it. The second is the fit of all
// joints together, with and without a torque reversed.
func checkSigns(rec *recording, t *trialfit.Stacked, power []frictionPower, suspects []int) (found findings) {
	now := projection.Dot(t.Rest, t.Rest)
	drives := make([]bool, len(t.Joints))
	for _, k := range suspects {
		drives[k] = true
	}
	of := func(k int) frictionPower { return power[t.Joints[k].Index] }
	if len(suspects) > 0 && t.WithTurned(suspects...) <= now*(1+neutral) {
		for _, k := range suspects {
			found.add(wrongSign(rec, rec.joints[t.Joints[k].Index], of(k), true))
			drives[k] = false
		}
		t.Turn(suspects...)
		now = projection.Dot(t.Rest, t.Rest)
		suspects = nil
	}
	// One by one, the best first: torques without friction, or with masked friction.
	for range t.Joints {
		best, least := -1, 0.5*now
		for k := range t.Joints {
			if of(k).drives() && !drives[k] || t.LeastTurned(k) >= least {
				continue
			}
			if s := t.WithTurned(k); s < least {
				best, least = k, s
			}
		}
		if best < 0 || t.WorstMisfit() < 2 {
			break
		}
		found.add(wrongSign(rec, rec.joints[t.Joints[best].Index], of(best), drives[best]))
		drives[best] = false
		t.Turn(best)
		suspects = slices.DeleteFunc(suspects, func(k int) bool { return k == best })
		now = projection.Dot(t.Rest, t.Rest)
	}
	for _, k := range suspects {
		found.add(notDissipative(rec.setup, of(k), rec.joints[t.Joints[k].Index]))
	}
	return found
}

// allSigns finds that all torques have the wrong sign, which the joints' equations cannot contradict. Either the
// parameters give accelerations a negative kinetic energy. Or the energy is inconclusive and friction drives more joints
// (the suspects) than it brakes; for long chains a part of them suffices. It returns nil if the signs are right.
func allSigns(rec *recording, t *trialfit.Stacked, power []frictionPower, suspects []int) (found findings) {
	energy, sd := t.Energy(rec.models.WithGravity([3]float64{}).Select(t.Equations.Base))
	negative := energy < -sureEnough*sd
	brakes := 0
	for _, o := range t.Joints {
		if power[o.Index].mean > 0 {
			brakes++
		}
	}
	if energy > sureEnough*sd || !negative && (len(suspects) < 2 || len(suspects) <= brakes || len(suspects) <= len(t.Joints)/8) {
		return nil
	}
	for _, o := range t.Joints {
		j := rec.joints[o.Index]
		f := wrongSign(rec, j, frictionPower{}, false)
		f.Why = fmt.Sprintf("%s has the wrong sign, with all other torques: the inertia of the whole robot would be negative", j.effort.name)
		if !negative {
			f.Why = fmt.Sprintf("%s and all other torques have the wrong sign: the friction of %d of %d joints would give power instead of taking it", j.effort.name, len(suspects), len(t.Joints))
		}
		found.add(f)
	}
	return found
}

// wrongSign returns the finding for a joint's torque; drives says whether its friction drives the joint.
func wrongSign(rec *recording, j joint, p frictionPower, drives bool) Finding {
	f := rec.about(Sign, Error, j.effort)
	f.Value, f.Limit = -1, 1
	f.Where = "the whole log"
	if drives {
		f.Why = fmt.Sprintf("%s has the wrong sign: with it the friction of joint %s would give %.3g ± %.2g W on average", j.effort.name, j.name, -p.mean, 2*p.sd)
	} else {
		f.Why = fmt.Sprintf("%s has the wrong sign: the other joints' equations fit it only with the opposite sign", j.effort.name)
	}
	f.Repair = Repair{Edits: []Edit{{Channel: j.effort.name, Scale: -1}}}
	f.Fix = fmt.Sprintf("%s; or {mend} writes a log with the sign of %s reversed", turned(&f.Repair), j.effort.name)
	if j.effort.role == current && rec.opt.State.Gains != nil {
		f.Fix += fmt.Sprintf("; or reverse the sign of the gain of joint %s in {gains}", j.name)
	}
	return f
}
