package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/regressor"
)

// What a hypothesis about a torque must show before it becomes a finding. A real drive is not the model:
// what a hypothesis explains must be clear of noise, be a good part of what is left unexplained, and
// matter beside the torque itself.
const (
	// Standard deviations, of correlated residuals. Of some thirty hypotheses on each of seven joints and
	// twenty logs none passes five by chance where residuals are Gaussian; eight leave room for those that
	// are not, and for a correlation that is known from a few hundred rows.
	sureEnough = 8.0
	// Parts of the joint's residual sum of squares that a lag and a drift must explain.
	lagShare   = 0.2
	driftShare = 0.2
	// Part of a torque that may be left when a reason has been found, for it to be more than a remark:
	// where a model leaves more, what looks like a lag may be friction that it lacks.
	leftOver = 0.05
	// Couplings must explain more than half of what is left: four columns follow any structure a little.
	couplingShare = 0.5
	// A lag must be at least this part of a sample, found to a tenth.
	lagLeast = 0.7
	// What one reversal leaves open of a lag, of a sample: the step of friction falls anywhere between two
	// samples, 1/√12 of one, and an encoder that hardly counts there moves it by as much.
	lagDoubt = 0.3
	// What a lag, a coupling and a drift contribute to the torque, of its RMS.
	lagEffect      = 0.0005
	couplingEffect = 0.015
	driftEffect    = 0.01
	// Power that friction gives instead of taking, of the power that the joint's torque exchanges.
	powerEffect = 0.01
	// Search of lags, s.
	lagSearch = 0.15
	lagStep   = 0.01
)

// checkTorques holds torques against the model: by joint first, then of all joints together.
func (p *patient) checkTorques() {
	if p.doubted() || p.robot.Closed() {
		// Torques of closed loops need their multipliers; package dynamics has no row for each joint.
		return
	}
	tr := p.newTrial()
	if tr == nil {
		return
	}
	p.trial, p.before = tr, len(p.findings)
	owns := make([]*own, len(p.joints))
	for j := range p.joints {
		if tr.y[j] == nil || rms(tr.y[j]) == 0 || p.untrusted(p.joints[j]) {
			continue
		}
		if o := tr.newOwn(j); o != nil && o.size() > 0 {
			p.fitLag(tr, o)
			owns[j] = o
		}
	}
	p.owns = owns
	p.judgeLags(owns)
	for _, o := range owns {
		if o != nil {
			p.checkOwn(tr, o)
		}
	}
	p.checkTogether(tr, owns)
}

// unsteady is the part of the intervals that may be off the median by a quarter of it before positions
// count as poorly paired with their times.
const unsteady = 0.05

// doubted says that what was found so far leaves no motion to hold torques against: one cause at a time,
// for a wrong clock or a position in degrees looks like any fault of any torque.
func (p *patient) doubted() bool {
	for _, f := range p.findings {
		switch {
		case f.ID == ClockRate && f.Severity == Error, f.ID == ClockBackward, f.ID == ClockRepeat && f.Value > 0.01*float64(len(p.t)),
			// Rows that were held move the joints in jumps.
			f.ID == Dropout && f.Channel == p.roles.T && f.Severity == Warning,
			f.ID == Quantised && f.Value > tooCoarse*f.Limit:
			return true
		case f.ID == Units || f.ID == Dead && f.Severity == Error || f.ID == Stuck || f.ID == GearRatio:
			for _, j := range p.joints {
				if j.q != nil && j.q.name == f.Channel {
					return true
				}
			}
		}
	}
	if p.clock.Uniform {
		return false
	}
	off := 0
	for k := 1; k < len(p.t); k++ {
		if math.Abs(p.t[k]-p.t[k-1]-p.clock.Median) > 0.25*p.clock.Median {
			off++
		}
	}
	return float64(off) > unsteady*float64(len(p.t))
}

// Steps of the position print this many times as large as worth a remark hide the accelerations.
const tooCoarse = 50

// untrusted says that a joint's channels are damaged throughout: what a model says of them is moot.
func (p *patient) untrusted(j joint) bool {
	for _, f := range p.findings {
		if f.Joint != j.name || f.Severity == Info {
			continue
		}
		if f.ID == Units || f.ID == Saturated || f.ID == Stuck || f.Severity == Error && f.ID == Dead || (f.ID == Dropout && f.Value > holeShare) {
			return true
		}
	}
	return false
}

// fitLag finds by how much the joint's torque comes late and takes it out: y(t) = W(t - lag)·χ. To first
// order a lag adds -lag·dy/dt, a column like any other; larger ones are searched in steps first, well
// inside the quarter period of the low-pass within which first order leads to the right place.
func (p *patient) fitLag(tr *trial, o *own) {
	j := o.joint
	best, least := 0.0, dot(o.rest, o.rest)
	for k := 1; float64(k)*lagStep <= lagSearch; k++ {
		for _, lag := range []float64{float64(k) * lagStep, -float64(k) * lagStep} {
			r := o.basis.residual(o.masked(tr.torque(j, lag)))
			if s := dot(r, r); s < 0.8*least {
				best, least = lag, s
			}
		}
	}
	lag, settled := best, false
	for range 10 {
		rest := o.basis.residual(o.masked(tr.torque(j, lag)))
		g, ok := added(&o.basis, rest, o.rows, inflation(rest), o.masked(tr.slope(j, lag)))
		if !ok {
			return
		}
		o.shifts, o.lagSD = true, math.Hypot(g.sd, lagDoubt*p.clock.Median/math.Sqrt(float64(max(tr.reversals(j), 1))))
		step := -g.coef[0]
		// Half a search step keeps a doubtful column from running away.
		lag += math.Max(math.Min(step, lagStep/2), -lagStep/2)
		if settled = math.Abs(step) < 1e-2*tr.pieces[0].dt; settled {
			break
		}
	}
	// A thin motion has no quarter period in which to come to rest, and no lag to tell.
	if math.Abs(lag) > lagSearch || !settled {
		o.shifts = false
		return
	}
	o.lag = lag
}

// reversals counts those of a joint.
func (tr *trial) reversals(j int) int {
	n, last := 0, 0.0
	for _, v := range tr.dq[j] {
		if v*last < 0 {
			n++
		}
		if v != 0 {
			last = v
		}
	}
	return n
}

// commonLag is the weighted mean of the joints' lags, if they agree: a bus or a filter delays all torques
// alike, and all joints together know by how much.
func commonLag(owns []*own) (lag, sd float64, ok bool) {
	var sum, weight float64
	n := 0
	for _, o := range owns {
		if o != nil && o.shifts && o.lagSD > 0 {
			sum += o.lag / (o.lagSD * o.lagSD)
			weight += 1 / (o.lagSD * o.lagSD)
			n++
		}
	}
	if n < 3 {
		return 0, 0, false
	}
	lag, sd = sum/weight, 1/math.Sqrt(weight)
	chi2 := 0.0
	for _, o := range owns {
		if o != nil && o.shifts && o.lagSD > 0 {
			chi2 += (o.lag - lag) * (o.lag - lag) / (o.lagSD * o.lagSD)
		}
	}
	return lag, sd, chi2 < 3*float64(n-1)
}

// judgeLags reports lags that are worth their correction, and takes out those alone.
func (p *patient) judgeLags(owns []*own) {
	tr := p.trial
	dt := p.clock.Median
	common, commonSD, ok := commonLag(owns)
	if ok = ok && math.Abs(common) > lagLeast*dt && math.Abs(common) > 5*commonSD; ok {
		for _, o := range owns {
			if o != nil && o.shifts {
				o.lag, o.lagSD = common, commonSD
			}
		}
	}
	for _, o := range owns {
		if o == nil || !o.shifts || math.Abs(o.lag) < lagLeast*dt || math.Abs(o.lag) < 5*o.lagSD {
			continue
		}
		before := dot(o.rest, o.rest)
		y := o.masked(tr.torque(o.joint, o.lag))
		r := o.basis.residual(y)
		after := dot(r, r)
		effect := math.Sqrt(math.Max(before-after, 0)/float64(o.rows)) / o.size()
		// One delay of all torques needs no further proof from each.
		if !ok && (1-after/before < lagShare || effect < lagEffect) {
			continue
		}
		left := norm(r) / norm(y)
		if left > 2*leftOver {
			continue
		}
		j := p.joints[o.joint]
		f := p.about(LagTorque, Warning, j.effort)
		f.Value, f.Limit = o.lag, lagLeast*dt
		if left > leftOver {
			f.Severity = Info
		} else {
			o.y = y
			o.settle()
		}
		f.Where = "the whole log"
		late := pick(o.lag > 0, "behind", "ahead of")
		f.Why = fmt.Sprintf("%s runs %.4g s (%.2f samples, 95 %% interval %.2f to %.2f) %s the motion: with that the model leaves %.2g %% of it unexplained, without %.2g %%; it was filtered or sampled apart from the positions",
			j.effort.name, math.Abs(o.lag), math.Abs(o.lag)/dt, math.Abs(o.lag)/dt-1.96*o.lagSD/dt, math.Abs(o.lag)/dt+1.96*o.lagSD/dt, late,
			100*left, 100*math.Sqrt(before)/norm(y))
		f.Fix = fmt.Sprintf("ident check --fix FILE writes a log with %s moved by %.6g s", j.effort.name, -o.lag)
		f.Repair = Repair{Edits: []Edit{{Channel: j.effort.name, Advance: o.lag}}}
		p.add(f)
	}
}

// hypothesis is a reason why a joint's own fit may leave what it leaves.
type hypothesis struct {
	cols   [][]float64
	share  float64 // of the residual that it must explain
	least  float64 // effect that makes it worth a finding, of the torque's RMS
	report func(g gain)
}

// checkOwn asks what else explains the rest of a joint's own fit, the best reason first.
func (p *patient) checkOwn(tr *trial, o *own) {
	p.checkPower(tr, o)
	if norm(o.rest) < 1e-6*norm(o.y) {
		return // exact data leave nothing to explain
	}
	open := append(p.couplings(tr, o), p.drifts(tr, o)...)
	for range 2 {
		best, at := gain{}, -1
		for i, h := range open {
			g, ok := o.added(h.cols...)
			// What a great part of the rest cannot be blamed on has no clear reason.
			if after := math.Sqrt(1-g.share) * norm(o.rest); after > 2*leftOver*norm(o.y) {
				continue
			}
			if ok && g.share > h.share && g.sure > sureEnough && g.effect > h.least*o.size() && (at < 0 || g.score > best.score) {
				best, at = g, i
			}
		}
		if at < 0 {
			return
		}
		open[at].report(best)
		o.extra = append(o.extra, open[at].cols...)
		for _, c := range open[at].cols {
			o.basis.offer(o.masked(c))
		}
		o.settle()
		open = slices.Delete(open, at, at+1)
	}
}

// couplings are drives that turn with another joint: its acceleration, velocity and their sum's friction
// in this joint's torque.
func (p *patient) couplings(tr *trial, o *own) []hypothesis {
	var out []hypothesis
	me := p.joints[o.joint]
	for i, other := range p.joints {
		if i == o.joint || p.isStill(other) || p.isStill(me) {
			continue
		}
		if p.coupled[pairOf(o.joint, i, 0)] {
			continue // the other joint of the pair has said so
		}
		for _, sign := range []float64{1, -1} {
			sum := tr.sums[pairOf(o.joint, i, sign)]
			if sum == nil {
				continue
			}
			out = append(out, hypothesis{
				cols:  [][]float64{tr.fddq[i], tr.fdq[i], sum},
				share: couplingShare,
				least: couplingEffect,
				report: func(g gain) {
					p.coupled[pairOf(o.joint, i, 0)] = true
					f := p.about(Coupling, Warning, me.effort)
					f.Value, f.Limit = g.effect/o.size(), couplingEffect
					f.Where = "the whole log"
					op := pick(sign > 0, "+", "-")
					f.Why = fmt.Sprintf("acceleration, velocity and friction of joint %s explain %.0f %% of what the model leaves of %s, %.2g %% of that torque: the motor of joint %s turns with both joints",
						other.name, 100*g.share, me.effort.name, 100*f.Value, me.name)
					later := p.joints[max(i, o.joint)].name
					first := p.joints[min(i, o.joint)].name
					f.Fix = fmt.Sprintf("--coupling \"%s=%s%s%s\"", later, first, op, later)
					f.Repair = Repair{Settings: []Setting{{Key: "couplings", Value: fmt.Sprintf("%s=%s%s%s", later, first, op, later)}}}
					p.add(f)
				},
			})
		}
	}
	return out
}

func sgn(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// drifts are what changes with time: an offset, and friction.
func (p *patient) drifts(tr *trial, o *own) []hypothesis {
	me := p.joints[o.joint]
	n := len(tr.t)
	mid, span := (tr.t[0]+tr.t[n-1])/2, tr.t[n-1]-tr.t[0]
	ramp, rub := make([]float64, n), make([]float64, n)
	for k, t := range tr.t {
		ramp[k] = (t - mid) / span
		rub[k] = ramp[k] * tr.fsgn[o.joint][k]
	}
	finding := func(g gain) Finding {
		f := p.about(Drift, Warning, me.effort)
		f.Value, f.Limit = g.coef[0], 6*g.sd
		f.Where = "the whole log"
		return f
	}
	return []hypothesis{
		{cols: [][]float64{ramp}, share: driftShare, least: driftEffect, report: func(g gain) {
			f := finding(g)
			f.Why = fmt.Sprintf("%s drifts by %.3g %s ± %.2g from the first row to the last, %.2g %% of its RMS: a sensor that warms up, or a bias that was zeroed under load",
				me.effort.name, g.coef[0], p.unitOf(me.effort), 2*g.sd, 100*math.Abs(g.coef[0])/o.size())
			f.Fix = fmt.Sprintf("ident check --fix FILE writes a log without the ramp; zero the sensor of joint %s before the run, or warm it up", me.name)
			f.Repair = Repair{Edits: []Edit{{Channel: me.effort.name, Ramp: -g.coef[0] / p.scaleOf(me)}}}
			p.add(f)
		}},
		{cols: [][]float64{rub}, share: driftShare, least: driftEffect, report: func(g gain) {
			f := finding(g)
			f.Why = fmt.Sprintf("the friction of joint %s changes by %.3g %s ± %.2g from the first row to the last: the drive warms up",
				me.name, g.coef[0], p.unitOf(me.effort), 2*g.sd)
			f.Fix = "warm the robot up before logging, or cut the log with --rows LOG:FIRST-LAST to its steady part"
			p.add(f)
		}},
	}
}

// scaleOf is the joint torque that a unit of the effort channel means.
func (p *patient) scaleOf(j joint) float64 {
	if j.effort.role == current && j.gain != 0 {
		return j.gain
	}
	return 1
}

// power is the mean power that the friction of a joint's own fit takes, and its standard deviation.
func (p *patient) power(tr *trial, o *own) (mean, sd float64, ok bool) {
	link := p.joints[o.joint].link
	x := o.basis.solve(o.y)
	g := make([]float64, len(x))
	for i, c := range o.cols {
		col := tr.model.Columns()[c]
		if col.Link != link || col.Drive > 0 || (col.Term != regressor.Fv && col.Term != regressor.Fs) {
			continue
		}
		ok = true
		for _, v := range tr.dq[o.joint] {
			s := math.Abs(v)
			if col.Term == regressor.Fv {
				s = v * v
			}
			g[i] += s / float64(len(tr.t))
		}
		mean += x[i] * g[i]
	}
	return mean, math.Sqrt(o.inflate) * o.sigma * o.basis.deviation(g), ok
}

// otherFriction says that a term is of friction beside the viscous and the Coulomb one.
func otherFriction(t regressor.Term) bool {
	switch t {
	case regressor.Asymmetric, regressor.LoadFs, regressor.Stribeck, regressor.StribeckV:
		return true
	}
	return false
}

// checkPower looks for friction that drives the joint instead of braking it. Whether the torque's sign
// is wrong or something else, the equations of the other joints decide later.
func (p *patient) checkPower(tr *trial, o *own) {
	mean, sd, ok := p.power(tr, o)
	if !ok || p.isStill(p.joints[o.joint]) || slices.ContainsFunc(p.opt.Terms, otherFriction) {
		return // other friction terms share the power: what these two take is not all
	}
	exchanged := 0.0
	for k, v := range tr.dq[o.joint] {
		exchanged += math.Abs(v*o.y[k]) / float64(len(tr.t))
	}
	if mean < -sureEnough*sd && mean < -powerEffect*exchanged {
		o.drives, o.power, o.powerSD = true, mean, sd
	}
}
