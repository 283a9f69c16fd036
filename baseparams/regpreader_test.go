package baseparams

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/internal/formula"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// listing is a SYMORO+ listing (.regp), read back: a robot's base parameters.
type listing struct {
	Robot string // its name, "" where the listing gives none
	Links int
	Base  []listedParameter // row by row of the table
}

// listedParameter is one base parameter of a listing: the standard parameter in whose
// place it stands, and the combination that it is.
type listedParameter struct {
	Name      string // as the listing has it, "XXR2"
	Parameter string // as this library names it, "XX2"
	Terms     []listedTerm
	Line      int // of the table
}

// listedTerm is one standard parameter in a combination.
type listedTerm struct {
	Parameter   string
	Coefficient symbolic.Expr // in the symbols of the geometry
}

// Set returns the listing as a set of the robot's model, to be compared with
// those that the methods find. The terms may be the links and Ia, the only ones
// of a listing. Parameters that the model lacks are passed over. The robot's
// symbols must have values. A listing of another robot, or one whose combinations
// are none of a minimal set, is a *robot.FileError.
func (l *listing) Set(r *robot.Robot, terms []regressor.Term) (*Set, error) {
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
	rows := map[int][]listedTerm{}
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
func (l *listing) fault(parameter, format string, args ...any) error {
	e := &robot.FileError{Where: parameter, Text: fmt.Sprintf(format, args...)}
	for _, b := range l.Base {
		if b.Parameter == parameter {
			e.Where, e.Line = b.Name, b.Line
		}
	}
	return e
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

const (
	maxListing = 16 << 20 // bytes
	maxLinks   = 1000
)

// readRegp reads a SYMORO+ listing of regrouped parameters: equations, one a
// line, that may use the names of earlier ones, and a table with the base
// parameter instead of each standard one, 0 for none. Other tables are
// passed over. Errors are *robot.FileError and give the line.
func readRegp(r io.Reader) (*listing, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxListing+1))
	if err != nil {
		return nil, fmt.Errorf("reading a listing of base parameters: %w", err)
	}
	if len(text) > maxListing {
		return nil, &robot.FileError{Text: fmt.Sprintf("the listing has more than %d bytes", maxListing)}
	}
	lines := strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n")
	l := &listing{}
	head := -1
	for i, line := range lines {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "j" && slices.Contains(f, "XX") {
			head = i // the last such table has the grouped parameters
		}
		if name, ok := strings.CutSuffix(strings.TrimSpace(line), "grouped inertia parameters"); ok {
			l.Robot = strings.TrimSpace(name)
		}
	}
	if head < 0 {
		return nil, &robot.FileError{Where: "the table", Text: "no table of inertia parameters (a line that begins with j XX XY); this is no listing of base parameters"}
	}
	kinds := strings.Fields(lines[head])[1:]
	var cells [][]string
	for _, line := range lines[head+1:] {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] != strconv.Itoa(len(cells)+1) {
			break
		}
		at := head + 2 + len(cells)
		if len(f) != len(kinds)+1 {
			return nil, &robot.FileError{Line: at, Where: "row " + f[0], Text: fmt.Sprintf("%d entries, the table has %d columns", len(f)-1, len(kinds))}
		}
		if cells = append(cells, f[1:]); len(cells) > maxLinks {
			return nil, &robot.FileError{Line: at, Where: "the table", Text: fmt.Sprintf("more than %d links", maxLinks)}
		}
	}
	if l.Links = len(cells); l.Links == 0 {
		return nil, &robot.FileError{Line: head + 1, Where: "the table", Text: "it has no rows"}
	}
	p := linearAlgebra{links: l.Links, defined: map[string]linear{}}
	for i, line := range lines[:head] {
		name, right, ok := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); !ok || name == "*" {
			continue
		}
		v, err := formula.Parse(strings.TrimSuffix(strings.TrimSpace(right), ";"), p)
		if err == nil {
			if _, is := ourName(name, l.Links); is {
				err = fmt.Errorf("%s is a standard parameter and cannot be defined", name)
			}
		}
		if err != nil {
			return nil, &robot.FileError{Line: i + 1, Where: name, Err: err}
		}
		p.defined[name] = v
	}
	for j, row := range cells {
		for k, kind := range kinds {
			parameter, ok := ourName(kind+strconv.Itoa(j+1), l.Links)
			if !ok || row[k] == "0" {
				continue
			}
			line := head + 2 + j
			v, err := formula.Parse(row[k], p)
			if err != nil {
				return nil, &robot.FileError{Line: line, Where: row[k], Err: err}
			}
			if !v.free.IsZero() || len(v.terms) == 0 {
				return nil, &robot.FileError{Line: line, Where: row[k], Text: "it is no combination of standard parameters; an equation above the table must say what it is"}
			}
			l.Base = append(l.Base, listedParameter{Name: row[k], Parameter: parameter, Terms: v.terms, Line: line})
		}
	}
	return l, nil
}
