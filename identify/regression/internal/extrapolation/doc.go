// Package extrapolation finds the error that the standard deviations of an estimate make on motions other than the one
// that it was estimated from: random states within the reach of that motion and of the joints.
package extrapolation
