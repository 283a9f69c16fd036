// Package datasets reads and writes the logs of robots.
//
// A [Log] is a table of scalar channels on one clock: a row per sample, a column per channel, float64, NaN
// where a value is missing. It is columnar and lazy. Nothing in this package or around it assumes that a
// log fits in memory: [Log.Scan] hands out batches of some channels in row order, as often as wanted and
// to several goroutines at once, and the memory of a scan is a batch, plus one page (Parquet) or record
// batch (Arrow) of each channel. Text and recordings of messages cannot be read from the middle, so they
// are decoded once when they are opened, into memory or, beyond a limit, into a temporary columnar file.
//
// [Open] reads a file by its path, [OpenReader] bytes with random access from anywhere else. A log may hold
// several runs of an experiment one after another, each with a clock of its own. [Join] writes such a log
// and [Log.Runs] takes it apart again.
//
// # Units
//
// All values that pass through this package's functions are in SI units, in both directions. A file may
// declare others, in a column's name ("q1 [deg]", "i1(mA)") or in its metadata, or [Options.Units] may
// declare them; they are converted on reading. [Channel.Unit] keeps the declaration. Files are written
// in SI. Time stamps of Parquet and Arrow become seconds counted from the column's first value.
//
// # Formats
//
//   - CSV with a header line: comma, semicolon or tab, decimal point or (not with commas) decimal comma,
//     quotes, UTF-8 byte order mark, CR LF, gzip or zstd. Lines "# key: value" above the header are
//     metadata. Written with the names in the first line, metadata in a file beside it.
//   - Parquet: columns of numbers; the fields of structures and the entries of lists of one length are
//     channels, "pose.x" and "state[0]". Written as float64 in row groups of 16 to 64 thousand rows, metadata
//     as key-values.
//   - Arrow IPC, file (.arrow, .feather version 2) and stream (.arrows), with the same columns.
//   - Recordings of ROS: MCAP (also written), ROS 2 bags in MCAP or SQLite, ROS 1 bags. Their messages of
//     type sensor_msgs/JointState become channels q_NAME, dq_NAME and tau_NAME, those of type
//     control_msgs/JointTrajectoryControllerState these and q_ref_NAME; Options.Topics chooses.
//   - HDF5 (.h5, .hdf5, .mat of MATLAB 7.3), only read: package internal/hdf5.
//   - NumPy .npz (also written) and .npy, MATLAB .mat of level 5 (also written). A matrix with as many rows
//     or columns as the clock has samples becomes numbered channels, q into q1, q2, …; texts and single
//     numbers become metadata.
//
// # Trust
//
// A file is not trusted. Lengths are compared with the file before any allocation, the expanded size is
// bounded in proportion to the size of the file, and a decoder's panic on damaged bytes is an error like
// any other. Parquet and Arrow are decoded by Apache Arrow's library, which allocates by the lengths that it
// finds: here the footer, the header of every page and the description of every batch are checked in front of
// it. It takes codecs of Parquet for the whole process, among them those of this package (compress.RegisterCodec).
// Columns of our Parquet and Arrow files are compressed by Zstandard with checksums, and their description has
// one of its own, so that no single changed bit changes a number without an error. Errors say file, row, line, column, topic or byte and can be matched, see [FileError]. This
// package does not judge values: 1e306 and NaN are numbers here.
//
// # Roles
//
// [MapChannels] finds clock, positions, velocities, accelerations, torques and currents of a robot's
// joints by the channels' names. [FindPreset] knows those of recordings that robots' own tools write.
//
// The layouts are those of the Apache Parquet format specification, of the Arrow columnar format, of the
// MCAP format specification (mcap.dev), of ROS' bag format 2.0, of NumPy's format description
// (numpy.lib.format) and of MathWorks' "MAT-File Format". Messages of ROS 2 are in the Common Data
// Representation of the Object Management Group (DDS-XTypes 1.3, 7.4).
// Numbers in text are read exactly, by the fast path of W. D. Clinger, "How to read floating point
// numbers accurately", 1990, where it applies.
package datasets
