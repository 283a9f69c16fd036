package physical

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/estimate"
	"ident/internal/eigen"
)

// Intervals holds the intervals of an estimate under constraints or a prior.
type Intervals struct {
	Draws  int       `json:"draws"`
	Low95  []float64 `json:"low95"` // by parameter
	High95 []float64 `json:"high95"`
	// Held, by parameter, is the relative reduction of the free interval's width by the
	// constraints, 0 to 1.
	Held []float64 `json:"held"`
}

// UnderConstraints draws estimates from the distribution of s (its covariance, with Student's tails), constrains each by
// bound, and returns percentiles as intervals. bound gets a solution that differs from s in X and the corresponding
// right-hand side. If a constraint is active, the estimate and the intervals are biased: they cover estimates from other
// logs, not always the truth. If ctx is done, its error is returned within a draw.
func UnderConstraints(ctx context.Context, s *estimate.Solution, draws int, seed uint64, bound func(*estimate.Solution) ([]float64, error)) (*Intervals, error) {
	n := len(s.X)
	if s.Stack == nil || draws < 20 {
		return nil, fmt.Errorf("intervals under constraints: %d draws of an estimate with a sum of squares: at least 20 are needed", draws)
	}
	cov := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			cov.SetSym(i, j, s.Covariance[i][j])
		}
	}
	values, vectors, ok := eigen.Scaled(cov, true) // the covariance of a smallest solution is singular
	if !ok {
		return nil, fmt.Errorf("intervals under constraints: the covariance holds values that are not finite")
	}
	free := slices.Min(s.DegreesOfFreedom)
	rng := rand.New(rand.NewPCG(seed, 0xc0))
	at := make([][]float64, n)
	for range draws {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("intervals under constraints: %w", err)
		}
		d := *s
		d.X, d.Stack = slices.Clone(s.X), s.Stack.Clone()
		// One χ² draw for all parameters, because their standard deviations come from the same residuals.
		tail := 1.0
		if free < 1e6 {
			tail = 1 / math.Sqrt(chiSquare(rng, free)/free)
		}
		for k, v := range values {
			u := tail * math.Sqrt(max(v, 0)) * rng.NormFloat64()
			for i := range n {
				d.X[i] += u * vectors.At(i, k)
			}
		}
		for i := range n {
			for j := i; j < n; j++ {
				d.Stack.Z[i] += d.Stack.R[i*n+j] * (d.X[j] - s.X[j])
			}
		}
		x, err := bound(&d)
		if err != nil {
			return nil, fmt.Errorf("intervals under constraints: %w", err)
		}
		for i, v := range x {
			at[i] = append(at[i], v)
		}
	}
	out := &Intervals{Draws: draws}
	for i, x := range at {
		slices.Sort(x)
		low, high := estimate.Percentile(x, 0.025), estimate.Percentile(x, 0.975)
		out.Low95, out.High95 = append(out.Low95, low), append(out.High95, high)
		held := 0.0
		if width := 2 * estimate.StudentQuantile(s.DegreesOfFreedom[i]) * math.Sqrt(s.Covariance[i][i]); width > 0 {
			held = min(max(1-(high-low)/width, 0), 1)
		}
		out.Held = append(out.Held, held)
	}
	return out, nil
}

// chiSquare draws from the χ² distribution with the given degrees of freedom, at least two (Marsaglia and Tsang 2000,
// for the gamma distribution).
func chiSquare(rng *rand.Rand, freedom float64) float64 {
	freedom = max(freedom, 2)
	d := freedom/2 - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := rng.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if u := rng.Float64(); math.Log(u) < x*x/2+d*(1-v+math.Log(v)) {
			return 2 * d * v
		}
	}
}
