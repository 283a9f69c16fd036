// Package sqlite reads tables of SQLite 3 database files: whole tables, in the order of their row numbers,
// and nothing else. It is what a reader of ROS 2 bags needs, and a small part of what SQLite is.
//
// A file is pages of one size. A table is a tree of pages, leaves of which hold its rows; a row is a list
// of values, each of a type of its own, and what does not fit into its page goes on in a chain of overflow
// pages. Table 1 lists the others. A write-ahead log beside the file, where the last changes may be, is
// not read: its presence is for the caller to notice.
//
// The file is not trusted. Every page is visited at most once in a scan, no value may be longer than the
// caller allows or the file could hold, and wrong bytes give an error that matches [ErrDamaged].
//
// The layout is that of "Database File Format" of the SQLite documentation, sections 1.3, 1.5, 1.6 and 2.
package sqlite
