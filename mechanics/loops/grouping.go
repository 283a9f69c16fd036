package loops

import (
	"fmt"
	"slices"
)

// groupLoops collects loops that share unknowns, and returns beside the groups
// the entries of G that they solve for, in the order of group, unknown and driven
// coordinate.
func (c *Closure) groupLoops(driven []int) (groups []*group, pairs []Pair, err error) {
	place := make([]int, len(c.unit)) // in the list of driven coordinates, -1 if dependent
	for k := range place {
		place[k] = slices.Index(driven, k)
	}
	for i := range c.loops {
		groups = addLoop(groups, newContour(c, i), c.length, place)
	}
	held := make([]bool, len(c.unit))
	for _, g := range groups {
		g.layout(c.unit, driven, place)
		for _, k := range g.unknown {
			if held[k] = true; k >= c.dof {
				continue
			}
			for _, j := range g.driven {
				pairs = append(pairs, Pair{Coord: k, Driven: j})
			}
		}
	}
	for k := range c.dof {
		if place[k] < 0 && !held[k] {
			return nil, nil, fmt.Errorf("robot %q: joint %q has no drive and no loop moves it; give it a drive, or lock it", c.robot, c.joints[k])
		}
	}
	return groups, pairs, nil
}

// addLoop merges a loop with the groups that share an unknown with it.
func addLoop(groups []*group, con contour, length float64, place []int) []*group {
	g := &group{loops: []contour{con}, length: length}
	for _, k := range con.coords() {
		if place[k] < 0 && !slices.Contains(g.unknown, k) {
			g.unknown = append(g.unknown, k)
		}
	}
	var rest []*group
	for _, o := range groups {
		if !slices.ContainsFunc(o.unknown, func(k int) bool { return slices.Contains(g.unknown, k) }) {
			rest = append(rest, o)
			continue
		}
		g.loops = append(o.loops, g.loops...)
		for _, k := range o.unknown {
			if !slices.Contains(g.unknown, k) {
				g.unknown = append(g.unknown, k)
			}
		}
	}
	return append(rest, g)
}

// layout gives the group's coordinates their columns, unknowns before driven
// ones, and its loops their rows.
func (g *group) layout(unit []float64, driven, place []int) {
	slices.Sort(g.unknown)
	for l := range g.loops {
		for _, k := range g.loops[l].coords() {
			if j := place[k]; j >= 0 && !slices.Contains(g.driven, j) {
				g.driven = append(g.driven, j)
			}
		}
	}
	slices.Sort(g.driven)
	for _, j := range g.driven {
		g.coords = append(g.coords, driven[j])
	}
	g.unknowns = len(g.unknown)
	column := map[int]int{}
	for i, k := range slices.Concat(g.unknown, g.coords) {
		column[k] = i
		g.unit = append(g.unit, unit[k])
	}
	for l := range g.loops {
		con := &g.loops[l]
		con.first = g.rows
		con.assign(column)
		g.rows += con.rows()
	}
}
