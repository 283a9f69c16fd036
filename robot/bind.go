package robot

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"ident/internal/angles"
	"ident/robot/internal/expression"
	"ident/robot/internal/words"
)

// placed is a link or an extra frame, placed by six parameters.
type placed struct {
	where string
	mdh   *MDH
	to    *Transform
}

func (r *Robot) placedFrames() []placed {
	var out []placed
	for i := range r.Links {
		l := &r.Links[i]
		out = append(out, placed{words.Joint(l.Joint.Name), l.MDH, &l.Placement})
	}
	for i := range r.Extra {
		f := &r.Extra[i]
		out = append(out, placed{"frame " + f.Name, f.MDH, &f.Placement})
	}
	return out
}

// GeometrySymbols returns the symbols that the placements use, sorted.
func (r *Robot) GeometrySymbols() []string {
	set := map[string]bool{}
	for _, p := range r.placedFrames() {
		if p.mdh != nil {
			p.mdh.symbols(set)
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// symbols adds the names in the texts to set; text that does not parse has none.
func (m *MDH) symbols(set map[string]bool) {
	for _, t := range m.Text {
		if e, err := expression.Parse(t); err == nil {
			e.Symbols(set)
		}
	}
}

// Bind returns a copy of the robot with new values for symbols of its geometry, and with its placements computed again.
// A name that the robot does not use is an error that lists those it uses.
func (r *Robot) Bind(values map[string]float64) (*Robot, error) {
	known := r.GeometrySymbols()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(known, name) {
			list := "the robot's geometry has no symbols"
			if len(known) > 0 {
				list = "the robot's symbols are " + strings.Join(known, ", ")
			}
			return nil, Fault(0, "", "no symbol %q to set%s; %s", name, words.DidYouMean(name, known), list)
		}
		if v := values[name]; math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, Fault(0, "", "symbol %s: the value %g is not finite", name, v)
		}
	}
	c := r.Clone()
	if c.Symbols == nil && len(values) > 0 {
		c.Symbols = map[string]float64{}
	}
	maps.Copy(c.Symbols, values)
	return c, c.place()
}

// place computes the placements of all frames with six parameters, and lists the symbols without a value in the
// placements of links and of frames that close loops.
func (r *Robot) place() error {
	unset := map[string]bool{}
	for i, p := range r.placedFrames() {
		if p.mdh == nil {
			continue
		}
		said, missing, err := p.mdh.compute(r.Symbols, !r.Source.NoSnap)
		if err != nil {
			where := p.where
			if i < len(r.Links) {
				where = fmt.Sprintf("frame %d (%s)", i+1, p.where)
			}
			return Fault(0, where, "%v", err)
		}
		*p.to = p.mdh.Transform()
		if len(said) > 0 {
			r.noteOnce(Note{p.where, "read " + strings.Join(said, ", ")})
		}
		for _, s := range missing {
			// A tree does not need its extra frames, but they close a loop.
			if i < len(r.Links) || len(r.Loops) > 0 {
				unset[s] = true
			}
		}
	}
	r.Unset = nil
	if len(unset) > 0 {
		r.Unset = slices.Sorted(maps.Keys(unset))
	}
	return r.checkPlaced()
}

// noteOnce adds a note unless it is there.
func (r *Robot) noteOnce(n Note) {
	if !slices.Contains(r.Notes, n) {
		r.Notes = append(r.Notes, n)
	}
}

// checkPlaced refuses placements that overflow in a robot without unset symbols.
func (r *Robot) checkPlaced() error {
	if len(r.Unset) > 0 {
		return nil
	}
	return r.checkFinite()
}

var MDHNames = [6]string{"gamma", "b", "alpha", "d", "theta", "r"}

// compute evaluates the six texts; values that contain an unset symbol become NaN.
func (m *MDH) compute(symbols map[string]float64, snap bool) (said, missing []string, err error) {
	var v [6]float64
	for k, text := range m.Text {
		e, err := expression.Parse(text)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", MDHNames[k], err)
		}
		used := map[string]bool{}
		e.Symbols(used)
		n := len(missing)
		for _, s := range slices.Sorted(maps.Keys(used)) {
			if _, ok := symbols[s]; !ok {
				missing = append(missing, s)
			}
		}
		if len(missing) > n {
			v[k] = math.NaN()
			continue
		}
		v[k] = e.Eval(symbols) + 0
		if math.IsNaN(v[k]) || math.IsInf(v[k], 0) {
			return nil, nil, fmt.Errorf("%s: %s is not finite", MDHNames[k], text)
		}
		if !snap {
			continue
		}
		if k%2 == 0 {
			var s string
			if v[k], s = angles.Snap(v[k]); s != "" {
				said = append(said, MDHNames[k]+" "+s)
			}
		} else if v[k] != 0 && math.Abs(v[k]) < angles.SnapLength {
			said = append(said, fmt.Sprintf("%s %g m as 0", MDHNames[k], v[k]))
			v[k] = 0
		}
	}
	m.setValues(v)
	sort.Strings(missing)
	return said, missing, nil
}
