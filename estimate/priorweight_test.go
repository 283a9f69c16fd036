package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/triangle"
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

// A run that moves in its first tenth alone is left out by fifths of that motion, however large its rows are; one that
// moves throughout by fifths of its time.
func TestMotionFifths(t *testing.T) {
	const blocks = 60
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		scale := math.Pow(10, rapid.Float64Range(-6, 6).Draw(t, "scale"))
		moving := rapid.IntRange(10, blocks).Draw(t, "moving blocks")
		red := NewReduction(2, [][]int{{0, 1}})
		for i := range blocks {
			b := red.NewBlock(0)
			for range 5 {
				// Behind the end of the motion a low-pass leaves an ever smaller tail.
				motion := scale * rng.NormFloat64()
				if i >= moving {
					motion *= math.Exp(-10 * float64(i-moving+1))
				}
				b.Joints[0].Add([][]float64{{motion}, {1}}, []float64{2*motion/scale + 3 + 0.1*rng.NormFloat64()}, new(triangle.Work))
			}
			red.Append(b)
		}
		parts, by := red.leaveOutParts()
		if by != "stretch" || len(parts) != 5 || parts[0][0] != 0 || parts[4][1] != blocks {
			t.Fatalf("%v by %s", parts, by)
		}
		if last := parts[3][1]; moving < blocks/5 && last > moving || moving > blocks*4/5+2 && last != blocks*4/5 {
			t.Errorf("motion in %d of %d blocks: %v", moving, blocks, parts)
		}
		whole, err := red.CrossValidate(WLS)
		if err != nil {
			t.Fatal(err)
		}
		if merged, err := red.Parts().CrossValidate(WLS); err != nil || math.Abs(merged.Percent-whole.Percent) > 1e-6*whole.Percent {
			t.Errorf("of merged parts %+v, %v; of blocks %+v", merged, err, whole)
		}
		// Noise of 0.1 beside 3 to √13, and at worst a few parts of a thousand more for its two parameters.
		if !(whole.Percent < 5) {
			t.Errorf("motion in %d of %d blocks: %g %%", moving, blocks, whole.Percent)
		}
	})
}

// Of a run that moves its joints one after the other no part is left out; of one that moves them together in a part of its time, the fifths
// of that motion are.
func TestOneJointAfterTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		joints := rapid.IntRange(4, 7).Draw(t, "joints")
		begin := rapid.IntRange(0, 50).Draw(t, "begin")
		for _, together := range []bool{false, true} {
			const blocks = 60
			masks := make([][]int, joints)
			for k := range masks {
				masks[k] = []int{3 * k, 3*k + 1, 3*k + 2}
			}
			red := NewReduction(3*joints, masks)
			for i := range blocks {
				b := red.NewBlock(0)
				for k := range joints {
					moves := i*joints/blocks == k
					if together {
						moves = i >= begin && i < begin+10
					}
					for range 5 {
						v, a := 1e-6*rng.NormFloat64(), 1e-6*rng.NormFloat64()
						if moves {
							v, a = rng.NormFloat64(), rng.NormFloat64()
						}
						b.Joints[k].Add([][]float64{{v}, {a}, {1}}, []float64{v + 2*a + 3 + 0.1*rng.NormFloat64()}, new(triangle.Work))
					}
				}
				red.Append(b)
			}
			cross, err := red.CrossValidate(WLS)
			if err != nil {
				t.Fatal(err)
			}
			if (cross != nil) != together {
				t.Errorf("%d joints, together %v from block %d: %+v", joints, together, begin, cross)
			}
			if merged, err := red.Parts().CrossValidate(WLS); err != nil || (merged != nil) != together {
				t.Errorf("of merged parts: %+v, %v", merged, err)
			}
		}
	})
}

// A part that holds all motion but the tail of a low-pass is predicted as if the others had none.
func TestTailOfMotion(t *testing.T) {
	of := func(tail float64) *CrossValidation {
		red := NewReduction(2, [][]int{{0, 1}})
		for i := range 5 {
			b := red.NewBlock(0)
			for j := range 20 {
				motion := math.Sin(float64(j))
				if i > 0 {
					motion *= tail
				}
				b.Joints[0].Add([][]float64{{motion}, {1}}, []float64{2*motion + 3 + 0.1*math.Sin(7*float64(j*j+i))}, new(triangle.Work))
			}
			red.Append(b)
		}
		c, err := red.CrossValidate(WLS)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if none, tail := of(0), of(1e-200); none.Percent != tail.Percent || !(none.Percent < 100) || tail.Folds[0].Missing != 1 {
		t.Errorf("without a tail %+v, with one %+v", none, tail)
	}
}
