// Package estimate finds the parameters of a model that is linear in them from
// any number of rows, and says how far they can be trusted.
//
//	y = W·x + e,    one row for each joint and sample
//
// # Reduction
//
// Rows are not kept. A Reduction holds, for each time block (TimeBlock) and
// each joint, the triangular factor of the rows [W y] over the columns that the
// joint can have (package internal/triangle):
//
//	RᵀR = WᵀW      RᵀZ = Wᵀy      ‖y‖² = ‖Z‖² + RSS
//
// Summaries append, so a log may be longer than memory, and files may be
// reduced apart. Merging is a tree over the blocks in their order, runs by halves and the blocks
// of a run by pairs: the same blocks in the same order give the same bits, on any number of cores,
// and so do blocks that were merged by pairs before.
//
// # Estimators
//
// Solve multiplies joint j's factor by a weight and stacks the joints. Under OLS
// every weight is one. Under WLS it is 1/σ_j with
//
//	σ_j² = RSS_j / (r_j − rank_j)
//
// of the joint's own r_j rows and the rank of its own columns, which knows
// nothing of the other joints (Gautier, IEEE ICRA 1997). Weights cost no second
// pass over the rows.
//
// Columns are scaled to unit norm and the factor's singular values decide rank
// and condition number. Rank deficiency is a *RankError, which
// lists the columns concerned, or, on demand, the smallest solution.
//
// An Estimator works on a Problem: a reduction, and a Source that reads its rows
// again for those that need it. A Source hands rows, batch after batch, to a
// Change, and reduces the changed rows; so further passes stream as the first
// one did. Three changes make three estimators: rows of a sample times the inverse
// root of the joints' covariance (Cross), rows through the inverse of each joint's
// autoregression (GLS), rows times the root of their weight (IRLS). The result
// is again weighted least squares with errors that are white and alike, and is
// judged as such. A robust estimate is judged from pseudo-values instead, whose least
// squares it is. Ridge and MAP add rows of their own below the stack, and judge the
// data's rows in the metric of both. TLS takes the singular vectors of [R z; 0 √RSS],
// Sequential and Recursive work on the factors as they come, Essential on fewer
// columns. Where rank or a variance is too small for an estimator, or an iteration
// does not converge, the error says so and can be matched.
//
// # Covariance
//
// Filtered residuals are not independent samples: white noise through a low-pass
// at 8 Hz, sampled at 100 Hz, tells as little as every seventh sample alone. A
// standard deviation computed as if they were would be too small by the square root of
// that. The correction comes from the time blocks.
//
// Let B be a root of the inverse, (RᵀR)⁻¹ = B·Bᵀ, over all weighted rows; ν_j the
// variance of joint j's weighted errors; and for block b of joint j
//
//	Q = W_bj·B,   P_bj = QᵀQ,   u_bj = Qᵀ·(residuals),   P_j = Σ_b P_bj,  Σ_j P_j = I
//
// The estimate's error is B·Σ Qᵀe, and the scores u are its parts with e replaced
// by the residuals. If errors were uncorrelated, and M = Σ_j ν_j·P_j,
//
//	E u_bj·u_cjᵀ = δ_bc·ν_j·P_bj − P_bj·(2ν_j·I − M)·P_cj
//
// where the second term is the part that the residuals lack because the estimate has
// followed the errors. Errors that are correlated over less than a block add to
//
//	S_j = Σ_b ‖u_bj‖² + 2·Σ_b u_bjᵀ·u_(b+1)j
//
// every correlated pair of samples. The ratio of S_j to its expectation without
// correlation, the trace of the formula above over the same pairs, is κ_j, the
// factor by which the variance in the directions that joint j determines exceeds, on
// average, that of independent samples:
//
//	Cov x = B·(Σ_j κ_j·ν_j·P_j)·Bᵀ
//
// A sandwich (Liang and Zeger 1986; Newey and West 1987) would put the scores'
// own matrix between the roots. It has the same mean, but a matrix has as many
// unknowns as there are pairs of parameters, and a log has some tens of blocks.
// One factor a joint can be had from those, at the price of one assumption: that
// correlation does the same to all directions of a joint, as it does when noise
// has a flat spectrum over the band of the motion.
//
// The residual variance counts the degrees of freedom of correlated errors as well,
// ν_j = RSS_j/(r_j − κ_j·tr P_j). With fewer than four blocks κ_j is one.
//
// # Intervals
//
// S_j is a quadratic form; with D the block diagonal of P_b, p their stack and T
// the pairs counted, its relative variance for uncorrelated Gaussian errors
// between blocks is
//
//	v_j = 2·tr((T·(D − p·pᵀ))²) / (expectation)²
//
// and each parameter's variance is a mixture of those of the joints. Solution's
// DegreesOfFreedom match two moments of it (Satterthwaite 1946) and intervals take
// StudentQuantile. Where much of the doubt is in κ itself, as in logs of a
// few seconds, intervals are wider than two standard deviations.
//
// # Errors that come back
//
// Residuals of real robots are errors of the model for the most part, and come back
// wherever the robot is at the same place at the same speed, a period or a run later. Blocks
// have the mean of the motion (TimeBlock.State), and S_j is also summed over all pairs of blocks of the
// same state (Conley 1999), with its expectation over the same pairs. Where the joints'
// factors are then larger by more than chance, these are taken (Solution.Recurrence), and their degrees of
// freedom: of a motion that repeats four times, a quarter of the blocks. NoiseCovariance keeps the covariance without them,
// for the question whether the model is true. Errors that differ from motion to motion and are
// the same all through one are in neither.
//
// # Tests from the blocks
//
// From the same factors, without the rows: whether runs are of one robot
// (CompareRuns), how well a run is predicted from the others (CrossValidate), how
// far the estimate would spread if periods were drawn again (Bootstrap), whether a
// run is there twice (Repeated), and with instruments beside the columns, whether
// least squares is biased (TestEndogeneity). ResidualTests and ExplainedBy look at
// residuals, and at columns that the model lacks. Their verdicts are advice.
//
// # Drive gains
//
// Rows y = W·χ − g·i have errors in a column. Gains minimises Σ_j ‖W·χ − g·i − y‖²/(g·σ_j)²
// by steps that are least squares of rows with the predicted current instead of
// the measured one (see Gains); Solution's Linear has those of the last step. A gain
// is determined where its standard deviation is at most a tenth of it: to first order in
// (σ/g)² a quotient is biased by σ/g of its standard deviations.
//
// # Sources
//
// M. Gautier, Dynamic identification of robots with power model, IEEE ICRA 1997.
// W. Khalil and E. Dombre, Modeling, Identification and Control of Robots, 2002,
// chapter 12.
// A. Zellner, An efficient method of estimating seemingly unrelated regressions and
// tests for aggregation bias, Journal of the American Statistical Association 57,
// 1962.
// D. Cochrane and G. H. Orcutt, Application of least squares regression to
// relationships containing auto-correlated error terms, the same 44, 1949.
// P. J. Huber, Robust Statistics, 1981, chapter 7; P. W. Holland and R. E. Welsch,
// Robust regression using iteratively reweighted least-squares, Communications in
// Statistics A 6, 1977.
// L. J. Gleser, Estimation in a multivariate "errors in variables" regression model,
// Annals of Statistics 9, 1981.
// J. A. Hausman, Specification tests in econometrics, Econometrica 46, 1978.
// H. R. Künsch, The jackknife and the bootstrap for general stationary observations,
// Annals of Statistics 17, 1989.
// K.-Y. Liang and S. L. Zeger, Longitudinal data analysis using generalized
// linear models, Biometrika 73, 1986.
// W. K. Newey and K. D. West, A simple, positive semi-definite, heteroskedasticity
// and autocorrelation consistent covariance matrix, Econometrica 55, 1987.
// F. E. Satterthwaite, An approximate distribution of estimates of variance
// components, Biometrics Bulletin 2, 1946.
// T. G. Conley, GMM estimation with cross sectional dependence, Journal of Econometrics 92,
// 1999.
// G. E. P. Box, Some theorems on quadratic forms applied in the study of analysis of
// variance problems, Annals of Mathematical Statistics 25, 1954.
// H. Theil, Repeated least-squares applied to complete equation systems, Central
// Planning Bureau, The Hague, 1953.
package estimate
