// Package symbolic computes with formulas, in two forms. An Expr is exact and
// canonical: polynomials with rational coefficients in named lengths and angles,
// and in sines, cosines and square roots of such expressions, as in the geometry
// of a robot. Relations between parameters are written in it, and it decides
// whether a coefficient vanishes. A Graph holds a whole model, some hundred
// thousand operations if need be, with every value once; it becomes a Program,
// the fewest operations that give the outputs, which is printed as source text in
// some language or run on blocks of samples.
//
// # Graph
//
// Nodes are hash-consed: to ask for an operation again is to get the same
// node, so common subexpressions are shared from the start. Constructors
// simplify at once: 0 and 1 propagate, constants fold (exactly, as an Expr, as
// long as their form is short: a robot's lengths are decimals and its angles
// multiples of π), operands of sums and products have one order, constant
// factors of a product join, x + x is 2x and (x + y) - y is x. The negative of a
// node is free. Right angles are taken out of sines and cosines, the sums in
// them have one order, and
//
//	cos(x)·cos(y) - sin(x)·sin(y) = cos(x + y)
//
// and its three like, with x = y too and with common factors, are applied where
// the left side appears, which it does where axes are parallel: c12 and s12 of
// the robot literature. Products are not multiplied out: the builder of the graph
// chooses the recursion, and with it the number of operations.
//
// # Program
//
// Graph.Program keeps the nodes that the outputs need (dead code never arrives),
// decides which sign of a value to store so that signs vanish in subtractions,
// and lists constants, inputs, instructions in single assignment, and outputs
// with their structural zeros. Counts counts operations, Eval runs a program on
// one state, and Bind bakes values in and simplifies again. A Program is a plain
// value: emitters of source text need nothing else.
//
// # Machine
//
// Compile turns a program into one that runs on blocks of Lanes samples. An accumulator takes up sums of products, so that
// a value used once is hardly ever stored, and outputs are computed column by column, each preceded by the operands that
// are still missing, which keeps few values alive. Values are slices of Lanes samples in slots, which are reused as soon as
// their last reader has run; the program is a tape of steps on them, and one jump a step and block is all that its
// interpretation costs. The steps are in assembly for AVX2 and in Go, with the same bits; the processor decides, and the build
// tag purego leaves the latter.
//
// # Canonical form of an Expr
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
// own: this is not a field of fractions. Relations between different atoms, such
// as that of cos(π/5) and cos(2π/5), are not known either; evaluation decides
// whether such an expression vanishes.
//
// # Text
//
// String writes "D3²·(…)" in the way of robot papers and Parse reads it back;
// LaTeX writes the same for a paper.
//
// # Sources
//
// A. V. Aho, M. S. Lam, R. Sethi and J. D. Ullman, Compilers, 2nd ed. 2006,
// chapters 6.1 and 8: value numbering, liveness and the allocation of storage. W.
// Khalil and J.-F. Kleinfinger, Minimum operations and minimum parameters of the
// dynamic models of tree structure robots, IEEE J. Robotics and Automation 3,
// 1987: the savings of customized programs.
package symbolic
