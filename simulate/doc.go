// Package simulate runs virtual experiments: a robot that follows a motion
// exactly, and the sensors that watch it.
//
// # The plant
//
// The motion is given, so the torques follow by inverse dynamics and no
// differential equation is integrated: the exact record is exact to rounding,
//
//	τ = ID(q, dq, ddq) + Fv·dq + Fs·sign(dq) + Fo
//
// with the rigid bodies, rotor inertias and friction of the robot's own
// description. ID is a program customized to the robot (packages
// mechanics/recursion and symbolic), with the numeric recursion of package
// dynamics as its oracle. A joint that mimics
// another moves with it, and its torque and friction act on that one through
// the ratio. At rest sign(dq) is zero.
//
// A robot with closed loops follows the motion of its driven joints: the loops
// are closed at every sample, and the torques are those of the tree through Gᵀ,
// with the friction of passive joints. Where they cannot be closed, the error
// names the time and the frames.
//
// # The sensors
//
// The record adds the imperfections of real ones, to each channel from a random
// stream of its own, so that making one channel noisier leaves the others as they were:
//
//	position  q + noise, then rounded to encoder counts
//	velocity  dq, late by VelocityLag, + noise
//	torque    τ, late by TorqueLag, + noise, then rounded to its quantum
//
// Noise is white and Gaussian. Lags are of any length, not of whole samples:
// the motion is known between the samples. The clock is ideal.
//
// # Blocks
//
// Simulation.Blocks hands out the record in blocks that take the same memory, so
// that a long one needs no more than a short one; Run keeps all of it. The streams
// of noise run on from block to block, and no value depends on where a block ends.
//
// # Motions
//
// A Sampler is anything that knows position, velocity and acceleration at any
// time: an excite.Trajectory, or a Recorded motion out of the columns of a
// file, joined by polynomials of the fifth degree.
package simulate
