package projection

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// The unit of counted values is found within 1e-6 of itself from their prints of eight digits, of which the smallest step has an error of
// some thousandths. Steps of continuous values have none.
func TestUnitOfPrints(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		unit := 2 * math.Pi / math.Exp2(float64(12+seed%9))
		var counted, free []float64
		x, before, y := 1.7, 0.0, 0.0
		for k := range 4000 {
			x += 0.01 * rng.NormFloat64()
			v, err := strconv.ParseFloat(strconv.FormatFloat(math.Round(x/unit)*unit, 'g', 8, 64), 64)
			if err != nil {
				t.Fatal(err)
			}
			if k > 0 && v != before {
				counted, free = append(counted, math.Abs(v-before)), append(free, math.Abs(x-y))
			}
			before, y = v, x
		}
		if got := Unit(counted); math.Abs(got/unit-1) > 1e-6 {
			t.Errorf("seed %d: unit %g of %g", seed, got, unit)
		}
		if got := Unit(free); got != 0 {
			t.Errorf("seed %d: unit %g of continuous steps", seed, got)
		}
	}
}
