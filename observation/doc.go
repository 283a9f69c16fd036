// Package observation is the signal path of an identification: from the segments of
// a log to filtered motion, and on to the rows of the observation matrix W and the
// measurement vector y in
//
//	y = W·χ + e
//
// It knows robots only by their regressor, and neither reduces rows nor estimates.
//
// # Flow
//
//	Run ─► Segments ─► Choose ─► Source ─► Pass ─► Chunk ─► Observer ─► Observation ─► Rows
//	        clock       auto      filters   order            motion      regressor      filter
//
// The stages take values and return values. Each can be used alone: MotionFilter and
// RowFilter work on columns in memory of any origin, Observer on a chunk, Pass on
// the sources of a log. Designs (Filters, MotionFilter, RowFilter) are immutable and
// shared by goroutines; scratch memory (MotionWork, RowWork, Observer) belongs to one.
// After the first chunk a stage allocates nothing per sample.
//
// # Segments
//
// Segments reads the clock of a run. A row whose time is not after that of the row
// before, or that holds a value that is not finite in a channel that is used, is a
// *RowError, or is left out and counted. A gap of more than 0.1 s and ten intervals
// ends a segment: interpolation across it would invent motion that a low-pass at 10 Hz
// still passes. The rows of a segment with a steady clock are its samples; any other
// segment is resampled onto its median interval by piecewise cubics; times that were rounded, to milliseconds say, are first put back
// onto the steady clock that they are of (filter.Times.Regular).
//
// # Motion
//
// Positions (rad, m), and velocities and accelerations where they are measured and
// chosen, go through a zero-phase low-pass at Settings.MotionCutoff; the other
// derivatives are differences of five points. MeasureNoise estimates the noise of every
// motion channel; where velocities come from positions, MotionCutoff chooses the low-pass
// by it, and VelocityErrors leaves a noisy measured velocity for them. Settings.Differentiator puts local cubics
// or a Kalman smoother instead of both. Choose takes a measured channel if it
// agrees with the differences and lags by no more than 1.5 samples.
//
// # Rows
//
// The regressor of the filtered motion and the torque (N·m, N), or motor current times
// drive gain, go through one and the same filter F, column by column (parallel
// filtering, Gautier 1997):
//
//	F(τ) = F(Y)·χ
//
// a zero-phase low-pass at Settings.Cutoff, or a FIR filter that also keeps every
// Decimate-th row. With Settings.KeepRate only the rows of the low-pass at that rate are
// computed, as sums over its poles (filter.Decimator), while the regressor of some
// hundred samples is in the cache. It is exact for any linear filter, so with exact motion it costs
// nothing: noise-free logs give their parameters back to 1e-8 through every filter.
// From positions alone the motion filter M is an approximation, whose error falls with
// the fourth power of motion frequency over MotionCutoff. Where M is near the band of the rows,
// Settings.TorqueThroughMotion sends the torque through it too, and with it the columns that
// hold the sign of a velocity or a measured channel: F(M(τ)) = F(Y(M(q)))·χ is exact for terms
// that are linear in the motion. Other models have the same columns, made of energies and momenta of unit
// parameters, and use no acceleration:
//
//	power     F(q̇ᵀτ) = F(d/dt h)·χ               as the dynamic model, one row per sample
//	energy    ∫q̇ᵀτ dt = Δh·χ                      over windows, one row each
//	filtered  F(τ) = (F'(D1) + F(D2))·χ            F causal with real poles, F' = s·F
//	momentum  ∫τ dt = (ΔD1 + ∫D2 dt)·χ            over windows
//
// Columns that store no energy enter by their power, through the same operator as
// the measurement vector, so a reversal of friction within it costs no accuracy. F' is
// made of low-passes, never of differences. Windows overlap by half: neighbouring rows
// are correlated.
//
// Where accelerations step, sampled torques know the instant to a sample only: the response of the rows to one sample at
// every step (StepRule) is eliminated from both sides.
//
// Torques of known parameters are subtracted from the measurement vector before the
// filter; rows of unactuated joints are zero.
//
// # Delays
//
// Zero-phase filters have none. A window has its row at its first sample, the causal
// filter at its output: RowFilter.Centre gives the time of the centre, so that the
// same noise falls into the same time block of all models.
//
// # Chunks
//
// Segments are worked on in chunks, each read with an overlap on either side: four
// samples for the differences, and for each filter the length after which its response
// is below 1e-12. The rows of a chunk's own samples are therefore those of the whole
// segment, to rounding, and memory does not grow with the log. Settings.Trim seconds at
// both ends of every segment, where filters extrapolate, are no rows.
//
// # Determinism
//
// Pass hands chunks to any number of goroutines and their results on in the chunks'
// order. The cuts between chunks follow from the log and the settings alone. The bits
// of every sum are therefore the same for any number of cores.
//
// # Sources
//
// M. Gautier, Dynamic identification of robots with power model, IEEE ICRA 1997.
// M. Gautier and W. Khalil, On the identification of the inertial parameters of
// robots, IEEE CDC 1988: the energy model.
// W. Khalil and P. P. Restrepo, An efficient algorithm for the calculation of the
// filtered dynamic model of robots, IEEE ICRA 1996.
// W. Khalil and E. Dombre, Modeling, Identification and Control of Robots, 2002,
// section 12.4.
package observation
