package sdf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ident/internal/xmltree"
	"ident/robot"
	"ident/robot/format/internal/mujoco"
)

func fault(n *xmltree.Node, where, format string, args ...any) error {
	return &xmltree.Error{Line: n.Line, Where: where, Text: fmt.Sprintf(format, args...)}
}

// reader holds one model.
type reader struct {
	text    []byte
	opt     robot.ReadOptions
	out     *mujoco.Model
	version float64
	model   *xmltree.Node
	frames  map[string]*frame // links, joints and frames by name
	names   []string          // in the file's order
	inModel pose              // of the frame that the model's pose places, in the model's own
	atWorld pose              // of the model's frame in the world
}

// modelNode returns the model of a file that is read.
func modelNode(text []byte, root *xmltree.Node) (*xmltree.Node, error) {
	r := &reader{text: text, out: &mujoco.Model{}}
	_, err := r.choose(root)
	return r.model, err
}

// readModel reads a text in UTF-8 whose tree is known.
func readModel(text []byte, root *xmltree.Node, opt robot.ReadOptions) (*mujoco.Model, error) {
	r := &reader{text: text, opt: opt, out: &mujoco.Model{Gravity: [3]float64{0, 0, -9.81}}, frames: map[string]*frame{}, inModel: identity(), atWorld: identity(), version: 1.12}
	if v, ok := root.Attr("version"); ok {
		// "1.10" is later than "1.9".
		major, minor, _ := strings.Cut(v, ".")
		a, errA := strconv.Atoi(major)
		b, errB := strconv.Atoi(minor)
		if errA != nil || errB != nil || a != 1 || b < 0 || b > 99 {
			return nil, fault(root, "", "version %q of SDFormat is not known; versions 1.0 to 1.12 are", v)
		}
		r.version = 1 + float64(b)/100
	}
	world, err := r.choose(root)
	if err != nil {
		return nil, err
	}
	if world != nil {
		if err := r.world(world); err != nil {
			return nil, err
		}
	}
	r.out.Name, _ = r.model.Attr("name")
	if err := r.scope(); err != nil {
		return nil, err
	}
	return r.out, r.bodies()
}

// since reports whether the file's version is 1.n or later.
func (r *reader) since(n int) bool { return r.version > 1+(float64(n)-0.5)/100 }

func (r *reader) note(where, format string, args ...any) {
	r.out.Notes = append(r.out.Notes, mujoco.Note{Where: where, Text: fmt.Sprintf(format, args...)})
}

// choose finds the one model with joints, and the world that it is in.
func (r *reader) choose(root *xmltree.Node) (world *xmltree.Node, err error) {
	if root.Name != "sdf" {
		return nil, fault(root, "", "the top element is <%s>, that of SDFormat is <sdf>", root.Name)
	}
	type place struct{ model, world *xmltree.Node }
	var all []place
	for _, m := range root.All("model") {
		all = append(all, place{m, nil})
	}
	included := root.All("include")
	for _, w := range root.All("world") {
		for _, m := range w.All("model") {
			all = append(all, place{m, w})
		}
		included = append(included, w.All("include")...)
	}
	var with []place
	for _, p := range all {
		if jointed(p.model) {
			with = append(with, p)
		}
	}
	if len(with) == 0 && len(all) == 1 {
		with = all
	}
	switch {
	case len(with) == 0 && len(included) > 0:
		return nil, fault(included[0], "", "<include> of another file: give one file with the model in it, as gz sdf -p prints it")
	case len(with) == 0:
		return nil, fault(root, "", "the file holds no <model> with joints")
	case len(with) > 1:
		var names []string
		for _, p := range with {
			name, _ := p.model.Attr("name")
			names = append(names, fmt.Sprintf("%q (line %d)", name, p.model.Line))
		}
		return nil, fault(root, "", "%d models with joints, %s: give a file with one robot", len(with), strings.Join(names, ", "))
	}
	for _, n := range included {
		r.note("world", "<include> in line %d is not read", n.Line)
	}
	r.model = with[0].model
	return with[0].world, nil
}

// jointed reports whether a model has joints, its own or those of models in it.
func jointed(m *xmltree.Node) bool {
	if len(m.All("joint")) > 0 {
		return true
	}
	return slices.ContainsFunc(m.All("model"), jointed)
}

// world reads gravity, and refuses frames of the world that the model would stand on.
func (r *reader) world(w *xmltree.Node) error {
	g, _ := w.Last("gravity")
	if g == nil {
		r.out.Gravity = [3]float64{0, 0, -9.8}
		r.note("world", "it does not say its gravity, which is then -9.8 m/s² along z")
		return nil
	}
	v, err := r.numbers(g, "world")
	if err != nil {
		return err
	}
	if len(v) != 3 {
		return fault(g, "world", "<gravity> has three numbers, found %d", len(v))
	}
	r.out.Gravity = [3]float64(v)
	return nil
}
