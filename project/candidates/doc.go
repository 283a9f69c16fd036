// Package candidates fits the alternatives that a fit did not choose. The decisions of a fit, on friction terms, possible bodies,
// priors, rest, couplings and the source of velocities, fall on the training data alone, by the error on rows left out
// or the noise of signals. Each candidate that lost is fitted with all other decisions as they fell, so that the reader
// of the result sees the difference that a decision makes: in the parameters with their intervals, and in the errors
// on validation logs, which no decision has seen.
//
// A candidate is a setting of the project, so that the same fit comes from the setting by hand; only the delay of
// measured velocities is taken from the result, as its measurement belongs to the decision on their source.
package candidates
