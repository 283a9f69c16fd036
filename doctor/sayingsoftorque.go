package doctor

import (
	"fmt"
	"slices"

	"ident/doctor/causes"
)

// Sayings of what a torque channel holds.

func (s *saying) scale() {
	factor := s.cause.Value
	s.Value, s.Limit = factor, 1
	s.Why = fmt.Sprintf("the torque of %s is scaled by %.3g relative to the other joints", s.who, factor)
	s.Fix = fmt.Sprintf("correct the gain or the gear ratio of %s, or declare its factor", s.who)
	if len(s.cause.Joints) == 1 && s.rec.efforts() < 3 {
		s.Fix = oneOfTwo
	} else if len(s.cause.Joints) == 1 {
		s.each(s.effort, Edit{Scale: 1 / factor})
	} else { // factors that differ from joint to joint
		s.Value = s.cause.Gain
		s.Why = fmt.Sprintf("the torques of %s have a different scale at each joint, since the joints' equations contradict each other otherwise", s.who)
		s.Fix = fmt.Sprintf("correct the gains or the gear ratios of %s", s.who)
	}
}

func (s *saying) asymmetry() {
	s.Limit = 1
	s.Why = fmt.Sprintf("the torque of %s is about %.3g times as large in its positive direction as in the other", s.who, s.cause.Value)
	s.Fix = "calibrate the sensor or the drive in both directions"
}

func (s *saying) curve() {
	s.Value = s.cause.Gain
	s.Why = fmt.Sprintf("the scale of the torque of %s changes with its size or its direction: the sensor or the drive is not linear", s.who)
	s.Fix = "calibrate the sensor or the drive at small and large torques in both directions, and convert the log by that curve"
}

func (s *saying) speedScale() {
	s.Limit = 1
	s.Why = fmt.Sprintf("the torque of %s is scaled by a factor that changes with the speed, to about %.3g at the highest", s.who, s.cause.Value)
	s.Fix = "measure the torque at the output of the gear; or correct its conversion from currents by the losses of the motor"
}

func (s *saying) saturated() {
	s.Why = fmt.Sprintf("the torque of %s grows less and less towards its peak: a sensor or drive that saturates softly", s.who)
	s.Fix = "record a motion with lower torques, or apply the sensor's calibration curve"
}

func (s *saying) gravityOf() {
	s.Why = fmt.Sprintf("the torques of %s have another part of gravity than a robot under it", s.who)
	s.Fix = "log the joint's whole torque; see the driver's manual for what the channel is"
}

func (s *saying) weightless() {
	s.Why = "the torques have no gravity: the driver has taken it out (gravity-compensated)"
	s.Fix = "{gravity} 0,0,0; or log the torques with their gravity"
	s.Repair = setting("gravity", "", "[0, 0, 0]")
	if s.cause.Value == causes.FileTaken && !s.cause.OfFile {
		s.Fix = "{torque} gravity-compensated adds the gravity of the robot file's bodies, which the driver subtracts; or log the torques with gravity"
		s.Repair = setting("torque", "", "gravity-compensated")
	}
	if s.cause.OfFile {
		s.Why += "; or the masses of the file are far too large"
		s.Repair = Repair{}
	}
}

func (s *saying) gravityCount() {
	s.Why = fmt.Sprintf("gravity is %s in the torques of %s", pick(s.cause.Kind == causes.GravityMissing, "missing", "there twice"), s.who)
	s.Fix = "log the joint's whole torque; see the driver's manual for what the channel is"
	if s.cause.OfFile {
		s.Why += ", by the bodies of the robot file; or the masses of the file are half of the robot's"
	}
	if s.cause.Kind == causes.GravityTwice && slices.Contains(s.rec.opt.Pinned, "torque") {
		s.Why = fmt.Sprintf("gravity is there twice in the torques of %s: it was in the channels before it was added to them", s.who)
		s.Fix = "leave {torque} gravity-compensated out"
	}
}

func (s *saying) external() {
	s.Why = fmt.Sprintf("the model explains nothing of the torques (%s of them is left) and no other reading of the log does: they are external torques, or no torques of this motion", part(min(s.cause.Value, 1)))
	s.Fix = "use {map} to name the channels of the joints' torques, with gravity, inertia and friction"
}

func (s *saying) frictionFree() {
	s.Why = "the torques have no friction, but the robot file has: the driver has removed it (friction-compensated), or the torques are commands or come from a model"
	s.Fix = "log torques with their friction; until then leave the friction terms out of the fit"
	if !s.rec.hasFriction() { // nothing contradicts torques without friction
		s.Severity = Info
		s.Why = "the torques have no friction: the driver has removed it, or the torques are commands or come from a model, or the joints are frictionless"
		s.Fix = "if the joints have friction, log torques that include it, or the motor currents"
	}
}

func (s *saying) talks() {
	of := s.rec.joints[s.cause.Joints[1]]
	s.Why = fmt.Sprintf("the torque of joint %s holds about %.2g times that of joint %s: a sensor that feels its neighbour, or a drive that turns with both", s.Joint, s.cause.Value, of.name)
	s.Fix = fmt.Sprintf("calibrate the sensor under both torques, or subtract that part of %s from %s", of.effort.name, s.Channel)
}

func (s *saying) torqueSignOrOrder() {
	if s.cause.Order != nil {
		s.Why, s.Fix, s.Repair = s.rec.rearranged(s.cause)
		return
	}
	if s.cause.Kind == causes.TorqueOrder && s.cause.Value > 0 {
		s.rec.exchangedLater(&s.Finding, s.effort(s.cause.Joints[0]), s.effort(s.cause.Joints[1]))
		return
	}
	if s.cause.Kind == causes.TorqueOrder {
		s.Why, s.Fix, s.Repair = s.rec.exchanged(s.cause.Joints, []int{s.cause.Joints[1], s.cause.Joints[0]}, "torques")
		return
	}
	s.Why = fmt.Sprintf("the torque of %s has the wrong sign", s.who)
	s.each(s.effort, Edit{Scale: -1})
	s.Fix = turned(&s.Repair) + "; or {mend} writes a log with the sign of the torque reversed"
}

func (s *saying) allSigns() {
	s.Why = "all torques have the wrong sign: friction and inertia would be negative"
	s.Fix = "{mend} writes a log with the signs of all torques reversed"
	s.each(s.effort, Edit{Scale: -1})
}
