// Package judge says how much of what a fit leaves a true cause must remove, and whether what it leaves follows the state of the
// robot or the time.
//
// A list of causes always has a best one, also if the true cause is not in the list. The evidence of the best one relative to no
// cause therefore proves nothing. Package judge gives it a reference that no list is needed for: two floors, taken at the worst
// joint.
//
// # Rows left out
//
// A fit leaves out each fold of its rows in turn. A Joint holds, for every fold, the residuals of all rows by the coefficients that
// were fitted without that fold; those of the fold's own rows are left out. A row that the other folds hardly determine has a large
// leverage h, and its residual says little: sums of squares S weight it by 1/(1 + c·h), with c the number of rows for each
// independent one.
//
// # The floor by differences
//
// Behind a low-pass of f_c, noise has lost its correlation after 0.8/f_c, the first zero of the autocorrelation. Half the mean
// square of the differences of a residual at that lag is then the variance of its noise, and anything slower hardly adds to it:
// F. It is an upper bound if the rest of a residual is fast, and is never above S.
//
// # The flexible model
//
// R is the least squared error left out that a model without any knowledge of causes leaves. It predicts the residuals of each fold
// from those of the others by ridge regression with kernels (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006,
// section 2.2): of the state, of the joint's own columns of the fit, free of other joints', and of time.
//
// With M = (K + λ·1)⁻¹ of all rows and ρ the residuals of all rows by the coefficients without fold I, the residual that is left of
// its rows is
//
//	r = (M_II)⁻¹·(M·ρ)_I
//
// so that one factor serves all folds.
//
// # Verdict
//
// With x⁰ = ln(S⁰/F) of the fit alone and x¹ = ln(S¹/F) of that with a cause, a cause is attested if
//
//   - the worst joint has something to explain, and the cause removes half of it;
//   - no joint is left far above its floor;
//   - over the joints that a flexible model can halve, the cause removes most of what the flexible model removes;
//   - at each joint of which the flexible model removes more than of sound logs, the cause removes half of that. Joints of few independent
//     rows, and of errors of the size of what models of robots leave, do not count.
//
// Each fails by itself: the first two pass a wrong cause that takes the slow part of a residual, the others learn nothing from a short
// log. They fail on different logs.
//
// # Class
//
// What kernels of the state remove is static: robot file, zeros, scales, couplings, friction law. What kernels of time remove
// happened in time: load, contact, drift, clock. Where the state does not come back, a function of state cannot be told from one
// of time, and the class is unclear.
package judge
