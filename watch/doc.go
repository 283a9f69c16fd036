// Package watch supervises a robot by an identified model: it estimates the external torque of each joint without accelerations,
// says how uncertain that is in each row, and reports events at a false-alarm rate that the caller states.
//
// # The observer
//
// A model that is linear in its parameters x splits its torques into momenta and the rest, τ = d/dt(D1·x) + D2·x. Through a
// low-pass F of bandwidth K the derivative needs no acceleration: F·d/dt = K·(1 − F). The external torque is
//
//	r = K·(1 − F)·D1·x + F·(D2·x − τ)
//
// which is the momentum observer of De Luca and Mattone (2003); see Haddadin, De Luca and Albu-Schäffer (2017) for its use. F is
// the bilinear transform of K/(s + K) with the time that has passed since the row before.
//
// # The deviation of a row
//
// r = W·x − F·τ is linear in the parameters, so with their covariance Σ the model's part of the variance is m = w·Σ·wᵀ for the
// filtered regressor row w of a joint. The noise f of a joint, by its speed, is measured on quiet logs ([Calibrator]).
// Where a joint is at rest, its friction is anywhere between the two directions of motion. There the observer's value is
// known up to a bound b, the jump of the model's torque at a reversal; values within the bound are no evidence.
//
// # What rows do not resolve
//
// A torque between two rows is in neither. Where a velocity's step changes from row to row, or a torque changes, by more than twice what 99 % of
// the quiet rows have, the momentum M·Δ²q̇ of that row, and the change |Δτ|, go through F into the bound: a controller that stops all
// joints at once is no contact, and a contact shows one row later.
//
// # What a row must hold
//
// The filters remember: one number that no robot has would stay in them for good. [Bounds] from the quiet logs say what a row may hold, in Go and in the
// generated C. A row with a position or a velocity beyond them, or a value that is no number, is left out, a torque counts up to its bound, and the filters
// keep their state; a state beyond twice the bound begins again. A fault is one [Sensor] event when it begins and one when it is over; a time
// in which no row is watched is a [Blind] event.
//
// # Payloads
//
// A body on the tip adds its own regressor row a, through the same filter: r = −a·θ. Weighted least squares of means over 50 ms give θ with the
// covariance A⁻¹ + A⁻¹·B·Σ·Bᵀ·A⁻¹, where A weighs rows by the noise's spectral density at low frequencies and B holds the products with w. Single
// rows instead of means would fold the noise of differentiated velocities onto low frequencies. Σ must be the covariance for
// predictions: intervals that are widened parameter by parameter forget which parameters share a torque. Quiet logs show errors of the parameters, too. The
// density is of what is left without those that are most probable by Σ and the rows of a log: otherwise they would count twice. Friction of a joint is
// free beside the body if its change explains more than its price (below). With a relative error ε of the gain of a joint, whose part of A is Aⱼ, the body is
// off by A⁻¹·Aⱼ·θ·ε; errors of all gains add up, as those of one calibration do.
//
// # A hand or a load
//
// A force on a link has a regressor too, the Jacobian, through the same filter and means. Six numbers are a wrench, twelve one that changes evenly, or the
// products of a constant force and the point at which it acts. With the square χ² that k unknowns explain of n values, hypotheses compare by
//
//	χ²/2 − k/2·ln n
//
// less ln of the number of links where one is chosen (Schwarz 1978). A body is confirmed if it is better by ten than each force, leaves noise alone, and is
// one that a robot can carry. Its weight is a vertical force at a fixed point, four unknowns, in every pose: its inertia decides. A body whose inertia is
// that of its mass at its centre has four unknowns as well; the better one of the two counts.
//
// # The tests
//
// With e the value beyond the bound, in units of f, each joint has a test for each of several windows, with E the mean of e over an
// exponential window and g its standard deviation on the quiet logs:
//
//	z = E/√(g² + mean of m/f²)
//
// A maximum over windows is the generalised likelihood ratio for the beginning of a constant torque; a further test, for drift,
// takes e with the sign of the velocity over a long window. g is measured for each window, so the colour of the residuals counts by itself:
// nothing assumes that rows are independent. The mean of m is an upper bound of the model's part, as (mean x)² ≤ mean x².
//
// # Noise and pose
//
// The noise of velocities counts as momentum M(q)·q̇, so f goes with the pose: f² is multiplied by 1 + s·(μ/μ0 − 1), where μ is the square of the
// momentum of a joint that the noise of all velocities is taken for, μ0 its mean on the quiet logs, and s, measured there, the part of the variance that goes
// with it. M holds the carried body. The column of a joint in M(q) is renewed every 32 ms, one joint after the other.
//
// # The threshold
//
// The rate λ of false alarms is stated. Quiet logs of length T hold about n = K·T independent values of a window of bandwidth K, so E/g has Student's
// distribution with n degrees of freedom, and upcrossings of a level h are, by Rice's formula with that density,
//
//	2·ν0·(1 + h²/n)^(−(n+1)/2)
//
// a second, where ν0, upcrossings of zero, is measured. Real residuals have heavier tails. With less than ten quiet minutes λ is divided equally between
// the tests, and the peaks of z between zero crossings are extrapolated by an exponential tail (peaks over threshold, Pickands 1975), with the upper
// 95 % bound of its mean excess; the threshold is the larger of the two. Too short a quiet log makes the threshold large, not the rate wrong.
//
// With ten minutes or more a fifth of λ is drift's, by Rice's formula. The tests of contacts share the rest, by the peaks of all of them
// together: each has a level l that a few hundred peaks of all tests pass, and clusters of rows with max(z² − l²) above zero have one peak each. The
// highest 200 have a generalised Pareto tail with scale and shape; the threshold is √(l² + y), where peaks pass y at the rate λ, by the mean over the posterior
// distribution of scale and shape. The peaks of Gaussian noise have shape 0 in z², no noise has less, and the mean over quiet logs is at most the stated rate.
package watch
