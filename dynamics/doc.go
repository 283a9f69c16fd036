// Package dynamics is the numeric mechanics of a tree of rigid links with
// revolute, prismatic and fixed joints: placements, inverse dynamics by the
// recursive Newton-Euler algorithm, the inertia matrix by composite bodies,
// forward dynamics by articulated bodies, and the two energies.
//
// # Closed loops
//
// A mechanism with loops is its tree with some joints cut, and Closure is what
// keeps the cuts together. Both frames at a cut must coincide in all twelve
// entries: the residual is the offset between their origins and the rotation
// vector between their axes, with the cut joint's variable as one more
// coordinate. Closing the diagonal or the skew part of the rotation alone finds
// false solutions. The residual is minimised by Levenberg and Marquardt's
// method, and a minimum that is not zero is refused with the frames that stay
// apart. With J the residual's derivative and q̇ the rates of all coordinates,
//
//	J·q̇ = 0,  J·q̈ + J̇·q̇ = 0
//
// Plane loops in space, and loops such as Bennett's, have more equations than
// constraints: rank and null space come from the singular values of J, lengths
// in units of the largest offset, and q̈ by least squares. The null space,
// resolved along the driven joints, gives G = ∂q/∂q_a, and the torques at the
// drives are
//
//	τ_a = Gᵀ·τ_tree
//
// because the loops' forces do no work. A Walk samples one way of closing among
// several: it keeps away from singular states, where the ways meet.
//
// A Tracker does the same along a motion, some hundred times faster. It starts
// each sample from the one before, with what G and the error of the last
// prediction give, and takes Newton steps on the chains between each cut and the
// link that carries both its sides. The dependent coordinates are eliminated by
// the rows of largest pivot, whatever rows are left over being true by geometry.
// Loops whose joints turn about one direction or slide across it are three
// equations in their plane, by the product of exponentials (Brockett 1984).
// Couplings of joints are linear equations among the loops'. The rates of G, with
// b(v) the accelerations of the mismatch at steady rates v, are
//
//	J·ġ = −½·(b(v + g) − b(v) − b(g))
//
// because b is a quadratic form and both v and g keep the loops closed.
//
// Along whole logs, Follow closes most plane loops without Newton steps. Where
// three revolute joints are left to be found their axes are a triangle with known
// sides, on the side of its base that the assembly says, and the rates of the
// three are its barycentric coordinates of the others' moment. The formulas are
// put on a graph of package symbolic, loop after loop (a mechanism of Assur's
// second class is such a sequence), and run on blocks of samples; the angle of a
// unit vector and its whole turns are all that is left to a sample. Near flat
// triangles, after long steps, and where a position is not where G takes it from
// the sample before, Newton's method goes on, so that the assembly is the one
// that it would follow.
//
// ForwardDynamics goes the other way, from torques to accelerations and to the
// forces at the cuts. The mass matrix is taken along the free motions, so no
// joint needs a drive, and the mismatch that an integrator leaves decays as a
// critically damped oscillator (Baumgarte 1972); Settle removes it.
//
// The parameters are numbers here, taken from the robot; the same mechanics
// with the parameters as unknowns is package regressor, which shares no code
// with this one, so that each checks the other.
//
// # Identities
//
// With M the inertia matrix, T and U the energies, ID and FD inverse and
// forward dynamics:
//
//	T(q, dq)           = ½·dqᵀ·M(q)·dq
//	ID(q, 0, 0)        = ∂U/∂q
//	ID(q, dq, ddq)     = M(q)·ddq + ID(q, dq, 0)
//	FD(q, dq, ID(q, dq, ddq)) = ddq
//	dqᵀ·ID(q, dq, ddq) = d/dt (T + U)
//
// Every one of them is a test.
//
// # Conventions
//
// Frames follow Khalil and Kleinfinger: z of frame j is the axis of joint j.
// Joint vectors have one entry for each independent moving joint, in link
// order; a joint that mimics another follows it and adds its torque to it.
// Gravity acts through the acceleration -g of the base. Units are SI.
// Wrong lengths panic; a robot that cannot be computed with is an error of
// New.
package dynamics
