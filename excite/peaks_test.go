package excite

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The largest values of sums of waves are those of all points, and are found on a tenth of them at most where the grid is fine.
func TestVisit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 50 {
		points, every := 1+rng.IntN(20000), 1+rng.IntN(40)
		const channels, waves = 3, 4
		var size, phase [channels][waves]float64
		bend := make([]float64, channels)
		for c := range channels {
			for w := range waves {
				size[c][w], phase[c][w] = rng.NormFloat64(), 7*rng.Float64()
				rate := 2 * math.Pi * float64(w+1)
				bend[c] += math.Abs(size[c][w]) * rate * rate * math.Pow(float64(every)/float64(points), 2) / 8
			}
		}
		at := func(c, k int) (x float64) {
			for w := range waves {
				x += size[c][w] * math.Sin(2*math.Pi*float64(w+1)*float64(k)/float64(points)+phase[c][w])
			}
			return x
		}
		var found, want [channels]float64
		for c := range channels {
			found[c], want[c] = math.Inf(-1), math.Inf(-1)
			for k := range points {
				want[c] = max(want[c], at(c, k))
			}
		}
		visited := 0
		visitPeaks(points, every, bend, func(numbers []int) [][]float64 {
			if !slices.IsSorted(numbers) {
				t.Fatal("points do not ascend")
			}
			visited += len(numbers)
			out := make([][]float64, channels)
			for c := range channels {
				for _, k := range numbers {
					out[c] = append(out[c], at(c, k))
					found[c] = max(found[c], at(c, k))
				}
			}
			return out
		})
		if found != want {
			t.Errorf("trial %d, %d points, every %d: %v, of all points %v", trial, points, every, found, want)
		}
		if points > 5000 && every > 15 && visited > points/10 {
			t.Errorf("trial %d: %d of %d points visited, every %d first", trial, visited, points, every)
		}
	}
	visitPeaks(0, 4, nil, func(at []int) [][]float64 { t.Error("points of an empty grid"); return nil })
}
