// Package estimate finds the parameters of a model that is linear in them from
// any number of rows, says how far they can be trusted, and holds the result.
//
//	y = W·x + e,    one row for each joint and sample
//
// # Reduction
//
// Rows are not kept. A Reduction holds, for each stretch of time (TimeBlock) and
// each joint, the triangular factor of the rows [W y] over the columns that the
// joint can have (package internal/triangle):
//
//	RᵀR = WᵀW      RᵀZ = Wᵀy      ‖y‖² = ‖Z‖² + RSS
//
// Summaries append, so a log may be longer than memory, and files may be
// reduced apart. Merging is a balanced tree over the blocks in their order:
// whoever made the blocks, the same blocks in the same order give the same bits.
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
// and condition number. What the rows do not determine is a *RankError, which
// lists the columns concerned, or, on demand, the smallest solution.
//
// An Estimator works on a Problem: a reduction, and a Source that reads its rows
// again for those that need it. A Source hands rows, stretch after stretch, to a
// Change, and reduces what that makes of them; so further passes stream as the first
// one did. Three changes make three estimators: rows of a sample times the inverse
// root of the joints' covariance (Cross), rows through the inverse of each joint's
// autoregression (GLS), rows times the root of their weight (IRLS). What they leave
// is again weighted least squares with errors that are white and alike, and is
// judged as such. A robust estimate is judged from pseudo-values instead, whose least
// squares it is. Ridge and MAP add rows of their own below the stack, and judge the
// data's rows in the metric of both. TLS takes the singular vectors of [R z; 0 √RSS],
// Sequential and Recursive work on the factors as they come, Essential on fewer
// columns. Where rank or a variance is not what an estimator needs, or an iteration
// does not rest, the error says so and can be matched.
//
// # Covariance
//
// Filtered residuals are not independent samples: white noise through a low-pass
// at 8 Hz, sampled at 100 Hz, tells as little as every seventh sample alone. A
// deviation computed as if they were would be too small by the square root of
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
// where the second term is what the residuals lack because the estimate has
// followed the errors. Errors that are correlated over less than a block add to
//
//	S_j = Σ_b ‖u_bj‖² + 2·Σ_b u_bjᵀ·u_(b+1)j
//
// every correlated pair of samples. The ratio of S_j to its expectation without
// correlation, the trace of the formula above over the same pairs, is κ_j, the
// factor by which the variance of what joint j determines exceeds that of
// independent samples, averaged over the directions that it determines:
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
// The residual variance counts what correlated errors take up as well,
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
// Freedom matches two moments of it (Satterthwaite 1946) and Describe's intervals
// take Student's quantile. Where much of the doubt is in κ itself, as in logs of a
// few seconds, intervals are wider than two deviations.
//
// # What else the blocks tell
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
// by steps that are least squares of rows with the predicted current in the place of
// the measured one (see Gains); Solution's Linear has those of the last step. A gain
// is determined where its deviation is at most a tenth of it: to first order in
// (σ/g)² a quotient is biased by σ/g of its deviations.
//
// # Physical consistency
//
// A body with the ten parameters χ exists if and only if its pseudo-inertia
//
//	J(χ) = ∫[p;1][p;1]ᵀdm = [½tr(L)·I − L, l; lᵀ, m]
//
// is positive semidefinite (Wensing, Kim and Slotine 2018). Solution.Consistent
// minimises, over all standard parameters at once,
//
//	½‖R·(K(χ) − K̂)‖²/σ² + w·Σ D(J‖J₀)   with J ⪰ ε·J₀, Ia, Fv, Fs ≥ 0, and Bounds
//
// σ² is the variance of a weighted row times the mean inflation, so that the
// first term is about half a squared deviation. D is a Distance from the prior's
// body J₀: the log-determinant divergence tr(J₀⁻¹J) − log det(J₀⁻¹J) − 4 (Lee,
// Wensing and Park 2020), the affine-invariant distance ½‖log(J₀^-½·J·J₀^-½)‖², its
// constant pull-back ½·tr((J₀⁻¹J − I)²) (Lee and Park 2018), or a Euclidean one to
// compare with; the same of the ratio to the prior for drive parameters. But for
// the last they depend neither on frames nor units, and neither does ε·J₀. Where the file gives no
// body, a ball of 1 kg and 0.01 kg·m² at the frame's origin stands for it; where
// it gives a mass with an impossible inertia, that ball's gyration about the
// file's centre of mass; where it gives no drive parameter, a tenth of an SI unit.
// By default the weight w is small, and always so for such values: the prior
// decides what neither data nor constraints do. ChooseWeight finds the weight of
// a prior that is believed, by leaving out parts of the training rows.
//
// Bounds are on the masses of links and their total, linear in J; on centres of
// mass, in half-spaces n·l ≤ d·m or ellipsoids ‖A⁻¹(l − m·c)‖ ≤ m; on the place of
// all mass of a body, ∫(1 − ‖A⁻¹(p − c)‖²)dm ≥ 0. Where they cannot hold together
// an InfeasibleError has multipliers that prove it. An Impossibility proves that an estimate is no
// robot's: a combination of the base parameters that all robots keep at zero or
// above, and that the estimate has below.
//
// A primal-dual interior-point method solves it: Nesterov and Todd's scaling of
// each 4×4 block, for which X = L⁻¹·J·L⁻ᵀ, J₀ = L·Lᵀ, is written as a vector of ten;
// Mehrotra's predictor and corrector. The term −w·log det X has a dual variable of
// its own, whose product with X ends at w where the others end at zero. With B the
// Hessian of prior and barrier, which is block diagonal, ten by ten for each body,
// a step is one system of the size of the base parameters and bounds,
//
//	(diag((RᵀR)⁻¹, H⁻¹) + (C;S)·B⁻¹·(C;S)ᵀ)·y = …
//
// for the forces y on the measured numbers C·z and on the bounds S·z, of curvature
// H. It never forms CᵀRᵀRC, in which what no data determine drowns. Any forces and
// duals bound the minimum from below, block by block in closed form: the duality
// gap that is reported holds whatever the iterates' rounding.
//
// With no more than the default weight an estimate that is possible as it is stays
// as it is. Deviations are those of
// the free estimate; Under draws it and constrains every draw again, for intervals.
//
// LogCholesky and PhysicalMap write bodies and drives as free numbers, for
// iterations that know no constraints (Rucker and Wensing 2022).
//
// # Result
//
// A Result is a plain value and a JSON document. Describe fills its tables:
// base parameters with intervals, and standard parameters lifted so that those
// which no data determine keep the robot file's values and the others follow.
// FromStandard of what Describe lifts is the estimate. Lifted bodies that cannot
// exist are named. Judge answers with verdicts.
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
// T. Lee, P. M. Wensing and F. C. Park, Geometric robot dynamic identification:
// a convex programming approach, IEEE Transactions on Robotics 36(2), 2020.
// T. Lee and F. C. Park, A geometric algorithm for robust multibody inertial
// parameter identification, IEEE RA-L 3(3), 2018.
// S. Mehrotra, On the implementation of a primal-dual interior point method,
// SIAM Journal on Optimization 2, 1992.
// H. Theil, Repeated least-squares applied to complete equation systems, Central
// Planning Bureau, The Hague, 1953.
// Y. E. Nesterov and M. J. Todd, Self-scaled barriers and interior-point methods
// for convex programming, Mathematics of Operations Research 22, 1997.
// C. Rucker and P. M. Wensing, Smooth parameterization of rigid-body inertia,
// IEEE RA-L 7(2), 2022.
// P. M. Wensing, S. Kim and J.-J. E. Slotine, Linear matrix inequalities for
// physically consistent inertial parameter identification, IEEE RA-L 3(1), 2018.
package estimate
