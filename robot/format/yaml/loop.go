package yaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"ident/internal/angles"
	"ident/robot"
	"ident/robot/internal/assembly"
	"ident/robot/internal/words"
)

// loopKeys are the keys of a text that ties joints together.
var loopKeys = [...]string{"loops", "couplings", "parallelograms", "assembly"}

// AddLoops returns a copy of the robot with the additions of a YAML text: keys
// loops, couplings, parallelograms and assembly as in the library's own format,
// and passive, a list of joints without a drive. It is how a URDF, which can say
// none of these, is given loops. Errors are *FileError with lines of the text.
func AddLoops(r *robot.Robot, text []byte) (*robot.Robot, error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, robot.Fault(0, "", "the file is empty")
		}
		return nil, yamlFault(err)
	}
	if len(doc.Content) == 0 {
		return nil, robot.Fault(0, "", "the file is empty")
	}
	top, err := mapping(doc.Content[0], "loops of the robot", append(loopKeys[:], "passive")...)
	if err != nil {
		return nil, err
	}
	c := r.Clone()
	y := &reader{r: c, opt: robot.ReadOptions{NoSnap: r.Source.NoSnap, Loops: true}, seats: map[string]yamlSeat{}, links: map[string]int{}}
	y.seats[assembly.BaseName(c, "base")] = yamlSeat{link: -1, in: robot.Identity()}
	for i := range c.Links {
		y.seats[c.Links[i].Name] = yamlSeat{link: i, in: c.Links[i].UserFrame}
		y.links[c.Links[i].Joint.Name] = i
	}
	for _, l := range c.Lumped {
		y.seats[l.Name] = yamlSeat{link: l.Into, in: l.InLink, lumped: true}
	}
	list, err := top.list("passive")
	if err != nil {
		return nil, err
	}
	for _, n := range list {
		i, err := y.moving(resolve(n).Value, n.Line, "passive")
		if err != nil {
			return nil, err
		}
		c.Links[i].Joint.Passive = true
	}
	if err := y.ties(top); err != nil {
		return nil, err
	}
	return c.Bind(nil)
}

// ties reads loops, couplings, parallelograms and the assembly.
func (y *reader) ties(top yamlMap) error {
	loops, err := top.list("loops")
	if err != nil {
		return err
	}
	for _, n := range loops {
		if err := y.loop(n); err != nil {
			return err
		}
	}
	couplings, err := top.list("couplings")
	if err != nil {
		return err
	}
	for _, n := range couplings {
		if err := y.coupling(n); err != nil {
			return err
		}
	}
	parallelograms, err := top.list("parallelograms")
	if err != nil {
		return err
	}
	for _, n := range parallelograms {
		if err := y.parallelogram(n); err != nil {
			return err
		}
	}
	near, err := top.sub("assembly", "assembly")
	if err != nil {
		return err
	}
	for _, name := range near.order {
		v, err := near.number(name, 0)
		if err != nil {
			return err
		}
		if _, ok := y.links[name]; !ok && !cutJoint(y.r, name) {
			return robot.Fault(near.line, "assembly", "joint %q does not exist%s", name, words.DidYouMean(name, y.r.JointNames()))
		}
		if y.r.Assembly == nil {
			y.r.Assembly = map[string]float64{}
		}
		y.r.Assembly[name] = v
	}
	return nil
}

// cutJoint reports whether a name is that of a joint at a cut.
func cutJoint(r *robot.Robot, name string) bool {
	return slices.ContainsFunc(r.Extra, func(f robot.ExtraFrame) bool { return f.Name == name })
}

// loop reads one closed chain: the joint that was cut, and the frames that it
// brings together.
func (y *reader) loop(n *yaml.Node) error {
	number := len(y.r.Loops) + 1
	m, err := mapping(n, fmt.Sprintf("loop %d", number), "joint", "frame", "meets")
	if err != nil {
		return err
	}
	j, err := m.sub("joint", m.where+": joint", "name", "kind")
	if err != nil {
		return err
	}
	name, err := j.text("name")
	if err != nil {
		return err
	}
	if name == "" {
		name = fmt.Sprintf("C%d", number)
	}
	if _, dup := y.links[name]; dup || cutJoint(y.r, name) {
		return robot.Fault(m.line, m.where, "joint %q is defined twice; rename one", name)
	}
	kind, err := j.text("kind")
	if err != nil {
		return err
	}
	a, err := y.cutFrame(m, "frame", name, number)
	if err != nil {
		return err
	}
	b, err := y.cutFrame(m, "meets", name+"'", number)
	if err != nil {
		return err
	}
	if a.Antecedent == b.Antecedent {
		return robot.Fault(m.line, m.where, "both its frames are on the same link; a loop is cut at a joint between two")
	}
	l := robot.Loop{}
	extra := &y.r.Extra
	hang := func(f robot.ExtraFrame) int {
		*extra = append(*extra, f)
		return len(*extra) - 1
	}
	// The first of two joints in a row, and the second on it.
	both := func(first, second robot.Kind, between robot.Transform) {
		a.Kind, a.Name = first, name+".1"
		k := hang(a)
		l.Frame = hang(robot.ExtraFrame{Name: name, Antecedent: -2 - k, Kind: second, Placement: between, Loop: number})
	}
	switch kind {
	case "", "revolute":
		a.Kind = robot.Revolute
		l.Frame = hang(a)
	case "prismatic":
		a.Kind = robot.Prismatic
		l.Frame = hang(a)
	case "cylindrical":
		both(robot.Revolute, robot.Prismatic, robot.Identity())
	case "universal":
		both(robot.Revolute, robot.Revolute, robot.Transform{R: angles.AlignZ([3]float64{0, 1, 0})})
	case "spherical":
		a.Kind, l.Spherical = robot.Fixed, true
		l.Frame = hang(a)
	default:
		return robot.Fault(j.line, words.Joint(name), "kind %q is not known%s", kind, words.DidYouMean(kind, cutKinds[:]))
	}
	b.Kind = robot.Fixed
	l.Meets = hang(b)
	y.r.Loops = append(y.r.Loops, l)
	return nil
}

// cutKinds are the kinds that a joint at a cut can have.
var cutKinds = [...]string{"revolute", "prismatic", "cylindrical", "universal", "spherical"}

// cutFrame reads a frame at a cut.
func (y *reader) cutFrame(m yamlMap, key, name string, number int) (robot.ExtraFrame, error) {
	f := robot.ExtraFrame{Name: name, Loop: number}
	where := m.where + ": " + key
	if !m.has(key) {
		return f, robot.Fault(m.line, m.where, "%s is missing: the parent, and where on it the joint is", key)
	}
	s, err := m.sub(key, where, "name", "parent", "origin", "axis", "mdh")
	if err != nil {
		return f, err
	}
	if given, err := s.text("name"); err != nil {
		return f, err
	} else if given != "" {
		f.Name = given
	}
	parent, err := s.text("parent")
	if err != nil {
		return f, err
	}
	seat, ok := y.seats[parent]
	if !ok {
		return f, robot.Fault(s.line, where, "its parent %q is no link%s", parent, words.DidYouMean(parent, slices.Sorted(maps.Keys(y.seats))))
	}
	f.Antecedent = seat.link
	l := robot.Link{}
	if err := y.place(s, &l, seat); err != nil {
		return f, err
	}
	f.Placement, f.MDH = l.Placement, l.MDH
	return f, nil
}

// coupling reads a joint that follows several others.
func (y *reader) coupling(n *yaml.Node) error {
	m, err := mapping(n, "couplings", "joint", "of", "offset")
	if err != nil {
		return err
	}
	name, err := m.text("joint")
	if err != nil {
		return err
	}
	of, err := m.sub("of", "couplings: of")
	if err != nil {
		return err
	}
	weights := map[string]float64{}
	for _, joint := range of.order {
		if weights[joint], err = of.number(joint, 0); err != nil {
			return err
		}
	}
	offset, err := m.number("offset", 0)
	if err != nil {
		return err
	}
	return y.couple(name, weights, offset, m.line, "couplings")
}

func (y *reader) couple(name string, of map[string]float64, offset float64, line int, where string) error {
	j, err := y.moving(name, line, where)
	if err != nil {
		return err
	}
	for _, c := range y.r.Couplings {
		if c.Joint == j {
			return robot.Fault(line, where, "joint %q is coupled twice", name)
		}
	}
	c := robot.Coupling{Joint: j, Of: map[int]float64{}, Offset: offset}
	for _, leader := range slices.Sorted(maps.Keys(of)) {
		i, err := y.moving(leader, line, where)
		if err != nil {
			return err
		}
		if i == j {
			return robot.Fault(line, where, "joint %q follows itself", name)
		}
		c.Of[i] = of[leader]
	}
	if len(c.Of) == 0 {
		return robot.Fault(line, where, "joint %q follows no joint; give them under of", name)
	}
	y.r.Links[j].Joint.Passive = true
	y.r.Couplings = append(y.r.Couplings, c)
	return nil
}

// parallelogram reads four parallel joints whose opposite bars stay parallel:
// the crank and the arm turn about the same line or parallel ones on one body,
// the coupler turns on the crank and is parallel to the arm, and the forearm
// turns on the arm and holds the bar that is parallel to the crank:
//
//	q_coupler = q_arm − q_crank
//	q_forearm = q_crank − q_arm + offset
func (y *reader) parallelogram(n *yaml.Node) error {
	m, err := mapping(n, "parallelograms", "crank", "arm", "coupler", "forearm", "offset")
	if err != nil {
		return err
	}
	var at [4]string
	for k, key := range [4]string{"crank", "arm", "coupler", "forearm"} {
		if at[k], err = m.text(key); err != nil {
			return err
		}
		if at[k] == "" {
			return robot.Fault(m.line, m.where, "%s is missing: a parallelogram has joints crank, arm, coupler and forearm", key)
		}
	}
	offset, err := m.number("offset", 0)
	if err != nil {
		return err
	}
	if err := y.couple(at[2], map[string]float64{at[1]: 1, at[0]: -1}, 0, m.line, m.where); err != nil {
		return err
	}
	return y.couple(at[3], map[string]float64{at[0]: 1, at[1]: -1}, offset, m.line, m.where)
}

// openYAML refuses loops where the caller cannot use them, or cuts them.
func (y *reader) openYAML() error {
	r := y.r
	if !r.Closed() || y.opt.Loops {
		return nil
	}
	var ties []string
	for i := range r.Loops {
		ties = append(ties, r.LoopName(i))
	}
	for i := range r.Couplings {
		ties = append(ties, r.CouplingName(i))
	}
	if !y.opt.TreeOnly {
		return &robot.UnsupportedError{What: "closed loops", Frames: ties, Advice: "read the tree that is left when they are cut (TreeOnly), or give a file of the tree"}
	}
	r.Notes = append(r.Notes, robot.Note{Where: "loops", Text: fmt.Sprintf("%d closed loops and couplings are cut; the robot is the tree of its links", len(ties))})
	*r = *r.Cut()
	return nil
}
