package estimate

import (
	"math"
	"testing"
)

// With several runs one run after the other is left out.
func TestWeightParts(t *testing.T) {
	red := NewReduction(1, [][]int{{0}})
	for _, run := range []int{0, 0, 0, 1, 1, 2} {
		red.Append(red.NewBlock(run))
	}
	parts, by := red.leaveOutParts()
	if by != "run" || len(parts) != 3 || parts[0] != [2]int{0, 3} || parts[1] != [2]int{3, 5} || parts[2] != [2]int{5, 6} {
		t.Errorf("%v by %s", parts, by)
	}
}

// The largest weight within a standard error of the least score.
func TestWeightRule(t *testing.T) {
	c := &WeightChoice{Grid: []float64{1, 2, 3, 4}}
	c.choose([][]float64{{5, 1, 1.2, 9}, {5, 1.2, 1.1, 8}, {5, 1.1, 1.3, 7}})
	if c.Weight != 2 && c.Weight != 3 {
		t.Errorf("%g", c.Weight)
	}
	// Excess 0.1 with deviation 0.1·√… : differences 0.2, −0.1, 0.2.
	if !(math.Abs(c.Excess[2]-0.1) < 1e-12) || !(math.Abs(c.Error[2]-0.1) < 1e-12) {
		t.Errorf("excess %g, error %g", c.Excess[2], c.Error[2])
	}
}
