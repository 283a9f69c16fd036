package regression

// Rows of joints at rest are added to a reduction for the parameters that rows in motion leave open.
//
// Where joints move one after the other, the torques that hold the others still are all that tells coupled inertias
// apart. At rest the friction of a joint has any value up to that of Coulomb, and keeps it until the joint moves. So
// the columns of friction are taken out of these rows, one constant is eliminated from every time block of a joint, as
// if it had a parameter of its own, and a block counts as one row, whose standard deviation is that of the block's
// residuals: slow changes of the friction at rest are errors of a whole block. Rows in motion keep their weight of one.
//
// A joint that turns one way shows dry friction and offset only together. Its blocks at rest tell them apart by their
// means, whose errors are the friction at rest: another row each, with the standard deviation that the means have. Of
// other joints these means would add nothing but the friction at rest.

import (
	"math"
	"slices"

	"ident/estimate"
	"ident/internal/triangle"
)

// restRounds is the number of rounds in which weights follow from the estimate before: that of the first has rows at rest as those in motion.
const restRounds = 3

// leastRestWeight keeps rows at rest above rounding, where rows in motion have no noise.
const leastRestWeight = 1e-4

// restWeights returns the weights of a joint's rows at rest, from an estimate of all: the standard deviation of its rows in motion over that of its
// blocks at rest, within them and, of a joint that turns one way, of their means. still has a block for each of motion's, without joints where nothing
// was at rest. A joint that is never at rest has zero.
func restWeights(motion *estimate.Reduction, still [][]restBlock, c restColumns, weighting estimate.Weighting) ([]restWeight, error) {
	weights := make([]restWeight, len(motion.Masks()))
	means := oneWay(motion, c)
	for k := range weights {
		if weights[k][0] = 1; means[k] {
			weights[k][1] = 1
		}
	}
	x, _, err := addPrepared(motion, still, weights).Minimum(weighting)
	for round := 0; round < restRounds && err == nil; round++ {
		for k, mask := range motion.Masks() {
			var moved float64
			var held restWeight
			rows, blocks := 0, 0
			for i, b := range motion.Blocks() {
				moved, rows = moved+residualSquares(b.Joints[k], mask, x), rows+b.Joints[k].Rows
				if still[i] != nil && still[i][k].rows > 0 {
					for part, f := range still[i][k].parts {
						held[part] += residualSquares(f, mask, x)
					}
					blocks++
				}
			}
			for part := range held {
				if weights[k][part] = 0; held[part] > 0 && rows > 0 && (part == 0 || means[k]) {
					weights[k][part] = max(min(math.Sqrt(moved/float64(rows)/(held[part]/float64(blocks))), 1), leastRestWeight)
				}
			}
		}
		x, _, err = addPrepared(motion, still, weights).Minimum(weighting)
	}
	return weights, err
}

// withRest returns the summary of the rows in motion and of the blocks at rest, with weights computed from the rows themselves; where nothing can be
// estimated it returns the rows in motion.
func withRest(motion *estimate.Reduction, rest []estimate.TimeBlock, c restColumns, weighting estimate.Weighting) *estimate.Reduction {
	still := preparedRest(motion, rest, c)
	weights, err := restWeights(motion, still, c, weighting)
	if err != nil {
		return motion
	}
	return addPrepared(motion, still, weights)
}

// restWeight are the weights of a joint's rows at rest: within its blocks, and of their means.
type restWeight [2]float64

// restBlock is what a block at rest says of one joint: its rows without their mean, as one row of their mean square, and the row of means. Neither has
// friction.
type restBlock struct {
	parts [2]*triangle.Factor
	rows  int
}

// addPrepared merges prepared blocks at rest, each part as one row.
func addPrepared(motion *estimate.Reduction, still [][]restBlock, weights []restWeight) *estimate.Reduction {
	out := estimate.NewReduction(motion.Columns(), motion.Masks())
	var work triangle.Work
	for i, b := range motion.Blocks() {
		if still[i] != nil {
			b.Joints = slices.Clone(b.Joints)
			for k, s := range still[i] {
				if s.rows == 0 {
					continue
				}
				b.Joints[k] = b.Joints[k].Clone()
				for part, f := range s.parts {
					if weights[k][part] > 0 {
						f = f.Clone()
						f.Scale(weights[k][part])
						b.Joints[k].Merge(f, &work)
					}
				}
			}
		}
		out.Append(b)
	}
	return out
}

// preparedRest returns the blocks at rest, by block and joint.
func preparedRest(motion *estimate.Reduction, rest []estimate.TimeBlock, c restColumns) [][]restBlock {
	out := make([][]restBlock, len(rest))
	var work triangle.Work
	for i, b := range rest {
		for k, f := range b.Joints {
			out[i] = append(out[i], prepareRest(f, motion.Masks()[k], c.Friction, c.Offset[k], &work))
		}
	}
	return out
}

// prepareRest divides a factor into the part along one column, whose rows are all one, and the part without it. Columns of friction are zero in both.
func prepareRest(f *triangle.Factor, mask, zero []int, constant int, work *triangle.Work) restBlock {
	n := f.N
	cols, means := make([][]float64, n+1), make([][]float64, n+1)
	for j := range n {
		cols[j], means[j] = make([]float64, n), []float64{0}
		if !slices.Contains(zero, mask[j]) {
			for i := 0; i <= j; i++ {
				cols[j][i] = f.R[i*n+j]
			}
		}
	}
	cols[n], means[n] = slices.Clone(f.Z), []float64{0}
	if at := slices.Index(mask, constant); at >= 0 {
		v := slices.Clone(cols[at])
		vv := dotProduct(v, v)
		for j, col := range cols {
			if vv == 0 {
				break
			}
			means[j][0] = dotProduct(v, col) / vv
			for i := range col {
				col[i] -= means[j][0] * v[i]
			}
		}
		clear(cols[at])
	}
	out := restBlock{parts: [2]*triangle.Factor{triangle.New(n), triangle.New(n)}, rows: f.Rows}
	within, mean := out.parts[0], out.parts[1]
	if f.Rows > 0 {
		within.Add(cols[:n], cols[n], work)
		within.RSS, within.YY = within.RSS+f.RSS, within.YY+f.RSS
		within.Scale(1 / math.Sqrt(float64(f.Rows)))
		mean.Add(means[:n], means[n], work)
		within.Rows, mean.Rows = 1, 1
	}
	return out
}

// residualSquares is ‖y − W·x‖² of the rows of a factor.
func residualSquares(f *triangle.Factor, mask []int, x []float64) float64 {
	sum := f.RSS
	for i := range f.N {
		v := f.Z[i]
		for j := i; j < f.N; j++ {
			v -= f.R[i*f.N+j] * x[mask[j]]
		}
		sum += v * v
	}
	return sum
}

func dotProduct(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// turnsBack is the least part of dry friction's column that the offset's column leaves: the sine of their angle. A joint of which a part p of the rows
// turns the other way has 2·√(p·(1 − p)), 0.3 for one row in 43: fewer are those of its stops, whose friction is not that of motion.
const turnsBack = 0.3

// oneWay reports which joints turn one way, so that their rows in motion tell dry friction and offset only together.
func oneWay(motion *estimate.Reduction, c restColumns) []bool {
	out := make([]bool, len(motion.Masks()))
	var work triangle.Work
	for k, mask := range motion.Masks() {
		dry, offset := slices.Index(mask, c.Dry[k]), slices.Index(mask, c.Offset[k])
		if dry < 0 || offset < 0 {
			continue
		}
		f := motion.Joint(k, &work)
		column := func(j int) []float64 {
			out := make([]float64, f.N)
			for i := range j + 1 {
				out[i] = f.R[i*f.N+j]
			}
			return out
		}
		a, b := column(dry), column(offset)
		along := dotProduct(a, b)
		out[k] = along*along > (1-turnsBack*turnsBack)*dotProduct(a, a)*dotProduct(b, b)
	}
	return out
}
