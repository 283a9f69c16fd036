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
// # Physical consistency
//
// A body with the ten parameters χ exists if and only if its pseudo-inertia
//
//	J(χ) = ∫[p;1][p;1]ᵀdm = [½tr(L)·I − L, l; lᵀ, m]
//
// is positive semidefinite (Wensing, Kim and Slotine 2018). Solution.Consistent
// minimises, over all standard parameters at once,
//
//	½‖R·(K(χ) − K̂)‖²/σ² + w·Σ D(J‖J₀)   with J ⪰ ε·J₀ and Ia, Fv, Fs ≥ 0
//
// σ² is the variance of a weighted row times the mean inflation, so that the
// first term is about half a squared deviation. D = tr(J₀⁻¹J) − log det(J₀⁻¹J) − 4
// is the log-determinant divergence from the robot file's body (Lee, Wensing and
// Park 2020); x/x₀ − 1 − log(x/x₀) takes its place for drive parameters. It does
// not depend on frames or units, and neither does ε·J₀. Where the file gives no
// body, a ball of 1 kg and 0.01 kg·m² at the frame's origin stands for it; where
// it gives a mass with an impossible inertia, that ball's gyration about the
// file's centre of mass; where it gives no drive parameter, a tenth of an SI unit.
// The weight w is small: the prior decides what neither data nor constraints do.
//
// An interior-point method solves it. Along the minimisers of the objective with
// the barrier −μ·Σ(log det(J − εJ₀) + log x), first w and μ fall together, so that
// what the data leave open stays near the prior, then μ alone. On the path, the
// dual point μ·(J − εJ₀)⁻¹ bounds the distance from the minimum by m·μ, with four
// for each body and one for each positive number in m: the duality gap. Both
// log-determinants share the eigenvectors of J relative to J₀, in which their
// Hessian is diagonal: its inverse is known in closed form, and a Newton step is
// one system of the size of the base parameters.
//
// An estimate that is possible as it is stays as it is. The constraints cannot
// contradict each other, since the prior keeps them all. Deviations are not
// corrected for active constraints.
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
// K.-Y. Liang and S. L. Zeger, Longitudinal data analysis using generalized
// linear models, Biometrika 73, 1986.
// W. K. Newey and K. D. West, A simple, positive semi-definite, heteroskedasticity
// and autocorrelation consistent covariance matrix, Econometrica 55, 1987.
// F. E. Satterthwaite, An approximate distribution of estimates of variance
// components, Biometrics Bulletin 2, 1946.
// T. Lee, P. M. Wensing and F. C. Park, Geometric robot dynamic identification:
// a convex programming approach, IEEE Transactions on Robotics 36(2), 2020.
// P. M. Wensing, S. Kim and J.-J. E. Slotine, Linear matrix inequalities for
// physically consistent inertial parameter identification, IEEE RA-L 3(1), 2018.
package estimate
