package yaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/robot"
	"ident/robot/internal/assembly"
	"ident/robot/internal/expression"
	"ident/robot/internal/words"
)

// reader builds a robot link by link, in the file's order.
type reader struct {
	r     *robot.Robot
	opt   robot.ReadOptions
	seats map[string]yamlSeat // by the name of a body
	last  string              // the body read last, the default parent
	links map[string]int      // by the name of a joint
	dh    string              // convention of rows of four parameters, "" where the file does not say
	// distal has the second halves of standard rows, by link.
	distal map[int]distal
}

// yamlSeat is where a body is: its own frame in the frame of a link.
type yamlSeat struct {
	link   int
	in     robot.Transform
	lumped bool
}

// Read fills r from a text in the library's own format. Package format calls it, and gives its errors their path.
func Read(r *robot.Robot, text []byte, opt robot.ReadOptions) error {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return robot.Fault(0, "", "the file is empty")
		}
		return yamlFault(err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return robot.Fault(0, "", "the file holds more than one YAML document")
	}
	if len(doc.Content) == 0 {
		return robot.Fault(0, "", "the file is empty")
	}
	top, err := mapping(doc.Content[0], "robot", append([]string{"name", "base", "gravity", "convention", "symbols", "links", "mimics", "drives"}, loopKeys[:]...)...)
	if err != nil {
		return err
	}
	y := &reader{r: r, opt: opt, seats: map[string]yamlSeat{}, links: map[string]int{}, distal: map[int]distal{}}
	if err := y.head(top); err != nil {
		return err
	}
	list, err := top.list("links")
	if err != nil {
		return err
	}
	for _, n := range list {
		if err := y.link(n); err != nil {
			return err
		}
	}
	if r.DOF() == 0 {
		return robot.Fault(top.line, "links", "no joint moves; a revolute, continuous or prismatic joint is needed")
	}
	assembly.AddLumped(r)
	if err := y.couplings(top); err != nil {
		return err
	}
	if err := y.ties(top); err != nil {
		return err
	}
	if err := y.openYAML(); err != nil {
		return err
	}
	bound, err := r.Bind(opt.Set)
	if err != nil {
		return err
	}
	*r = *bound
	return nil
}

func (y *reader) head(top yamlMap) error {
	r := y.r
	name, err := top.text("name")
	if err != nil {
		return err
	}
	if name != "" {
		r.Name = name
	}
	if r.BaseName, err = top.text("base"); err != nil {
		return err
	}
	y.last = r.BaseName
	if y.last == "" {
		y.last = "base"
	}
	y.seats[y.last] = yamlSeat{link: -1, in: robot.Identity()}
	if r.Gravity, err = top.vector("gravity", robot.StandardGravity); err != nil {
		return err
	}
	if err := y.convention(top); err != nil {
		return err
	}
	symbols, err := top.sub("symbols", "symbols")
	if err != nil {
		return err
	}
	for _, s := range symbols.order {
		if e, err := expression.Parse(s); err != nil || !e.IsSymbol() {
			return robot.Fault(symbols.line, "symbols", "%q is not a name that an expression can use", s)
		}
		v, err := symbols.number(s, 0)
		if err != nil {
			return err
		}
		if r.Symbols == nil {
			r.Symbols = map[string]float64{}
		}
		r.Symbols[s] = v
	}
	return nil
}

// link reads one body with the joint that carries it.
func (y *reader) link(n *yaml.Node) error {
	m, err := mapping(n, "link", "name", "parent", "joint", "mdh", "dh", "origin", "axis", "user_frame", "keep", "massless", "zero", "inertial", "standard", "shapes", "section")
	if err != nil {
		return err
	}
	name, err := m.text("name")
	if err != nil {
		return err
	}
	if name == "" {
		name = fmt.Sprintf("L%d", len(y.seats))
	}
	m.where = fmt.Sprintf("link %q", name)
	if _, dup := y.seats[name]; dup {
		return robot.Fault(m.line, "", "link %q is defined twice; rename one", name)
	}
	parent, err := m.text("parent")
	if err != nil {
		return err
	}
	if parent == "" {
		parent = y.last
	}
	from, ok := y.seats[parent]
	if !ok {
		return robot.Fault(m.line, m.where, "its parent %q is not above it in the list%s", parent, words.DidYouMean(parent, slices.Sorted(maps.Keys(y.seats))))
	}
	kind, err := y.kind(m)
	if err != nil {
		return err
	}
	if slices.Contains(assembly.CompoundKinds[:], kind) {
		y.last = name
		return y.compound(m, name, kind, from)
	}
	joint, err := y.joint(m)
	if err != nil {
		return err
	}
	l := robot.Link{Name: name, Joint: joint, Antecedent: from.link}
	if l.Massless, err = m.flag("massless"); err != nil {
		return err
	}
	if l.Massless && (m.has("inertial") || m.has("standard")) {
		return robot.Fault(m.line, m.where, "it is massless and has an inertial: give one of the two")
	}
	if err := m.zeros(&l); err != nil {
		return err
	}
	keep, err := m.flag("keep")
	if err != nil {
		return err
	}
	y.last = name
	if joint.Kind == robot.Fixed && !keep && !m.has("mdh") && !m.has("dh") {
		return y.fixed(m, &l, from)
	}
	if err := y.place(m, &l, from); err != nil {
		return err
	}
	if l.Own, l.HasInertial, err = yamlInertial(m, l.UserFrame); err != nil {
		return err
	}
	l.Inertial = l.Own
	if l.Shapes, l.Section, err = m.parts(); err != nil {
		return err
	}
	y.seats[name] = yamlSeat{link: len(y.r.Links), in: l.UserFrame}
	y.links[joint.Name] = len(y.r.Links)
	y.r.Links = append(y.r.Links, l)
	return nil
}

// kind returns the kind of the joint of a link.
func (y *reader) kind(m yamlMap) (string, error) {
	j, err := m.sub("joint", m.where+": joint")
	if err != nil {
		return "", err
	}
	return j.text("kind")
}

// fixed lumps a body into its carrier.
func (y *reader) fixed(m yamlMap, l *robot.Link, from yamlSeat) error {
	at, err := y.origin(m, "origin", l.Joint.Name)
	if err != nil {
		return err
	}
	b := assembly.Body{Name: l.Name}
	if b.Inertial, b.Has, err = yamlInertial(m, robot.Identity()); err != nil {
		return err
	}
	at = from.in.Mul(at)
	assembly.Lump(y.r, &b, l.Joint.Name, from.link, at)
	if y.r.Lumped[len(y.r.Lumped)-1].Shapes, _, err = m.parts(); err != nil {
		return err
	}
	y.seats[l.Name] = yamlSeat{link: from.link, in: at, lumped: true}
	y.links[l.Joint.Name] = -1
	return nil
}

// place reads where frame j is: by six parameters, or by an origin and axis.
func (y *reader) place(m yamlMap, l *robot.Link, from yamlSeat) error {
	if m.has("dh") {
		return y.fourParameters(m, l, from)
	}
	user, err := y.origin(m, "user_frame", l.Joint.Name)
	if err != nil {
		return err
	}
	l.UserFrame = user
	if m.has("mdh") {
		if m.has("origin") || m.has("axis") {
			return robot.Fault(m.line, m.where, "give mdh, or origin and axis, not both")
		}
		if from.lumped {
			return robot.Fault(m.line, m.where, "mdh places it on a frame, but its parent is a fixed body without one; use origin, or the link that carries the parent")
		}
		t, err := m.sub("mdh", m.where+": mdh", robot.MDHNames[:]...)
		if err != nil {
			return err
		}
		l.MDH = &robot.MDH{}
		for k, key := range robot.MDHNames {
			s, err := t.text(key)
			if err != nil {
				return err
			}
			if s == "" {
				s = "0"
			}
			if _, err := expression.Parse(s); err != nil {
				return robot.Fault(t.keys[key].Line, t.where+": "+key, "%v", err)
			}
			l.MDH.Text[k] = s
		}
		return nil
	}
	at, err := y.origin(m, "origin", l.Joint.Name)
	if err != nil {
		return err
	}
	axis, err := m.vector("axis", [3]float64{0, 0, 1})
	if err != nil {
		return err
	}
	unit, said, err := assembly.UnitAxis(axis, !y.opt.NoSnap)
	if err != nil {
		return robot.Fault(m.line, m.where, "%v", err)
	}
	if said != "" {
		y.r.Notes = append(y.r.Notes, robot.Note{Where: words.Joint(l.Joint.Name), Text: "read " + said})
	}
	align := robot.Transform{R: angles.AlignZ(unit)}
	if !m.has("user_frame") {
		l.UserFrame = robot.Transform{R: spatial.Transpose(align.R)}
	}
	l.Placement = from.in.Mul(at).Mul(align)
	if !y.opt.NoSnap {
		assembly.SnapZeros(&l.Placement)
	}
	return nil
}

// origin reads a placement by xyz in metres and rpy in rad.
func (y *reader) origin(m yamlMap, key, joint string) (robot.Transform, error) {
	o, err := m.sub(key, m.where+": "+key, "xyz", "rpy")
	if err != nil {
		return robot.Transform{}, err
	}
	xyz, err := o.vector("xyz", [3]float64{})
	if err != nil {
		return robot.Transform{}, err
	}
	rpy, err := o.vector("rpy", [3]float64{})
	if err != nil {
		return robot.Transform{}, err
	}
	if !y.opt.NoSnap {
		if said := assembly.SnapOrigin(&xyz, &rpy); len(said) > 0 {
			y.r.Notes = append(y.r.Notes, robot.Note{Where: words.Joint(joint), Text: "read " + strings.Join(said, ", ")})
		}
	}
	return robot.Transform{R: angles.RPYRotation(rpy), P: xyz}, nil
}
