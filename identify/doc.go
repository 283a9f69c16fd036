// Package identify turns a robot and its logs into an identified model: the
// passes over the data that lie between package datasets and package estimate.
//
//	clock ─► choose ─► one pass: motion, regressor, filter, reduction ─► estimate
//	                   one pass: prediction, filter, errors and residuals
//
// Fit does all of it; Predict does the second pass for parameters that are
// already there. Neither holds a log in memory.
//
// # Runs, segments, chunks
//
// A Run is a stretch of a log. Its clock is read first: a row whose time is not
// after that of the row before, or that holds a value that is not finite in a
// channel that is used, is a *RowError, or is left out and counted
// (Config.DropBad). A gap of more than 0.1 s and ten intervals cuts the run into
// segments, which are filtered apart. The rows of a segment with a steady clock
// are used as they are; any other is resampled onto its median interval by
// piecewise cubics.
//
// Segments are worked on in chunks, each read with an overlap on either side:
// four samples for the differences, and for each filter the length after which
// its response is below 1e-12. What a chunk computes of its own samples is
// therefore what the whole segment would have given, to rounding, and memory
// does not grow with the log.
//
// # Rows
//
// Positions, and measured velocities and accelerations where they are used, go
// through a zero-phase low-pass at Config.MotionCutoff; what is not measured is
// differenced by five points; Config.Differentiator puts local cubics or a Kalman
// smoother in the place of both. "auto" takes a measured channel if it agrees with
// the differences and lags by no more than 1.5 samples; the result's reasons say
// which it was. The regressor of that motion and the torque, or motor current
// times drive gain, then go through one and the same filter, column by column:
//
//	F(τ) = F(Y)·χ
//
// a low-pass at Config.Cutoff (parallel filtering, Gautier 1997), or a FIR filter
// that also keeps every Decimate-th row. It is exact for any linear filter, so
// with exact motion it costs nothing: noise-free logs give their parameters back
// to 1e-8 through every filter. From positions alone the motion filter is an
// approximation, whose error falls with the fourth power of motion frequency
// over MotionCutoff.
//
// Config.Trim seconds at both ends of every segment, where filters extrapolate,
// are no rows.
//
// # Models
//
// The rows above are those of the dynamic model. Config.Model chooses others with
// the same columns and base parameters, made of energies and momenta of unit
// parameters (package regressor) and of no acceleration:
//
//	power     F(q̇ᵀτ) = F(d/dt h)·χ               as the dynamic model, one row a sample
//	energy    ∫q̇ᵀτ dt = Δh·χ                      over windows, one row each
//	filtered  F(τ) = (F'(D1) + F(D2))·χ            F causal with real poles, F' = s·F
//	momentum  ∫τ dt = (ΔD1 + ∫D2 dt)·χ            over windows
//
// Columns that store no energy enter by their power, through the same operator as
// the known side, so a reversal of friction within it costs no accuracy. F' is made
// of low-passes, never of differences. Windows overlap by half; the time blocks of
// the reduction, several windows long, account for it. FitModels fits several
// models over the same time blocks, and Agreement says which differ.
//
// Errors compare torques whatever the model.
//
// # What terms need
//
// Config.Known moves the torques of parameters that are known to the known side of
// every row. A payload is on its link in the runs that say so (Run.Carried), a wrench
// comes from its channels (Run.Wrench), and with drive gains among the unknowns
// (Run.UnknownGains) the known side is what Known makes of it, and zero without: then
// nothing is determined, and the fit is refused. Gains are estimated with
// errors in the currents (estimate.Gains) unless another estimator is asked for.
//
// Stribeck velocities are estimated where the term has none: see searchStribeck.
//
// # Closed loops
//
// Runs of a robot with closed loops have the driven joints' channels. FollowLoops
// goes along each before anything is computed from it: the assembly stays the
// same, a row that cannot be reached is a *LoopError, and states on the way are
// kept for chunks to begin at, so that those are the same for any number of
// workers.
//
// # Order
//
// Chunks are handed to as many goroutines as there are processors, and what
// they return is put in order before it is added up. Where a segment is cut, into
// chunks and into the time blocks of estimate.Reduction, follows from the log and
// the configuration alone. The bits of a result are therefore the same for any
// number of workers.
//
// Time blocks are four periods of the cut-off or a hundredth of the segment,
// whichever is longer: the covariance assumes that correlation does not reach
// beyond a block's neighbour. Short segments have eight at least, and a bound on
// the memory of all keeps blocks long where robots are large or gaps many.
//
// # Errors
//
// Relative errors compare predicted with measured torque, both through the
// filter of the fit, and also the prediction from the filtered motion with the
// torque as logged. Residuals are kept for plots, thinned by powers of two where
// a run has more than Config.SeriesLimit rows.
//
// # Further passes, and what judges a fit
//
// Estimators that read the rows again get them from the same chunks, changed before
// they are reduced; a change that remembers rows before its own makes chunks reach
// back further. After the fit, residuals of the training runs are tested as they
// pass by, and one more pass, over no more than some 400 000 samples, looks for terms
// of friction and drift that the model lacks. Before it, samples that two runs share
// are a *LeakError: rows by their numbers in one file, by their content in two.
//
// # Following
//
// A Follower takes rows as they are measured and works the same chunks off as soon as
// the filters can reach them. It holds what they reach back over, and a bounded
// number of time blocks.
//
// # Sources
//
// M. Gautier, Dynamic identification of robots with power model, IEEE ICRA 1997.
// W. Khalil and E. Dombre, Modeling, Identification and Control of Robots, 2002,
// section 12.4.
// M. Gautier and W. Khalil, On the identification of the inertial parameters of
// robots, IEEE CDC 1988: the energy model.
// W. Khalil and P. P. Restrepo, An efficient algorithm for the calculation of the
// filtered dynamic model of robots, IEEE ICRA 1996.
// G. H. Golub and V. Pereyra, The differentiation of pseudo-inverses and nonlinear
// least squares problems whose variables separate, SIAM J. Numer. Anal. 10, 1973.
// W. K. Newey and K. D. West, A simple, positive semi-definite, heteroskedasticity
// and autocorrelation consistent covariance matrix, Econometrica 55, 1987.
package identify
