package standing

import (
	"math"
	"slices"

	"ident/regressor"
)

// reach returns the number of samples on either side that the low-pass of rows mixes.
func (f *fitting) reach(t *track) int { return int(math.Ceil(0.35 / (f.settings.Cutoff * t.dt))) }

// steady sets the entries of mode to whether each foot sticks at a sample. It reports whether three round feet or a sole stick, so that
// they tell the motion of the base, and whether all have stuck, or been in the air, for long enough: within reach of a foot that lands or lifts,
// rows mix two ways of standing, and a foot that grazes the ground stands in neither.
func (f *fitting) steady(mode []bool, t *track, i, reach int) bool {
	for foot := range mode {
		mode[foot] = true
	}
	for foot, x := range t.sticks {
		if x == nil {
			continue
		}
		mode[foot] = x[i]
		around := reach
		if !x[i] {
			around += 2 * int(math.Ceil(landing/t.dt)) // a foot that touches before it counts as sticking
		}
		near := func(flags []bool) []bool { return flags[max(0, i-around):min(i+around+1, len(flags))] }
		if slices.Contains(near(x), !x[i]) || !x[i] && slices.Contains(near(t.grazes[foot]), true) {
			return false
		}
	}
	round := 0
	for foot, on := range mode {
		if on && f.robot.Feet[foot].Sole {
			return true
		}
		if on {
			round++
		}
	}
	return round >= 3
}

// modes returns the ways of standing that rows of logs show, that of all feet first.
func (f *fitting) modes(tracks []*track) [][]bool {
	out := [][]bool{slices.Repeat([]bool{true}, len(f.robot.Feet))}
	mode := make([]bool, len(f.robot.Feet))
	for _, t := range tracks {
		reach := f.reach(t)
		for i := range t.in.Q[0] {
			if f.steady(mode, t, i, reach) && !slices.ContainsFunc(out, func(m []bool) bool { return slices.Equal(m, mode) }) {
				out = append(out, slices.Clone(mode))
			}
		}
	}
	return out
}

// planted returns the feet that stick in every way of standing.
func (f *fitting) planted() []regressor.Foot {
	var out []regressor.Foot
	for foot := range f.robot.Feet {
		if !slices.ContainsFunc(f.stance.Modes, func(m []bool) bool { return !m[foot] }) {
			out = append(out, f.robot.Feet[foot])
		}
	}
	return out
}
