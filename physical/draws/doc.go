// Package draws draws robots from the posterior of a fit: every one feasible, as probable as the data and a prior make it. They are the models of a domain
// randomisation by measured data.
//
// # The posterior
//
// With χ the standard parameters, K(χ) the base parameters, C their covariance, and J_b the pseudo-inertia of body b,
//
//	log p(χ) = −½(K(χ) − K̂)ᵀ·C⁻¹·(K(χ) − K̂) + Σ_b [(ν−5)/2·log det J_b − ν/2·tr(J̄_b⁻¹·J_b)] + Σ_d [(k−1)·log x_d − k·x_d/x̄_d]
//
// on the cone of feasible parameters. The prior of a body is Wishart's distribution with the mean J̄_b, that of a drive
// parameter which cannot be negative a gamma distribution with its value as mean; K̂ = K(χ̄), so that the robot with
// the parameters χ̄ is the middle of all. ν = 2/s² and k = 1/s² give each moment of mass, and each drive parameter, the
// relative standard deviation s. Where data determine a combination, C decides; where they do not, s. All terms are
// concave.
//
// # A flat prior
//
// With Posterior.Flat the prior decides only what base parameters leave open. A draw takes K̃ from the normal distribution of K̂ and C, and goes to the feasible base
// parameters that are nearest by C: the maximum of the density above, with K̃ in place of K̂ and C divided by 10, 100, … 10⁴, by Newton's method. If bodies near these have K̃
// itself, it takes K̃. From there it goes along what leaves the base parameters unchanged, by the sweeps below. So K has the fit's distribution within what bodies can have,
// and its remainder on the edge: a projection, as of Dunson and Neelon (2003).
//
// # The chain
//
// Directions are the columns of the inverse Hessian's factor at χ̄, so that steps of one are standard deviations of one
// whatever their size. A sweep goes along all of them in random order and draws exactly from the density on each line
// by slice sampling (Neal 2003), with the interval stepped out and shrunk; the determinant of a body that leaves the
// cone ends the line. Four chains run from overdispersed starts, with draws every few sweeps.
//
// # Mixing
//
// Of every base parameter, of every mass and of the log density the four chains give the split potential scale reduction R̂ (Gelman and others 2013, section 11.4), and
// their effective number. Mixing states the worst of each; Draw continues the chains until R̂ ≤ MostReduction, or fails.
//
// # Sources
//
// D. B. Dunson and B. Neelon, Bayesian inference on order-constrained parameters in generalized linear models, Biometrics 59(2), 2003. R. M. Neal, Slice sampling, Annals of Statistics 31(3), 2003. A. Gelman and others, Bayesian Data Analysis, 3rd ed., 2013. P. M. Wensing, S. Kim and
// J.-J. E. Slotine, Linear matrix inequalities for physically consistent inertial parameter identification, IEEE RA-L 3(1), 2018.
package draws
