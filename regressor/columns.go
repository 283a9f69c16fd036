package regressor

import (
	"fmt"
	"strings"

	"ident/robot"
)

// Term is a group of columns of a model.
type Term string

// The terms that a dynamic model knows.
const (
	Links Term = "links" // the ten inertial parameters of each link
	Ia    Term = "Ia"    // reflected rotor inertia
	Fv    Term = "Fv"    // viscous friction
	Fs    Term = "Fs"    // Coulomb friction
	Fo    Term = "Fo"    // torque offset
)

// allTerms are the terms in the order of the columns of one link.
var allTerms = [...]Term{Links, Ia, Fv, Fs, Fo}

// AllTerms returns every term, in the order of the columns of one link.
func AllTerms() []Term { return append([]Term(nil), allTerms[:]...) }

// ParseTerms reads a list such as "links,Ia,Fv". The names are matched
// without regard to case.
func ParseTerms(list string) ([]Term, error) {
	var out []Term
	seen := map[Term]bool{}
	for f := range strings.SplitSeq(list, ",") {
		f = strings.TrimSpace(f)
		if f == "" {
			continue
		}
		found := false
		for _, t := range allTerms {
			if strings.EqualFold(string(t), f) {
				found = true
				if !seen[t] {
					out = append(out, t)
				}
				seen[t] = true
			}
		}
		if !found {
			return nil, fmt.Errorf("unknown term %q; the terms are links, Ia, Fv, Fs, Fo", f)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no term given; the terms are links, Ia, Fv, Fs, Fo")
	}
	return out, nil
}

// Column describes one column of a model, which is one standard parameter.
type Column struct {
	Name  string // "XX3", "Fv2", "Iam6"
	Term  Term
	Link  int    // link index
	Param int    // index into robot.InertialNames, for the links' parameters
	Drive int    // index into Robot.Drives + 1 for a shared drive's parameter, else 0
	Owner string // the link's or joint's own name
	Unit  string
}

// columnsOf lists the columns of a robot's model, link by link.
func columnsOf(r *robot.Robot, terms []Term) []Column {
	has := map[Term]bool{}
	for _, t := range terms {
		has[t] = true
	}
	var out []Column
	for j := range r.Links {
		l := &r.Links[j]
		if has[Links] {
			for p, name := range robot.InertialNames {
				out = append(out, Column{Name: robot.ParameterName(name, j), Term: Links, Link: j, Param: p, Owner: l.Name, Unit: robot.InertialUnits[p]})
			}
		}
		if l.Joint.Kind == robot.Fixed {
			continue
		}
		for _, t := range allTerms[1:] {
			if has[t] {
				out = append(out, Column{Name: robot.ParameterName(string(t), j), Term: t, Link: j, Owner: l.Joint.Name, Unit: driveUnit(t, l.Joint.Kind)})
			}
		}
		for d := range r.Drives {
			if r.Drives[d].Number != j {
				continue
			}
			for _, t := range allTerms[1:4] {
				if has[t] {
					out = append(out, Column{Name: robot.ParameterName(string(t)+"m", j), Term: t, Link: j, Drive: d + 1,
						Owner: l.Joint.Name, Unit: driveUnit(t, l.Joint.Kind)})
				}
			}
		}
	}
	return out
}

func driveUnit(t Term, k robot.Kind) string {
	if k == robot.Prismatic {
		return map[Term]string{Ia: "kg", Fv: "N·s/m", Fs: "N", Fo: "N"}[t]
	}
	return map[Term]string{Ia: "kg·m²", Fv: "N·m·s/rad", Fs: "N·m", Fo: "N·m"}[t]
}

// ValueOf returns what the robot's own file gives for the parameter of a
// column, and whether it gives anything.
func ValueOf(r *robot.Robot, c Column) (float64, bool) {
	l := &r.Links[c.Link]
	if c.Drive > 0 {
		return 0, false
	}
	switch c.Term {
	case Links:
		return l.Inertial[c.Param], l.HasInertial
	case Ia:
		return l.Joint.Ia, l.Joint.Ia != 0
	case Fv:
		return l.Joint.Fv, l.Joint.Fv != 0
	case Fs:
		return l.Joint.Fs, l.Joint.Fs != 0
	}
	return l.Joint.Fo, l.Joint.Fo != 0
}
