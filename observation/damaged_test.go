package observation

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// A joint that moves does not stand because a few rows are damaged, and one that stands does in spite of them.
func TestDamagedRowsDoNotMakeAJointStand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		moves := rapid.Bool().Draw(t, "moves")
		q := make([]float64, 3000)
		for i := range q {
			if moves {
				q[i] = 0.5 * math.Sin(2*math.Pi*0.3*float64(i)/100)
			} else {
				q[i] = 0.3 + float64((i*i)%7%2)*2*math.Pi/65536 // chatter by a count of 16 bits
			}
		}
		for range rapid.IntRange(0, 5).Draw(t, "damaged rows") {
			i := 20 * rapid.IntRange(0, len(q)/20-1).Draw(t, "row, in twenties")
			q[i] = rapid.SampledFrom([]float64{253, -1e200, 71133, 40, math.Inf(1)}).Draw(t, "value")
		}
		if got := Stands(q, 100); got == moves {
			t.Fatalf("stands: %v, moves: %v", got, moves)
		}
	})
}
