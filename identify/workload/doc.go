// Package workload brings a robot file or a result, and a trajectory or a log, to the loads of
// the motion (package loads).
//
// # Robot
//
// OfRobot takes bodies, rotors and friction of a robot file. OfResult takes those of a result: its torques are those of
// the identified model, with all of its terms, and the standard deviation of a peak follows from the covariance C of
// the base parameters by σ² = φᵀ·C·φ, with φ the row of the base regressor at the peak's sample. Wrenches need all
// parameters of the bodies, of which torques determine combinations only: the rest is from the robot file, as in an
// export.
//
// # Motion
//
// A trajectory is coefficients of a design, or samples without torques; it is taken as it is. A log of a robot, with
// torques or currents, goes through the signal path of a fit (package observation): clock, low-pass of the motion,
// differences or measured derivatives that agree with them, ends cut.
package workload
