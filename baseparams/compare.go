package baseparams

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Agreement compares the sets that several methods found for one model.
type Agreement struct {
	// Count is the number of base parameters by the null space, or by QR if the structural method does not apply.
	Count   int     `json:"count"`
	Methods Methods `json:"methods"`
	// Disagree is set if null space and QR found different sets. Known gaps of the symbolic rules do not count.
	Disagree bool `json:"disagree"`
	// Findings are sentences about the differences and their causes.
	Findings []string `json:"findings,omitempty"`
}

// Methods holds one verdict for each method, nil if it does not apply.
type Methods struct {
	Symbolic  *Verdict `json:"symbolic"`
	NullSpace *Verdict `json:"null_space"`
	QR        *Verdict `json:"qr"`
}

// Verdict compares one method with the others.
type Verdict struct {
	Count int `json:"count"`
	// Agrees compares the symbolic rules with the null space (or QR), and these two with each other.
	Agrees bool `json:"agrees"`
	// Extra are the relations that this method finds and another does not.
	Extra []Extra `json:"extra"`
}

// Extra is a relation that one method finds and another does not: a unit of the parameter acts like the terms together,
// or has no effect if there are none.
type Extra struct {
	Parameter  string   `json:"parameter"`
	Terms      []TermOf `json:"terms"`
	Expression string   `json:"expression"`
}

// sameCoefficient is the relative difference below which two coefficients count as equal. QR solves a triangle with a
// condition of up to 1e5 on known robots, which leaves 1e-11 of rounding.
const sameCoefficient = 1e-8

// Compare compares the sets that the three methods found for one model. Pass nil for a method that does not apply; at
// least one set must be given.
func Compare(symbolic, nullSpace, qr *Set) Agreement {
	ref := nullSpace
	if ref == nil {
		ref = qr
	}
	if ref == nil {
		ref = symbolic
	}
	if ref == nil {
		panic("baseparams: no set to compare")
	}
	for _, s := range []*Set{symbolic, nullSpace, qr} {
		if s != nil && len(s.Columns) != len(ref.Columns) {
			panic(fmt.Sprintf("baseparams: sets of different models, with %d and %d columns", len(ref.Columns), len(s.Columns)))
		}
	}
	a := Agreement{Count: ref.Count()}
	verdict := func(s *Set, with *Set, others ...*Set) *Verdict {
		if s == nil {
			return nil
		}
		v := &Verdict{Count: s.Count(), Agrees: with == nil || len(differing(s, with)) == 0, Extra: []Extra{}}
		for c := range s.Columns {
			for _, o := range others {
				if o != nil && o.keeps(c) && !s.keeps(c) {
					v.Extra = append(v.Extra, s.extra(c))
					break
				}
			}
		}
		return v
	}
	a.Methods.Symbolic = verdict(symbolic, ref, nullSpace, qr)
	a.Methods.NullSpace = verdict(nullSpace, qr, symbolic, qr)
	a.Methods.QR = verdict(qr, nullSpace, symbolic, nullSpace)
	if nullSpace != nil && qr != nil {
		if names := differing(nullSpace, qr); len(names) > 0 {
			a.Disagree = true
			a.Findings = append(a.Findings, disagreement(nullSpace, qr, names))
		}
	}
	if symbolic != nil && ref != symbolic {
		a.Findings = append(a.Findings, rulesAgainst(symbolic, ref)...)
	}
	return a
}

// Preferred returns the set to print. It is the symbolic one, for its expressions, if it agrees with the null space (or
// QR, if the null space does not apply); otherwise that of the null space or QR.
func Preferred(symbolic, nullSpace, qr *Set) *Set {
	ref := nullSpace
	if ref == nil {
		ref = qr
	}
	if ref == nil || symbolic != nil && len(differing(symbolic, ref)) == 0 {
		return symbolic
	}
	return ref
}

// keeps reports whether a column is in the base.
func (s *Set) keeps(c int) bool {
	_, found := slices.BinarySearch(s.Base, c)
	return found
}

// extra returns the relation by which a set eliminates a column.
func (s *Set) extra(c int) Extra {
	e := Extra{Parameter: s.Columns[c].Name, Terms: []TermOf{}}
	var text sum
	d, found := slices.BinarySearch(s.Dependent, c)
	for k := range s.Base {
		if !found || s.Beta[k][d] == 0 {
			continue
		}
		b := s.Beta[k][d]
		name := s.Columns[s.Base[k]].Name
		e.Terms = append(e.Terms, TermOf{Parameter: name, Coefficient: b})
		text.place(group{number: math.Abs(b)}, signed{name, b < 0})
	}
	if len(e.Terms) == 0 {
		e.Expression = e.Parameter + " has no effect"
	} else {
		e.Expression = e.Parameter + " acts as " + text.write(plainText)
	}
	return e
}

// differing returns the parameters that two sets treat differently: kept by
// one only, or with another coefficient.
func differing(s, t *Set) []string {
	var names []string
	for c := range s.Columns {
		if s.keeps(c) != t.keeps(c) {
			names = append(names, s.Columns[c].Name)
		}
	}
	if len(names) > 0 {
		return names
	}
	// The bases are equal, so the rows of Beta correspond.
	for c := range s.Columns {
		if s.keeps(c) {
			continue
		}
		d, inS := slices.BinarySearch(s.Dependent, c)
		e, inT := slices.BinarySearch(t.Dependent, c)
		for k := range s.Base {
			x, y := 0.0, 0.0
			if inS {
				x = s.Beta[k][d]
			}
			if inT {
				y = t.Beta[k][e]
			}
			if math.Abs(x-y) > sameCoefficient*(1+math.Abs(x)) {
				names = append(names, s.Columns[c].Name)
				break
			}
		}
	}
	return names
}

func disagreement(nullSpace, qr *Set, names []string) string {
	var owners []string
	for _, c := range nullSpace.Columns {
		if slices.Contains(names, c.Name) && !slices.Contains(owners, c.Owner) {
			owners = append(owners, c.Owner)
		}
	}
	what := fmt.Sprintf("null space and QR disagree, %d and %d parameters, about %s", nullSpace.Count(), qr.Count(), strings.Join(names, ", "))
	if nullSpace.Count() == qr.Count() && slices.Equal(nullSpace.Base, qr.Base) {
		what = "null space and QR give different coefficients to " + strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s. The likely cause is geometry that is near a coincidence but not in it, at %s: axes nearly parallel, nearly intersecting or nearly in line with gravity. "+
		"The margins of the decisions are %.2g and %.2g (clear ones are above %.0e). Check rounded angles and lengths in the robot file", what, strings.Join(owners, ", "), nullSpace.Gap, qr.Gap, clearGap)
}

func rulesAgainst(symbolic, ref *Set) []string {
	names := differing(symbolic, ref)
	if len(names) == 0 {
		return nil
	}
	var out []string
	for c := range ref.Columns {
		switch {
		case symbolic.keeps(c) && !ref.keeps(c):
			out = append(out, fmt.Sprintf("the symbolic rules are incomplete here: they keep %s, but %s (%s)", ref.Columns[c].Name, ref.extra(c).Expression, ref.Method))
		case !symbolic.keeps(c) && ref.keeps(c):
			out = append(out, fmt.Sprintf("the symbolic rules eliminate %s, which %s keeps: the geometry is near a coincidence that the rules take for met", ref.Columns[c].Name, ref.Method))
		}
	}
	if out == nil {
		out = append(out, fmt.Sprintf("the symbolic rules give other coefficients than %s to %s", ref.Method, strings.Join(names, ", ")))
	}
	return out
}
