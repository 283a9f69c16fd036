package par

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/robot"
	"ident/robot/internal/expression"
)

// maxFrames bounds the frames of a SYMORO+ file.
const maxFrames = 1000

// reader is the state of reading a SYMORO+ file.
type reader struct {
	*assignments
	r          *robot.Robot
	opt        robot.ReadOptions
	nl, nj, nf int
	gravity    map[string]bool // the symbols that stand in G
}

// Read fills r from a SYMORO+ text. Package format calls it, and gives its errors their path.
func Read(r *robot.Robot, text []byte, opt robot.ReadOptions) error {
	t, err := scan(text)
	if err != nil {
		return err
	}
	if t.name != "" {
		r.Name = t.name
	}
	p := &reader{assignments: t, r: r, opt: opt, gravity: map[string]bool{}}
	for _, part := range []func() error{p.counts, p.frames, p.dynamics, p.gravityVector, p.outside} {
		if err := part(); err != nil {
			return err
		}
	}
	p.ignored()
	p.demote()
	if err := p.closeLoops(); err != nil {
		return err
	}
	if err := p.bind(); err != nil {
		return err
	}
	return p.constrain()
}

// symbol returns the value that the file gives to a symbol beside its table (d8 = 0.5), as a file of constraints may.
func (p *reader) symbol(name string) (float64, bool) {
	e, ok := p.entries[strings.ToLower(name)]
	if !ok || e.name != name || len(e.values) != 1 {
		return 0, false
	}
	x, err := expression.Parse(e.values[0])
	if err != nil {
		return 0, false
	}
	v := x.Eval(nil)
	return v, !math.IsNaN(v) && !math.IsInf(v, 0)
}

// demote makes extra frames of the fixed frames at the end of the table that
// carry nothing, a tool frame say, so that no unknowns belong to them. Fixed
// frames elsewhere stay links, and the links keep the file's numbers.
func (p *reader) demote() {
	carries := func(i int) bool {
		for _, f := range p.r.Extra {
			if f.Antecedent == i {
				return true
			}
		}
		for _, l := range p.r.Links {
			if l.Antecedent == i {
				return true
			}
		}
		return false
	}
	for i := len(p.r.Links) - 1; i >= 0; i-- {
		l := p.r.Links[i]
		if l.Joint.Kind != robot.Fixed || !l.Massless || l.HasExternal || carries(i) {
			return
		}
		p.r.Links = p.r.Links[:i]
		p.r.Extra = slices.Insert(p.r.Extra, 0, robot.ExtraFrame{Name: strconv.Itoa(i + 1), Antecedent: l.Antecedent, Kind: robot.Fixed, MDH: l.MDH})
		for k := range p.r.Extra {
			if a := &p.r.Extra[k].Antecedent; *a < -1 {
				*a--
			}
		}
	}
}

// counts reads the numbers of links, joints and frames and refuses those of no
// tree.
func (p *reader) counts() error {
	ant, ok := p.entries["ant"]
	if !ok {
		return robot.Fault(0, "ant", "the list of antecedents is missing")
	}
	n := len(ant.values)
	if n == 0 || n > maxFrames {
		return robot.Fault(ant.line, "ant", "%d frames; from 1 to %d are possible", n, maxFrames)
	}
	var err error
	if p.nf, err = p.integer("nf", n); err != nil {
		return err
	}
	if p.nj, err = p.integer("nj", p.nf); err != nil {
		return err
	}
	if p.nl, err = p.integer("nl", p.nj); err != nil {
		return err
	}
	if p.nf != n || p.nj > p.nf || p.nl > p.nj || p.nl == 0 {
		return robot.Fault(ant.line, "ant", "NL = %d, NJ = %d and NF = %d do not go with %d antecedents (NL ≤ NJ ≤ NF = %d)", p.nl, p.nj, p.nf, n, n)
	}
	mobile, err := p.integer("is_mobile", 0)
	if err != nil {
		return err
	}
	if mobile != 0 {
		return &robot.UnsupportedError{What: "mobile base", Frames: []string{"is_mobile = 1"},
			Advice: "describe the base's motion by joints of its own (prismatic x, prismatic y, revolute z)"}
	}
	typ, err := p.integer("type", 0)
	if err != nil {
		return err
	}
	if typ != 2 && p.nj == p.nl {
		return nil
	}
	loops := p.nj - p.nl
	if !p.opt.TreeOnly && !p.opt.Loops {
		u := &robot.UnsupportedError{What: "closed loops", Advice: "read the tree that is left when they are cut (TreeOnly), or give a file of the tree"}
		for k := range loops {
			s := fmt.Sprintf("loop %d: frame %d", k+1, p.nl+k+1)
			if other := p.nj + k + 1; other <= p.nf {
				s += fmt.Sprintf(" meets frame %d", other)
			}
			u.Frames = append(u.Frames, s)
		}
		return u
	}
	if p.opt.Loops {
		return nil
	}
	p.r.Notes = append(p.r.Notes, robot.Note{Where: "loops", Text: fmt.Sprintf("%d closed loops are cut; the robot is the tree of its %d links", loops, p.nl)})
	return nil
}

// frames reads the geometric table: links for the first NL frames, extra
// frames after them.
func (p *reader) frames() error {
	ants, err := p.column("ant", p.nf, "0")
	if err != nil {
		return err
	}
	sigmas, err := p.list("sigma", p.nf, "0")
	if err != nil {
		return err
	}
	mus, err := p.list("mu", p.nf, "1")
	if err != nil {
		return err
	}
	var table [6][]string
	for k, key := range robot.MDHNames {
		if table[k], err = p.list(key, p.nf, "0"); err != nil {
			return err
		}
	}
	for j := range p.nf {
		kind, err := p.small("sigma", sigmas[j], j, 2)
		if err != nil {
			return err
		}
		limit := j
		if j >= p.nl {
			limit = p.nf
		}
		ant, err := p.small("ant", ants[j], j, limit)
		if err != nil {
			return err
		}
		m := &robot.MDH{}
		for k := range m.Text {
			if m.Text[k], err = p.cell(k, table[k][j], j, robot.Kind(kind)); err != nil {
				return err
			}
		}
		if j >= p.nl {
			f := robot.ExtraFrame{Name: strconv.Itoa(j + 1), Antecedent: ant - 1, Kind: robot.Kind(kind), MDH: m}
			if ant > p.nl {
				f.Antecedent = -2 - (ant - 1 - p.nl)
			}
			switch {
			case j < p.nj:
				f.Loop = j - p.nl + 1
			case j-p.nj < p.nj-p.nl:
				f.Loop = j - p.nj + 1
			}
			p.r.Extra = append(p.r.Extra, f)
			continue
		}
		joint := robot.NewJoint(fmt.Sprintf("J%d", j+1), robot.Kind(kind))
		if mu, err := p.small("mu", mus[j], j, 1); err != nil {
			return err
		} else if mu == 0 && joint.Kind != robot.Fixed {
			joint.Passive = true
		}
		p.r.Links = append(p.r.Links, robot.Link{Name: fmt.Sprintf("L%d", j+1), Joint: joint,
			Antecedent: ant - 1, MDH: m, UserFrame: robot.Identity()})
	}
	if p.r.DOF() == 0 {
		return robot.Fault(p.entries["sigma"].line, "sigma", "no frame moves; a revolute (0) or prismatic (1) joint is needed")
	}
	return nil
}

// list is column for a list by frames, with an entry for each of the first n
// and none that is no frame's.
func (p *reader) list(key string, n int, absent string) ([]string, error) {
	e, ok := p.entries[key]
	switch given := len(e.values); {
	case ok && given < n:
		return nil, robot.Fault(e.line, key, "the list has %d entries, %d are needed: frame %d has none", given, n, given+1)
	case given > p.nf:
		return nil, robot.Fault(e.line, key, "the list has %d entries for %d frames: there is no frame %d", given, p.nf, p.nf+1)
	}
	return p.column(key, n, absent)
}

// small reads a table entry that is a whole number from 0 to top.
func (p *reader) small(key, text string, j, top int) (int, error) {
	v, err := strconv.Atoi(text)
	if err == nil && v >= 0 && v <= top {
		return v, nil
	}
	e := p.entries[key]
	if key == "ant" && err == nil && v > top {
		return 0, robot.Fault(e.line, key, "frame %d has antecedent %d; an antecedent comes before its frame", j+1, v)
	}
	return 0, robot.Fault(e.line, key, "frame %d: %q is not a whole number from 0 to %d", j+1, text, top)
}

// cell reads one geometric entry. The joint's own variable (th3, theta3, t3 or
// q3 of a revolute joint 3; r3 or q3 of a prismatic one) stands for itself and
// leaves the constant beside it.
func (p *reader) cell(k int, text string, j int, kind robot.Kind) (string, error) {
	where := fmt.Sprintf("%s of frame %d", robot.MDHNames[k], j+1)
	e, err := expression.Parse(text)
	if err != nil {
		return "", robot.Fault(p.entries[robot.MDHNames[k]].line, where, "%v", err)
	}
	var prefixes []string
	switch {
	case k == 4 && kind == robot.Revolute:
		prefixes = []string{"th", "theta", "t", "q"}
	case k == 5 && kind == robot.Prismatic:
		prefixes = []string{"r", "q"}
	default:
		return text, nil
	}
	used := map[string]bool{}
	e.Symbols(used)
	for _, name := range slices.Sorted(maps.Keys(used)) {
		prefix, number, ok := cutNumber(name)
		if !ok || number != j+1 || !slices.Contains(prefixes, strings.ToLower(prefix)) {
			continue
		}
		if !e.UnitIn(name) {
			return "", robot.Fault(p.entries[robot.MDHNames[k]].line, where, "%q must be a constant plus the joint variable %s", text, name)
		}
		return e.Without(name).String(), nil
	}
	return text, nil
}

// cutNumber cuts "th12" or "th_12" into its prefix and number.
func cutNumber(s string) (string, int, bool) {
	i := len(s)
	for i > 0 && s[i-1] >= '0' && s[i-1] <= '9' {
		i--
	}
	n, err := strconv.Atoi(s[i:])
	return strings.TrimSuffix(s[:i], "_"), n, err == nil
}

// dynamics reads the inertials and the drive parameters. A link whose ten
// entries are numbers is a body, and without mass where all are 0. In a link
// with a symbol every entry is unknown but those written 0, which are known.
func (p *reader) dynamics() error {
	// Names as the file may write them: a symbol stands for itself.
	var table [robot.NumInertial][]string
	var err error
	for k, name := range robot.InertialNames {
		if table[k], err = p.list(strings.ToLower(name), p.nl, name); err != nil {
			return err
		}
	}
	given := make([]string, len(p.r.Links)) // numbers that are not zero
	for j := range p.r.Links {
		l := &p.r.Links[j]
		numbers := 0
		for k, name := range robot.InertialNames {
			v, ok, err := p.value(strings.ToLower(name), table[k][j], j)
			if err != nil {
				return err
			}
			l.Own[k], l.Zero[k] = v, ok && v == 0
			if ok {
				numbers++
			}
			if v != 0 {
				given[j] += ", " + name + " = " + table[k][j]
			}
		}
		l.Massless = numbers == robot.NumInertial && l.Own == (robot.Inertial{})
		l.HasInertial = numbers == robot.NumInertial && !l.Massless
		if numbers == robot.NumInertial {
			l.Zero = [robot.NumInertial]bool{}
		} else {
			l.Own = robot.Inertial{}
		}
		l.Inertial = l.Own
	}
	for _, f := range []struct {
		key string
		to  func(*robot.Joint) *float64
	}{
		{"ia", func(j *robot.Joint) *float64 { return &j.Ia }},
		{"fv", func(j *robot.Joint) *float64 { return &j.Fv }},
		{"fs", func(j *robot.Joint) *float64 { return &j.Fs }},
	} {
		column, err := p.list(f.key, p.nl, f.key)
		if err != nil {
			return err
		}
		for j := range p.r.Links {
			l := &p.r.Links[j]
			v, known, err := p.value(f.key, column[j], j)
			if err != nil {
				return err
			}
			*f.to(&l.Joint) = v
			if f.key == "ia" {
				l.Joint.NoRotor = known && v == 0 && !l.HasInertial && l.Joint.Kind != robot.Fixed
			}
		}
	}
	for j := range p.r.Links {
		p.noteUnknowns(&p.r.Links[j], strings.TrimPrefix(given[j], ", "))
	}
	return nil
}

// value reads an entry that may be a number or hold a symbol.
func (p *reader) value(key, text string, j int) (v float64, known bool, err error) {
	e, err := expression.Parse(text)
	if err != nil {
		return 0, false, robot.Fault(p.entries[key].line, fmt.Sprintf("%s of link %d", key, j+1), "%v", err)
	}
	used := map[string]bool{}
	if e.Symbols(used); len(used) > 0 {
		return 0, false, nil
	}
	if v = e.Eval(nil) + 0; math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false, robot.Fault(p.entries[key].line, fmt.Sprintf("%s of link %d", key, j+1), "%q is not finite", text)
	}
	return v, true, nil
}

// gravityVector reads G. SYMORO+ writes it with a symbol, {0, 0, G3}, and
// leaves its sign to the reader: a component that is a lone symbol without a
// value is -9.81; inside an expression (-G3) the symbol is 9.81.
func (p *reader) gravityVector() error {
	e, ok := p.entries["g"]
	if !ok {
		return nil
	}
	texts, err := p.column("g", 3, "0")
	if err != nil {
		return err
	}
	if len(e.values) != 3 {
		return robot.Fault(e.line, "G", "the list has %d entries, 3 are needed", len(e.values))
	}
	for k, text := range texts {
		x, err := expression.Parse(text)
		if err != nil {
			return robot.Fault(e.line, "G", "%v", err)
		}
		used := map[string]bool{}
		x.Symbols(used)
		maps.Copy(p.gravity, used)
		values := map[string]float64{}
		assumed := false
		for s := range used {
			v, ok := p.opt.Set[s]
			if !ok {
				v, ok = p.symbol(s)
			}
			if !ok {
				assumed = true
				if v = 9.81; x.IsSymbol() {
					v = -9.81
				}
			}
			values[s] = v
		}
		v := x.Eval(values) + 0
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return robot.Fault(e.line, "G", "%q is not finite", text)
		}
		if p.r.Gravity[k] = v; assumed {
			p.r.Notes = append(p.r.Notes, robot.Note{Where: "G", Text: fmt.Sprintf("%s has no value; the %c component of gravity is taken as %g m/s²", text, 'x'+rune(k), v)})
		}
	}
	return nil
}

// ignored notes the entries that say something which is not used.
func (p *reader) ignored() {
	for i, text := range p.entries["z"].values {
		v, err := strconv.ParseFloat(text, 64)
		identity := 0.0
		if i%5 == 0 {
			identity = 1
		}
		if err != nil || v != identity {
			p.r.Notes = append(p.r.Notes, robot.Note{Where: "Z", Text: "the placement of frame 0 is not used; gravity and the first link are given in frame 0"})
			break
		}
	}
}

// bind gives the symbols their values and places the frames.
func (p *reader) bind() error {
	geometry := map[string]float64{}
	known := p.r.GeometrySymbols()
	for _, name := range known {
		if v, ok := p.symbol(name); ok {
			geometry[name] = v
		}
	}
	for name, v := range p.opt.Set {
		if slices.Contains(known, name) || !p.gravity[name] {
			geometry[name] = v
		}
	}
	bound, err := p.r.Bind(geometry)
	if err != nil {
		return err
	}
	*p.r = *bound
	return nil
}
