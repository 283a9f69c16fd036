package watch

import (
	"fmt"
	"math"
)

// darkSeconds is how long no row may be watched before a [Blind] event says so, and how long a fault must be absent for its run to end.
const darkSeconds = 1

// faultRun is a fault that lasts: rows with the same fault of the same joint, less than a second of rows apart.
type faultRun struct {
	fault
	text        string
	begun, last float64 // times of its first and last row
	rows        int     // with the fault
	absent      int     // rows since the last one
}

// found tells the first row of a fault, and counts the further ones. rows is how many rows, or lines, it concerns.
func (w *Watcher) found(f fault, t float64, text string, rows int) {
	for i := range w.runs {
		if r := &w.runs[i]; r.kind == f.kind && r.joint == f.joint {
			r.last, r.absent = t, 0
			r.rows += rows
			return
		}
	}
	w.runs = append(w.runs, faultRun{fault: f, text: text, begun: t, last: t, rows: rows})
	e := Event{Type: Sensor, T: t, Text: text}
	if f.joint >= 0 {
		e.Joint = w.names[f.joint]
	}
	w.tell(e)
}

// aged counts a row in which only the faults that found has been told are present, and tells the ends of those that are absent for a second.
func (w *Watcher) aged() {
	kept := w.runs[:0]
	for _, r := range w.runs {
		if r.absent++; float64(r.absent) <= darkSeconds*w.noise.RateHz {
			kept = append(kept, r)
		} else {
			w.ended(r)
		}
	}
	w.runs = kept
}

// ended tells the end of a run of more than one row.
func (w *Watcher) ended(r faultRun) {
	if r.rows < 2 || r.kind == otherRate || r.kind == stopped {
		return
	}
	unit := "rows"
	if r.kind == badLines {
		unit = "lines"
	}
	e := Event{Type: Sensor, T: w.row.T, Since: r.begun, Until: r.last, Rows: r.rows, Over: true,
		Text: fmt.Sprintf("%d %s from %.3f to %.3f s, the first: %s", r.rows, unit, r.begun, r.last, r.text)}
	if r.joint >= 0 {
		e.Joint = w.names[r.joint]
	}
	w.tell(e)
}

// darkness is the time in which no row is watched.
type darkness struct {
	rows  int     // since the last watched row
	since float64 // its time, that of the first row if there is none
	told  bool    // a Blind event has said so
	reset bool    // the observer began again
}

// dark counts rows that are not watched: the observer settles, or they cannot be used.
func (w *Watcher) dark(rows int) {
	d := &w.unseen
	w.darkens()
	d.rows += rows
	if !d.told && (float64(d.rows) >= darkSeconds*w.noise.RateHz || math.Abs(w.row.T-d.since) >= darkSeconds) {
		w.blind()
	}
}

// darkens begins the time in which no row is watched, at the last that was.
func (w *Watcher) darkens() {
	if d := &w.unseen; d.rows == 0 && !d.told {
		if d.since = w.row.T; w.seeing {
			d.since = w.seenAt
		}
	}
}

// blind tells that no row is watched.
func (w *Watcher) blind() {
	d := &w.unseen
	d.told = true
	w.tell(Event{Type: Blind, T: w.row.T, Since: d.since, Text: fmt.Sprintf("no row is watched since %.3f s", d.since)})
}

// light counts a row that is watched.
func (w *Watcher) light() {
	w.lit("")
	w.seen++
	w.seenAt, w.seeing = w.row.T, true
}

// lit ends the time in which no row is watched. It tells how long it was, if that was told when it began, or if the observer had to begin again.
func (w *Watcher) lit(where string) {
	if d := w.unseen; d.told || d.reset && d.rows > 0 && w.seeing {
		text := fmt.Sprintf("no row was watched from %.3f to %.3f s%s, %d rows", d.since, w.row.T, where, d.rows)
		if d.rows == 0 { // the stream had stopped
			text = fmt.Sprintf("no row had come since %.3f s%s", d.since, where)
		}
		if d.reset {
			text += fmt.Sprintf("; the observer began again and settled in %.2g s", 5/w.noise.Bandwidth)
		}
		w.tell(Event{Type: Blind, T: w.row.T, Since: d.since, Until: w.row.T, Rows: d.rows, Over: d.told, Text: text})
	}
	w.unseen = darkness{}
}

// Watched returns the number of rows in which the tests ran: the observer had settled, and the row was sound.
func (w *Watcher) Watched() int { return w.seen }

// Lost says that rows of the log, or lines of its text, were left out in front of the next row, and why: a [Sensor] event, one for all that are less
// than a second apart. Lines that are no rows count as rows that cannot be watched.
func (w *Watcher) Lost(rows int, lines bool, why string) {
	f := fault{kind: lostRows, joint: -1}
	if lines {
		f.kind = badLines
	}
	w.lost = append(w.lost, loss{f, rows, why})
}

// loss is what Lost was given.
type loss struct {
	fault
	rows int
	why  string
}

// losses tells what Lost was given.
func (w *Watcher) losses() {
	for _, l := range w.lost {
		w.found(l.fault, w.row.T, l.why, l.rows)
		if l.kind == badLines {
			w.dark(l.rows)
		}
	}
	w.lost = w.lost[:0]
}

// Stopped calls each with a row that says that no rows have come lately, at the time of the last one. The caller measures the time: the
// watcher knows the clock of its rows alone.
func (w *Watcher) Stopped(each func(*Row) error) error {
	text := "the stream has stopped: no further rows have come"
	if !w.clocked {
		text = "no row has come yet"
	}
	w.emptyRow()
	w.losses()
	w.tell(Event{Type: Sensor, T: w.row.T, Text: text})
	if w.darkens(); !w.unseen.told {
		w.blind()
	}
	return each(&w.row)
}

// Told calls each with a row that says what [Watcher.Lost] was given, at the time of the last row, where no row follows to say it.
func (w *Watcher) Told(each func(*Row) error) error {
	if len(w.lost) == 0 {
		return nil
	}
	w.emptyRow()
	w.losses()
	if len(w.row.Events) == 0 {
		return nil
	}
	return each(&w.row)
}

// Finish tells the ends of the faults that last, and that of a time without watched rows: each receives a row with these events, or none.
// Call it behind the last row.
func (w *Watcher) Finish(each func(*Row) error) error {
	w.emptyRow()
	w.losses()
	for _, r := range w.runs {
		w.ended(r)
	}
	w.runs = w.runs[:0]
	w.lit(", the end")
	if len(w.row.Events) == 0 {
		return nil
	}
	return each(&w.row)
}

// emptyRow makes the row one without torques, at the time of the last.
func (w *Watcher) emptyRow() {
	w.row.T, w.row.Events, w.row.Payload, w.row.Extra = w.o.t, w.row.Events[:0], nil, true
	w.unknown()
}
