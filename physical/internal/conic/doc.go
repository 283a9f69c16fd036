// Package conic minimises a least-squares sum with a prior over symmetric 4×4
// matrices and numbers in cones:
//
//	minimise ½‖R·(C·z + c₀)‖² + Σ w_b·D(z_b)   subject to X_b ⪰ εI, x_b ≥ 0, S·z + s₀ in cones
//
// z consists of blocks: matrices X_b (Semidefinite), numbers x_b that are not
// negative (Nonnegative), and free numbers (Free). D is the log-determinant
// divergence tr X − 4 − log det X or a quadratic. The rows S·z + s₀ are nonnegative,
// or in fours in the second-order cone. The package knows nothing of robots.
//
// # Method
//
// A primal-dual interior-point method with Mehrotra's predictor and corrector and
// the scaling of Nesterov and Todd for every matrix and every second-order cone. A
// matrix is a vector of ten (Sym4). The term −w·log det X has a dual variable of its
// own, whose product with X ends at w where those of the constraints end at zero.
//
// With B the Hessian of prior and barrier, block diagonal and ten by ten for each
// matrix, and H that of the constraints, a step is one system of the size of the
// rows,
//
//	M·y = …,   M = diag((RᵀR)⁻¹, H⁻¹) + (C;S)·B⁻¹·(C;S)ᵀ
//
// for the multipliers y of the rows. It never forms CᵀRᵀRC, in which directions that
// no row of C determines drown in rounding.
//
// Any multipliers and duals bound the minimum from below, block by block in closed
// form: the duality gap that Minimise returns is a bound whatever the rounding of
// the iterates.
//
// # Sources
//
// M. S. Andersen, J. Dahl, Z. Liu and L. Vandenberghe, Interior-point methods for
// large-scale cone programming, Optimization for Machine Learning, 2012.
// S. Mehrotra, On the implementation of a primal-dual interior point method,
// SIAM Journal on Optimization 2, 1992.
// Y. E. Nesterov and A. Nemirovskii, Interior-point polynomial algorithms in convex
// programming, 1994.
// Y. E. Nesterov and M. J. Todd, Self-scaled barriers and interior-point methods
// for convex programming, Mathematics of Operations Research 22, 1997.
package conic
