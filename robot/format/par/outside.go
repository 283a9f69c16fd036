package par

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/robot"
	"ident/robot/internal/words"
)

// outside reads the external wrenches FX … CZ and the motion of the base W0 … VP0. A list may be shorter
// than the links: entries that are missing are 0.
func (p *reader) outside() error {
	read := func(key string, n int, to func(i int) *float64) error {
		for i, text := range p.entries[key].values {
			if i == n {
				break
			}
			v, known, err := p.value(key, text, i)
			if err != nil {
				return err
			}
			if !known {
				v = math.NaN()
			}
			*to(i) = v
		}
		return nil
	}
	for k, key := range []string{"fx", "fy", "fz", "cx", "cy", "cz"} {
		if err := read(key, len(p.r.Links), func(i int) *float64 { return &p.r.Links[i].External[k] }); err != nil {
			return err
		}
	}
	for j := range p.r.Links {
		l := &p.r.Links[j]
		l.HasExternal = l.External != [6]float64{}
		// A symbol is SYMORO+'s way to ask for an argument; a number says that the wrench is there.
		if slices.ContainsFunc(l.External[:], func(v float64) bool { return v != 0 && !math.IsNaN(v) }) {
			p.note(fmt.Sprintf("link %q", l.Name), "FX … CZ: its wrench on the environment is an argument of generated models; other models do not have it")
		}
	}
	m := &p.r.BaseMotion
	var moves []string
	for _, v := range []struct {
		key string
		to  *[3]float64
	}{{"w0", &m.W}, {"wp0", &m.WP}, {"v0", &m.V}, {"vp0", &m.VP}} {
		if err := read(v.key, 3, func(i int) *float64 { return &v.to[i] }); err != nil {
			return err
		}
		if slices.ContainsFunc(v.to[:], func(x float64) bool { return x != 0 && !math.IsNaN(x) }) {
			moves = append(moves, strings.ToUpper(v.key))
		}
	}
	p.r.BaseMoves = *m != robot.BaseMotion{}
	if len(moves) > 0 {
		p.note("base", strings.Join(moves, ", ")+": the base moves, which is an argument of generated models and no part of the others")
	}
	return nil
}

func (p *reader) note(where, text string) {
	p.r.Notes = append(p.r.Notes, robot.Note{Where: where, Text: text})
}

// writeOutside lists the wrenches and the motion of the base as a SYMORO+ file has them, symbols by
// their names; nothing where there are none.
func writeOutside(r *robot.Robot) string {
	cell := func(name string, v float64) string {
		if math.IsNaN(v) {
			return name
		}
		return words.Number(v)
	}
	var b strings.Builder
	if len(r.ExternalLinks()) > 0 {
		b.WriteString("\n(* External forces *)\n")
		for k, key := range []string{"FX", "FY", "FZ", "CX", "CY", "CZ"} {
			var cells []string
			for j := range r.Links {
				cells = append(cells, cell(fmt.Sprintf("%s%d", key, j+1), r.Links[j].External[k]))
			}
			fmt.Fprintf(&b, "%s = {%s}\n", key, strings.Join(cells, ", "))
		}
	}
	if r.BaseMoves {
		b.WriteString("\n(* Motion of the base *)\n")
		for i, v := range [][3]float64{r.BaseMotion.W, r.BaseMotion.V, r.BaseMotion.WP, r.BaseMotion.VP} {
			key := []string{"W0", "V0", "WP0", "VP0"}[i]
			var cells []string
			for k, x := range v {
				cells = append(cells, cell(fmt.Sprintf("%s%c", key, 'x'+rune(k)), x))
			}
			fmt.Fprintf(&b, "%s = {%s}\n", key, strings.Join(cells, ", "))
		}
	}
	return b.String()
}
