package doctor

import (
	"fmt"
	"math"

	"ident/datasets"
	"ident/doctor/causes"
	"ident/doctor/internal/trialfit"
)

// Sayings of the robot: its mount, its frames, its friction, what it carries and what touches it.

func (s *saying) gravityVector() {
	s.Why = "gravity acts along another direction than declared: the base is mounted differently, or {gravity} is wrong"
	s.Fix = "set {gravity} to its direction in the base frame"
	size := norm3(s.rec.robot.Gravity)
	axes := [...][3]float64{{}, {1}, {-1}, {0, 1}, {0, -1}, {0, 0, 1}, {0, 0, -1}}
	var v [3]float64
	if s.cause.Value == causes.Opposite {
		for i, g := range s.rec.robot.Gravity {
			v[i] = 0 - g/size
		}
	} else if s.cause.Value >= 1 && s.cause.Value <= 6 {
		v = axes[int(s.cause.Value)]
	}
	if v != axes[0] {
		if size == 0 {
			size = 9.81
		}
		s.Why = fmt.Sprintf("gravity acts along %g,%g,%g of the base, another direction than declared", v[0], v[1], v[2])
		s.Fix = fmt.Sprintf("{gravity} %.4g,%.4g,%.4g", size*v[0], size*v[1], size*v[2])
		s.Repair = setting("gravity", "", fmt.Sprintf("[%.4g, %.4g, %.4g]", size*v[0], size*v[1], size*v[2]))
	} else if g := s.rec.robot.Gravity; size > 0 { // its trial seeks the direction
		s.Fix = fmt.Sprintf("{gravity} %.4g,%.4g,%.4g", g[0], g[1], g[2])
		s.Repair = setting("gravity", "", fmt.Sprintf("[%.17g, %.17g, %.17g]", g[0], g[1], g[2]))
	}
}

func (s *saying) tiltStep() {
	s.Value = s.cause.Length
	s.Where, s.Spans = fmt.Sprintf("from %s of the log on", part(s.cause.Value)), s.rec.spans(s.cause.Value, 1)
	s.Why = fmt.Sprintf("gravity turns by about %.2g rad there: the base or its stand tips", s.cause.Length)
	s.Fix = "cut the log there with {rows} LOG:FIRST-LAST, and fasten the base"
}

func (s *saying) loadFriction() {
	s.Why = fmt.Sprintf("the friction of %s grows with the torque, as of gears under load", s.who)
	s.Fix = "add a term Fl to {terms}: friction in proportion to the torque"
}

func (s *saying) geometry() {
	s.Why = fmt.Sprintf("the frame of %s differs from the robot file: a length or an angle of the file is wrong", s.who)
	s.Fix = "give {robot} a file with the geometry of this robot"
}

func (s *saying) lengthsInMillimetres() {
	s.Why = "lengths of the robot file are in millimetres: read as metres, they are a thousand times what joints and torques show"
	s.Fix = "give {robot} a file with lengths in metres"
}

func (s *saying) payload() {
	s.Where = "the whole log"
	if s.cause.Value > 0 {
		s.Where, s.Spans = fmt.Sprintf("from %s of the log on", part(s.cause.Value)), s.rec.spans(s.cause.Value, s.cause.Value)
	}
	s.Why = "what the last link carries changes: a load appears, leaves or grows"
	s.Fix = "cut the log there ({rows}), and declare a payload for a part of it"
}

func (s *saying) payloadOfLog() {
	s.Value = s.cause.Length
	s.Why = fmt.Sprintf("the last link carries about %.2g kg %s than when the result was fitted", math.Abs(s.cause.Length), pick(s.cause.Length < 0, "less", "more"))
	if len(s.cause.Joints) > 0 { // whose mass other parameters may take over
		j := s.rec.joints[s.cause.Joints[0]]
		s.Value, s.Joint = 0, j.name
		s.Why = fmt.Sprintf("link %s has another body than when the result was fitted: it carries a load that is not declared, or has lost a part", s.rec.robot.Links[j.link].Name)
	}
	s.Fix = "declare what it carries: a payload in {terms} and {carries}; or fit a log with this load"
}

func (s *saying) contact() {
	s.Where, s.Spans = fmt.Sprintf("from %s to %s of the log", part(s.cause.Value), part(s.cause.Value+s.cause.Length)), s.rec.spans(s.cause.Value, s.cause.Value+s.cause.Length)
	s.Why = "a force acts on the last link there: somebody pushes it, or it touches something"
	s.Fix = "{mend} writes a log without these rows; or record again"
	margin := min(s.cause.Length/2, contactMargin)
	if rows := s.rec.between(s.cause.Value-margin, s.cause.Value+s.cause.Length+margin); rows[1] > rows[0] {
		s.Repair.Edits = []Edit{{Rows: []datasets.RowRange{rows}}}
	}
}

func (s *saying) drag() {
	s.Why = "a force on the last link works against its motion: it drags on something"
	s.Fix = "record again with nothing that touches it"
}

func (s *saying) spring() {
	s.Why = fmt.Sprintf("a spring, cord or hose pulls at %s: a part of its torque follows its position", s.who)
	s.Fix = "record again with nothing that pulls at the joint, or with its hoses laid as at work"
}

func (s *saying) coupling() {
	s.Why = fmt.Sprintf("acceleration, velocity and friction of the %s of %s explain both torques: one motor turns with both", pick(s.cause.Value > 0, "sum", "difference"), s.who)
	s.rec.coupled(&s.Finding, trialfit.PairOf(s.cause.Joints[0], s.cause.Joints[1], s.cause.Value))
}
