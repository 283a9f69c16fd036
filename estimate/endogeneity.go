package estimate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"ident/estimate/internal/singular"
	"ident/internal/triangle"
)

// Endogeneity is the result of a test whether least squares is biased on a log.
type Endogeneity struct {
	F float64 `json:"f"`
	P float64 `json:"p"` // probability of a larger F if least squares is not biased
	// Limit is the value of F above which least squares is called biased.
	Limit float64 `json:"limit"`
	// Instrumental is the estimate by instrumental variables, Sigma its standard deviations, corrected for correlation.
	Instrumental []float64 `json:"instrumental"`
	Sigma        []float64 `json:"sigma"`
	// Strength is the smallest singular value of the instruments' part in the unit columns. If it is near zero, the
	// instruments do not determine some parameter.
	Strength float64 `json:"strength"`
}

// biasedBelow is the significance level at which least squares is called biased.
const biasedBelow = 0.01

// Biased reports whether least squares should not be used on this log.
func (e *Endogeneity) Biased() bool { return e.P < biasedBelow }

// Advice returns one sentence of advice.
func (e *Endogeneity) Advice() string {
	if e.Biased() {
		return fmt.Sprintf("least squares is biased here (Durbin-Wu-Hausman F %.3g, p %.2g): noise of the motion is in the regressor; use instrumental variables (estimator iv, or auto) or a lower motion cut-off", e.F, e.P)
	}
	return fmt.Sprintf("nothing says that least squares is biased on this log (Durbin-Wu-Hausman F %.3g, p %.2g)", e.F, e.P)
}

// weakInstruments is the least Strength for a test.
const weakInstruments = 1e-3

// TestEndogeneity returns the test of Durbin, Wu and Hausman from rows [Z W y]: r has 2n
// columns, the first n of them instruments: the regressor of a simulated motion,
// say, which follows the true one but not its noise. weights are the joints' (those
// of WLS on W alone). With the factor of the stacked rows
//
//	[Z W y] ~ [R_zz R_zw y₁; 0 R_ww y₂]
//
// least squares on W and on its part orthogonal to the instruments (Hausman 1978, the
// augmented regression) falls apart into R_zw·a = y₁, which is instrumental
// variables, and R_ww·b = y₂, which is the rest. Where least squares is right, a and
// b are the same but for their errors, and the test is
//
//	F = (a−b)ᵀ·(Cov a + Cov b)⁻¹·(a−b)/n
//
// The errors of y₁ and of y₂ are as correlated as the signals that they are
// projected on: motion is slow and its noise is white, so each half has its own
// inflation, from the scores of the time blocks.
func (r *Reduction) TestEndogeneity(weights []float64) (*Endogeneity, error) {
	if r.columns%2 != 0 {
		panic(fmt.Sprintf("estimate: %d columns, which must be even: each regressor has its instrument", r.columns))
	}
	m, err := r.minimise(fixedWeights(weights), nil, true)
	if err != nil {
		return nil, err
	}
	h, err := splitByInstruments(m.Stack, r.columns/2)
	if err != nil {
		return nil, err
	}
	out := &Endogeneity{Strength: h.iv.Values[h.n-1], Instrumental: h.iv.Solve(h.y1)}
	inverse := h.iv.Inverse() // of R_zw
	first, second := h.coordinates()
	// Errors of y₁ use the residuals of a, y − W·a; errors of both use those of the augmented regression, the minimum
	// over Z and W.
	alone, free := r.projectedVariance(m, append(make([]float64, h.n), out.Instrumental...), first)
	var cov mat.Dense
	cov.Product(inverse, alone, inverse.T())
	for i := range h.n {
		out.Sigma = append(out.Sigma, math.Sqrt(cov.At(i, i)))
	}
	beside, _ := r.projectedVariance(m, m.X, first)
	other, _ := r.projectedVariance(m, m.X, second)
	if out.F, err = h.statistic(out.Instrumental, inverse, beside, other); err != nil {
		return nil, err
	}
	distribution := distuv.F{D1: float64(h.compared), D2: free}
	out.P, out.Limit = distribution.Survival(out.F), distribution.Quantile(1-biasedBelow)
	return out, nil
}

// instrumentSplit is the factor of rows [Z W y] split by the instruments Z: R_zw with y₁
// and R_ww with y₂, both with the columns of W scaled to unit norm.
type instrumentSplit struct {
	stack    *triangle.Factor
	n        int                     // columns of Z, and of W
	norms    []float64               // of the columns of W
	iv, rest *singular.Decomposition // of R_zw and R_ww
	y1, y2   []float64
	compared int // singular directions of R_ww, the first ones, that are no rounding
}

// splitByInstruments returns an error if the instruments do not determine all parameters.
func splitByInstruments(stack *triangle.Factor, n int) (h *instrumentSplit, err error) {
	h = &instrumentSplit{stack: stack, n: n, norms: singular.ColumnNorms(stack)[n:]}
	half := func(from int) (*singular.Decomposition, []float64, error) {
		f := triangle.New(n)
		rows := blockOf(stack, from, n, n)
		cols := make([][]float64, n)
		for j := range cols {
			cols[j] = mat.Col(nil, j, rows)
		}
		f.Add(cols, stack.Z[from:from+n], new(triangle.Work))
		s, err := singular.Decompose(f, append([]float64(nil), h.norms...))
		return s, f.Z, err
	}
	if h.iv, h.y1, err = half(0); err != nil {
		return nil, err
	}
	if h.rest, h.y2, err = half(n); err != nil {
		return nil, err
	}
	if strength := h.iv.Values[n-1]; !(strength > weakInstruments) {
		// The small singular values belong to directions that the instruments leave undetermined.
		return nil, fmt.Errorf("the instruments do not determine some parameters (strength %.2g): %w", strength, &RankError{Rank: h.iv.Rank(), Columns: n, Undetermined: h.iv.Undetermined()})
	}
	// Columns that the instruments contain exactly, such as an offset or a sign, are not compared: only rounding remains
	// in their directions.
	for _, v := range h.rest.Values {
		if v > noiseOfInstruments {
			h.compared++
		}
	}
	if h.compared == 0 {
		return nil, fmt.Errorf("%w: the instruments leave nothing of the columns to compare with", ErrNoData)
	}
	return h, nil
}

// coordinates returns, over the columns [Z W], the coordinates in which both halves of the rows are orthonormal:
// Z·R_zz⁻¹, and (W − Z·R_zz⁻¹·R_zw) in the compared singular directions of R_ww.
func (h *instrumentSplit) coordinates() (first, second *mat.Dense) {
	n := h.n
	var rzz, back mat.Dense
	// The rank of Z has been checked with that of R_zw.
	_ = rzz.Inverse(mat.NewTriDense(n, mat.Upper, mat.DenseCopyOf(blockOf(h.stack, 0, 0, n)).RawMatrix().Data))
	first, second = mat.NewDense(2*n, n, nil), mat.NewDense(2*n, h.compared, nil)
	first.Slice(0, n, 0, n).(*mat.Dense).Copy(&rzz)
	own := second.Slice(n, 2*n, 0, h.compared).(*mat.Dense)
	for j := range n {
		for k := range h.compared {
			own.Set(j, k, h.rest.V.At(j, k)/h.norms[j]/h.rest.Values[k])
		}
	}
	back.Product(&rzz, blockOf(h.stack, 0, n, n), own)
	back.Scale(-1, &back)
	second.Slice(0, n, 0, h.compared).(*mat.Dense).Copy(&back)
	return first, second
}

// statistic returns F of the instrumental estimate a, from the inverse of R_zw and the
// covariances of y₁ and of y₂ in the compared directions. The difference is
//
//	d = Vᵀ·N·a − S⁻¹·Uᵀ·y₂
//
// with N the norms and U·S·Vᵀ = R_ww·N⁻¹.
func (h *instrumentSplit) statistic(a []float64, inverse mat.Matrix, cov1, cov2 mat.Matrix) (float64, error) {
	directions := mat.NewDense(h.compared, h.n, nil) // Vᵀ·N
	for k := range h.compared {
		for j := range h.n {
			directions.Set(k, j, h.rest.V.At(j, k)*h.norms[j])
		}
	}
	var root, sum mat.Dense
	root.Mul(directions, inverse)
	sum.Product(&root, cov1, root.T())
	d := mat.NewVecDense(h.compared, nil)
	cov := mat.NewSymDense(h.compared, nil)
	for k := range h.compared {
		v := 0.0
		for j := range h.n {
			v += directions.At(k, j)*a[j] - h.rest.U.At(j, k)*h.y2[j]/h.rest.Values[k]
		}
		d.SetVec(k, v)
		for l := k; l < h.compared; l++ {
			cov.SetSym(k, l, sum.At(k, l)+cov2.At(k, l)/h.rest.Values[k]/h.rest.Values[l])
		}
	}
	var chol mat.Cholesky
	var solved mat.VecDense
	if !chol.Factorize(cov) {
		return 0, fmt.Errorf("%w: the errors have no variance", ErrNoData)
	}
	if err := chol.SolveVecTo(&solved, d); err != nil {
		return 0, fmt.Errorf("the instruments are too weak for a test: %w", err)
	}
	return mat.Dot(d, &solved) / float64(h.compared), nil
}

// noiseOfInstruments is the part of a unit column that counts as outside the span of the instruments: above rounding in
// differences of columns, below any sensor's noise.
const noiseOfInstruments = 1e-9

// blockOf returns a view of the n×n block of a factor at row i, column j.
func blockOf(f *triangle.Factor, i, j, n int) mat.Matrix {
	return mat.NewDense(f.N, f.N, f.R).Slice(i, i+n, j, j+n)
}

// projectedVariance returns the covariance of a part of the stack's right-hand side, Qᵀ·y with
// Q = rows·part orthonormal, whose errors have the variance that the residuals at x
// have, joint by joint, times one inflation. It also counts the independent samples.
//
// A block has in these coordinates the matrix P_b and the scores u_b. Without
// correlation E u_b·u_c = δ·tr M_b − tr P_b·M_c − tr M_b·P_c + tr P_b·M·P_c, with M_b
// the blocks' variances and M their sum, as in the package comment.
func (r *Reduction) projectedVariance(m minimum, x []float64, part *mat.Dense) (*mat.Dense, float64) {
	_, n := part.Dims()
	variance := make([]float64, len(r.masks))
	count := 0.0
	for k, f := range m.joints {
		variance[k] = m.Weights[k] * m.Weights[k] * residual(f, r.masks[k], x) / float64(max(f.Rows-f.N, 1))
		count += float64(f.Rows)
	}
	blocks := len(r.blocks)
	grams, means, scores := make([]*mat.Dense, blocks), make([]*mat.Dense, blocks), make([][]float64, blocks)
	total := mat.NewDense(n, n, nil)
	for i, b := range r.blocks {
		grams[i], means[i], scores[i] = mat.NewDense(n, n, nil), mat.NewDense(n, n, nil), make([]float64, n)
		for k, f := range b.Joints {
			if f.Rows == 0 {
				continue
			}
			q := whitened(f, r.masks[k], part, m.Weights[k])
			var p mat.Dense
			p.Mul(q.T(), q)
			grams[i].Add(grams[i], &p)
			p.Scale(variance[k], &p)
			means[i].Add(means[i], &p)
			for row, d := range residuals(f, r.masks[k], x) {
				floats.AddScaled(scores[i], m.Weights[k]*d, q.RawRowView(row))
			}
		}
		total.Add(total, means[i])
	}
	if blocks < fewestBlocks {
		return total, count
	}
	var sum, expect float64
	add := func(i, j int, factor float64) {
		sum += factor * floats.Dot(scores[i], scores[j])
		var pm mat.Dense
		pm.Mul(grams[i], total)
		e := inner(&pm, grams[j]) - inner(grams[i], means[j]) - inner(means[i], grams[j])
		if i == j {
			e += mat.Trace(means[i])
		}
		expect += factor * e
	}
	for i := range blocks {
		add(i, i, 1)
		if i > 0 && r.blocks[i-1].Run == r.blocks[i].Run {
			add(i-1, i, 2)
		}
	}
	if expect > 0 {
		inflation := max(sum/expect, leastInflation)
		total.Scale(inflation, total)
		count /= inflation
		// The inflation is a mean of squares over this many directions and blocks, each with three neighbours.
		count = min(count, float64(n*blocks)/3)
	}
	return total, count
}
