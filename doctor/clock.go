package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/filter"
	"ident/internal/hint"
	"ident/internal/rowlist"
	"ident/observation"
)

// Limits on the clock.
const (
	// A declared rate counts as wrong if it differs more, relatively, from that of the median interval. Clocks of
	// controllers are good to 1e-4; printed times of a kilohertz log to a few per cent of an interval.
	rateTolerance = 0.05
	// The relative standard deviation of an interval from the median above which the times of the rows are doubtful.
	// Below it the fit resamples and loses nothing that a low-pass would have kept.
	heavyJitter = 0.75
	// The part of the log's time in gaps above which the lost motion matters.
	gapShare = 0.01
	// Rates in Hz beyond which a clock is not that of robot joints in seconds: motion is sampled more than once a
	// second, and drives run at some tens of kilohertz at most.
	slowest = 1.0
	fastest = 100e3
	// A log has at least this rate in Hz in the unit that is proposed for its clock.
	leastRate = 20
	// Whole numbers from here on are time stamps: 1e9 s is the year 2001.
	stampLeast = 1e9
	// Stamps since 1970 in milliseconds are larger: 1e11 ms is the year 1973. Counters of 32 bits are below.
	datedLeast = 1e11
	// A gap longer than this, in seconds, cannot be bridged by interpolation while the robot moves.
	longGap = 0.05
)

// checkClock checks the time channel alone, whose clock is c; rate is the declared one in Hz, 0 for none.
func checkClock(name string, times *filter.Times, c filter.Clock, rate float64) (found findings) {
	clock := func(id string, s Severity) Finding { return Finding{ID: id, Severity: s, Channel: name} }
	var t []float64 // of a clock with faults
	if !c.Uniform {
		t = times.All()
	}
	if c.Rows < fewest {
		f := clock(ExcitationSmall, Error)
		f.Value, f.Limit = float64(c.Rows), fewest
		f.Where = "the whole log"
		f.Why = fmt.Sprintf("the log has %s; nothing can be identified from fewer than %d", rowlist.Plural(c.Rows, "row"), fewest)
		f.Fix = "give a log of at least a few seconds of motion; check {rows} if it was used"
		found.add(f)
	}
	if n := len(c.NaN); n > 0 {
		f := clock(Dropout, Error)
		f.Value = float64(n)
		f.at(rowlist.Of(c.NaN), times)
		f.Why = fmt.Sprintf("%s without a time (NaN or infinite)", rowlist.Plural(n, "row"))
		f.Fix = "{on-bad} drop leaves these rows out"
		f.Repair = setting("on-bad", "", "drop")
		found.add(f)
	}
	if n := len(c.Repeated); n > 0 {
		f := clock(ClockRepeat, Error)
		f.Value = float64(n)
		f.at(rowlist.Of(c.Repeated), times)
		f.Why = fmt.Sprintf("%s with the same time as the row before: samples were written twice, or the times are printed too coarsely", rowlist.Plural(n, "row"))
		f.Fix = "{on-bad} drop keeps the first of them; print the times with more digits if most rows are concerned"
		f.Repair = setting("on-bad", "", "drop")
		found.add(f)
	}
	if descends(t) {
		f := clock(Reversed, Error)
		f.Value, f.Where = float64(len(c.Backward)), "the whole log"
		f.Why = "time decreases from row to row: the rows are in reverse order"
		f.Fix = "{mend} writes a log with the rows in ascending order; or sort the rows by their time"
		f.Repair.Edits = []Edit{{Channel: name, Reverse: true}}
		found.add(f)
		return found
	}
	f, merged := twoClocks(name, t, c)
	if merged {
		found.add(f)
	} else if n := len(c.Backward); n > 0 {
		worst, at := 0.0, c.Backward[0]
		for _, k := range c.Backward {
			if d := t[k] - previous(t, k); d < worst {
				worst, at = d, k
			}
		}
		f := clock(ClockBackward, Error)
		f.Value = worst
		f.at(rowlist.Of(c.Backward), times)
		f.Why = fmt.Sprintf("time runs backward at %s, by up to %.6g s (row %d): two logs in one file, two clocks merged, or damaged rows", rowlist.Plural(n, "row"), -worst, at+1)
		f.Fix = "{on-bad} drop leaves the offending rows out; separate two runs in one file with {rows} LOG:FIRST-LAST"
		f.Repair = setting("on-bad", "", "drop")
		found.add(f)
	}
	if c.Median <= 0 {
		if c.Rows >= fewest {
			f := clock(ClockRate, Error)
			f.Where = "the whole log"
			f.Why = "time never advances"
			f.Fix = "use {map} t=CHANNEL to name the time channel"
			found.add(f)
		}
		return found
	}
	if f, ok := implausibleRate(name, times, c); ok {
		found.add(f)
		return found // intervals in another unit would look like gaps and jitter
	}
	if !merged {
		if f, ok := gaps(name, t, times, c); ok {
			found.add(f)
		}
	}
	if f, ok := jitter(name, t, times, c); ok {
		found.add(f)
	}
	if rate > 0 && math.Abs(rate*c.Median-1) > rateTolerance {
		f := clock(ClockRate, Error)
		f.Value, f.Limit = 1/c.Median, rate
		f.Where = "the whole log"
		f.Why = fmt.Sprintf("the log was declared at %.6g Hz but its times advance at %.6g Hz", rate, 1/c.Median)
		f.Fix = "declare the rate that the log has, or the unit of its time channel with {units} (ms, us)"
		found.add(f)
	}
	return found
}

// descends reports whether times decrease from row to row, but for some that repeat.
func descends(t []float64) bool {
	down := 0
	for k := 1; k < len(t); k++ {
		if t[k] > t[k-1] {
			return false
		}
		if t[k] < t[k-1] {
			down++
		}
	}
	return len(t) >= fewest && 2*down > len(t)
}

// implausibleRate reports a clock that no controller has: it is in another unit, or its values are time stamps.
func implausibleRate(name string, t *filter.Times, c filter.Clock) (f Finding, ok bool) {
	rate := 1 / c.Median
	start := t.At(0)
	stamps := start >= stampLeast && t.Whole()
	if rate > slowest && rate < fastest && !stamps {
		return f, false
	}
	f = Finding{ID: ClockRate, Severity: Error, Channel: name, Value: rate, Limit: slowest, Where: "the whole log"}
	if rate > 1 {
		f.Limit = fastest
	}
	// Take the coarsest unit in which the log has at least 20 Hz. Stamps since 1970 show their unit by their size; smaller ones count from a start.
	dated := stamps && start >= datedLeast
	since := map[string]float64{"ms": datedLeast, "us": 1e14, "ns": 1e17}
	in := ""
	for _, unit := range []string{"d", "h", "min", "ms", "us", "ns"} {
		if in != "" && !dated || rate/si(unit) >= fastest || rate/si(unit) < leastRate || dated && !(start >= since[unit] && since[unit] > 0) {
			continue
		}
		in = unit
	}
	f.Why = fmt.Sprintf("the times advance by %.4g s, a rate of %.4g Hz: they are not in seconds", c.Median, rate)
	if stamps {
		f.Why = fmt.Sprintf("the times are whole numbers from %.10g on, and advance by %.4g: they are stamps of a computer's clock and not in seconds", start, c.Median)
	}
	if in == "" {
		f.Fix = "{units} with the unit of the time channel, such as ms; or {map} t=CHANNEL names the clock"
		return f, true
	}
	f.Why += fmt.Sprintf("; in %s the rate is %.4g Hz", in, rate/si(in))
	f.Fix = fmt.Sprintf("{units} %s=%s", hint.Word(name), in)
	f.Repair = unit(name, in, si(in))
	return f, true
}

// previous returns the last finite time before row k.
func previous(t []float64, k int) float64 {
	for k--; k >= 0; k-- {
		if !math.IsNaN(t[k]) && !math.IsInf(t[k], 0) {
			return t[k]
		}
	}
	return math.NaN()
}

// gaps reports intervals without rows.
func gaps(name string, t []float64, times *filter.Times, c filter.Clock) (f Finding, ok bool) {
	// The interval after a row with a wrong time is no gap.
	gaps := slices.DeleteFunc(slices.Clone(c.Gaps), func(k int) bool { return slices.Contains(c.Backward, k-1) })
	if len(gaps) == 0 {
		return f, false
	}
	longest, lost, at := 0.0, 0.0, gaps[0]
	for _, k := range gaps {
		d := t[k] - previous(t, k)
		lost += d - c.Median
		if d > longest {
			longest, at = d, k
		}
	}
	f = Finding{ID: ClockGap, Severity: Info, Channel: name, Value: longest, Limit: math.Max(longGap, 5*c.Median)}
	if longest > f.Limit || lost > gapShare*(c.End-c.Start) {
		f.Severity = Warning
	}
	f.at(rowlist.Of(gaps), times)
	f.Why = fmt.Sprintf("%s in time, the longest of %.4g s at row %d; %.4g s lost in all: rows were lost, or the clock was set forward", rowlist.Plural(len(gaps), "gap"), longest, at+1, lost)
	f.Fix = "short gaps are bridged by resampling; cut around long ones with {rows} LOG:FIRST-LAST"
	return f, true
}

// describe says in the finding of an unsteady clock which times the rows have, if the stamps jitter about a steady clock: they are read
// by it if the positions are smoother on it. The intervals then harm nothing.
func (found findings) describe(name string, s observation.Stamps, c filter.Clock) {
	for i := range found {
		f := &found[i]
		if f.ID != ClockJitter || f.Channel != name || s.Noise == 0 {
			continue
		}
		if !s.Clock {
			if s.Known {
				f.Why += fmt.Sprintf("; the positions are smooth at the stamps, %.2g ms rms off a steady clock", 1e3*s.Noise)
			}
			continue
		}
		f.Severity = Info
		f.Why = fmt.Sprintf("the stamps are %.2g ms rms off a steady clock of %.6g s, and the positions are smooth on that clock, not at the stamps", 1e3*s.Noise, c.Median)
		f.Fix = "the rows are read on the steady clock; log the controller's own time stamps if these are the computer's"
	}
}

// jitter reports an unsteady clock, by the share of intervals that deviate from the median.
func jitter(name string, t []float64, times *filter.Times, c filter.Clock) (f Finding, ok bool) {
	if c.Uniform {
		return f, false
	}
	// Rounding of printed times changes an interval by at most one unit of their resolution.
	free := math.Min(c.Resolution, c.Median/4) * 1.01
	var off, heavy rowlist.List
	worst := 0.0
	for k := 1; k < len(t); k++ {
		d := t[k] - t[k-1]
		if !(d > 0) || d > 5*c.Median {
			continue
		}
		e := math.Abs(d - c.Median)
		if e > free {
			off.Note(k)
		}
		if e > heavyJitter*c.Median {
			heavy.Note(k)
		}
		worst = math.Max(worst, e)
	}
	if off.Count == 0 {
		return f, false
	}
	f = Finding{ID: ClockJitter, Severity: Info, Channel: name, Value: worst / c.Median, Limit: heavyJitter}
	f.at(&off, times)
	if float64(heavy.Count) > 0.05*float64(len(t)) {
		f.Severity = Warning
		f.at(&heavy, times)
	}
	f.Why = fmt.Sprintf("the sampling interval varies: median %.6g s, smallest %.6g s, largest %.6g s, %s off the median by up to %.0f %% of it",
		c.Median, c.Min, c.Max, rowlist.Plural(off.Count, "interval"), 100*worst/c.Median)
	f.Fix = fmt.Sprintf("the fit resamples onto a uniform clock of %.6g s; log the controller's own time stamps if these are the computer's", c.Median)
	return f, true
}
