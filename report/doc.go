// Package report draws an identification result: plots of torques, residuals
// and parameters, one HTML page that opens offline, and a summary for the
// terminal.
//
// # Input and output
//
// Everything is drawn from two values: a [result.Result], with parameters, errors and
// verdicts, and the [result.ResidualRun]s of the same result, with measured and predicted
// torques; the page shows the robot of a [scene.Scene] as well, where it is given one. The package imports nothing of the estimation, opens no file, and reads no
// clock: the same input gives the same bytes. [Plots] draws, [HTML] writes the page around
// the drawings, [Summary] one screen for the terminal and [Text] all tables.
//
// # The page
//
// The first screen answers whether the result can be used: the grade with three reasons
// and their cures, the errors on motion not seen and on the training motion, the weak
// parameters, the bodies, and each joint's share of torque that is not explained. The
// sections below are closed to one line each, but for the errors in units and the bodies. The page is one file that refers to
// nothing outside itself and forbids itself to (Content-Security-Policy); without
// JavaScript it shows the same numbers with static figures, and on paper too. Rows are
// counted from 1, first and last included.
//
// # Conventions
//
// The residual is measured minus predicted torque. Joints keep the order of the
// result, and torques the unit that the result states for the joint. The filter
// stands beside every error, because a lower cut-off alone makes any error
// smaller. A parameter is called weak when its standard deviation exceeds
// [WeakPercent] of its value; weak parameters carry a word or an open mark,
// never a colour alone.
//
// Numbers that are not finite come out as a dash (NaN) or as ∞; they never
// stop a report, since a report on a bad fit is the one that is needed most.
// Missing entries (a result without validation, runs without samples, per-joint
// lists that are too short) are treated as NaN. Only runs whose shape
// contradicts the result are refused, with [ErrShape].
//
// # Long runs
//
// A curve of n samples on a panel w pixels wide is drawn as its envelope: the
// samples are put in w bins and each bin keeps its first, lowest, highest and
// last sample in their order of time, which strokes the same pixels as the whole
// curve does (Jugel, Jerzak, Hackenbroich and Markl, "M4: a visualization-oriented
// time series data aggregation", VLDB 2014). The size of a page therefore does
// not depend on the length of the logs.
//
// # Residual statistics
//
// The histogram is a density, drawn with the normal density of the same mean
// and variance. The autocorrelation at lag l is
//
//	ρ(l) = Σ_runs Σ_k r[k]·r[k+l] / Σ_runs Σ_k r[k]²
//
// with each run's mean removed, over the stored samples; lags are given in
// seconds. White residuals of n samples stay within ±1.96/√n at 95 % of the
// lags (Box, Jenkins and Reinsel, "Time Series Analysis", section 2.1.6). Residuals
// that went through a low-pass are never white: the band shows the dependence of the
// samples, which the correlation factor of the result corrects.
//
// # Colours
//
// gonum/plot writes fixed colours. The plots are drawn in the light palette,
// and in the SVG each of its colours is then replaced by a CSS custom property
// with that colour as the fallback, #8A95A1 by var(--ident-measured,#8A95A1) for
// instance; a style element inside the SVG sets the properties for dark
// screens. So a plot follows the reader's setting both inside the page and as
// a file of its own, a viewer that knows no custom properties shows the light
// palette, and paper is always light. Curves that share
// a panel differ in width and in lightness as well as in hue: grey for the measured
// torque, blue for the predicted one and bluish green for the residual, which remain
// distinct for colour-blind readers (Okabe and Ito, "Color universal design", 2008), at a
// contrast of at least 3 with the ground for curves and of 4.5 for text (WCAG 2.2, 1.4.3
// and 1.4.11). Amber and red mean doubt and failure, beside a word or a mark.
package report
