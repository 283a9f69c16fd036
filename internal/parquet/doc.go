// Package parquet reads the numeric columns of Parquet files, and writes tables of float64.
//
// A file is row groups of column chunks of pages, and a footer that says where these are. [Open] reads the
// footer: the schema's leaves as [Column], and the [Group] of rows. [File.Chunk] decodes one column of one
// row group in order, into the caller's float64, NaN where a value is null: a page of uncompressed doubles
// goes from the file to the caller's memory in one copy, and of other pages one is in memory at a time.
//
// Read are the physical types BOOLEAN, INT32, INT64, FLOAT and DOUBLE in columns that are not nested and in
// lists, whose rows [ListReader] takes apart; data pages of both versions in the encodings PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY, RLE,
// DELTA_BINARY_PACKED and BYTE_STREAM_SPLIT, without compression or with SNAPPY, GZIP, BROTLI, ZSTD and
// LZ4_RAW. [Writer] writes required doubles, PLAIN, in pages of version 1, with ZSTD where it pays.
//
// A file is not trusted: lengths are compared with the file before memory is taken for them, a page
// expands to no more than the bound given to Open, and a contradiction is a [Damage].
//
// The layout is that of the Apache Parquet format specification (apache/parquet-format: README,
// Encodings.md, Compression.md, LogicalTypes.md and parquet.thrift), headers in Apache Thrift's compact
// protocol (thrift-compact-protocol.md).
package parquet
