package doctor

import (
	"fmt"
	"slices"
)

// neutral is the part by which turning torques' signs may worsen the fit and still be called neutral.
const neutral = 0.05

// checkSigns finds torques of the wrong sign, and turns them. The first evidence is friction that drives the
// joint: it needs no other joint and no known body; suspects are the joints with it. The other is the fit of
// all joints together, with and without a torque turned.
func checkSigns(rec *recording, t *stackedFit, power []frictionPower, suspects []int) (found findings) {
	now := dot(t.rest, t.rest)
	drives := make([]bool, len(t.joints))
	for _, k := range suspects {
		drives[k] = true
	}
	of := func(k int) frictionPower { return power[t.joints[k].joint] }
	if len(suspects) > 0 && t.withTurned(suspects...) <= now*(1+neutral) {
		for _, k := range suspects {
			found.add(wrongSign(rec, rec.joints[t.joints[k].joint], of(k), true))
			drives[k] = false
		}
		t.turn(suspects...)
		now = dot(t.rest, t.rest)
		suspects = nil
	}
	// One by one, the best first: torques without friction, or with hidden friction.
	for range t.joints {
		best, least := -1, 0.5*now
		for k := range t.joints {
			if s := t.withTurned(k); s < least && (!of(k).drives() || drives[k]) {
				best, least = k, s
			}
		}
		if best < 0 || t.worstMisfit() < 2 {
			break
		}
		found.add(wrongSign(rec, rec.joints[t.joints[best].joint], of(best), drives[best]))
		drives[best] = false
		t.turn(best)
		suspects = slices.DeleteFunc(suspects, func(k int) bool { return k == best })
		now = dot(t.rest, t.rest)
	}
	for _, k := range suspects {
		found.add(notDissipative(rec.setup, of(k), rec.joints[t.joints[k].joint]))
	}
	return found
}

// wrongSign reports the torque of a joint, whose friction may drive.
func wrongSign(rec *recording, j joint, p frictionPower, drives bool) Finding {
	f := rec.about(Sign, Error, j.effort)
	f.Value, f.Limit = -1, 1
	f.Where = "the whole log"
	if drives {
		f.Why = fmt.Sprintf("%s has the wrong sign: with it the friction of joint %s would give %.3g ± %.2g W on average", j.effort.name, j.name, -p.mean, 2*p.sd)
	} else {
		f.Why = fmt.Sprintf("%s has the wrong sign: the other joints' equations fit it only when it is turned", j.effort.name)
	}
	f.Fix = fmt.Sprintf("ident check --fix FILE writes a log with %s turned", j.effort.name)
	f.Repair = Repair{Edits: []Edit{{Channel: j.effort.name, Scale: -1}}}
	if j.effort.role == current && rec.opt.Gains != nil {
		f.Fix += fmt.Sprintf("; or turn the sign of the gain of joint %s in --gains", j.name)
	}
	return f
}
