// Package sway designs motions of a robot that stands: its base sways, its feet stick, and its joint torques show the
// parameters of its bodies although nobody measures the contact forces.
//
// # The motion
//
// A [Stance] holds the robot, its feet and the pose in which it stands. The base goes along a [Path], and [Stance.Follow] moves
// the legs so that the feet roll without slip: J·u = 0 gives the rates of the joints, and the acceleration of a point that
// sticks, which feels gravity alone, gives their accelerations. Joints that carry no foot have waves of their own.
//
// With Problem.Lift a sway on all feet is followed by parts in which one foot is in the air: the base leans until the centre of mass is over
// the middle of the other feet, the foot gives its load to them, and rises and sinks along the normal of the ground.
//
// # The limits
//
// [Design] keeps the limits of positions, velocities, accelerations and efforts of the joints, the force on each foot above a
// part of the weight, and its tangential part within a cone of friction. Contact forces are not unique. It takes those of least
// norm (Sway.Forces): if these keep the limits, there are forces that do. A positive force on each foot is the same as a centre
// of pressure within the polygon of the feet.
//
// # The search
//
// Waves are drawn by a seed and made as large as the limits permit. The criterion is one of excite for the rows of the base
// parameters in which no contact force appears (regressor.Elimination), weighed as package identify/standing weighs them at
// first. The best draw is then changed, wave by wave, as long as the criterion falls.
package sway
