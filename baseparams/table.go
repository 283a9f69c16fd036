package baseparams

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"ident/internal/spreadsheet"
)

// WriteCSV writes one row for each part of a standard parameter in a base parameter, and one for each without effect.
// The columns are the standard parameter, the link or joint that owns it, its unit, its identifiability, the base
// parameter, the coefficient there as a number and in the geometry's symbols, and why it is eliminated.
func (s *Set) WriteCSV(w io.Writer) error {
	rows := [][]string{{"parameter", "owner", "unit", "identifiable", "base", "coefficient", "exact", "reason"}}
	for c := range s.Columns {
		col := &s.Columns[c]
		head := []string{col.Name, col.Owner, col.Unit, s.Status(c).String()}
		if k, ok := slices.BinarySearch(s.Base, c); ok {
			rows = append(rows, append(head, s.Name(k), "1", "", ""))
			continue
		}
		d, ok := slices.BinarySearch(s.Dependent, c)
		if !ok {
			rows = append(rows, append(head, "", "", "", s.reason(c)))
			continue
		}
		for k := range s.Base {
			if b := s.Beta[k][d]; b != 0 {
				exact := ""
				if s.Exact != nil {
					exact = s.Exact[k][d].String()
				}
				rows = append(rows, append(slices.Clone(head), s.Name(k), strconv.FormatFloat(b, 'g', -1, 64), exact, s.reason(c)))
			}
		}
	}
	return spreadsheet.Write(w, rows)
}

// LaTeX returns the k-th relation for LaTeX's math mode.
func (s *Set) LaTeX(k int) string {
	return latexName(s.Name(k)) + " = " + s.sum(k).write(latexText)
}

// WriteLaTeX writes the base parameters and their relations as a longtable,
// followed by the parameters without effect.
func (s *Set) WriteLaTeX(w io.Writer) error {
	var b strings.Builder
	b.WriteString("\\begin{longtable}{lp{0.8\\linewidth}}\n\\hline\nBase parameter & Standard parameters \\\\\n\\hline\n\\endhead\n")
	for k := range s.Base {
		fmt.Fprintf(&b, "$%s$ & $%s$ \\\\\n", latexName(s.Name(k)), s.sum(k).write(latexText))
	}
	b.WriteString("\\hline\n\\end{longtable}\n")
	if len(s.Zero) > 0 {
		names := make([]string, len(s.Zero))
		for i, c := range s.Zero {
			names[i] = "$" + latexName(s.Columns[c].Name) + "$"
		}
		fmt.Fprintf(&b, "No effect: %s.\n", strings.Join(names, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
