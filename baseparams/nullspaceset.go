package baseparams

import (
	"math"
	"slices"

	"ident/regressor"
	"ident/robot"
)

// rounding is the size below which a coefficient counts as zero, in the scaled units of the structural method with the
// base parameter's coefficient 1, unless its column holds coefficients above ten. It is the sum of cancelling products;
// along thirty joints these leave 1e-14 of the largest.
const rounding = 1e-12

// set returns the minimal set that follows from the conditions. The rows of link j have their pivots in its own columns
// and continue in the columns of the links it carries. Removing those links' pivots from them gives the reduced echelon
// form of all conditions: its pivots are the first independent columns, its other entries are Beta.
func (c *chain) set() *Set {
	n := len(c.cols)
	s := &Set{Method: "null space", Columns: c.cols, Gap: c.margin.gap()}
	var relations [][]float64
	for j := range c.links {
		l := &c.links[j]
		for i, p := range l.pivots {
			row := make([]float64, n)
			row[l.first+p] = 1
			c.descend(row, j, l.rows[i])
			for k, lead := range c.lead {
				if f := row[lead]; f != 0 {
					axpy(row, -f, c.loose[k])
					row[lead] = 0
				}
			}
			s.Base = append(s.Base, l.first+p)
			relations = append(relations, row)
		}
	}
	for k, lead := range c.lead {
		s.Base = append(s.Base, lead)
		relations = append(relations, c.loose[k])
	}
	order := make([]int, len(s.Base))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return s.Base[a] - s.Base[b] })
	sorted := make([][]float64, len(order))
	for i, o := range order {
		sorted[i] = relations[o]
	}
	slices.Sort(s.Base)
	s.fill(sorted, func(base, dependent int) float64 {
		return math.Pow(c.length, float64(c.power(base)-c.power(dependent)))
	})
	return s
}

// descend adds a functional of the subtree at link j to a relation: its entries
// on the link's own columns that are no pivots, its tags, and the rest of it on
// the links carried, cleared of their pivots.
func (c *chain) descend(row []float64, j int, functional []float64) {
	l := &c.links[j]
	own := functional[:robot.NumInertial]
	if l.first >= 0 {
		for p, v := range own {
			if v != 0 && !slices.Contains(l.pivots, p) {
				row[l.first+p] += v
			}
		}
	}
	if len(functional) > robot.NumInertial {
		c.spread(row, j, functional[robot.NumInertial:], 1)
	}
	for _, child := range l.children {
		k := &c.links[child]
		var moved [robot.NumInertial]float64
		for q, v := range own {
			if v != 0 {
				for p := range moved {
					moved[p] += k.lambda[q][p] * v
				}
			}
		}
		for i, p := range k.pivots {
			f := moved[p]
			if f == 0 {
				continue
			}
			axpy(moved[:], -f, k.rows[i][:robot.NumInertial])
			moved[p] = 0
			c.spread(row, child, k.rows[i][robot.NumInertial:], -f)
		}
		empty := true
		for p, v := range moved {
			if math.Abs(v) < rounding {
				moved[p] = 0
			} else {
				empty = false
			}
		}
		if !empty {
			c.descend(row, child, moved[:])
		}
	}
}

// power returns the exponent of length in the unit of a column's parameter.
func (c *chain) power(col int) int {
	k := &c.cols[col]
	prismatic := c.links[k.Link].kind == robot.Prismatic && k.Drive == 0
	switch {
	case k.Term == regressor.Links && k.Param == robot.M:
		return 0
	case k.Term == regressor.Links && k.Param >= robot.MX:
		return 1
	case k.Term == regressor.Fo && prismatic:
		return 1
	case k.Term == regressor.Ia && prismatic:
		return 0
	case k.Term == regressor.Fv || k.Term == regressor.Fs:
		return 0 // they only combine among each other, in the joints' own units
	}
	return 2
}

// fill completes a set from its base columns and one relation for each over all columns. A column in no relation has no
// effect.
func (s *Set) fill(relations [][]float64, unit func(base, dependent int) float64) {
	base := make([]bool, len(s.Columns))
	for _, c := range s.Base {
		base[c] = true
	}
	floor := make([]float64, len(s.Columns))
	for c := range s.Columns {
		largest := 0.0
		for _, row := range relations {
			largest = max(largest, math.Abs(row[c]))
		}
		floor[c] = rounding * max(1, largest/10)
		switch {
		case base[c]:
		case largest > floor[c]:
			s.Dependent = append(s.Dependent, c)
		default:
			s.Zero = append(s.Zero, c)
		}
	}
	s.Beta = make([][]float64, len(s.Base))
	for k := range s.Beta {
		s.Beta[k] = make([]float64, len(s.Dependent))
		for d, c := range s.Dependent {
			if v := relations[k][c]; math.Abs(v) > floor[c] {
				s.Beta[k][d] = v * unit(s.Base[k], c)
			}
		}
	}
}
