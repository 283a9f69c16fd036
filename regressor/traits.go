package regressor

import "slices"

// Traits are what the other packages must know of a term. A term's declaration answers all of them.
type Traits struct {
	Friction bool // friction of a joint; its columns dissipate, but for offsets among them (Column.Dissipates)
	Dry      bool // a column has the sign of a rate, which steps at reversals and is noise at rest
	// Filtered says that the columns are no smooth function of the motion: they step, are periodic in an angle, or are made of
	// other channels. A filter of the motion does not act on them.
	Filtered bool
	Driven   bool // passive joints of closed loops lack it
	PerJoint bool // a fit may give it to some joints alone, by name
	Offered  bool // a fit may be offered it by name: a law of a joint's motion, of the time or of its temperature
	File     bool // robot files hold the damping and dry friction nearest to it (Column.Sliding)
	Form     bool // its columns have symbolic torques (Column.Torque); those of links have theirs by package recursion
}

// answer is what a declaration says of a trait. The zero value is none: TestTermsAnswer refuses it.
type answer int

const (
	unanswered answer = iota
	no
	yes
)

// answers are a term's traits as its declaration gives them.
type answers struct {
	friction, dry, filtered, driven, perJoint, offered, file, form answer
}

// all returns the answers in the order of their declaration.
func (a answers) all() []answer {
	return []answer{a.friction, a.dry, a.filtered, a.driven, a.perJoint, a.offered, a.file, a.form}
}

func (a answers) traits() Traits {
	return Traits{Friction: a.friction == yes, Dry: a.dry == yes, Filtered: a.filtered == yes, Driven: a.driven == yes,
		PerJoint: a.perJoint == yes, Offered: a.offered == yes, File: a.file == yes, Form: a.form == yes}
}

// Traits returns the traits of the term, whose argument does not matter. An unknown term has none.
func (t Term) Traits() Traits {
	d, _ := lookup(t)
	return d.says.traits()
}

// TermsWith returns the terms that have a trait, in the order of a joint's columns.
func TermsWith(has func(Traits) bool) []Term {
	var out []Term
	for _, t := range Terms() {
		if has(t.Traits) {
			out = append(out, t.Term)
		}
	}
	return out
}

// HasDry reports whether one of the terms has columns with the sign of a rate.
func HasDry(terms []Term) bool {
	return slices.ContainsFunc(terms, func(t Term) bool { return t.Traits().Dry })
}

// parameter returns the declaration of the column's parameter.
func (c Column) parameter() parameter {
	d, ok := lookup(c.Term)
	if !ok || c.Param >= len(d.params) {
		return parameter{}
	}
	return d.params[c.Param]
}

// Dissipates reports whether the column is friction, whose power is lost: not the offset among the columns of a term of friction.
func (c Column) Dissipates() bool { return c.Term.Traits().Friction && !c.parameter().offset }

// Like returns Fv or Fs if the column's torque at a constant rate is that of one of them, and "" otherwise.
func (c Column) Like() Term { return c.parameter().like }

// Sliding returns the torque of a unit of the column's parameter as a function of a constant rate, rad/s or m/s. It is nil if robot files
// hold nothing near to it. stribeck is the Stribeck velocity of the joint. A term that changes with time has its last torque.
func (c Column) Sliding(stribeck float64) func(rate float64) float64 {
	f := c.parameter().slides
	if f == nil {
		return nil
	}
	return func(rate float64) float64 { return f(rate, stribeck) }
}
