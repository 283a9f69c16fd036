package doctor

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/doctor/trialfit"
	"ident/internal/projection"
	"ident/regressor"
)

// Limits on the torques that the bodies of the robot file make.
const (
	// Sum over the torques of the logarithms of their residuals' norms, by which an arrangement must bring the
	// file's torques nearer to the log's. Nothing is fitted but friction and rotor: of a hundred arrangements the
	// best gains half of one by chance.
	fileGains = 1.3
	// Geometric mean of the residuals, as parts of the torques, under which the file is believed.
	fileClose = 0.25
	// Factor on the residual of the identified parameters within which the file's are as good as they.
	fileAgrees = 1.5
	// Factor by which the file's bodies leave more of a torque than friction alone, without any body.
	fileWorse = 1.3
	// Part of a torque that identified bodies may leave for the torque to be one that bodies make.
	fileMade = 0.3
)

// fileValues are the parameters of the bodies in the robot file, one a column of the model of all terms; nil
// where the file has none.
func (rec *recording) fileValues() []float64 {
	m := rec.model
	x := make([]float64, len(m.Columns()))
	any := false
	for c, col := range m.Columns() {
		if col.Term != regressor.Links || !rec.robot.Links[col.Link].HasInertial {
			continue
		}
		if v, ok := regressor.ValueOf(rec.robot, col); ok && v != 0 {
			x[c], any = v, true
		}
	}
	if !any {
		return nil
	}
	return x
}

// fileResidual is the part of every torque that the bodies of the robot file leave under an arrangement, and the
// part that no bodies leave; friction, rotor and offset of each joint are fitted. sum is that of the logarithms of
// the first.
func (s *arrangementSearch) fileResidual(a arrangement, x []float64) (sum float64, left, bare []float64) {
	m := s.arrangedMotion(a)
	model := s.model
	if a.gravity != nil {
		model = s.withGravity(*a.gravity)
	}
	pred := trialfit.Predict(model, x, m.q, m.dq, m.ddq)
	rows := len(m.q[0])
	ones := make([]float64, rows)
	for k := range ones {
		ones[k] = 1
	}
	for j := range s.joints {
		o := s.fitOf(a.effort[j])
		if o == nil {
			continue
		}
		counted := func(x []float64) []float64 {
			y := make([]float64, rows)
			for k, v := range x {
				if !o.Lost[k*m.every] {
					y[k] = v
				}
			}
			return y
		}
		friction := projection.Basis{Rows: rows}
		for _, c := range [][]float64{m.dq[j], m.sign[j], m.ddq[j], ones} {
			friction.Offer(counted(c))
		}
		y := m.take(o.Y, a.turn[j], 0)
		size := max(projection.Norm(y), math.SmallestNonzeroFloat64)
		bare = append(bare, projection.Norm(friction.Residual(y))/size)
		for k, v := range pred[j] {
			y[k] -= v
		}
		left = append(left, max(projection.Norm(friction.Residual(counted(y)))/size, projection.FloorSpread))
		sum += math.Log(left[len(left)-1])
	}
	return sum, left, bare
}

// byFile searches an arrangement under which the torques are those of the bodies in the robot file: exchanged or
// turned joints, zeros and a clock that identified parameters absorb. free are the residuals of those under the
// file's arrangement.
func (s *arrangementSearch) byFile(ctx context.Context, free []float64) (Finding, bool) {
	x := s.fileValues()
	unknown := slices.ContainsFunc(s.fit.Joints, func(o *trialfit.Joint) bool {
		return s.joints[o.Index].effort.role == current && s.joints[o.Index].gain == 0
	})
	if x == nil || unknown {
		return Finding{}, false
	}
	plain, left, bare := s.fileResidual(s.asInFile(), x)
	agrees := true
	for j, v := range left {
		agrees = agrees && (v < fileAgrees*free[j] || v > fileMade && free[j] > fileMade)
	}
	if agrees {
		return Finding{}, false
	}
	best, least := arrangement{}, plain-fileGains
	try := func(a arrangement) float64 {
		sum, _, _ := s.fileResidual(a, x)
		// Where a zero half a turn off fits as an exchange does, the latter is more likely.
		if sum < least || a.id == JointOrder && best.id == Offset && sum < least+0.1 {
			best, least = a, sum
		}
		return sum
	}
	for _, a := range append(s.arrangements(), append(s.clocks(), s.allTurned())...) {
		if a.id != Gravity && ctx.Err() == nil {
			try(a)
		}
	}
	for j := range s.joints {
		if s.joints[j].q == nil || !s.isRevolute(j) || ctx.Err() != nil {
			continue
		}
		at, lowest := 0.0, plain
		for _, d := range []float64{0.1, -0.1, 0.3, -0.3, 0.7, -0.7} {
			if v, _, _ := s.fileResidual(s.zero(j, d), x); v < lowest {
				at, lowest = d, v
			}
		}
		for step := 0.1; at != 0 && step > 0.01; step /= 2 {
			for _, d := range []float64{at - step, at + step} {
				if v, _, _ := s.fileResidual(s.zero(j, d), x); v < lowest {
					at, lowest = d, v
				}
			}
		}
		if at != 0 {
			try(s.zero(j, at))
		}
	}
	if each := float64(len(left)); best.id != "" && math.Exp(least/each) < fileClose {
		f := s.finding(best, math.Exp((least-plain)/each), math.Exp(-fileGains/each))
		f.Why = fmt.Sprintf("%s: the bodies of the robot file then leave %.2g of the torques, and %.2g now", best.text, math.Exp(least/each), math.Exp(plain/each))
		return f, true
	}
	return s.mismatch(left, bare, free)
}

// mismatch reports bodies of the robot file that are worse than none on most of the torques that bodies make.
func (s *arrangementSearch) mismatch(left, bare, free []float64) (f Finding, ok bool) {
	made, worse, most := 0, 0, 0.0
	for j, v := range left {
		if free[j] < fileMade*bare[j] {
			made++
			if v > fileWorse*bare[j] {
				worse++
			}
			most = max(most, v)
		}
	}
	if made < 2 || 2*worse <= made || s.placeholders() {
		return f, false
	}
	f = Finding{ID: RobotMismatch, Severity: Warning, Value: most, Limit: fileWorse, Where: "the whole log"}
	f.Why = fmt.Sprintf("the bodies of the robot file leave more of %d of %d torques than no bodies at all, up to %.2g times the torque: the file is another robot's, or its bodies are", worse, made, most)
	f.Fix = "--robot with the file of this robot; or correct the bodies in the file, where it is"
	return f, true
}

// placeholders tells whether all bodies of the robot file have one mass, as those that a drawing program makes up.
func (s *arrangementSearch) placeholders() bool {
	mass := 0.0
	for _, l := range s.robot.Links {
		if m := l.Own.Mass(); m != 0 && mass != 0 && math.Abs(m-mass) > 1e-9*mass {
			return false
		} else if m != 0 {
			mass = m
		}
	}
	return true
}
