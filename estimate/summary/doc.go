// Package summary holds the parts of logs that fits need, in files: the triangular factors of their time blocks, with
// everything that tells which robot, model and signal path the rows behind them are of.
//
//	log ─► Project.Reduce ─► Summary ─► Encode ─► part.idr
//	part.idr … ─► Decode ─► Merge ─► FitSummary ─► result.Result
//
// A [Summary] is a value. This room makes it bytes and back, merges it and shortens it, and knows neither logs nor
// estimation; package identify makes summaries of logs (Project.Reduce) and fits of summaries (FitSummary).
//
// # Merging
//
// [Merge] puts the runs of summaries in the order of their keys (start, name, hash, first row, fingerprints). It
// computes nothing with the factors, so that any order and any grouping of merges gives the same value, and [Encode] the
// same bytes: a cluster may merge as it pleases. Summaries of another robot, model, signal path or of other settings are
// a [*DifferenceError], and samples that two of them have in common an [*OverlapError]: then, too, any order of merges
// ends in an error.
//
// # Blocks
//
// Every run has its own time blocks, in the order of time. [Summary.Coarsen] merges blocks by pairs, 2i with 2i+1, until a
// run has at most so many. The rest after some halvings depends on their number alone, so that coarsening commutes with
// merging, to the last bit. Covariance assumes that correlation ends within a block's neighbour: longer blocks keep that, and
// cost degrees of freedom, which intervals count. All runs together keep [FewestBlocks] at least: many runs may have one block each.
//
// # Files
//
// A file is a Parquet table of doubles with a row for each number of a factor:
//
//	run, block, joint, rest, value
//
// joint 0 is the mean of the motion over the block, and joint k the factor of the k-th equation: R's upper triangle by rows, Z, the
// residual sum of squares, Σy² and the number of rows; rest is 1 for the factor of rows at rest. The key "ident.summary" of the
// table's metadata holds the rest as JSON, and "ident.summary.sha256" the SHA-256 of that text and of all values. A reader
// takes no more memory than the file is long, refuses a newer major version by a [*VersionError], and ignores fields of a newer
// minor one.
package summary
