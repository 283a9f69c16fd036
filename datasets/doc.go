// Package datasets reads and writes the logs of robots.
//
// A [Log] is a table of scalar channels on one clock: a row a sample, a column a channel, float64, NaN
// where a value is missing. It is columnar and lazy. Nothing in this package or around it assumes that a
// log fits in memory: [Log.Scan] hands out batches of some channels in row order, as often as wanted and
// to several goroutines at once, and what a scan needs is a batch, plus one page (Parquet) or record
// batch (Arrow) of each channel. A CSV file cannot be read from the middle, so it is decoded once when it
// is opened, into memory or, beyond a limit, into a temporary columnar file.
//
// # Units
//
// All values that pass through this package's functions are in SI units, in both directions. A file may
// declare others, in a column's name ("q1 [deg]", "i1(mA)") or in its metadata, or [Options.Units] may
// declare them; they are converted on reading. [Channel.Unit] keeps what was declared. Files are written
// in SI. Time stamps of Parquet and Arrow become seconds counted from the column's first value.
//
// # Formats
//
//   - CSV with a header line: comma, semicolon or tab, decimal point or (not with commas) decimal comma,
//     quotes, UTF-8 byte order mark, CR LF, gzip. Lines "# key: value" above the header are metadata.
//   - Parquet: scalar columns of numbers. Written as float64 in row groups of about 128 thousand rows,
//     zstd, metadata as key-values.
//   - Arrow IPC, file (.arrow, .feather version 2) and stream (.arrows).
//
// A file is not trusted. Lengths are compared with the file before anything is allocated by them, and a
// decoder's panic on damaged bytes is an error like any other. Errors say file, row, line and column and
// can be matched, see [FileError]. Judging the values is not this package's business: 1e306 and NaN are
// numbers here.
//
// # Roles
//
// [MapChannels] finds clock, positions, velocities, accelerations, torques and currents of a robot's
// joints by the channels' names.
//
// The layouts are those of the Apache Parquet format specification and of the Arrow columnar format.
// Numbers in text are read exactly, by the fast path of W. D. Clinger, "How to read floating point
// numbers accurately", 1990, where it applies.
package datasets
