package causes

import (
	"cmp"
	"math"
	"slices"

	"ident/internal/lanes"
	"ident/robot"
)

// Requirements for naming a cause. Columns shifted circularly in time, which no fault can make, reach 18 nats in 760
// trials. Ordinary model errors reach 44 nats with a gain of 0.27, or 0.34 in N·m.
const (
	enoughNats    = 25.0
	needLinear    = 0.35
	needDiscrete  = 0.6
	needAllScales = 0.5
	// A hypothesis with at least fewNats is named too if it explains more than mostWeighed of the squared error in N·m.
	fewNats, mostWeighed = 20.0, 0.5
	// An effect of drives and gears that is no fault (Stribeck friction, torque ripple) must not be named as the cause if a fault
	// has at least this part of its evidence.
	nuisancePart = 0.6
	// A cause joins the leader's group if it has at least groupPart of the leader's evidence and the mean difference of their
	// evidence over the blocks is below groupSure standard deviations.
	groupPart, groupSure = 0.6, 2.0
	// A load joins the group of a drift of scales if it has this part of the evidence and they differ by less than
	// enoughNats, or if it leaves at most nearLeft times as much of the squared error.
	nearPart, nearLeft = 0.9, 1.5
	// A group of more families than this is not named.
	mostGroup = 3
	// In a group of mostGroup families the leader must explain this part of the squared error.
	wideGain = 0.5
)

// big returns the larger of the gain by joint and the gain in N·m.
func (h *hypothesis) big() float64 { return max(h.gain, h.weighed) }

// enough reports whether a hypothesis meets the demands for being named.
func (h *hypothesis) enough() bool {
	if h.nats >= enoughNats && h.big() >= h.need {
		return true
	}
	return h.weighed > mostWeighed && h.nats > fewNats && h.need <= needLinear
}

// rank returns the report with the causes in order.
func (t *trial) rank() *Report {
	defer t.desk.tidy()
	rep := &Report{plain: t, Delay: t.delay, Each: make([]float64, t.bodies.joints), Weight: make([]float64, t.bodies.joints), Inertia: t.inertiaByFile()}
	parts, at, _ := t.gravityByFile()
	for i, j := range at {
		rep.Weight[j] = parts[i]
	}
	ss, all := 0.0, 0.0
	for e, j := range t.joints {
		rep.Each[j] = rms(t.left[e]) / max(rms(t.y[e]), 1e-12)
		a, b := rms(t.left[e]), rms(t.y[e])
		ss += a * a
		all += b * b
	}
	rep.Error = math.Sqrt(ss / max(all, 1e-24))
	hyps, shifts := t.hypotheses()
	if first := t.first(shifts, hyps); first != nil && !slices.Contains(t.opt.Without, first.Family()) && !(first.Kind == Weightless && t.partly(first)) {
		rep.Named, rep.Group = true, 1
		rep.add(first)
		if h := turnedInstead(first, hyps); h != nil {
			rep.Group = 2
			rep.add(h)
		}
	}
	byFamily := t.listed(hyps)
	leader := lead(byFamily)
	if i := slices.IndexFunc(byFamily, func(h *hypothesis) bool {
		return (h.Kind == Friction || h.Kind == LoadFriction) && h.nats > wideFriction
	}); i >= 0 && leader == nil && !rep.Named {
		// Beside a wider law of friction the residual is smaller, and effects of a single torque show that it hid. Scales are
		// left out, since friction that grows with a torque looks like one, and so are exchanged channels, which show without it.
		wide := t.besides(byFamily[i])
		hyps, _ = wide.hypotheses()
		hyps = slices.DeleteFunc(hyps, func(h *hypothesis) bool { return h.Kind == Scale || h.Kind == GravityOf })
		list := slices.DeleteFunc(wide.listed(hyps), func(h *hypothesis) bool {
			return h.need > needLinear && h.Kind != TorqueSign || h.nats < enoughNats
		})
		if lead(list) != nil {
			t, byFamily, leader = wide, list, lead(list)
		}
	}
	if rep.Named || leader == nil || t.partly(leader) {
		for _, h := range byFamily {
			rep.add(h)
		}
		return rep
	}
	group := t.group(leader, byFamily)
	if at := slices.IndexFunc(group, func(h *hypothesis) bool { return h.Kind == Clock }); at >= 0 && t.feelsGravity() {
		// A clock s times as fast, gravity divided by s² and lengths times s² look the same to a free fit. A driver takes gravity out and
		// adds none; no file has lengths half of the robot's.
		twin := *group[at]
		switch s := 1 + twin.cause().Value; {
		case s > 1:
			twin.Kind, twin.Value, twin.coef = GravityOf, 1/(s*s), nil
			group = slices.Insert(group, at+1, &twin)
		case s*s > half && !slices.ContainsFunc(group, func(h *hypothesis) bool { return h.Kind == Geometry }):
			twin.Kind, twin.Value, twin.coef = Geometry, 0, nil
			group = slices.Insert(group, at+1, &twin)
		}
	}
	// A zero of the joint on the base that gravity shows is a tilt of the base too.
	if at := slices.IndexFunc(group, func(h *hypothesis) bool { return h.Kind == Zero && len(h.Joints) == 1 && h.Joints[0] == 0 }); at >= 0 && !slices.ContainsFunc(group, func(h *hypothesis) bool { return h.Kind == GravityVector }) {
		twin := *group[at]
		twin.Kind, twin.Joints, twin.Value, twin.coef = GravityVector, nil, 0, nil
		group = slices.Insert(group, at+1, &twin)
	}
	rep.Group = len(group)
	distinct := map[string]bool{}
	for _, h := range group {
		distinct[h.cause().Family()] = true
	}
	rep.Named = len(distinct) < mostGroup || len(distinct) == mostGroup && leader.big() >= wideGain
	for _, h := range group {
		rep.add(h)
	}
	for _, h := range byFamily {
		if !slices.Contains(group, h) {
			rep.add(h)
		}
	}
	return rep
}

// wideFriction: if another law of friction has more evidence than this, in nats, causes are also ranked beside it.
const wideFriction = 10.0

// hypotheses returns all hypotheses that the fit can test, with their evidence; those about shifts are among them.
func (t *trial) hypotheses() (hyps, shifts []*hypothesis) {
	c := t.coarsely()
	few := c.linear(nil)
	number := map[string]float64{}
	for _, h := range few {
		number[h.Kind]++
	}
	c.judge(few, number)
	linear := t.linear(promises(few))
	t.judge(linear, number)
	linear = append(linear, t.timed(linear, number)...)
	for _, h := range linear {
		if h.left >= notTestable {
			hyps = append(hyps, h)
		}
	}
	shifts = t.asked(t.shifts())
	return append(append(t.asked(hyps), shifts...), t.asked(t.discrete(few))...), shifts
}

// asked returns the hypotheses of families that are asked.
func (t *trial) asked(hyps []*hypothesis) []*hypothesis {
	return slices.DeleteFunc(hyps, func(h *hypothesis) bool { return slices.Contains(t.opt.Without, h.cause().Family()) })
}

// listed returns the best hypothesis of each kind.
func (t *trial) listed(hyps []*hypothesis) []*hypothesis {
	if t.opt.ClockSure { // an effect that the clock seems to explain is gravity, if the motion can show it
		hyps = slices.DeleteFunc(hyps, func(h *hypothesis) bool { return h.Kind == ClockStep || h.Kind == Clock && !t.feelsGravity() })
	}
	return families(withoutNested(slices.DeleteFunc(hyps, t.noCompensation)))
}

// fileErrors is the error of a file's masses, as a part of them: a factor of e^0.3.
const fileErrors = 0.35

// noCompensation reports whether a hypothesis takes a part of the file's gravity out of all torques that no driver takes: the gravity of
// the bodies found beside it is not missing but for the errors of the file's masses. A clock s times too slow makes bodies s² times as
// heavy, with 1/s² of their gravity in the torques.
func (t *trial) noCompensation(h *hypothesis) bool {
	if h.Kind != GravityOf || len(h.Joints) > 0 || len(h.coef) != 1 || h.coef[0] < turnsGravity || !h.enough() {
		return false
	}
	heavy, _, _ := t.besides(h).gravityByFile()
	if len(heavy) == 0 {
		return h.coef[0] > 0
	}
	slices.Sort(heavy)
	return math.Abs(1+h.coef[0]/heavy[len(heavy)/2]) > fileErrors
}

// cause returns the cause of a hypothesis with its evidence filled in.
func (h *hypothesis) cause() Cause {
	c := h.Cause
	if c.Kind == Recorder && math.Abs(c.Value) <= nearShift {
		c.Kind = Delay
	}
	c.Nats, c.Gain = h.nats, h.big()
	if (c.Kind == PayloadOfLog || c.Kind == Slip) && len(h.coef) > 0 {
		c.Length = h.coef[0]
	}
	if c.Kind == TiltStep && len(h.coef) == 3 {
		c.Length = math.Atan2(math.Hypot(h.coef[0], h.coef[1]), 1+h.coef[2])
	}
	if c.Kind == Asymmetry && len(h.coef) == 2 {
		c.Value = 1 + h.coef[0]/(1+h.coef[1])
	}
	if len(h.coef) == 1 && c.Value == 0 {
		c.Value = h.coef[0]
		switch c.Kind {
		case Delay: // τ̂ + c·dτ̂/dt is τ̂(t + c)
			c.Value = -c.Value
		case Scale, ClockStep, Asymmetry, SpeedScale:
			c.Value = 1 + c.Value
		case GravityOf:
			if len(c.Joints) == 0 && c.Value < turnsGravity {
				c.Kind, c.Value = GravityVector, Opposite
			}
		}
	}
	if c.Kind == Asymmetry && c.Value < 0 { // no sensor reverses the sign of one direction alone
		c.Kind = Curve
	}
	return c
}

// oneOfAll: a single joint is named in place of all joints if its hypothesis has more than this part of the evidence of the one for
// all joints.
const oneOfAll = 0.7

// families returns the best hypothesis of each kind: first those that could be named, then the others, each by falling evidence.
func families(hyps []*hypothesis) []*hypothesis {
	best, one := map[string]*hypothesis{}, map[string]*hypothesis{}
	for _, h := range hyps {
		kind := h.cause().Kind
		if b := best[kind]; b == nil || before(h, b) < 0 {
			best[kind] = h
		}
		// Prefer the cause on one joint to the cause on all joints if it has most of their evidence.
		if b := one[kind]; len(h.Joints) == 1 && h.enough() && (b == nil || before(h, b) < 0) {
			one[kind] = h
		}
	}
	var out []*hypothesis
	for kind, h := range best {
		if o := one[kind]; o != nil && len(h.cols) > 1 && len(h.Joints) != 1 && o.nats > oneOfAll*h.nats {
			h = o
		}
		out = append(out, h)
	}
	slices.SortFunc(out, func(a, b *hypothesis) int {
		return cmp.Or(before(a, b), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}

// turnsGravity: if the coefficient of a torque's gravity is below this, rather the whole torque has the wrong sign.
// Missing gravity has the coefficient -1.
const turnsGravity = -1.5

// withoutNested leaves out hypotheses that add little to a simpler one. It leaves out an asymmetry if one of its two
// columns, a scale, explains nearly as much, and a curve of a torque if a scale, one that changes with the speed, an
// asymmetry, a saturation or a sign does. If the sign of a torque has enough evidence, it leaves out negative scales
// of that torque or of its gravity, and scales of all torques that explain hardly more. It leaves out an asymmetry of a
// torque whose sign has more evidence.
func withoutNested(hyps []*hypothesis) []*hypothesis {
	return slices.DeleteFunc(slices.Clone(hyps), func(h *hypothesis) bool {
		negative := len(h.Joints) == 1 && (h.Kind == Scale && h.cause().Value < 0 || h.Kind == GravityOf && len(h.coef) == 1 && h.coef[0] < turnsGravity)
		return slices.ContainsFunc(hyps, func(s *hypothesis) bool {
			hardlyMore := 1-h.big() > (1-needLinear)*(1-s.big())
			switch {
			case h.Kind == Asymmetry && s.Kind == TorqueSign && slices.Equal(s.Joints, h.Joints) && s.nats > h.nats:
				return true
			case !s.enough():
				return false
			case negative:
				return s.Kind == TorqueSign && slices.Contains(s.Joints, h.Joints[0])
			case h.Kind == Scale && len(h.Joints) == 0:
				return s.Kind == TorqueSign && hardlyMore
			}
			simpler := s.Kind == Scale && (h.Kind == Asymmetry && len(h.cols) == 2 || h.Kind == Curve) || h.Kind == Curve && (s.Kind == Asymmetry || s.Kind == Saturated && !s.nuisance || s.Kind == SpeedScale || s.Kind == TorqueSign)
			return simpler && slices.Equal(s.Joints, h.Joints) && hardlyMore
		})
	})
}

func before(a, b *hypothesis) int {
	if x, y := a.enough(), b.enough(); x != y {
		if x {
			return -1
		}
		return 1
	}
	return cmp.Compare(b.nats, a.nats)
}

// lead returns the hypothesis to name, or nil if none has enough evidence or the best one is not a fault.
func lead(byFamily []*hypothesis) *hypothesis {
	var leader *hypothesis
	for _, h := range byFamily {
		if !h.enough() {
			continue
		}
		if leader == nil || leader.nuisance && !h.nuisance && h.nats > nuisancePart*leader.nats {
			leader = h
		}
	}
	if leader == nil || leader.nuisance {
		return nil
	}
	return leader
}

// group returns the leader and the hypotheses that the logs cannot tell apart from it.
func (t *trial) group(leader *hypothesis, byFamily []*hypothesis) []*hypothesis {
	out := []*hypothesis{leader}
	if leader.after == nil {
		return out
	}
	d := t.blocks(leader)
	for _, h := range byFamily {
		// A growing load changes the scales of torques: differences of the size of ordinary model errors do not tell the
		// two apart.
		grows := h.Kind == Payload && leader.Kind == ScaleDrift && h.enough()
		if grows && 1-h.big() < nearLeft*(1-leader.big()) {
			out = append(out, h)
			continue
		}
		if h == leader || h.nuisance || h.after == nil || h.Kind == Backlash && !h.enough() || h.nats < groupPart*leader.nats || h.big() < groupPart*h.need {
			continue
		}
		other := t.blocks(h)
		m, s := 0.0, 0.0
		for b := range d {
			m += (d[b] - other[b]) / float64(len(d))
		}
		for b := range d {
			x := d[b] - other[b] - m
			s += x * x
		}
		n := float64(len(d))
		near := grows && h.nats > nearPart*leader.nats && h.nats > leader.nats-enoughNats
		if z := m * n / math.Sqrt(max(s*n/(n-1), 1e-300)); z < groupSure || near {
			out = append(out, h)
		}
	}
	return out
}

// blocks returns the evidence of a hypothesis in each time block, in nats.
func (t *trial) blocks(h *hypothesis) []float64 {
	out := make([]float64, t.rows[t.order.time[len(t.rows)-1]].block+1)
	for e := range t.joints {
		n := float64(len(t.rows))
		// Like nats: the slope of the logarithm between the two sums of squares.
		a, b := rms(t.left[e]), rms(h.after[e])
		w := t.neff[e] / 2 / n
		mid := max(a*a, 1e-300)
		if r := a * a / max(b*b, 1e-300); math.Abs(r-1) > 1e-6 {
			mid = (a*a - b*b) / math.Log(r)
		}
		for i, r := range t.rows {
			x, y := t.left[e][i], h.after[e][i]
			out[r.block] += w * (x*x - y*y) / mid
		}
	}
	return out
}

// Requirements for the causes that are tested before the ranking.
const (
	worthFriction  = 0.08 // ln S that friction brings in the joint in the middle: 67 clean logs 1.2 to 7.7
	somethingMore  = 0.3
	hardlyAnything = 0.9 // error of the free fit, of the torques about their means
	half           = 0.5
	mends          = 0.4
)

// first tests the causes that precede the ranking; it returns nil if there is none.
func (t *trial) first(shifts, hyps []*hypothesis) *hypothesis {
	// Test a shift of the recorder before a log that runs backward: it looks like one.
	var shift *hypothesis
	for _, h := range shifts {
		if h.enough() && (shift == nil || h.nats > shift.nats) {
			shift = h
		}
	}
	if shift != nil && math.Abs(shift.Value) > nearShift {
		best := lead(families(hyps))
		if best == nil || best == shift || shift.nats > best.nats*0.8 {
			return shift
		}
	}
	if most := t.longest(); most > absurdLength {
		return said(Cause{Kind: LengthsInMillis, Value: most})
	}
	worth := t.frictionWorth()
	mended, most := 0.0, 0.0
	for _, h := range hyps {
		if !h.nuisance && h.Kind != Weightless && h.nats > enoughNats {
			if mended = max(mended, h.big()); h.enough() {
				most = max(most, h.nats)
			}
		}
	}
	file, joints, heavy := t.gravityByFile()
	asked := len(joints)
	if worth > somethingMore && mended < 0.9 && t.frictionDrives() {
		c := Cause{Kind: Reversed}
		if asked > 0 && slices.Max(file) < -0.3 || (asked == 0 || slices.Min(file) < 0.3) && t.energy() < 0 {
			c.Kind = AllSigns
		}
		return said(c)
	}
	logs := 0.0
	for _, s := range t.share {
		logs += math.Log(s) / 2 / float64(len(t.share))
	}
	left := math.Exp(logs)
	if mended < mends && !t.windsUp() && (left > hardlyAnything || left > half && worth < worthFriction) && !t.noisy() {
		return said(Cause{Kind: External, Value: left})
	}
	for _, h := range hyps {
		if h.Kind == Weightless && h.nats > 0 && h.nats > most-enoughNats && left < half && t.feelsGravity() {
			if t.fileWasTaken(h) {
				h.Value = FileTaken
			}
			return h
		}
	}
	// The same small ratio in all joints is a common scale, for instance currents instead of torques.
	common := asked > 0 && slices.Min(file) > 0 && slices.Max(file) < 2.5*slices.Min(file)
	for _, part := range t.inertiaByFile() {
		common = common || part > 0 && part < scaledToo*max(slices.Max(append(file, 0)), 0)
	}
	if asked > 1 && !heavy && !common && slices.Max(file) < littleGravity && slices.Min(file) > -littleGravity && mended < needDiscrete && t.feelsGravity() {
		h := said(Cause{Kind: Weightless, Value: slices.Max(file)})
		h.OfFile = true
		return h
	}
	opposite := t.fits(-1)
	if (heavier(file) || opposite) && !slices.ContainsFunc(hyps, func(h *hypothesis) bool {
		return h.enough() && h.big() >= needDiscrete && !h.nuisance && !slices.Contains([]string{Clock, GravityOf, GravityTwice, GravityVector, Geometry}, h.Kind)
	}) {
		h := said(Cause{Kind: GravityVector, Value: Opposite}) // identified bodies take either sense
		if !opposite {
			h = said(Cause{Kind: GravityTwice, Value: slices.Max(file)})
		}
		h.OfFile = true
		return h
	}
	if worth < worthFriction && left < half && mended < mends && !(t.noisy() && t.frictionShows()) {
		return said(Cause{Kind: FrictionFree, Value: worth})
	}
	return nil
}

// noisy reports whether what the fit leaves is noise at every joint: a log of noisy torques has wide intervals, and no other cause.
func (t *trial) noisy() bool {
	ref, _ := t.refer()
	return ref != nil && ref.Noise()
}

// turnedInstead returns the direction of gravity that explains the torques as well as no gravity does, or nil. Gravity
// in that direction causes no torque, as along the joint axes of a SCARA.
func turnedInstead(first *hypothesis, hyps []*hypothesis) (best *hypothesis) {
	if first.Kind != Weightless || first.OfFile {
		return nil
	}
	for _, h := range hyps {
		if h.Kind == GravityVector && h.enough() && h.nats > first.nats-promising && (best == nil || h.nats > best.nats) {
			best = h
		}
	}
	return best
}

// absurdLength is a distance between joints, in m, that no robot has.
const absurdLength = 50.0

// longest returns the largest distance, in m, of a frame from its antecedent, the base excepted.
func (t *trial) longest() float64 {
	most := 0.0
	for i, l := range t.bodies.robot.Links {
		if i > 0 && l.Antecedent >= 0 {
			most = max(most, norm3(l.Placement.P))
		}
	}
	return most
}

// windsUp reports whether a position goes further than a revolute joint can turn. Then its unit is wrong, and is judged
// before its torque.
func (t *trial) windsUp() bool {
	for j, q := range t.motion.q {
		if t.bodies.robot.Links[t.bodies.links[j]].Joint.Kind == robot.Revolute && slices.Max(q)-slices.Min(q) > manyTurns {
			return true
		}
	}
	return false
}

// manyTurns is the range of positions, in rad, that no revolute joint has.
const manyTurns = 30.0

// said returns a hypothesis for a cause determined before the ranking. It has no evidence in nats.
func said(c Cause) *hypothesis {
	c.Settled = true
	return &hypothesis{Cause: c}
}

// file returns the parameters of the robot file's bodies; nil if the file has none, or if the robot carries more than these.
func (t *trial) file() []float64 {
	if t.opt.Loaded {
		return nil
	}
	return t.opt.models.file
}

// littleGravity is the ratio to the gravity of the file's bodies below which a log has no gravity: logs without faults
// have 0.5 to 1.3.
const littleGravity = 0.25

// gravityByFile returns the ratio of the fitted gravity torque to that of the file's bodies, for the torques in which
// the latter is large enough. heavy reports that the fitted gravity is large in one of these torques: then the whole
// torque is scaled, as by a wrong current gain.
func (t *trial) gravityByFile() (parts []float64, joints []int, heavy bool) {
	file := t.file()
	if file == nil || norm3(t.opt.Gravity) == 0 {
		return nil, nil, false
	}
	pull := t.weight()
	own, its := pull.torques(t.links), pull.torques(file)
	for e, j := range t.joints {
		if own[j] == nil || its[j] == nil || spread(its[j]) < 0.3*spread(t.y[e]) {
			continue
		}
		a, b := mean(own[j]), mean(its[j])
		xy, yy := 0.0, 0.0
		for k := range own[j] {
			xy += (own[j][k] - a) * (its[j][k] - b)
			yy += (its[j][k] - b) * (its[j][k] - b)
		}
		parts, joints = append(parts, xy/yy), append(joints, j)
		heavy = heavy || spread(own[j]) > 0.5*spread(t.y[e])
	}
	return parts, joints, heavy
}

// Ratios to the file's gravity between which gravity was added twice. Three joints must show it, each within a factor
// twiceAlike of the others: the errors of a file's masses (e^0.3) differ from body to body.
const leastTwice, mostTwice, twiceAlike = 1.7, 2.4, 1.3

// heavier reports whether torques contain about twice the gravity of the file's bodies.
func heavier(file []float64) bool {
	var those []float64
	for _, part := range file {
		if part < 1 {
			return false
		}
		if part > leastTwice {
			those = append(those, part)
		}
	}
	return len(those) > 2 && slices.Max(those) < min(mostTwice, twiceAlike*slices.Min(those))
}

// scaledToo: torques whose inertia is below this multiple of their gravity part are scaled as a whole, like currents.
const scaledToo = 3.0

// inertiaByFile returns, by joint, the ratio of the fitted torque without gravity (rotors included) to that of the
// file's bodies; 0 if the latter is a small part of the torque or of the file's gravity.
func (t *trial) inertiaByFile() []float64 {
	out := make([]float64, t.bodies.joints)
	file := t.file()
	if file == nil {
		return out
	}
	own, its, pull := t.rest.torques(t.links), t.rest.torques(file), t.weight().torques(file)
	for e, j := range t.joints {
		if own[j] == nil || its[j] == nil || spread(its[j]) < littleInertia*spread(t.y[e]) || pull[j] != nil && spread(its[j]) < littleInertia*spread(pull[j]) {
			continue
		}
		x := slices.Clone(own[j])
		for m := range t.motors {
			if r := t.motorColumn(m, rotor)[j]; r != nil {
				lanes.Axpy(x, 1, r)
			}
		}
		a, b := mean(x), mean(its[j])
		xy, xx, yy := 0.0, 0.0, 0.0
		for k := range x {
			xy += (x[k] - a) * (its[j][k] - b)
			xx += (x[k] - a) * (x[k] - a)
			yy += (its[j][k] - b) * (its[j][k] - b)
		}
		if xy*xy > 0.25*xx*yy { // of one form
			out[j] = xy / yy
		}
	}
	return out
}

// littleInertia: inertia shows the scale only if its part of a torque, and its ratio to the file's gravity, are above
// this.
const littleInertia = 0.1

// weight returns the regressor of gravity alone.
func (t *trial) weight() columns {
	empty := make(columns, len(t.rest))
	for j := range empty {
		empty[j] = make([][]float64, len(t.rest[j]))
	}
	return withGravity(empty, t.pull, t.opt.Gravity, nil)
}

// alike is the logarithm of two errors that are equal but for noise and for filters.
const alike = 0.02

// fileWasTaken reports whether torques without gravity are fitted as well as by hypothesis h after the gravity of the
// file's bodies is added. Then the driver subtracted the gravity of such bodies.
func (t *trial) fileWasTaken(h *hypothesis) bool {
	if t.file() == nil {
		return false
	}
	its := t.weight().torques(t.file())
	y := slices.Clone(t.y)
	for e, j := range t.joints {
		if its[j] == nil {
			continue
		}
		y[e] = slices.Clone(y[e])
		for k, v := range its[j] {
			y[e][k] += v
		}
	}
	_, left := t.design.reweighted(y, t.factors.weights)
	ratio := 0.0
	for e := range left {
		ratio += math.Log(rms(left[e]) / max(rms(h.after[e]), 1e-12))
	}
	return ratio < alike*float64(len(left))
}

// frictionDrives reports whether friction has negative power on all joints but one.
func (t *trial) frictionDrives() bool {
	negative, asked := 0, 0
	for _, j := range t.joints {
		if p, sure := t.frictionPower(j); sure {
			asked++
			if p < 0 {
				negative++
			}
		}
	}
	return asked >= 1 && negative >= max(asked-1, 1) && negative*2 > len(t.joints)
}

// energy returns the mean of aᵀ·M·a over the accelerations, which is positive for any robot.
func (t *trial) energy() float64 {
	still := motion{q: t.motion.q, a: t.motion.a}
	zero := make([]float64, len(t.rows))
	for range t.motion.v {
		still.v = append(still.v, zero)
	}
	tau := t.predict(nil, still, [3]float64{})
	total := 0.0
	for j := range tau {
		for k, v := range tau[j] {
			total += v * t.motion.a[j][k]
		}
	}
	for m, mo := range t.motors {
		for _, a := range mo.rates(t.motion.a, len(t.rows)) {
			total += t.chi[len(t.base)+perMotor*m+rotor] * a * a
		}
	}
	return total
}

// frictionWorth returns the decrease of ln S by the friction columns: the median over the joints that can have friction.
func (t *trial) frictionWorth() float64 {
	var worth []float64
	for e, w := range t.frictionWorths() {
		j := t.joints[e]
		if t.moves[j] && !t.bodies.robot.Links[t.bodies.links[j]].Joint.Virtual {
			worth = append(worth, w)
		}
	}
	if len(worth) == 0 {
		return math.Inf(1)
	}
	slices.Sort(worth)
	return worth[len(worth)/2]
}

// shown is the evidence in nats, ln 20, from which friction that noise nearly hides is no chance.
const shown = 3.0

// frictionShows reports whether most joints have evidence of friction.
func (t *trial) frictionShows() bool {
	shows := 0
	for _, nats := range t.frictionEvidence() {
		if nats > shown {
			shows++
		}
	}
	return 2*shows > len(t.joints)
}

// frictionWorths returns the decrease of ln S by the friction columns, for each equation.
func (t *trial) frictionWorths() []float64 {
	if t.worths != nil {
		return t.worths
	}
	u := *t
	u.extra = nil
	at := u.stack(t.ownGravity(), nil, nil)
	for j := range at {
		for m := range t.motors {
			at[j][len(t.base)+perMotor*m+viscous] = nil
			at[j][len(t.base)+perMotor*m+coulomb] = nil
		}
	}
	d := newDesign(&t.order, t.desk, at, t.joints, nil)
	_, left := d.reweighted(t.y, t.factors.weights)
	worth := shares(left, t.y)
	for e, s := range worth {
		worth[e] = math.Log(s / t.share[e])
	}
	t.worths = worth
	return worth
}

// frictionEvidence returns, in nats, how much friction explains of each equation. It is negative if friction would
// drive the joint, and 0 if its direction is not known.
func (t *trial) frictionEvidence() []float64 {
	out := slices.Clone(t.frictionWorths())
	for e, w := range out {
		p, sure := t.frictionPower(t.joints[e])
		switch out[e] = max(t.neff[e]/2*w, 0); {
		case !sure:
			out[e] = 0
		case p < 0:
			out[e] = -out[e]
		}
	}
	return out
}

// frictionPower returns the power in W that friction takes from a joint; sure is false if the joint stands or shares its
// drive.
func (t *trial) frictionPower(j int) (power float64, sure bool) {
	if !t.moves[j] {
		return 0, false
	}
	by := t.chi[len(t.base)+perMotor*j:]
	v := t.motion.v[j]
	for _, x := range v {
		power += by[viscous]*x*x + by[coulomb]*math.Abs(x)
	}
	return power / float64(len(v)), true
}

// changesGravity: a motion can show gravity if it changes the gravity torque of a unit first moment by more than this
// fraction of g (RMS about the mean).
const changesGravity = 0.1

// feelsGravity reports whether gravity can change a torque of this robot in this motion.
func (t *trial) feelsGravity() bool {
	g := norm3(t.opt.Gravity)
	for _, j := range t.joints {
		for _, c := range t.base {
			x := make([]float64, len(t.rows))
			for i := range t.pull {
				for k, v := range t.pull[i][j][c] {
					x[k] += t.opt.Gravity[i] * v
				}
			}
			if spread(x) > changesGravity*g && g > 0 {
				return true
			}
		}
	}
	return false
}
