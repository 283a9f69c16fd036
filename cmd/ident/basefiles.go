package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"ident/baseparams"
	"ident/regressor"
	"ident/robot"
)

// baseFormats are the files that ident base-params writes.
var baseFormats = []string{"latex", "csv", "regp", "par"}

// writeBase writes the set in another format. A .par file holds values if the robot file has an inertial for every link
// and a length for every symbol.
func writeBase(s streams, doc *baseParamsDoc, r *robot.Robot, to, path string) error {
	for _, w := range doc.Warnings {
		s.warn("%s", w)
	}
	for _, n := range doc.Notes {
		s.note("%s", n)
	}
	var b bytes.Buffer
	write := map[string]func(io.Writer) error{
		"latex": doc.set.WriteLaTeX,
		"csv":   doc.set.WriteCSV,
		"regp":  func(w io.Writer) error { return baseparams.WriteRegp(w, doc.set, r) },
		"par":   func(w io.Writer) error { return baseparams.WriteBasePar(w, doc.set, r, baseValues(doc, r)) },
	}[to]
	if err := write(&b); err != nil {
		return fmt.Errorf("--to %s: %w", to, err)
	}
	return writeTo(s, path, to, b.Bytes())
}

// baseValues returns the base parameters of the robot file, nil if it does not determine all.
func baseValues(doc *baseParamsDoc, r *robot.Robot) []float64 {
	if len(doc.Drawn) > 0 {
		return nil
	}
	chi := make([]float64, len(doc.set.Columns))
	for c, col := range doc.set.Columns {
		v, given := regressor.ValueOf(r, col)
		if !given && col.Term == regressor.Links {
			return nil
		}
		chi[c] = v
	}
	return doc.set.FromStandard(chi)
}

// explainBase prints why a parameter can be identified or not.
func explainBase(s streams, doc *baseParamsDoc, name string) error {
	for _, w := range doc.Warnings {
		s.warn("%s", w)
	}
	if slices.Contains(doc.KnownZero, name) {
		if _, err := fmt.Fprintf(s.out, "%s: %s\n", name, knownZero); err != nil {
			return fmt.Errorf("printing the explanation: %w", err)
		}
		return nil
	}
	why, err := doc.set.Explain(name)
	if err != nil {
		return usagef("--explain %s: %v", name, err)
	}
	if _, err := fmt.Fprintln(s.out, why); err != nil {
		return fmt.Errorf("printing the explanation: %w", err)
	}
	return nil
}
