package physical

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/physical/internal/conic"
	"ident/regressor"
	"ident/robot"
)

// zeroDeviation is the standard deviation of a parameter known to be zero, relative to the size of the prior's body.
// Its residual is the square times the multiplier of its row: below rounding.
const zeroDeviation = 1e-8

// zeroParameter is a body parameter that is held at a value: zero if the robot file declares it, so that the model has no column of
// it, or that of a Given.
type zeroParameter struct {
	body, param int
	at          int // of the complete parameters
	value       float64
}

// heldAtZero returns the indices of those of a link's missing parameters that the body must have as zeros: first moments and products
// of inertia. Mass and moments of inertia of a body are never zero. If they are written 0 and act on no torque, as for
// most of a planar arm, the body may choose them; if one acts, it is an error.
func heldAtZero(r *robot.Robot, col regressor.Column, missing []int) ([]int, error) {
	var held []int
	var none []string // no body has zeros of these
	for _, p := range missing {
		if col.Term != regressor.Links || !r.Links[col.Link].Zero[p] {
			return nil, fmt.Errorf("%s %q (%s is missing): %w", bodyWord(col), col.Owner, robot.InertialNames[p], ErrPartialBody)
		}
		switch p {
		case robot.XX, robot.YY, robot.ZZ, robot.M:
			none = append(none, robot.ParameterName(robot.InertialNames[p], col.Link))
		default:
			held = append(held, p)
		}
	}
	if len(none) == 0 {
		return held, nil
	}
	if none = acting(r, none); len(none) > 0 {
		return nil, fmt.Errorf("link %q: the file declares %s as zero, but no body has zero there. If the values are base parameters (sums over several links), they are not those of one body: %w", col.Owner, strings.Join(none, ", "), ErrPartialBody)
	}
	return held, nil
}

func bodyWord(c regressor.Column) string {
	if c.Term == regressor.Payload {
		return "payload of link"
	}
	return "link"
}

// acting returns the names whose columns are not zero once they become unknowns.
func acting(r *robot.Robot, names []string) (out []string) {
	open := r.Clone()
	for j := range open.Links {
		for _, p := range []int{robot.XX, robot.YY, robot.ZZ, robot.M} {
			open.Links[j].Zero[p] = false
		}
	}
	m, err := regressor.NewDynamic(open, []regressor.Term{regressor.Links})
	if err != nil {
		return names
	}
	set := baseparams.QR(m, baseparams.Options{})
	for i, c := range set.Columns {
		if slices.Contains(names, c.Name) && !slices.Contains(set.Zero, i) {
			out = append(out, c.Name)
		}
	}
	return out
}

// addZeros fills in the rows of parameters known to be zero, after those of the estimate.
func (c *program) addZeros() {
	for i, z := range c.zeros {
		var coef robot.Inertial
		coef[z.param] = 1
		unit := unitBodies(c.roots[z.body])
		row := alongUnits(&unit, &coef)
		size := 0.0
		for _, v := range row {
			size = math.Hypot(size, v)
		}
		// In units of the prior's body.
		for e := range row {
			row[e] /= zeroDeviation * size
		}
		c.bodyBlock(z.body).AddRow(c.estimated+i, row)
		c.Offset[c.estimated+i] = -z.value / (zeroDeviation * size)
	}
}

// bodyBlock returns the block of the n-th body.
func (c *program) bodyBlock(n int) *conic.Block {
	for k := range c.Blocks {
		if c.Blocks[k].Kind == conic.Semidefinite {
			if n == 0 {
				return &c.Blocks[k]
			}
			n--
		}
	}
	panic("physical: no such body")
}

// completed returns the bodies of which the model has only some parameters.
func (c *program) completed(chi []float64) map[int]robot.Inertial {
	out := map[int]robot.Inertial{}
	for n, at := range c.at {
		if c.owner[n].Term != regressor.Links || slices.Max(at[:]) < c.own {
			continue
		}
		var body robot.Inertial
		for p, i := range at {
			body[p] = chi[i]
		}
		out[c.owner[n].Link] = body
	}
	return out
}
