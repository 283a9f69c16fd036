package baseparams

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ident/regressor"
)

// Set is a minimal parameter set of a model, whichever method found it: the
// standard parameters that are kept, those without any effect, and how the
// others are regrouped onto the kept ones.
type Set struct {
	Method    string
	Columns   []regressor.Column
	Base      []int // indices of kept columns, ascending
	Zero      []int // columns without effect, ascending
	Dependent []int // columns regrouped onto Base, ascending
	// Beta has one row a base column and one column a dependent one:
	// W[Dependent] = W[Base]·Beta, hence K = χ[Base] + Beta·χ[Dependent].
	Beta [][]float64
	// Gap is the ratio between the smallest kept and the largest dropped
	// residual, +Inf where none was dropped; NaN for methods without residuals.
	Gap      float64
	Warnings []string
}

// Count is the number of base parameters.
func (s *Set) Count() int { return len(s.Base) }

// TermOf is one standard parameter in a relation.
type TermOf struct {
	Parameter   string  `json:"parameter"`
	Coefficient float64 `json:"coefficient"`
}

// Relation says what a base parameter stands for.
type Relation struct {
	Base       string   `json:"base"`
	Expression string   `json:"expression"`
	Terms      []TermOf `json:"terms"`
}

// Name returns the name of the k-th base parameter: that of the standard
// parameter it keeps, with R where others were regrouped onto it.
func (s *Set) Name(k int) string {
	name := s.Columns[s.Base[k]].Name
	for _, b := range s.Beta[k] {
		if b != 0 {
			return name + "R"
		}
	}
	return name
}

// Names returns the names of the base parameters in order.
func (s *Set) Names() []string {
	out := make([]string, len(s.Base))
	for k := range out {
		out[k] = s.Name(k)
	}
	return out
}

// Relation returns what the k-th base parameter stands for.
func (s *Set) Relation(k int) Relation {
	r := Relation{Base: s.Name(k), Terms: []TermOf{{s.Columns[s.Base[k]].Name, 1}}}
	for d, b := range s.Beta[k] {
		if b != 0 {
			r.Terms = append(r.Terms, TermOf{s.Columns[s.Dependent[d]].Name, b})
		}
	}
	r.Expression = expression(r.Terms)
	return r
}

// Relations returns every base parameter's relation.
func (s *Set) Relations() []Relation {
	out := make([]Relation, len(s.Base))
	for k := range out {
		out[k] = s.Relation(k)
	}
	return out
}

// expression writes terms as "XX2 - YY2 - 0.2025·M3".
func expression(terms []TermOf) string {
	var b strings.Builder
	for i, t := range terms {
		c := t.Coefficient
		switch {
		case i == 0 && c < 0:
			b.WriteString("-")
		case i > 0 && c < 0:
			b.WriteString(" - ")
		case i > 0:
			b.WriteString(" + ")
		}
		if c = math.Abs(c); math.Abs(c-1) > 1e-9 {
			b.WriteString(strconv.FormatFloat(c, 'g', 6, 64))
			b.WriteString("·")
		}
		b.WriteString(t.Parameter)
	}
	return b.String()
}

// FromStandard returns the base parameters of standard ones.
func (s *Set) FromStandard(chi []float64) []float64 {
	s.check(chi)
	out := make([]float64, len(s.Base))
	for k, c := range s.Base {
		out[k] = chi[c]
		for d, b := range s.Beta[k] {
			out[k] += b * chi[s.Dependent[d]]
		}
	}
	return out
}

// Lift returns standard parameters that have the given base parameters: those
// without effect and the dependent ones keep the values of prior, and the kept
// ones take up the difference. FromStandard undoes it.
func (s *Set) Lift(base, prior []float64) []float64 {
	s.check(prior)
	if len(base) != len(s.Base) {
		panic(fmt.Sprintf("baseparams: %d base values for a set of %d", len(base), len(s.Base)))
	}
	out := append([]float64(nil), prior...)
	for k, c := range s.Base {
		out[c] = base[k]
		for d, b := range s.Beta[k] {
			out[c] -= b * prior[s.Dependent[d]]
		}
	}
	return out
}

func (s *Set) check(chi []float64) {
	if len(chi) != len(s.Columns) {
		panic(fmt.Sprintf("baseparams: %d values for %d standard parameters", len(chi), len(s.Columns)))
	}
}
