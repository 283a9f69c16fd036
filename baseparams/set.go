package baseparams

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/regressor"
	"ident/symbolic"
)

// Set is a minimal parameter set of a model, by any method: the standard parameters kept, those without any effect, and
// how the others are regrouped onto the kept ones.
type Set struct {
	Method    string
	Columns   []regressor.Column
	Base      []int // indices of kept columns, ascending
	Zero      []int // columns without effect, ascending
	Dependent []int // columns regrouped onto Base, ascending
	// Beta has one row for each base column and one column for each dependent one: W[Dependent] = W[Base]·Beta, hence K
	// = χ[Base] + Beta·χ[Dependent].
	Beta [][]float64
	// Exact holds Beta as expressions in the symbols of the robot's geometry, nil if only numbers are known.
	Exact [][]symbolic.Expr
	// Reasons says, for each column, why its parameter is eliminated, "" if no rule does; nil for methods that do not
	// use the structure.
	Reasons []string
	// Gap is the ratio between the smallest kept and the largest dropped residual: +Inf if none was dropped, NaN for
	// methods without residuals.
	Gap      float64
	Warnings []string
}

// Count returns the number of base parameters.
func (s *Set) Count() int { return len(s.Base) }

// TermOf is one standard parameter in a relation.
type TermOf struct {
	Parameter   string  `json:"parameter"`
	Coefficient float64 `json:"coefficient"`
	Exact       string  `json:"exact,omitempty"` // the coefficient in the symbols of the geometry
}

// Relation is the regrouping relation of a base parameter: the standard parameters that it combines.
type Relation struct {
	Base       string   `json:"base"`
	Expression string   `json:"expression"`
	Terms      []TermOf `json:"terms"`
}

// Name returns the name of the k-th base parameter: that of the standard parameter it keeps, with R if others were
// regrouped onto it.
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

// Relation returns the regrouping relation of the k-th base parameter.
func (s *Set) Relation(k int) Relation {
	r := Relation{Base: s.Name(k), Terms: []TermOf{{Parameter: s.Columns[s.Base[k]].Name, Coefficient: 1}}}
	for d, b := range s.Beta[k] {
		if b != 0 {
			t := TermOf{Parameter: s.Columns[s.Dependent[d]].Name, Coefficient: b}
			if s.Exact != nil {
				t.Exact = s.Exact[k][d].String()
			}
			r.Terms = append(r.Terms, t)
		}
	}
	r.Expression = s.sum(k).write(plainText)
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

// FromStandard returns the base parameters for standard parameters chi, one per column.
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

// Functional returns the weights of base parameters whose sum is that of standard parameters with the given weights, one per
// column, and false if the base parameters do not determine that sum.
func (s *Set) Functional(weights []float64) ([]float64, bool) {
	s.check(weights)
	out := make([]float64, len(s.Base))
	for k, c := range s.Base {
		out[k] = weights[c]
	}
	for d, c := range s.Dependent {
		sum := 0.0
		for k := range out {
			sum += out[k] * s.Beta[k][d]
		}
		if math.Abs(sum-weights[c]) > functionalTolerance*(1+math.Abs(weights[c])) {
			return nil, false
		}
	}
	for _, c := range s.Zero {
		if weights[c] != 0 {
			return nil, false
		}
	}
	return out, true
}

// Determined returns the combinations of functionals of the standard parameters that are functionals of the base parameters, as their weights
// on these. weights has a functional in each row. Combinations have norm 1 and are orthogonal to each other, so that functionals with
// independent errors of variance 1 have such combinations.
func (s *Set) Determined(weights [][]float64) [][]float64 {
	if len(weights) == 0 {
		return nil
	}
	free := mat.NewDense(len(weights), len(s.Dependent)+len(s.Zero)+1, nil) // what each says of a change without effect; a column of zeros
	for i, w := range weights {
		s.check(w)
		for d, c := range s.Dependent {
			sum := w[c]
			for k, b := range s.Base {
				sum -= w[b] * s.Beta[k][d]
			}
			free.Set(i, d, sum)
		}
		for z, c := range s.Zero {
			free.Set(i, len(s.Dependent)+z, w[c])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(free, mat.SVDFullU) {
		return nil
	}
	values := svd.Values(nil)
	var u mat.Dense
	svd.UTo(&u)
	var out [][]float64
	for a := range weights {
		if a < len(values) && values[a] > functionalTolerance*(1+values[0]) {
			continue
		}
		row := make([]float64, len(s.Base))
		for i, w := range weights {
			for k, b := range s.Base {
				row[k] += u.At(i, a) * w[b]
			}
		}
		out = append(out, row)
	}
	return out
}

// functionalTolerance is the rounding of a coefficient of a regrouping relation in a sum of some hundred.
const functionalTolerance = 1e-7

// Lift returns standard parameters that have the given base parameters: those without effect and the dependent ones keep
// the values of prior, and the kept ones absorb the difference. FromStandard is its inverse.
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
