// Package experiment runs a virtual experiment on a robot file: a motion, a controller if there is one, and sensors with
// their faults, into a log that carries the robot.
//
// [Run] reads the robot of the settings and the motion of [Options], runs package simulate and writes the log. Without a
// controller the robot follows the motion exactly. With one, a control law asks its drives for torques, and the robot moves
// as they and its friction let it. A robot with elastic joints is simulated by package elastic. [Open] returns the
// experiment itself, for records that are repeated with other draws.
package experiment
