package loops

import "ident/robot"

// Cut is a loop of the tree that Closure.Extended returns: the two links whose frames coincide where it is
// closed, or with Linear a relation of coordinates, Σ Linear[k]·q[k] + Offset = 0.
type Cut struct {
	Frame, Meets int
	Spherical    bool // spherical joint: only the frames' origins coincide
	Linear       map[int]float64
	Offset       float64
}

// Extended returns the robot's tree with the frames at the cuts as links behind its own, which is a copy, and
// the cuts. Its coordinates are those of a state.
func (c *Closure) Extended() (*robot.Robot, []Cut) {
	var cuts []Cut
	for _, l := range c.loops {
		k := Cut{Frame: l.frame, Meets: l.meets, Spherical: l.spherical}
		if l.linear != nil {
			k.Linear = map[int]float64{}
			size := c.unit[l.linear[0].coord] // the relation is in parts of the first coordinate's unit
			k.Offset = l.offset * size
			for _, t := range l.linear {
				k.Linear[t.coord] += t.factor / c.unit[t.coord] * size
			}
		}
		cuts = append(cuts, k)
	}
	return c.extended.Clone(), cuts
}
