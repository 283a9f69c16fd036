package frictionterms

import (
	"fmt"
	"math"
	"slices"

	"ident/baseparams"
	"ident/regressor"
)

// Columns are the columns of friction terms that are not in the model, behind those of the model: one of asymmetry for
// every joint, then the offered velocities of Stribeck friction of every joint, then the columns of terms that are
// offered by name. With Fv, Fs and Fo in the model, friction of each direction (Fa) adds one column per joint, q̇ where
// it is positive.
type Columns struct {
	Model, Joints int              // columns of the model; joints
	Resolved      []int            // by joint: the slowest of the offered velocities that the samples resolve
	More          *regressor.Model // of the terms that are offered by name, nil for none
	Viscous       []int            // columns of the model's Fv, ascending
}

// Own is the number of columns that follow the model's columns for each joint, without those offered by name.
const Own = 1 + OfferedSpeeds

func (f Columns) named() int { return f.Model + f.Joints*Own } // the first column of More

// Count returns the number of all columns.
func (f Columns) Count() int {
	if f.More == nil {
		return f.named()
	}
	return f.named() + len(f.More.Columns())
}

// Mask returns the columns of More in the rows of a joint.
func (f Columns) Mask(joint int) []int {
	if f.More == nil {
		return nil
	}
	return f.More.Mask(joint)
}
func (f Columns) asymmetric(joint int) int { return f.Model + joint }
func (f Columns) stribeck(joint, at int) int {
	return f.Model + f.Joints + joint*OfferedSpeeds + at
}

// Names returns the names of the columns behind the model's.
func (f Columns) Names() []string {
	var out []string
	for k := range f.Joints {
		out = append(out, fmt.Sprintf("%s%d", regressor.Asymmetric, k+1))
	}
	for k := range f.Joints {
		for i := range OfferedSpeeds {
			out = append(out, fmt.Sprintf("%s%d at %.3g", regressor.Stribeck, k+1, OfferedSpeed(i)))
		}
	}
	if f.More != nil {
		for _, c := range f.More.Columns() {
			out = append(out, c.Name)
		}
	}
	return out
}

// Masks returns the masks of the model, extended by the further columns of each joint.
func (f Columns) Masks(own [][]int) [][]int {
	out := make([][]int, len(own))
	for k := range own {
		out[k] = append(slices.Clone(own[k]), f.asymmetric(k))
		for i := range OfferedSpeeds {
			out[k] = append(out[k], f.stribeck(k, i))
		}
		for _, c := range f.Mask(k) {
			out[k] = append(out[k], f.named()+c)
		}
	}
	return out
}

// Fill computes a joint's own columns from its velocities, rad/s or m/s: Own slices as long as these.
func Fill(columns [][]float64, velocity []float64) {
	for i, rate := range velocity {
		columns[0][i] = max(rate, 0)
		sign := 0.0
		if rate != 0 {
			sign = math.Copysign(1, rate)
		}
		for s := range OfferedSpeeds {
			z := rate / OfferedSpeed(s)
			columns[1+s][i] = sign * math.Exp(-z*z)
		}
	}
}

// Selected returns the columns of a choice in ascending order. speeds must come from BestSpeeds.
func (f Columns) Selected(c Choice, speeds []int) []int {
	var out []int
	for i := range f.Model {
		if !c.NoViscous || !slices.Contains(f.Viscous, i) {
			out = append(out, i)
		}
	}
	for k := range f.Joints {
		if c.Asymmetric {
			out = append(out, f.asymmetric(k))
		}
	}
	for k := range f.Joints {
		if c.Stribeck && speeds[k] >= 0 {
			out = append(out, f.stribeck(k, speeds[k]))
		}
	}
	for i := range f.Count() - f.named() {
		if slices.ContainsFunc(c.Further, named(f.More.Columns()[i].Term)) {
			out = append(out, f.named()+i)
		}
	}
	return out
}

// Base returns the base parameter set of the model, set, with the columns of a choice, which Selected returned; those
// behind the model's are independent of all others.
func (f Columns) Base(set *baseparams.Set, c Choice, m *regressor.Model, columns []int) *baseparams.Set {
	if c.NoViscous {
		var left []int
		for k, c := range set.Columns { // dependent ones, too, as of joints that share a motor
			if c.Term == regressor.Fv {
				left = append(left, k)
			}
		}
		set = set.Without(left)
	}
	out := *set
	out.Columns, out.Base, out.Beta = slices.Clone(set.Columns), slices.Clone(set.Base), slices.Clone(set.Beta)
	for _, c := range columns[len(set.Base):] {
		out.Base = append(out.Base, len(out.Columns))
		out.Beta = append(out.Beta, make([]float64, len(set.Dependent)))
		if c >= f.named() {
			out.Columns = append(out.Columns, f.More.Columns()[c-f.named()])
			continue
		}
		joint := c - f.Model
		term := regressor.Asymmetric
		if joint >= f.Joints {
			joint, term = (joint-f.Joints)/OfferedSpeeds, regressor.Stribeck
		}
		out.Columns = append(out.Columns, regressor.Column{Name: fmt.Sprintf("%s%d", term, joint+1), Term: term, Link: m.JointLinks()[joint], Signed: true})
	}
	return &out
}
