// Package xacro expands the XML macros of robot descriptions, as the processor of ROS does in order of the text: properties,
// macros with defaults and blocks, conditions, includes, expressions and arguments. The text that comes out is plain XML,
// and each of its lines knows the file and line that it comes from.
//
// # Elements
//
// property (value, default, scope, lazy_eval, remove; or a block of elements), macro (params with a:=1, a:=^, a:=^|1, *block,
// **blocks), its calls, call, insert_block, if, unless, include (with ns, optional, and * in names), arg, element, attribute.
//
// # Expressions
//
// ${…} holds Python's arithmetic, comparisons, and, or, not, in, is, operators of bits, conditions, lists, tuples, dictionaries,
// subscripts, slices with steps, 'link_%02d' % i, the functions and constants of its module math, and the functions that the reference
// processor has, by their names alone or behind python.: abs, min, max, sum, round, divmod, len, int with its base, float, str, bool,
// list, tuple, dict, range, map, filter, zip, enumerate, reversed, sorted, any, all, isinstance, ord, chr, repr; the methods of texts,
// lists and dictionaries that change nothing; load_yaml with its !degrees and !radians. Numbers print as Python prints them, so
// that an expansion equals that of the reference processor in every attribute. Loops, comprehensions, sets and functions of one's
// own are refused by name. Integers have 64 bits.
//
// $(arg NAME), $(find PACKAGE), $(dirname) and $(optenv NAME DEFAULT), which gives the default, are replaced; $(env …), $(eval …) and $(anon …) are refused by
// name. A package without a known folder becomes package://NAME, and is an error only where a file of it is read.
//
// # Trust
//
// A file is not trusted. Elements, text, includes, nesting and the depth of calls are bounded, so that macros that call
// themselves, or double at each level, end with an error that says where.
//
// The rules are those of xacro's documentation (wiki.ros.org/xacro) and of its release 2.0.
package xacro

import (
	"fmt"
	"strings"
)

// Bounds of an expansion: far above those of any robot.
const (
	maxElements = 100_000  // evaluated, of all macros
	maxText     = 32 << 20 // bytes of evaluated text
	maxWord     = 1 << 20  // bytes of a string
	maxItems    = 100_000  // of a list
	maxCalls    = 200      // macros in macros
	maxNested   = 500      // elements in elements
	maxFiles    = 200      // includes
	maxSteps    = 2_000_000
)

// Options are the surroundings of an expansion.
type Options struct {
	// Args are the arguments of the command line, for $(arg NAME).
	Args map[string]string
	// Find gives the folder of a package.
	Find func(name string) (folder string, ok bool)
	// Open reads a file that is included, or a YAML file; without it both are refused.
	Open func(path string) ([]byte, error)
}

// Expansion is a plain text with the sources of its lines.
type Expansion struct {
	Text  []byte
	Files []string // read, besides the first
	lines []place
	// Unused are arguments that no part of the text declares.
	Unused []string
}

// Source returns the file and line from which a line of the expansion comes, counted from 1.
func (x *Expansion) Source(line int) (path string, at int) {
	if line < 1 || line > len(x.lines) {
		return "", 0
	}
	p := x.lines[line-1]
	return p.file, p.line
}

type place struct {
	file string
	line int
}

// Error is a fault of a file.
type Error struct {
	Path   string
	Line   int
	Text   string
	Within []string // macros around it, innermost first
	Err    error
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Message())
	return s
}

// Message returns the text without its place.
func (e *Error) Message() string {
	s := e.Text
	if len(e.Within) > 0 {
		s += " (in " + strings.Join(e.Within, ", in ") + ")"
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

func fault(n *node, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Path: n.file, Line: n.line, Text: err.Error(), Err: err}
}

// Is reports whether a text still holds elements of xacro.
func Is(text []byte) bool { return strings.Contains(string(text), "<xacro:") }
