package baseparams

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// listingKinds are the columns of a SYMORO+ table of inertial parameters.
var listingKinds = [...]string{"XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M", "IA"}

// listedColumn returns the place of a model's column in that table, -1 if it has none.
func listedColumn(c *regressor.Column) int {
	switch {
	case c.Term == regressor.Links:
		return c.Param
	case c.Term == regressor.Ia && c.Drive == 0:
		return robot.NumInertial
	}
	return -1
}

// listedName returns SYMORO+'s name of a parameter: XX2, or XXR2 if others were regrouped onto it.
func listedName(kind string, link int, regrouped bool) string {
	if regrouped {
		kind += "R"
	}
	return robot.ParameterName(kind, link)
}

// listingText writes relations in the notation of a listing.
var listingText = notation{times: "*", open: "(", end: ")",
	name:  func(s string) string { return strings.Replace(s, "Ia", "IA", 1) },
	exact: func(e symbolic.Expr) string { return asciiText(e.String()) },
}

// asciiText writes D3²·RL4 as D3**2*RL4.
func asciiText(s string) string {
	const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹"
	var b strings.Builder
	in := false
	for _, r := range s {
		digit := strings.IndexRune(raised, r)
		if digit >= 0 {
			if !in {
				b.WriteString("**")
			}
			b.WriteByte(byte('0' + len([]rune(raised[:digit]))))
		} else if r == '·' {
			b.WriteByte('*')
		} else {
			b.WriteRune(r)
		}
		in = digit >= 0
	}
	return b.String()
}

// WriteRegp writes a set of the robot's model as a SYMORO+ listing: the frames, the standard parameters, an equation for
// each base parameter onto which others are regrouped, and the table of base parameters. Coefficients are in the symbols
// of the geometry if the set has them, otherwise numbers with all digits, so no relation loses a digit. Friction and
// offsets have no place in a listing and are skipped. A regrouped offset, rotor inertias of shared drives, and
// parameters of a floating base are errors that match robot.ErrNotWritable.
func WriteRegp(w io.Writer, s *Set, r *robot.Robot) error {
	if err := s.onFixedBase(); err != nil {
		return err
	}
	table := s.standardCells(len(r.Links), func(int) string { return "0" })
	var equations strings.Builder
	for k, c := range s.Base {
		col := &s.Columns[c]
		terms := s.Relation(k).Terms
		if err := s.listable(k); err != nil {
			return err
		}
		p := listedColumn(col)
		if p < 0 {
			continue
		}
		name := listedName(listingKinds[p], col.Link, len(terms) > 1)
		table[p][col.Link] = name
		if len(terms) > 1 {
			fmt.Fprintf(&equations, "%s = %s\n", name, s.listed(k))
		}
	}
	frames, err := parLists(r)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	geometry := func() {
		keys := []string{"ant", "sigma", "mu", "gamma", "b", "alpha", "d", "theta", "r"}
		columns := make([][]string, len(keys))
		for i, key := range keys {
			for j, cell := range frames[key] {
				kind := r.Links[j].Joint.Kind
				switch {
				case key == "theta" && kind == robot.Revolute:
					cell = variable("th", j, cell)
				case key == "r" && kind == robot.Prismatic:
					cell = variable("r", j, cell)
				}
				columns[i] = append(columns[i], strings.ReplaceAll(cell, " ", ""))
			}
		}
		writeTable(&b, "Geometric parameters", keys, columns)
	}
	b.WriteString("Base parameters computation\n\n")
	geometry()
	writeTable(&b, "Dynamic inertia parameters", listingKinds[:], s.standardCells(len(r.Links), func(c int) string {
		return listingText.name(s.Columns[c].Name)
	}))
	fmt.Fprintf(&b, "Equations:\n%s*=*\n\n%s grouped inertia parameters\n\n", equations.String(), strings.Join(strings.Fields(r.Name), " "))
	geometry()
	writeTable(&b, "Dynamic inertia parameters", listingKinds[:], table)
	b.WriteString("*=*\n")
	_, err = b.WriteTo(w)
	return err
}

// variable writes a joint's variable and the constant beside it.
func variable(prefix string, j int, constant string) string {
	name := robot.ParameterName(prefix, j)
	switch {
	case constant == "0":
		return name
	case strings.HasPrefix(constant, "-"):
		return name + constant
	}
	return name + "+" + constant
}

// listable returns an error if a listing has no place for the k-th relation.
func (s *Set) listable(k int) error {
	cols := []int{s.Base[k]}
	for d, b := range s.Beta[k] {
		if b != 0 {
			cols = append(cols, s.Dependent[d])
		}
	}
	for _, c := range cols {
		col := &s.Columns[c]
		if listedColumn(col) < 0 && (len(cols) > 1 || col.Drive > 0 && col.Term == regressor.Ia) {
			return fmt.Errorf("%s of %q is part of %s, and a SYMORO+ listing has only parameters of links and of their own rotors: %w", col.Name, col.Owner, s.Name(k), robot.ErrNotWritable)
		}
	}
	return nil
}

// listed returns the k-th combination as text without losing a digit.
func (s *Set) listed(k int) string {
	if s.Exact != nil {
		return s.sum(k).write(listingText)
	}
	var b strings.Builder
	b.WriteString(listingText.name(s.Columns[s.Base[k]].Name))
	for d, v := range s.Beta[k] {
		name := listingText.name(s.Columns[s.Dependent[d]].Name)
		switch {
		case v == 0:
			continue
		case v < 0:
			b.WriteString(" - ")
		default:
			b.WriteString(" + ")
		}
		if v = max(v, -v); v != 1 {
			b.WriteString(strconv.FormatFloat(v, 'g', -1, 64) + "*")
		}
		b.WriteString(name)
	}
	return b.String()
}

// standardCells returns a table of the listing's kinds by links, with the text
// that cell gives for a model's column, and 0 where the model has none.
func (s *Set) standardCells(links int, cell func(column int) string) [][]string {
	out := make([][]string, len(listingKinds))
	for p := range out {
		out[p] = slices.Repeat([]string{"0"}, links)
	}
	for c := range s.Columns {
		if p := listedColumn(&s.Columns[c]); p >= 0 {
			out[p][s.Columns[c].Link] = cell(c)
		}
	}
	return out
}

func writeTable(b *bytes.Buffer, title string, keys []string, columns [][]string) {
	fmt.Fprintf(b, "%s\n", title)
	t := tabwriter.NewWriter(b, 8, 0, 2, ' ', 0)
	fmt.Fprintf(t, "j\t%s\n", strings.Join(keys, "\t"))
	for j := range columns[0] {
		fmt.Fprint(t, j+1)
		for _, c := range columns {
			fmt.Fprintf(t, "\t%s", c[j])
		}
		fmt.Fprintln(t)
	}
	t.Flush() // into memory: it cannot fail
	b.WriteString("\n")
}
