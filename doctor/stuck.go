package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/datasets"
	"ident/doctor/internal/projection"
	"ident/internal/rowlist"
)

// Limits on plateaus: sequences of one value.
const (
	// Channels repeat values now and then by chance or at rest. If more than this part of the rows repeats, a run of
	// equal values proves nothing.
	habit = 0.3
	// A channel whose usual step is below this many quanta keeps its value for long stretches anyway.
	crawl = 4
	// A torque that is constant for this many seconds while the robot moves is stuck.
	stuckTime = 0.05
	// A position that stops dead for this many seconds is stuck.
	restTime = 0.2
	// The jump after a plateau, in steps before it, up to which the position went on from where it stood.
	wentOnAt = 1.5
	// The least motion of the robot meanwhile, relative to the joint's range in the log.
	stuckMotion = 0.03
	// The part of its range that the velocity must cover while a position is constant up to the log's end.
	stuckSpeed = 0.1
	// The number of plateaus of minPlateau or more rows at an extreme that make a channel saturated.
	saturatedRuns = 2
	// The part of the rows on which a torque repeats the row before that are at an extreme, from which it is saturated: frames are
	// lost anywhere.
	clippedShare = 0.9
)

// regular reports whether equal neighbours are unusual for the channel: outside long plateaus it seldom repeats, and it
// does not crawl from quantum to quantum.
func (rec *recording) regular(c *channel) bool {
	s := rec.stats(c)
	if float64(s.repeats-s.plateauRows) >= habit*float64(s.rows-s.plateauRows) {
		return false
	}
	steps := s.step
	steps[0] = 0
	return projection.MagnitudeQuantile(&steps, 0.5) > crawl*rec.quantum(c)
}

// saturation finds efforts that are flat at an extreme while the robot moves.
func saturation(rec *recording, c *channel) (f Finding, ok bool) {
	s := rec.stats(c)
	if (c.role != torque && c.role != current) || !rec.regular(c) {
		return f, false
	}
	for _, side := range []float64{s.max, s.min} {
		n, rows, moved := 0, 0, false
		var where rowlist.List
		for _, r := range s.plateaus {
			// A drive has the same limit in both directions. One plateau in motion distinguishes the limit from a torque
			// at rest.
			if at := r.value == side || s.min == -s.max && r.value == -side; at && r.rows >= minPlateau {
				moved = moved || rec.moved(r)
				n++
				rows += r.rows
				where.Note(r.first)
			}
		}
		if n < saturatedRuns || !moved {
			continue
		}
		f := rec.saturated(c, side)
		f.Limit = float64(saturatedRuns)
		f.at(&where, rec.t)
		f.Where = "from " + f.Where
		f.Why = fmt.Sprintf("%s stands at its extreme of %.6g %s on at least %d rows in %d runs while the robot moves: the drive or the sensor was at its limit",
			c.name, side, rec.unitOf(c), rows, n)
		return f, true
	}
	return f, false
}

// saturated returns a finding, without its Why, about a torque that is flat at an extreme.
func (rec *recording) saturated(c *channel, side float64) Finding {
	f := rec.about(Saturated, Warning, c)
	f.Value, f.Fix = side, "repeat the motion more slowly, or leave these rows out with {on-bad} drop"
	return f
}

// atExtremes reports whether a channel is at its largest or smallest value on nearly all the rows on which it repeats the row before.
func (rec *recording) atExtremes(c *channel, rows []int) bool {
	s := rec.stats(c)
	asked, at := 0, 0
	for _, w := range rec.windows {
		for _, k := range rows {
			if x := w.cols[c.index]; k >= w.first && k < w.first+len(x) {
				asked++
				if v := x[k-w.first]; v == s.max || v == s.min {
					at++
				}
			}
		}
	}
	return float64(at) > clippedShare*float64(asked)
}

// moved reports whether some joint moved far enough during a plateau.
func (rec *recording) moved(r plateau) bool {
	for _, j := range rec.joints {
		if j.q != nil && r.moved[j.q.index] > stuckMotion*rec.stats(j.q).span() && !rec.isStill(j) {
			return true
		}
	}
	return false
}

// wentOn reports whether the velocity shows that the joint moved during a plateau of the position, with a jump after it.
func (rec *recording) wentOn(c *channel, j joint, r plateau, lasted float64) bool {
	s := rec.stats(c)
	if j.dq == nil || rec.stats(j.dq).span() == 0 || !r.ended {
		return false
	}
	fast, steps := math.Abs(r.from[j.dq.index]), s.step
	steps[0] = 0 // those at rest, the most of a joint that moves while others rest
	return math.Abs(r.jump) >= 3*projection.MagnitudeQuantile(&steps, 0.9) && fast > 0.05*rec.stats(j.dq).deviation() && fast*lasted > 0.01*s.span()
}

// turnsOn reports whether the velocity continues at the start of a plateau and changes by more than noise, while the
// position stays constant up to the end of the log. At the end of a rest the transient of a filter changes it too.
func (rec *recording) turnsOn(j joint, r plateau) bool {
	if r.ended || j.dq == nil || rec.isStill(j) || math.Abs(r.from[j.dq.index]) <= 0.05*rec.stats(j.dq).deviation() {
		return false
	}
	// Noise steps from row to row by about its standard deviation and spans seven standard deviations.
	steps := rec.stats(j.dq).step
	steps[0] = 0
	return r.moved[j.dq.index] > max(stuckSpeed*rec.stats(j.dq).span(), 10*projection.MagnitudeQuantile(&steps, 0.5))
}

// stoppedDead reports whether a position reached its plateau at more than half its usual speed (the median while
// moving): no drive can stop within one row. A joint that goes on from there with a usual step has stood: a channel
// that froze makes up for the motion that it missed. A joint that stood so before stands so at the end of the log too.
func (rec *recording) stoppedDead(c *channel, r plateau) bool {
	steps := rec.stats(c).step
	steps[0] = 0
	usual := projection.MagnitudeQuantile(&steps, 0.5)
	fast := func(p plateau) bool { return math.Abs(p.into) > 0.5*usual }
	stood := func(p plateau) bool {
		return p.ended && fast(p) && float64(p.rows)*rec.clock.Median > restTime && math.Abs(p.jump) <= wentOnAt*math.Abs(p.into)
	}
	if !fast(r) || stood(r) {
		return false
	}
	return r.ended || !slices.ContainsFunc(rec.stats(c).plateaus[:], stood)
}

// stuckValue finds channels that keep one value although they should change.
func stuckValue(rec *recording, c *channel) (f Finding, ok bool) {
	s, j := rec.stats(c), rec.joints[c.joint]
	dt := rec.clock.Median
	var found []plateau
	for _, r := range s.plateaus {
		if r.rows < minPlateau {
			continue
		}
		lasted := float64(r.rows) * dt
		switch c.role {
		case position:
			if rec.regular(c) && (rec.wentOn(c, j, r, lasted) || lasted > restTime && (rec.stoppedDead(c, r) || rec.turnsOn(j, r))) {
				found = append(found, r)
			}
		case torque, current:
			if lasted > stuckTime && rec.moved(r) && rec.regular(c) {
				found = append(found, r)
			}
		}
	}
	if len(found) == 0 {
		return f, false
	}
	slices.SortFunc(found, func(a, b plateau) int { return a.first - b.first })
	f = rec.about(Stuck, Error, c)
	if c.role != position && len(found) == 1 && float64(found[0].rows) < 0.02*float64(s.rows) {
		f.Severity = Warning
	}
	var where rowlist.List
	longest := found[0]
	for _, r := range found {
		f.Repair.Edits = append(f.Repair.Edits, Edit{Rows: []datasets.RowRange{{r.first, r.first + r.rows}}})
		where.Note(r.first)
		if r.rows > longest.rows {
			longest = r
		}
	}
	f.Value, f.Limit = float64(longest.rows)*dt, stuckTime
	f.at(&where, rec.t)
	f.Where = "from " + f.Where
	stretches := "one stretch"
	if len(found) > 1 {
		stretches = fmt.Sprintf("%d stretches", len(found))
	}
	f.Why = fmt.Sprintf("%s keeps one value in %s while the robot moves; in the longest it stays at %.6g %s for %d rows (%.4g s): frames were lost",
		c.name, stretches, longest.value, rec.unitOf(c), longest.rows, f.Value)
	if c.role == position && rec.stoppedDead(c, longest) {
		f.Why = fmt.Sprintf("%s stands still for %.4g s from one row to the next, out of %.3g %s/s: no drive stops so, the channel froze",
			c.name, f.Value, math.Abs(longest.into)/dt, rec.unitOf(c))
	}
	f.Fix = fmt.Sprintf("{mend} writes a log without these rows; the longest stretch is rows %d to %d", longest.first+1, longest.first+longest.rows)
	return f, true
}
