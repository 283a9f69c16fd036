package doctor

import (
	"fmt"
	"ident/internal/projection"
	"math"
	"slices"

	"ident/regressor"
)

// neutral is the part by which turning torques' signs may worsen the fit and still be called neutral.
const neutral = 0.05

// checkSigns finds torques of the wrong sign, and turns them. The first evidence is friction that drives the
// joint: it needs no other joint and no known body; suspects are the joints with it. The other is the fit of
// all joints together, with and without a torque turned.
func checkSigns(rec *recording, t *stackedFit, power []frictionPower, suspects []int) (found findings) {
	now := projection.Dot(t.rest, t.rest)
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
		now = projection.Dot(t.rest, t.rest)
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
		now = projection.Dot(t.rest, t.rest)
	}
	for _, k := range suspects {
		found.add(notDissipative(rec.setup, of(k), rec.joints[t.joints[k].joint]))
	}
	return found
}

// allSigns finds that all torques have the wrong sign, which the joints' equations cannot contradict: the kinetic
// energy that the parameters give to accelerations is negative, or friction drives more joints, the
// suspects, than it brakes and the energy leaves it open. nil where the signs are right.
func allSigns(rec *recording, t *stackedFit, power []frictionPower, suspects []int) (found findings) {
	energy, sd := t.energy(rec)
	negative := energy < -sureEnough*sd
	brakes := 0
	for _, o := range t.joints {
		if power[o.joint].mean > 0 {
			brakes++
		}
	}
	if energy > sureEnough*sd || !negative && (len(suspects) < 2 || len(suspects) <= brakes) {
		return nil
	}
	for _, o := range t.joints {
		j := rec.joints[o.joint]
		f := wrongSign(rec, j, frictionPower{}, false)
		f.Why = fmt.Sprintf("%s has the wrong sign, with all other torques: the inertia of the whole robot would be negative", j.effort.name)
		if !negative {
			f.Why = fmt.Sprintf("%s has the wrong sign, with all other torques: the friction of %d of %d joints would give power instead of taking it", j.effort.name, len(suspects), len(t.joints))
		}
		found.add(f)
	}
	return found
}

// energy is the mean of ddqᵀ·M(q)·ddq over the rows with its standard deviation: positive for every body and
// rotor, whatever gravity and friction are.
func (t *stackedFit) energy(rec *recording) (mean, sd float64) {
	tr := t.tr
	still := make([][]float64, len(tr.fdq))
	for j := range still {
		still[j] = make([]float64, len(tr.t))
	}
	m := rec.withGravity([3]float64{}).Select(tr.base)
	block := m.NewBlock(len(tr.t))
	m.Eval(block, tr.q, still, tr.fddq, m.NewWorkspace())
	g := make([]float64, len(t.x))
	for j := range block.Joint {
		for i, c := range m.Mask(j) {
			switch m.Columns()[c].Term {
			case regressor.Links, regressor.Ia:
				g[c] += projection.Dot(block.Joint[j][i], tr.fddq[j]) / float64(len(tr.t))
			}
		}
	}
	for c, v := range g {
		mean += v * t.x[c]
	}
	all := make([]float64, t.basis.Offered) // columns beside the model's have no energy
	copy(all, g)
	return mean, math.Sqrt(t.inflation()*t.chi2) * t.basis.Deviation(all)
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
