// Package torquefree makes logs of commands and positions into logs with torques: those
// that the controller's law asked for, with the gains that are known or that package
// outputerror finds.
//
// Such a log then goes the way of any other: its law's torques are the measurement vector of
// the rows, of the errors and of the residual tests, which tell whether the declared law and the model hold.
// The estimate itself is that of the output error (see [Estimator]).
package torquefree
