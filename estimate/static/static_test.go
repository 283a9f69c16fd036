package static_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ident/estimate"
	"ident/estimate/static"
	"ident/internal/triangle"
)

// example is one joint with the columns inertia, friction and offset: in motion the inertia's column is that of its coupling
// times two, which rows at rest tell apart, where the friction has another value in every block.
func example(rng *rand.Rand, noise float64) (motion *estimate.Reduction, rest []estimate.TimeBlock, truth []float64) {
	truth = []float64{2, 1, 0.5, 0.3} // inertia, coupled inertia, friction, offset
	motion = estimate.NewReduction(4, [][]int{{0, 1, 2, 3}})
	var work triangle.Work
	block := func(still bool) estimate.TimeBlock {
		b := motion.NewBlock(0)
		cols, y := make([][]float64, 4), []float64(nil)
		held := 0.4 * (2*rng.Float64() - 1) // friction at rest
		for range 50 {
			a := rng.NormFloat64()
			row := []float64{2 * a, a, math.Copysign(1, rng.NormFloat64()), 1}
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

func Example() {
	motion, rest, truth := example(rand.New(rand.NewPCG(1, 1)), 1e-9)
	columns := static.Columns{Friction: []int{2}, Offset: []int{3}}
	weights, err := static.Weights(motion, rest, columns, estimate.WLS)
	if err != nil {
		panic(err)
	}
	_, alone, _ := motion.Minimum(estimate.WLS)
	x, rank, _ := static.Add(motion, rest, columns, weights).Minimum(estimate.WLS)
	fmt.Printf("rank %d in motion, %d with the rows at rest\n", alone, rank)
	for i, v := range x {
		fmt.Printf("%.6f %g\n", v, truth[i])
	}
	// Output:
	// rank 3 in motion, 4 with the rows at rest
	// 2.000000 2
	// 1.000000 1
	// 0.500000 0.5
	// 0.300000 0.3
}

// With noise the estimate is unbiased, and friction and offset are those of motion alone.
func TestWeightsWithNoise(t *testing.T) {
	const seeds = 60
	var sum, square [4]float64
	for seed := range uint64(seeds) {
		motion, rest, truth := example(rand.New(rand.NewPCG(seed, 2)), 0.1)
		columns := static.Columns{Friction: []int{2}, Offset: []int{3}}
		weights, err := static.Weights(motion, rest, columns, estimate.WLS)
		if err != nil {
			t.Fatal(err)
		}
		if weights[0] <= 0 || weights[0] > 1 {
			t.Fatalf("weights %v", weights)
		}
		x, _, err := static.Add(motion, rest, columns, weights).Minimum(estimate.WLS)
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
	motion, rest, _ := example(rand.New(rand.NewPCG(3, 3)), 0.1)
	clear(rest)
	columns := static.Columns{Friction: []int{2}, Offset: []int{3}}
	weights, err := static.Weights(motion, rest, columns, estimate.WLS)
	if err != nil || weights[0] != 0 {
		t.Fatal(weights, err)
	}
	a, _, _ := motion.Minimum(estimate.WLS)
	b, _, _ := static.Add(motion, rest, columns, weights).Minimum(estimate.WLS)
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("parameter %d: %g with no rest, %g", i, b[i], a[i])
		}
	}
}
