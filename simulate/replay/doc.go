// Package replay runs a robot's model forward beside a measured motion, which shows, as inverse dynamics does not,
// whether the model moves as the robot did.
//
// # Replay
//
// From many moments of a record, the plant (package plant) starts in the measured position
// and velocity and moves under the measured torques, without any controller. The error of its
// position grows with time, because a robot without control is a double integrator: a
// torque wrong by δτ makes ½·M⁻¹δτ·h² after a horizon h. It is stated against the horizon, beside
// the displacement itself.
//
// Where the law of control that moved the robot is known, with its commands, the plant moves under that law (UnderLaw). Its error does
// not grow then: a torque wrong by δτ leaves δτ over the law's stiffness. It is stated in per cent of the law's own
// error of position, which is the torque over the same stiffness, so that per cents of positions are per cents of torques.
//
// # Tracking
//
// The robot that a record shows is the model and the torques that it leaves unexplained: r = τ − ID(q, dq, ddq)
// along the record. Track lets that robot, r included, follow the record's own motion under a law
// of joint control with several models as feed-forward, and states the errors of each:
// the gain of a model in the unit that its user buys.
//
// # Units
//
// rad or m, N·m or N, s. Slices are by joint, then by sample.
//
// # Sources
//
// W. Khalil and E. Dombre, Modeling, Identification and Control of Robots, 2002, sections 12.6
// and 14.4; the validation by simulation after A. Janot, P.-O. Vandanjon and M. Gautier, IEEE TCST 22(1), 2014.
package replay
