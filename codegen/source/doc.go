// Package source prints programs of package symbolic as source text: C99, C for batches of samples, Go,
// Python with NumPy, MATLAB and Octave, Fortran, Julia, and a listing in the
// form of the symbolic packages of the robot literature.
//
// # Modules
//
// A Unit is a name and some programs, and becomes a module with one function a
// program. Inputs of one group are one vector argument (q, dq, K), the geometry's
// symbols and inputs without a group are scalar arguments, and every output
// is an argument or a result of its shape, matrices row by row where a language
// has no matrices. Structural zeros are stored too, so a caller never clears
// anything.
//
//	C        void NAME_model(const double q[7], …, double tau[7]); and a header
//	c-batch  void NAME_batch_model(size_t n, const double *const q[7], …, double *const tau[7]); with a
//	         header, a CMake file and a module of Python around the kernels
//	Go       func Model(q *[7]float64, …, tau *[7]float64), in package NAME
//	Python   def model(q, …): any number of leading axes, the last is the joints'
//	MATLAB   function tau = NAME_model(q, …), one file a function
//	Fortran  pure subroutine model(q, …, tau), in module NAME
//	Julia    model!(tau, q, …) and model(q, …), in module NAME
//	listing  one assignment a line, as text
//
// The functions are pure: they keep nothing, allocate nothing (where the language
// leaves the choice) and read no value after the first output is written, so an
// output may lie where an input did.
//
// # Expressions
//
// A value that is used once, has no name and is short is written where it is
// used. Parentheses keep every operation as the program has it: all languages add
// and multiply the same numbers in the same order, and results differ by the
// sines of their libraries, or by fused operations where a compiler is told to
// use them.
//
// # Batches
//
// The batch kernel carries eight samples through each operation by the vector types of GCC and Clang. Every
// input that changes with the sample and every entry of an output is an array of its own, so that loads and
// stores are whole vectors. A last block that is not full begins earlier and repeats samples. Sines have the
// polynomials of package symbolic, and those of the library in blocks with an angle beyond 10⁵ rad.
//
// # Names
//
// Names that come from the user, those of the unit and of scalar arguments, must
// be identifiers and no keyword of the language: otherwise a *NameError names it.
// Everything else is named by this package, which steps aside.
package source
