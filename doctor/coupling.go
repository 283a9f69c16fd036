package doctor

import (
	"fmt"

	"ident/doctor/internal/trialfit"
	"ident/robot"
)

// Limits on couplings between drives.
const (
	// Couplings must explain more than half of the residual: four columns follow any structure a little.
	couplingShare = 0.5
	// The least contribution of a coupling to the torque, as a part of the torque's RMS.
	couplingEffect = 0.015
)

// couplings returns hypotheses that the drive also turns with another joint: columns for that joint's acceleration,
// velocity and friction of the sum. It skips pairs already coupled.
func couplings(rec *recording, tr *trialfit.Rows, o *trialfit.Joint, coupled map[trialfit.Pair]bool) []hypothesis {
	var out []hypothesis
	me := rec.joints[o.Index]
	for i, other := range rec.joints {
		if i == o.Index || rec.isStill(other) || rec.isStill(me) {
			continue
		}
		both := trialfit.PairOf(o.Index, i, 0)
		if coupled[both] {
			continue
		}
		for _, sign := range []float64{1, -1} {
			sum := tr.Sums[trialfit.PairOf(o.Index, i, sign)]
			if sum == nil {
				continue
			}
			out = append(out, hypothesis{
				cols:    [][]float64{tr.FDDQ[i], tr.FDQ[i], sum},
				share:   couplingShare,
				least:   couplingEffect,
				couples: both,
				finding: func(g trialfit.Gain) Finding {
					f := rec.about(Coupling, Warning, me.effort)
					f.Value, f.Limit = g.Effect/o.Size(), couplingEffect
					f.Where = "the whole log"
					f.Why = fmt.Sprintf("acceleration, velocity and friction of joint %s explain %.0f %% of the residual of %s, %.2g %% of that torque: the motor of joint %s turns with both joints",
						other.name, 100*g.Share, me.effort.name, 100*f.Value, me.name)
					rec.coupled(&f, trialfit.PairOf(o.Index, i, sign))
					return f
				},
			})
		}
	}
	return out
}

// coupled sets the repair of a finding that the drive of the later of two joints turns with both.
func (rec *recording) coupled(f *Finding, p trialfit.Pair) {
	later, first := rec.joints[p.B].name, rec.joints[p.A].name
	value := fmt.Sprintf("%s=%s%s%s", later, first, pick(p.Sign > 0, "+", "-"), later)
	f.couples, f.Fix = p, fmt.Sprintf("{couplings} \"%s\"", value)
	f.Repair = Repair{Settings: []Setting{{Key: "couplings", Value: value}}}
}

// tryCoupling fits the log with the drive that a finding tells, all joints together: a joint's own equation has far more parameters than
// the robot, and a short log does not determine them.
func (m *mending) tryCoupling(f *Finding) Trial {
	s, err := newSetup(m.robot, m.channels, m.roles, m.opt)
	if err != nil || f.couples.Sign == 0 {
		return Trial{Outcome: declined}
	}
	a, b := s.joints[f.couples.A].link, s.joints[f.couples.B].link
	o := m.with(func(*Options) {})
	o.robot = m.robot.Clone()
	o.robot.Drives = append(o.robot.Drives, robot.Drive{Number: b, Weights: map[int]float64{a: 1, b: f.couples.Sign}})
	return outcome(m.leftOut(m.cols), o.leftOut(m.cols))
}
