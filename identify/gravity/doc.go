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
// The columns are those of the base parameters of the full model; of these the first independent ones at rest are
// estimated, and dependent ones are regrouped on them. Rows are weighted by the standard deviations of the joints'
// residuals, whose variances have as many degrees of freedom as pairs less the parameters that the joint's rows
// determine.
//
// The ripple that a pass leaves is a function of the joint's place: pairs at one limit of a joint have the same. The errors of two pairs of
// a joint are therefore correlated by ρ times the part of their ways in common, with one ρ of all joints that the residuals tell, and the
// covariance of the estimate counts that (common.go). The weights do not: errors that were shared in full would make differences of
// pairs at one place count for more than they are worth.
//
// # Prior
//
// Posterior brings the estimate to all base parameters of the full model: known combinations with their covariance, all others
// with a standard deviation that leaves them free.
package gravity
