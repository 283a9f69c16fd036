package estimate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/triangle"
)

// Without a part of the rows, the estimate is the least-squares estimate of the others.
func TestLeaveOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		blocks, heavy := rapid.IntRange(4, 60).Draw(t, "blocks"), rapid.Float64Range(1, 30).Draw(t, "heavy")
		r := NewReduction(3, [][]int{{0, 1}, {0, 2}})
		var work triangle.Work
		for b := range blocks {
			block := r.NewBlock(b % 2)
			block.Run = 2 * b / blocks
			for k, f := range block.Joints {
				cols, y := [][]float64{make([]float64, 8), make([]float64, 8)}, make([]float64, 8)
				for i := range y {
					for _, c := range cols {
						c[i] = rng.NormFloat64()
						if b == blocks/2 {
							c[i] *= heavy
						}
					}
					y[i] = cols[0][i] + float64(k)*cols[1][i] + rng.NormFloat64()
				}
				f.Add(cols, y, &work)
			}
			r.Append(block)
		}
		s, err := r.SolveWeighted([]float64{1, 1}, false)
		if err != nil {
			t.Fatal(err)
		}
		left := r.LeaveOut(s, s.Covariance, 1)
		// Each draw is one of the parts of whole blocks that end at a run or at half a per cent: here one block.
		worst := make([]float64, 3)
		for b := range blocks {
			others := NewReduction(3, r.masks)
			others.Append(slices.Delete(slices.Clone(r.blocks), b, b+1)...)
			o, err := others.SolveWeighted([]float64{1, 1}, false)
			if err != nil {
				t.Fatal(err)
			}
			for i := range worst {
				worst[i] = max(worst[i], math.Abs(o.X[i]-s.X[i])/math.Sqrt(s.Covariance[i][i]))
			}
		}
		for i, v := range left.Shifts {
			if v > worst[i]*(1+1e-6) {
				t.Fatalf("parameter %d moves by %g without a part, by %g at most without any block", i, v, worst[i])
			}
		}
		if left.Shift == 0 || left.Shift != slices.Max(left.Shifts) || left.Open {
			t.Fatalf("%+v", left)
		}
	})
}
