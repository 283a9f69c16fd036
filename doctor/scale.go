package doctor

import (
	"fmt"
	"math"

	"ident/filter"
	"ident/internal/hint"
	"ident/observation"
)

// leastEffort is the largest effort of a log (N·m, N or A) below which its efforts are in no unit that anybody logs. The
// smallest ball bearings (bores of 1 mm) start to turn at 1e-5 N·m, and a motor of 1 mA does not overcome its own
// bearings: the limit is a tenth and a thousandth of these.
const leastEffort = 1e-6

// clockScale returns a finding if the clock's median interval is shorter or longer than any recorder's: see
// observation.ShortestInterval. ok is false otherwise.
func clockScale(name string, clock filter.Clock) (f Finding, ok bool) {
	if clock.Median >= observation.ShortestInterval && clock.Median <= observation.LongestInterval && !math.IsInf(clock.End-clock.Start, 0) {
		return f, false
	}
	f = Finding{ID: ImpossibleScale, Severity: Error, Channel: name, Value: clock.Median, Limit: observation.ShortestInterval, Where: "the whole log"}
	if clock.Median > observation.ShortestInterval {
		f.Limit = observation.LongestInterval
	}
	f.Why = fmt.Sprintf("%s advances by %.3g s a row; possible are %g s to %g s: the times are in another unit, or this is not the clock", name, clock.Median, observation.ShortestInterval, observation.LongestInterval)
	f.Fix = fmt.Sprintf("{units} %s=ms, us or ns; otherwise use {map} t=CHANNEL to name the clock", hint.Word(name))
	return f, true
}

// effortScale reports efforts that are all too small to be torques, forces or currents of a robot. Single joints may
// have none: a joint at rest with a vertical axis shows only rounding.
func effortScale(rec *recording) (f Finding, ok bool) {
	var first *channel
	largest := 0.0
	for _, j := range rec.joints {
		if c := j.effort; c != nil {
			s := rec.stats(c)
			if first == nil {
				first = c
			}
			largest = max(largest, math.Abs(s.min), math.Abs(s.max), s.largest)
		}
	}
	if first == nil || largest == 0 || largest >= leastEffort {
		return f, false
	}
	f = rec.about(ImpossibleScale, Error, first)
	f.Value, f.Limit, f.Where = largest, leastEffort, "the whole log"
	f.Why = fmt.Sprintf("no effort is above %.3g %s, less than the friction of the smallest bearing (%g): the channels are in another unit, or hold rounding alone", largest, rec.unitOf(first), leastEffort)
	f.Fix = fmt.Sprintf("declare the unit, {units} %s=kN.m for example; otherwise use {map} to name the channels of the efforts", hint.Word(first.name))
	return f, true
}
