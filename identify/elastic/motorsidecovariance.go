package elastic

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"ident/estimate"
)

// noiseDraws is the number of draws of the positions' noise. A variance estimated from them has 64 degrees of freedom
// and a relative standard deviation of √(2/64), 18 %.
const noiseDraws = 64

// leastOwn is the smallest fraction of an equation's errors that is taken not to come from the encoders. It is computed
// as the difference of two variances, each known to some tenths.
const leastOwn = 0.1

// covariance returns the covariance of the unknowns and the degrees of freedom of their variances. The covariance of
// package estimate takes errors of different equations as independent, and those of one equation as equally correlated
// in all directions. That holds for errors of torques but not for the noise of an encoder. It swings the simulated link
// at its anti-resonance, where the stiffness is determined, and it is the same in the rows of a motor and of the torque
// sensor behind it. The encoders' part therefore comes from draws of the measured noise through the linearised
// simulation (responses), and the time blocks give the rest:
//
//	Cov x = N⁻¹·(Σ_k (κ_k·ν_k − φ_k)·N_k)·N⁻¹ + E x_θ·x_θᵀ
//
// with the moments N_k of equation k, N their sum, and φ_k the part of κ_k·ν_k that the draws make: the variance of their scores in
// the unit of that of white rows, as estimate defines κ.
func (b *motorSide) covariance(s *state, all []*equations, sol *estimate.Solution) ([][]float64, []float64, error) {
	changes := make([]*equations, len(all))
	noisy := false
	rng := rand.New(rand.NewPCG(5, 6))
	for i, t := range b.tracks {
		e, own, err := b.responses(t, s, noiseDraws, rng)
		if err != nil {
			return nil, nil, err
		}
		if own {
			changes[i], noisy = e, true
		}
	}
	if !noisy {
		return sol.Covariance, sol.DegreesOfFreedom, nil
	}
	n, equations := b.unknowns(), len(all[0].y)
	p := &propagation{all: all, weights: sol.Weights, block: blockRows(all), unknowns: n}
	p.moments()
	b.holdInitial(p.sum)
	if !p.whole.Factorize(p.sum) {
		return nil, nil, fmt.Errorf("elastic: the moments of %d unknowns are not positive definite", n)
	}
	own := make([]float64, equations) // ν_k of independent samples
	for k := range own {
		own[k] = sol.Sigma[k] * sol.Weights[k]
	}
	position := func(log, k, draw, row int) float64 {
		if changes[log] == nil {
			return 0
		}
		return changes[log].columns[k][draw][row]
	}
	x, scores := p.propagate(position)
	_, unit := p.propagate(func(_, k, _, _ int) float64 { return own[k] / sol.Weights[k] * rng.NormFloat64() })
	middle := mat.NewSymDense(n, nil)
	left := make([]float64, equations)
	effective := -float64(n)
	for k := range left {
		total := sol.VarianceInflation[k] * own[k] * own[k]
		left[k] = math.Max(total-scores[k]/unit[k]*own[k]*own[k], leastOwn*total)
		var part mat.SymDense
		part.ScaleSym(left[k], p.parts[k])
		middle.AddSym(middle, &part)
		effective += float64(sol.Rows[k]) / sol.VarianceInflation[k]
	}
	rest := p.enclosed(middle)
	doubt := make([]float64, n) // variance of the variance
	for k := range left {
		share := p.enclosed(p.parts[k])
		for i := range doubt {
			v := share.At(i, i) * sol.VarianceInflation[k] * own[k] * own[k]
			doubt[i] += sol.InflationSpread[k] * v * v
		}
	}
	covariance, freedom := grid(n, n), make([]float64, n)
	for i := range n {
		for j := range n {
			v := 0.0
			for d := range noiseDraws {
				v += x.At(i, d) * x.At(j, d) / noiseDraws
			}
			covariance[i][j] = rest.At(i, j) + v
			if i == j {
				doubt[i] += 2 * v * v / noiseDraws
			}
		}
		freedom[i] = math.Max(1/(1/math.Max(effective, 1)+doubt[i]/(2*covariance[i][i]*covariance[i][i])), 1)
	}
	return covariance, freedom, nil
}

// propagation computes how errors of the rows change the estimate.
type propagation struct {
	all      []*equations
	weights  []float64
	block    int // rows
	unknowns int
	parts    []*mat.SymDense // weighted moments of each equation
	sum      *mat.SymDense
	whole    mat.Cholesky // of sum
}

// kept returns the weighted rows of a log's equation that are not left out, and their indices.
func (p *propagation) kept(log, k int) (*mat.Dense, []int) {
	e := p.all[log]
	var rows []int
	for i := range e.y[k] {
		if !e.left(k, i) {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	out := mat.NewDense(len(rows), p.unknowns, nil)
	for c, at := range e.masks[k] {
		for i, row := range rows {
			out.Set(i, at, p.weights[k]*e.columns[k][c][row])
		}
	}
	return out, rows
}

func (p *propagation) moments() {
	p.sum = mat.NewSymDense(p.unknowns, nil)
	for k := range p.all[0].y {
		part := mat.NewSymDense(p.unknowns, nil)
		for log := range p.all {
			if w, rows := p.kept(log, k); rows != nil {
				var own mat.SymDense
				own.SymOuterK(1, w.T())
				part.AddSym(part, &own)
			}
		}
		p.parts = append(p.parts, part)
		p.sum.AddSym(p.sum, part)
	}
}

// enclosed returns N⁻¹·m·N⁻¹.
func (p *propagation) enclosed(m *mat.SymDense) *mat.Dense {
	var half, out mat.Dense
	// A condition number near the limit of rounding has already been refused with the rank.
	_ = p.whole.SolveTo(&half, m)
	_ = p.whole.SolveTo(&out, half.T())
	return &out
}

// propagate returns the errors of the estimate caused by draws of errors of the rows (unknowns × draws). For each
// equation it also returns the mean over the draws of S_k = Σ ‖u_b‖² + 2·Σ u_b·u_(b+1), where u_b is the score of time
// block b in the coordinates of a root of N⁻¹.
func (p *propagation) propagate(change func(log, k, draw, row int) float64) (*mat.Dense, []float64) {
	n := p.unknowns
	right := mat.NewDense(n, noiseDraws, nil)
	drawn := make([][]*mat.Dense, len(p.all))
	var own mat.Dense
	for log := range p.all {
		for k := range p.all[log].y {
			w, rows := p.kept(log, k)
			if rows == nil {
				drawn[log] = append(drawn[log], nil)
				continue
			}
			g := mat.NewDense(len(rows), noiseDraws, nil)
			for d := range noiseDraws {
				for i, row := range rows {
					g.Set(i, d, p.weights[k]*change(log, k, d, row))
				}
			}
			drawn[log] = append(drawn[log], g)
			own.Reset()
			own.Mul(w.T(), g)
			right.Add(right, &own)
		}
	}
	x := mat.NewDense(n, noiseDraws, nil)
	_ = p.whole.SolveTo(x, right)
	scores := make([]float64, len(p.all[0].y))
	var l mat.TriDense
	p.whole.LTo(&l)
	for log := range p.all {
		for k, g := range drawn[log] {
			if g == nil {
				continue
			}
			w, rows := p.kept(log, k)
			own.Reset()
			own.Mul(w, x)
			g.Sub(g, &own)
			var before *mat.Dense
			last := -2
			for lo := 0; lo < len(rows); {
				b, hi := rows[lo]/p.block, lo
				for hi < len(rows) && rows[hi]/p.block == b {
					hi++
				}
				var u, score mat.Dense
				u.Mul(w.Slice(lo, hi, 0, n).T(), g.Slice(lo, hi, 0, noiseDraws))
				_ = score.Solve(&l, &u)
				scores[k] += product(&score, &score) / noiseDraws
				if last == b-1 {
					scores[k] += 2 * product(before, &score) / noiseDraws
				}
				before, last, lo = &score, b, hi
			}
		}
	}
	return x, scores
}

// product returns the sum of the products of corresponding entries.
func product(a, b *mat.Dense) float64 {
	sum := 0.0
	x, y := a.RawMatrix(), b.RawMatrix()
	for i, v := range x.Data {
		sum += v * y.Data[i]
	}
	return sum
}
