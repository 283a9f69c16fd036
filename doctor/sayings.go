package doctor

import (
	"fmt"
	"math"

	"ident/doctor/causes"
)

// saying is a cause on its way to a finding.
type saying struct {
	Finding
	rec   *recording
	cause causes.Cause
	who   string // the joints of the cause
}

// sayings returns, by kind of cause, the method that says what is wrong, what to do, and which edits of the log or of the settings do it.
func sayings() map[string]func(*saying) {
	return map[string]func(*saying){
		causes.Delay:      (*saying).delay,
		causes.Recorder:   (*saying).delay,
		causes.Skew:       (*saying).skew,
		causes.Clock:      (*saying).clock,
		causes.ClockStep:  (*saying).clockStep,
		causes.Smoothed:   (*saying).smoothed,
		causes.Reversed:   (*saying).reversed,
		causes.Warming:    (*saying).warming,
		causes.Drift:      (*saying).drift,
		causes.ScaleDrift: (*saying).drift,

		causes.Scale:          (*saying).scale,
		causes.Asymmetry:      (*saying).asymmetry,
		causes.Curve:          (*saying).curve,
		causes.SpeedScale:     (*saying).speedScale,
		causes.Saturated:      (*saying).saturated,
		causes.GravityOf:      (*saying).gravityOf,
		causes.Weightless:     (*saying).weightless,
		causes.GravityMissing: (*saying).gravityCount,
		causes.GravityTwice:   (*saying).gravityCount,
		causes.External:       (*saying).external,
		causes.FrictionFree:   (*saying).frictionFree,
		causes.Talks:          (*saying).talks,
		causes.TorqueSign:     (*saying).torqueSignOrOrder,
		causes.TorqueOrder:    (*saying).torqueSignOrOrder,
		causes.AllSigns:       (*saying).allSigns,

		causes.Gear:          (*saying).gear,
		causes.Zero:          (*saying).zero,
		causes.Slip:          (*saying).slip,
		causes.Eccentric:     (*saying).eccentric,
		causes.Compliance:    (*saying).compliance,
		causes.Backlash:      (*saying).backlash,
		causes.Mixed:         (*saying).mixed,
		causes.PositionSign:  (*saying).positionSign,
		causes.PositionOrder: (*saying).positionOrder,
		causes.JointOrder:    (*saying).positionOrder,
		causes.Units:         (*saying).units,

		causes.GravityVector:   (*saying).gravityVector,
		causes.TiltStep:        (*saying).tiltStep,
		causes.LoadFriction:    (*saying).loadFriction,
		causes.Geometry:        (*saying).geometry,
		causes.LengthsInMillis: (*saying).lengthsInMillimetres,
		causes.Payload:         (*saying).payload,
		causes.PayloadOfLog:    (*saying).payloadOfLog,
		causes.Contact:         (*saying).contact,
		causes.Drag:            (*saying).drag,
		causes.Spring:          (*saying).spring,
		causes.Coupling:        (*saying).coupling,
	}
}

// causeFinding returns a cause as a finding; alone says that no other cause explains the log as well.
func (rec *recording) causeFinding(c causes.Cause, alone bool) Finding {
	s := &saying{Finding{ID: c.Family(), Severity: Warning, Value: c.Value, Where: "the whole log"}, rec, c, rec.jointNames(c)}
	kind := causes.KindOf(c.Kind)
	switch {
	case kind.About == causes.Time:
		s.Channel = rec.roles.T
	case kind.About != causes.None && len(c.Joints) > 0:
		s.Joint = rec.joints[c.Joints[0]].name
		if of := map[causes.Quantity]func(int) *channel{causes.Torque: s.effort, causes.Position: s.position}[kind.About]; of != nil {
			if ch := of(c.Joints[0]); ch != nil {
				s.Channel = ch.name
			}
		}
	}
	if say := sayings()[c.Kind]; say != nil {
		say(s)
	}
	if alone && !c.OfFile && (kind.Certainty == causes.Exclusive || kind.Certainty == causes.Explained && (c.Gain >= mostly || c.Settled)) {
		s.Severity = Error
	}
	if math.IsNaN(s.Value) || math.IsInf(s.Value, 0) {
		s.Value = 0
	}
	if !c.Settled {
		s.Why = fmt.Sprintf("%s (%.0f nats, %s of the error)", s.Why, c.Nats, part(c.Gain))
	}
	return s.Finding
}

// effort returns the channel of a joint's torque or current, nil if there is none; position and velocity those of its motion.
func (s *saying) effort(joint int) *channel   { return s.rec.joints[joint].effort }
func (s *saying) position(joint int) *channel { return s.rec.joints[joint].q }
func (s *saying) velocity(joint int) *channel { return s.rec.joints[joint].dq }

// each adds an edit to the repair for a channel of each joint of the cause, of every joint if it has none.
func (s *saying) each(of func(joint int) *channel, e Edit) {
	joints := s.cause.Joints
	if len(joints) == 0 {
		for j := range s.rec.joints {
			joints = append(joints, j)
		}
	}
	for _, j := range joints {
		if ch := of(j); ch != nil {
			e.Channel = ch.name
			s.Repair.Edits = append(s.Repair.Edits, e)
		}
	}
}

// part returns a part of one in per cent.
func part(u float64) string { return fmt.Sprintf("%.0f %%", 100*u) }
