// Package recursion writes the mechanics of a tree of links into a
// symbolic.Graph: motions of the links, screws of the joints, momenta, wrenches,
// energies and their derivatives, as nodes. It knows robots and graphs, not
// columns or languages: package regressor makes its fast path of it, and package
// codegen its programs.
//
// # Customization
//
// A frame is reached from its antecedent's by elementary steps,
//
//	O' = O + p,  Rot(z,γ)·Rot(x,α),  Rot(z,θ + q),  O = O' + r·z
//
// and a vector goes through them one after the other: a right angle costs
// nothing, any other 4 multiplications and 2 additions, where a full matrix
// costs 9 and 6. Every rotation has this form; the six parameters of Khalil and
// Kleinfinger are used where the robot has them, with their symbols on request.
// The distance r along the axis is taken where it saves most: beyond the
// rotation, where the moment of a force along z is two products, or before.
// Zeros and common subexpressions are the graph's business.
//
// # Quantities
//
// All are in the frame of the link, at its origin. With ω and V the velocities,
// U = [ω̇]ₓ + [ω]ₓ² and V̇ the acceleration less gravity, the wrench that a unit of
// each parameter needs, and the generalized force along a screw (a, v), are
// those of package regressor. A second pair of vectors (δω, δV) = ∂(ω, V)/∂q for
// each coordinate is carried outward like a screw; it starts as
//
//	revolute   δω = ω × z,  δV = V × z
//	prismatic  δω = 0,      δV = ω × z
//
// which is far less than the sums over pairs of joints that the literature
// prints, and gives the partial derivatives of the kinetic energy as the
// bilinear form of (δω, δV) and (ω, V), that of the momenta being the form of
// (a, v) and (ω, V).
//
// The inertia matrix is by composite bodies (Walker and Orin 1982), inverse
// dynamics by Newton and Euler's equations (Luh, Walker and Paul 1980; Khalil and
// Kleinfinger 1987) with the inertia's part of the moment taken from the entries
// of U, 15 products for the five parameters that a revolute link keeps.
// Coriolis and centrifugal coefficients follow from the composite momenta: with
// × the product of two screws and H·S the momentum of the composite body of the
// last of three joints i, j < k under S,
//
//	B(i;j,k) = (Sⱼ×Sₖ)·H·Sᵢ + (Sᵢ×Sⱼ)·H·Sₖ + (Sᵢ×Sₖ)·H·Sⱼ
//	C(i;j)   = (Sᵢ×Sⱼ)·H·Sⱼ
package recursion
