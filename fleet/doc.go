// Package fleet identifies the robots of a fleet from all their logs, as a pipeline of Apache Beam.
//
//	manifest ─► list ─► shards ─► take ─► combine by robot and day ─► days ─► combine by robot ─► fit ─► results
//	              │        │        │                                  │                         │        │
//	              └────────┴────────┴──────────► quarantine ◄──────────┴─────────────────────────┘        │
//	                                                 └─────────────────► counts ◄─────────────────────────┘
//
// The same pipeline runs in one process on the embedded runner Prism, and on Flink, Spark or Dataflow.
//
// # Stages
//
// List reads the manifest (package manifest) and expands patterns. Its entries are grouped into shards by the hash of the log's
// path, so that a log that is listed twice meets itself. Take (package intake) reads a log, has the doctor examine it and reduces
// it; a log that is refused, for whichever reason, a panic too, goes into the quarantine.
//
// Days bounds the summaries of a robot: of more than a few logs of a day, or of logs without a date that have the same hash of their path,
// the checks that need a single log are made among them, and their time blocks become those of one run (summary.Summary.Joined). Both
// combinations are by content and in the order of the members' keys, so that no bit depends on the runner. Settle gives the logs
// of such a day the fate of their day in the robot's fit.
//
// # Retries
//
// Stages have no effects but those of the last ones, which write files under names that follow from their content's key: a bundle
// that a runner repeats writes the same bytes again. Prism repeats no bundles, Flink those of a worker that died. A file system that fails is asked again within
// the stage (package intake), and so is every write.
package fleet
