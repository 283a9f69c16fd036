// Package tool weighs a body on a wrist sensor: mass, centre of mass and inertia of a tool from the forces and torques of a sensor with six
// axes and from its orientation, with the sensor's biases, and with what the poses do not determine.
//
// # The model
//
// A body of mass m with its centre at c exerts on the sensor that carries it, with all vectors in the sensor's frame,
//
//	F = m·f − α×mc − ω×(ω×mc)       f = g − a
//	T = mc×f − (I·α + ω×I·ω)
//
// where g is gravity, a the acceleration of the sensor's origin, ω and α its angular velocity and acceleration. I is the inertia about that
// origin. All are linear in the ten parameters m, mc, I. At rest only m and mc are left,
// [F; T] = [m·1; [mc×]]·g, whose differences between poses determine them, since the sensor has biases of its own (Kubus, Kröger and Wahl 2008).
//
// # Errors
//
// Rows are averaged over blocks, both sides alike. The error of a channel is white noise of blocks and a random walk, which stands for drift with
// temperature and for creep,
//
//	y_k = A_k·x + b + d_k + e_k,   d_k+1 = d_k + N(0, q·Δt),   e_k = N(0, r)
//
// with d zero at the last block: b is the bias that holds from now on. Rows are whitened by the Kalman filter of d, and q and r are their means over
// the posterior, channel by channel. So intervals of a sensor that drifts are as wide as they must be: errors of
// neighbouring rows are not taken as independent. Changes of the channel tare begin a bias and a walk of their own.
//
// # What is open
//
// The poses of one tare spread the vector f about its mean. Along a direction in which it does not spread nothing is known: without any spread, neither
// mass nor centre; with a spread along one axis alone, the centre's part along that axis is open. Directions with less than
// LeastSpread of gravity count as open, whatever the noise: there the error of orientations decides.
//
// # Findings
//
// Forces are fitted again by a matrix in place of a mass, F = M·f + b. Of a rigid body in the right frame M is m·1; a rotation in it is a wrong
// frame, a negative determinant mirrored axes or the other sign. Gravity that is tilted in the base turns the forces otherwise than a sensor
// that is turned in its mount, which tells one from the other.
//
// The wrench may have the axes of the base, with the sensor's biases or with some along the base's axes, and the orientation may be the
// inverse one. These readings are fits of the same rows, and a rotation keeps volumes, so likelihoods choose among them. An unlogged tare is
// a step of the six biases between two blocks; it holds if it explains more than a tilt or a turn does, and if little of what
// differs between the poses remains.
//
// # Sources
//
// D. Kubus, T. Kröger and F. M. Wahl, On-line estimation of inertial parameters using a recursive total least-squares approach, IROS 2008.
// A. Gelman, Prior distributions for variance parameters in hierarchical models, Bayesian Analysis 1, 2006.
// G. Schwarz, Estimating the dimension of a model, The Annals of Statistics 6, 1978.
// A. C. Harvey, Forecasting, Structural Time Series Models and the Kalman Filter, 1989, section 3.4 (whitening regressors by one filter).
package tool
