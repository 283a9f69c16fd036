// Package regression turns a robot and its logs into an identified model: the passes
// over the rows of package observation that estimates and their judgement need.
//
//	begin ─► open ─► one pass: rows ─► time blocks ─► estimate
//	                 one pass: prediction, filter, errors and residuals
//
// Fit does all of it; Predict does the second pass for parameters that are
// already there. Neither holds a log in memory.
//
// # Stages
//
// begin finds the base parameters and opens the runs: clocks, "auto", closed loops. The
// experiment that it returns is never changed. Every pass is one stage, from a chunk of
// a log to a value, run by observation.Pass on any number of goroutines, and a sum
// in the chunks' order:
//
//	reducer    chunk ─► timeBlocks      summed by blockMerger into estimate.Reduction
//	predictor  chunk ─► errors          summed into result.Errors, residuals for plots
//	extender   chunk ─► factors         of the reducer's rows with added terms, for the lack-of-fit test
//
// # Models
//
// Config.Model chooses how rows are made (package observation); all models have the
// same columns and base parameters. FitModels fits several models over the same time
// blocks, and Agreement tells which differ. Errors compare torques whatever the model.
//
// # Terms and their signals
//
// Config.Known moves the torques of known parameters to the measurement vector. A
// payload is on its link in the runs with Run.Carries, a wrench
// comes from its channels (Run.Wrench), and with drive gains among the unknowns
// (Run.UnknownGains) the measurement vector is the torque of the known parameters, zero
// without them: then nothing is determined, and the fit is refused. Gains are estimated with
// errors in the currents (estimate.Gains) unless another estimator is asked for.
//
// Stribeck velocities are estimated where the term has none: see searchStribeck.
//
// # Closed loops
//
// Runs of a robot with closed loops have the driven joints' channels. CheckLoops
// goes along each before anything is computed from it: the assembly stays the
// same, a row that cannot be reached is a *LoopError, and states on the way are
// kept for chunks to begin at, so that those are the same for any number of
// workers.
//
// # Order
//
// Chunks are handed to as many goroutines as there are processors, and their results
// are put in order before they are added up. The cuts between chunks and between the
// time blocks of estimate.Reduction follow from the log and the configuration alone.
// The bits of a result are therefore the same for any number of workers.
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
// # Further passes and diagnosis
//
// Estimators that read the rows again get them from the same chunks, changed before
// they are reduced; a change that remembers rows before its own makes chunks reach
// back further. After the fit, residuals of the training runs are tested as they
// pass by. The pass of the fit also reduces the rows of some 400 000 samples with further
// columns: terms of friction and drift that the model may lack. Before it, samples that two runs share
// are a *LeakError: rows by their numbers in one file, by their content in two.
//
// # Online
//
// Online takes rows as they are measured and works the same chunks off as soon as
// the filters can reach them. It holds the rows within the filters' reach, and a
// bounded number of time blocks.
//
// # Sources
//
// G. H. Golub and V. Pereyra, The differentiation of pseudo-inverses and nonlinear
// least squares problems whose variables separate, SIAM J. Numer. Anal. 10, 1973.
// W. K. Newey and K. D. West, A simple, positive semi-definite, heteroskedasticity
// and autocorrelation consistent covariance matrix, Econometrica 55, 1987.
package regression
