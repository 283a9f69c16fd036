package doctor

import (
	"fmt"
	"math"

	"ident/doctor/causes"
)

// Sayings of what a position channel holds.

func (s *saying) gear() {
	s.Value, s.Limit = 1/(1+s.cause.Value), 1
	s.Why = fmt.Sprintf("the motion of %s is about %.3g times as large as logged: the gear ratio or encoder resolution is wrong", s.who, 1+s.cause.Value)
	s.Fix = fmt.Sprintf("correct the gear ratio with which the position of %s was converted", s.who)
}

func (s *saying) zero() {
	s.Why = fmt.Sprintf("the zero of %s is off", s.who)
	s.Fix = "correct the joint's zero in the robot file, or add the offset to the channel"
	if len(s.cause.Joints) == 1 {
		s.Why = fmt.Sprintf("the zero of %s is off by about %.3g rad", s.who, -s.cause.Value)
		quarters := s.cause.Value / (math.Pi / 2)
		if math.Abs(s.cause.Value) < farZero {
			s.each(s.position, Edit{Offset: s.cause.Value})
		} else if quarters == math.Round(quarters) { // tried as such
			s.Fix = fmt.Sprintf("{mend} writes a log with %.6g added to %s; or correct the joint's zero in the robot file", s.cause.Value, s.Channel)
			s.each(s.position, Edit{Offset: s.cause.Value})
		} else {
			s.Fix = "compare the joint's zero and its frame in the robot file with the robot's data sheet: zeros are seldom so far off"
		}
	}
}

func (s *saying) slip() {
	s.Value = -s.cause.Length
	s.Where, s.Spans = fmt.Sprintf("from %s of the log on", part(s.cause.Value)), s.rec.spans(s.cause.Value, 1)
	s.Why = fmt.Sprintf("the zero of %s moves by about %.3g %s there: an encoder or a coupling that slips", s.who, math.Abs(s.cause.Length), s.rec.unitOf(s.rec.joints[s.cause.Joints[0]].q))
	s.Fix = "cut the log there with {rows} LOG:FIRST-LAST, and look at the coupling of the encoder"
}

func (s *saying) eccentric() {
	s.Why = fmt.Sprintf("the error of the position of %s follows its own angle: an encoder or a magnet that is not centred", s.who)
	s.Fix = "calibrate the encoder over a turn, or mount it anew"
}

func (s *saying) compliance() {
	s.Why = fmt.Sprintf("the position of %s is off in proportion to its torque: it is the commanded position, or the motor position before an elastic gear", s.who)
	s.Fix = "log the measured positions of the links; or describe the joints as elastic in the robot file, joint: {elastic: true}"
}

func (s *saying) backlash() {
	s.Why = fmt.Sprintf("at each reversal %s stands still until its encoder has moved by about %.2g %s: there is backlash between encoder and joint, or the gear is elastic", s.who, s.cause.Value, s.rec.unitOf(s.rec.joints[s.cause.Joints[0]].q))
	s.Fix = "measure at the output of the gear"
}

func (s *saying) mixed() {
	of := s.rec.joints[s.cause.Joints[1]]
	s.Why = fmt.Sprintf("the position of joint %s holds about %.2g times that of joint %s: gears or belts that turn with both", s.Joint, -s.cause.Value, of.name)
	s.Fix = fmt.Sprintf("log the joint's own angle, or subtract that part of %s from %s", of.q.name, s.Channel)
}

func (s *saying) positionSign() {
	s.Why = fmt.Sprintf("the position of %s has the opposite direction to the robot file%s", s.who, pick(s.cause.Value > 0, ", from a zero half a turn away", ""))
	s.Fix = "{mend} writes a log with the signs of these channels reversed; or reverse the joint's axis in the robot file"
	if s.cause.Value == 0 {
		s.each(s.position, Edit{Scale: -1})
		s.each(s.velocity, Edit{Scale: -1})
		if s.cause.Length > 0 {
			s.Why += ", and so does its torque"
			s.each(s.effort, Edit{Scale: -1})
		}
	}
}

func (s *saying) positionOrder() {
	s.Why, s.Fix, s.Repair = s.rec.exchanged(s.cause.Joints, []int{s.cause.Joints[1], s.cause.Joints[0]}, pick(s.cause.Kind == causes.PositionOrder, "positions", ""))
}

func (s *saying) units() {
	unitName := "its unit is not the radian"
	switch {
	case isDegree(s.cause.Value):
		unitName = "they are degrees"
	case math.Abs(s.cause.Value/(2*math.Pi)-1) < 0.01:
		unitName = "they are turns"
	case math.Abs(s.cause.Value/(math.Pi/100)-1) < 0.01:
		unitName = "they are a hundredth of half a turn (normalised to ±100)"
	case s.cause.Value < 0.01:
		unitName = fmt.Sprintf("they are counts, %.0f a turn", 2*math.Pi/s.cause.Value)
	}
	s.Fix = "declare the unit with {units}; {mend} writes radians"
	if s.cause.Length > 0 {
		unitName = "they are -100 to 100 of the joint's range in the robot file"
		s.Fix = "{scale} and {zero} declare the ranges; {mend} writes radians"
		joints := s.cause.Joints
		for _, j := range joints {
			at := s.rec.robot.Links[s.rec.joints[j].link].Joint
			s.cause.Joints = []int{j}
			s.each(s.position, Edit{Scale: (at.Upper - at.Lower) / 200, Offset: (at.Upper + at.Lower) / 2})
			s.each(s.velocity, Edit{Scale: (at.Upper - at.Lower) / 200})
		}
		s.cause.Joints = joints
	} else if s.cause.Length != causes.Ambiguous {
		s.each(s.position, Edit{Scale: s.cause.Value})
		for _, e := range s.Repair.Edits {
			if isDegree(s.cause.Value) {
				s.Repair.Settings = append(s.Repair.Settings, Setting{Key: "units", Name: e.Channel, Value: "deg"})
			}
		}
		s.each(s.velocity, Edit{Scale: s.cause.Value})
	} else {
		unitName += ", as far as this log tells"
		s.Fix = "turn one joint by a known angle, which tells the unit, and declare it with {units}"
	}
	s.Why = fmt.Sprintf("the positions of %s are not in radians: %s", s.who, unitName)
}
