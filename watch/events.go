package watch

import (
	"fmt"
	"math"

	"ident/robot"
)

// gatherSeconds is the time of which the sums of an episode take the mean: short beside motions, long beside the observer's noise.
const gatherSeconds = 0.05

// episode is the time from an alarm to the end of what caused it.
type episode struct {
	on       bool
	since    float64
	drift    bool // the alarm was one of drift
	calm     float64
	settled  float64 // the sums begin
	next     float64 // time of the next diagnosis
	judged   bool    // an event said what it is
	told     bool    // a contact or collision was told
	halfTime float64 // when the observer's test last was below half its threshold
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
	at, ratio, z := w.worst(!e.on)
	if ratio < 0.5 {
		e.halfTime = t
	}
	dt := 1 / w.noise.RateHz
	if !e.on || e.drift && ratio >= 1 {
		if ratio >= 1 {
			w.begin(at, z, c, k)
		} else if w.load != nil && !w.load.idle(w) {
			w.load.gather(w, c, k, dt)
			if w.load.sum.seconds > 0.5 && t >= e.next {
				theta, cov, _ := w.load.weigh()
				w.load.take(theta, cov)
				e.next = t + 0.25
			}
		}
		return
	}
	if e.drift {
		_, ratio, _ = w.worst(true)
	}
	if ratio < 0.5 {
		e.calm += dt
	} else {
		e.calm = 0
	}
	if e.calm >= w.opt.EndSeconds {
		if e.told && !e.judged {
			w.tell(Event{Type: End, T: t, Since: e.since, Text: fmt.Sprintf("the external torque is gone after %.2f s", t-e.since)})
		}
		*e = episode{halfTime: t}
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

func (w *Watcher) tell(e Event) { w.row.Events = append(w.row.Events, e) }

// begin begins an episode with the event of its alarm.
func (w *Watcher) begin(at int, z float64, c Columns, k int) {
	t := w.row.T
	test := &w.noise.Tests[at]
	rise := t - w.episode.halfTime
	w.episode = episode{on: true, since: t, drift: test.Drift, settled: t + 6/w.noise.Bandwidth, next: t + 0.3, halfTime: w.episode.halfTime}
	if w.load != nil {
		w.load.begin()
	}
	ev := Event{T: t, Z: z, Limit: w.limit[at], Since: w.episode.halfTime}
	switch {
	case test.Drift || test.Window > 0 && w.alternates(test.Joint):
		w.episode.drift = true
		ev.Type, ev.Joint = Drift, w.names[test.Joint]
		ev.Text = fmt.Sprintf("slow change of joint %s: %.1f standard deviations, limit %.1f", ev.Joint, math.Abs(z), ev.Limit)
	default:
		w.episode.told = true
		outermost, alone := w.feel()
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
		ev.Text = fmt.Sprintf("%s: external torque on joint %s, %.1f standard deviations, limit %.1f", what, w.names[test.Joint], math.Abs(z), ev.Limit)
		if ev.Or != "" {
			ev.Text += "; no other joint feels it, so its friction may have changed"
		}
	}
	w.tell(ev)
}

// alternates reports whether what a joint shows turns with its velocity, as friction does and a contact does not.
func (w *Watcher) alternates(joint int) bool {
	var with, without float64
	joints := len(w.names)
	for i := range w.noise.Tests {
		t := &w.noise.Tests[i]
		if !t.Drift || t.Joint != joint || t.Unfit != "" {
			continue
		}
		ratio := math.Abs(w.bank.z(i/joints, joint, t.Gain)) / w.limit[i]
		if t.Signed {
			with = ratio
		} else {
			without = ratio
		}
	}
	return with > 0.5 && with > 2*without
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
		x.add(&row, w.row.Observer[j], 1/(w.row.Sigma[j]*w.row.Sigma[j]))
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

// The rules by which an episode is taken for a payload or a drift: what explains it must explain this part of it, and
// this much more, in units of a log-likelihood, than what else could.
const (
	explainedPart = 0.6
	betterBy      = 10
)

// slipSeconds is how long an episode must last to be taken for a change of friction: within less, a push on one joint is none.
const slipSeconds = 10

// freshSeconds is how long an episode without a name is gathered before that begins anew.
const freshSeconds = 15

// judge decides what an episode is, once the motion is sufficient.
func (w *Watcher) judge() {
	d, e := w.load, &w.episode
	s := &d.sum
	if e.judged || s.square == 0 || w.deaf() {
		return // a dead channel is no body and no friction
	}
	if s.seconds > freshSeconds {
		d.begin() // what happens now may have another cause
		return
	}
	theta, cov, body := d.weigh()
	_, _, force := s.force.solve(forcePrior)
	slip, at := 0.0, 0
	var change []float64
	var spread [][]float64
	for j := range s.friction {
		if x, c, explained := s.friction[j].solve(forcePrior); explained > slip {
			slip, at, change, spread = explained, j, x, c
		}
	}
	mass, sigma := theta[massAt], math.Sqrt(cov[massAt][massAt])
	switch {
	case body > max(force, slip)+betterBy && body > explainedPart*s.square && math.Abs(mass) > 6*sigma && sigma < 0.2*math.Abs(mass):
		e.judged = true
		d.take(theta, cov)
		put := math.Abs(d.carried[massAt]) < max(3*sigma, 0.1*math.Abs(mass))
		if put {
			d.drop()
		}
		w.tellLoad(e.since, sigma, put)
		w.bank.reset()
		*e = episode{halfTime: w.row.T, next: w.row.T + 0.25}
		if put {
			d.begin()
		}
	case slip > max(force, body)+betterBy && slip > explainedPart*s.square && s.seconds > slipSeconds && s.moved[0][at] > 0.3 && s.moved[1][at] > 0.3:
		e.judged = true
		f := &w.slip[at]
		f.coulomb, f.viscous, f.offset = f.coulomb+change[0], f.viscous+change[1], f.offset+change[2]
		w.tell(Event{Type: Drift, T: w.row.T, Joint: w.names[at], Since: e.since, Force: -change[0], Sigma: math.Sqrt(spread[0][0]),
			Text: fmt.Sprintf("friction of joint %s has changed by %+.3g ± %.2g (Coulomb), %+.3g (viscous), offset %+.3g", w.names[at], -change[0], math.Sqrt(spread[0][0]), -change[1], -change[2])})
		w.bank.reset()
		*e = episode{halfTime: w.row.T, next: w.row.T + 0.25}
		d.begin()
	}
}

// tellLoad reports a body that was picked up, changed or put down.
func (w *Watcher) tellLoad(since, sigma float64, put bool) {
	d := w.load
	mass := d.carried[massAt]
	ev := Event{Type: Payload, T: w.row.T, Since: since, Mass: &mass, Sigma: sigma}
	if put {
		ev.Text = fmt.Sprintf("the payload was put down at %.2f s", since)
	} else {
		ev.Centre = d.centre()
		ev.Text = fmt.Sprintf("a payload of %.3g ± %.2g kg since %.2f s", mass, sigma, since)
	}
	w.tell(ev)
}
