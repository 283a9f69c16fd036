package regression

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/estimate"
	"ident/internal/triangle"
)

// restExample is one joint with the columns inertia, friction and offset: in motion the inertia's column is that of its coupling
// times two, which rows at rest tell apart, where the friction has another value in every block. The part back of the rows in motion turn the other way.
func restExample(rng *rand.Rand, noise, back float64) (motion *estimate.Reduction, rest []estimate.TimeBlock, truth []float64) {
	truth = []float64{2, 1, 0.5, -0.3} // inertia, coupled inertia, friction, offset
	motion = estimate.NewReduction(4, [][]int{{0, 1, 2, 3}})
	var work triangle.Work
	block := func(still bool) estimate.TimeBlock {
		b := motion.NewBlock(0)
		cols, y := make([][]float64, 4), []float64(nil)
		held := 0.4 * (2*rng.Float64() - 1) // friction at rest
		for range 50 {
			a := rng.NormFloat64()
			row := []float64{2 * a, a, 1, 1}
			if rng.Float64() < back {
				row[2] = -1
			}
			if still {
				row[0], row[1] = 0, rng.NormFloat64()
			}
			v := noise*rng.NormFloat64() + truth[3]
			for i := range 2 {
				v += truth[i] * row[i]
			}
			if still {
				v += held
			} else {
				v += truth[2] * row[2]
			}
			for i := range cols {
				cols[i] = append(cols[i], row[i])
			}
			y = append(y, v)
		}
		b.Joints[0].Add(cols, y, &work)
		return b
	}
	for i := range 20 {
		motion.Append(block(false))
		still := estimate.TimeBlock{}
		if i%2 == 0 {
			still = block(true)
		}
		rest = append(rest, still)
	}
	return motion, rest, truth
}

func TestRowsAtRest(t *testing.T) {
	motion, rest, truth := restExample(rand.New(rand.NewPCG(1, 1)), 1e-9, 0.5)
	columns := restColumns{Friction: []int{2}, Dry: []int{2}, Offset: []int{3}}
	weights, err := restWeights(motion, preparedRest(motion, rest, columns), columns, estimate.WLS)
	if err != nil {
		t.Fatal(err)
	}
	_, alone, _ := motion.Minimum(estimate.WLS)
	x, rank, _ := addPrepared(motion, preparedRest(motion, rest, columns), weights).Minimum(estimate.WLS)
	if alone != 3 || rank != 4 {
		t.Errorf("rank %d in motion, %d with the rows at rest; want 3 and 4", alone, rank)
	}
	for i, v := range x {
		if math.Abs(v-truth[i]) > 1e-6 {
			t.Errorf("parameter %d: %g, want %g", i, v, truth[i])
		}
	}
}

// With noise the estimate is unbiased, and friction and offset are those of motion alone.
func TestWeightsWithNoise(t *testing.T) {
	const seeds = 60
	var sum, square [4]float64
	for seed := range uint64(seeds) {
		motion, rest, truth := restExample(rand.New(rand.NewPCG(seed, 2)), 0.1, 0.5)
		columns := restColumns{Friction: []int{2}, Dry: []int{2}, Offset: []int{3}}
		weights, err := restWeights(motion, preparedRest(motion, rest, columns), columns, estimate.WLS)
		if err != nil {
			t.Fatal(err)
		}
		if weights[0][0] <= 0 || weights[0][0] > 1 || weights[0][1] != 0 {
			t.Fatalf("weights %v", weights)
		}
		x, _, err := addPrepared(motion, preparedRest(motion, rest, columns), weights).Minimum(estimate.WLS)
		if err != nil {
			t.Fatal(err)
		}
		for i := range x {
			sum[i] += x[i] - truth[i]
			square[i] += (x[i] - truth[i]) * (x[i] - truth[i])
		}
	}
	for i := range sum {
		// The mean of 60 errors is within four of its deviations.
		if mean, sd := sum[i]/seeds, math.Sqrt(square[i]/seeds/seeds); math.Abs(mean) > 4*sd {
			t.Errorf("parameter %d: %g ± %g off", i, mean, sd)
		}
		// The noise of 0.1 over 1000 rows in motion, and over 500 at rest for the coupled inertia.
		if root := math.Sqrt(square[i] / seeds); root > 0.02 {
			t.Errorf("parameter %d: scatter %g", i, root)
		}
	}
}

// Joints that never rest have no weight, and the rows in motion stay as they are.
func TestNothingAtRest(t *testing.T) {
	motion, rest, _ := restExample(rand.New(rand.NewPCG(3, 3)), 0.1, 0.5)
	clear(rest)
	columns := restColumns{Friction: []int{2}, Dry: []int{2}, Offset: []int{3}}
	weights, err := restWeights(motion, preparedRest(motion, rest, columns), columns, estimate.WLS)
	if err != nil || weights[0] != (restWeight{}) {
		t.Fatal(weights, err)
	}
	a, _, _ := motion.Minimum(estimate.WLS)
	b, _, _ := addPrepared(motion, preparedRest(motion, rest, columns), weights).Minimum(estimate.WLS)
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("parameter %d: %g with no rest, %g", i, b[i], a[i])
		}
	}
}

// A joint that turns one way shows its friction and offset only together: the offset is that of its blocks at rest, within the friction that these have,
// where rows in motion leave both open.
func TestJointTurnsOneWay(t *testing.T) {
	var alone, weighed float64
	for seed := range uint64(20) {
		motion, rest, truth := restExample(rand.New(rand.NewPCG(seed, 4)), 0.2, 0)
		columns := restColumns{Friction: []int{2}, Dry: []int{2}, Offset: []int{3}}
		if !oneWay(motion, columns)[0] {
			t.Fatal("the joint turns both ways")
		}
		x, _, err := motion.Minimum(estimate.WLS)
		if err != nil {
			t.Fatal(err)
		}
		alone += (x[3] - truth[3]) * (x[3] - truth[3])
		if x, _, err = withRest(motion, rest, columns, estimate.WLS).Minimum(estimate.WLS); err != nil {
			t.Fatal(err)
		}
		weighed += (x[3] - truth[3]) * (x[3] - truth[3])
		if sum := x[2] + x[3] - truth[2] - truth[3]; math.Abs(sum) > 5*0.2/math.Sqrt(1000) {
			t.Errorf("seed %d: friction and offset together are %g off", seed, sum)
		}
	}
	// The friction of ten blocks at rest is uniform within 0.4: their mean has the deviation 0.4/√30.
	if root := math.Sqrt(weighed / 20); root > 1.5*0.4/math.Sqrt(30) || weighed > alone/4 {
		t.Errorf("offset: rms error %g with rows at rest, %g without", root, math.Sqrt(alone/20))
	}
}
