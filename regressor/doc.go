// Package regressor builds identification models: for a robot and a list of
// terms, the matrix Y of a sample with
//
//	τ = Y(q, dq, ddq)·χ
//
// where τ are the joint torques and χ the standard parameters, one a column.
// It is the library's only source of rows: estimators, base parameters,
// excitation criteria and code emitters all evaluate a Model.
//
// # The model
//
// Link j contributes the wrench that a unit of each of its ten parameters
// needs, at the origin of frame j and in its axes (Gautier and Khalil 1990;
// Khalil and Dombre 2002, chapter 12):
//
//	XX … ZZ  moment  K(ω̇) + [ω]ₓ·K(ω),  K(w)·(XX XY XZ YY YZ ZZ)ᵀ = J·w
//	MX … MZ  force   U = [ω̇]ₓ + [ω]ₓ²,  moment -[V̇]ₓ
//	M        force   V̇
//
// V̇ is the acceleration of the origin less gravity. The entry of joint k is
// the power of that wrench under a unit rate of joint k alone: with (a, v) the
// angular velocity of link j and the velocity of its origin under that unit
// rate, a·moment + v·force. Carrying the joints' screws outward with the
// motion costs less than carrying ten wrenches inward, and leaves no backward
// pass.
//
// Drives add, in the row of their joint, rotor inertia (ddq), viscous friction
// (dq), Coulomb friction (sign dq) and an offset (1). A drive that several
// joints share (robot.Drive) has the rate s = Σ wₖ·dqₖ; its columns appear in
// the row of each joint k, times wₖ.
//
// # Derivatives
//
// Pullback is the adjoint of the recursion: for a weight on every entry of Y it
// gives the derivative of the weighted sum by q, dq and ddq in one sweep outward
// and one inward. Whatever is a function of the entries, a criterion of the
// regressor or a torque, has its gradient by the chain rule through it.
//
// # Identities
//
// Y·χ equals the recursive Newton-Euler torques of package dynamics, which
// shares no code with this one, for every tree of revolute, prismatic and
// fixed joints, and the columns of a drive do the work s·u.
//
// # Layout
//
// A Block holds one dense block a joint, column after column, and only the
// columns that can be non-zero there: the links that the joint carries and its
// own drive. Filters run along columns, and reductions skip the rest. A batch
// is evaluated Lanes samples at a time with every quantity a slice along the
// samples. Nothing is allocated per sample.
package regressor
