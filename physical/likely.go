package physical

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/regressor"
	"ident/robot"
	"ident/robot/shapes"
)

// Standard deviations of a mass, relative to the prior's.
const (
	fileDeviation     = 0.3 // of a robot file
	geometryDeviation = 1   // of shapes.Envelope
)

// fattening is the gyration radius, in m, added to the bodies of a file along each axis. Otherwise a centre of mass 20
// mm off in a thin body would be compensated by mass.
const fattening = 0.030

// likely is a prior of partly trusted bodies, with rows for their masses.
type likely struct {
	prior    *Prior
	masses   MassPrior
	geometry []bool // by link: the body is that of shapes.Envelope
	file     bool   // gives some body
}

// likelyBodies returns the bodies of robot from, fattened. shapes.Envelope replaces missing ones, or all if from is nil.
// Drive parameters count as known only if drives is set.
func likelyBodies(r *robot.Robot, from *robot.Robot, columns []regressor.Column, source string, drives bool) *likely {
	given := make([]bool, len(r.Links))
	if from != nil {
		given = shapes.Given(from)
	} else {
		from = r
	}
	out := &likely{prior: NewPrior(from, columns, source), geometry: make([]bool, len(r.Links)), masses: MassPrior{Deviation: make([]float64, len(r.Links))}}
	p := out.prior
	for k := range p.Blocks {
		b := &p.Blocks[k]
		c := columns[b.Columns[0]]
		if !ofBody(c) {
			// The torque of a slide weighs its bodies and its rotor together, so the file must say how heavy the rotor is.
			slide := c.Term == regressor.Ia && r.Links[c.Link].Joint.Kind == robot.Prismatic
			p.Known[b.Columns[0]] = p.Known[b.Columns[0]] && (drives || slide)
			continue
		}
		if c.Term != regressor.Links {
			continue
		}
		var body robot.Inertial
		deviation := fileDeviation
		if given[c.Link] {
			thin, _ := priorBody(from.Links[c.Link].Inertial)
			body, out.file = fattened(thin), true
		} else {
			body, deviation = shapes.Envelope(r, c.Link), geometryDeviation
			out.geometry[c.Link] = true
		}
		for _, i := range b.Columns {
			p.Mean[i], p.Known[i] = body[columns[i].Param], true
		}
		if len(b.Columns) < robot.NumInertial {
			p.completed(b.Columns, columns)
		}
		if hasMass(columns, b.Columns) && p.Known[b.Columns[0]] {
			out.masses.Deviation[c.Link] = deviation
		}
		b.Covariance = bodyCovariance(b.Columns, columns, p.Mean)
	}
	return out
}

func hasMass(columns []regressor.Column, of []int) bool {
	for _, i := range of {
		if columns[i].Param == robot.M {
			return true
		}
	}
	return false
}

// fattened adds fattening to the second moments of a body about its centre of mass.
func fattened(body robot.Inertial) robot.Inertial {
	m := body.Mass()
	com, _ := body.CentreOfMass()
	central, _ := body.Central()
	for a := range 3 {
		central[a][a] += 2 * m * fattening * fattening
	}
	return robot.InertialFromCentral(m, com, central)
}

// scaled returns the prior with all bodies of links multiplied by g.
func (l *likely) scaled(g float64, columns []regressor.Column) *Prior {
	if g == 1 {
		return l.prior
	}
	out := *l.prior
	out.Mean = append([]float64(nil), l.prior.Mean...)
	out.Blocks = append([]PriorBlock(nil), l.prior.Blocks...)
	for k := range out.Blocks {
		b := &out.Blocks[k]
		if columns[b.Columns[0]].Term != regressor.Links {
			continue
		}
		for _, i := range b.Columns {
			out.Mean[i] *= g
		}
		var cov mat.SymDense
		cov.ScaleSym(g*g, b.Covariance)
		b.Covariance = &cov
	}
	return &out
}

// Student's t distribution of the masses' errors: freedom is its degrees of freedom.
const freedom = 2

// tails is the ratio of standard deviations of a normal and a Student's distribution with the same 95 % interval.
// Deviations of estimated masses are multiplied by it.
const tails = 4.303 / 1.96

// trusts returns the weights ρ = (ν+1)/(ν+e²) of the masses' rows at a point of the program, by link.
func (c *program) trusts(z []float64, m *MassPrior) []float64 {
	out := make([]float64, len(m.Deviation))
	for i := range out {
		out[i] = 1
	}
	for _, v := range c.masses {
		e := c.massError(z, &v, m)
		out[v.link] = (freedom + 1) / (freedom + e*e)
	}
	return out
}

// massError returns e = (m/m₀ − 1)/s for a row.
func (c *program) massError(z []float64, v *massRow, m *MassPrior) float64 {
	return (c.massOf(z, v.bodies)/v.mass - 1) / m.Deviation[v.link]
}

// massOf returns the sum of the masses of some bodies.
func (c *program) massOf(z []float64, bodies []int) float64 {
	f, sum := c.massForm(bodies, 1), 0.0
	for i, k := range f.Blocks {
		part := c.Blocks[k].Variables(z)
		for j, v := range part {
			sum += f.Coefficients[i][j] * v
		}
	}
	return sum
}

// squared returns the squared deviation ‖R·(K(χ) − K̂)‖² of the estimate's rows.
func (c *program) squared(z []float64) float64 {
	e, y := make([]float64, len(c.Offset)), make([]float64, c.Measured)
	c.AffineMap(e, z)
	clear(e[c.estimated:])
	return 2 * c.Gradient(y, e)
}

// penalised returns the objective with ((ν+1)/2)·log(1 + e²/ν) for the rows of the masses.
func (c *program) penalised(z []float64, weight float64, m *MassPrior) float64 {
	value := c.squared(z) / 2
	for k := range c.Blocks {
		value += c.Blocks[k].Weight * c.Blocks[k].Divergence(z)
	}
	for _, v := range c.masses {
		e := c.massError(z, &v, m)
		value += weight * (freedom + 1) / 2 * math.Log1p(e*e/freedom)
	}
	if c.total != nil {
		e := (c.massOf(z, c.total.bodies) - m.Total) / m.TotalDeviation
		value += e * e / 2
	}
	return value
}
