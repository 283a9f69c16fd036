package symbolic

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrOutput is wrapped by the error for an output that a program lacks.
var ErrOutput = errors.New("no such output")

// EntryName returns the name of an entry of an output as sources have it: the output's own for a scalar,
// tau2 for a vector's, A_2_3 for a matrix's.
func (o *Output) EntryName(row, col int) string {
	switch {
	case o.Scalar():
		return o.Name
	case o.Vector():
		return fmt.Sprintf("%s%d", o.Name, row+1)
	}
	return fmt.Sprintf("%s_%d_%d", o.Name, row+1, col+1)
}

// Select returns the program with the named outputs alone, in that order, and the operations that these
// need. A name is that of an output, or of an entry (EntryName), which becomes a scalar. The error is that
// of ctx or wraps ErrOutput.
func (p *Program) Select(ctx context.Context, names []string) (*Program, error) {
	s := *p
	s.Outputs = nil
	for _, name := range names {
		o, ok := p.output(name)
		if !ok {
			var all []string
			for i := range p.Outputs {
				all = append(all, p.Outputs[i].Name)
			}
			return nil, fmt.Errorf("%s: %w: %q; its outputs are %s, their entries as %s", p.Name, ErrOutput, name, strings.Join(all, ", "),
				p.Outputs[0].EntryName(p.Outputs[0].Rows-1, p.Outputs[0].Cols-1))
		}
		s.Outputs = append(s.Outputs, o)
	}
	return s.Bind(ctx, nil)
}

// output finds an output, or an entry as an output of its own.
func (p *Program) output(name string) (Output, bool) {
	for i := range p.Outputs {
		o := &p.Outputs[i]
		if o.Name == name {
			return *o, true
		}
		for row := range o.Rows {
			for col := range o.Cols {
				if o.EntryName(row, col) == name {
					return Output{Name: name, Rows: 1, Cols: 1, Entries: []Ref{o.At(row, col)}, Unit: o.Unit, Doc: o.Doc + o.entry(row, col)}, true
				}
			}
		}
	}
	return Output{}, false
}

// entry names the row and the column of an entry.
func (o *Output) entry(row, col int) string {
	text := ""
	if row < len(o.RowNames) {
		text += ", " + o.RowNames[row]
	}
	if col < len(o.ColNames) {
		text += ", " + o.ColNames[col]
	}
	return text
}
