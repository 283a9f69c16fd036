package baseparams

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ident/regressor"
	"ident/robot"
	"ident/robot/format/par"
)

// parList matches a list in the files that par.Write writes, one per line.
var parList = regexp.MustCompile(`(?m)^(\w+) = \{(.*)\}$`)

// parText writes a robot as par.Write does, with the symbols of its
// geometry in place of their values.
func parText(r *robot.Robot) ([]byte, error) {
	c := r.Clone()
	// A symbol without a value stays a symbol.
	unbound := func(m *robot.MDH) *robot.MDH {
		if m == nil {
			return nil
		}
		own := *m
		for k, v := range []*float64{&own.Gamma, &own.B, &own.Alpha, &own.D, &own.Theta, &own.R} {
			if own.Text[k] != "" {
				*v = math.NaN()
			}
		}
		return &own
	}
	for j := range c.Links {
		c.Links[j].MDH = unbound(c.Links[j].MDH)
	}
	for k := range c.Extra { // at the cuts of loops
		c.Extra[k].MDH = unbound(c.Extra[k].MDH)
	}
	return parNumbers(c)
}

func parNumbers(r *robot.Robot) ([]byte, error) {
	var b bytes.Buffer
	err := par.Write(&b, r)
	return b.Bytes(), err
}

// parLists returns the lists of that file by their keys.
func parLists(r *robot.Robot) (map[string][]string, error) {
	text, err := parText(r)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, m := range parList.FindAllSubmatch(text, -1) {
		out[string(m[1])] = strings.Split(string(m[2]), ", ")
	}
	return out, nil
}

// WriteBasePar writes the robot as a SYMORO+ file with base parameters in place of the standard ones (RX90base.par for
// an RX90). Eliminated parameters are zero. The others have their values, in the order of s.Base; if values is nil, they have
// their symbols: XXR2 if others are regrouped onto XX2. Symbols of the geometry remain only in the latter case, because
// values hold for one numeric geometry. A robot read from the file by format.Read has the same torques with fewer
// operations. Drive parameters outside the set's model are the robot's. Like par.Write it writes neither offsets nor
// shared drives. Parameters of a floating base are an error that matches robot.ErrNotWritable.
//
// It panics if values is neither nil nor one for each base parameter.
func WriteBasePar(w io.Writer, s *Set, r *robot.Robot, values []float64) error {
	if values != nil && len(values) != len(s.Base) {
		panic(fmt.Sprintf("baseparams: %d values for a set of %d", len(values), len(s.Base)))
	}
	if err := s.onFixedBase(); err != nil {
		return err
	}
	write := parText
	if values != nil {
		write = parNumbers
	}
	text, err := write(r)
	if err != nil {
		return err
	}
	keyOf := func(c *regressor.Column) string {
		if p := listedColumn(c); p >= 0 {
			return listingKinds[p]
		}
		if c.Drive == 0 && (c.Term == regressor.Fv || c.Term == regressor.Fs) {
			return strings.ToUpper(string(c.Term))
		}
		return ""
	}
	changed := map[string]map[int]string{}
	for c := range s.Columns {
		col := &s.Columns[c]
		key := keyOf(col)
		if key == "" {
			continue
		}
		cell := "0"
		if k, ok := slices.BinarySearch(s.Base, c); ok {
			if values == nil {
				cell = listedName(key, col.Link, s.Name(k) != col.Name)
			} else {
				cell = strconv.FormatFloat(values[k], 'g', -1, 64)
			}
		}
		if changed[key] == nil {
			changed[key] = map[int]string{}
		}
		changed[key][col.Link] = cell
	}
	text = parList.ReplaceAllFunc(text, func(line []byte) []byte {
		m := parList.FindSubmatch(line)
		cells := strings.Split(string(m[2]), ", ")
		for j, cell := range changed[string(m[1])] {
			cells[j] = cell
		}
		return fmt.Appendf(nil, "%s = {%s}", m[1], strings.Join(cells, ", "))
	})
	_, err = w.Write(text)
	return err
}
