// Package plant moves a robot by the torques of its drives: forward dynamics with
// friction that sticks, integrated with error control, and the control laws of
// package servo closed around it.
//
// # Equations
//
// With M the inertia matrix, h the torques of Coriolis, centrifugal and gravity
// forces, and τ those of the drives, the coordinates of the tree obey
//
//	M(q)·ddq + h(q, dq) + Fo + Fv·dq + f = τ
//	f = s·(Fs + Fst·exp(−(dq/v)²))   of a joint that slides, s = sign dq
//	|f| ≤ Fs + Fst                   of a joint at rest
//
// with the friction and the offsets of the robot's description, and, if wanted,
// Stribeck's part Fst with its speed v, by which friction at rest exceeds that of
// motion. A joint that mimics another moves with it, and its friction acts on that
// one through the ratio.
//
// Friction by load adds Fl·|τ| to both, of the drive's torque τ; and with Warming the parts fall with the heat of their own power.
//
// # Loops
//
// A robot with closed loops moves in the coordinates of its driven joints: with G the Jacobian of the tree's coordinates by them,
// and b the tree's accelerations at steady rates,
//
//	M = Gᵀ·M_tree·G,   h = Gᵀ·(h_tree + M_tree·b)
//
// so loops are closed in every state to 1e-13 and nothing is stabilised; package loops has the same accelerations with constraint
// forces, and the test compares them. Where the driven joints come to a dead point, the error is a *LoopError.
//
// Passive joints have viscous and Coulomb friction. One that slides pulls the driven joints by −G_jᵀ·Fs·s; one that sticks takes a degree of
// freedom from the mechanism, and its friction is the force of that constraint. Which joints stick, driven and passive ones together, is a linear
// complementarity problem with bounds (Murty 1974; Júdice and Pires 1992), solved where a joint comes to rest and at the ends of steps. More joints
// may be at rest than the mechanism has degrees of freedom; they share the load.
//
// # Rest
//
// The accelerations of joints at rest follow from Gauss's principle with friction
// (Moreau 1988): among all a they minimise
//
//	½·aᵀMa − aᵀ(τ − h − Fo − …) + Σ (Fs + Fst)·|aᵢ|   over the joints i at rest
//
// which is convex, so that one solution exists, whatever the number of joints at
// rest. A joint whose aᵢ is zero sticks: its position is constant to the last bit, for
// as long as the torque that holds it stays within the limit. The signs are found by
// feature-sign search (Lee, Battle, Raina and Ng 2006), which ends after finitely many
// steps because each lowers the sum.
//
// # Integration
//
// The pair of Dormand and Prince (1980) of orders 5 and 4, with the step chosen by
// the estimated error. Which joints stick and the signs of those that slide are
// constant within a step, so the right-hand side is smooth there; a step ends where
// a sliding joint comes to rest or a sticking one breaks loose, found by regula
// falsi (Illinois) on the step itself, not on an interpolation.
//
// # Control
//
// Follow samples the joints at the law's rate, asks the law for torques, limits them
// and holds each until the next takes its place, one delay later: between two of these
// times the drive's torque is constant, as an amplifier's set value is.
//
// # Units
//
// rad or m, N·m or N, s, K. Vectors have one entry for each coordinate of dynamics.Tree, of a robot with loops
// for each driven joint, in its order; wrong lengths panic.
package plant
