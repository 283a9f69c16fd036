package doctor

import (
	"fmt"
	"math"
)

// The wordings of causes in time: clocks, delays, drift.

func (w *wording) delay() {
	w.Why = fmt.Sprintf("the torques of %s were recorded %.3g s %s than the motion", w.who, math.Abs(w.cause.Value), pick(w.cause.Value > 0, "later", "earlier"))
	w.Fix = "{mend} writes a log with the torques moved in time; or log both by one clock"
	if w.cause.Length != 0 {
		w.Why += fmt.Sprintf(", or %.3g s %s: the motion is periodic, so the log cannot distinguish the two", math.Abs(w.cause.Length), pick(w.cause.Length > 0, "later", "earlier"))
		w.Fix = "log both by one clock; or record a motion that does not repeat itself"
	} else {
		w.each(w.effort, Edit{Advance: w.cause.Value})
	}
}

func (w *wording) skew() {
	w.Why = fmt.Sprintf("the clock of the torques runs at another rate than the clock of the motion, by %.3g %%: the delay between them grows", 100*math.Abs(w.cause.Value))
	w.Fix = "log both by one clock"
}

func (w *wording) clock() {
	w.Value = 1 + w.cause.Value
	w.Why = fmt.Sprintf("gravity and inertia agree where the motion is some %.3g times as fast as the clock says", 1+w.cause.Value)
	w.Fix = "correct the time channel, or declare its unit with {units}"
}

func (w *wording) clockStep() {
	w.Why = fmt.Sprintf("the motion of one half of the log is %.3g times as fast as its clock says", w.cause.Value)
	if w.cause.Length > 0 {
		w.Where, w.Spans = fmt.Sprintf("from %s of the log on", part(w.cause.Length)), w.rec.spans(w.cause.Length, w.cause.Length)
		w.Why = fmt.Sprintf("the motion is some %.3g times as fast there as its clock says", w.cause.Value)
	}
	w.Fix = "log the controller's own time stamps"
}

func (w *wording) smoothed() {
	w.Why = fmt.Sprintf("the torques are behind a low-pass of about %.2g Hz that the positions do not have", w.cause.Value)
	w.Fix = "log them unfiltered; or set {cutoff} far below that frequency"
}

func (w *wording) reversed() {
	w.Why = "friction would drive the robot in all joints but one, while inertia and gravity are right: the log runs backward"
	w.Fix = "{mend} writes a log whose rows run forward; or record again"
	w.Repair.Edits = []Edit{{Channel: w.rec.roles.T, Reverse: true}}
	for _, j := range w.rec.joints {
		if j.dq != nil {
			w.Repair.Edits = append(w.Repair.Edits, Edit{Channel: j.dq.name, Scale: -1})
		}
	}
}

func (w *wording) warming() {
	w.Why = fmt.Sprintf("the friction of %s falls while the log runs: the gears warm up", w.who)
	w.Fix = "warm the robot up first; or add a term Fw:TIME to {terms}"
}

func (w *wording) drift() {
	w.Why = fmt.Sprintf("the torques of %s drift while the log runs", w.who)
	w.Fix = "let the sensors warm up; or record shorter logs, each with its own offset"
}
