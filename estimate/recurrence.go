package estimate

import (
	"math"
	"slices"
)

// Model errors recur with the motion: residuals are alike whenever the robot is at the same place with the same speed, a
// period or a run later. Such blocks tell as little as one of them, but the window over neighbours in time, in
// jointScores, does not see it. Therefore the scores are also summed over all pairs of blocks of the same state (Conley
// 1999: correlation by distance, whatever the distance is measured in). If the excess over the window in time exceeds
// chance, it widens the standard deviations.

// sameState is the distance between two blocks' states below which they count as the same, in steps from block to block.
// It adds half a block on either side of the window in time, because periods are not multiples of blocks.
const sameState = 1.5

// Bounds of sameState's distance, relative to the root mean square over all pairs. A robot at rest makes no steps, and
// blocks longer than the motion's features make steps as long as the motion.
const (
	leastDistance = 0.02
	maxDistance   = 0.4
)

// leastPlaces is the number of blocks of different states below which sums over the same state are meaningless.
const leastPlaces = 8

// recurrenceQuantile is the number of standard deviations (of the mean over the joints) from which an excess counts as
// significant: the 95 % quantile. Smaller excesses widen by less than a seventh of a standard deviation with some
// twenty blocks a joint.
const recurrenceQuantile = 1.645

// neighbours returns, for each block, the blocks before and after it in the same run.
func neighbours(blocks []TimeBlock) [][]int {
	out := make([][]int, len(blocks))
	for i := 1; i < len(blocks); i++ {
		if blocks[i].Run == blocks[i-1].Run {
			out[i-1], out[i] = append(out[i-1], i), append(out[i], i-1)
		}
	}
	return out
}

// recurrences returns, for each block, its neighbours and the blocks of the same state in any run, ascending. It returns
// nil if there are no such blocks, states are unknown, or too few states differ.
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
	// Every coordinate has unit mean square about its mean, so a typical pair is √(2·coordinates) apart.
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
	// The number of blocks over the mean number of blocks with the same state; the window in time joins three of these
	// anyway.
	if n := len(states); !found || 3*n*n < leastPlaces*links {
		return nil
	}
	return out
}

// statesOf returns the blocks' states, each coordinate with mean zero and unit mean square, without constant
// coordinates; nil if states are unknown.
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

// recurs reports whether the inflations by blocks of the same state exceed those by neighbours in time by more than
// chance, in the mean over the joints. spread is the relative variance of the former.
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
