package estimate

import (
	"context"
	"fmt"
	"math"

	"ident/internal/triangle"
)

// Recursive is a running estimate with exponential forgetting: it can be solved at any time. It holds a bounded number
// of time blocks; when they become many, it merges neighbours in pairs.
//
// Rows of age t count by exp(−t/T). The scores of the time blocks include the forgetting, so the standard deviations
// account for an exponential window of T seconds being worth 2T seconds that count equally. Here T is a number of rows,
// the Memory, with the forgetting factor 1 − 1/Memory.
type Recursive struct {
	Memory float64 // rows after which a row counts by 1/e; 0 forgets nothing
	r      *Reduction
	rows   []float64 // effective rows per block after exponential forgetting
}

// maxBlocks is the number of time blocks that a running estimate keeps; more would not show more about correlation.
const maxBlocks = 200

// forgotten is the weight below which a block is dropped.
const forgotten = 1e-8

// NewRecursive returns an empty running estimate. memory must be zero (forget nothing) or positive and finite; otherwise
// the error is a *VarianceError.
func NewRecursive(columns int, masks [][]int, memory float64) (*Recursive, error) {
	if !(memory >= 0) || math.IsInf(memory, 0) {
		return nil, &VarianceError{What: "the memory of a running estimate", Value: memory}
	}
	return &Recursive{Memory: memory, r: NewReduction(columns, masks)}, nil
}

// Add appends a time block. Earlier blocks are forgotten according to its number of rows.
func (q *Recursive) Add(b TimeBlock) {
	rows := 0
	for _, f := range b.Joints {
		rows = max(rows, f.Rows)
	}
	if q.Memory > 0 {
		keep := math.Exp(-float64(rows) / q.Memory)
		for i := range q.r.blocks {
			q.rows[i] *= keep
			for _, f := range q.r.blocks[i].Joints {
				f.Scale(math.Sqrt(keep))
				f.Rows = int(math.Round(q.rows[i]))
			}
		}
		for len(q.rows) > 0 && q.rows[0] < forgotten*float64(rows) {
			q.r.blocks, q.rows = q.r.blocks[1:], q.rows[1:]
		}
	}
	own := TimeBlock{Run: b.Run}
	for _, f := range b.Joints {
		own.Joints = append(own.Joints, f.Clone())
	}
	q.r.Append(own)
	q.rows = append(q.rows, float64(rows))
	if len(q.rows) > maxBlocks {
		q.halve()
	}
}

// halve merges neighbouring blocks of the same run.
func (q *Recursive) halve() {
	var work triangle.Work
	blocks, rows := q.r.blocks[:0], q.rows[:0]
	for i := 0; i < len(q.r.blocks); i++ {
		b, n := q.r.blocks[i], q.rows[i]
		if i+1 < len(q.r.blocks) && q.r.blocks[i+1].Run == b.Run {
			for k, f := range b.Joints {
				f.Merge(q.r.blocks[i+1].Joints[k], &work)
			}
			n += q.rows[i+1]
			i++
		}
		blocks, rows = append(blocks, b), append(rows, n)
	}
	q.r.blocks, q.rows = blocks, rows
	q.r.forget()
}

// Estimate returns the current estimate with WLS weights.
func (q *Recursive) Estimate(minimumNorm bool) (*Solution, error) {
	return q.r.Solve(WLS, minimumNorm)
}

// Rows returns the effective number of remembered rows; the newest row counts one.
func (q *Recursive) Rows() float64 {
	sum := 0.0
	for _, n := range q.rows {
		sum += n
	}
	return sum
}

// Forgetting is the recursive estimate as an Estimator: the estimate after the last row of the reduction.
type Forgetting struct {
	Memory float64 // rows, as in Recursive
}

// Name returns "recursive".
func (Forgetting) Name() string { return "recursive" }

// Estimate adds the reduction's blocks in order.
func (g Forgetting) Estimate(_ context.Context, p *Problem) (*Solution, error) {
	q, err := NewRecursive(p.Reduction.columns, p.Reduction.masks, g.Memory)
	if err != nil {
		return nil, err
	}
	for _, b := range p.Reduction.blocks {
		q.Add(b)
	}
	s, err := q.Estimate(p.MinimumNorm)
	if err != nil {
		return nil, err
	}
	if g.Memory > 0 {
		s.Remarks = append(s.Remarks, fmt.Sprintf("recursive: rows count by 1/e after %g others; %.0f are remembered", g.Memory, q.Rows()))
	}
	return s, nil
}

// Percent returns the relative error of an estimate over the remembered rows, 100·‖τ̂ − τ‖/‖τ‖.
func (q *Recursive) Percent(x []float64) float64 {
	return percent(sum(q.r.squaredErrors(x)), sum(q.r.MeasuredSquares(nil, x)))
}
