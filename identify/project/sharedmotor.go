package project

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/identify/regression"
	"ident/result"
)

const (
	// sharedPart is the part of a joint's residual that the motion of the other joint must explain, for both joints: a motor that
	// turns with both acts on both. Three columns follow a residual of another cause a little; a half of it is no chance.
	sharedPart = 0.5
	// sharedEffect is the least residual of both joints, as a part of the torque's root mean square.
	sharedEffect = 0.015
	// sharedRows bounds the rows of a run that are looked at: three numbers are estimated.
	sharedRows = 4000
)

// ShareMotor looks for two joints whose residuals, after a fit without couplings, are each explained by acceleration, velocity and friction of
// the other joint's motion, as of a motor that turns with both. It compares fits with that coupling and without on rows left out, as for
// couplings that the check proposes. It reports whether the coupling was adopted: the job must then be fitted again.
func (j *Job) ShareMotor(ctx context.Context, out *regression.Outcome) (bool, error) {
	names := JointNames(j.Session.Robot)
	if !j.Settings.choosesCoupling() || len(j.couplings()) > 0 || len(j.Session.Robot.Drives) > 0 || j.commands != nil || len(names) != len(out.Result.Joints) {
		return false, nil
	}
	a, b, ok := sharedMotor(out.Residuals, len(names))
	if !ok {
		return false, nil
	}
	with := func(op string) []string { return []string{names[b] + "=" + names[a] + op + names[b]} }
	return j.compareCouplings(ctx, [][]string{with("+"), with("-")})
}

// sharedMotor returns the two joints, the earlier first, of whose residuals the motion of the other explains most, and whether that is enough.
func sharedMotor(runs []result.ResidualRun, joints int) (first, second int, ok bool) {
	var seen []motion
	for i := range runs {
		if r := &runs[i]; r.Role == "train" && len(r.Position) == joints {
			seen = append(seen, motionOf(r))
		}
	}
	most := sharedPart
	for a := range joints {
		for b := a + 1; b < joints; b++ {
			for _, s := range []float64{1, -1} {
				if part := min(explainedPart(seen, a, b, s), explainedPart(seen, b, a, s)); part >= most {
					first, second, ok, most = a, b, true, part
				}
			}
		}
	}
	return first, second, ok
}

// motion holds residuals and motion of a run by joint, at a part of its rows.
type motion struct{ residual, torque, dq, ddq [][]float64 }

// motionOf differentiates the positions of a run at evenly spread rows.
func motionOf(r *result.ResidualRun) motion {
	step := 1 + len(r.T)/sharedRows
	m := motion{}
	for k, q := range r.Position {
		var e, tau, dq, ddq []float64
		for i := 1; i+1 < len(r.T); i += step {
			before, after := r.T[i]-r.T[i-1], r.T[i+1]-r.T[i]
			if math.Abs(after-before) > 0.1*before {
				continue // a gap
			}
			v0, v1 := (q[i]-q[i-1])/before, (q[i+1]-q[i])/after
			e, tau = append(e, r.Measured[k][i]-r.Predicted[k][i]), append(tau, r.Measured[k][i])
			dq, ddq = append(dq, (v0+v1)/2), append(ddq, (v1-v0)/before)
		}
		m.residual, m.torque, m.dq, m.ddq = append(m.residual, e), append(m.torque, tau), append(m.dq, dq), append(m.ddq, ddq)
	}
	return m
}

// explainedPart returns the part of the squared residual of a joint that acceleration and velocity of another, and the sign of the sum or
// the difference of their velocities, explain by least squares; 0 if the residual is small.
func explainedPart(runs []motion, joint, other int, sign float64) float64 {
	normal, right := mat.NewSymDense(3, nil), mat.NewVecDense(3, nil)
	var left, torque float64
	for _, m := range runs {
		for i, e := range m.residual[joint] {
			sum := m.dq[joint][i] + sign*m.dq[other][i]
			x := [3]float64{m.ddq[other][i], m.dq[other][i], 0}
			if sum != 0 { // joints that move as one have no difference
				x[2] = math.Copysign(1, sum)
			}
			for a := range x {
				for b := a; b < len(x); b++ {
					normal.SetSym(a, b, normal.At(a, b)+x[a]*x[b])
				}
				right.SetVec(a, right.AtVec(a)+x[a]*e)
			}
			left, torque = left+e*e, torque+m.torque[joint][i]*m.torque[joint][i]
		}
	}
	var chol mat.Cholesky
	if !(left > sharedEffect*sharedEffect*torque) || !chol.Factorize(normal) {
		return 0
	}
	var x mat.VecDense
	if chol.SolveVecTo(&x, right) != nil {
		return 0
	}
	return mat.Dot(&x, right) / left
}
