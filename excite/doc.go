// Package excite designs the motion of an identification experiment: periodic
// trajectories that make the base parameters of a model as visible in the
// joint torques as the joints' limits allow.
//
// # The trajectory
//
// Each joint follows a finite Fourier series (Swevers, Ganseman, Bilgin, De
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
// The search runs in an orthonormal basis of these two null spaces, so that no
// candidate ever starts with a jerk. That leaves 2N - 2 numbers a joint for the
// shape and one for the place. The derivatives are those of the series.
//
// # Limits between the samples
//
// Position, velocity and acceleration are trigonometric polynomials of degree
// N. Such a polynomial f cannot peak unseen between the points of a grid: if
// |f| attains its maximum F at θ₀ = ωt₀, then |f(θ)| ≥ F·cos(N(θ - θ₀)) for
// |θ - θ₀| ≤ π/(2N) (M. Riesz 1914; Zygmund, Trigonometric Series, X.7). On a
// grid of K > 2N equal steps the nearest point is within π/K of θ₀, whence
//
//	max |f| ≤ max over the grid |f| / cos(πN/K)
//
// (Ehlich and Zeller 1964). Every candidate is measured against its limits
// with this factor, its position from the middle of the joint's range, so that
// one inequality serves all three.
//
// How far a shape exceeds its tightest limit is a maximum over grid points;
// dividing by it, or by a p-norm that bounds it from above, carries any shape
// inside, and what is left of the range bounds its place. The optimiser works
// through this map: whatever numbers it tries, what is evaluated is feasible.
// The map also keeps every joint at half of its tightest limit or more,
// because a criterion with scaled columns would accept a joint that trembles.
//
// # The criterion
//
// The condition number of the base regressor over one period, its columns
// scaled to unit norm. The singular values come from the triangular factor of
// the rows. For descent the two extreme singular values are replaced by
//
//	ln ‖σ‖ₚ + ln ‖1/σ‖ₚ
//
// which is smooth where singular values meet and tends to the logarithm of the
// condition number as p grows; p grows in stages. With W the regressor, D its
// column norms, W·D⁻¹ = U·Σ·Vᵀ and φ the criterion, the derivative by W is
//
//	Γ = W·D⁻¹·(S - diag h)·D⁻¹,  S = V·diag(φ'ᵢ/σᵢ)·Vᵀ,  h = diag(V·diag(φ'ᵢ·σᵢ)·Vᵀ)
//
// which needs the right singular vectors only. The derivative of W by the
// motion follows from the model alone: W is linear in the accelerations and
// quadratic in the rates, so its differences there are exact; by the positions
// it is a central difference. Coulomb friction, which jumps where a joint turns
// back, is given a steep ramp for the search. What is reported is always the
// condition number itself, of the model as it is.
//
// # Reproducibility
//
// A number of starts is drawn from the seed, each draws from a stream of its
// own and is refined by BFGS under a fixed budget of evaluations, and ties are
// broken by the start's number. Two runs give the same trajectory on any number
// of cores; a cancelled context ends the search with the best so far.
package excite
