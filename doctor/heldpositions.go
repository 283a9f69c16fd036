package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/datasets"
	"ident/doctor/internal/projection"
	"ident/internal/orderstat"
)

// Limits on positions that come from a slower source and are held between its samples.
const (
	// evenUpdates is the part of the intervals between updates that must be of one length. Lost and late packets of measured logs
	// leave intervals of all lengths; joints that count coarsely step at rows of their own.
	evenUpdates = 0.9
	// freshSteps is the least median size of an update, in steps of the printed or counted values: a joint that crawls from count to count
	// at a steady speed updates evenly too. Several joints do not step at the same rows by that: of two that have at least manyUpdates of
	// the steps none needs the size.
	freshSteps  = 2.5
	manyUpdates = 0.25
	// restUpdates is the interval, in usual ones, from which all joints are taken to rest, and mostRest the part of the intervals that may
	// be so long.
	restUpdates, mostRest = 3, 0.2
	// harmlessHold, in seconds, makes positions late by half of it: less than the delays of drives and sensors that a fit takes.
	harmlessHold = 6e-3
)

// heldPositions finds positions that all step at the same rows, at a steady pace, and keep their values between: their source is slower
// than the log. before holds the findings about single channels.
func heldPositions(rec *recording, before findings) (found findings) {
	if slices.ContainsFunc(before, func(f Finding) bool { return f.ID == ClockBackward }) {
		return nil // rows of two times are no steps
	}
	var moving []*channel
	for _, j := range rec.joints {
		if j.q != nil && !rec.isStill(j) && !before.has(ClockJitter, j.q) {
			moving = append(moving, j.q)
		}
	}
	if len(moving) == 0 {
		return nil
	}
	var intervals []int
	var heldRows []int
	updates := make([][]float64, len(moving)) // sizes of the steps
	for _, w := range rec.windows {
		last := -1
		for k := 1; k < len(w.t); k++ {
			changed := false
			for i, c := range moving {
				if d := math.Abs(w.cols[c.index][k] - w.cols[c.index][k-1]); d > 0 {
					changed, updates[i] = true, append(updates[i], d)
				}
			}
			if !changed {
				heldRows = append(heldRows, w.first+k)
				continue
			}
			if last >= 0 {
				intervals = append(intervals, k-last)
			}
			last = k
		}
	}
	if len(intervals) < fewest {
		return nil
	}
	every, exact := usualInterval(intervals)
	if every < 2 {
		return nil
	}
	even, rest := 0, 0
	for _, n := range intervals {
		switch {
		case exact && n%every == 0:
			even++
		case n >= restUpdates*every:
			rest++
		case n == every || every > 2 && math.Abs(float64(n-every)) <= max(1, float64(every)/4):
			even++
		}
	}
	if float64(rest) > mostRest*float64(len(intervals)) || float64(even) < evenUpdates*float64(len(intervals)-rest) {
		return nil
	}
	seconds := float64(every) * rec.clock.Median
	several := 0
	for i := range moving {
		if float64(len(updates[i])) >= manyUpdates*float64(len(intervals)) {
			several++
		}
	}
	for i, c := range moving {
		share := float64(len(updates[i])) / float64(len(intervals))
		if share < manyUpdates || several < 2 && (share < 0.5 || orderstat.Median(updates[i]) < freshSteps*rec.quantum(c)) {
			continue
		}
		f := rec.heldFinding(c, seconds)
		f.Severity = pick(seconds < harmlessHold, Info, Warning)
		found.add(f)
	}
	if seconds < harmlessHold || len(rec.windows) > 1 || rec.t.Len()/every < 4*fewest {
		return found
	}
	without := []Edit{{Rows: datasets.RowRanges(heldRows)}}
	for i := range found { // one repair for all
		found[i].Fix = "{mend} writes a log of the rows at which the positions are new; or log them at their own rate with their own time stamps"
		found[i].Repair.Edits = without
	}
	return found
}

// usualInterval returns the interval in rows of which nearly all intervals are multiples, exact, or otherwise their median: of joints that
// count coarsely some updates show no step.
func usualInterval(intervals []int) (every int, exact bool) {
	x := slices.Clone(intervals)
	slices.Sort(x)
	median := x[len(x)/2]
	for every = median; every > 1; every-- {
		multiples := 0
		for _, n := range x {
			if n%every == 0 {
				multiples++
			}
		}
		if float64(multiples) >= evenUpdates*float64(len(x)) {
			return every, true
		}
	}
	return median, false
}

// heldFinding returns the finding of a channel that keeps each value for so many seconds.
func (rec *recording) heldFinding(c *channel, seconds float64) Finding {
	f := rec.about(Held, Warning, c)
	f.Value, f.Where = seconds, "the whole log"
	f.Why = fmt.Sprintf("%s keeps each value for about %.3g s and then steps: it comes from a source of %.3g Hz and is late by half of that time on the average", c.name, seconds, 1/seconds)
	f.Fix = "log the channel at its own rate with its own time stamps, or set {cutoff} well below that rate"
	return f
}

// counts reports whether a difference of time, in seconds, is no more than steps of the positions make: a joint that counts coarsely seems
// early or late by up to one count over its speed.
func (rec *recording) counts(seconds float64) bool {
	for i, j := range rec.joints {
		if j.q == nil || rec.isStill(j) {
			continue
		}
		if speed := projection.RMS(rec.motion().DQ[i]); rec.quantum(j.q) > seconds*speed/2 {
			return true
		}
	}
	return false
}

// besideHeld returns findings of lost frames without those of positions that are held throughout: these repeat rows everywhere.
func (f findings) besideHeld(rec *recording, held findings) findings {
	if len(held) == 0 {
		return f
	}
	return slices.DeleteFunc(f, func(x Finding) bool {
		return x.ID == Dropout && (rec.isPosition(x.Channel) || x.Channel == rec.roles.T)
	})
}
