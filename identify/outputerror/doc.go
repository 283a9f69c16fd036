// Package outputerror identifies a robot without torques: from the commands of its
// controller and the measured positions alone.
//
// # Why
//
// Many arms log commands and positions and no torque or current. Their drives follow a
// law that is known in form, so that the torque is known up to the law's gains:
//
//	τ = P·(r − y) + D·(f·dr − dq)       y = q + b, the encoder's position
//	Y(q, dq, ddq)·x = τ                 x the base parameters
//
// with the command r. With one gain known, the relation is linear in x and in the
// gains that are not; with none it is homogeneous, and (x, P, D) are determined up to a
// common factor.
//
// # Start
//
// Least squares on that linear relation, with the filtered measured motion. Noise of
// positions is in its regressor and in its torque, so it is a start only.
//
// # Output error
//
// The estimate minimises the distance between measured and simulated positions
//
//	Σ ‖L·(y − ŷ(θ))‖²      θ = (x, gains, delay, encoder offsets)
//
// where ŷ is the motion of the plant with parameters θ under the law, the commands and the
// delay, friction that sticks included (package plant). The simulation has no noise, so that
// noise in y does not bias; noise that the controller sees as well moves the robot, which
// makes the errors of the output coloured, and independent of the commands all the same.
//
// # Sensitivities
//
// Between two samples of the law, one period h apart, the drive's torque is constant, and
// with S = ∂q/∂θ, V = ∂dq/∂θ the motion's derivatives obey
//
//	M·dV = ∂τ/∂θ − Y·∂x/∂θ − ∂(Y·x)/∂q·S − ∂(Y·x)/∂dq·V
//
// whose coefficients are those of the midpoint of the simulated motion, with the mean
// acceleration between the samples; the implicit midpoint rule makes a step of it, with an
// error of (hω)²/12 for a mode of ω rad/s. ∂τ/∂θ is the held command's: it is linear in S and V at the
// law's earlier samples. Where a joint reverses, its friction jumps at a time that depends
// on θ: V jumps by the difference of the accelerations times that time's derivative. A
// joint that comes to rest loses its V, and the joints that still move share the impulse; one
// that sticks has none (Hiskens and Pai, IEEE Trans. Circuits and Systems I 47(2), 2000).
//
// # Colour of the errors
//
// Samples are averaged over windows of some ten milliseconds, in residuals and sensitivities
// alike: nothing that a robot does is faster. Then each joint's residuals are made white by
// an autoregression of their own, and the joints' innovations by the root of their
// covariance (generalised least squares, Cochrane and Orcutt 1949, Zellner 1962). L is both.
// The covariance of the estimate is that of Gauss and Newton,
// times the factor by which the scores of time blocks exceed those of independent samples.
//
// # Identifiability
//
// Along the simulated motion the relation between parameters and torques is exact, so that the null
// space of its columns is that of the experiment: combinations of parameters that no
// such log determines. NullSpaceError names them, and the values that would fix them.
//
// # Sources
//
// M. Gautier, A. Janot and P.-O. Vandanjon, A new closed-loop output error method for
// parameter identification of robot dynamics, IEEE TCST 21(2), 2013.
// L. Ljung, System Identification, 1999, sections 7.4 and 13.5.
package outputerror
