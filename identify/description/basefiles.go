package description

import (
	"fmt"
	"io"
	"slices"

	"ident/baseparams"
	"ident/regressor"
)

// BaseFormats returns the formats of files of base parameters.
func BaseFormats() []string { return []string{"latex", "csv", "regp", "par"} }

// Write writes the set in a format of BaseFormats. A .par file holds values if the robot file has an inertial for every link
// and a length for every symbol.
func (b *Base) Write(w io.Writer, format string) error {
	switch format {
	case "latex":
		return b.Set.WriteLaTeX(w)
	case "csv":
		return b.Set.WriteCSV(w)
	case "regp":
		return baseparams.WriteRegp(w, b.Set, b.Robot)
	case "par":
		return baseparams.WriteBasePar(w, b.Set, b.Robot, b.values())
	}
	return fmt.Errorf("no format %q of base parameters; there are latex, csv, regp and par", format)
}

// Explain says of one parameter whether it can be identified alone, in combination or not at all, and why.
func (b *Base) Explain(name string) (string, error) {
	if slices.Contains(b.Document.KnownZero, name) {
		return name + ": " + knownZero, nil
	}
	return b.Set.Explain(name)
}

// values returns the base parameters of the robot file, nil if it does not determine all.
func (b *Base) values() []float64 {
	if len(b.Document.Drawn) > 0 {
		return nil
	}
	chi := make([]float64, len(b.Set.Columns))
	for c, col := range b.Set.Columns {
		v, given := regressor.ValueOf(b.Robot, col)
		if !given && col.Term == regressor.Links {
			return nil
		}
		chi[c] = v
	}
	return b.Set.FromStandard(chi)
}
