package result

import (
	"fmt"
	"math"
	"slices"

	"ident/baseparams"
	"ident/physical"
	"ident/regressor"
	"ident/robot"
)

// Identified is a robot with the parameters of a fit.
//
// The base estimate is lifted onto the file's values: dependent parameters and those without effect keep them, the
// others absorb the difference. Bodies on fixed or locked joints keep their inertials: a link's own body is the lifted
// link minus these. If that is not a feasible body, they are scaled down together until it is: torques determine only
// the sum.
type Identified struct {
	// Robot is the source with the bodies and drives of the fit.
	Robot *robot.Robot
	// Bodies are the links of Robot whose own inertial the fit changed.
	Bodies []int
	// Nominal lists the links of Robot without a mass in the file, lifted onto physical.NominalBody.
	Nominal []int
	// Lighter holds, by name, the factors of bodies on fixed and locked joints that were scaled down.
	Lighter map[string]float64
	// Impossible lists the infeasible fitted bodies.
	Impossible []ImpossibleBody
	// Drives are the columns of fitted drive parameters, Shared those of drives shared by several joints, Negative those
	// with an impossible negative value. Value returns their values.
	Drives, Shared, Negative []regressor.Column

	set *baseparams.Set
	x   []float64
	chi []float64
}

// NewIdentified lifts the base estimate x over set onto a robot. source must be the robot of the file, fitted the same
// with some joints locked: otherwise it panics.
func NewIdentified(source, fitted *robot.Robot, set *baseparams.Set, x []float64) *Identified {
	return newIdentified(source, fitted, set, x, nil)
}

// NewIdentifiedFrom is NewIdentified for a result with given standard parameters, such as physically consistent ones: x
// is lifted onto those.
func NewIdentifiedFrom(source, fitted *robot.Robot, set *baseparams.Set, x, standard []float64) *Identified {
	return newIdentified(source, fitted, set, x, standard)
}

func newIdentified(source, fitted *robot.Robot, set *baseparams.Set, x, standard []float64) *Identified {
	id := &Identified{Robot: source.Clone(), set: set, x: x}
	at := matchLinks(source, fitted)
	own := make([]robot.Inertial, len(fitted.Links))
	for j := range fitted.Links {
		l := &fitted.Links[j]
		own[j] = l.Own
		if l.Own.Mass() == 0 && l.Joint.Kind != robot.Fixed && !l.Massless && !l.Zero[robot.M] && hasLinks(set) {
			own[j][robot.M] = physical.NominalBody.Mass()
			if l.Own == (robot.Inertial{}) {
				own[j] = physical.NominalBody
			}
			for p, zero := range l.Zero {
				if zero {
					own[j][p] = 0
				}
			}
			if standard == nil {
				id.Nominal = append(id.Nominal, at[j])
			}
		}
	}
	prior := make([]float64, len(set.Columns))
	for i, c := range set.Columns {
		prior[i], _ = regressor.ValueOf(fitted, c)
		if c.Term == regressor.Links {
			prior[i] += own[c.Link][c.Param] - fitted.Links[c.Link].Own[c.Param]
		}
	}
	if standard == nil {
		standard = prior
	}
	id.chi = set.Lift(x, standard)
	for i, c := range set.Columns {
		if c.Term == regressor.Links {
			own[c.Link][c.Param] += id.chi[i] - prior[i]
			continue
		}
		id.drive(c, at[c.Link], id.chi[i])
	}
	if !hasLinks(set) {
		return id
	}
	for j := range own {
		id.share(source, fitted, at, j, &own[j])
		l := &id.Robot.Links[at[j]]
		if own[j] != l.Own {
			l.Inertial = l.Inertial.Add(own[j].Sub(l.Own))
			l.Own, l.HasInertial = own[j], true
			id.Bodies = append(id.Bodies, at[j])
		}
		if own[j] == (robot.Inertial{}) {
			continue // a fixed frame without a body
		}
		if least := physical.LeastEigenvalue(own[j]); !(least >= 0) {
			id.Impossible = append(id.Impossible, ImpossibleBody{Link: l.Name, MinEigenvalue: least, Why: physical.WhyImpossible(own[j])})
		}
	}
	return id
}

// Standard returns the lifted standard parameters, in the order of the set's columns.
func (id *Identified) Standard() []float64 { return slices.Clone(id.chi) }

// ownPart is the least part of a link's pseudo-inertia that its own body keeps when bodies on fixed joints are scaled
// down.
const ownPart = 0.05

// share scales down the bodies on fixed and locked joints of a fitted link if the rest would not be a feasible own body.
func (id *Identified) share(source, fitted *robot.Robot, at []int, j int, own *robot.Inertial) {
	fixed := fitted.Links[j].Inertial.Sub(fitted.Links[j].Own)
	if fixed.Mass() <= 0 || *own == (robot.Inertial{}) || physical.LeastEigenvalue(*own) >= 0 {
		return
	}
	whole := own.Add(fixed)
	factor := physical.PartWithin(fixed, whole, 1-ownPart)
	if !(factor > 0 && factor < 1) {
		return
	}
	lighter := func(p *robot.Inertial) {
		for i := range p {
			p[i] *= factor
		}
	}
	if id.Lighter == nil {
		id.Lighter = map[string]float64{}
	}
	carrier := carriers(source, at)
	for i := range id.Robot.Links {
		l := &id.Robot.Links[i]
		switch {
		case carrier[i] != at[j]:
			continue
		case i == at[j]:
			rest := l.Inertial.Sub(l.Own)
			lighter(&rest)
			l.Inertial = l.Own.Add(rest)
		case l.HasInertial:
			lighter(&l.Inertial)
			lighter(&l.Own)
			id.Bodies = append(id.Bodies, i)
			id.Lighter[l.Name] = factor
		}
	}
	for k := range id.Robot.Lumped {
		if m := &id.Robot.Lumped[k]; m.HasInertial && m.Into >= 0 && carrier[m.Into] == at[j] {
			lighter(&m.Inertial)
			id.Lighter[m.Name] = factor
		}
	}
	lighter(&fixed)
	*own = whole.Sub(fixed)
}

// carriers returns, for each link of the source, the fitted link with which it moves: itself, or the one it is locked
// to; −1 for the base.
func carriers(source *robot.Robot, at []int) []int {
	out := make([]int, len(source.Links))
	for i := range source.Links { // antecedents come first
		switch a := source.Links[i].Antecedent; {
		case slices.Contains(at, i):
			out[i] = i
		case a < 0:
			out[i] = -1
		default:
			out[i] = out[a]
		}
	}
	return out
}

// drive writes a drive parameter to the robot.
func (id *Identified) drive(c regressor.Column, link int, v float64) {
	if v < 0 && !c.Signed {
		id.Negative = append(id.Negative, c)
	}
	if c.Drive > 0 {
		id.Shared = append(id.Shared, c)
		return
	}
	id.Drives = append(id.Drives, c)
	j := &id.Robot.Links[link].Joint
	switch c.Term {
	case regressor.Ia:
		j.Ia = v
	case regressor.Fv:
		j.Fv = v
	case regressor.Fs:
		j.Fs = v
	case regressor.Fo:
		j.Fo = v
	}
}

// Value returns the lifted value of a standard parameter.
func (id *Identified) Value(c regressor.Column) float64 {
	for i := range id.set.Columns {
		if id.set.Columns[i].Name == c.Name {
			return id.chi[i]
		}
	}
	panic(fmt.Sprintf("estimate: %s is no column of the set", c.Name))
}

// Kept reports whether the base set keeps a standard parameter, alone or with others
// regrouped onto it.
func (id *Identified) Kept(c regressor.Column) bool {
	for _, b := range id.set.Base {
		if id.set.Columns[b].Name == c.Name {
			return true
		}
	}
	return false
}

// accuracy is the largest allowed difference between a written robot's base parameter and the fitted one, relative to
// its largest summand.
const accuracy = 1e-9

// Check returns an error unless a robot that was written and read back has the fitted base parameters: those of its
// links together with the fit's drives. read must have the joints of the fit locked. The usual cause of an error is a
// centre of mass kilometres away, which costs the digits of the moments about it.
func (id *Identified) Check(read *robot.Robot) error {
	chi := append([]float64(nil), id.chi...)
	for i, c := range id.set.Columns {
		if c.Term == regressor.Links {
			chi[i] = read.Links[c.Link].Inertial[c.Param]
		}
	}
	for k, v := range id.set.FromStandard(chi) {
		col := id.set.Columns[id.set.Base[k]]
		scale := math.Max(math.Abs(id.x[k]), math.Abs(chi[id.set.Base[k]]))
		for d, b := range id.set.Beta[k] {
			scale = math.Max(scale, math.Abs(b*chi[id.set.Dependent[d]]))
		}
		if !(math.Abs(v-id.x[k]) <= accuracy*scale) {
			return fmt.Errorf("link %q: base parameter %s is %.12g as written and %.12g as fitted: a mass too small for its first moments loses the digits of the inertia", col.Owner, id.set.Name(k), v, id.x[k])
		}
	}
	return nil
}

func hasLinks(set *baseparams.Set) bool {
	return len(set.Columns) > 0 && set.Columns[0].Term == regressor.Links
}

// matchLinks returns the index in source of each fitted link, in order.
func matchLinks(source, fitted *robot.Robot) []int {
	at := make([]int, 0, len(fitted.Links))
	for i := range source.Links {
		if j := len(at); j < len(fitted.Links) && source.Links[i].Name == fitted.Links[j].Name && source.Links[i].Joint.Name == fitted.Links[j].Joint.Name {
			at = append(at, i)
		}
	}
	if len(at) != len(fitted.Links) {
		panic("estimate: the fitted robot is not made of the source's links")
	}
	return at
}
