package doctor

import "fmt"

// Limits on couplings between drives.
const (
	// Couplings must explain more than half of the residual: four columns follow any structure a little.
	couplingShare = 0.5
	// Contribution to the torque, of its RMS.
	couplingEffect = 0.015
)

// pair is the sum (+1) or difference (-1) of two joints, or with a sign of 0 the two alone.
type pair struct {
	a, b int
	sign float64
}

func pairOf(a, b int, sign float64) pair { return pair{min(a, b), max(a, b), sign} }

// pairs lists the joints that may share a drive: neighbours, and the next but one, as in wrists whose
// motors sit in the forearm.
func pairs(joints int) []pair {
	var out []pair
	for a := range joints {
		for b := a + 1; b < min(a+3, joints); b++ {
			out = append(out, pair{a, b, 1}, pair{a, b, -1})
		}
	}
	return out
}

// couplings are drives that turn with another joint: its acceleration, velocity and their sum's friction
// in this joint's torque. A pair that is coupled already is not asked again.
func couplings(rec *recording, tr *torqueRows, o *jointFit, coupled map[pair]bool) []hypothesis {
	var out []hypothesis
	me := rec.joints[o.joint]
	for i, other := range rec.joints {
		if i == o.joint || rec.isStill(other) || rec.isStill(me) {
			continue
		}
		both := pairOf(o.joint, i, 0)
		if coupled[both] {
			continue
		}
		for _, sign := range []float64{1, -1} {
			sum := tr.sums[pairOf(o.joint, i, sign)]
			if sum == nil {
				continue
			}
			out = append(out, hypothesis{
				cols:    [][]float64{tr.fddq[i], tr.fdq[i], sum},
				share:   couplingShare,
				least:   couplingEffect,
				couples: both,
				finding: func(g gain) Finding {
					f := rec.about(Coupling, Warning, me.effort)
					f.Value, f.Limit = g.effect/o.size(), couplingEffect
					f.Where = "the whole log"
					op := pick(sign > 0, "+", "-")
					f.Why = fmt.Sprintf("acceleration, velocity and friction of joint %s explain %.0f %% of what the model leaves of %s, %.2g %% of that torque: the motor of joint %s turns with both joints",
						other.name, 100*g.share, me.effort.name, 100*f.Value, me.name)
					later := rec.joints[both.b].name
					first := rec.joints[both.a].name
					f.Fix = fmt.Sprintf("--coupling \"%s=%s%s%s\"", later, first, op, later)
					f.Repair = Repair{Settings: []Setting{{Key: "couplings", Value: fmt.Sprintf("%s=%s%s%s", later, first, op, later)}}}
					return f
				},
			})
		}
	}
	return out
}
