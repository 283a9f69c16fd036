package estimate

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/estimate/internal/singular"
	"ident/internal/triangle"
)

// setCovariance computes residual standard deviations, inflations, the covariance and its degrees of freedom. The
// package comment derives them.
func (r *Reduction) setCovariance(s *Solution, joints []*triangle.Factor, solver singular.Solver) {
	root := solver.Root()
	_, rank := root.Dims()
	nj := len(r.masks)
	s.Sigma, s.VarianceInflation, s.Leverage = make([]float64, nj), make([]float64, nj), make([]float64, nj)
	s.Recurrence, s.InflationSpread = nil, make([]float64, nj)
	c := conditions{root: root, parts: make([][]float64, nj), rss: make([]float64, nj), unit: make([]float64, nj)}
	leak := mat.NewDense(rank, rank, nil) // M = Σ_j ν_j P_j
	var work triangle.Work
	for k, f := range joints {
		c.parts[k] = gram(transposed(rowsOf(whitened(f, r.masks[k], root, s.Weights[k]).RawMatrix().Data, rank)), &work)
		for i := range rank {
			s.Leverage[k] += c.parts[k][i*rank+i]
		}
		c.rss[k] = s.Weights[k] * s.Weights[k] * residual(f, r.masks[k], s.X)
		if free := float64(s.Rows[k]) - s.Leverage[k]; free > 0 {
			c.unit[k] = c.rss[k] / free // variance of a weighted error, were the errors uncorrelated
		}
		floats.AddScaled(leak.RawMatrix().Data, c.unit[k], c.parts[k])
	}
	inTime, same := neighbours(r.blocks), recurrences(r.blocks)
	recurrent, doubt := make([]float64, nj), make([]float64, nj) // inflation over blocks of the same state, and its relative variance
	for k := range joints {
		s.VarianceInflation[k], recurrent[k] = 1, 1
		scores, ok := r.scores(k, s, root, leak, c.unit[k], &work)
		if !ok {
			continue
		}
		if score, spread, ok := scores.variance(inTime, &work); ok {
			s.VarianceInflation[k], s.InflationSpread[k] = max(c.inflation(s, k, score), leastInflation), spread
		}
		recurrent[k] = s.VarianceInflation[k]
		if same == nil {
			continue
		}
		if score, spread, ok := scores.variance(same, &work); ok {
			recurrent[k], doubt[k] = c.inflation(s, k, score), spread
		}
	}
	for k := range joints {
		s.Sigma[k] = math.Sqrt(c.variance(s, k, s.VarianceInflation[k])) / s.Weights[k]
	}
	s.Covariance, s.DegreesOfFreedom = c.covariance(s, s.VarianceInflation, s.InflationSpread, &work)
	if !recurs(s.VarianceInflation, recurrent, doubt) {
		return
	}
	s.Recurrence = make([]float64, nj)
	for k := range recurrent {
		if recurrent[k] <= s.VarianceInflation[k] {
			recurrent[k], doubt[k] = s.VarianceInflation[k], max(doubt[k], s.InflationSpread[k])
		}
		s.Recurrence[k] = recurrent[k] * c.variance(s, k, recurrent[k]) / (s.VarianceInflation[k] * c.variance(s, k, s.VarianceInflation[k]))
	}
	s.NoiseCovariance = s.Covariance
	s.Covariance, s.DegreesOfFreedom = c.covariance(s, recurrent, doubt, &work)
}

// conditions of the covariance: the root of the inverse and, by joint, P_j (row-major), the weighted residual sum of
// squares, and the variance of an error if errors were uncorrelated.
type conditions struct {
	root      *mat.Dense
	parts     [][]float64
	rss, unit []float64
}

// inflation is κ of joint k from the variance of its scores. The residuals lack the part in the
// span of the columns, κ·lev of rows unit variances, and κ is the score's variance in
// their unit: both conditions at once.
func (c *conditions) inflation(s *Solution, k int, score float64) float64 {
	return score * float64(s.Rows[k]) / (c.rss[k] + score*s.Leverage[k])
}

// leastFree is the least share of the rows that the estimate must leave free. With less, correlated errors look like
// parameters, and the variance of errors is unknown.
const leastFree = 0.1

// variance returns the variance of joint k's weighted errors; the estimate has absorbed κ·lev rows.
func (c *conditions) variance(s *Solution, k int, inflation float64) float64 {
	if c.rss[k] == 0 {
		return c.unit[k]
	}
	rows := float64(s.Rows[k])
	return c.rss[k] / max(rows-inflation*s.Leverage[k], leastFree*rows)
}

// covariance returns B·(Σ_j κ_j·ν_j·P_j)·Bᵀ and the degrees of freedom of each parameter's variance; doubt is the
// relative variance of each inflation.
func (c *conditions) covariance(s *Solution, inflation, doubt []float64, work *triangle.Work) (covariance [][]float64, freedom []float64) {
	n, rank := c.root.Dims()
	root := rowsOf(c.root.RawMatrix().Data, rank)
	half, part := make([]float64, n*rank), make([]float64, n*rank) // B·Σ κ_j·ν_j·P_j, and B·P_j
	effective := -float64(rank)
	shares := make([][]float64, len(c.parts)) // of joint j in each parameter's variance
	for k, p := range c.parts {
		factor := inflation[k] * c.variance(s, k, inflation[k])
		effective += float64(s.Rows[k]) / inflation[k]
		work.Dots(part, rank, root, rowsOf(p, rank))
		shares[k] = make([]float64, n)
		for i, row := range rowsOf(part, rank) {
			shares[k][i] = factor * floats.Dot(row, root[i])
		}
		floats.AddScaled(half, factor, part)
	}
	freedom = make([]float64, n)
	for i := range n {
		var whole, relative float64
		for k := range shares {
			whole += shares[k][i]
			relative += doubt[k] * shares[k][i] * shares[k][i]
		}
		freedom[i] = max(effective, 1)
		if whole > 0 {
			freedom[i] = max(1/(1/freedom[i]+relative/(2*whole*whole)), 1)
		}
	}
	whole := make([]float64, n*n)
	work.Dots(whole, n, rowsOf(half, rank), root)
	covariance = rowsOf(whole, n)
	for i := range n {
		for j := range i {
			v := (covariance[i][j] + covariance[j][i]) / 2
			covariance[i][j], covariance[j][i] = v, v
		}
		covariance[i][i] = max(covariance[i][i], 0)
	}
	return covariance, freedom
}

// leastInflation bounds κ from below. Alternating residuals, as after differentiation, make κ small; below a tenth an
// error of its estimate is more likely.
const leastInflation = 0.1

// residual returns ‖y − W·x‖² over a factor's rows.
func residual(f *triangle.Factor, mask []int, x []float64) float64 {
	sum := f.RSS
	for _, d := range residuals(f, mask, x) {
		sum += d * d
	}
	return sum
}

// residuals returns Z − R·x.
func residuals(f *triangle.Factor, mask []int, x []float64) []float64 {
	d := append([]float64(nil), f.Z...)
	for i := range d {
		for j := i; j < f.N; j++ {
			d[i] -= f.R[i*f.N+j] * x[mask[j]]
		}
	}
	return d
}

// whitened returns the factor's weighted rows in the coordinates of root.
func whitened(f *triangle.Factor, mask []int, root *mat.Dense, weight float64) *mat.Dense {
	_, rank := root.Dims()
	q := mat.NewDense(max(f.N, 1), rank, nil)
	for i := range f.N {
		row := q.RawRowView(i)
		for j := i; j < f.N; j++ {
			v := weight * f.R[i*f.N+j]
			if v == 0 {
				continue
			}
			floats.AddScaled(row, v, root.RawRowView(mask[j]))
		}
	}
	return q
}
