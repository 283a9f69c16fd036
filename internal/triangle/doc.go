// Package triangle reduces tall blocks of rows onto an upper triangular
// factor by Householder QR.
//
// A linear model y = W·x + e with m rows and n columns, m in the tens of
// millions and n in the tens, is not kept: it is summarised. If W = Q·R with
// orthonormal Q, then R (n×n), Z = Qᵀy (n numbers) and the residual sum of
// squares hold all that least squares, its covariance and its tests need:
//
//	RᵀR = WᵀW      RᵀZ = Wᵀy      ‖y‖² = ‖Z‖² + RSS
//	min ‖W·x − y‖² = RSS, attained where R·x = Z
//
// WᵀW and Wᵀy hold the same numbers, at the price of squaring the condition
// number. The factor is the accurate way to keep them: it is the exact summary of
// rows that differ from the given ones by a few units of rounding, column by
// column.
//
// # Adding and merging
//
// New rows are reduced on top of the factor: Householder QR of the stack
// [R; W] leaves the factor of all rows seen so far. Two factors merge in the
// same way, with the second triangle as the new rows, so that summaries of
// parts combine into the summary of the whole, in any grouping (Demmel,
// Grigori, Hoemmen and Langou, 2012, call this TSQR). Sums over rows are
// reassociated by that, so results of different groupings agree to rounding
// and not to the bit; the same calls in the same order give the same bits on
// one machine, wherever the memory lies.
//
// # Method
//
// The rows are taken in blocks that stay in the first two caches. In the stack
// [R; B] the reflector of column j touches row j of R and the rows of B only:
// with α = R[j,j] ≥ 0, b the block's column and σ² = bᵀb,
//
//	β  = √(α² + σ²)
//	v₀ = α − β = −σ²/(α + β)
//	H  = I − v·vᵀ/(β·(β − α)),  v = (v₀; b)
//
// sends (α; b) to (β; 0). Written so, v₀ has no cancellation although β ≥ 0,
// and diagonals never become negative. On another column with R[j,k] = r and
// block column c:
//
//	w = v₀·r + bᵀc     r ← r + w/β     c ← c − w·(α + β)/(β·σ²)·b
//
// Four reflectors at a time are applied to four columns at a time. The tops of
// two reflectors lie in different rows, so with the products bᵢᵀbⱼ of the
// block parts the four w of a column follow from its four products bᵢᵀc by a
// short forward substitution, and the column is read and written once for the
// four: the compact WY form (Schreiber and Van Loan, 1989) of four columns.
//
// In a merge the new rows are triangular as well: column j of the second
// factor reaches down to row j only, and so does every reflector. The rows
// below are skipped, so that a merge costs a third of adding n full rows.
//
// The inner loops are in assembly for amd64 with AVX2 and FMA, and in Go
// everywhere else; the build tag purego keeps to Go.
//
// # Numerical limits
//
// A NaN or an infinity in column j leaves no finite number in column j of R, in
// rows j and below of R and Z, and in RSS; the columns before it stay as they
// are, and the other entries may become either. One in y takes Z, RSS and YY.
//
// Reflectors of columns whose norm is far from one rescale themselves by
// powers of two, so a column may be of any size between 1e-200 and 1e200, next
// to columns of any other. RSS and YY are plain sums of squares and hold for
// right-hand sides between 1e-150 and 1e150.
//
// Columns are neither scaled nor pivoted here: rank is left to the reader of the
// factor.
//
// # Sources
//
// G. H. Golub and C. F. Van Loan, Matrix Computations, 4th ed., 2013: §5.1
// (Householder reflectors, and the form of v₀ without cancellation), §5.3 (least
// squares by QR), §6.5 (updating a factorization).
//
// R. Schreiber and C. Van Loan, A storage-efficient WY representation for
// products of Householder transformations, SIAM J. Sci. Stat. Comput. 10, 1989.
//
// J. Demmel, L. Grigori, M. Hoemmen and J. Langou, Communication-optimal
// parallel and sequential QR and LU factorizations, SIAM J. Sci. Comput. 34,
// 2012.
package triangle
