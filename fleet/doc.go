// Package fleet identifies the robots of a fleet from all their logs, as a pipeline of Apache Beam.
//
//	manifest ─► list ─► shards ─► take ─► combine by robot ─► results
//	              │        │        │                            │
//	              └────────┴────────┴──► quarantine ─► counts ◄──┘
//
// The same pipeline runs in one process on the embedded runner Prism, and on Flink, Spark or Dataflow.
//
// # Stages
//
// List reads the manifest (package manifest) and expands patterns. Its entries are grouped into shards by the hash of the log's
// path, so that a log that is listed twice meets itself. Take (package intake) reads a log, has the doctor examine it and reduces
// it; a log that is refused, for whichever reason, a panic too, goes into the quarantine.
//
// # Retries
//
// Stages have no effects but those of the last ones, which write files under names that follow from their content's key: a bundle
// that a runner repeats writes the same bytes again. Prism repeats no bundles. A file system that fails is asked again within
// the stage (package intake), and so is every write.
package fleet
