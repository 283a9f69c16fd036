// Package project reads the settings of a project and the files that they name, a robot and logs, and brings them
// together. Package identify calls it, in the order of a fit: most programs need that package alone. Package folder has the
// results on disk.
//
// # A project
//
// A project is a robot, logs and [Settings]. The settings are the content of
// ident.yaml, and nearly every key is an option of the command line as well. [Table]
// declares each of them once: key, option, group, help, the field that both write, and
// the check of its value. [Read] reads the file first; [Setting.Set] then writes the
// options over it: entries of a map add to those of the file, anything else replaces
// them. Keys that the table lacks are errors: a misspelt setting that is silently
// ignored costs a day. [Check] judges each value by itself, [CheckFit] the settings of
// a fit together. Paths in the file are relative to its folder.
//
// # How a log finds its robot
//
// [FindRobot] takes the robot that was named by hand; else the one that a log
// carries in its metadata, as whole text under the key ident.robot with its hash
// under ident.robot.sha256; else the one of ident.yaml; else its error names all three.
// Gravity, loops, the assembly of loops, shared drives and limits of the settings
// are then written over the file's.
//
// [Prepare] puts a robot and logs together. The channels are mapped to the joints,
// numbered in the robot's order or in that of the setting joints. Joints without a
// position or a torque in some log are locked, at zero unless the setting lock says
// where. Virtual joints of a base that floats, or that stands on a sensor of force
// and moment, get the channels of zeros that the log lacks. The loops of a closed
// robot are assembled at the first row of the first run.
//
// # A fit, a validation
//
// A [Job] is what a fit needs: [OpenJob] opens the logs, prepares them and has the doctor read them, and
// [Job.Complete] writes into the result where it comes from. [folder.WriteResult] writes the folder.
// [OpenFitted] rebuilds the model of a result from its folder, and refuses one whose
// base parameters are others by now; [Fitted.Predict] compares it with further logs.
//
// # Errors
//
// A [SettingError] is a setting that cannot be used, a [HintError] a file that a
// setting would mend. Their texts name settings by key; [Describe] names them as the
// reader knows them.
package project
