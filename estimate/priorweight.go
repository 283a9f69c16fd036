package estimate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"ident/internal/triangle"
)

// WeightChoice is the weight of a prior found by cross-validation on the training data, and the figures behind it.
type WeightChoice struct {
	Weight float64
	Grid   []float64
	// Score of each weight in Grid: the mean squared error of rows left out, in the joints' own variances.
	Score []float64
	// Excess of each score over the least one, and its standard error over the parts.
	Excess, Error []float64
	Parts         int
	By            string // "run", or "stretch": a part of one run
}

// WeightGrid returns the weights to try: two a decade from 1e-4, where determined directions do not move, to 1e4, where
// the data decide only the sharpest directions.
func WeightGrid() []float64 {
	var out []float64
	for k := -8; k <= 8; k++ {
		out = append(out, math.Pow(10, float64(k)/2))
	}
	return out
}

// fifths is the number of parts of a single run: so few that a part is longer than the correlation of its rows.
const fifths = 5

// ChooseWeight takes the largest weight of the grid whose error on rows left
// out is not distinguishable from the least: within one standard error of the
// difference (Breiman and others 1984). Of several runs, one after the other is
// left out; of a single run, a fifth after the other, in order of time. prepare
// gets the rows that are left, and their solution, and returns the estimates by weight.
//
// The choice is the same for the same blocks in the same order. It ends with the error of ctx within an estimate
// after that is done.
func (r *Reduction) ChooseWeight(ctx context.Context, weighting Weighting, grid []float64, prepare func(rest *Reduction, sol *Solution) (func(weight float64) ([]float64, error), error)) (*WeightChoice, error) {
	whole, err := r.Solve(weighting, true)
	if err != nil {
		return nil, err
	}
	parts, by := r.leaveOutParts()
	out := &WeightChoice{Grid: grid, Parts: len(parts), By: by}
	if len(parts) < 2 {
		return nil, errors.New("a prior's weight is chosen by leaving out parts of the data, which are one block only: give longer logs, or the weight")
	}
	scores := make([][]float64, len(parts)) // by part and weight
	for i, part := range parts {
		rest, left := r.cut(part[1], part[0]), r.cut(part[0], part[1])
		sol, err := rest.Solve(weighting, true)
		if err != nil {
			return nil, fmt.Errorf("without part %d of %d: %w", i+1, len(parts), err)
		}
		at, err := prepare(rest, sol)
		if err != nil {
			return nil, err
		}
		for _, w := range grid {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			x, err := at(w)
			if err != nil {
				return nil, fmt.Errorf("without part %d of %d, prior weight %g: %w", i+1, len(parts), w, err)
			}
			scores[i] = append(scores[i], left.meanSquaredError(x, whole.Weights))
		}
	}
	out.choose(scores)
	return out, nil
}

// choose sets the choice from the parts' scores.
func (out *WeightChoice) choose(scores [][]float64) {
	n := float64(len(scores))
	out.Score = make([]float64, len(out.Grid))
	best := 0
	for k := range out.Grid {
		for _, s := range scores {
			out.Score[k] += s[k] / n
		}
		if out.Score[k] < out.Score[best] {
			best = k
		}
	}
	for k := range out.Grid {
		mean, square := out.Score[k]-out.Score[best], 0.0
		for _, s := range scores {
			d := s[k] - s[best] - mean
			square += d * d
		}
		deviation := math.Sqrt(square / (n - 1) / n)
		out.Excess, out.Error = append(out.Excess, mean), append(out.Error, deviation)
		if mean <= deviation {
			out.Weight = out.Grid[k]
		}
	}
}

// Explanation returns a sentence about the choice.
func (out *WeightChoice) Explanation() string {
	text := fmt.Sprintf("chosen on the training data alone, leaving out one %s of %d after the other; it is the largest whose error on rows left out is within a standard error of the least", out.By, out.Parts)
	if n := len(out.Grid); out.Weight == out.Grid[n-1] || out.Weight == out.Grid[0] {
		text += " (and is at the end of the range that was tried)"
	}
	return text
}

// leaveOutParts returns the ranges of blocks to leave out in turn: runs, or fifths of a single run. If some run alone
// determines a parameter, as with runs that move one joint each, it takes halves of every run; if some fifth determines half of the
// parameters, as with a run that moves at its beginning only, fifths of that motion. A single run that moves one joint after the other is
// one part: what a joint does in one stretch, no other stretch predicts.
func (r *Reduction) leaveOutParts() (parts [][2]int, by string) {
	var runs [][2]int
	for i, b := range r.blocks {
		if i == 0 || b.Run != r.blocks[i-1].Run {
			runs = append(runs, [2]int{i, i})
		}
		runs[len(runs)-1][1]++
	}
	pieces := fifths
	if len(runs) > 1 {
		if pieces = 2; !slices.Contains(triangle.OfOne(r.powers(runs)), true) {
			return runs, "run"
		}
	}
	for _, run := range runs {
		for k, n := 0, run[1]-run[0]; k < pieces; k++ {
			if a, b := run[0]+k*n/pieces, run[0]+(k+1)*n/pieces; b > a {
				parts = append(parts, [2]int{a, b})
			}
		}
	}
	if len(runs) == 1 && len(r.blocks) > fifths {
		if r.oneAfterAnother(parts) {
			return [][2]int{{0, len(r.blocks)}}, "stretch"
		}
		// Few such parameters are no motion in one part: a fold that lacks them predicts the other rows all the same.
		if alone := triangle.OfOne(r.powers(parts)); 2*count(alone) >= len(alone) {
			parts = r.fifthsOf(alone)
		}
	}
	return parts, "stretch"
}

// elsewhere is the part of a column's power beyond two neighbouring stretches below which its motion is in those two.
const elsewhere = 0.05

// oneAfterAnother reports whether the joints move one after the other: of the columns that act on one joint, as friction does, half or more
// have their power in two neighbouring stretches, and some of them in stretches that others leave out.
func (r *Reduction) oneAfterAnother(stretches [][2]int) bool {
	power, joints := r.powers(stretches), make([]int, r.columns)
	for _, mask := range r.masks {
		for _, c := range mask {
			joints[c]++
		}
	}
	own, alone, earliest, latest := 0, 0, len(stretches), 0
	for c, n := range joints {
		if n != 1 {
			continue
		}
		own++
		whole, first := power[len(power)-1][c], 0
		two := func(k int) float64 { return power[k][c] + power[k+1][c] }
		for k := range len(power) - 1 {
			whole += power[k][c]
			if two(k) > two(first) {
				first = k
			}
		}
		if whole > 0 && two(first) > (1-elsewhere)*whole {
			alone, earliest, latest = alone+1, min(earliest, first), max(latest, first)
		}
	}
	return 2*alone >= own && latest >= earliest+2
}

// count returns how many values are true.
func count(values []bool) int {
	n := 0
	for _, v := range values {
		if v {
			n++
		}
	}
	return n
}

// fifthsOf returns five ranges of the blocks that share the power of the given columns: the sum of a range's parts of these
// columns' power is alike, as far as whole blocks allow.
func (r *Reduction) fifthsOf(columns []bool) (parts [][2]int) {
	single := make([][2]int, len(r.blocks))
	for i := range single {
		single[i] = [2]int{i, i + 1}
	}
	power := r.powers(single)
	behind := make([]float64, len(power)+1) // sum of the parts up to a block
	for c := range r.columns {
		whole := 0.0
		for _, p := range power {
			whole += p[c]
		}
		for i, p := range power {
			if whole > 0 && columns[c] {
				behind[i+1] += p[c] / whole
			}
		}
	}
	for i, v := range behind[1:] {
		behind[i+1] = behind[i] + v
	}
	first, n := 0, len(r.blocks)
	for k := 1; k <= fifths; k++ {
		last := first + 1
		for last < n-(fifths-k) && (k == fifths || behind[last] < behind[n]*float64(k)/fifths) {
			last++
		}
		parts = append(parts, [2]int{first, last})
		first = last
	}
	return parts
}

// powers returns the sums of squares of the columns by range of blocks, and behind them the number of the range's rows.
func (r *Reduction) powers(ranges [][2]int) [][]float64 {
	out := make([][]float64, len(ranges))
	for i, of := range ranges {
		out[i] = make([]float64, r.columns+1)
		for k, mask := range r.masks {
			own := make([]float64, len(mask))
			for _, b := range r.blocks[of[0]:of[1]] {
				b.Joints[k].AddPower(own)
				out[i][r.columns] += float64(b.Joints[k].Rows)
			}
			for j, c := range mask {
				out[i][c] += own[j]
			}
		}
	}
	return out
}

// meanSquaredError returns the mean squared error of an estimate over all rows, each joint's multiplied by its weight.
func (r *Reduction) meanSquaredError(x, weights []float64) float64 {
	var work triangle.Work
	sum, rows := 0.0, 0
	for k, mask := range r.masks {
		f := r.joint(k, &work)
		joint := f.RSS
		for i := range f.N {
			v := f.Z[i]
			for j := i; j < f.N; j++ {
				v -= f.R[i*f.N+j] * x[mask[j]]
			}
			joint += v * v
		}
		sum += weights[k] * weights[k] * joint
		rows += f.Rows
	}
	return sum / float64(max(rows, 1))
}
