// Package output writes files and folders so that nothing of the user's is lost.
//
// A regular file is written beside its place and renamed onto it when it is complete: a
// failed or killed command leaves the earlier file as it was. Symbolic links are followed:
// the file that a link names is replaced, not the link. A target that is not a regular
// file (a FIFO, a terminal, /dev/stdout) is written into and never replaced.
//
// A folder that exists is never replaced as a whole. Its new files are first written into
// a hidden folder inside it, then renamed into place one by one. Only files that the caller
// owns, by name, are replaced or removed; any other name that is in the way is an error
// before anything has changed.
//
// Temporary names begin with ".ident-" and end with ".tmp". Their writer holds an advisory
// lock on them as long as it lives, so the next writer into the same folder can tell the
// leftovers of a killed one, which it removes, from the work of another.
package output
