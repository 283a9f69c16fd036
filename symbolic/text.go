package symbolic

import (
	"math/big"
	"strconv"
	"strings"
)

// style is how an expression is written.
type style struct {
	times    string
	power    func(base string, n int) string
	fraction func(num, den string) string
	symbol   func(name string) string
	call     func(fn, arg string) string
	paren    func(s string) string
}

var plain = style{
	times:    "·",
	power:    func(base string, n int) string { return base + superscript(n) },
	fraction: func(num, den string) string { return num + "/" + den },
	symbol:   func(name string) string { return name },
	call:     func(fn, arg string) string { return fn + "(" + arg + ")" },
	paren:    func(s string) string { return "(" + s + ")" },
}

var latex = style{
	times:    `\,`,
	power:    func(base string, n int) string { return base + "^{" + strconv.Itoa(n) + "}" },
	fraction: func(num, den string) string { return `\frac{` + num + "}{" + den + "}" },
	symbol:   LaTeXName,
	call: func(fn, arg string) string {
		switch fn {
		case "sqrt":
			return `\sqrt{` + arg + "}"
		case "abs":
			return `\left|` + arg + `\right|`
		case "asin", "acos", "atan":
			fn = "arc" + fn[1:]
		}
		return `\` + fn + `\left(` + arg + `\right)`
	},
	paren: func(s string) string { return `\left(` + s + `\right)` },
}

// String writes the expression in one line, as in "2·D3·RL4 + cos(A2)²". Parse
// reads it back.
func (e Expr) String() string { return e.write(&plain) }

// LaTeX writes the expression for LaTeX's mathematics mode.
func (e Expr) LaTeX() string { return e.write(&latex) }

// LaTeXName writes a name with its trailing digits as an index: RL_{4}.
func LaTeXName(name string) string {
	if name == "Pi" {
		return `\pi`
	}
	letters := strings.TrimRight(name, "0123456789")
	digits := name[len(letters):]
	letters = strings.ReplaceAll(letters, "_", `\_`)
	if len(letters) > 1 {
		letters = `\mathit{` + letters + "}"
	}
	if digits == "" {
		return letters
	}
	return letters + "_{" + digits + "}"
}

// Terms returns the number of terms of the sum.
func (e Expr) Terms() int { return len(e.terms) }

// Negative reports whether the first term has a minus sign.
func (e Expr) Negative() bool { return len(e.terms) > 0 && e.terms[0].c.Sign() < 0 }

func (e Expr) write(st *style) string {
	if len(e.terms) == 0 {
		return "0"
	}
	var b strings.Builder
	for i, t := range e.terms {
		switch {
		case t.c.Sign() < 0 && i == 0:
			b.WriteString("-")
		case t.c.Sign() < 0:
			b.WriteString(" - ")
		case i > 0:
			b.WriteString(" + ")
		}
		b.WriteString(t.write(st))
	}
	return b.String()
}

// write writes a term without its sign.
func (t term) write(st *style) string {
	var num, den []string
	inverse := "" // of sums, which Parse would multiply out in a product
	p, q := coefficient(t.c)
	for _, f := range t.m {
		s := f.a.write(st)
		n := max(f.n, -f.n)
		if f.a.fn == "sum" && st == &plain {
			inverse += strings.Repeat("/"+s, n)
			continue
		}
		if n > 1 {
			s = st.power(s, n)
		}
		if f.n > 0 {
			num = append(num, s)
		} else {
			den = append(den, s)
		}
	}
	if p != "1" || len(num) == 0 {
		num = append([]string{p}, num...)
	}
	if q != "1" {
		den = append([]string{q}, den...)
	}
	top := strings.Join(num, st.times)
	if len(den) == 0 {
		return top + inverse
	}
	bottom := strings.Join(den, st.times)
	if len(den) > 1 && st == &plain {
		bottom = st.paren(bottom)
	}
	return st.fraction(top, bottom) + inverse
}

// coefficient writes a coefficient's size: a fraction of small numbers as
// such, anything else that ends as a decimal.
func coefficient(c *big.Rat) (p, q string) {
	a := new(big.Rat).Abs(c)
	if a.IsInt() {
		return a.Num().String(), "1"
	}
	if !a.Denom().IsInt64() || a.Denom().Int64() > 16 {
		if n, exact := a.FloatPrec(); exact {
			return a.FloatString(n), "1"
		}
	}
	return a.Num().String(), a.Denom().String()
}

func (a *atom) write(st *style) string {
	switch a.fn {
	case "":
		return st.symbol(a.key)
	case "sum":
		return st.paren(a.arg.write(st))
	}
	return st.call(a.fn, a.arg.write(st))
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"

func superscript(n int) string {
	var b strings.Builder
	digits := []rune(superscripts)
	for _, d := range strconv.Itoa(n) {
		b.WriteRune(digits[d-'0'])
	}
	return b.String()
}
