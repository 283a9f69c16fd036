// Package servo computes how a robot moves under its controller: positions,
// velocities, accelerations and torques as functions of a model's parameters, and
// their exact derivatives by those parameters.
//
// # Why
//
// Least squares takes the measured motion for the true one. Where its noise
// matters, the regressor is wrong and the estimate biased. The motion that a
// model makes under the same controller and reference has no measurement noise:
// it is the instrument of instrumental variables and the regressor of DIDIM, and
// output-error methods minimise its distance from the measured motion
// (Gautier, Janot and Vandanjon, IEEE TCST 21(2), 2013; Janot, Vandanjon and
// Gautier, IEEE TCST 22(1), 2014).
//
// # Model
//
// The plant is a regressor.Model with parameters x, base parameters will do:
//
//	Y(q, dq, ddq)·x = τ(t)
//
// Y is affine in ddq, so its values at ddq = 0 and at the unit accelerations are
// the bias and the inertia matrix, and ddq follows by a Cholesky factorization.
// One that does not exist is an *InertiaError: parameters that no robot has.
//
// The controller is proportional in position and velocity, with the drive's gain:
//
//	τ = P·(qr - q) + D·(f·dqr - dq)
//
// within the drives' limits. A cascade, whose position loop sets the reference of
// its velocity loop, has f = 0, D = gain·kv and P = gain·kv·kp; a PD law has f = 1.
//
// Coulomb friction would make the equations discontinuous at every reversal, and
// stick. It is tanh(s/ε) here instead of sign s, with ε a thousandth of the
// joint's top speed in the reference unless the caller says otherwise: the
// reversal then takes as long as the joint needs for some ε of speed.
//
// # Derivatives
//
// With S = ∂(q, dq)/∂x the sensitivity equations are
//
//	M·δddq = δτ - Y·δx - ∂(Y·x)/∂q·δq - ∂(Y·x)/∂dq·δdq
//	δτ     = -P·δq - D·δdq      (0 where the drive saturates)
//
// with the derivatives of Y·x by regressor.Model.Pullback, and that of tanh. They
// are integrated together with the motion by the same Runge-Kutta steps, so they
// are the derivatives of the computed motion, not only of the true one.
//
// # Step
//
// The classical method of fourth order, whose stability reaches to |λ|·h of 2.8
// on the real axis. The step is the time to the next sample or a part of it such that h·λ stays below
// a half for the fastest of controller and friction; the
// error of a step is then of the order of (1/2)⁵/120, some 3e-4 of the change
// within it. Friction is fast only within some ε of rest, and there a step changes the velocity by
// no more than ε/2: a reversal takes some twenty short steps, and the motion between two of them those of the controller.
package servo
