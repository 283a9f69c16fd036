package doctor

import (
	"fmt"
	"slices"

	"ident/doctor/causes"
)

// The wordings of causes in a torque channel.

func (w *wording) scale() {
	factor := w.cause.Value
	w.Value, w.Limit = factor, 1
	w.Why = fmt.Sprintf("the torque of %s is scaled by %.3g relative to the other joints", w.who, factor)
	w.Fix = fmt.Sprintf("correct the gain or the gear ratio of %s, or declare its factor", w.who)
	if len(w.cause.Joints) == 1 && w.rec.efforts() < 3 {
		w.Fix = oneOfTwo
	} else if len(w.cause.Joints) == 1 {
		w.each(w.effort, Edit{Scale: 1 / factor})
	} else { // factors that differ from joint to joint
		w.Value = w.cause.Gain
		w.Why = fmt.Sprintf("the torques of %s have a different scale at each joint, since the joints' equations contradict each other otherwise", w.who)
		w.Fix = fmt.Sprintf("correct the gains or the gear ratios of %s", w.who)
	}
}

func (w *wording) asymmetry() {
	w.Limit = 1
	w.Why = fmt.Sprintf("the torque of %s is about %.3g times as large in its positive direction as in the other", w.who, w.cause.Value)
	w.Fix = "calibrate the sensor or the drive in both directions"
}

func (w *wording) curve() {
	w.Value = w.cause.Gain
	w.Why = fmt.Sprintf("the scale of the torque of %s changes with its size or its direction: the sensor or the drive is not linear", w.who)
	w.Fix = "calibrate the sensor or the drive at small and large torques in both directions, and convert the log by that curve"
}

func (w *wording) speedScale() {
	w.Limit = 1
	w.Why = fmt.Sprintf("the torque of %s is scaled by a factor that changes with the speed, to about %.3g at the highest", w.who, w.cause.Value)
	w.Fix = "measure the torque at the output of the gear; or correct its conversion from currents by the losses of the motor"
}

func (w *wording) saturated() {
	w.Why = fmt.Sprintf("the torque of %s grows less and less towards its peak: a sensor or drive that saturates softly", w.who)
	w.Fix = "record a motion with lower torques, or apply the sensor's calibration curve"
}

func (w *wording) gravityOf() {
	w.Why = fmt.Sprintf("the torques of %s have another part of gravity than a robot under it", w.who)
	w.Fix = "log the joint's whole torque; see the driver's manual for what the channel is"
}

func (w *wording) weightless() {
	w.Why = "the torques have no gravity: the driver has taken it out (gravity-compensated)"
	w.Fix = "{gravity} 0,0,0; or log the torques with their gravity"
	w.Repair = setting("gravity", "", "[0, 0, 0]")
	if w.cause.Value == causes.FileTaken && !w.cause.OfFile {
		w.Fix = "{torque} gravity-compensated adds the gravity of the robot file's bodies, which the driver subtracts; or log the torques with gravity"
		w.Repair = setting("torque", "", "gravity-compensated")
	}
	if w.cause.OfFile {
		w.Why += "; or the masses of the file are far too large"
		w.Repair = Repair{}
	}
}

func (w *wording) gravityCount() {
	w.Why = fmt.Sprintf("gravity is %s in the torques of %s", pick(w.cause.Kind == causes.GravityMissing, "missing", "there twice"), w.who)
	w.Fix = "log the joint's whole torque; see the driver's manual for what the channel is"
	if w.cause.OfFile {
		w.Why += ", by the bodies of the robot file; or the masses of the file are half of the robot's"
	}
	if w.cause.Kind == causes.GravityTwice && slices.Contains(w.rec.opt.Pinned, "torque") {
		w.Why = fmt.Sprintf("gravity is there twice in the torques of %s: it was in the channels before it was added to them", w.who)
		w.Fix = "leave {torque} gravity-compensated out"
	}
}

func (w *wording) external() {
	w.Why = fmt.Sprintf("the model explains nothing of the torques (%s of them is left) and no other reading of the log does: they are external torques, or no torques of this motion", part(min(w.cause.Value, 1)))
	w.Fix = "use {map} to name the channels of the joints' torques, with gravity, inertia and friction"
}

func (w *wording) frictionFree() {
	w.Why = "the torques have no friction, but the robot file has: the driver has removed it (friction-compensated), or the torques are commands or come from a model"
	w.Fix = "log torques with their friction; until then leave the friction terms out of the fit"
	if !w.rec.hasFriction() { // nothing contradicts torques without friction
		w.Severity = Info
		w.Why = "the torques have no friction: the driver has removed it, or the torques are commands or come from a model, or the joints are frictionless"
		w.Fix = "if the joints have friction, log torques that include it, or the motor currents"
	}
}

func (w *wording) talks() {
	of := w.rec.joints[w.cause.Joints[1]]
	w.Why = fmt.Sprintf("the torque of joint %s holds about %.2g times that of joint %s: a sensor that feels its neighbour, or a drive that turns with both", w.Joint, w.cause.Value, of.name)
	w.Fix = fmt.Sprintf("calibrate the sensor under both torques, or subtract that part of %s from %s", of.effort.name, w.Channel)
}

func (w *wording) torqueSignOrOrder() {
	if w.cause.Order != nil {
		w.Why, w.Fix, w.Repair = w.rec.rearranged(w.cause)
		return
	}
	if w.cause.Kind == causes.TorqueOrder && w.cause.Value > 0 {
		w.rec.exchangedLater(&w.Finding, w.effort(w.cause.Joints[0]), w.effort(w.cause.Joints[1]))
		return
	}
	if w.cause.Kind == causes.TorqueOrder {
		w.Why, w.Fix, w.Repair = w.rec.exchanged(w.cause.Joints, []int{w.cause.Joints[1], w.cause.Joints[0]}, "torques")
		return
	}
	w.Why = fmt.Sprintf("the torque of %s has the wrong sign", w.who)
	w.each(w.effort, Edit{Scale: -1})
	w.Fix = turned(&w.Repair) + "; or {mend} writes a log with the sign of the torque reversed"
}

func (w *wording) allSigns() {
	w.Why = "all torques have the wrong sign: friction and inertia would be negative"
	w.Fix = "{mend} writes a log with the signs of all torques reversed"
	w.each(w.effort, Edit{Scale: -1})
}
