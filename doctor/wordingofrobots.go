package doctor

import (
	"fmt"
	"math"

	"ident/datasets"
	"ident/doctor/causes"
	"ident/doctor/internal/trialfit"
)

// The wordings of causes in the robot or at it: mount, frames, friction, loads, contacts.

func (w *wording) gravityVector() {
	w.Why = "gravity acts along another direction than declared: the base is mounted differently, or {gravity} is wrong"
	w.Fix = "set {gravity} to its direction in the base frame"
	size := norm3(w.rec.robot.Gravity)
	axes := [...][3]float64{{}, {1}, {-1}, {0, 1}, {0, -1}, {0, 0, 1}, {0, 0, -1}}
	var v [3]float64
	if w.cause.Value == causes.Opposite {
		for i, g := range w.rec.robot.Gravity {
			v[i] = 0 - g/size
		}
	} else if w.cause.Value >= 1 && w.cause.Value <= 6 {
		v = axes[int(w.cause.Value)]
	}
	if v != axes[0] {
		if size == 0 {
			size = 9.81
		}
		w.Why = fmt.Sprintf("gravity acts along %g,%g,%g of the base, another direction than declared", v[0], v[1], v[2])
		w.Fix = fmt.Sprintf("{gravity} %.4g,%.4g,%.4g", size*v[0], size*v[1], size*v[2])
		w.Repair = setting("gravity", "", fmt.Sprintf("[%.4g, %.4g, %.4g]", size*v[0], size*v[1], size*v[2]))
	} else if g := w.rec.robot.Gravity; size > 0 { // its trial seeks the direction
		w.Fix = fmt.Sprintf("{gravity} %.4g,%.4g,%.4g", g[0], g[1], g[2])
		w.Repair = setting("gravity", "", fmt.Sprintf("[%.17g, %.17g, %.17g]", g[0], g[1], g[2]))
	}
}

func (w *wording) tiltStep() {
	w.Value = w.cause.Length
	w.Where, w.Spans = fmt.Sprintf("from %s of the log on", part(w.cause.Value)), w.rec.spans(w.cause.Value, 1)
	w.Why = fmt.Sprintf("gravity turns by about %.2g rad there: the base or its stand tips", w.cause.Length)
	w.Fix = "cut the log there with {rows} LOG:FIRST-LAST, and fasten the base"
}

func (w *wording) loadFriction() {
	w.Why = fmt.Sprintf("the friction of %s grows with the torque, as of gears under load", w.who)
	w.Fix = "add a term Fl to {terms}: friction in proportion to the torque"
}

func (w *wording) geometry() {
	w.Why = fmt.Sprintf("the frame of %s differs from the robot file: a length or an angle of the file is wrong", w.who)
	w.Fix = "give {robot} a file with the geometry of this robot"
}

func (w *wording) lengthsInMillimetres() {
	w.Why = "lengths of the robot file are in millimetres: read as metres, they are a thousand times what joints and torques show"
	w.Fix = "give {robot} a file with lengths in metres"
}

func (w *wording) payload() {
	w.Where = "the whole log"
	if w.cause.Value > 0 {
		w.Where, w.Spans = fmt.Sprintf("from %s of the log on", part(w.cause.Value)), w.rec.spans(w.cause.Value, w.cause.Value)
	}
	w.Why = "what the last link carries changes: a load appears, leaves or grows"
	w.Fix = "cut the log there ({rows}), and declare a payload for a part of it"
}

func (w *wording) payloadOfLog() {
	w.Value = w.cause.Length
	w.Why = fmt.Sprintf("the last link carries about %.2g kg %s than when the result was fitted", math.Abs(w.cause.Length), pick(w.cause.Length < 0, "less", "more"))
	if len(w.cause.Joints) > 0 { // whose mass other parameters may take over
		j := w.rec.joints[w.cause.Joints[0]]
		w.Value, w.Joint = 0, j.name
		w.Why = fmt.Sprintf("link %s has another body than when the result was fitted: it carries a load that is not declared, or has lost a part", w.rec.robot.Links[j.link].Name)
	}
	w.Fix = "declare what it carries: a payload in {terms} and {carries}; or fit a log with this load"
}

func (w *wording) contact() {
	w.Where, w.Spans = fmt.Sprintf("from %s to %s of the log", part(w.cause.Value), part(w.cause.Value+w.cause.Length)), w.rec.spans(w.cause.Value, w.cause.Value+w.cause.Length)
	w.Why = "a force acts on the last link there: somebody pushes it, or it touches something"
	w.Fix = "{mend} writes a log without these rows; or record again"
	margin := min(w.cause.Length/2, contactMargin)
	if rows := w.rec.between(w.cause.Value-margin, w.cause.Value+w.cause.Length+margin); rows[1] > rows[0] {
		w.Repair.Edits = []Edit{{Rows: []datasets.RowRange{rows}}}
	}
}

func (w *wording) drag() {
	w.Why = "a force on the last link works against its motion: it drags on something"
	w.Fix = "record again with nothing that touches it"
}

func (w *wording) spring() {
	w.Why = fmt.Sprintf("a spring, cord or hose pulls at %s: a part of its torque follows its position", w.who)
	w.Fix = "record again with nothing that pulls at the joint, or with its hoses laid as at work"
}

func (w *wording) coupling() {
	w.Why = fmt.Sprintf("acceleration, velocity and friction of the %s of %s explain both torques: one motor turns with both", pick(w.cause.Value > 0, "sum", "difference"), w.who)
	w.rec.coupled(&w.Finding, trialfit.PairOf(w.cause.Joints[0], w.cause.Joints[1], w.cause.Value))
}
