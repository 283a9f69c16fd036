// Package loadsection words and draws the loads of motions (package loads) for a page of package report: tables of
// drives, bearings, motors and beams, and each drive's torque–speed points against its limits.
//
// # Torque–speed diagrams
//
// A point is a sample of the motion: the magnitude of the speed to the right, the torque along the motion upwards, a
// braking torque downwards. The limits of a motor are its line M(1 − n/n₀), which a braking motor exceeds, and that of
// its current; of a joint without a motor the effort and velocity of the robot file bound a rectangle. The dashed line
// is the continuous torque, which the root mean square must stay below. Points outside are red, and counted in the
// title. A drive without limits has no diagram.
package loadsection
