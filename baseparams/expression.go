package baseparams

import (
	"math"
	"strconv"
	"strings"

	"ident/symbolic"
)

// sum is a relation in the form for output: groups of parameters that share a coefficient up to its sign.
type sum []group

type group struct {
	number  float64 // size of the coefficient, used where exact is nil
	exact   *symbolic.Expr
	members []signed
}

type signed struct {
	name     string
	negative bool
}

// unitSize reports whether the coefficient is ±1 and is not written.
func (g *group) unitSize() bool {
	if g.exact != nil {
		return g.exact.Equal(symbolic.Int(1))
	}
	// Numbers are printed with six digits, so 1 ± 1e-9 is printed as 1.
	return math.Abs(g.number-1) <= 1e-9
}

// sum returns the k-th relation with its terms grouped, in the order of the columns.
func (s *Set) sum(k int) sum {
	out := sum{{number: 1, members: []signed{{name: s.Columns[s.Base[k]].Name}}}}
	for d, b := range s.Beta[k] {
		if b == 0 {
			continue
		}
		g := group{number: math.Abs(b)}
		m := signed{s.Columns[s.Dependent[d]].Name, b < 0}
		if s.Exact != nil {
			e := s.Exact[k][d]
			if m.negative = e.Negative(); m.negative {
				e = e.Neg()
			}
			g.exact = &e
		}
		out.place(g, m)
	}
	return out
}

// place adds a member to the group with its coefficient. Coefficients of one stay separate, so that the parameter itself
// comes first.
func (s *sum) place(g group, m signed) {
	if !g.unitSize() {
		for i := range *s {
			h := &(*s)[i]
			same := g.exact != nil && h.exact != nil && g.exact.Equal(*h.exact) ||
				g.exact == nil && h.exact == nil && math.Abs(g.number-h.number) <= 1e-9*g.number
			if same {
				h.members = append(h.members, m)
				return
			}
		}
	}
	g.members = []signed{m}
	*s = append(*s, g)
}

// notation says how relations are written.
type notation struct {
	times, open, end string
	name             func(string) string
	number           func(float64) string
	exact            func(symbolic.Expr) string
}

var (
	plainText = notation{"·", "(", ")", func(s string) string { return s }, func(v float64) string {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}, symbolic.Expr.String}
	latexText = notation{`\,`, `\left(`, `\right)`, latexName, func(v float64) string {
		text := strconv.FormatFloat(v, 'g', 6, 64)
		if mantissa, power, ok := strings.Cut(text, "e"); ok {
			n, _ := strconv.Atoi(power)
			return mantissa + `\cdot 10^{` + strconv.Itoa(n) + "}"
		}
		return text
	}, symbolic.Expr.LaTeX}
)

// latexName writes XX2R as \mathit{XXR}_{2}, the way that papers print it.
func latexName(name string) string {
	if base, ok := strings.CutSuffix(name, "R"); ok {
		letters := strings.TrimRight(base, "0123456789")
		if letters != base {
			return symbolic.LaTeXName(letters + "R" + base[len(letters):])
		}
	}
	return symbolic.LaTeXName(name)
}

// write writes "XX2 - YY2 - D3²·(M3 + M4)".
func (s sum) write(n notation) string {
	var b strings.Builder
	for i, g := range s {
		negative := g.members[0].negative
		switch {
		case i == 0 && negative:
			b.WriteString("-")
		case i > 0 && negative:
			b.WriteString(" - ")
		case i > 0:
			b.WriteString(" + ")
		}
		if !g.unitSize() {
			b.WriteString(g.coefficient(n) + n.times)
		}
		if len(g.members) > 1 {
			b.WriteString(n.open)
		}
		for k, m := range g.members {
			switch {
			case k > 0 && m.negative != negative:
				b.WriteString(" - ")
			case k > 0:
				b.WriteString(" + ")
			}
			b.WriteString(n.name(m.name))
		}
		if len(g.members) > 1 {
			b.WriteString(n.end)
		}
	}
	return b.String()
}

func (g *group) coefficient(n notation) string {
	if g.exact == nil {
		return n.number(g.number)
	}
	text := n.exact(*g.exact)
	if g.exact.Terms() > 1 {
		return n.open + text + n.end
	}
	return text
}
