// Package flexible is the dynamics of arms whose links bend: chains of rotary joints and slender links with small
// deflections, by W. J. Book's recursive Lagrangian method (Recursive Lagrangian Dynamics of Flexible Manipulator Arms,
// International Journal of Robotics Research 3, 1984). No other room needs it. Joints that bend, as those with
// harmonic drives do, are another subject.
//
// # Coordinates
//
// z holds the angle of each joint and behind it the amplitudes δ of its link's modes: q1 δ11 δ12 … q2 δ21 …. A point of
// link i, at h = [1 x y z] while it is straight, is
//
//	p = W_i·(h + Σ_k δ_ik·φ_ik)    W_i = W_{i−1}·E_{i−1}·A_i
//
// with A the placement by the joint, φ the displacement of a mode of unit amplitude and E the placement of the tip,
// of first order in δ. Homogeneous coordinates begin with the one, as Book has it.
//
// # Equations
//
//	J(z)·z̈ = R(z, ż) + F
//
// F is the torque of a joint, and zero for an amplitude. J and R follow from the integrals of each link over its mass (Integrals)
// by one pass to the tip and one back, Book's equations 62 to 90. Two variants are at hand:
//
//   - Exact keeps every product of two deflections that the field p has: J is the second derivative of the kinetic energy by ż,
//     and energy is kept.
//   - Printed leaves some out, as his equations 37, 72 and 73 do; it differs by the square of the deflections.
//
// His text has misprints, found by comparing both with a Lagrangian in velocities by quadrature: the factor of (35) and (38)
// is 2; the first moments of a mode are twice the top row of C_k (52); (39) has D_jf; (78), (80) and (81) lack marks.
//
// # Identification
//
// The equations are linear in the integrals and stiffnesses, without lengths and tips:
//
//	W(z, ż, z̈)·χ = F
//
// Work.Regressor gives W by D'Alembert's principle over the moments of h and φ, and shares no formula with the
// recursion: each is the other's test. Rows of amplitudes have a right-hand side of zero, so that they know χ up to a
// factor, which the rows of joints give. Arm.Base finds the base parameters: a planar arm of two slender links with a
// mode each determines 12 of 14.
//
// # Limits
//
// Deflections are small (0.2 rad at a tip; Arm.Beyond tells) and of first order: fast rotations do not stiffen a link,
// heavy loads do not buckle it. Neutral axes do not stretch. Joints are rotary, chains open.
//
// # Accuracy
//
// Simulate integrates by extrapolation of order 16. With its tolerance at 1e-13 the energy of two arms with deflections of some
// centimetres stays within 4e-13 of the largest kinetic one for five seconds.
//
// # Units
//
// m, kg, s, rad. Amplitudes have the unit that makes δ·φ a length, stiffnesses K that which makes ½·δ·K·δ an energy.
package flexible
