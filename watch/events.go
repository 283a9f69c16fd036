package watch

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/robot"
)

// gatherSeconds is the time of which the sums of an episode take the mean: short beside motions, long beside the observer's noise.
const gatherSeconds = 0.05

// episode is the time from an alarm to the end of what caused it.
type episode struct {
	on         bool
	since      float64
	drift      bool // the alarm was one of drift
	calm       float64
	settled    float64 // the sums begin
	next       float64 // time of the next diagnosis
	told       bool    // a contact or collision was told
	silentTime float64 // when no test said anything, last
	window     int     // of the test that began it, by its place in windows
	said       bool    // that it may be a load
	joint      string  // of the event that began it
	alone      bool    // no other joint felt that
	anew       float64 // the sums began anew; 0 if they hold all of it
	place      *place  // where the force acts; nil while it cannot be told
}

// place is where a force acts.
type place struct {
	link        string
	joint       string // that moves the link
	at          *[3]float64
	size, sigma float64
}

// friction is a change of a joint's friction that was found.
type friction struct{ coulomb, viscous, offset float64 }

// known returns the external torque that a change of friction looks like.
func (f *friction) known(v, rest float64) float64 {
	return f.coulomb*max(-1, min(1, v/rest)) + f.viscous*v + f.offset
}

// place computes the tip's Jacobian at a row.
func (w *Watcher) place(c Columns, k int) {
	if w.tree == nil {
		return
	}
	w.at = w.at[:0]
	for j := range c.Q {
		w.at = append(w.at, c.Q[j][k])
	}
	w.pose.Place(w.at)
	w.pose.Jacobian(w.jac, w.tip)
}

// test compares the test statistics with their thresholds and reports events.
func (w *Watcher) test(c Columns, k int) {
	e := &w.episode
	t := w.row.T
	if w.rows <= w.noise.settling() {
		return
	}
	// An external torque says nothing of drift while it lasts, and a slow change hides none.
	at, ratio, z, silent := w.worst(!e.on)
	if silent {
		e.silentTime = t
	}
	dt := 1 / w.noise.RateHz
	if !e.on || e.drift && ratio >= 1 {
		if ratio >= 1 {
			w.begin(at, z, c, k)
		} else if w.load != nil && !w.load.idle(w) {
			w.load.gather(w, c, k, dt)
			if w.load.sum.seconds > 0.5 && t >= e.next {
				if w.load.follow() {
					w.correct()
				}
				e.next = t + 0.25
			}
		}
		return
	}
	if e.drift {
		_, _, _, silent = w.worst(true)
	} else {
		silent = !w.lasts(e.window)
	}
	if silent {
		e.calm += dt
	} else {
		e.calm = max(0, e.calm-loudRate*dt)
	}
	if e.calm >= w.opt.EndSeconds {
		if e.told {
			w.tell(w.over(e))
		}
		*e = episode{silentTime: t}
		w.bank.reset()
		if w.load != nil {
			w.load.begin()
		}
		return
	}
	if w.load == nil || t < e.settled {
		return
	}
	w.load.gather(w, c, k, dt)
	if t >= e.next {
		e.next = t + 0.1
		w.judge()
	}
}

func (w *Watcher) tell(e Event) {
	w.row.Events = append(w.row.Events, e)
	w.told++
}

// begin begins an episode with the event of its alarm.
func (w *Watcher) begin(at int, z float64, c Columns, k int) {
	t := w.row.T
	test := &w.noise.Tests[at]
	rise := t - w.episode.silentTime
	w.episode = episode{on: true, since: t, window: at / len(w.names), drift: test.Drift, settled: t + 6/w.noise.Bandwidth, next: t + 0.3, silentTime: w.episode.silentTime}
	if w.load != nil {
		w.load.begin()
		w.load.before = Body{} // what is there now is another body, if it is one
	}
	ev := Event{T: t, Z: z, Limit: w.limit[at], Since: w.episode.silentTime}
	switch {
	case test.Drift || test.Window > 0 && w.alternates(test.Joint):
		w.episode.drift = true
		ev.Type, ev.Joint = Drift, w.names[test.Joint]
		ev.Text = fmt.Sprintf("slow change of joint %s: %.1f standard deviations, limit %.1f", ev.Joint, math.Abs(z), ev.Limit)
	default:
		w.episode.told = true
		outermost, alone := w.feel()
		w.episode.alone = alone
		ev.Joint = w.names[outermost]
		ev.Type = Contact
		if test.Window == 0 && rise <= 2/w.noise.Bandwidth {
			ev.Type = Collision
		}
		ev.Force, ev.Sigma = w.force(c, k)
		what := string(ev.Type)
		if ev.Type == Contact && alone {
			ev.Or = Drift
			what += " or friction"
		}
		ev.Text = fmt.Sprintf("%s: external torque on joint %s, %.1f standard deviations, limit %.1f", what, ev.Joint, math.Abs(z), ev.Limit)
		if ev.Or != "" {
			ev.Text += "; no other joint feels it, so its friction may have changed"
		}
	}
	w.episode.joint = ev.Joint
	w.tell(ev)
}

// over returns the event that ends an episode, with where its force acted, if that was told.
func (w *Watcher) over(e *episode) Event {
	t := w.row.T
	ev := Event{Type: End, T: t, Since: e.since, Joint: e.joint, Text: fmt.Sprintf("the external torque is gone after %.2f s", t-e.since)}
	p := e.place
	if p == nil {
		return ev
	}
	ev.Joint, ev.Link, ev.Point, ev.Force, ev.Sigma = p.joint, p.link, p.at, p.size, p.sigma
	if ev.Text += "; a force on link " + p.link; p.at != nil {
		ev.Text += fmt.Sprintf(" of %.3g ± %.2g N at (%.2f, %.2f, %.2f) m", p.size, p.sigma, p.at[0], p.at[1], p.at[2])
	}
	return ev
}

// alternates reports whether what a joint shows turns with its velocity, as friction does and a contact does not.
func (w *Watcher) alternates(joint int) bool {
	var with, without float64
	for i := range w.noise.Tests {
		t := &w.noise.Tests[i]
		if !t.Drift || t.Joint != joint || t.Unfit != "" {
			continue
		}
		ratio := math.Abs(w.value(i)) / w.silent[i]
		if t.Signed {
			with = ratio
		} else {
			without = ratio
		}
	}
	return with > 1 && with > 2*without
}

// force returns the size of the force on the tip that explains the external torques best, with its standard deviation.
func (w *Watcher) force(c Columns, k int) (size, sigma float64) {
	if w.tree == nil {
		return 0, 0
	}
	w.place(c, k)
	x := newNormal(3)
	for j := range w.names {
		var row [robot.NumInertial]float64
		copy(row[:3], w.jac[j].Linear[:])
		x.add(row[:], w.row.Unexplained[j], 1/(w.row.Sigma[j]*w.row.Sigma[j]))
	}
	f, cov, _ := x.solve(forcePrior)
	size = math.Sqrt(f[0]*f[0] + f[1]*f[1] + f[2]*f[2])
	if size == 0 {
		return 0, 0
	}
	v := 0.0
	for i := range 3 {
		for j := range 3 {
			v += f[i] * cov[i][j] * f[j]
		}
	}
	return size, math.Sqrt(v) / size
}

// betterBy is how much more a body, or a change of friction, must explain than what else could, in units of a log-likelihood behind the prices of their
// unknowns: once in 20,000 by chance.
const betterBy = 10

// explainedPart is the part of the square that a change of friction must explain: friction is modelled by three numbers only.
const explainedPart = 0.6

// A hypothesis is one that explains an episode if what it leaves is noise: at most leftOver for each value, whose square is 1 where the density of the
// noise at low frequencies is that of the quiet logs, or leftPart of the whole, as the motion of a load is measured no better.
const (
	leftOver = 3
	leftPart = 0.004
)

// handReach is how far from the frame of the link that carries it the centre of a load may be, m: a gripper of 0.25 m with a load of half a metre.
const handReach = 0.5

// loadReach is how far from that frame the farthest point of such a load is, m.
const loadReach = 0.75

// loudRate is how many rows below their limits a row beyond outweighs: an episode goes on while a third of the rows are beyond. Noise alone is beyond in
// one of a hundred rows, which must not begin the wait for the end again.
const loudRate = 2

// slipSeconds is how long an episode must last to be taken for a change of friction: within less, a push on one joint is none.
const slipSeconds = 10

// freshSeconds is how long an episode without a name is gathered before that begins anew, and by slipSeconds longer if one joint alone
// feels it, whose friction it may be; oddSeconds is how long if nothing explains it, as where a hand helps with a load and then leaves.
const (
	freshSeconds = 6
	oddSeconds   = 2
)

// weighSeconds is how long what is told of an episode is gathered at least: a step of a motion passes by.
const weighSeconds = 0.3

// evidence is what the sums say for each hypothesis.
type evidence struct {
	noise, values float64 // what a hypothesis may leave; how many values
	of            *weighing
	mass, sigma   float64
	body          float64 // score of a body
	force         force
	weight        weight
	slip          float64 // score of a change of friction, which explains slid, of a joint
	slid          float64
	joint         int
	change        []float64
	spread        [][]float64
}

// evidence weighs the hypotheses.
func (w *Watcher) evidence() *evidence {
	d := w.load
	s := d.sum
	v := &evidence{values: s.values, noise: max(leftOver*s.values, leftPart*s.square), of: d.weigh(), force: d.rivals.best(s), weight: d.rivals.weight(s, d.link), slip: math.Inf(-1)}
	for j := range s.each {
		friction := s.friction(j)
		if x, c, explained := friction.solve(forcePrior); explained > v.slid {
			v.slid, v.joint, v.change, v.spread = explained, j, x, c
		}
	}
	if v.slid > 0 {
		v.slip = v.slid/2 - price(slipUnknowns, v.values) - math.Log(float64(len(s.each)))
	}
	theta := v.of.theta
	v.mass, v.sigma = theta[massAt], math.Sqrt(v.of.cov[massAt][massAt])
	v.body = max(v.of.explained/2-price(len(theta), v.values), d.compact(theta)/2-price(4, v.values)) - math.Ln2
	return v
}

// loaded tells a body that the evidence is for: one that was put down, or picked up.
func (w *Watcher) loaded(v *evidence) bool {
	d, e := w.load, &w.episode
	others := max(v.force.score, v.weight.score, v.slip)
	if w.putDown(v, others) {
		return true
	}
	var whole robot.Inertial
	for i := range whole {
		whole[i] = d.base[i] + v.of.theta[i]
	}
	left := d.sum.square - v.of.explained
	// Where a body leaves more than the noise, likelihoods count by as much less: errors are not those that they assume.
	if !(v.body > others+betterBy*max(1, left/v.values) && left <= v.noise && (math.Abs(v.mass) > 6*v.sigma && v.sigma < 0.2*math.Abs(v.mass) || d.moves(v.of)) && possible(whole, v.of.cov)) {
		return false
	}
	d.take(d.estimate())
	w.o.pose.stale = true
	w.tellLoad(max(e.since, e.anew), d.sigma(), "")
	w.judged()
	return true
}

// correct tells the carried body again where its mass is none that was told, and that it was put down where it has none any more: a light one may go
// without an alarm.
func (w *Watcher) correct() {
	d := w.load
	mass, sigma := d.carried[massAt], d.sigma()
	if math.Abs(mass-d.said.Mass) <= 6*math.Hypot(sigma, d.said.Sigma) {
		d.said = Body{Mass: mass, Sigma: sigma} // the same mass, better known
		return
	}
	if mass < 3*sigma {
		w.put(w.row.T-d.sum.seconds, "by")
	} else {
		w.tellLoad(d.since, sigma, "")
	}
}

// put puts the carried body down, at a time or by then.
func (w *Watcher) put(since float64, when string) {
	sigma := w.load.sigma()
	w.load.drop()
	w.o.pose.stale = true
	w.tellLoad(since, sigma, when)
	w.judged()
}

// judged ends an episode whose cause is told. A hand may have helped: what follows is weighed anew, and counts once it is as certain.
func (w *Watcher) judged() {
	w.load.begin()
	w.bank.reset()
	w.episode = episode{silentTime: w.row.T, next: w.row.T + 0.25}
}

// judge decides what an episode is, once the motion is sufficient.
func (w *Watcher) judge() {
	d, e := w.load, &w.episode
	s := d.sum
	if s.square == 0 || s.seconds < weighSeconds || w.deaf() {
		return // a dead channel is no body and no friction
	}
	v := w.evidence()
	agrees := d.agrees()
	if v.force.ahead > betterBy && s.square-v.force.explained <= v.noise && v.force.link == w.outermostLink() {
		w.located(v.force)
	}
	if agrees && w.loaded(v) {
		return
	}
	if s.seconds-d.past.seconds >= weighSeconds && d.past.seconds > 0 {
		// A hand that helped has left: what follows is judged alone.
		s.add(-1, d.past)
		if w.loaded(w.evidence()) {
			return
		}
		s.add(1, d.past)
	}
	weight := &v.weight
	switch {
	case v.slip > max(v.force.score, weight.score, v.body)+betterBy && v.slid > explainedPart*s.square && s.seconds > slipSeconds && s.moved[0][v.joint] > 0.3 && s.moved[1][v.joint] > 0.3:
		f, change, sigma := &w.slip[v.joint], v.change, math.Sqrt(v.spread[0][0])
		f.coulomb, f.viscous, f.offset = f.coulomb+change[0], f.viscous+change[1], f.offset+change[2]
		w.tell(Event{Type: Drift, T: w.row.T, Joint: w.names[v.joint], Since: e.since, Force: -change[0], Sigma: sigma,
			Text: fmt.Sprintf("friction of joint %s has changed by %+.3g ± %.2g (Coulomb), %+.3g (viscous), offset %+.3g", w.names[v.joint], -change[0], sigma, -change[1], -change[2])})
		w.judged()
		return
	case !e.said && weight.score > max(v.force.score, v.slip) && s.square-weight.explained <= v.noise && weight.force > 6*weight.sigma && within(weight.point, handReach):
		e.said = true
		g := w.gravity()
		ev := Event{Type: LoadOrContact, T: w.row.T, Since: e.since, Joint: w.names[len(w.names)-1], Sigma: weight.sigma / g, Centre: &weight.point}
		m := weight.force / g
		ev.Mass = &m
		ev.Text = fmt.Sprintf("a load of %.3g ± %.2g kg or a contact that presses down, since %.2f s: no motion tells them apart yet", m, ev.Sigma, e.since)
		w.tell(ev)
	case s.seconds > slipSeconds+freshSeconds, s.seconds > freshSeconds && !e.alone, s.seconds > oddSeconds && s.square-max(v.of.explained, v.force.explained, weight.explained) > v.noise:
		d.begin() // what happens next may have another cause
		d.before = Body{}
		e.anew = w.row.T
	}
	d.part()
}

// outermostLink returns the link that the outermost joint moves whose torques of an episode are no noise, -1 for none. A force acts on none beyond,
// and on one before only if it passes through that joint's axis.
func (w *Watcher) outermostLink() int {
	s, link := w.load.sum, -1
	each := s.values / float64(len(s.own))
	for j, square := range s.own {
		if square > leftOver*each+2*betterBy {
			link = w.load.rivals.links[j]
		}
	}
	return link
}

// located keeps the link of the force that explains an episode, and its point if it is a constant one at a fixed point that leaves no more than the
// noise of the quiet logs. A point stays: behind the end of a force the sums hold what it does not explain.
func (w *Watcher) located(f force) {
	v, s, e := w.load.rivals, w.load.sum, &w.episode
	if e.place != nil && e.place.at != nil {
		return
	}
	l := w.o.m.Robot.Links[f.link]
	e.place = &place{link: l.Name, joint: l.Joint.Name}
	if size, sigma, at, told := v.point(s, f.link); told && f.fixed && s.square-f.explained <= s.values {
		e.place.at, e.place.size, e.place.sigma = &at, size, sigma
	}
}

// putDown tells that the carried body was put down: if its absence, which has no unknowns, explains the episode and nothing does better than by
// chance; or if the body that explains it best takes the carried one away, up to a tenth.
func (w *Watcher) putDown(v *evidence, others float64) bool {
	d, e, theta := w.load, &w.episode, v.of.theta
	if d.carried[massAt] == 0 {
		return false
	}
	gone := make([]float64, len(theta))
	for i := range gone {
		gone[i] = -d.base[i]
	}
	alone := d.sum.body()
	explained := alone.explains(gone)
	absent := d.sum.square-explained <= v.noise && explained/2 > max(v.body, others)-betterBy
	left := math.Abs(d.base[massAt] + theta[massAt])
	taken := d.sum.square-v.of.explained <= v.noise && v.body > others && left < max(3*v.sigma, 0.1*math.Abs(d.base[massAt]))
	if !absent && !taken {
		return false
	}
	w.put(max(e.since, e.anew), "at")
	return true
}

// gravity returns the acceleration of gravity.
func (w *Watcher) gravity() float64 {
	g := w.o.m.Robot.Gravity
	return math.Sqrt(g[0]*g[0] + g[1]*g[1] + g[2]*g[2])
}

// possible reports whether a robot can carry a body, within three standard deviations of the body's parameters: its mass is positive, its centre is
// within handReach, its pseudo-inertia has no negative eigenvalue, and its radius of gyration about the frame's origin is at most loadReach, as it
// is if all of its points are.
func possible(body robot.Inertial, cov [][]float64) bool {
	m := body.Mass()
	c, _ := body.CentreOfMass()
	if !(m > 3*math.Sqrt(cov[massAt][massAt])) || !within(c, handReach) {
		return false
	}
	pseudo, rows := body.PseudoInertia(), mat.NewSymDense(4, nil)
	for i, row := range pseudo {
		for k, x := range row {
			rows.SetSym(i, k, x)
		}
	}
	var e mat.EigenSym
	var vectors mat.Dense
	if !e.Factorize(rows, true) {
		return false
	}
	e.VectorsTo(&vectors)
	least, near := [4][4]float64{}, [4][4]float64{}
	for i := range least {
		for k := range least {
			least[i][k] = vectors.At(i, 0) * vectors.At(k, 0)
		}
		near[i][i] = -1
	}
	near[3][3] = loadReach * loadReach
	return notBelow(least, body, cov) && notBelow(near, body, cov)
}

// notBelow reports whether the integral over the mass of a body of a quadratic form of (x, y, z, 1) is not below zero by more than three deviations.
func notBelow(form [4][4]float64, body robot.Inertial, cov [][]float64) bool {
	integral := func(of robot.Inertial) (sum float64) {
		for i, row := range of.PseudoInertia() {
			for k, x := range row {
				sum += form[i][k] * x
			}
		}
		return sum
	}
	var slope [robot.NumInertial]float64 // the integral is linear in the parameters
	for i := range slope {
		var unit robot.Inertial
		unit[i] = 1
		slope[i] = integral(unit)
	}
	variance := 0.0
	for i, a := range slope {
		for k, b := range slope {
			variance += a * cov[i][k] * b
		}
	}
	return integral(body) >= -3*math.Sqrt(variance)
}

func within(p [3]float64, reach float64) bool { return p[0]*p[0]+p[1]*p[1]+p[2]*p[2] <= reach*reach }

// lasts reports whether an event goes on, by the tests of a contact whose windows are at most as long as a given one: a longer one remembers what is
// over. Means remember too, so they count above their thresholds only.
func (w *Watcher) lasts(window int) bool {
	for i := range min(max(window, 1)+1, contactWindows()) * len(w.names) {
		level := w.silent[i]
		if w.noise.Tests[i].Window > 0 {
			level = w.limit[i]
		}
		if math.Abs(w.value(i)) > level {
			return true
		}
	}
	return false
}

// tellLoad reports a body that was picked up, changed or put down.
func (w *Watcher) tellLoad(since, sigma float64, put string) {
	d := w.load
	mass := d.carried[massAt]
	d.said, d.since = Body{Mass: mass, Sigma: sigma}, since
	ev := Event{Type: Payload, T: w.row.T, Since: since, Mass: &mass, Sigma: sigma}
	if put != "" {
		ev.Text = fmt.Sprintf("the payload was put down %s %.2f s", put, since)
	} else {
		ev.Centre = d.centre()
		ev.Text = fmt.Sprintf("a payload of %.3g ± %.2g kg since %.2f s", mass, sigma, since)
		if gains := d.byGains(); 2*gains*gains > sigma*sigma {
			ev.Text += fmt.Sprintf("; of this, the uncertain gains of the motor currents make ± %.2g kg", gains)
		}
	}
	w.tell(ev)
}
