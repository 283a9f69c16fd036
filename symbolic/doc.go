// Package symbolic computes exactly with the expressions that a robot's
// geometry is made of: polynomials with rational coefficients in named lengths
// and angles, and in sines, cosines and square roots of such expressions.
//
// # Canonical form
//
// An Expr is a sum of terms, each a rational coefficient times powers of atoms.
// An atom is a symbol (D3, Pi) or a function of an expression (cos(A2),
// sqrt(2)), and two expressions are equal when their terms are. Written so,
// sums and products are decided without a tolerance, given that
//
//   - sin² becomes 1 - cos², and √x² becomes x;
//   - in an angle, multiples of π/2 are taken out and the sign of the first
//     term is made positive, so cos(π/2 - A) is sin(A);
//   - sines and cosines of multiples of π/12 are written in √2 and √3;
//   - √n of an integer is taken apart into square roots of primes.
//
// A power may be negative. The inverse of a sum stays as it is, an atom of its
// own: this is not a field of fractions. Relations between different atoms,
// such as that of cos(π/5) and cos(2π/5), are not known either; whoever must
// decide whether such an expression vanishes evaluates it.
//
// # Text
//
// String writes "D3²·(…)" in the way of robot papers and Parse reads it back;
// LaTeX writes the same for a paper.
package symbolic
