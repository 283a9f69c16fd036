package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/doctor/internal/projection"
	"ident/internal/rowlist"
)

// Limits on single outlying rows.
const (
	// A single row that deviates from its neighbours by spikeSteps of the channel's largest usual steps and by
	// spikeDeviation standard deviations is not a measurement.
	spikeSteps     = 30
	spikeDeviation = 0.5
	// For positions a much smaller multiple suffices: there and back in two rows needs an acceleration of twice the
	// excursion over the interval squared.
	spikeTurn = 20
	// The part of the rows that drop to zero between others.
	zeroShare = 1e-3
)

// spikes finds single rows that deviate from both neighbours; rows lists them.
func spikes(rec *recording, c *channel) (f Finding, rows []int, ok bool) {
	s := rec.stats(c)
	limit := max(spikeSteps*projection.MagnitudeQuantile(&s.step, 0.99), spikeDeviation*s.deviation(), spikeSteps*projection.SmallestStep(s.step))
	if c.role == position { // drives can only give so much acceleration
		limit = spikeTurn * max(projection.MagnitudeQuantile(&s.step, 0.99), projection.SmallestStep(s.step))
	}
	var found []excursion
	for _, e := range s.excursions {
		if e.size > limit && limit > 0 {
			found = append(found, e)
		}
	}
	found = slices.DeleteFunc(found, func(e excursion) bool { return e.start && s.steps(e.size) > 2*len(found)-1 })
	if len(found) == 0 {
		return f, nil, false
	}
	slices.SortFunc(found, func(a, b excursion) int { return a.row - b.row })
	f = rec.about(Spike, Error, c)
	f.Limit = limit
	var where rowlist.List
	for _, e := range found {
		f.Value = math.Max(f.Value, e.size)
		where.Note(e.row)
		rows = append(rows, e.row)
	}
	f.Repair.Edits = rec.withoutValues(c, rows)
	f.at(&where, rec.t)
	f.Why = fmt.Sprintf("%s where %s leaves both neighbours by up to %.4g %s; its steps are usually below %.3g: a bit error, or two writers",
		rowlist.Plural(len(found), "row"), c.name, f.Value, rec.unitOf(c), projection.MagnitudeQuantile(&s.step, 0.99))
	// Dropping bad rows would not remove a value within the bounds.
	f.Fix = "{mend} writes a log without these values"
	return f, rows, true
}

// steps counts the channel's steps of at least half of size, to a factor of two. A lone row makes two steps (one if it
// is the first). More than that means Coulomb friction reversing from row to row; a joint starting from rest may do so
// in the first row.
func (s *channelStats) steps(size float64) int {
	n := 0
	for e := exponent(size / 2); e < len(s.step); e++ {
		n += s.step[e]
	}
	return n
}

// A row without torques is told from torques that pass zero by one that falls from so many usual steps, and rises to so many.
const frameSteps = 4

// zeroFrames finds rows in which the torques of all joints are exactly zero, between rows in which none is. A single torque shows
// this only if it falls from far above its noise.
func zeroFrames(rec *recording) (f Finding, ok bool) {
	var efforts []*channel
	var steps []float64
	for _, c := range rec.channels {
		if s := rec.stats(c); c.role >= torque && s.rows >= fewest && s.span() > 0 {
			efforts = append(efforts, c)
			steps = append(steps, frameSteps*max(projection.MagnitudeQuantile(&s.step, 0.5), projection.SmallestStep(s.step)))
		}
	}
	if len(efforts) < 2 {
		return f, false
	}
	var rows []int
	runs := 0
	for _, w := range rec.windows {
		all := func(k int) bool {
			return !slices.ContainsFunc(efforts, func(c *channel) bool { return w.cols[c.index][k] != 0 })
		}
		for k := 1; k < len(w.t); k++ {
			from := k
			for k < len(w.t) && all(k) {
				k++
			}
			if k == from || k == len(w.t) {
				continue
			}
			none, far := true, false
			for i, c := range efforts {
				least := min(math.Abs(w.cols[c.index][from-1]), math.Abs(w.cols[c.index][k]))
				none = none && least > 0
				far = far || least > steps[i]
			}
			if none && far {
				runs++
				for r := from; r < k; r++ {
					rows = append(rows, w.first+r)
				}
			}
		}
	}
	share := float64(len(rows)) / float64(rec.t.Len())
	if runs < 3 || share < zeroShare || share > 0.5 { // a drive that is off is off for long
		return f, false
	}
	f = Finding{ID: Dropout, Severity: Error, Channel: efforts[0].name, Value: share, Limit: zeroShare}
	f.at(rowlist.Of(rows), rec.t)
	f.Why = fmt.Sprintf("on %s (%.2g %%) the torques of all joints are exactly zero, and on the rows before and after them none is: samples that were not received are written as zeros",
		rowlist.Plural(len(rows), "row"), 100*share)
	f.Fix = "{mend} writes a log without these values; or log the torques at their own rate, with their own time stamps"
	for _, c := range efforts {
		f.Repair.Edits = append(f.Repair.Edits, rec.withoutValues(c, rows)...)
	}
	return f, true
}

// zeroDropouts finds channels that repeatedly drop to exactly zero from far away.
func zeroDropouts(rec *recording, c *channel) (f Finding, ok bool) {
	s := rec.stats(c)
	sizes := s.size
	sizes[0] = 0
	far := max(projection.MagnitudeQuantile(&sizes, 0.5)/4, 20*projection.MagnitudeQuantile(&s.step, 0.5), 20*projection.SmallestStep(s.step))
	n := 0
	for e := exponent(far); e < len(s.fallSize); e++ {
		n += s.fallSize[e]
	}
	if far == 0 || n < 3 || float64(n) < zeroShare*float64(s.rows) || s.falls.Count > 2*n {
		return f, false
	}
	f = rec.about(Dropout, Error, c)
	if c.role == velocity || c.role == acceleration {
		f.Severity = Warning
	}
	f.Value, f.Limit = float64(s.zeros)/float64(s.rows), zeroShare
	f.at(&s.falls, rec.t)
	f.Why = fmt.Sprintf("%s falls to exactly zero %d times out of values of about %.3g, and is zero on %.3g %% of the rows: samples that were not received are written as zeros",
		c.name, n, projection.MagnitudeQuantile(&sizes, 0.5), 100*f.Value)
	switch c.role {
	case velocity:
		f.Fix = "{velocity} position"
		f.Repair = setting("velocity", "", "position")
	case acceleration:
		f.Fix = "{acceleration} position"
	default:
		f.Fix = "{mend} writes a log without these values; or log the channel at its own rate, with its own time stamps"
		f.Repair.Edits = rec.withoutValues(c, rec.zeroRows(c, far))
	}
	return f, true
}

// zeroRows returns the rows in which a channel is zero after a value whose magnitude is above far.
func (rec *recording) zeroRows(c *channel, far float64) []int {
	last := 0.0 // the value before the zeros
	return rec.rowsWhere(c, func(v float64) bool {
		if v != 0 {
			last = v
		}
		return v == 0 && math.Abs(last) > far
	})
}
