package doctor

import (
	"fmt"
	"math"

	"ident/doctor/causes"
)

// wording makes the finding of a cause: what is wrong, what to do, and the edits that do it.
type wording struct {
	Finding
	rec   *recording
	cause causes.Cause
	who   string // the joints of the cause
}

// wordings returns the methods that complete a wording, by kind of cause.
func wordings() map[string]func(*wording) {
	return map[string]func(*wording){
		causes.Delay:      (*wording).delay,
		causes.Recorder:   (*wording).delay,
		causes.Skew:       (*wording).skew,
		causes.Clock:      (*wording).clock,
		causes.ClockStep:  (*wording).clockStep,
		causes.Smoothed:   (*wording).smoothed,
		causes.Reversed:   (*wording).reversed,
		causes.Warming:    (*wording).warming,
		causes.Drift:      (*wording).drift,
		causes.ScaleDrift: (*wording).drift,

		causes.Scale:          (*wording).scale,
		causes.Asymmetry:      (*wording).asymmetry,
		causes.Curve:          (*wording).curve,
		causes.SpeedScale:     (*wording).speedScale,
		causes.Saturated:      (*wording).saturated,
		causes.GravityOf:      (*wording).gravityOf,
		causes.Weightless:     (*wording).weightless,
		causes.GravityMissing: (*wording).gravityCount,
		causes.GravityTwice:   (*wording).gravityCount,
		causes.External:       (*wording).external,
		causes.FrictionFree:   (*wording).frictionFree,
		causes.Talks:          (*wording).talks,
		causes.TorqueSign:     (*wording).torqueSignOrOrder,
		causes.TorqueOrder:    (*wording).torqueSignOrOrder,
		causes.AllSigns:       (*wording).allSigns,

		causes.Gear:          (*wording).gear,
		causes.Zero:          (*wording).zero,
		causes.Slip:          (*wording).slip,
		causes.Eccentric:     (*wording).eccentric,
		causes.Compliance:    (*wording).compliance,
		causes.Backlash:      (*wording).backlash,
		causes.Mixed:         (*wording).mixed,
		causes.PositionSign:  (*wording).positionSign,
		causes.PositionOrder: (*wording).positionOrder,
		causes.JointOrder:    (*wording).positionOrder,
		causes.Units:         (*wording).units,

		causes.GravityVector:   (*wording).gravityVector,
		causes.TiltStep:        (*wording).tiltStep,
		causes.LoadFriction:    (*wording).loadFriction,
		causes.Geometry:        (*wording).geometry,
		causes.LengthsInMillis: (*wording).lengthsInMillimetres,
		causes.Payload:         (*wording).payload,
		causes.PayloadOfLog:    (*wording).payloadOfLog,
		causes.Contact:         (*wording).contact,
		causes.Drag:            (*wording).drag,
		causes.Spring:          (*wording).spring,
		causes.Coupling:        (*wording).coupling,
	}
}

// causeFinding returns a cause as a finding; alone says that no other cause explains the log as well.
func (rec *recording) causeFinding(c causes.Cause, alone bool) Finding {
	w := &wording{Finding{ID: c.Family(), Severity: Warning, Value: c.Value, Where: "the whole log"}, rec, c, rec.jointNames(c)}
	kind := causes.KindOf(c.Kind)
	switch {
	case kind.About == causes.Time:
		w.Channel = rec.roles.T
	case kind.About != causes.None && len(c.Joints) > 0:
		w.Joint = rec.joints[c.Joints[0]].name
		if of := map[causes.Quantity]func(int) *channel{causes.Torque: w.effort, causes.Position: w.position}[kind.About]; of != nil {
			if ch := of(c.Joints[0]); ch != nil {
				w.Channel = ch.name
			}
		}
	}
	if say := wordings()[c.Kind]; say != nil {
		say(w)
	}
	if alone && !c.OfFile && (kind.Certainty == causes.Exclusive || kind.Certainty == causes.Explained && (c.Gain >= mostly || c.Settled)) {
		w.Severity = Error
	}
	if math.IsNaN(w.Value) || math.IsInf(w.Value, 0) {
		w.Value = 0
	}
	if !c.Settled {
		w.Why = fmt.Sprintf("%s (%.0f nats, %s of the error)", w.Why, c.Nats, part(c.Gain))
	}
	return w.Finding
}

// effort returns the channel of a joint's torque or current, nil if there is none; position and velocity those of its motion.
func (w *wording) effort(joint int) *channel   { return w.rec.joints[joint].effort }
func (w *wording) position(joint int) *channel { return w.rec.joints[joint].q }
func (w *wording) velocity(joint int) *channel { return w.rec.joints[joint].dq }

// each adds an edit to the repair for a channel of each joint of the cause, of every joint if it has none.
func (w *wording) each(of func(joint int) *channel, e Edit) {
	joints := w.cause.Joints
	if len(joints) == 0 {
		for j := range w.rec.joints {
			joints = append(joints, j)
		}
	}
	for _, j := range joints {
		if ch := of(j); ch != nil {
			e.Channel = ch.name
			w.Repair.Edits = append(w.Repair.Edits, e)
		}
	}
}

// part returns a part of one in per cent.
func part(u float64) string { return fmt.Sprintf("%.0f %%", 100*u) }
