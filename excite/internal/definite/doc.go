// Package definite inverts symmetric positive definite matrices of some tens of rows, again and again in the same memory.
//
// Criteria that are sums over all eigenvalues, as Σ 1/λ and Σ ln λ, do not need the eigenvalues: they are traces and
// determinants, and their derivatives by the matrix are A⁻² and A⁻¹. With A = L·Lᵀ of Cholesky and X = L⁻¹, the inverse is
// Xᵀ·X, its trace Σ X² and the determinant Π L². Together they are n³ multiplications, a tenth of those of a decomposition
// with eigenvectors, and none waits for a division but the n of the diagonal. All work is sums of multiples of rows, which stay
// in vector registers from the first row to the last (internal/lanes), with the same bits on every processor.
//
// L and X have no other pivots than the diagonal, so that the relative error of the inverse is some n roundings times the
// condition number of A (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 10.1): the product of both
// traces, which bounds that number, tells a caller where to take another way.
package definite
