package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/datasets"
	"ident/doctor/internal/projection"
	"ident/internal/rowlist"
)

// Limits on rows that repeat the one before.
const (
	// The least part of the rows, and the least number, for which held rows are reported.
	heldShare = 2e-3
	heldLeast = 10
	// Steps on both sides of a repetition must be at least heldSteps quanta and heldMedian of the channel's median step:
	// a channel that fast does not stop for one row.
	heldSteps  = 4
	heldMedian = 0.02
	// The part of the rows from which repeating is the channel's slower rate, not an accident.
	heldRate = 0.2
	// Steps of a velocity below this part of a step of the position in one row are made by its arithmetic and its print.
	rounded = 1e-3
	// The largest number of repeated rows stored.
	keptRepeats = 1 << 16
)

// repeatedRow is a row that repeats the previous one, with steps before and after it.
type repeatedRow struct {
	row   int
	size  float64 // of the smaller step
	jumps bool    // the step after makes up for the missed motion: it is the step before times the rows
}

// suspect is a channel with the rows in which it clearly repeats the previous one.
type suspect struct {
	c    *channel
	rows []int
}

// wholeRows returns the rows in which nine tenths of the changing channels repeat the previous row, and half of the
// suspects clearly do. ok reports whether these rows hold most of the suspects' repetitions.
func wholeRows(rec *recording, suspects []suspect, alive []*channel) (rows []int, ok bool) {
	if len(suspects) < max(3, len(alive)/3) {
		return nil, false
	}
	clear, all := map[int]int{}, map[int]int{}
	for _, f := range suspects {
		for _, r := range f.rows {
			clear[r]++
		}
	}
	for _, c := range alive {
		for _, h := range rec.stats(c).repeated {
			all[h.row]++
		}
	}
	covered, total := 0, 0
	for r, n := range clear {
		total += n
		if 2*n >= len(suspects) && 10*all[r] >= 9*len(alive) {
			rows = append(rows, r)
			covered += n
		}
	}
	slices.Sort(rows)
	return rows, 2*covered >= total && float64(len(rows)) >= heldShare*float64(rec.t.Len())
}

// goesOn reports whether the steps of a channel follow each other: then the step after a held row makes up for the missed motion. Steps of
// white noise have a correlation of -1/2 with the next.
func (rec *recording) goesOn(c *channel) bool {
	along, all := 0.0, 0.0
	for _, w := range rec.windows {
		x := w.cols[c.index]
		for k := 2; k < len(x); k++ {
			a, b := x[k-1]-x[k-2], x[k]-x[k-1]
			if max(math.Abs(a), math.Abs(b)) < c.bound {
				along += a * b
				all += (a*a + b*b) / 2
			}
		}
	}
	return along > all/2
}

// checkLostFrames finds rows that repeat the previous one although the channel moves: a frame was lost and the last one
// written again. Rows in which most channels repeat make one finding. Channels that repeat all the time come from a
// second, slower clock (twoClocks).
func checkLostFrames(rec *recording) (found findings, twoClocks bool) {
	var suspects, slow []suspect
	var alive []*channel
	for _, c := range rec.channels {
		s := rec.stats(c)
		if s.rows < fewest || s.span() == 0 || (c.role <= acceleration && rec.isStill(rec.joints[c.joint])) {
			continue
		}
		alive = append(alive, c)
		steps := s.step
		steps[0] = 0
		usual := projection.MagnitudeQuantile(&steps, 0.5)
		// A channel computed from two others has no common quantum, but a smallest step.
		quantum := math.Max(rec.quantum(c), projection.SmallestStep(s.step))
		// One made of differences of positions in steps has steps of its own, and smaller ones by rounding.
		if q := rec.joints[c.joint].q; c.role == velocity && q != nil {
			own := s.step
			clear(own[:math.Float64bits(rounded*rec.quantum(q)/rec.clock.Median)>>52])
			quantum = math.Max(quantum, projection.SmallestStep(own))
		}
		least := math.Max(heldSteps*quantum, heldMedian*usual)
		goes := c.role == position || rec.goesOn(c)
		var rows []int
		for _, h := range s.repeated {
			// If an encoder crawls from count to count, steps after a pause are no larger than before; where a joint stops or turns back, neither
			// are those of a smooth velocity.
			if h.size > least && (!goes || h.jumps) {
				rows = append(rows, h.row)
			}
		}
		// Quantised noise repeats by chance once in as many rows as its step has quanta.
		chance := float64(s.rows) * quantum / (2 * math.Max(usual, quantum))
		if usual == 0 || quantum == 0 {
			chance = 0
		}
		n := float64(len(rows))
		if n < heldLeast || n < heldShare*float64(s.rows) || n < 3*chance {
			continue
		}
		if n > heldRate*float64(min(s.rows, keptRepeats*5)) {
			slow = append(slow, suspect{c, rows})
			continue
		}
		suspects = append(suspects, suspect{c, rows})
	}
	if len(slow) > 0 {
		found.keep(slowChannel(rec, slow[0].c, len(slow), len(alive), slow[0].rows))
	}
	for _, g := range []struct {
		what string
		of   func(c *channel) bool
	}{
		{"all channels", func(*channel) bool { return true }},
		// Frames of the motion and of the torques, lost independently, sometimes coincide.
		{"all positions and velocities", func(c *channel) bool { return c.role <= acceleration }},
		{"all torques", func(c *channel) bool { return c.role > acceleration }},
	} {
		of := slices.DeleteFunc(slices.Clone(suspects), func(s suspect) bool { return !g.of(s.c) })
		rows, all := wholeRows(rec, of, slices.DeleteFunc(slices.Clone(alive), func(c *channel) bool { return !g.of(c) }))
		if all {
			found.keep(heldRows(rec, g.what, nil, rows))
			suspects = slices.DeleteFunc(suspects, func(s suspect) bool { return g.of(s.c) }) // whatever else they held has the same cause
		}
	}
	for _, s := range suspects {
		if s.c.role > acceleration && rec.atExtremes(s.c, s.rows) {
			f := rec.saturated(s.c, rec.stats(s.c).max)
			f.Limit = heldShare
			f.at(rowlist.Of(s.rows), rec.t)
			f.Why = fmt.Sprintf("on %s %s repeats the row before at its extreme values, but rarely elsewhere: the drive or the sensor was at its limit", rowlist.Plural(len(s.rows), "row"), s.c.name)
			found.add(f)
			continue
		}
		found.keep(heldRows(rec, "", s.c, s.rows))
	}
	return found, len(slow) > 0
}

// Limits on rows at the start of a log that hold no measurement.
const (
	// mostUnpublished is the largest part of the rows.
	mostUnpublished = 0.1
	// The step to the first measurement is at least firstStep times the largest of the firstSteps steps behind it: joints start from rest
	// without one.
	firstStep, firstSteps = 8.0, 20
	// A source that is slower than the log keeps each value: mostKept stretches at most, as long as half of the rows at the start, are
	// among the firstSteps times as many rows behind them. A robot that starts from rest has one.
	mostKept = 2
)

// unpublished reports rows at the start in which a position and other channels keep one value, and from which they then jump to what is
// measured: the log began before the driver published. Torques alone jump where friction lets go. A single row counts if its values are zero.
func unpublished(rec *recording) (f Finding, ok bool) {
	w := rec.windows[0]
	at, joints := map[int]int{}, map[int]int{} // channels and positions that jump, by the row
	for _, c := range rec.channels {
		x := w.cols[c.index]
		n := 1
		for n < len(x) && x[n] == x[0] {
			n++
		}
		if n+firstSteps >= len(x) || float64(n) > mostUnpublished*float64(rec.t.Len()) || n == 1 && x[0] != 0 || math.IsNaN(x[0]) {
			continue
		}
		usual := 0.0
		for k := n + 1; k <= n+firstSteps; k++ {
			usual = max(usual, math.Abs(x[k]-x[k-1]))
		}
		if math.Abs(x[n]-x[0]) > firstStep*usual && keptStretches(x[n:min(len(x), (firstSteps+1)*n)], n) <= mostKept {
			if at[n]++; c.role == position {
				joints[n]++
			}
		}
	}
	n, most := 0, 0
	for row, channels := range at {
		if joints[row] == 0 {
			continue
		}
		if channels > most || channels == most && row < n {
			n, most = row, channels
		}
	}
	if most < 2 {
		return f, false
	}
	f = Finding{ID: Dropout, Severity: Error, Channel: rec.roles.T, Value: float64(n) / float64(rec.t.Len()), Limit: heldShare}
	rows := make([]int, n)
	for k := range rows {
		rows[k] = k
	}
	f.at(rowlist.Of(rows), rec.t)
	f.Why = fmt.Sprintf("the first %s hold no measurement: %d channels keep one value and then jump, as before a driver has published", rowlist.Plural(n, "row"), most)
	f.Fix = "{mend} writes a log without these rows"
	f.Repair = Repair{Edits: []Edit{{Rows: datasets.RowRanges(rows)}}}
	rec.first = n
	return f, true
}

// keptStretches counts the stretches in which x keeps one value for two rows, and for half of n, or longer.
func keptStretches(x []float64, n int) (count int) {
	for from := 0; from < len(x); {
		to := from + 1
		for to < len(x) && x[to] == x[from] {
			to++
		}
		if to-from > 1 && 2*(to-from) >= n {
			count++
		}
		from = to
	}
	return count
}

// behind returns findings without those that lie in rows before the first measurement: they are no other fact.
func (f findings) behind(rec *recording) findings {
	if rec.first == 0 {
		return f
	}
	from := rec.t.At(rec.first) - rec.t.At(0)
	return slices.DeleteFunc(f, func(x Finding) bool {
		return len(x.Spans) > 0 && !slices.ContainsFunc(x.Spans, func(s [2]float64) bool { return s[1] > from })
	})
}

// heldRows reports held rows of channel c or, if c is nil, of the channels named by which.
func heldRows(rec *recording, which string, c *channel, rows []int) (f Finding, ok bool) {
	f = Finding{ID: Dropout, Severity: Warning, Channel: rec.roles.T}
	subject := which + " repeat the row before"
	if c != nil {
		f = rec.about(Dropout, Warning, c)
		subject = c.name + " repeats the row before"
	}
	f.Value, f.Limit = float64(len(rows))/float64(rec.t.Len()), heldShare
	f.at(rowlist.Of(rows), rec.t)
	f.Why = fmt.Sprintf("on %s (%.2g %%) %s to the last bit although the joints move on: frames were lost and the last one was held", rowlist.Plural(len(rows), "row"), 100*f.Value, subject)
	f.Fix = "{mend} writes a log without these rows; the fit bridges what is missing"
	f.Repair = Repair{Edits: []Edit{{Rows: datasets.RowRanges(rows)}}}
	return f, true
}

// slowChannel reports a channel that changes only on some rows: it comes from another clock.
func slowChannel(rec *recording, c *channel, n, live int, rows []int) (f Finding, ok bool) {
	f = rec.about(ClockJitter, Warning, c)
	f.Value, f.Limit = float64(len(rows))/float64(rec.stats(c).rows), heldRate
	f.at(rowlist.Of(rows), rec.t)
	f.Why = fmt.Sprintf("%s keeps its value on %.3g %% of the rows while it moves on the others, and so do %d of %d channels: two clocks were merged into one, and what was not received was held", c.name, 100*f.Value, n, live)
	f.Fix = "log both sources on one clock, or convert with the rows of the slower source only"
	if n == live {
		f.Fix = "{mend} writes a log without the repeated rows"
		f.Repair = Repair{Edits: []Edit{{Rows: datasets.RowRanges(rows)}}}
	}
	return f, true
}

// bridged reports whether the rows of a dropout are known, so that the fit can interpolate across them.
func (f *Finding) bridged() bool {
	return f.ID == Dropout && f.Value <= maxHeld && len(f.Repair.Edits) > 0 && f.Repair.Edits[0].Rows != nil
}

// held marks the rows in which all channels, a position or an effort repeat the previous row; nil if there are none.
func (f findings) held(rec *recording) []bool {
	names := []string{rec.roles.T}
	for _, c := range rec.channels {
		if c.role == position || c.role >= torque {
			names = append(names, c.name)
		}
	}
	var rows []bool
	for _, x := range f {
		if !x.bridged() || !slices.Contains(names, x.Channel) {
			continue
		}
		for _, e := range x.Repair.Edits {
			for _, span := range e.Rows {
				if rows == nil {
					rows = make([]bool, rec.t.Len())
				}
				for k := span[0]; k < span[1]; k++ {
					rows[k] = true
				}
			}
		}
	}
	return rows
}

// without returns the values of x in unmarked rows.
func without(rows []bool, x []float64) []float64 {
	var kept []float64
	for k, v := range x {
		if !rows[k] {
			kept = append(kept, v)
		}
	}
	return kept
}
