package estimate

import (
	"math"
	"slices"
)

// Errors of a model come back with the motion: residuals of a time block are alike
// wherever the robot is at the same place at the same speed, a period or a run later.
// Such blocks tell as little as one of them, and the window over neighbours in time, of
// jointScores, does not see it. So the scores are also summed over all pairs of blocks
// of the same state (Conley 1999: correlation by distance, whatever the distance
// is measured in), and the excess over the window in time widens the deviations where it is
// no chance.

// sameState is the distance of two blocks' states up to which they count as one, in
// steps from a block to the next: half a block to either side of the window in time,
// since periods are no multiples of blocks.
const sameState = 1.5

// Bounds of that distance, in root mean squares of the distances of all pairs: a robot at rest
// makes no steps, and blocks that are longer than the motion's features make steps as long as
// the motion.
const (
	leastDistance = 0.02
	maxDistance   = 0.4
)

// leastPlaces is the number of blocks of different states below which sums over the same
// state have no meaning.
const leastPlaces = 8

// recurrenceQuantile is the deviations, of the mean over the joints, from which an excess is no chance:
// the 95 % quantile. Smaller ones widen by less than a seventh of a deviation where joints have
// some twenty blocks.
const recurrenceQuantile = 1.645

// neighbours are the blocks before and after each in the same run.
func neighbours(blocks []TimeBlock) [][]int {
	out := make([][]int, len(blocks))
	for i := 1; i < len(blocks); i++ {
		if blocks[i].Run == blocks[i-1].Run {
			out[i-1], out[i] = append(out[i-1], i), append(out[i], i-1)
		}
	}
	return out
}

// recurrences are, beside the neighbours of each block, those of the same state, of any
// run, ascending; nil where there are none, where states are not known, or where there
// are too few different ones.
func recurrences(blocks []TimeBlock) [][]int {
	states := statesOf(blocks)
	if states == nil {
		return nil
	}
	apart := func(i, j int) float64 {
		sum := 0.0
		for c, v := range states[i] {
			d := v - states[j][c]
			sum += d * d
		}
		return math.Sqrt(sum)
	}
	out := neighbours(blocks)
	step := make([]float64, len(states))
	for i, near := range out {
		for _, j := range near {
			step[i] += apart(i, j) / float64(len(near))
		}
	}
	// Every coordinate has a unit mean square about its mean, so a pair is apart by √(2·coordinates).
	typical := math.Sqrt(2 * float64(len(states[0])))
	found, links := false, 0
	for i := range states {
		for j := range i {
			limit := min(max(sameState*min(step[i], step[j]), leastDistance*typical), maxDistance*typical)
			if slices.Contains(out[i], j) || !(apart(i, j) < limit) {
				continue
			}
			out[i], out[j] = append(out[i], j), append(out[j], i)
			found = true
		}
	}
	for i := range out {
		slices.Sort(out[i])
		links += 1 + len(out[i])
	}
	// Blocks over the mean number of a block's own kind, three of which the window in time joins.
	if n := len(states); !found || 3*n*n < leastPlaces*links {
		return nil
	}
	return out
}

// statesOf are those of the blocks, each coordinate with mean zero and unit mean square, without
// coordinates that do not change; nil where they are not known.
func statesOf(blocks []TimeBlock) [][]float64 {
	if len(blocks) < fewestBlocks || len(blocks[0].State) == 0 {
		return nil
	}
	n := len(blocks[0].State)
	out := make([][]float64, len(blocks))
	for c := range n {
		mean, square := 0.0, 0.0
		for _, b := range blocks {
			if len(b.State) != n {
				return nil
			}
			mean += b.State[c] / float64(len(blocks))
		}
		for _, b := range blocks {
			d := b.State[c] - mean
			square += d * d / float64(len(blocks))
		}
		if !(square > 1e-12*mean*mean) {
			continue
		}
		for i, b := range blocks {
			out[i] = append(out[i], (b.State[c]-mean)/math.Sqrt(square))
		}
	}
	if len(out[0]) == 0 {
		return nil
	}
	return out
}

// recurs reports whether the inflations by blocks of the same state are above those by
// neighbours in time by more than chance, in the mean over the joints. spread is the
// relative variance of the former.
func recurs(inflation, same, spread []float64) bool {
	excess, variance := 0.0, 0.0
	for k, v := range spread {
		if v == 0 {
			continue
		}
		excess += same[k]/inflation[k] - 1
		variance += v
	}
	return variance > 0 && excess > recurrenceQuantile*math.Sqrt(variance)
}
