// Package dynamics is the numeric mechanics of a tree of rigid links with
// revolute, prismatic and fixed joints: placements, inverse dynamics by the
// recursive Newton-Euler algorithm, the inertia matrix by composite bodies,
// forward dynamics by articulated bodies, and the two energies. Mechanisms with
// closed loops are package loops, which works on the tree of a Tree.
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
