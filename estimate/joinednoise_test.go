package estimate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/estimate"
	"ident/internal/estimatortest"
)

// Of errors without outliers the robust estimates are those of least squares, with its standard deviations, however different the
// joints' errors are: Huber's and Tukey's losses need a twentieth more rows, which widens deviations by some three per cent.
func TestRobustOfCleanErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(58, 4))
	d := estimatortest.NewData(rng, 1500, [3]float64{}, 0)
	for k, sigma := range []float64{0.01, 3, 0.2} {
		estimatortest.AddNoise(rng, d.Y[k], sigma, 0)
	}
	plain, err := estimate.Linear{Weighting: estimate.WLS}.Estimate(t.Context(), d.Problem(20))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []estimate.Estimator{estimate.IRLS{}, estimate.IRLS{Loss: estimate.Bisquare}} {
		s, err := e.Estimate(t.Context(), d.Problem(20))
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.X {
			// The inflations of both come from the same 75 blocks, by which either is known to some fifth.
			was, is := math.Sqrt(plain.Covariance[i][i]), math.Sqrt(s.Covariance[i][i])
			if !(is > 0.8*was && is < 1.3*was) || !(math.Abs(s.X[i]-plain.X[i]) < 1.5*was) {
				t.Errorf("%T: parameter %d is %.5g ± %.2g, %.5g ± %.2g by least squares", e, i+1, s.X[i], is, plain.X[i], was)
			}
		}
	}
}
