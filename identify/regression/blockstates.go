package regression

import (
	"ident/internal/lanes"
	"ident/observation"
)

// blockState is the sum of the motion over the samples of one time block.
type blockState struct {
	id      int // of the block, on the clock of its segment
	samples int
	sums    []float64 // of positions, then velocities, by joint
}

// statesOf returns the sums of the motion over an observation's own samples, one for each time block.
func statesOf(v *observation.Observation, clock blockClock) []blockState {
	var out []blockState
	every := v.Chunk.Source.Filters.Rows.Every()
	joints := len(v.Motion.Q)
	for lo, first := v.Lo, v.First(v.Extent); lo < v.Hi; {
		row := max(clock.start+(lo-first)/every, 0)
		id := row / clock.length
		hi := min(v.Hi, first+((id+1)*clock.length-clock.start)*every)
		if hi <= lo {
			hi = v.Hi // a segment shorter than the reach of its rows
		}
		s := blockState{id: id, samples: hi - lo, sums: make([]float64, 2*joints)}
		for k := range joints {
			s.sums[k], s.sums[joints+k] = lanes.Sum(v.Motion.Q[k][lo:hi]), lanes.Sum(v.Motion.DQ[k][lo:hi])
		}
		out, lo = append(out, s), hi
	}
	return out
}

// blockStates holds the motion's sums over all chunks, by time block.
type blockStates map[blockID]blockState

func (b blockStates) add(seg *observation.Segment, states []blockState) {
	for _, s := range states {
		at := blockID{seg, s.id}
		if sum, ok := b[at]; ok {
			for i, v := range sum.sums {
				s.sums[i] += v
			}
			s.samples += sum.samples
		}
		b[at] = s
	}
}

// take removes a block and returns its mean motion, or nil if the block is unknown.
func (b blockStates) take(at blockID) []float64 {
	s, ok := b[at]
	if !ok {
		return nil
	}
	delete(b, at)
	for i := range s.sums {
		s.sums[i] /= float64(s.samples)
	}
	return s.sums
}
