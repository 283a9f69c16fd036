package physical

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"ident/baseparams"
	"ident/regressor"
	"ident/robot"
)

// Given is a parameter of a body whose value is known. Its torque is no part of the estimate, and no column of the model is its.
type Given struct {
	Column regressor.Column
	Value  float64
}

// ErrGiven is wrapped by the error if no feasible body near the estimate has the given values.
var ErrGiven = errors.New("no body has the known values")

// givenTolerance is the largest part by which a body may miss a given value, of the size of the prior's body.
const givenTolerance = 1e-6

// sameBody reports whether two columns are parameters of one body.
func sameBody(a, b regressor.Column) bool {
	return a.Term == b.Term && a.Link == b.Link && a.Body == b.Body
}

// withGiven returns a set that also has the columns of given parameters, at its end and without effect, and the parameters used:
// those of bodies that have other columns in the set.
func withGiven(set *baseparams.Set, given []Given) (*baseparams.Set, []Given) {
	given = slices.DeleteFunc(slices.Clone(given), func(g Given) bool {
		return !ofBody(g.Column) || !slices.ContainsFunc(set.Columns, func(c regressor.Column) bool { return sameBody(c, g.Column) })
	})
	if len(given) == 0 {
		return set, nil
	}
	out := *set
	out.Columns, out.Zero = slices.Clone(set.Columns), slices.Clone(set.Zero)
	for _, g := range given {
		out.Zero, out.Columns = append(out.Zero, len(out.Columns)), append(out.Columns, g.Column)
	}
	return &out, given
}

// valuesOf returns the values of given parameters.
func valuesOf(given []Given) (out []float64) {
	for _, g := range given {
		out = append(out, g.Value)
	}
	return out
}

// holding returns the prior with bodies that have the given values, where its bodies can: a body whose mass is given is scaled to
// it, then other values replace the body's if it stays feasible.
func (p *Prior) holding(columns []regressor.Column, given []Given) *Prior {
	if len(given) == 0 {
		return p
	}
	out := *p
	out.Mean, out.Blocks = slices.Clone(p.Mean), slices.Clone(p.Blocks)
	for k := range out.Blocks {
		b := &out.Blocks[k]
		first := columns[b.Columns[0]]
		if !ofBody(first) {
			continue
		}
		body := NominalBody
		for _, i := range b.Columns {
			body[columns[i].Param] = out.Mean[i]
		}
		held := false
		for _, g := range given {
			if held = held || sameBody(first, g.Column); sameBody(first, g.Column) && g.Column.Param == robot.M && g.Value > 0 {
				by := g.Value / body[robot.M]
				for i := range body {
					body[i] *= by
				}
			}
		}
		if !held {
			continue
		}
		whole := body
		for _, g := range given {
			if sameBody(first, g.Column) {
				whole[g.Column.Param] = g.Value
			}
		}
		if LeastEigenvalue(whole) > 0 {
			body = whole
		}
		for _, i := range b.Columns {
			out.Mean[i] = body[columns[i].Param]
		}
		b.Covariance = bodyCovariance(b.Columns, columns, out.Mean)
	}
	return &out
}

// exclude returns an error if a given mass is outside the bounds of its link.
func (b *Bounds) exclude(given []Given) error {
	for _, g := range given {
		for _, v := range b.Bodies {
			if col := g.Column; col.Term == regressor.Links && col.Param == robot.M && v.Link == col.Link &&
				(g.Value < v.Mass.Low || v.Mass.High > 0 && g.Value > v.Mass.High) {
				return fmt.Errorf("link %q: %s is known to be %.6g kg, and its bounds are %g and %g kg: %w; correct the value or the bounds", col.Owner, col.Name, g.Value, v.Mass.Low, v.Mass.High, ErrGiven)
			}
		}
	}
	return nil
}

// missesGiven returns an error if a body does not have a given value: bounds or the data's other parameters leave none.
func (c *program) missesGiven(z []float64) error {
	for _, v := range c.zeros {
		if v.at < c.own || v.at >= len(c.set.Columns) {
			continue
		}
		var coef robot.Inertial
		coef[v.param] = 1
		unit := unitBodies(c.roots[v.body])
		row := alongUnits(&unit, &coef)
		size, sum := 0.0, 0.0
		for e, x := range c.bodyBlock(v.body).Variables(z) {
			size, sum = math.Hypot(size, row[e]), sum+row[e]*x
		}
		if col := c.set.Columns[v.at]; math.Abs(sum-v.value) > givenTolerance*size {
			return fmt.Errorf("link %q: %s is known to be %.6g, and the nearest feasible bodies have %.6g: %w; correct the value or the bounds", col.Owner, col.Name, v.value, sum, ErrGiven)
		}
	}
	return nil
}
