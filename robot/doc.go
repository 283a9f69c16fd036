// Package robot describes a robot: links, joints, frames, couplings,
// limits, drives and inertial parameters.
//
// # Frames
//
// Links carry frames in the notation of Khalil and Kleinfinger (1986): frame j
// is fixed to link j, z_j is the axis of joint j, and on the antecedent's frame
// it is placed by
//
//	Rot(z,γ)·Trans(z,b)·Rot(x,α)·Trans(x,d)·Rot(z,θ)·Trans(z,r)
//
// with the joint variable added to θ (revolute) or r (prismatic). In memory a
// placement is a Transform; the six parameters are kept only where the file
// gave them. Units are SI, angles are radians.
//
// A URDF joint becomes the same: the child's link frame, turned so that z lies
// on the joint's axis. Along ±x, ±y and ±z the turn is a permutation of axes
// whose entries are exactly 0 and ±1 (the frame's axes x_j, y_j, z_j are the
// link's y, z, x for an axis x; z, x, y for y; for a negative axis a half-turn
// about x_j follows); elsewhere it is the smallest rotation. Link.UserFrame
// places the link's own frame in frame j, and UserInertial takes parameters
// back there. A fixed joint lumps its body into its carrier, with a record
// in Robot.Lumped and a note.
//
// # Exactness
//
// Files print 1.5708 for π/2, and then no two axes are ever parallel. Angles of
// joints within 1e-5 rad of a multiple of π/12 are taken for it, offsets below
// 1e-12 m for zero, and each joint so changed has a note. ReadOptions.NoSnap
// turns this off. Sines and cosines of multiples of π/12 are exact.
//
// # Inertial parameters
//
// An Inertial holds XX XY XZ YY YZ ZZ MX MY MZ M about the origin of a frame
// (XY = -∫xy dm); for a link that is frame j. Link.Own is the body's own part,
// Link.Inertial includes the bodies lumped into it. Package lint judges them.
//
// # Files
//
// Package format opens robot files, and has a package for each format below it.
//
// # Errors
//
// Readers return *FileError, with file, line and the joint, link or key, or
// *UnsupportedError. Writers return errors that match ErrNotWritable where a
// format has no place for a part of the robot.
package robot
