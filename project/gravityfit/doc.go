// Package gravityfit brings a robot file and logs of slow passes in both directions to identify/gravity, and writes its table.
//
// The base parameters are those of a fit with the same robot, terms and locked joints, so that its document can be the prior of
// that fit (the setting prior). The doctor does not read these logs: its questions about excitation are those of fast motions.
package gravityfit
