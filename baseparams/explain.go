package baseparams

import (
	"fmt"
	"slices"
	"strings"
)

// Status says how identifiable a standard parameter is.
type Status int

// A parameter is identifiable alone if its value is a base parameter, in combination if only a sum with others is, and
// not at all if no torque depends on it.
const (
	NotAtAll Status = iota
	InCombination
	Alone
)

// String returns the word for tables.
func (s Status) String() string {
	switch s {
	case Alone:
		return "alone"
	case InCombination:
		return "in combination"
	}
	return "not at all"
}

// Status returns the identifiability of a column's parameter.
func (s *Set) Status(column int) Status {
	if k, ok := slices.BinarySearch(s.Base, column); ok {
		if s.Name(k) == s.Columns[column].Name {
			return Alone
		}
		return InCombination
	}
	if _, ok := slices.BinarySearch(s.Dependent, column); ok {
		return InCombination
	}
	return NotAtAll
}

// Elimination is a standard parameter that is not in the base.
type Elimination struct {
	Parameter string `json:"parameter"`
	Reason    string `json:"reason"`
}

// Eliminated returns the parameters that are not in the base, in the order of
// the columns, and why.
func (s *Set) Eliminated() []Elimination {
	out := []Elimination{}
	for c := range s.Columns {
		if !s.keeps(c) {
			out = append(out, Elimination{s.Columns[c].Name, s.reason(c)})
		}
	}
	return out
}

// reason returns onto what an eliminated column is regrouped and, if known, why.
func (s *Set) reason(c int) string {
	what := "no effect"
	if onto := s.regroupedOnto(c); len(onto) > 0 {
		what = "regrouped onto " + strings.Join(onto, ", ")
	}
	if c < len(s.Reasons) && s.Reasons[c] != "" {
		return what + ": " + s.Reasons[c]
	}
	return what
}

// regroupedOnto returns the names of the base parameters that contain a dependent column.
func (s *Set) regroupedOnto(c int) []string {
	d, ok := slices.BinarySearch(s.Dependent, c)
	if !ok {
		return nil
	}
	var onto []string
	for k := range s.Base {
		if s.Beta[k][d] != 0 {
			onto = append(onto, s.Name(k))
		}
	}
	return onto
}

// UnknownParameterError names a parameter that the model does not have.
type UnknownParameterError struct {
	Name  string
	Known []string // the model's columns
}

// Error returns the name and the range of the model's names.
func (e *UnknownParameterError) Error() string {
	return fmt.Sprintf("the model has no parameter %q; its %d parameters are %s to %s", e.Name, len(e.Known), e.Known[0], e.Known[len(e.Known)-1])
}

// Explain says in a sentence or two whether a standard or base parameter is identifiable alone, in combination or not at
// all, and why. If the model does not have the name, the error is an *UnknownParameterError.
func (s *Set) Explain(name string) (string, error) {
	column := -1
	for c := range s.Columns {
		if s.Columns[c].Name == name {
			column = c
		}
	}
	for k := range s.Base {
		if s.Name(k) == name {
			column = s.Base[k]
		}
	}
	if column < 0 {
		known := make([]string, len(s.Columns))
		for c := range known {
			known[c] = s.Columns[c].Name
		}
		return "", &UnknownParameterError{Name: name, Known: known}
	}
	col := &s.Columns[column]
	who := fmt.Sprintf("%s of %s is identifiable %s", col.Name, col.Owner, s.Status(column))
	why := ""
	if column < len(s.Reasons) && s.Reasons[column] != "" {
		why = ": " + s.Reasons[column]
	}
	switch s.Status(column) {
	case NotAtAll:
		return who + ", because no joint torque depends on it" + why + ".", nil
	case Alone:
		return who + ": no combination of other parameters acts on the joint torques as it does.", nil
	}
	if k, ok := slices.BinarySearch(s.Base, column); ok {
		r := s.Relation(k)
		return fmt.Sprintf("%s: torques determine only %s = %s. The value of %s itself stays open.", who, r.Base, r.Expression, col.Name), nil
	}
	var sums []string
	for k := range s.Base {
		if slices.Contains(s.regroupedOnto(column), s.Name(k)) {
			r := s.Relation(k)
			sums = append(sums, r.Base+" = "+r.Expression)
		}
	}
	return fmt.Sprintf("%s%s. It enters %s.", who, why, strings.Join(sums, "; ")), nil
}
