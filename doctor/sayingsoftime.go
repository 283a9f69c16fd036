package doctor

import (
	"fmt"
	"math"
)

// Sayings of what goes wrong in time: clocks, delays, drift.

func (s *saying) delay() {
	s.Why = fmt.Sprintf("the torques of %s were recorded %.3g s %s than the motion", s.who, math.Abs(s.cause.Value), pick(s.cause.Value > 0, "later", "earlier"))
	s.Fix = "{mend} writes a log with the torques moved in time; or log both by one clock"
	if s.cause.Length != 0 {
		s.Why += fmt.Sprintf(", or %.3g s %s: the motion is periodic, so the log cannot distinguish the two", math.Abs(s.cause.Length), pick(s.cause.Length > 0, "later", "earlier"))
		s.Fix = "log both by one clock; or record a motion that does not repeat itself"
	} else {
		s.each(s.effort, Edit{Advance: s.cause.Value})
	}
}

func (s *saying) skew() {
	s.Why = fmt.Sprintf("the clock of the torques runs at another rate than the clock of the motion, by %.3g %%: the delay between them grows", 100*math.Abs(s.cause.Value))
	s.Fix = "log both by one clock"
}

func (s *saying) clock() {
	s.Value = 1 + s.cause.Value
	s.Why = fmt.Sprintf("gravity and inertia agree where the motion is some %.3g times as fast as the clock says", 1+s.cause.Value)
	s.Fix = "correct the time channel, or declare its unit with {units}"
}

func (s *saying) clockStep() {
	s.Why = fmt.Sprintf("the motion of one half of the log is %.3g times as fast as its clock says", s.cause.Value)
	if s.cause.Length > 0 {
		s.Where, s.Spans = fmt.Sprintf("from %s of the log on", part(s.cause.Length)), s.rec.spans(s.cause.Length, s.cause.Length)
		s.Why = fmt.Sprintf("the motion is some %.3g times as fast there as its clock says", s.cause.Value)
	}
	s.Fix = "log the controller's own time stamps"
}

func (s *saying) smoothed() {
	s.Why = fmt.Sprintf("the torques are behind a low-pass of about %.2g Hz that the positions do not have", s.cause.Value)
	s.Fix = "log them unfiltered; or set {cutoff} far below that frequency"
}

func (s *saying) reversed() {
	s.Why = "friction would drive the robot in all joints but one, while inertia and gravity are right: the log runs backward"
	s.Fix = "{mend} writes a log whose rows run forward; or record again"
	s.Repair.Edits = []Edit{{Channel: s.rec.roles.T, Reverse: true}}
	for _, j := range s.rec.joints {
		if j.dq != nil {
			s.Repair.Edits = append(s.Repair.Edits, Edit{Channel: j.dq.name, Scale: -1})
		}
	}
}

func (s *saying) warming() {
	s.Why = fmt.Sprintf("the friction of %s falls while the log runs: the gears warm up", s.who)
	s.Fix = "warm the robot up first; or add a term Fw:TIME to {terms}"
}

func (s *saying) drift() {
	s.Why = fmt.Sprintf("the torques of %s drift while the log runs", s.who)
	s.Fix = "let the sensors warm up; or record shorter logs, each with its own offset"
}
