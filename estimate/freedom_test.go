package estimate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ident/internal/triangle"
)

// The inflation κ and the variance ν of errors are one pair: the variance of the scores is κ·ν, and the residuals hold ν times the rows less
// κ times those that the estimate has absorbed.
func TestInflationIsConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(100, 10000).Draw(t, "rows")
		leverage := rapid.Float64Range(1, 10).Draw(t, "leverage")
		inflation := rapid.Float64Range(0.2, 5).Draw(t, "inflation") // so that less than half of the rows is absorbed
		variance := rapid.Float64Range(0.1, 10).Draw(t, "variance")
		s := &Solution{Rows: []int{rows}, Leverage: []float64{leverage}}
		c := conditions{rss: []float64{variance * (float64(rows) - inflation*leverage)}, unit: []float64{1}}
		if got := c.inflation(s, 0, inflation*variance); !(math.Abs(got-inflation) < 1e-9*inflation) {
			t.Errorf("inflation %.12g, want %.12g", got, inflation)
		}
		if got := c.variance(s, 0, inflation); !(math.Abs(got-variance) < 1e-9*variance) {
			t.Errorf("variance %.12g, want %.12g", got, variance)
		}
	})
}

// The degrees of freedom ν of a variance are two over its relative variance (Satterthwaite 1946): those of the independent rows,
// Σ rows/κ less the parameters, and those of the inflations, whose relative variances count with the squares of the joints' shares.
func TestFreedomByHand(t *testing.T) {
	// Two joints with one row of unit weight for two parameters: joint 1 knows the first alone, the second comes by three quarters from
	// joint 1 and by a quarter from joint 2.
	root := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	s := &Solution{Rows: []int{1000, 400}, Leverage: []float64{1.75, 0.25}}
	c := conditions{root: root, parts: [][]float64{{1, 0, 0, 0.75}, {0, 0, 0, 0.25}}, rss: []float64{1, 1}, unit: []float64{1, 1}}
	inflation, doubt := []float64{2, 2}, []float64{0.08, 0.5}
	// Equal variances of a weighted error: rss is ν·(rows − κ·leverage).
	c.rss[0], c.rss[1] = 1000-2*1.75, 400-2*0.25
	covariance, freedom := c.covariance(s, inflation, doubt, new(triangle.Work))
	effective := 1000/2.0 + 400/2.0 - 2
	for i, relative := range []float64{doubt[0], doubt[0]*9/16 + doubt[1]/16} {
		if want := 1 / (1/effective + relative/2); !(math.Abs(freedom[i]-want) < 1e-9*want) {
			t.Errorf("parameter %d: %.9g degrees of freedom, want %.9g", i+1, freedom[i], want)
		}
		if !(math.Abs(covariance[i][i]-2) < 1e-12) {
			t.Errorf("parameter %d: variance %.15g, want κ·ν = 2", i+1, covariance[i][i])
		}
	}
	if _, freedom := c.covariance(s, inflation, []float64{0, 0}, new(triangle.Work)); freedom[0] != effective {
		t.Errorf("%g degrees of freedom of known inflations, want %g", freedom[0], effective)
	}
}
