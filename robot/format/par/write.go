package par

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/internal/controller"
	"ident/robot"
	"ident/robot/internal/assembly"
	"ident/robot/internal/expression"
	"ident/robot/internal/words"
)

// Write writes the robot as a SYMORO+ file of a tree, or of closed loops with the
// two frames of each cut behind the links: the six parameters of
// each frame as the file gave them, or computed from its placement, the ten
// standard parameters where they are known and their symbols where not, Ia, Fv
// and Fs (a symbol where nothing is known), and gravity. Frames are numbered
// as the links are; names, limits, lumped bodies apart from their link,
// couplings and the user's own frames have no place in the format. Axes that
// are nearly, but not exactly, parallel have no accurate parameters: that is an
// error that matches ErrNotWritable.
func Write(w io.Writer, r *robot.Robot) error {
	n := len(r.Links)
	cuts, err := cutFrames(r)
	if err != nil {
		return err
	}
	columns := map[string][]string{}
	add := func(key, text string) { columns[key] = append(columns[key], text) }
	typ := "0 (* Simple *)"
	for i := range r.Links {
		l := &r.Links[i]
		if l.Antecedent != i-1 {
			typ = "1 (* Tree *)"
		}
		text, err := mdhTexts(l, r.Symbols)
		if err != nil {
			return err
		}
		for k, key := range robot.MDHNames {
			add(key, text[k])
		}
		add("ant", strconv.Itoa(l.Antecedent+1))
		add("sigma", strconv.Itoa(int(l.Joint.Kind)))
		mu := "1"
		if l.Joint.Passive || l.Joint.Kind == robot.Fixed {
			mu = "0"
		}
		add("mu", mu)
		for k, name := range robot.InertialNames {
			if l.HasInertial || l.Massless || l.Zero[k] {
				add(name, words.Number(l.Inertial[k]))
			} else {
				add(name, robot.ParameterName(name, i))
			}
		}
		for k, v := range [3]float64{l.Joint.Ia, l.Joint.Fv, l.Joint.Fs} {
			key := [3]string{"IA", "FV", "FS"}[k]
			if v == 0 && l.Joint.Kind != robot.Fixed && !(k == 0 && l.Joint.NoRotor) {
				add(key, robot.ParameterName(key, i))
			} else {
				add(key, words.Number(v))
			}
		}
	}
	for _, k := range cuts {
		f := &r.Extra[k]
		text, err := mdhTexts(&robot.Link{Joint: robot.Joint{Name: f.Name}, MDH: f.MDH, Placement: f.Placement}, r.Symbols)
		if err != nil {
			return err
		}
		for k, key := range robot.MDHNames {
			add(key, text[k])
		}
		ant := f.Antecedent + 1
		if f.Antecedent < -1 {
			ant = n + 1 + slices.Index(cuts, -2-f.Antecedent)
		}
		add("ant", strconv.Itoa(ant))
		add("sigma", strconv.Itoa(int(f.Kind)))
		add("mu", "0")
	}
	if len(cuts) > 0 {
		typ = "2 (* Closed *)"
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "(* Robotname = '%s' *)\nNF = %d\nNL = %d\nNJ = %d\nType = %s\n", parNameText(r.Name), n+len(cuts), n, n+len(cuts)/2, typ)
	section := func(title string, keys ...string) {
		fmt.Fprintf(&b, "\n(* %s *)\n", title)
		for _, key := range keys {
			fmt.Fprintf(&b, "%s = {%s}\n", key, strings.Join(columns[key], ", "))
		}
	}
	section("Geometric parameters", "ant", "sigma", "b", "d", "r", "gamma", "alpha", "mu", "theta")
	section("Dynamic parameters", append(append([]string{}, robot.InertialNames[:]...), "IA", "FV", "FS")...)
	b.WriteString(writeOutside(r))
	fmt.Fprintf(&b, "\n(* Acceleration of gravity *)\nG = {%s}\n\n(* End of definition *)\n", strings.ReplaceAll(words.Spaced(r.Gravity), " ", ", "))
	_, err = b.WriteTo(w)
	return err
}

// cutFrames lists the frames of the cuts in the file's order: those of the cut joints, then those that they meet.
func cutFrames(r *robot.Robot) ([]int, error) {
	if len(r.Couplings) > 0 {
		return nil, assembly.NotWritable("robot "+r.Name, "%s", r.CouplingName(0))
	}
	b := len(r.Loops)
	cuts := make([]int, 2*b)
	for i, l := range r.Loops {
		if l.Spherical {
			return nil, assembly.NotWritable("robot "+r.Name, "%s is closed by a ball joint", r.LoopName(i))
		}
		cuts[i], cuts[b+i] = l.Frame, l.Meets
	}
	for _, k := range cuts {
		if a := r.Extra[k].Antecedent; a < -1 && !slices.Contains(cuts, -2-a) {
			return nil, assembly.NotWritable("robot "+r.Name, "frame %s at a cut is placed on another frame", r.Extra[k].Name)
		}
	}
	return cuts, nil
}

// parNameText keeps a name from ending its own quotes, comment or line.
func parNameText(s string) string { return controller.Note(strings.ReplaceAll(s, "'", "")) }

// mdhTexts returns the six parameters as text. Symbols with values go in as
// numbers, for the format has no place for both.
func mdhTexts(l *robot.Link, symbols map[string]float64) ([6]string, error) {
	if l.MDH == nil {
		m, err := robot.MDHOf(l.Placement)
		if err != nil {
			return [6]string{}, fmt.Errorf("%s: %w", words.Joint(l.Joint.Name), err)
		}
		return m.Text, nil
	}
	text := l.MDH.Text
	for k, v := range l.MDH.Values() {
		used := map[string]bool{}
		if e, err := expression.Parse(text[k]); err == nil {
			e.Symbols(used)
		}
		if text[k] == "" || len(used) > 0 && !math.IsNaN(v) {
			text[k] = words.Number(v)
		}
	}
	return text, nil
}
