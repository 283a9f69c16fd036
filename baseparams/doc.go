// Package baseparams finds the base parameters of an identification model: the
// smallest set of combinations of standard parameters that determines the model,
// and no data can identify more.
//
// Every method returns a Set: which standard parameters are kept, which have
// no effect at all, and how the others are regrouped onto the kept ones. With
// W the regressor at enough states,
//
//	W[Zero] = 0,  W[Dependent] = W[Base]·Beta,  K = χ[Base] + Beta·χ[Dependent]
//
// and W·χ = W[Base]·K for every χ. The map (K, χ[Dependent], χ[Zero]) ⇄ χ is
// one to one: FromStandard and Lift are its two directions.
//
// The choice among the many minimal sets is fixed: the first independent
// columns in the order of the model, link 1 to link n. Two machines print the
// same set, with the names that the symbolic literature uses for serial robots
// (Gautier and Khalil 1990, Mayeda 1990).
//
// Three methods share no code beyond that and check each other; Compare lists
// their differences.
//
// # QR
//
// QR works on random states of the model (Gautier 1991) and applies to every
// model. It decides by a threshold; Gap is the margin of the decision.
//
// Robots with closed loops have QRLoops: the columns are those of Gᵀ·W_tree at
// states that keep the loops closed, with G = ∂q_tree/∂q_active, because the
// forces that close a loop do no work. Only driven joints have a rotor inertia
// and an offset. Loops that close in several ways may have several sets.
//
// # Null space
//
// NullSpace works on the structure of a tree and samples nothing (after
// Wensing, Niemeyer and Slotine 2024). Torques vanish in every motion if and
// only if the mass matrix and the gravity torques do. The entry of the mass
// matrix for joint j and a joint i that carries it is
//
//	Φⱼᵀ·I(φ)·V
//
// with Φⱼ the joint's screw, V the velocity that joint i gives to frame j, and
// I(φ) the composite inertia of the subtree at j, which is linear in its
// parameters φ. Gravity's torque has the same form with V the acceleration of
// the base against gravity. Now V depends on the joints up to j and φ on those
// beyond, and they move independently, so the products vanish when those of
// all V in a span with φ do. Two recursions outward then settle everything:
//
//	motions     Vⱼ = span of Φⱼ and of the motions of the antecedent, seen from
//	            every position of joint j: closed under the joint's generator
//	conditions  Zⱼ = functionals of φ that must vanish, from Vⱼ and Φⱼ; and
//	            Kⱼ = functionals that must not change with the joints beyond
//
// A functional k of Kᵢ is, on the parameters of link i and its children,
// k(φᵢ) + Σ k(λ(q)·φ_child), and stays constant if and only if each child's
// term does: its derivatives along the joint's generator join the child's Z,
// and its value at q = 0 the child's K. Both close after a few derivatives
// because a turn only knows the frequencies 0, 1 and 2, and a slide the powers
// up to q². The functionals of Z, extended over the links carried, are all the
// rows that a regressor can have. A rotor inertia is one more velocity of its
// joint, and an offset one more part of gravity, so both are tagged along.
//
// The only tolerance decides whether small vectors are parallel; see resolved.
//
// # Symbolic rules
//
// Symbolic applies the rules of Gautier, Khalil and Bennis to trees: the general
// rules of every joint, and the particular rules between the first two revolute
// joints r1 and r2 that are not parallel. Where the robot's file gives the
// geometry by symbols, so are the relations. The formulas:
//
//	revolute   XX ← XX - YY; onto the antecedent: YY as the inertia I - a·aᵀ,
//	           MZ as the moment a and M as the mass, both at the origin
//	prismatic  the inertia matrix, rotated, onto the antecedent's
//	fixed      all ten onto the antecedent
//	before r1  MX, MY, MZ of a prismatic link have no effect
//	r1 … r2    of a revolute link only ZZ, MX and MY remain, and of those ZZ where
//	           nothing moves its axis sideways or tilts it against gravity;
//	           of a prismatic link the part of MS along r1 has no effect, and
//	           where it slides along r1, MX and MY go onto the antecedent's
//	           moments and the ZZ of the revolute link before
//	rotors     Ia onto ZZ of r1, of r2 if perpendicular to r1, and onto M of a
//	           prismatic first joint that is perpendicular to gravity
//
// They never drop a parameter that torques depend on. They are incomplete without
// gravity, and with rotor inertias where joints slide before r2. Of a robot with
// closed loops they are those of its tree, and then
//
//	cuts       all ten parameters of one frame at a cut onto those of the other,
//	           of a ball joint M: with the rules of the frames' joints, three
//	           relations for a revolute and six for a prismatic one
//	parallel   the inertia matrix, rotated, onto that of a link that stays
//	           parallel whenever the loops are closed; all ten where their
//	           origins move alike too
//
// which are incomplete where the lengths of the bars or a single degree of freedom
// make parameters act alike.
//
// # The experiment
//
// The identifiable parameters depend on the measured channels and on the joints
// that move. NullSpaceWith and QRWith find the set where wrenches are measured
// besides the torques, and Effects lists the changes that such a sensor, gravity
// along another axis, or a locked joint would make. NullSpaceFloating and
// QRFloating find the set of a robot whose base moves freely, and is a body with
// parameters XX0 to M0 itself.
//
// # Files
//
// WriteRegp writes the listings of SYMORO+; WriteBasePar writes the robot with base
// parameters instead of the standard ones. WriteLaTeX and WriteCSV make tables.
//
// # Sources
//
// M. Gautier and W. Khalil, Direct calculation of minimum set of inertial
// parameters of serial robots, IEEE Trans. Robotics and Automation 6, 1990.
//
// W. Khalil and F. Bennis, Comments on "Direct calculation of minimum set of
// inertial parameters of serial robots", IEEE Trans. Robotics and Automation
// 10, 1994; Symbolic calculation of the base inertial parameters of
// closed-loop robots, Int. J. Robotics Research 14, 1995.
//
// M. Gautier, Numerical calculation of the base inertial parameters of robots,
// J. Robotic Systems 8, 1991.
//
// P. M. Wensing, G. Niemeyer and J.-J. E. Slotine, A geometric characterization
// of observability in inertial parameter identification, Int. J. Robotics
// Research 43, 2024.
package baseparams
