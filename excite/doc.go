// Package excite designs the exciting motion of an identification experiment: the
// motion within hard limits on which the joint torques determine the base parameters
// of a model best.
//
// # Motions
//
// A Motion of n joints has exact derivatives up to the third, and proven bounds
// of them. The Fourier shape is a finite series (Swevers, Ganseman, Bilgin, De
// Schutter and Van Brussel 1997), here with the base frequency ω = 2π/period
// and harmonics l = 1 … N:
//
//	q(t)   = q₀ + Σ aₗ/(ωl)·sin(lωt) - bₗ/(ωl)·cos(lωt)
//	dq(t)  =      Σ aₗ·cos(lωt) + bₗ·sin(lωt)
//	ddq(t) =      Σ ωl·(-aₗ·sin(lωt) + bₗ·cos(lωt))
//
// Velocity and acceleration are zero at t = 0, and by periodicity at the end
// of every period, exactly when
//
//	Σ aₗ = 0,   Σ l·bₗ = 0
//
// The search runs in an orthonormal basis of these two null spaces. That leaves
// 2N - 2 coefficients a joint and one offset. The Spline shape is quintic B-splines
// that lie within the duration, the Points shape quintics from rest to rest through
// free points. All are linear in their coefficients and share one search. With a
// start pose, or above a given motion, a joint has no offset of its own. A Sequence
// is a chain of designs, each with the information of those before it as its prior.
//
// # Limits between the samples
//
// Position, velocity, acceleration and jerk of a series are trigonometric
// polynomials of degree N. Such a polynomial f cannot peak unseen between the
// points of a grid: if |f| attains its maximum F at θ₀ = ωt₀, then |f(θ)| ≥
// F·cos(N(θ - θ₀)) for |θ - θ₀| ≤ π/(2N) (M. Riesz 1914; Zygmund, Trigonometric
// Series, X.7). On a grid of K > 2N equal steps the nearest point is within π/K
// of θ₀, whence
//
//	max |f| ≤ max over the grid |f| / cos(πN/K)
//
// (Ehlich and Zeller 1964). Polynomials lie within their Bernstein coefficients.
// Both bounds are the largest entry of a list that is linear in the coefficients.
//
// The largest ratio of a motion to its limits is a maximum over the list; division
// by it, or by a p-norm that bounds it from above, brings any coefficients within
// the limits, and the rest of the range bounds the offset. The optimiser works
// through this map: for any variables, the motion evaluated keeps the joints' own
// limits. The map also keeps every joint at half of its tightest limit or more: a
// criterion with scaled columns would accept a motion below the noise.
//
// # Coupled constraints
//
// Torque, power, distances, the tip's speed and the limits of passive joints
// couple the joints. They enter as squared excesses over the limit less the margin,
// with growing weights, and a candidate that violates one ranks below all that do
// not. The best pass to the final check, on a grid of 10 kHz with proven bounds
// between its points; a constraint that fails there is tightened by its excess and
// the search goes on.
//
// Torques are linear in the parameters, τ = Y·χ, and bounded for all χ in a box
// of half widths u by |Y·χ| + |Y|·u. Coulomb friction is always adverse, since its
// sign changes between samples. Between two samples a time h apart an entry y of Y
// stays within h²/8·max|y"| of a straight line, on which the bound, being convex, is
// largest at an end; max|y"| comes from package linkbounds. The tip's velocity has
// the same bound; a distance changes no faster than the points of one body move
// against the other. Bodies are capsules, see Capsules.
//
// In closed loops only the driven joints are free. The limits of the passive joints'
// positions and velocities are kept as well; between samples of 10 kHz by the rates
// at the samples, as loops have no bounds of derivatives.
//
// # Criteria
//
// With W the rows weighted by 1/noise, stacked on the prior rows, and D its column
// norms, the criteria are functions of the singular values σ of W·D⁻¹: the condition
// number, and for D-, A- and E-optimality, with D fixed to the norms on random
// motions,
//
//	exp(-mean ln σ)    √(mean σ⁻²)    1/min σ
//
// Extreme singular values are replaced by p-norms, as in
//
//	ln ‖σ‖ₚ + ln ‖1/σ‖ₚ
//
// which are smooth where singular values meet and tend to the criterion as p
// grows; p grows in stages. With φ the smoothed criterion and W·D⁻¹ = U·Σ·Vᵀ, the
// derivative by W is
//
//	Γ = W·D⁻¹·(S - diag h)·D⁻¹,  S = V·diag(φ'ᵢ/σᵢ)·Vᵀ,  h = diag(V·diag(φ'ᵢ·σᵢ)·Vᵀ)
//
// (h = 0 where D is fixed), which needs the right singular vectors only.
// Constraints of torque and power add to Γ. The derivative by the motion is the
// adjoint of the regressor's recursion, regressor.Model.Pullback; nothing is
// differentiated numerically but the rows of closed loops, in that method.
// Coulomb friction, which jumps where a joint turns back, is given a steep ramp
// for the search. Results report the criterion itself, of the model with the jump.
//
// The covariance of the estimate is (WᵀW)⁻¹ whatever the torques are, so a
// design predicts the standard deviation of every parameter.
//
// # Reproducibility
//
// A number of starts is drawn from the seed, each draws from a stream of its
// own and is refined by BFGS in stages. Each stage has a budget of evaluations
// and keeps half of the starts; ties are
// broken by the start's number. Two runs give the same trajectory on any number
// of cores; a cancelled context ends the search with the best so far.
package excite
