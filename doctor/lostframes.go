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
	// Part of the rows, and their number, from which held rows are reported.
	heldShare = 2e-3
	heldLeast = 10
	// Steps on either side of a repetition must be this many quanta, and this part of the channel's median
	// step: a channel that moves so fast does not stand still for a row.
	heldSteps  = 4
	heldMedian = 0.02
	// Part of the rows from which repeating is the channel's rate, not an accident.
	heldRate = 0.2
	// Number of repeated rows that are remembered.
	keptRepeats = 1 << 16
)

// repeatedRow is a row that repeats the one before it between two steps.
type repeatedRow struct {
	row   int
	size  float64 // of the smaller step
	jumps bool    // the step after makes up for the missed motion: it is the step before times the rows
}

// suspect is a channel with the rows in which it clearly repeats the one before.
type suspect struct {
	c    *channel
	rows []int
}

// wholeRows are the rows in which nine tenths of the channels alive repeat the row before, and half of those that were found
// clearly so; ok says that they hold most of the suspects' repetitions.
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

// checkLostFrames finds rows that repeat the one before while the channel moves: a frame that was not
// received and written as the last one. Rows in which most channels do so are one finding; channels that do
// so all the time come from a second, slower clock (twoClocks).
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
		// The steps of a channel that was computed from two others have no common quantum, but a least size.
		quantum := math.Max(rec.quantum(c), projection.SmallestStep(s.step))
		least := math.Max(heldSteps*quantum, heldMedian*usual)
		var rows []int
		for _, h := range s.repeated {
			// Where an encoder crawls from count to count, steps after a pause are as those before it.
			if h.size > least && (c.role != position || h.jumps) {
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
		// Frames of the motion and of the torques that are lost apart coincide now and then.
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
		found.keep(heldRows(rec, "", s.c, s.rows))
	}
	return found, len(slow) > 0
}

// heldRows reports held rows of a channel, or of those named by which where c is nil.
func heldRows(rec *recording, which string, c *channel, rows []int) (f Finding, ok bool) {
	f = Finding{ID: Dropout, Severity: Warning, Channel: rec.roles.T}
	subject := which + " repeat the row before"
	if c != nil {
		f = rec.about(Dropout, Warning, c)
		subject = c.name + " repeats the row before"
	}
	f.Value, f.Limit = float64(len(rows))/float64(rec.t.Len()), heldShare
	f.Where = rowlist.Place(rowlist.First(rows), len(rows), rec.t)
	f.Why = fmt.Sprintf("on %s (%.2g %%) %s to the last bit although the joints move on: frames were lost and the last one was held", rowlist.Plural(len(rows), "row"), 100*f.Value, subject)
	f.Fix = "{mend} writes a log without these rows; the fit bridges what is missing"
	f.Repair = Repair{Edits: []Edit{{Rows: datasets.RowRanges(rows)}}}
	return f, true
}

// slowChannel reports channels that change on some rows only: they come from another clock.
func slowChannel(rec *recording, c *channel, n, live int, rows []int) (f Finding, ok bool) {
	f = rec.about(ClockJitter, Warning, c)
	f.Value, f.Limit = float64(len(rows))/float64(rec.stats(c).rows), heldRate
	f.Where = rowlist.Place(rowlist.First(rows), len(rows), rec.t)
	f.Why = fmt.Sprintf("%s keeps its value on %.3g %% of the rows while it moves on the others, and so do %d of %d channels: two clocks were merged into one, and what was not received was held", c.name, 100*f.Value, n, live)
	f.Fix = "log both sources on one clock, or convert with the rows of the slower source only"
	if n == live {
		f.Fix = "{mend} writes a log without the repeated rows"
		f.Repair = Repair{Edits: []Edit{{Rows: datasets.RowRanges(rows)}}}
	}
	return f, true
}

// bridged says that the rows of a dropout are known, so that the others stand for them.
func (f *Finding) bridged() bool {
	return f.ID == Dropout && f.Value <= maxHeld && len(f.Repair.Edits) > 0 && f.Repair.Edits[0].Rows != nil
}

// held marks the rows of the log in which all channels, a position or an effort repeat the one before; nil where none
// were found.
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

// without are the values of x in rows that are not marked.
func without(rows []bool, x []float64) []float64 {
	var kept []float64
	for k, v := range x {
		if !rows[k] {
			kept = append(kept, v)
		}
	}
	return kept
}
