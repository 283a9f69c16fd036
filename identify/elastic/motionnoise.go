package elastic

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"ident/estimate"
	"ident/observation"
)

// noisePairs is the number of pairs of opposite draws of noise. The mean over a pair has no part that is linear in the
// noise, and the squares average out over the rows of a log.
const noisePairs = 2

// withoutNoise returns the estimate corrected for the noise of positions. In the regressor least squares takes this
// noise for motion and finds too little inertia. The correction adds noise of the measured size once more, takes the
// growth of the moments, and subtracts it from the moments of the rows. It returns nil if positions are exact, or if
// the remaining moments cannot be those of a regressor. hold adds to the moments.
func withoutNoise(logs []*Log, rows *estimate.Reduction, weights []float64, hold func(*mat.SymDense), equationsOf func([]*Log) ([]*equations, error)) ([]float64, error) {
	sigma := make([][]float64, len(logs))
	noisy := false
	for i, l := range logs {
		for _, x := range l.X {
			s := 0.0
			if l.DDX == nil && x != nil {
				s = observation.PositionNoise(x, l.Rate).Position.Sigma
			}
			sigma[i] = append(sigma[i], s)
			noisy = noisy || s > 0
		}
	}
	if !noisy {
		return nil, nil
	}
	own := rows.Moments(weights)
	n := own.SymmetricDim()
	left := mat.NewSymDense(n, nil)
	left.CopySym(own)
	left.ScaleSym(2, left)
	rng := rand.New(rand.NewPCG(1, 2))
	for range noisePairs {
		draws := make([][][]float64, len(logs))
		for i, l := range logs {
			draws[i] = grid(len(l.X), l.Samples())
			for c, x := range draws[i] {
				for k := range x {
					x[k] = sigma[i][c] * rng.NormFloat64()
				}
			}
		}
		for _, sign := range [2]float64{1, -1} {
			moved := make([]*Log, len(logs))
			for i, l := range logs {
				other := *l
				other.X = copies(l.X)
				for c, x := range other.X {
					for k := range x {
						x[k] += sign * draws[i][c][k]
					}
				}
				moved[i] = &other
			}
			all, err := equationsOf(moved)
			if err != nil {
				return nil, err
			}
			added := reduce(n-1, all).Moments(weights)
			added.ScaleSym(-1./(2*noisePairs), added)
			left.AddSym(left, added)
		}
	}
	hold(left)
	x, ok := estimate.SolveMoments(left)
	if !ok {
		return nil, nil
	}
	return x, nil
}
