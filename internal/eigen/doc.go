// Package eigen computes eigenvalues and eigenvectors of symmetric matrices: [Scaled] those of small matrices of any scale, for the
// geometry of bodies, and [Symmetric] those of matrices of some tens of rows, again and again in the same memory.
//
// Of Symmetric, Householder's reflections make the matrix tridiagonal, by combinations of its rows alone, and the implicit QL iteration makes that diagonal
// (Dubrulle, Martin and Wilkinson, Numerische Mathematik 12, 1968). Eigenvectors are rows of memory, so that the rotations of
// a sweep run along them side by side: a rotation of columns, as in LAPACK's Dsteqr, walks down the matrix number by number
// and takes most of the time of the whole.
package eigen
