package doctor

import (
	"fmt"
	"math"

	"ident/datasets"
	"ident/internal/hint"
	"ident/internal/rowlist"
)

// fewRows: if more than this part of the rows is beyond the bound, the unit is wrong, not the data.
const fewRows = 0.05

// checkValues checks each channel by itself; outliers lists the rows of single outlying values.
func checkValues(rec *recording) (found findings, outliers []int) {
	together, lost := zeroFrames(rec)
	found.keep(together, lost)
	for _, c := range rec.channels {
		if c.assumed {
			continue
		}
		found.keep(missingValues(rec, c))
		found.keep(absurdValues(rec, c))
		if rec.stats(c).rows < fewest {
			continue
		}
		if rec.stats(c).span() == 0 {
			found.keep(deadChannel(rec, c))
			continue
		}
		if c.role <= acceleration && rec.isStill(rec.joints[c.joint]) {
			continue // noise, or a few steps of the print
		}
		if f, rows, ok := spikes(rec, c); ok {
			found.add(f)
			outliers = append(outliers, rows...)
		}
		if f, ok := zeroDropouts(rec, c); ok && !(lost && c.role >= torque) {
			found.add(f)
		}
		steps, coarse := coarseSteps(rec, c)
		found.keep(steps, coarse)
		if coarse && steps.Severity != Info {
			continue // each of its few values lasts
		}
		if f, ok := saturation(rec, c); ok {
			found.add(f)
		} else {
			found.keep(stuckValue(rec, c))
		}
	}
	return found, outliers
}

// missingValues reports rows without a finite value.
func missingValues(rec *recording, c *channel) (f Finding, ok bool) {
	n := rec.stats(c).bad.Count
	if n == 0 {
		return f, false
	}
	f = rec.about(Dropout, Error, c)
	f.Value = float64(n)
	f.at(&rec.stats(c).bad, rec.t)
	f.Why = fmt.Sprintf("channel %s is NaN or infinite in %s: samples are missing", c.name, rowlist.Plural(n, "row"))
	f.Fix = "{on-bad} drop leaves these rows out"
	rec.dropBad(&f, c, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	return f, true
}

// dropBad sets the repair of values that are no measurement: on-bad drop, and torques interpolated where that is possible.
func (rec *recording) dropBad(f *Finding, c *channel, is func(v float64) bool) {
	f.Repair = setting("on-bad", "", "drop")
	if edits := rec.withoutValues(c, rec.rowsWhere(c, is)); len(edits) > 0 && edits[0].Channel != "" {
		f.Repair.Edits = edits[:1]
		f.Fix += "; {mend} interpolates single values"
	}
}

// rowsWhere returns the rows in which a channel's value is as asked.
func (rec *recording) rowsWhere(c *channel, is func(v float64) bool) (rows []int) {
	for _, w := range rec.windows {
		for k, v := range w.cols[c.index] {
			if is(v) {
				rows = append(rows, w.first+k)
			}
		}
	}
	return rows
}

// withoutValues returns edits for wrong values of a channel, in ascending rows. Torques are interpolated where at most
// longestBridge rows are wrong in a row, so that the positions there remain; other rows are left out.
func (rec *recording) withoutValues(c *channel, rows []int) (edits []Edit) {
	bridged, out := Edit{Channel: c.name}, Edit{}
	for _, span := range datasets.RowRanges(rows) {
		if c.role >= torque && span[1]-span[0] <= longestBridge {
			bridged.Rows = append(bridged.Rows, span)
		} else {
			out.Rows = append(out.Rows, span)
		}
	}
	for _, e := range []Edit{bridged, out} {
		if len(e.Rows) > 0 {
			edits = append(edits, e)
		}
	}
	return edits
}

// absurdValues reports rows beyond the bound, unless so many are that the unit is doubtful.
func absurdValues(rec *recording, c *channel) (f Finding, ok bool) {
	s := rec.stats(c)
	n := s.absurd.Count
	foreign := float64(n) > fewRows*float64(rec.t.Len()) || rec.beyondLimit(c) // a question of units
	if n == 0 || (foreign && s.largest < damaged) {
		return f, false
	}
	f = rec.about(Spike, Error, c)
	f.Value, f.Limit = s.largest, c.bound
	f.at(&s.absurd, rec.t)
	f.Why = fmt.Sprintf("%s beyond anything that %s can be: up to %.3g %s, where %.4g is already far out; damaged rows, or wrong columns",
		rowlist.Plural(n, "value"), c.name, s.largest, rec.unitOf(c), c.bound)
	f.Fix = "{on-bad} drop leaves these rows out, or cut them off with {rows} LOG:FIRST-LAST"
	rec.dropBad(&f, c, func(v float64) bool { return math.Abs(v) > c.bound })
	return f, true
}

// moves is the least correlation of neighbouring velocities that tells a motion: it is about 0 for noise, and near 1 for a motion that the log
// resolves.
const moves = 0.5

// neighbours returns the correlation of the values of a channel with the next ones. Values that are not finite are left out.
func (rec *recording) neighbours(c *channel) float64 {
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	mean, n := 0.0, 0
	for _, w := range rec.windows {
		for _, v := range w.cols[c.index] {
			if finite(v) {
				mean, n = mean+v, n+1
			}
		}
	}
	mean /= float64(max(n, 1))
	both, one := 0.0, 0.0
	for _, w := range rec.windows {
		x := w.cols[c.index]
		for k := 1; k < len(x); k++ {
			if a, b := x[k-1], x[k]; finite(a) && finite(b) {
				both += (b - mean) * (a - mean)
				one += (b - mean) * (b - mean)
			}
		}
	}
	return both / max(one, math.SmallestNonzeroFloat64)
}

// deadChannel reports a channel that is constant over the whole log.
func deadChannel(rec *recording, c *channel) (f Finding, ok bool) {
	s, j := rec.stats(c), rec.joints[c.joint]
	f = rec.about(Dead, Warning, c)
	f.Value = s.min
	f.Where = "the whole log"
	value := fmt.Sprintf("%.6g", s.min)
	switch c.role {
	case position:
		moving := j.dq != nil && math.Sqrt(rec.stats(j.dq).m2/float64(max(rec.stats(j.dq).rows, 1))) > 1e-3 && rec.neighbours(j.dq) > moves
		if moving {
			f.Severity = Error
			f.Why = fmt.Sprintf("%s is %s on every row although %s says that the joint moves: the position was not recorded", c.name, value, j.dq.name)
			f.Fix = fmt.Sprintf("use {map} to name the right channel of joint %s", j.name)
			break
		}
		if rec.allPositionsDead() {
			f.Severity = Error
		}
		f.Why = fmt.Sprintf("%s is exactly %s on every row: the joint was locked, or its position was not recorded", c.name, value)
		f.Fix = fmt.Sprintf("use {lock} %s=%s if it stood there; otherwise use {map} to name the right channel", hint.Word(j.name), value)
		f.Repair = setting("lock", j.name, value)
	case velocity, acceleration:
		if j.q != nil && rec.isStill(j) {
			return f, false // the joint stood still: other findings say so
		}
		f.Why = fmt.Sprintf("%s is exactly %s on every row: it was not recorded", c.name, value)
		f.Fix = pick(c.role == velocity, "{velocity} position", "{acceleration} position")
		f.Repair = setting(pick(c.role == velocity, "velocity", "acceleration"), "", "position")
	default:
		if rec.robot.Links[j.link].Joint.Virtual && s.min == 0 {
			return f, false // what floats has no drive, and its logger says so
		}
		f.Severity = Error
		f.Why = fmt.Sprintf("%s is exactly %s on every row: the effort of joint %s was not recorded", c.name, value, j.name)
		f.Fix = fmt.Sprintf("use {map} to name the right channel, or leave joint %s out of {joints}", j.name)
	}
	return f, true
}

// allPositionsDead reports whether no position of the log ever changes.
func (rec *recording) allPositionsDead() bool {
	for _, j := range rec.joints {
		if j.q != nil && rec.stats(j.q).span() > 0 {
			return false
		}
	}
	return true
}
