package regressor

import (
	"fmt"
	"slices"
	"strings"

	"ident/robot"
)

// Term names a group of columns of a model, such as "links" or "Fv". Some terms take an argument after a colon:
// "payload:tool".
type Term string

// The terms that a model knows, with those of friction (friction.go); Terms describes them.
const (
	Links   Term = "links"   // the ten inertial parameters of each link
	Ia      Term = "Ia"      // reflected rotor inertia
	Fo      Term = "Fo"      // torque offset
	Ir      Term = "Ir"      // rotors that moving links carry, with their gyroscopic torques
	Spring  Term = "Ks"      // torque of a spring at the joint
	Balance Term = "Kg"      // springs that compensate gravity
	Ripple  Term = "Tr"      // torque periodic in the angle of a joint or a motor
	Payload Term = "payload" // a body that the robot carries on a link in some runs
	Wrench  Term = "wrench"  // gains (scale factors) of a measured external wrench
	Contact Term = "contact" // normal forces of a point on a surface or a line
	Gain    Term = "gain"    // drive gains: joint torque per motor current
	Elastic Term = "elastic" // stiffness and damping of elastic joints
	Cubic   Term = "Kc"      // stiffness of elastic joints that grows with the deflection
	WindUp  Term = "Kh"      // hysteresis of elastic joints
)

// Name returns the term without its argument.
func (t Term) Name() Term {
	name, _, _ := strings.Cut(string(t), ":")
	return Term(name)
}

// Argument returns the text after the colon, "" if there is none.
func (t Term) Argument() string {
	_, arg, _ := strings.Cut(string(t), ":")
	return arg
}

// owner is the kind of object for which a term has columns.
type owner int

const (
	ofLinks  owner = iota // each link
	ofJoint               // each moving joint
	ofNamed               // the link that the term's argument names
	ofSpring              // each drive that is a spring
)

// declaration describes a term: its columns and the part that evaluates them.
type declaration struct {
	name   Term
	about  string
	of     owner
	shared bool // drives that several joints share have it as well
	needs  Need
	says   answers
	params []parameter
	// check returns an error for a robot or an argument with which the term cannot be built.
	check func(r *robot.Robot, t Term) error
	// count returns the number of params for which a link has columns; nil means all.
	count func(r *robot.Robot, t Term, link int) int
	// part returns the part for a column; nil means a law of a drive. If together is set, the columns of a link form one
	// part.
	part     func(c *chain, r *robot.Robot, col Column, t Term) (part, error)
	together bool
}

// parameter is one column of a term.
type parameter struct {
	kind    string                       // the column's name less the number of the joint
	formula string                       // of the torque
	unit    [2]string                    // at a revolute and at a prismatic joint
	signed  bool                         // may be negative
	law     law                          // of terms of joints
	value   func(j *robot.Joint) float64 // of the robot file; nil where files have no such value

	offset bool                              // of a term of friction: a torque that is no friction
	form   form                              // symbolic torque; nil if there is none
	stores form                              // symbolic energy; nil if the power is lost
	slides func(rate, speed float64) float64 // torque at a constant rate, as robot files can hold it; speed is the Stribeck velocity
	like   Term                              // Fv or Fs if that torque is theirs; robot files have a place for these two
}

// termLine is a term's line in the table.
type termLine struct {
	name    Term
	declare func() declaration
}

// termLines returns the table of terms, in the order of the columns of one joint.
func termLines() []termLine {
	return slices.Concat(
		[]termLine{{Links, linksTerm}, {Ia, inertiaTerm}, {Fv, viscousTerm}, {Fs, coulombTerm}, {Fo, offsetTerm}, {Ir, rotorTerm}},
		frictionLines(),
		[]termLine{{Spring, springTerm}, {Balance, balanceTerm}, {Ripple, rippleTerm}, {Payload, payloadTerm}, {Wrench, wrenchTerm}, {Contact, contactTerm}, {Gain, gainTerm},
			{Elastic, elasticTerm}, {Cubic, cubicTerm}, {WindUp, windUpTerm}},
	)
}

// table returns the declarations of all terms.
func table() []declaration {
	var out []declaration
	for _, e := range termLines() {
		out = append(out, e.declare())
	}
	return out
}

// lookup returns the declaration of a term.
func lookup(t Term) (declaration, bool) {
	name := t.Name()
	for _, e := range termLines() {
		if e.name == name {
			return e.declare(), true
		}
	}
	return declaration{}, false
}

// DefaultTerms returns the terms of a rigid robot with simple friction, the default of a fit, in the order of a link's
// columns.
func DefaultTerms() []Term { return []Term{Links, Ia, Fv, Fs, Fo} }

// TermInfo describes a term.
type TermInfo struct {
	Term    Term
	About   string
	Columns []string // kinds, as "Fv"
	Formula []string // formula of the torque of each column
	Units   []string // unit of each parameter at a revolute joint
	// Deflection says that the columns belong to the deflection of an elastic joint. Fits of elastic joints add them;
	// other robots have none.
	Deflection bool
	Needs      Need
	Traits
}

// Info describes a term, whose argument does not matter, and reports whether it is known.
func Info(t Term) (TermInfo, bool) {
	d, ok := lookup(t)
	return d.info(), ok
}

func (d declaration) info() TermInfo {
	in := TermInfo{Term: d.name, About: d.about, Deflection: d.of == ofSpring, Needs: d.needs, Traits: d.says.traits()}
	for _, p := range d.params {
		in.Columns, in.Formula, in.Units = append(in.Columns, p.kind), append(in.Formula, p.formula), append(in.Units, p.unit[0])
	}
	return in
}

// Terms describes all terms, in the order of a joint's columns.
func Terms() []TermInfo {
	var out []TermInfo
	for _, d := range table() {
		out = append(out, d.info())
	}
	return out
}

// UnknownTermError names a term that no model has.
type UnknownTermError struct{ Name string }

func (e *UnknownTermError) Error() string {
	return fmt.Sprintf("unknown term %q; the terms are %s", e.Name, termNames())
}

func termNames() string {
	var names []string
	for _, d := range table() {
		name := string(d.name)
		if d.of == ofNamed {
			name += ":LINK"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// ParseTerms reads a list such as "links,Ia,Fv,payload:tool", ignoring case. If a name is unknown, the error is an
// *UnknownTermError.
func ParseTerms(list string) ([]Term, error) {
	var out []Term
	for f := range strings.SplitSeq(list, ",") {
		f = strings.TrimSpace(f)
		if f == "" {
			continue
		}
		name, arg, with := strings.Cut(f, ":")
		found := false
		for _, d := range table() {
			if !strings.EqualFold(string(d.name), name) {
				continue
			}
			found = true
			t := d.name
			if with {
				t += Term(":" + arg)
			}
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
		if !found {
			return nil, &UnknownTermError{name}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no term given; the terms are %s", termNames())
	}
	return out, nil
}

// Need is a set of channels, other than the motion, that a term needs.
type Need int

// The needs, as bits.
const (
	NeedLoad        Need = 1 << iota // Batch.Load
	NeedCurrent                      // Batch.Current
	NeedWrench                       // Batch.Wrench
	NeedPayload                      // Batch.PayloadAttached
	NeedContact                      // Batch.Contact
	NeedTime                         // Batch.Time
	NeedHeat                         // Batch.Heat
	NeedTemperature                  // Batch.Temperature
	NeedPresliding                   // Batch.Presliding
)

// OfMotion returns the terms that need nothing but the motion.
func OfMotion(terms []Term) []Term {
	var out []Term
	for _, t := range terms {
		if d, ok := lookup(t); !ok || d.needs == 0 {
			out = append(out, t)
		}
	}
	return out
}

// argumentless refuses an argument for a term that takes none.
func argumentless(_ *robot.Robot, t Term) error {
	if t.Argument() != "" {
		return fmt.Errorf("term %q: %s takes no argument", t, t.Name())
	}
	return nil
}

// namedLink returns the link that a term's argument names.
func namedLink(r *robot.Robot, t Term) (int, error) {
	var names []string
	link, _, _ := cutLink(t)
	for j := range r.Links {
		if r.Links[j].Name == link {
			return j, nil
		}
		names = append(names, r.Links[j].Name)
	}
	return 0, fmt.Errorf("term %q: it needs the name of a link, as in %s:%s; robot %q has the links %s", t, t.Name(), names[len(names)-1], r.Name, strings.Join(names, ", "))
}
