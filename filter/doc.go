// Package filter turns sampled signals into the signals that an identification
// model needs: low-passed without delay, differentiated, decimated, brought onto
// a uniform clock, and aligned in time.
//
// Everything works on plain []float64, one channel a slice, and writes into
// memory that the caller owns; nothing in here knows about robots or logs.
// Frequencies are in hertz, times in seconds. A wrong argument that only a
// programming error can cause panics; a filter that cannot be designed is an
// error; doubt about data is a value (see Clock and Lag).
//
// # Zero-phase filters
//
// A filter that delays the torque but not the motion, or one joint's column more
// than another's, biases every parameter. All filters of this package therefore
// have a real, positive frequency response: the recursive ones are run forward
// and backward (Gustafsson, IEEE Trans. Signal Processing 44, 1996, discusses the
// ends), the FIR ones are symmetric. Running a filter H forward and backward has
// the response |H|²: a Butterworth filter "of order 4 at 8 Hz" is 6 dB, not 3 dB,
// down at 8 Hz. The order and the cut-off are always stated before this doubling.
//
// The identification equation y = W·χ holds sample by sample, so it holds for the
// filtered signals when y and each column of W go through the same linear filter
// (parallel filtering; Gautier, Proc. IEEE ICRA 1997; Khalil and Dombre, Modeling,
// Identification and Control of Robots, 2002, section 12.4). That is why filters
// here run along columns, and why several columns can be run at once.
//
// # Recursive sections
//
// The analogue prototypes have all their zeros at infinity, so each second-order
// section of the digital filter is
//
//	H(z) = g²(1+w)² / [(1-w)² + k·g·(1-w²) + g²(1+w)²],   w = 1/z,
//
// with g the prewarped natural frequency and k = 1/Q. It is not run in a direct
// form but as two trapezoidal integrators with states s and r:
//
//	e = x - s
//	s⁺ = s + r + d·e,   y = (s + s⁺)/2
//	r⁺ = p·r + q·e
//	d = 2g²a, p = 2a-1, q = 4g²a², a = 1/(1 + k·g + g²)
//
// (the state-variable form of Zavalishin, The Art of VA Filter Design, 2012,
// chapter 4, with the first state scaled to save a product). A constant input is
// a fixed point of this recursion in floating-point arithmetic, s = x and r = 0,
// whatever the rounding of d, p and q: the gain at zero frequency is exactly one,
// and the steady-state initial condition of every section is simply its input.
// A direct form loses as many digits as the square of rate/cutoff has.
//
// # Derivatives
//
// Differentiate4 belongs behind a low-pass. SavitzkyGolay smooths and differentiates in one local fit, with
// weights by Gram polynomials (Gorry 1990). A periodic motion is first averaged over its periods, which
// leaves its whole band, and then differentiated by its Fourier series (PeriodAverage, SpectralDerivative;
// Swevers and others 1997). On a clock that jitters, Smoother estimates position, velocity and acceleration
// without resampling: a Kalman filter for white jerk and the backward pass of Rauch, Tung and Striebel
// (1965), whose gain on a steady clock is 1/(1 + (ω/ω₀)⁶), zero-phase.
//
// # Spectra
//
// Welch averages periodograms under Hann's window.
//
// # Noise of a motion
//
// MotionSpectrum whitens a position by third differences, so that the floor of its noise shows beside a
// motion that is 1e6 times as strong; MeasureNoise adds the deviation of rounding. Noise of variance σ²
// makes 2σ²(2π)⁴F⁵/(5·rate) of the variance of accelerations in a band F: MotionCutoff weighs that against the
// motion that a lower F would remove.
//
// # Ends
//
// The signal is extended at both ends by point reflection, 2·x[0] - x[k], before
// it is filtered. That keeps value and slope continuous, and nothing else: samples
// within Tail of an end depend on the extension; cut them before a fit.
//
// # Blocks
//
// Far from its ends the forward-backward filter is a convolution whose response
// decays geometrically. Tail(tol) is the number of samples beyond which the rest
// of it is below tol, so a long signal can be filtered block by block, each read
// with Tail(1e-12) samples more on both sides, and the result equals that of the
// whole signal to rounding.
package filter
