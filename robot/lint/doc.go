// Package lint judges the inertials of a robot file before any log is read.
//
// A body exists if and only if its pseudo-inertia is positive definite: its mass is
// positive, and the principal moments about the centre of mass are positive and satisfy
// the triangle inequality (Wensing, Kim and Slotine, IEEE RA-L 3(1), 2018). Where an
// inertial is impossible, or not plausible beside the robot's own lengths, Bodies tries
// the common slips, units, signs and points of reference, and names the one that
// explains it.
//
// Of a moment that the file leaves out the two others give an interval: with λ₁ ≤ λ₂
// the principal moments about the other axes, |λ₂ − λ₁| ≤ I ≤ λ₁ + λ₂. AdmissibleMoment
// is that interval.
//
// Parsers names the parts of a URDF that its parsers take differently.
package lint
