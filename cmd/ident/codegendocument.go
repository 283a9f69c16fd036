package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"ident/regressor"
	"ident/symbolic"
)

// codegenDoc is the JSON document of ident codegen.
type codegenDoc struct {
	Schema     string           `json:"schema"`
	Robot      string           `json:"robot"`
	Name       string           `json:"name"`
	Parameters []string         `json:"parameters"`
	Base       bool             `json:"base"`
	Models     []codegenModel   `json:"models"`
	Files      []string         `json:"files"`
	Notes      []string         `json:"notes"`
	Terms      []regressor.Term `json:"terms"`
}

// codegenModel is one program of the document.
type codegenModel struct {
	Model     string          `json:"model"`
	Function  string          `json:"function"`
	Arguments []string        `json:"arguments"`
	Counts    symbolic.Counts `json:"operations"`
}

// programArguments lists vectors by their group and symbols by their names.
func programArguments(p *symbolic.Program) []string {
	names := []string{}
	for _, in := range p.Inputs {
		name := in.Group
		if name == "" || in.Kind == symbolic.Geometry {
			name = in.Name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Print writes the document as text.
func (d *codegenDoc) Print(w io.Writer) error {
	kind := "standard"
	if d.Base {
		kind = "base"
	}
	if n := len(d.Parameters); n > 0 {
		fmt.Fprintf(w, "%s: %d %s parameters\n\n", d.Robot, n, kind)
	} else {
		fmt.Fprintf(w, "%s\n\n", d.Robot)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "multiplications\tadditions\tdivisions\tsin, cos\t  model\t")
	for _, m := range d.Models {
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t  %s(%s)\t\n", m.Counts.Mul, m.Counts.Add, m.Counts.Div, m.Counts.Trig, m.Function, strings.Join(m.Arguments, ", "))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, f := range d.Files {
		fmt.Fprintln(w, f)
	}
	for _, n := range d.Notes {
		fmt.Fprintln(w, "note:", n)
	}
	return nil
}
