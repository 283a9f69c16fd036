package baseparams

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// Listing is what a SYMORO+ listing (.regp) says of a robot's base parameters.
type Listing struct {
	Robot string // its name, "" where the listing gives none
	Links int
	Base  []Listed // row by row of the table
}

// Listed is one base parameter of a listing: the standard parameter in whose
// place it stands, and the combination that it is.
type Listed struct {
	Name      string // as the listing has it, "XXR2"
	Parameter string // as this library names it, "XX2"
	Terms     []ListedTerm
	Line      int // of the table
}

// ListedTerm is one standard parameter in a combination.
type ListedTerm struct {
	Parameter   string
	Coefficient symbolic.Expr // in the symbols of the geometry
}

// Set returns the listing as a set of the robot's model, to be compared with
// those that the methods find. The terms may be the links and Ia, for a listing
// knows no others; what it says of parameters that the model lacks is passed
// over. The robot's symbols must have values. A listing of another robot, or
// one whose combinations are none of a minimal set, is a *robot.FileError.
func (l *Listing) Set(r *robot.Robot, terms []regressor.Term) (*Set, error) {
	for _, t := range terms {
		if t != regressor.Links && t != regressor.Ia {
			return nil, fmt.Errorf("baseparams: a listing says nothing of the term %s; compare links and Ia", t)
		}
	}
	if l.Links != len(r.Links) {
		return nil, &robot.FileError{Where: "the table", Text: fmt.Sprintf("the listing is of %d links, robot %q has %d", l.Links, r.Name, len(r.Links))}
	}
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, err
	}
	s := &Set{Method: "listing", Columns: m.Columns(), Gap: math.NaN()}
	at := make(map[string]int, len(s.Columns))
	for c := range s.Columns {
		at[s.Columns[c].Name] = c
	}
	rows := map[int][]ListedTerm{}
	seen := make([]bool, len(s.Columns))
	for _, b := range l.Base {
		c, ok := at[b.Parameter]
		if !ok {
			continue
		}
		s.Base = append(s.Base, c)
		for _, t := range b.Terms {
			d, ok := at[t.Parameter]
			if !ok {
				continue
			}
			rows[c] = append(rows[c], t)
			seen[d] = true
		}
	}
	slices.Sort(s.Base)
	of := make([]int, len(s.Columns)) // index into Dependent
	for c := range s.Columns {
		switch {
		case s.keeps(c):
		case seen[c]:
			of[c] = len(s.Dependent)
			s.Dependent = append(s.Dependent, c)
		default:
			s.Zero = append(s.Zero, c)
		}
	}
	symbols := false
	exact := make([][]symbolic.Expr, len(s.Base))
	s.Beta = make([][]float64, len(s.Base))
	for k, c := range s.Base {
		exact[k] = make([]symbolic.Expr, len(s.Dependent))
		s.Beta[k] = make([]float64, len(s.Dependent))
		own := false
		for _, t := range rows[c] {
			d := at[t.Parameter]
			if s.keeps(d) {
				if d != c || !t.Coefficient.Equal(symbolic.Int(1)) {
					return nil, l.fault(s.Columns[c].Name, "it holds %s·%s, though %s is kept too", t.Coefficient, t.Parameter, t.Parameter)
				}
				own = true
				continue
			}
			v := t.Coefficient.Eval(r.Symbols)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, l.fault(s.Columns[c].Name, "the coefficient %s of %s has no value; the robot's symbols are %s", t.Coefficient, t.Parameter, known(r.GeometrySymbols()))
			}
			symbols = symbols || len(t.Coefficient.Symbols()) > 0
			exact[k][of[d]], s.Beta[k][of[d]] = t.Coefficient, v
		}
		if !own {
			return nil, l.fault(s.Columns[c].Name, "it does not hold %s, in whose place it stands", s.Columns[c].Name)
		}
	}
	if symbols {
		s.Exact = exact
	}
	return s, nil
}

func known(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// fault is an error about the parameter that stands in a place of the table.
func (l *Listing) fault(parameter, format string, args ...any) error {
	e := &robot.FileError{Where: parameter, Text: fmt.Sprintf(format, args...)}
	for _, b := range l.Base {
		if b.Parameter == parameter {
			e.Where, e.Line = b.Name, b.Line
		}
	}
	return e
}

// listingKinds are the columns of a SYMORO+ table of inertial parameters.
var listingKinds = [...]string{"XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M", "IA"}

// listedColumn returns the place of a model's column in that table, -1 where it
// has none.
func listedColumn(c *regressor.Column) int {
	switch {
	case c.Term == regressor.Links:
		return c.Param
	case c.Term == regressor.Ia && c.Drive == 0:
		return robot.NumInertial
	}
	return -1
}

// listedName is how SYMORO+ names a parameter: XX2, and XXR2 where others were
// regrouped onto it.
func listedName(kind string, link int, regrouped bool) string {
	if regrouped {
		kind += "R"
	}
	return robot.ParameterName(kind, link)
}

// ourName returns the name that this library gives a standard parameter of a
// listing, if it is one of a link up to the last.
func ourName(name string, links int) (string, bool) {
	letters := strings.TrimRight(name, "0123456789")
	j, err := strconv.Atoi(name[len(letters):])
	if err != nil || j < 1 || j > links || name[len(letters)] == '0' {
		return "", false
	}
	kind := strings.ToUpper(letters)
	if !slices.Contains(listingKinds[:], kind) {
		return "", false
	}
	if kind == "IA" {
		kind = "Ia"
	}
	return robot.ParameterName(kind, j-1), true
}
