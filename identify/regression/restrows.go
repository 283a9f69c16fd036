package regression

// Rows of joints at rest are added to a reduction for the parameters that rows in motion leave open.
//
// Where joints move one after the other, the torques that hold the others still are all that tells coupled inertias
// apart. At rest the friction of a joint has any value up to that of Coulomb, and keeps it until the joint moves. So
// the columns of friction are taken out of these rows, one constant is eliminated from every time block of a joint, as
// if it had a parameter of its own, and a block counts as one row, whose standard deviation is that of the block's
// residuals: slow changes of the friction at rest are errors of a whole block. Rows in motion keep their weight of one.

import (
	"math"
	"slices"

	"ident/estimate"
	"ident/internal/triangle"
)

// restRounds is the number of rounds in which weights follow from the estimate before: the first has parameters of least norm instead of those that
// rows in motion leave open.
const restRounds = 3

// leastRestWeight keeps rows at rest above rounding, where rows in motion have no noise.
const leastRestWeight = 1e-4

// restWeights returns the weights of a joint's time blocks at rest, from an estimate of all: the standard deviation of its rows
// in motion over that of its blocks at rest. rest has a block for each of motion's, without joints where nothing was at
// rest. A joint that is never at rest has zero.
func restWeights(motion *estimate.Reduction, rest []estimate.TimeBlock, c restColumns, weighting estimate.Weighting) ([]float64, error) {
	still := preparedRest(motion, rest, c)
	weights := make([]float64, len(motion.Masks()))
	x, _, err := motion.Minimum(weighting)
	for round := 0; round < restRounds && err == nil; round++ {
		for k, mask := range motion.Masks() {
			var moved, held float64
			rows, blocks := 0, 0
			for i, b := range motion.Blocks() {
				moved, rows = moved+residualSquares(b.Joints[k], mask, x), rows+b.Joints[k].Rows
				if still[i] != nil && still[i][k].Rows > 0 {
					// The mean square of the block's rows.
					held, blocks = held+residualSquares(still[i][k], mask, x)/float64(still[i][k].Rows), blocks+1
				}
			}
			if weights[k] = 0; held > 0 && rows > 0 {
				weights[k] = max(min(math.Sqrt(moved/float64(rows)/(held/float64(blocks))), 1), leastRestWeight)
			}
		}
		x, _, err = addPrepared(motion, still, weights).Minimum(weighting)
	}
	return weights, err
}

// withRest does what addRest does, with weights computed from the rows themselves; without rows at rest it returns the rows in motion.
func withRest(motion *estimate.Reduction, rest []estimate.TimeBlock, c restColumns, weighting estimate.Weighting) *estimate.Reduction {
	weights, err := restWeights(motion, rest, c, weighting)
	if err != nil {
		return motion
	}
	return addRest(motion, rest, c, weights)
}

// addRest returns the summary of the rows in motion and of the blocks at rest, with their weights.
func addRest(motion *estimate.Reduction, rest []estimate.TimeBlock, c restColumns, weights []float64) *estimate.Reduction {
	return addPrepared(motion, preparedRest(motion, rest, c), weights)
}

// addPrepared merges prepared blocks at rest, each as one row.
func addPrepared(motion *estimate.Reduction, still [][]*triangle.Factor, weights []float64) *estimate.Reduction {
	out := estimate.NewReduction(motion.Columns(), motion.Masks())
	var work triangle.Work
	for i, b := range motion.Blocks() {
		if still[i] != nil {
			b.Joints = slices.Clone(b.Joints)
			for k, f := range still[i] {
				if f.Rows == 0 || weights[k] == 0 {
					continue
				}
				f = f.Clone()
				f.Scale(weights[k] / math.Sqrt(float64(f.Rows)))
				f.Rows = 1
				b.Joints[k] = b.Joints[k].Clone()
				b.Joints[k].Merge(f, &work)
			}
		}
		out.Append(b)
	}
	return out
}

// preparedRest returns the factors at rest, by block and joint, without friction and without their constant.
func preparedRest(motion *estimate.Reduction, rest []estimate.TimeBlock, c restColumns) [][]*triangle.Factor {
	out := make([][]*triangle.Factor, len(rest))
	var work triangle.Work
	for i, b := range rest {
		if b.Joints == nil {
			continue
		}
		for k, f := range b.Joints {
			out[i] = append(out[i], withoutColumns(f, motion.Masks()[k], c.Friction, c.Offset[k], &work))
		}
	}
	return out
}

// withoutColumns returns a factor with zeros instead of some columns, and with the part of all others along one column
// projected out.
func withoutColumns(f *triangle.Factor, mask, zero []int, constant int, work *triangle.Work) *triangle.Factor {
	n := f.N
	cols := make([][]float64, n+1)
	for j := range n {
		cols[j] = make([]float64, n)
		if !slices.Contains(zero, mask[j]) {
			for i := 0; i <= j; i++ {
				cols[j][i] = f.R[i*n+j]
			}
		}
	}
	cols[n] = slices.Clone(f.Z)
	if at := slices.Index(mask, constant); at >= 0 {
		v := slices.Clone(cols[at])
		vv := dotProduct(v, v)
		for _, col := range cols {
			if vv == 0 {
				break
			}
			along := dotProduct(v, col) / vv
			for i := range col {
				col[i] -= along * v[i]
			}
		}
		clear(cols[at])
	}
	out := triangle.New(n)
	out.Add(cols[:n], cols[n], work)
	out.RSS, out.YY, out.Rows = out.RSS+f.RSS, out.YY+f.RSS, f.Rows
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
