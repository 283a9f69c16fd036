package doctor

import (
	"fmt"
	"math"

	"ident/doctor/causes"
)

// The wordings of causes in a position channel.

func (w *wording) gear() {
	w.Value, w.Limit = 1/(1+w.cause.Value), 1
	w.Why = fmt.Sprintf("the motion of %s is about %.3g times as large as logged: the gear ratio or encoder resolution is wrong", w.who, 1+w.cause.Value)
	w.Fix = fmt.Sprintf("correct the gear ratio with which the position of %s was converted", w.who)
}

func (w *wording) zero() {
	w.Why = fmt.Sprintf("the zero of %s is off", w.who)
	w.Fix = "correct the joint's zero in the robot file, or add the offset to the channel"
	if len(w.cause.Joints) == 1 {
		w.Why = fmt.Sprintf("the zero of %s is off by about %.3g rad", w.who, -w.cause.Value)
		quarters := w.cause.Value / (math.Pi / 2)
		if math.Abs(w.cause.Value) < farZero {
			w.each(w.position, Edit{Offset: w.cause.Value})
		} else if quarters == math.Round(quarters) { // tried as such
			w.Fix = fmt.Sprintf("{mend} writes a log with %.6g added to %s; or correct the joint's zero in the robot file", w.cause.Value, w.Channel)
			w.each(w.position, Edit{Offset: w.cause.Value})
		} else {
			w.Fix = "compare the joint's zero and its frame in the robot file with the robot's data sheet: zeros are seldom so far off"
		}
	}
}

func (w *wording) slip() {
	w.Value = -w.cause.Length
	w.Where, w.Spans = fmt.Sprintf("from %s of the log on", part(w.cause.Value)), w.rec.spans(w.cause.Value, 1)
	w.Why = fmt.Sprintf("the zero of %s moves by about %.3g %s there: an encoder or a coupling that slips", w.who, math.Abs(w.cause.Length), w.rec.unitOf(w.rec.joints[w.cause.Joints[0]].q))
	w.Fix = "cut the log there with {rows} LOG:FIRST-LAST, and look at the coupling of the encoder"
}

func (w *wording) eccentric() {
	w.Why = fmt.Sprintf("the error of the position of %s follows its own angle: an encoder or a magnet that is not centred", w.who)
	w.Fix = "calibrate the encoder over a turn, or mount it anew"
}

func (w *wording) compliance() {
	w.Why = fmt.Sprintf("the position of %s is off in proportion to its torque: it is the commanded position, or the motor position before an elastic gear", w.who)
	w.Fix = "log the measured positions of the links; or describe the joints as elastic in the robot file, joint: {elastic: true}"
}

func (w *wording) backlash() {
	w.Why = fmt.Sprintf("at each reversal %s stands still until its encoder has moved by about %.2g %s: there is backlash between encoder and joint, or the gear is elastic", w.who, w.cause.Value, w.rec.unitOf(w.rec.joints[w.cause.Joints[0]].q))
	w.Fix = "measure at the output of the gear"
}

func (w *wording) mixed() {
	of := w.rec.joints[w.cause.Joints[1]]
	w.Why = fmt.Sprintf("the position of joint %s holds about %.2g times that of joint %s: gears or belts that turn with both", w.Joint, -w.cause.Value, of.name)
	w.Fix = fmt.Sprintf("log the joint's own angle, or subtract that part of %s from %s", of.q.name, w.Channel)
}

func (w *wording) positionSign() {
	w.Why = fmt.Sprintf("the position of %s has the opposite direction to the robot file%s", w.who, pick(w.cause.Value > 0, ", from a zero half a turn away", ""))
	w.Fix = "{mend} writes a log with the signs of these channels reversed; or reverse the joint's axis in the robot file"
	if w.cause.Value == 0 {
		w.each(w.position, Edit{Scale: -1})
		w.each(w.velocity, Edit{Scale: -1})
		if w.cause.Length > 0 {
			w.Why += ", and so does its torque"
			w.each(w.effort, Edit{Scale: -1})
		}
	}
}

func (w *wording) positionOrder() {
	w.Why, w.Fix, w.Repair = w.rec.exchanged(w.cause.Joints, []int{w.cause.Joints[1], w.cause.Joints[0]}, pick(w.cause.Kind == causes.PositionOrder, "positions", ""))
}

func (w *wording) units() {
	unitName := "its unit is not the radian"
	switch {
	case isDegree(w.cause.Value):
		unitName = "they are degrees"
	case math.Abs(w.cause.Value/(2*math.Pi)-1) < 0.01:
		unitName = "they are turns"
	case math.Abs(w.cause.Value/(math.Pi/100)-1) < 0.01:
		unitName = "they are a hundredth of half a turn (normalised to ±100)"
	case w.cause.Value < 0.01:
		unitName = fmt.Sprintf("they are counts, %.0f a turn", 2*math.Pi/w.cause.Value)
	}
	w.Fix = "declare the unit with {units}; {mend} writes radians"
	if w.cause.Length > 0 {
		unitName = "they are -100 to 100 of the joint's range in the robot file"
		w.Fix = "{scale} and {zero} declare the ranges; {mend} writes radians"
		joints := w.cause.Joints
		for _, j := range joints {
			at := w.rec.robot.Links[w.rec.joints[j].link].Joint
			w.cause.Joints = []int{j}
			w.each(w.position, Edit{Scale: (at.Upper - at.Lower) / 200, Offset: (at.Upper + at.Lower) / 2})
			w.each(w.velocity, Edit{Scale: (at.Upper - at.Lower) / 200})
		}
		w.cause.Joints = joints
	} else if w.cause.Length != causes.Ambiguous {
		w.each(w.position, Edit{Scale: w.cause.Value})
		for _, e := range w.Repair.Edits {
			if isDegree(w.cause.Value) {
				w.Repair.Settings = append(w.Repair.Settings, Setting{Key: "units", Name: e.Channel, Value: "deg"})
			}
		}
		w.each(w.velocity, Edit{Scale: w.cause.Value})
	} else {
		unitName += ", as far as this log tells"
		w.Fix = "turn one joint by a known angle, which tells the unit, and declare it with {units}"
	}
	w.Why = fmt.Sprintf("the positions of %s are not in radians: %s", w.who, unitName)
}
