// Package singular computes as much of the singular value decomposition R = U·diag(s)·Vᵀ of a square matrix as least
// squares asks for: Of for a minimum and its covariance, Determined for a rank, Decompose for all of it.
//
// A triangular factor R and the right-hand side z of a least-squares problem (package triangle) answer most questions without
// singular vectors, whose accumulation takes two thirds of a decomposition:
//
//   - How many directions do the rows determine, and how much of z lies in the others? Values finds the singular values and
//     replaces z by Uᵀz. Householder's reflections make the matrix bidiagonal and pass through z, and so do the rotations of
//     the implicit QR iteration (Golub and Reinsch, Numerische Mathematik 14, 1970): a number each, where singular vectors
//     would take a column.
//
//   - Do they determine all? Inverse gives R⁻¹, and the norms of Frobenius bound the condition number from above:
//
//     s₁/sₙ = ‖R‖₂·‖R⁻¹‖₂ ≤ ‖R‖_F·‖R⁻¹‖_F
//
//     A bound far below the reciprocal of the tolerance proves the rank. Then R⁻¹·z solves R·x = z, and R⁻¹·R⁻ᵀ is the
//     inverse of RᵀR.
//
// # Sources
//
// G. H. Golub and C. F. Van Loan, Matrix Computations, 4th ed., 2013: §3.1 (triangular systems), §5.5 (rank), §8.6 (the
// decomposition).
package singular
