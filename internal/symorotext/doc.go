// Package symorotext takes the text of a SYMORO+ file apart: assignments of numbers, symbols and lists, with their lines.
package symorotext
