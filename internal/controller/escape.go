// Package controller writes text for the controllers of robots, and for other programs that act on what they read.
//
// Names come from files, and no file is trusted. A name enters the text only as a comment or in quotes, on one line, with
// all characters escaped that could end the comment, the quotes or the line. A number enters only if it is finite.
package controller

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shown reports whether a character is shown as itself: it is no control character, no line or paragraph separator, no
// mark that changes the direction of text, no mark without width and no wrong byte.
func Shown(r rune) bool {
	switch {
	case r == utf8.RuneError, r == '\u2028', r == '\u2029', r == '\ufeff':
		return false
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Cs, r):
		return false
	}
	return true
}

// longest is the number of characters of a name that a comment keeps, and longestRemark of a whole comment. Names of
// links are shorter, and controllers bound the length of a line.
const (
	longest       = 100
	longestRemark = 400
)

// Name returns a name for a comment: of printable ASCII, on one line and of bounded length. Other characters are written
// as <U+000A>, so that the name can still be recognised.
func Name(name string) string { return ends.Replace(cut(latin.Replace(name), longest)) }

// Remark returns a text for a line of comment in any language: printable ASCII on one line of bounded length, that ends
// no comment and no string and gives no instruction to the program that reads it.
func Remark(text string) string { return ends.Replace(cut(latin.Replace(text), longestRemark)) }

// Note is Remark for a text that people read, in which characters beyond ASCII stay as far as they are [Shown].
func Note(text string) string {
	return ends.Replace(cutBy(text, longestRemark, Shown))
}

// latin writes the signs of units and formulas in ASCII.
var latin = strings.NewReplacer("·", ".", "²", "^2", "³", "^3", "τ", "tau", "°", " deg", "−", "-", "–", "-", "…", "...", "→", "->",
	"χ", "chi", "×", "x", "½", "1/2", "π", "pi", "γ", "gamma", "ω", "omega")

// ends are what ends a comment or a string in one of the languages, begins another, or continues a line.
var ends = strings.NewReplacer("*/", "* /", "/*", "/ *", "*)", "* )", "(*", "( *", `"`, "'", `\`, "/", "??", "? ?", "+build", "+ build", "coding:", "coding :", "coding=", "coding =")

// cut returns the first characters of a text in ASCII, and how many bytes follow.
func cut(text string, most int) string {
	return cutBy(text, most, func(r rune) bool { return r >= ' ' && r <= '~' })
}

// cutBy returns the first characters of a text, those that are not taken by their codes, and how many bytes follow.
func cutBy(text string, most int, taken func(rune) bool) string {
	var b strings.Builder
	kept := 0
	for i, r := range text {
		if kept++; kept > most {
			fmt.Fprintf(&b, "... (%d bytes more)", len(text)-i)
			break
		}
		if taken(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}
