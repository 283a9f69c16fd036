package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/doctor/internal/trialfit"
	"ident/regressor"
)

// powerEffect is the least power that friction must generate to count, as a part of the power that the joint's torque
// exchanges.
const powerEffect = 0.01

// frictionPower is the mean power in W that a joint's friction dissipates by its own fit. It is negative if friction
// certainly drives the joint, and zero if that is uncertain.
type frictionPower struct{ mean, sd float64 }

func (p frictionPower) drives() bool { return p.mean < 0 }

// powerOfFriction looks for friction that drives the joint. The other joints' equations decide later whether the
// torque's sign is wrong or something else.
func powerOfFriction(rec *recording, tr *trialfit.Rows, o *trialfit.Joint) frictionPower {
	p, ok := meanPower(rec.setup, tr, o)
	if !ok || rec.isStill(rec.joints[o.Index]) || slices.ContainsFunc(rec.opt.Terms, otherFriction) {
		return frictionPower{} // other friction terms share the power: these two take only a part of it
	}
	exchanged := 0.0
	for k, v := range tr.DQ[o.Index] {
		exchanged += math.Abs(v*o.Y[k]) / float64(len(tr.T))
	}
	if math.Abs(p.mean) > sureEnough*p.sd && math.Abs(p.mean) > powerEffect*exchanged {
		return p
	}
	return frictionPower{}
}

// meanPower returns the power of viscous and Coulomb friction; ok is false if the joint's model lacks them.
func meanPower(s *setup, tr *trialfit.Rows, o *trialfit.Joint) (p frictionPower, ok bool) {
	link := s.joints[o.Index].link
	x := o.Basis.Solve(o.Y)
	g := make([]float64, len(x))
	for i, c := range o.Cols {
		col := tr.Model.Columns()[c]
		if col.Link != link || col.Drive > 0 || (col.Term != regressor.Fv && col.Term != regressor.Fs) {
			continue
		}
		ok = true
		for _, v := range tr.DQ[o.Index] {
			s := math.Abs(v)
			if col.Term == regressor.Fv {
				s = v * v
			}
			g[i] += s / float64(len(tr.T))
		}
		p.mean += x[i] * g[i]
	}
	p.sd = math.Sqrt(o.Inflate) * o.Sigma * o.Basis.Deviation(g)
	return p, ok
}

// otherFriction reports whether a term is friction other than viscous or Coulomb.
func otherFriction(t regressor.Term) bool {
	return t.Traits().Friction && t != regressor.Fv && t != regressor.Fs
}

// notDissipative reports friction that drives the joint although the sign of its torque is right.
func notDissipative(s *setup, p frictionPower, j joint) Finding {
	f := s.about(FrictionNotDissipative, Warning, j.effort)
	f.Value, f.Limit = p.mean, -sureEnough*p.sd
	f.Where = "the whole log"
	f.Why = fmt.Sprintf("the friction of joint %s gives %.3g ± %.2g W, though the sign of %s fits the other joints: the drive compensated friction before the torque was logged, or the torque comes late",
		j.name, -p.mean, 2*p.sd, j.effort.name)
	f.Fix = "log the torque before friction compensation, or use {terms} links,Ia,Fo if you do not need friction"
	return f
}
