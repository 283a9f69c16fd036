package regressor

import (
	"fmt"
	"slices"
	"strings"

	"ident/robot"
)

// Column describes one column of a model, which is one standard parameter.
type Column struct {
	Name   string // "XX3", "Fv2", "Iam6"
	Term   Term   // the term, without its argument
	Link   int    // link index
	Param  int    // index into robot.InertialNames for the parameters of links and payloads, else into the term's columns
	Drive  int    // index into Robot.Drives + 1 for a shared drive's parameter, else 0
	Body   int    // number of the payload if the model has several; otherwise 0
	Owner  string // the link's or joint's own name
	Unit   string
	Signed bool // the parameter may be negative
}

// columnsOf returns the columns of a robot's model, link by link.
func columnsOf(r *robot.Robot, terms []Term) ([]Column, error) {
	var chosen []declaration
	at := map[Term]int{} // of links that terms name
	if err := checkNumbers(terms); err != nil {
		return nil, err
	}
	as := map[Term]Term{} // by name, with the argument
	for i, t := range terms {
		// A batch has one wrench and one contact, and a joint has each law once.
		for _, other := range terms[:i] {
			if t.Name() == other.Name() && t != other && t.Name() != Payload {
				return nil, fmt.Errorf("terms %q and %q: a model has %s once", other, t, t.Name())
			}
		}
	}
	for _, d := range table() {
		for _, t := range terms {
			if t.Name() != d.name {
				continue
			}
			check := d.check
			if check == nil {
				check = argumentless
			}
			if err := check(r, t); err != nil {
				return nil, err
			}
			if d.of == ofNamed {
				j, err := namedLink(r, t)
				if err != nil {
					return nil, err
				}
				at[t] = j
			}
			as[d.name] = t
			if !slices.ContainsFunc(chosen, func(c declaration) bool { return c.name == d.name }) {
				chosen = append(chosen, d)
			}
		}
	}
	for _, t := range terms {
		if _, ok := lookup(t); !ok {
			return nil, &UnknownTermError{string(t.Name())}
		}
	}
	var out []Column
	add := func(d declaration, j int, suffix string, drive, body int, name string) {
		kind := r.Links[j].Joint.Kind
		params := d.params
		if d.count != nil {
			params = params[:d.count(r, as[d.name], j)]
		}
		for i, p := range params {
			if d.of == ofLinks && r.Links[j].Zero[i] {
				continue
			}
			unit := p.unit[0]
			if kind == robot.Prismatic {
				unit = p.unit[1]
			}
			kind := p.kind
			if body > 0 {
				kind = PayloadPrefix(body) + strings.TrimPrefix(kind, PayloadPrefix(0))
			}
			out = append(out, Column{Name: robot.ParameterName(kind+suffix, j), Term: d.name, Link: j, Param: i, Drive: drive, Body: body, Owner: name, Unit: unit, Signed: p.signed})
		}
	}
	for j := range r.Links {
		l := &r.Links[j]
		for _, d := range chosen {
			if d.of == ofLinks && !l.Massless {
				add(d, j, "", 0, 0, l.Name)
			}
		}
		if l.Joint.Kind != robot.Fixed && !l.Joint.Virtual {
			for _, d := range chosen {
				if d.of == ofJoint && !(d.name == Ia && l.Joint.NoRotor) && !lacks(&l.Joint, d.name) {
					add(d, j, "", 0, 0, l.Joint.Name)
				}
			}
			for n := range r.Drives {
				if r.Drives[n].Number != j {
					continue
				}
				for _, d := range chosen {
					switch spring := r.Drives[n].Spring; {
					case d.of == ofSpring && spring:
						add(d, j, "", n+1, 0, l.Joint.Name)
					case d.shared && !spring:
						add(d, j, "m", n+1, 0, l.Joint.Name)
					}
				}
			}
		}
		for _, d := range chosen {
			for _, t := range terms {
				if link, ok := at[t]; ok && t.Name() == d.name && link == j {
					add(d, j, "", 0, PayloadNumber(t), l.Name)
				}
			}
		}
	}
	return out, nil
}

// lacks reports whether a joint is without a friction law, or its derivative.
func lacks(j *robot.Joint, law Term) bool {
	if law == StribeckV {
		law = Stribeck
	}
	return slices.Contains(j.Without, string(law))
}

// ValueOf returns the value of a column's parameter in the robot file, and false if the file has none.
func ValueOf(r *robot.Robot, c Column) (float64, bool) {
	l := &r.Links[c.Link]
	if c.Drive > 0 {
		return 0, false
	}
	if c.Term == Links {
		return l.Inertial[c.Param], l.HasInertial
	}
	d, ok := lookup(c.Term)
	if !ok {
		panic(fmt.Sprintf("regressor: column %s of no term", c.Name))
	}
	if value := d.params[c.Param].value; value != nil {
		v := value(&l.Joint)
		return v, v != 0
	}
	return 0, false
}
