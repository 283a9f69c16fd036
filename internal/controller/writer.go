package controller

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Writer makes a text of lines. Comments take names, other lines take numbers alone, so that no name can become an
// instruction.
type Writer struct {
	mark string
	b    strings.Builder
	bad  error
}

// NewWriter returns a Writer for a language whose comments begin with a mark.
func NewWriter(mark string) *Writer { return &Writer{mark: mark} }

// Comment writes a line of comment. %s stands for a name.
func (w *Writer) Comment(format string, names ...string) {
	args := make([]any, len(names))
	for i, n := range names {
		args[i] = Name(n)
	}
	w.b.WriteString(w.mark + " " + fmt.Sprintf(format, args...) + "\n")
}

// Remark writes a text as a line of comment.
func (w *Writer) Remark(text string) {
	w.b.WriteString(w.mark + " " + Remark(strings.Join(strings.Fields(text), " ")) + "\n")
}

// Line writes a line. %s stands for a number; one that is not finite is the error of Text.
func (w *Writer) Line(format string, numbers ...Number) {
	n := Format(format, numbers...)
	if n.bad != nil && w.bad == nil {
		w.bad = n.bad
	}
	w.b.WriteString(n.text + "\n")
}

// Text returns the text, or the error of its first number that is not finite.
func (w *Writer) Text() (string, error) {
	if w.bad != nil {
		return "", w.bad
	}
	return w.b.String(), nil
}

// A Number is the text of numbers that are finite. Only this package makes one.
type Number struct {
	text string
	bad  error
}

// NotFiniteError reports a number that no controller may be given.
type NotFiniteError struct{ Value float64 }

func (e *NotFiniteError) Error() string {
	return fmt.Sprintf("a number is %g: a controller takes finite numbers only", e.Value)
}

func number(v float64, text string) Number {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Number{text, &NotFiniteError{v}}
	}
	return Number{text: text}
}

// Digits returns a number with six significant digits, more than any controller keeps, without powers of ten; numbers
// below 1e-12 are zero.
func Digits(v float64) Number {
	if math.Abs(v) < 1e-12 || math.IsNaN(v) || math.IsInf(v, 0) {
		return number(v, "0")
	}
	places := max(0, 5-int(math.Floor(math.Log10(math.Abs(v)))))
	s := strconv.FormatFloat(v, 'f', places, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return number(v, s)
}

// Fixed returns a number with a fixed number of decimals, without the sign of zero.
func Fixed(v float64, decimals int) Number {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return number(v, s)
}

// General returns a number with some significant digits, with a power of ten where that is shorter.
func General(v float64, digits int) Number { return number(v, strconv.FormatFloat(v, 'g', digits, 64)) }

// Format puts numbers into a text of the program's own; %s stands for one.
func Format(format string, numbers ...Number) Number {
	var out Number
	args := make([]any, len(numbers))
	for i, n := range numbers {
		args[i] = n.text
		if out.bad == nil {
			out.bad = n.bad
		}
	}
	out.text = fmt.Sprintf(format, args...)
	return out
}

// Join returns numbers with a separator between them.
func Join(numbers []Number, separator string) Number {
	return Format(strings.TrimSuffix(strings.Repeat("%s"+separator, len(numbers)), separator), numbers...)
}

// Fixeds returns numbers with a fixed number of decimals each.
func Fixeds(v []float64, decimals int) []Number {
	out := make([]Number, len(v))
	for i, x := range v {
		out[i] = Fixed(x, decimals)
	}
	return out
}
