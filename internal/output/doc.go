// Package output writes files and folders so that nothing of the user's is lost.
//
// A regular file is written beside its place and renamed onto it when it is complete: a
// failed or killed command leaves the earlier file as it was. Symbolic links are followed:
// the file that a link names is replaced, not the link. A target that is not a regular
// file (a FIFO, a terminal, /dev/stdout) is written into and never replaced.
//
// The new files of a folder that exists are first written into a hidden folder beside it.
// Where the earlier folder holds nothing but files that the caller owns, by name, the two
// exchange their names in one step (renameat2, on Linux), so that a command that is killed
// leaves the earlier files or the new ones. Where it holds anything else (files of the user's,
// links), is some process's working folder, or cannot be exchanged, the files are renamed into
// it one by one. Only owned files are replaced or removed; any other name that is in the way
// is an error before anything has changed.
//
// Temporary names begin with ".ident-" and end with ".tmp". Their writer holds an advisory
// lock on them as long as it lives, so the next writer into the same folder can tell the
// leftovers of a killed one, which it removes, from the work of another.
package output
