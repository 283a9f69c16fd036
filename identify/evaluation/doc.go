// Package evaluation evaluates the models of a robot or of a result at given states: torques, regressors, energies and
// residuals as the channels of a log.
//
// # States
//
// States are a log with the positions, velocities and accelerations of all joints, one state a row; a clock is not needed, and
// no row depends on another. Positions alone are not enough: a robot at rest has channels of zeros. Nothing is filtered or
// differenced.
//
// # Quantities
//
// With Y the regressor of the standard parameters χ and K its base parameters (package baseparams),
//
//	inverse-dynamics   tau_JOINT                  τ = Y·χ
//	regressor          Y_JOINT_PARAMETER          Y
//	base-regressor     Yb_JOINT_PARAMETER         Y_b, with τ = Y_b·K
//	energy             kinetic, potential, J; friction_power, W
//	residual           residual_JOINT             measured torque − τ
//
// Entries of a regressor that are zero in every state have no channel. The zero of the potential energy is arbitrary.
// The parameters are those of the robot file, or the identified ones of a result, whose terms and known parameters
// count, too.
//
// # Memory
//
// States are read, evaluated and written some thousand rows at a time.
package evaluation
