// Package design designs motions that make the base parameters of a robot as visible in the joint torques as the limits
// allow. It brings a robot and the knowledge of an earlier fit to package excite, which searches, and states the outcome.
//
// # A design
//
// [Run] reads the robot of the settings, finds its base parameters and searches a motion under [Options]. The outcome is a
// [Design]: the motion, and a [Document] with its condition numbers, the free part of every limit, distances, the
// predicted deviations of the base parameters, and the directions that the motion determines least. [Design.Write] writes
// the files that the options name, each by its extension: coefficients, samples, a page, a report, a picture, or the
// program of a robot controller.
//
// If [Options].Static is set, the motion passes poses slowly in both directions, so that friction cancels. [Hold] designs a
// motion that holds poses which its caller chooses among free ones.
//
// # What is known beforehand
//
// Limits of torque hold for base parameters of the robot file that are off by [Options].Uncertainty. [Options].After names the
// folder of an earlier fit: its parameters with their covariance are then the knowledge before the design, and the noise of its
// residuals is the noise of the new log, inflated by its correlation. [OpenModel] is the model of a design, and [Model.Earlier]
// what a result adds to it.
package design
