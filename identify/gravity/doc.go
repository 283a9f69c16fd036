// Package gravity identifies the parameters that torques at rest tell, from logs of slow passes in both directions,
// as the first stage of an identification: its estimate and covariance are the prior of the second.
//
// # Pairs of passes
//
// A pass is a stretch in which every joint keeps its speed. Two passes that follow each other along the same way, at
// opposite speeds, are a pair. The means of their torques over the way that both have, with the mean of the rows of the
// model at rest at the same positions,
//
//	½(mean τ⁺ + mean τ⁻) = ½(mean Y(q⁺, 0, 0) + mean Y(q⁻, 0, 0))·K
//
// are one equation a joint, in which friction that is odd in the velocity cancels whatever its law (An, Atkeson and
// Hollerbach 1988, chapter 5). A torque that is late by a time h is that of a place v·h before, on either side, and cancels to first
// order in v·h. Ripple averages out over whole periods of the way. Friction that falls while a gear
// warms cancels as far as it is the same in both passes of a pair.
//
// # Estimate
//
// The columns are those of the base parameters of the full model; of these the first independent ones at rest are estimated, and
// dependent ones are regrouped on them. Rows are weighted by the deviations of the joints' residuals; the covariance is
// that of equations with independent errors, of variances with as many degrees of freedom as pairs less the parameters that the
// joint's rows determine.
//
// # Prior
//
// Posterior brings the estimate to all base parameters of the full model: known combinations with their covariance, all others
// with a deviation that leaves them free.
package gravity
