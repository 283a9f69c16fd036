package physical

import (
	"math"

	"ident/physical/internal/conic"
	"ident/regressor"
	"ident/robot"
)

// MassPrior is what is believed of the masses of links beside the bodies of a Prior. Each mass is one row,
//
//	√(w·ρ)·(m/m₀ − 1)/s
//
// with the prior's mass m₀ and the weight w of the prior, and a given total is one more, at weight one.
type MassPrior struct {
	// Deviation is the standard deviation s of each link's mass, relative to the prior's. A link with 0 has no row.
	Deviation []float64
	// Trust is the weight ρ of the rows by link; nil means ones.
	Trust []float64
	// Total mass of the model's links and its standard deviation, in kg. Zero means unknown.
	Total, TotalDeviation float64
}

// trust returns the weight ρ of a link's row.
func (m *MassPrior) trust(link int) float64 {
	if m.Trust == nil {
		return 1
	}
	return m.Trust[link]
}

// massRow is a row for the mass of one body, or for the total.
type massRow struct {
	row    int
	bodies []int // whose masses it adds
	link   int   // of a row of one body
	mass   float64
}

// declareMasses lists the rows before their places are known.
func (c *program) declareMasses(m *MassPrior) {
	if m == nil {
		return
	}
	total := &massRow{link: -1, mass: m.Total}
	for n, o := range c.owner {
		if o.Term != regressor.Links {
			continue
		}
		total.bodies = append(total.bodies, n)
		if m.Deviation[o.Link] > 0 {
			c.masses = append(c.masses, massRow{bodies: []int{n}, link: o.Link, mass: c.priorMass(n)})
		}
	}
	if m.Total > 0 && len(total.bodies) > 0 {
		c.total = total
	}
}

// priorMass returns the mass of the prior's n-th body.
func (c *program) priorMass(n int) float64 { return c.roots[n][3][3] * c.roots[n][3][3] }

// massForm returns the sum of the masses of some bodies as a linear form.
func (c *program) massForm(bodies []int, scale float64) conic.Form {
	var out conic.Form
	for k, n := 0, 0; k < len(c.Blocks); k++ {
		if c.Blocks[k].Kind != conic.Semidefinite {
			continue
		}
		for _, b := range bodies {
			if b == n {
				unit := unitBodies(c.roots[n])
				out.Blocks = append(out.Blocks, k)
				out.Coefficients = append(out.Coefficients, alongUnits(&unit, &robot.Inertial{robot.M: scale}))
			}
		}
		n++
	}
	return out
}

// addMasses adds the rows m/m₀ − 1, and Σm − M.
func (c *program) addMasses(m *MassPrior) {
	if m == nil {
		return
	}
	at := c.estimated + len(c.zeros)
	add := func(row *massRow, scale, offset float64) {
		row.row = at
		c.Offset[at] = offset
		f := c.massForm(row.bodies, scale)
		for i, k := range f.Blocks {
			c.Blocks[k].AddRow(at, f.Coefficients[i])
		}
		at++
	}
	for i := range c.masses {
		add(&c.masses[i], 1/c.masses[i].mass, -1)
	}
	if c.total != nil {
		add(c.total, 1, -m.Total)
	}
}

// weighMasses sets the factors of the mass rows.
func (c *program) weighMasses(weight float64, m *MassPrior) {
	if m == nil {
		return
	}
	for _, v := range c.masses {
		c.SetFactor(v.row, math.Sqrt(weight*max(m.trust(v.link), leastTrust))/m.Deviation[v.link])
	}
	if c.total != nil {
		c.SetFactor(c.total.row, 1/m.TotalDeviation)
	}
}

// leastTrust keeps the factor of the rows invertible.
const leastTrust = 1e-6
