package summary

import (
	"ident/estimate"
)

// FewestBlocks is the least number of blocks that coarsening leaves for all runs together. Signal paths make as many
// from the shortest segments. With fewer, the factor by which correlation widens variances is not known.
const FewestBlocks = 8

// Coarsen merges the blocks of every run in pairs until the run has at most the given number, but all runs together
// keep at least FewestBlocks. Zero keeps all. Merging before or after gives the same bits.
func (s *Summary) Coarsen(most int) *Summary {
	out := *s
	out.Runs = append([]Run(nil), s.Runs...)
	var work estimate.Work
	for i := range out.Runs {
		out.Runs[i].Blocks = coarsened(out.Runs[i].Blocks, most, (FewestBlocks+len(s.Runs)-1)/len(s.Runs), &work)
	}
	return &out
}

// CoarsenBlocks is Coarsen for the blocks of one run, as if it were alone.
func CoarsenBlocks(blocks []Block, most int, work *estimate.Work) []Block {
	return coarsened(blocks, most, FewestBlocks, work)
}

// coarsened merges blocks by pairs until there are at most so many, or half of them would be fewer than the fewest.
func coarsened(blocks []Block, most, fewest int, work *estimate.Work) []Block {
	for most > 0 && len(blocks) > most && (len(blocks)+1)/2 >= fewest {
		half := make([]Block, 0, (len(blocks)+1)/2)
		for i := 0; i < len(blocks); i += 2 {
			if i+1 == len(blocks) {
				half = append(half, blocks[i])
				break
			}
			half = append(half, pair(&blocks[i], &blocks[i+1], work))
		}
		blocks = half
	}
	return blocks
}

// pair merges two blocks. The mean of the motion is weighted by the rows of the first equation.
func pair(a, b *Block, work *estimate.Work) Block {
	out := Block{Joints: mergeFactors(a.Joints, b.Joints, work)}
	switch {
	case a.AtRest == nil:
		out.AtRest = b.AtRest
	case b.AtRest == nil:
		out.AtRest = a.AtRest
	default:
		out.AtRest = mergeFactors(a.AtRest, b.AtRest, work)
	}
	if len(a.State) == len(b.State) && len(a.State) > 0 {
		m, n := a.weight(), b.weight()
		out.State = make([]float64, len(a.State))
		for i := range out.State {
			out.State[i] = (m*a.State[i] + n*b.State[i]) / (m + n)
		}
	}
	return out
}

// weight returns the number of rows of the first equation, at least one.
func (b *Block) weight() float64 {
	n := 0
	if len(b.Joints) > 0 {
		n = b.Joints[0].Rows
	}
	if len(b.AtRest) > 0 {
		n += b.AtRest[0].Rows
	}
	return float64(max(n, 1))
}

func mergeFactors(a, b []*estimate.Factor, work *estimate.Work) []*estimate.Factor {
	out := make([]*estimate.Factor, len(a))
	for k := range a {
		out[k] = a[k].Clone()
		out[k].Merge(b[k], work)
	}
	return out
}
