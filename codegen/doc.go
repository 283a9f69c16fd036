// Package codegen makes the models of a robot as symbolic programs: the fewest
// operations that give the outputs, customized to the robot's geometry, as the
// classic symbolic modelling packages do.
//
// # Models
//
// With q the coordinates (one for each moving joint that mimics no other), K
// the parameters and tau the joints' torques and forces, Build makes
//
//	inverse-dynamics    tau(q, dq, ddq, K), by Newton and Euler
//	forward-dynamics    ddq(q, dq, tau, K): A·ddq = tau - H by A = Lᵀ·D·L
//	inertia-matrix      A(q, K), by composite bodies
//	bias                H(q, dq, K) = tau(q, dq, 0, K)
//	lagrange            A, B, C, Q(q, K): tau = A·ddq + B·[dqⱼ·dqₖ]ⱼ﹤ₖ + C·[dqⱼ²] + Q
//	dynamic-regressor   D(q, dq, ddq): tau = D·K
//	energy-regressor    h, p(q, dq): ∫dqᵀ·tau dt = (Δh + ∫p dt)·K
//	power-regressor     P(q, dq, ddq) = dqᵀ·D
//	filtered-regressor  D1, D2(q, dq): tau = (d/dt D1 + D2)·K
//	filtered-step       one sample of W = F'·D1 + F·D2, with its filter's state
//	momentum-regressor  D1, D2(q, dq): ∫tau dt = (ΔD1 + ∫D2 dt)·K
//	observer-step       one sample of r = F'·p + F·(D2·K - tau), the external torques by a momentum observer
//	joint-wrenches      f, n(q, dq, ddq, K) that each link receives from its antecedent
//	base-wrench         f0, n0(q, dq, ddq, K) that the robot receives from the ground
//
// and, of a frame on a link (Frame), along the axes of another,
//
//	transform             T(q): rotation and origin
//	jacobian              J(q): (velocity, angular velocity) = J·dq
//	jacobian-determinant  det J, or det J·Jᵀ of a redundant arm
//	jacobian-inverse      J⁻¹(q)
//	velocities            v, w(q, dq) = J·dq
//	accelerations         a, dw(q, dq, ddq) = J·ddq + J'·dq
//	jdot-qdot             J'·dq
//
// Inputs are vectors q, dq, ddq, tau, K, the symbols of the geometry and gravity;
// each is described by its symbolic.Input. K are the standard parameters of the
// model's terms, or the base parameters of a baseparams.Set, in its order and
// with its names: inertial parameters that the set does not keep are zero in the
// recursion, and their operations are gone. Columns of a regressor are K's.
//
// Trees and closed robots of revolute, prismatic and fixed joints, mimic joints, shared drives, rotor inertia, friction
// (also of each direction), offsets and springs are covered. Friction that depends on a temperature, on heat, on the
// time since a cold start or on the last reversals has these as arguments (temp, heat, warm, slip), whose laws the head
// of a program states. Terms that have no symbolic form are refused. The recursions are those of package
// mechanics/recursion; its comment describes them and why they are short.
//
// and of a closed robot's loops
//
//	loop-solution    the tree's motion (q, dq, ddq of the driven joints) with G and the formulas' guards, or
//	                 q_next(q), a step of Newton's method, where the loops have no formulas
//	loop-constraints phi, W, psi(q, dq): W·dq = 0, W·ddq + psi = 0
//
// # From outside
//
// Options.External and Options.BaseMotion make arguments of wrenches w that links exert on their environment
// and of the base's motion: tau = D·K + Jᵀ·w, in the recursion as a wrench of the link and as the motion from
// which it sets out (Khalil and Creusot 1997, section 3.3). Energies and momenta of a moving base, and base parameters, which
// are those of a base that stands, are refused.
//
// # Jacobians
//
// The screws of joints before some frame on the way are carried outward to it, the others inward (Renaud
// 1980); every frame is tried, and the program of fewest operations is taken. A determinant or an inverse
// is found in the block triangular form of the pattern of zeros, over all frames and over the points where
// axes meet, where it does not change; an arm with a wrist falls into blocks of three rows and fewer (Khalil
// and Dombre 2002, eq. 2.45-2.50). Inverses of larger blocks are refused: they are longer than a numeric
// solution.
//
// # Closed robots
//
// Arguments and results of a closed robot are those of its driven joints: the tree's coordinates, rates and
// accelerations are the formulas of package loops on the same graph, with the sine and the cosine of an angle
// instead of the angle, and with G = ∂q/∂q_driven
//
//	tau = Gᵀ·tau_tree,  A = Gᵀ·A_tree·G,  D = Gᵀ·D_tree,  D1 = Gᵀ·D1_tree,  D2 = Gᵀ·D2_tree − Ġᵀ·D1_tree
//
// The formulas hold in one assembly of the loops, that of the robot's regressor. Their geometry is numeric.
//
// # Identities
//
//	D·K = tau,  A·ddq + H = tau,  d/dt(D1) + D2 = D,  dh/dt + p = dqᵀ·D
//
// and every program equals the numeric recursions of packages dynamics and
// regressor to 1e-12, with symbolic and numeric geometry. The numbers of
// operations are below those that the user's guide of SYMORO+ (Khalil and
// Creusot 1997) prints; docs/operation-counts.md has the table.
package codegen
