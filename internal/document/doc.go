// Package document checks JSON documents that ident reads back: the lengths of their lists against each other, covariances, and
// a seal that finds accidental changes.
//
// The seal of a document is the SHA-256 of its canonical form: members sorted by name, numbers as the shortest text that reads
// back to the same value, no white space, and without the seal itself. White space, line ends and the order of members may
// change; a changed value, name or length breaks the seal. It is no signature: anybody can seal a document anew.
package document
