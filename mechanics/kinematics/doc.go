// Package kinematics is the numeric geometry and kinematics of a robot: frames of the
// links, twists and accelerations of points, Jacobians and their rates, singular
// directions, and inverse geometric models. Trees and closed robots have the same
// methods; parameters of bodies play no part.
//
// # Points, frames, axes
//
// A Point is fixed to a link and has coordinates in that link's frame; link -1 is the
// base. A Twist is a linear part, of that point, and an angular one, both with components
// along the axes of the base. Jacobian.Moved takes the linear part to another point of the
// same body, Jacobian.Along changes the axes (Khalil and Dombre 2002, section 5.2).
//
// # Identities
//
// With x the point, V its twist, q the robot's coordinates:
//
//	V  = J(q)·dq
//	V' = J(q)·ddq + J'(q,dq)·dq
//	J  = ∂x/∂q and its like for the orientation
//	ddq = 0 in Acceleration gives J'·dq
//
// Each is a test. A closed robot has the same with q the driven joints, from the
// Jacobian G of the tree's coordinates by the driven ones (package loops):
//
//	J_closed = J_tree·G,   J'_closed = J'_tree·G + J_tree·G'
//
// SamplePose does the part of it that searches over stored motions need, for trees: frames, velocities of points and their
// gradients by positions and rates.
//
// # Inverse models
//
// Solve finds the joint positions of a pose. Six-joint arms are solved completely:
//
//   - with three axes that meet in one point (a wrist), by the position of that point and
//     then the orientation (Pieper 1968);
//   - otherwise by the problem of degree sixteen (Raghavan and Roth 1993) as an eigenvalue
//     problem (Manocha and Canny 1994).
//
// Both reduce to polynomials by the same observation: position p, the axis l, and
//
//	1, p·p, p·l, p×l, (p·p)·l − 2·(p·l)·p
//
// transform linearly under a rigid motion, so each is linear in the cosine and sine of
// every joint on the way. The coefficients are interpolated at three angles a joint, which
// is exact and needs no formula a robot. Every solution is then polished by Newton's method on the pose itself
// and reported with its residual; none is reported that does not reach it.
//
// Any other robot, and poses of which only some components are asked (a Mask), are solved
// by damped least squares from many starts (Levenberg 1944, Marquardt 1963), which may
// miss solutions: Solutions.Complete tells the two apart.
//
// Closed.Solve does the same for a robot with loops. The joints from the base to the
// goal's link, passive ones among them, are an arm: its states come from the methods above where
// there are six of them, and the loops are closed by the other joints from several starts. Any other closed robot is
// searched in its driven joints, with J_closed, from states along a walk of its assembly. Each
// solution reports whether a straight motion of the drives reaches it from that assembly.
//
// # Units
//
// m and rad. Lengths and angles meet in a residual, a singular value and a distance of
// states: there lengths are in units of Tree.Reach, the largest distance from the base that the
// joints' offsets allow.
//
// Wrong lengths panic.
package kinematics
