// Package sqlite reads tables of SQLite 3 database files: whole tables, in the order of their row numbers.
// A reader of ROS 2 bags needs no more.
//
// A file is pages of one size. A table is a tree of pages with rows in its leaves; a row is a list of values,
// each of a type of its own, and continues in a chain of overflow pages where its page is too small. Table 1
// lists the others. A write-ahead log beside the file, which may hold the last changes, is not read: the
// caller has to look for it.
//
// The file is not trusted. Every page is visited at most once in a scan, the size of a value is bounded by
// the caller and by the file's size, and wrong bytes give an error that matches [ErrDamaged].
//
// The layout is that of "Database File Format" of the SQLite documentation, sections 1.3, 1.5, 1.6 and 2.
package sqlite
