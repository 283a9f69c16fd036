package yaml

import (
	"go.yaml.in/yaml/v3"

	"ident/robot"
	"ident/robot/internal/assembly"
	"ident/robot/internal/words"
)

// couplings reads the mimics and the shared drives.
func (y *reader) couplings(top yamlMap) error {
	mimics, err := top.list("mimics")
	if err != nil {
		return err
	}
	var edges []assembly.Edge
	seen := map[string]bool{}
	for _, n := range mimics {
		m, err := mapping(n, "mimics", "joint", "of", "multiplier", "offset")
		if err != nil {
			return err
		}
		e := assembly.Edge{Line: m.line}
		if e.Joint.Name, err = m.text("joint"); err != nil {
			return err
		}
		if e.Mimic, err = m.text("of"); err != nil {
			return err
		}
		if e.Multiplier, err = m.number("multiplier", 1); err != nil {
			return err
		}
		if e.Offset, err = m.number("offset", 0); err != nil {
			return err
		}
		if _, err := y.moving(e.Joint.Name, m.line, "mimics"); err != nil {
			return err
		}
		if e.Mimic == "" || seen[e.Joint.Name] {
			return robot.Fault(m.line, "mimics", "each entry needs a joint of its own and the joint that it follows (of)")
		}
		seen[e.Joint.Name] = true
		edges = append(edges, e)
	}
	moving := map[string]int{}
	for name, i := range y.links {
		if i >= 0 && y.r.Links[i].Joint.Kind != robot.Fixed {
			moving[name] = i
		}
	}
	if err := assembly.AddMimics(y.r, edges, moving); err != nil {
		return err
	}
	drives, err := top.list("drives")
	if err != nil {
		return err
	}
	for _, n := range drives {
		if err := y.drive(n); err != nil {
			return err
		}
	}
	return nil
}

func (y *reader) drive(n *yaml.Node) error {
	m, err := mapping(n, "drives", "drive", "of")
	if err != nil {
		return err
	}
	name, err := m.text("drive")
	if err != nil {
		return err
	}
	d := robot.Drive{Weights: map[int]float64{}}
	if d.Number, err = y.moving(name, m.line, "drives"); err != nil {
		return err
	}
	of, err := m.sub("of", "drives: of")
	if err != nil {
		return err
	}
	for _, joint := range of.order {
		i, err := y.moving(joint, of.line, "drives: of")
		if err != nil {
			return err
		}
		if d.Weights[i], err = of.number(joint, 0); err != nil {
			return err
		}
	}
	if len(d.Weights) == 0 {
		return robot.Fault(m.line, "drives", "drive %q acts on no joint; give them under of", name)
	}
	y.r.Drives = append(y.r.Drives, d)
	return nil
}

// moving returns the link index of a moving joint.
func (y *reader) moving(name string, line int, where string) (int, error) {
	i, ok := y.links[name]
	if !ok {
		return 0, robot.Fault(line, where, "joint %q does not exist%s", name, words.DidYouMean(name, y.r.JointNames()))
	}
	if i < 0 || y.r.Links[i].Joint.Kind == robot.Fixed {
		return 0, robot.Fault(line, where, "joint %q is fixed", name)
	}
	return i, nil
}
