// Package help writes the help of a command line: pages in groups of options, topics, manual pages in roff, and
// proposals for mistyped names. It knows cobra's commands and no settings: a command annotates its options with
// [Assign] and [First].
package help
