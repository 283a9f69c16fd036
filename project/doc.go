// Package project is the front door: from the files that somebody has, a robot
// file, logs and perhaps an ident.yaml, to an identification, and from its
// outcome to the folder of a result.
//
// # A project
//
// A project is a robot, logs and [Settings]. The settings are the content of
// ident.yaml, of which every key is also an option of the command line; both
// write the same struct, the file first and the options over it. [Read] refuses
// keys that it does not know: a misspelt setting that is silently ignored costs a
// day. Paths in the file are relative to its folder.
//
// # How a log finds its robot
//
// [FindRobot] takes the robot that was named by hand; else the one that a log
// carries in its metadata, as whole text under the key ident.robot with its hash
// under ident.robot.sha256; else the one of ident.yaml; else it says all three.
// Gravity, loops, the assembly of loops, shared drives and limits of the settings
// are then written over the file's.
//
// [Prepare] puts a robot and logs together. The channels are mapped to the joints,
// numbered in the robot's order or in that of the setting joints. Joints without a
// position or a torque in some log are locked, at zero unless the setting lock says
// where. Virtual joints of a base that floats, or that stands on a sensor of force
// and moment, get the zeros that the log does not write down. The loops of a closed
// robot are assembled at the first row of the first run.
package project
