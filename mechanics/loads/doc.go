// Package loads computes the demands of a motion on a machine: torques and power of the
// drives, forces and moments in joints and on the base, energy, motors, and stress and
// deflection of links. A robot is its bodies and drives here, from an identification or a
// drawing, and a motion its samples.
//
// # Wrenches
//
// Newton and Euler's recursion gives each joint's wrench W_j, force and moment about the
// origin of frame j that link j receives from its antecedent. Along z it is the drive's,
// torque of a turning joint and force of a sliding one; the rest is the bearing's, split
// into axial and radial force and tilting moment. The base receives −ΣW over the joints on
// it, and a payload gripped at p
//
//	F = m(p̈ − g),  M = about p, by the equations of the body alone
//
// The torques of a motion fix only the base parameters. Wrenches depend on the others too: on
// those of the robot file that a fit leaves as they are.
//
// # Energy and motors
//
// With τ the drives' torques, rotors and friction included,
//
//	∫Σ τ·dq dt = Δ(T + U) + friction's work
//
// is the balance; its residual for bodies and rotors alone is the error of the trapezoidal rule. A
// drive that cannot give energy back loses its negative power as heat. A motor of gear ratio N and
// efficiency η turns with n = N·dq and gives
//
//	τ_m = τ/(Nη) + J·N·ddq     where it drives, τ/(N(2 − η)) where the load drives it, as in package drives
//
// which must stay below its line M(1 − n/n₀) and its current's limit; its root mean square must stay
// below the continuous torque. Motors are chosen from the last joint to the first, since
// each rides on the link before its joint.
//
// # Criteria
//
// Combined is one figure of two efficiencies, as of the time and the energy of a task, between the smaller and the larger of them by how
// much both are needed.
//
// # Beams
//
// A link with a section is a straight beam of Euler and Bernoulli with the loads of the
// links that it carries at its end, and 3/8 of its own weight. Stress is that of bending, tension
// and torsion at both ends; the tip's deflection is the sum of all beams' displacements and turns.
// Natural frequencies are those with locked joints. Deflections beyond a twentieth of a link's length are
// outside this theory. Beside the quasi-static deflection c stands that of an undamped vibration at the lowest frequency, D·ü + u = c.
//
// # Sections
//
// Sections searches the lightest tubes of links with which a motion keeps the limits of stress, drives and deflection, by the loads of each choice.
//
// # Entries of a robot file
//
//	joint: {motor: {name: M1, stall_torque: 2.4, no_load_speed: 3600*Pi/30, peak_torque: 2, continuous_torque: 0.7,
//	               rotor_inertia: 2e-5, mass: 1.1, ratio: 100, efficiency: 0.8}}
//	section: {tube: {outer: 0.02, inner: 0.015}, material: AlMg3, to: [0.4, 0, 0]}
//	section: {rectangular_tube: {x: 0.06, y: 0.03, wall: 0.002}, young: 2.1e11, poisson: 0.3, tension: 2e8, edge: [0, 0, 1]}
//
// in SI units, of the motor's shaft. A section's beam runs from the origin of the link's frame to the
// farthest joint that the link carries unless from and to say otherwise.
//
// # Sources
//
// M. Vukobratović and V. Potkonjak, Applied Dynamics and CAD of Manipulation Robots, 1985, sections 3.5
// (loads, motors), 4.2, 4.5 and 4.6 (beams) and 5.4 (sizing). J. W. S. Rayleigh, The Theory of Sound, 1877.
// R. Bredt, Kritische Bemerkungen zur Drehungselastizität, 1896.
package loads
