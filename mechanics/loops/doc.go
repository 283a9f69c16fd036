// Package loops is the mechanics of closed chains: it closes the loops of a
// mechanism, follows them along a motion of the driven joints, projects the
// torques of the tree on the drives, and computes forward dynamics with the
// forces at the cuts.
//
// # Closing
//
// A mechanism with loops is its tree with some joints cut, and a Closure keeps
// the two frames at every cut together. They must coincide in all twelve
// entries: the residual is the offset between their origins and the rotation
// vector between their axes, with the cut joint's variable as one more
// coordinate. Closing the diagonal or the skew part of the rotation alone finds
// false solutions. The residual is minimised by Levenberg and Marquardt's
// method, and a minimum that is not zero is refused with the frames that stay
// apart.
//
// # Motion at one state
//
// With J the residual's derivative and q̇ the rates of all coordinates,
//
//	J·q̇ = 0,  J·q̈ + J̇·q̇ = 0
//
// Plane loops in space, and loops such as Bennett's, have more equations than
// constraints: rank and null space come from the singular values of J, lengths
// in units of the largest offset, and q̈ by least squares. The null space,
// resolved along the driven joints, gives the Jacobian G = ∂q/∂q_a, and the
// torques at the drives are
//
//	τ_a = Gᵀ·τ_tree
//
// because the loops' forces do no work. A Walk samples one assembly of a
// mechanism that closes in several ways: it keeps away from singular states,
// where the assemblies meet.
//
// # Along a motion
//
// A Tracker does the same along a motion, some hundred times faster. It starts
// each sample from the one before, predicted by G and the error of the last
// prediction, and takes Newton steps on the chains between each cut and the
// link that carries both its sides. The dependent coordinates are eliminated by
// the rows of largest pivot; the remaining rows hold by geometry. Loops whose
// joints turn about one direction or slide across it are three equations in
// their plane, by the product of exponentials (Brockett 1984). Couplings of
// joints are linear equations among the loops'. The rates of G, with b(v) the
// accelerations of the mismatch at steady rates v, are
//
//	J·ġ = −½·(b(v + g) − b(v) − b(g))
//
// because b is a quadratic form and both v and g keep the loops closed.
//
// Most plane loops close without Newton steps. The axes of three revolute joints
// with unknown positions are a triangle of known sides, on the side of its base
// that the assembly has, and the rates of the three are its barycentric
// coordinates of the others' moment. With a slide to be found a circle meets a
// line, with two of them two lines meet. The formulas are put on a graph of package
// symbolic, loop after loop (a mechanism of Assur's second class is such a
// sequence), and run on blocks of samples; only the angle of a unit vector and
// its whole turns are left to each sample. Near flat triangles, after long steps,
// and where a position is not where G takes it from the sample before, Newton's
// method goes on, so that the assembly is the one that it would follow.
//
// # Forward dynamics
//
// ForwardDynamics goes from torques to accelerations and to the forces at the
// cuts. The mass matrix is taken along the free motions, so no joint needs a
// drive, and the mismatch of an integrator decays as a critically damped
// oscillator (Baumgarte 1972); Project removes it.
//
// # Conventions
//
// A state has one entry for each coordinate of the tree, in the order of package
// dynamics, and then one for each moving cut joint. Angles are in rad, lengths in
// m; mismatches and free motions are in rad and in parts of the largest offset
// between frames. Wrong lengths panic.
package loops
