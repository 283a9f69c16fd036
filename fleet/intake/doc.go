// Package intake takes one log of a fleet from its file to a summary, or says why it cannot. It knows no pipeline.
//
//	Entry ─► copy of the file ─► robot and channels ─► doctor ─► summary
//	                   └─────────────────┴────────────────┴────► Refusal
//
// A log is refused, not mended: a fleet has more logs than anybody looks at, and a repair that is right for one robot's
// logger is wrong for another's. Settings that repair every log (units, a channel's name) belong into ident.yaml.
//
// # Reasons
//
//	manifest     the row of the manifest cannot be used
//	no-file      the path, or the pattern, names no file
//	duplicate    the log is listed twice
//	robot-file   the robot's file cannot be read, or is not that of most of its robot's logs
//	unreadable   the log's file is damaged, empty, or no log
//	channels     channels of the robot's joints are missing, or those of more joints are there
//	reduction    no rows are left, or the signal path cannot be built
//	overlap      its samples are in another log of the robot already
//	misfit       the parameters of all its robot's logs leave more than half of its torques: it is another robot's
//	signal-path  its signal path is not that of most of its robot's logs
//	fit          its robot cannot be fitted
//	storage      the file system failed again and again
//	panic        a fault of this program
//
// and the ids of the doctor's findings: every one of severity error, and those of Options.Refuse.
//
// # Failures that pass
//
// Errors of a file system other than "no such file" may pass: [Reader.Take] tries again, Options.Attempts times in all, and waits
// in between. A log's work writes nothing but a temporary file, so that it can be repeated by anybody at any time.
package intake
