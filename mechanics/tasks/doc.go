// Package tasks makes motions of a robot's joints out of tasks of its tip: points, straight lines, circles, with an
// orientation, a law of speed, and the limits of the joints.
//
// # A task
//
// A Task is a sequence of segments from rest to rest. The tip goes straight or on a circle, in proportion in cylindrical or
// spherical coordinates, or the joints go in proportion to a state that has the tip at a point. Plan finds the Motion of the
// joints; Open reads a task from a YAML file.
//
// # One solver
//
// The seven adjustment blocks of Vukobratović and Potkonjak (Dynamics of Manipulation Robots, 1985, section 3.4) pair a
// position with none, a part or all of an orientation and with joints that the task moves by itself. Here each is some rows of
// one system. With s the part of the path that is passed, x the demands and q the joints,
//
//	x(q) = x(s)
//	J·q' = x'
//	J·q″ = x″ − J'·q'
//
// where the source integrates the last (3.1.6) and drifts, the first is solved at every time by Newton's method, from places
// along the path that are so near to each other that no branch is missed. A profile s(t) makes the motion of it:
//
//	dq = q'·ds/dt,   ddq = q″·(ds/dt)² + q'·d²s/dt²
//
// so the geometry of a path does not depend on its times, and the tip is where the task asks for it to 1e-11 of the reach.
//
// A task must have as many demands as the robot has joints, or more that agree. Too few are a *FreeJointsError. The
// singular values of J, lengths in units of the robot's reach, are searched along the path, between the places too: below
// DefaultLeastSingular the joints would be a thousand times as fast as the tip, a *SingularError with the joints that
// move without it.
//
// # Speed
//
// Profiles are triangular, trapezoidal, parabolic and quintic, from rest to rest. Several lines and arcs are passed without
// rest between them where their directions agree, or where an arc is blended into the corner; any other corner would ask for
// acceleration without bound, a *CornerError.
//
// A profile played at a rate has velocities in proportion to it, accelerations to its square, and torques of
//
//	τ(rate) = gravity + rate²·(τ(1) − gravity)
//
// (Hollerbach 1984), with friction Fo + Fs·sign beside gravity and Fv·dq in proportion. The least time of a profile is therefore a
// maximum over its moments of the roots of one quadratic for each joint, searched on a grid and refined by golden section. A
// trapezoid without a speed speeds up for a third of its time, or for the part of it that makes its time least where it must hurry. A
// task's time below the least is a *TimeError that says it.
//
// OptimalVelocity finds instead of a profile the law of the least cost, of energy for instance, within limits, by dynamic
// programming over a grid of time.
//
// # Forces
//
// A segment may have a force of the surroundings on the tip. Motion.Push has the torques that drives need against it, −Jᵀ·F.
//
// # Units
//
// m, rad, s, N. Points and directions are in the base's frame. Wrong lengths panic.
package tasks
