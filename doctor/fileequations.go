package doctor

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/trialfit"
	"ident/regressor"
	"ident/robot"
)

// Limits on the torques of the robot file's bodies.
const (
	// An arrangement must lower the sum of the logarithms of the file's residual norms by this much. Only friction and
	// rotor inertia are fitted; of a hundred arrangements the best gains 0.5 by chance.
	fileGains = 1.3
	// Geometric mean of the residuals, as parts of the torques, below which the file is trusted.
	fileClose = 0.25
	// Factor on the residual of the identified parameters within which the file's are as good.
	fileAgrees = 1.5
	// The same limit if the identified parameters gain as much by the arrangement. In 26 measured logs without a fault
	// no arrangement gains 0.05 in both.
	bothGain = 0.25
	// Mean part of the body torques that the file's bodies leave, from which the file is another robot's. Files of six
	// measured robots leave 0.09 to 0.20, those of other robots 0.33 to 0.9.
	fileForeign = 0.3
	// Factor by which the file's bodies leave more of a torque than friction without any body.
	fileWorse = 1.3
	// Factor on the sampling rate from which the file's bodies are trusted about the clock: bodies wrong by tens of per
	// cent suggest smaller factors.
	surelyClock = 1.5
	// The part of the file's residual that such a clock may leave to be more than Info.
	clockLeaves = 0.63
	// The largest part of a torque left by identified bodies for which the torque counts as made by bodies.
	fileMade = 0.3
)

// fileValues returns the parameters of the robot file's bodies, one per column of the model of all terms, or nil if the
// file has none. The load that the run carries, once weighed, is among them.
func (rec *recording) fileValues() []float64 {
	m := rec.models.Full()
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
	for c, col := range m.Columns() {
		if rec.carries != nil && col.Term == regressor.Links && col.Link == rec.carries.Link {
			x[c] += rec.load[col.Param]
		}
	}
	return x
}

// fileTorques predicts the torques of the robot file's bodies at the examined rows.
type fileTorques struct {
	model    *regressor.Torques
	x        []float64 // parameters of the model
	friction map[frictionOf]*fileFriction
	y        []float64
}

// frictionOf identifies the friction of a joint under an arrangement: the joint that gives the motion and the joint that
// gives the torque. Reversed motion or another clock span the same columns.
type frictionOf struct{ from, effort int }

// fileFriction is the basis of that friction, and the part of the torque that it leaves without bodies.
type fileFriction struct {
	projection.Few
	torque     []float64 // that size and bare are of
	size, bare float64
}

// fileResidual returns the part of every torque that the robot file's bodies leave under an arrangement (left) and the
// part without bodies (bare), with friction, rotor inertia and offset of each joint fitted. sum adds the logarithms of
// left.
func (s *arrangementSearch) fileResidual(a arrangement, x []float64) (sum float64, left, bare []float64) {
	r := s.rearranged()
	m := r.Motion(&a.Change)
	file := &s.memory.file
	if file.model == nil {
		model, own := s.models.Predicting(x)
		*file = fileTorques{regressor.NewTorques(model), own, map[frictionOf]*fileFriction{}, make([]float64, r.Rows())}
	}
	// If loops cannot be followed, the rows from there on are NaN.
	switch states := (regressor.Batch{Q: m.Q, DQ: m.DQ, DDQ: m.DDQ}); {
	case a.gravity != nil:
		_ = regressor.NewTorques(s.models.WithGravity(*a.gravity)).Eval(m.Torques, states, x)
		m.Predicted = false // of the file's gravity
	case !m.Predicted:
		_ = file.model.Eval(m.Torques, states, file.x)
		m.Predicted = true
	}
	for j := range s.joints {
		torque, lost := r.Torque(a.Effort[j])
		if torque == nil {
			continue
		}
		friction := s.friction(m, torque, lost, frictionOf{a.From[j], a.Effort[j]}, j)
		y, predicted := file.y, m.Torques[j]
		for k := range y {
			if y[k] = a.Turn[j]*torque[k] - predicted[k]; lost[k] {
				y[k] = 0
			}
		}
		size := math.Abs(a.Turn[j]) * friction.size
		bare = append(bare, friction.bare)
		left = append(left, max(friction.Left(y)/size, projection.FloorSpread))
		sum += math.Log(left[len(left)-1])
	}
	return sum, left, bare
}

// friction returns the basis of friction, rotor inertia and offset of joint j, in the rows for which its torque counts.
func (s *arrangementSearch) friction(m *trialfit.Moved, torque []float64, lost []bool, of frictionOf, j int) *fileFriction {
	b := s.memory.file.friction[of]
	if b != nil && &b.torque[0] == &torque[0] {
		return b
	}
	b = &fileFriction{torque: torque, size: max(projection.Norm(torque), math.SmallestNonzeroFloat64)}
	counted := s.memory.file.y
	for _, c := range [][]float64{m.DQ[j], m.Sign[j], m.DDQ[j], nil} {
		for k := range counted {
			switch {
			case lost[k]:
				counted[k] = 0
			case c == nil: // the offset
				counted[k] = 1
			default:
				counted[k] = c[k]
			}
		}
		b.Offer(counted)
	}
	b.bare = b.Left(torque) / b.size
	s.memory.file.friction[of] = b
	return b
}

// byFile searches for an arrangement under which the robot file's bodies produce the torques: exchanged or reversed
// joints, zeros, or a clock that identified parameters absorb. free holds the residuals of the identified parameters
// under the file's arrangement.
func (s *arrangementSearch) byFile(ctx context.Context, free []float64) (Finding, bool) {
	x := s.fileValues()
	if x == nil || s.unknownGains() {
		return Finding{}, false
	}
	plain, left, bare := s.fileResidual(s.asInFile(), x)
	arrangements := s.arrangements()
	sums := make([]float64, len(arrangements))
	for i, a := range arrangements {
		if ctx.Err() == nil {
			sums[i], _, _ = s.fileResidual(a, x)
		}
	}
	each := float64(len(left))
	agrees := true
	for j, v := range left {
		agrees = agrees && (v < fileAgrees*free[j] || v > fileMade && free[j] > fileMade)
	}
	if agrees {
		return s.byBoth(ctx, arrangements, sums, plain, each, free)
	}
	nearer := func(starts []float64, of func(d float64) arrangement) (at, lowest float64) {
		return trialfit.Lowest(plain, starts, 0.1, 0.01, func(d float64) float64 {
			if ctx.Err() != nil {
				return plain
			}
			sum, _, _ := s.fileResidual(of(d), x)
			return sum
		})
	}
	for j := range s.joints {
		if s.joints[j].q == nil || s.isStill(s.joints[j]) {
			continue
		}
		if at, lowest := nearer([]float64{0.2, -0.2}, func(d float64) arrangement { return s.scaledMotion(j, math.Exp(d)) }); at != 0 {
			arrangements, sums = append(arrangements, s.scaledMotion(j, math.Exp(at))), append(sums, lowest)
		}
	}
	gains := fileGains * s.chance()
	best, least := arrangement{}, plain-gains
	try := func(a arrangement, sum float64) {
		// If a zero half a turn off fits as well as an exchange, the exchange is more likely.
		if sum < least || a.id == JointOrder && best.id == Offset && sum < least+0.1 {
			best, least = a, sum
		}
	}
	for i, a := range arrangements {
		// Bodies some ten per cent off fit better with stretched motion too. With a wrong ratio identified bodies fit
		// better as well; byBoth tests that.
		if a.id != GearRatio && ctx.Err() == nil {
			try(a, sums[i])
		}
	}
	for _, a := range append(s.clocks(), s.allTurned()) {
		if ctx.Err() == nil {
			sum, _, _ := s.fileResidual(a, x)
			try(a, sum)
		}
	}
	for j := range s.joints {
		if s.joints[j].q == nil || !s.isRevolute(j) {
			continue
		}
		if at, lowest := nearer([]float64{0.1, -0.1, 0.3, -0.3, 0.7, -0.7}, func(d float64) arrangement { return s.zero(j, d) }); at != 0 {
			try(s.zero(j, at), lowest)
		}
	}
	ofTorque := false
	if best.id == ClockRate && slices.ContainsFunc(s.joints, func(j joint) bool { return j.dq != nil }) {
		// Logged velocities have confirmed the clock. A single torque of wrong scale, not fixed by gravity, also
		// suggests another clock.
		clock := least
		for j := range s.joints {
			if s.joints[j].effort == nil {
				continue
			}
			at, lowest := nearer([]float64{0.7, -0.7}, func(d float64) arrangement { return s.scaledTorque(j, math.Exp(d)) })
			if at != 0 && plain-lowest > 0.5*(plain-clock) && (!ofTorque || lowest < least) {
				best, least, ofTorque = s.scaledTorque(j, math.Exp(at)), lowest, true
			}
		}
	}
	if best.id != "" && math.Exp(least/each) < fileClose {
		f := s.finding(best, math.Exp((least-plain)/each), math.Exp(-gains/each))
		f.ofFile = true
		if ofTorque {
			f.Channel = s.joints[best.joints[0]].effort.name
		}
		// The file's masses are often wrong by tens of per cent: alone they only give an Info. See recording.proven.
		f.Severity = Info
		if (best.id == Gravity || best.id == ClockRate && math.Abs(math.Log(best.Clock)) > math.Log(surelyClock)) && math.Exp((least-plain)/each) < clockLeaves {
			f.Severity = Warning // no rough file makes the motion fit under another gravity, or at half or twice the rate
		}
		f.Why = fmt.Sprintf("%s: with this change the robot file's bodies leave %.2g of the torques (%.2g without it)", best.tell().text, math.Exp(least/each), math.Exp(plain/each))
		return f, true
	}
	if f, ok := s.byBoth(ctx, arrangements, sums, plain, each, free); ok {
		return f, true
	}
	return s.mismatch(left, bare, free)
}

// unknownGains reports whether a joint has a motor current without a gain.
func (s *arrangementSearch) unknownGains() bool {
	return slices.ContainsFunc(s.fit.Joints, func(o *trialfit.Joint) bool {
		return s.joints[o.Index].effort.role == current && s.joints[o.Index].gain == 0
	})
}

// byBoth searches for an arrangement under which both the robot file's bodies and identified ones fit the torques
// better. sums holds the file's sum of logarithms under each arrangement, plain the present one.
func (s *arrangementSearch) byBoth(ctx context.Context, arrangements []arrangement, sums []float64, plain, each float64, free []float64) (Finding, bool) {
	now := 0.0
	for _, v := range free {
		now += math.Log(v)
	}
	best, gains, least := arrangement{}, bothGain*s.chance(), plain
	for i, a := range arrangements {
		sum := sums[i]
		if a.id == Gravity || ctx.Err() != nil || plain-sum < gains || math.Exp(sum/each) > fileClose {
			continue
		}
		left, _ := s.arranged(a).Spread(nil)
		if g := min(plain-sum, now-left); g > gains {
			best, gains, least = a, g, sum
		}
	}
	if best.id == "" {
		return Finding{}, false
	}
	f := s.finding(best, math.Exp(-gains/each), math.Exp(-bothGain*s.chance()/each))
	// With a rough file (masses e^0.3N, centres ±20 mm) a sound log gains as much as with two exchanged wrist joints of
	// a measured arm, 0.38: only Info, until recording.proven has tried it on rows left out.
	f.Severity = Info
	f.Why = fmt.Sprintf("%s: with this change the robot file's bodies leave %.2g of the torques (%.2g without it), and identified bodies fit better too", best.tell().text, math.Exp(least/each), math.Exp(plain/each))
	return f, true
}

// mismatch reports that the robot file's bodies are worse than none on most of the torques that bodies produce, or leave
// more of them than the right robot's would.
func (s *arrangementSearch) mismatch(left, bare, free []float64) (f Finding, ok bool) {
	made, worse, mean, most := 0, 0, 0.0, 0.0
	for j, v := range left {
		if free[j] < fileMade*bare[j] && !s.sharesDrive(s.fit.Joints[j].Index) {
			made++
			mean += v / bare[j]
			if v > fileWorse*bare[j] {
				worse++
			}
			most = max(most, v)
		}
	}
	if made < 2 || s.placeholders() {
		return f, false
	}
	mean /= float64(made)
	switch {
	case 2*worse > made:
		f = Finding{ID: RobotMismatch, Severity: Info, Value: most, Limit: fileWorse, Where: "the whole log"}
		f.Why = fmt.Sprintf("the bodies of the robot file leave more of %d of %d torques than no bodies at all, up to %.2g times the torque: the file is another robot's, or its bodies are", worse, made, most)
	case mean > fileForeign:
		f = Finding{ID: RobotMismatch, Severity: Info, Value: mean, Limit: fileForeign, Where: "the whole log"}
		f.Why = fmt.Sprintf("the file's bodies leave %.0f %% of what bodies make of %d torques (a robot's own file 10 to 20 %%): the file is another robot's, or the robot carries a load that it lacks", 100*mean, made)
	default:
		return f, false
	}
	f.Fix = "{robot} with the file of this robot; or correct the bodies in the file, where it is"
	return f, true
}

// sharesDrive reports whether another joint's drive also acts on joint j. fileResidual fits no friction for it.
func (s *setup) sharesDrive(j int) bool {
	return slices.ContainsFunc(s.robot.Drives, func(d robot.Drive) bool { return len(d.Weights) > 1 && d.Weights[s.joints[j].link] != 0 })
}

// placeholders reports whether all bodies of the robot file have the same mass, as CAD programs invent them.
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
