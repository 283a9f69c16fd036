// Package drift looks for changes of a robot's parameters over months in its summaries, without its logs.
//
// # Windows
//
// Runs are put into windows of equal length by their begin, and every window is fitted alone, by weighted least squares of
// its rows in motion, with the model of the summary. Deviations are those of independent errors in the weighted rows of the
// window, times the correlation of errors within a run: of each parameter the median over all windows of the ratio that the time blocks
// tell (package estimate). One window has so few blocks that its own ratio may be off by a factor of ten, and means weighted by
// it would be those of a single window. Windows whose rows do not determine all parameters are left out, and said.
//
// # Changes
//
// Of a parameter's estimates x_w with standard deviations s_w, in the order of time, the generalised likelihood ratio
// for a step at an unknown window against none is, with known standard deviations, the largest over all splits of
//
//	z² = (x̄_after − x̄_before)² / (1/Σ_before s_w⁻² + 1/Σ_after s_w⁻²)
//
// with means weighted by s_w⁻² (Hawkins 1977). Errors that are the same within a window and differ from one to the
// next, such as those of the day's temperature or of the motion, are in no s_w: where the median square of the
// differences of successive windows, in their own standard deviations, is above that of normal numbers, the standard
// deviations are widened by its root (the ratio of Birge 1932, by a median, in which a step is one difference of many).
// A step is a change where |z| is beyond Student's quantile with the number of windows less two degrees of freedom at a
// chance of 5 % for all parameters, splits and both signs together (Bonferroni; for splits see Worsley 1982): a robot
// without drift gives any alarm at most once in twenty years of windows like these. Behind and before a change the
// search goes on at the same limit (binary segmentation, Vostrikova 1981).
//
// # Sources
//
// D. M. Hawkins, Testing a sequence of observations for a shift in location, Journal of the American Statistical Association 72, 1977.
// K. J. Worsley, An improved Bonferroni inequality and applications, Biometrika 69, 1982.
// L. Ju. Vostrikova, Detecting "disorder" in multidimensional random processes, Soviet Mathematics Doklady 24, 1981.
// R. T. Birge, The calculation of errors by the method of least squares, Physical Review 40, 1932.
package drift
