// Package arrow reads the numeric columns of Arrow IPC files and streams, and writes tables of float64.
//
// A stream is a schema and record batches, each a message: a length, a flatbuffer that describes it, and a body
// of buffers. The "file" format has a magic word in front and a footer behind. [Open] reads the descriptions: the
// schema as [Column], and the rows of the batches. [Batch.Column] finds a column's buffers in a batch, and
// [Values.Read] decodes any of its rows into the caller's float64, NaN where a value is null: from the file as
// they are asked for, or from memory where the buffer is compressed. Other columns of a batch are not read.
//
// Read are truth values, integers and floating-point numbers of all widths, time stamps, durations and times of
// day, of either order of bytes, without compression or with LZ4 (frames) or ZSTD; schemas in front, or in the
// footer alone. Columns of other types, dictionaries and nested ones among them, are described and passed over.
// [Writer] writes doubles without nulls and without compression, so that any program can map the file into memory.
//
// A file is not trusted: lengths are compared with the file before memory is taken for them, a buffer
// expands to no more than the bound given to Open, and a contradiction is a [Damage].
//
// The layouts are those of the Apache Arrow columnar format, version 1.5 (apache/arrow: docs/source/format/Columnar.rst,
// "Serialization and Interprocess Communication", and format/Schema.fbs, Message.fbs, File.fbs), in FlatBuffers
// (google/flatbuffers: docs, "FlatBuffer Internals").
package arrow
