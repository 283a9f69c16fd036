package estimate

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/estimate/internal/singular"
	"ident/internal/triangle"
)

// InstrumentMasks returns the masks of a Reduction with rows (Z W | y): as many instruments as columns, before them.
func InstrumentMasks(columns int, masks [][]int) [][]int {
	out := make([][]int, len(masks))
	for k, m := range masks {
		out[k] = slices.Clone(m)
		for _, c := range m {
			out[k] = append(out[k], columns+c)
		}
	}
	return out
}

// Instrumental solves (Zᵀ·W)·x = Zᵀ·y for a reduction whose rows are (Z W | y),
// with as many instruments as parameters (Janot, Vandanjon and Gautier 2014): an
// estimate that noise in W does not bias where Z has none of it. Joints are
// weighted by their residual standard deviations, the covariance is corrected for the
// correlation of the samples by the blocks' scores, as for least squares.
//
// With the factor of all rows
//
//	(Z W | y) = Q·( Rzz Rzw | z )
//	              (     Rww | v )
//
// x solves Rzw·x = z. TestEndogeneity compares with least squares.
func (r *Reduction) Instrumental() (*Solution, error) {
	p := r.columns / 2
	var work triangle.Work
	joints := make([]*triangle.Factor, len(r.masks))
	s := &Solution{Rows: r.Rows()}
	total := 0
	for k := range joints {
		joints[k] = r.Joint(k, &work)
		total += s.Rows[k]
	}
	if total < r.columns || total == 0 {
		return nil, fmt.Errorf("%w: %d rows for %d instruments and as many parameters", ErrNoData, total, p)
	}
	s.Weights = jointWeights(WLS, joints, r.masks, r.columns)
	stack := triangle.New(r.columns)
	for k, f := range joints {
		stack.MergeColumns(f, r.masks[k], s.Weights[k], &work)
	}
	norms := singular.ColumnNorms(stack)
	at := func(i, j int) float64 { return stack.R[i*r.columns+j] }
	// If the instruments depend on each other, or do not see some direction of W, that direction is undetermined.
	own := triangle.New(p)
	cross := mat.NewDense(p, p, nil)
	for i := range p {
		for j := range p {
			cross.Set(i, j, at(i, p+j)/math.Max(norms[p+j], math.SmallestNonzeroFloat64))
			if j >= i {
				own.R[i*p+j] = at(i, j)
			}
		}
	}
	zz, err := singular.Decompose(own, slices.Clone(norms[:p]))
	if err != nil {
		return nil, err
	}
	if zz.Rank() < p {
		return nil, &RankError{Rank: zz.Rank(), Columns: p, Undetermined: zz.Undetermined()}
	}
	var svd mat.SVD
	if !svd.Factorize(cross, mat.SVDFull) {
		return nil, fmt.Errorf("the singular values of the instruments' products did not converge")
	}
	values := svd.Values(nil)
	s.ConditionScaled, s.ConditionRaw, s.Rank = values[0]/values[p-1], singular.Condition(own), p
	if !(values[p-1] > singular.Tolerance*values[0]) {
		return nil, &RankError{Rank: p - 1, Columns: p}
	}
	inverse := mat.NewDense(p, p, nil) // of Rzw
	if err := inverse.Inverse(cross); err != nil && math.IsInf(float64(errCondition(err)), 1) {
		return nil, fmt.Errorf("the instruments do not determine the parameters: %w", err)
	}
	for i := range p {
		floats.Scale(1/norms[p+i], inverse.RawRowView(i))
	}
	s.X = make([]float64, p)
	for i := range p {
		s.X[i] = floats.Dot(inverse.RawRowView(i), stack.Z[:p])
	}
	r.setInstrumentalCovariance(s, joints, own, inverse)
	return s, nil
}

func errCondition(err error) mat.Condition {
	if c, ok := err.(mat.Condition); ok {
		return c
	}
	return mat.Condition(math.Inf(1))
}

// setInstrumentalCovariance computes standard deviations, inflation, covariance and degrees of freedom.
func (r *Reduction) setInstrumentalCovariance(s *Solution, joints []*triangle.Factor, own *triangle.Factor, inverse *mat.Dense) {
	p := own.N
	var root mat.Dense
	if err := root.Inverse(mat.NewTriDense(p, mat.Upper, own.R)); err != nil && math.IsInf(float64(errCondition(err)), 1) {
		panic("estimate: factor of instruments of full rank is singular")
	}
	x := make([]float64, r.columns)
	copy(x[p:], s.X)
	middle := mat.NewSymDense(p, nil)
	effective, doubt, leverage := -float64(p), 0.0, 0.0
	nj := len(joints)
	s.Sigma, s.VarianceInflation, s.Leverage = make([]float64, nj), make([]float64, nj), make([]float64, nj)
	for k, f := range joints {
		part := mat.NewSymDense(p, nil)
		part.SymOuterK(1, r.projectedInstruments(f, k, &root, s.Weights[k]).T())
		for i := range p {
			s.Leverage[k] += part.At(i, i)
		}
		leverage += s.Leverage[k]
		s.VarianceInflation[k] = 1
		rss := s.Weights[k] * s.Weights[k] * residual(f, r.masks[k], x)
		rows := float64(s.Rows[k])
		unit := 0.0
		if free := rows - s.Leverage[k]; free > 0 {
			unit = rss / free
		}
		if sum, expect, spread := r.instrumentScores(k, &root, s.Weights[k], x); expect > 0 && unit > 0 {
			s.VarianceInflation[k] = max(sum/(unit*expect), leastInstrumentInflation)
			doubt += spread * s.Leverage[k] * s.Leverage[k]
		}
		if free := rows - s.VarianceInflation[k]*s.Leverage[k]; free > 0 {
			unit = rss / free
		}
		if s.Weights[k] > 0 {
			s.Sigma[k] = math.Sqrt(unit) / s.Weights[k]
		}
		part.ScaleSym(s.VarianceInflation[k]*unit, part)
		middle.AddSym(middle, part)
		effective += rows / s.VarianceInflation[k]
	}
	var half, cov mat.Dense
	half.Mul(inverse, middle)
	cov.Mul(&half, inverse.T())
	s.Covariance = make([][]float64, p)
	s.DegreesOfFreedom = make([]float64, p)
	for i := range p {
		s.DegreesOfFreedom[i] = max(1/(1/max(effective, 1)+doubt/(2*leverage*leverage)), 1)
		s.Covariance[i] = make([]float64, p)
		for j := range p {
			s.Covariance[i][j] = (cov.At(i, j) + cov.At(j, i)) / 2
		}
		s.Covariance[i][i] = max(s.Covariance[i][i], 0)
	}
}

// projectedInstruments returns the instruments' part of a factor's weighted rows, in the coordinates in which all
// instruments are orthonormal.
func (r *Reduction) projectedInstruments(f *triangle.Factor, k int, root *mat.Dense, weight float64) *mat.Dense {
	p := r.columns / 2
	q := mat.NewDense(max(f.N, 1), p, nil)
	for i := range f.N {
		row := q.RawRowView(i)
		for j := i; j < f.N; j++ {
			if c := r.masks[k][j]; c < p && f.R[i*f.N+j] != 0 {
				floats.AddScaled(row, weight*f.R[i*f.N+j], root.RawRowView(c))
			}
		}
	}
	return q
}

// leastInstrumentInflation replaces leastInflation here: the residual y - W·x contains the noise of differentiated
// positions, whose power at the motion's frequencies is some (cut-off/motion)⁴ below the total.
const leastInstrumentInflation = 1e-3

// scoreGroups is the number of groups of time blocks over which scores are summed. Noise of differentiated positions
// alternates, so only the ends of a sum leave a remainder: long groups have few. Products of neighbours, as in least
// squares, would be small differences of large numbers.
const scoreGroups = 48

// instrumentScores returns the sum of squares of a joint's scores over groups of blocks: the variance of Qzᵀ·e. For
// uncorrelated errors of unit variance its expectation is expect: with P = Qᵀ·Q of a group, Σ tr P minus Σ tr P², which
// the estimate has absorbed. For normal scores its relative variance is spread = 2·Σ tr P²/expect².
func (r *Reduction) instrumentScores(k int, root *mat.Dense, weight float64, x []float64) (sum, expect, spread float64) {
	if len(r.blocks) < fewestBlocks {
		return 0, 0, 0
	}
	p := r.columns / 2
	length := (len(r.blocks) + scoreGroups - 1) / scoreGroups
	u, part := make([]float64, p), mat.NewDense(p, p, nil)
	whole, squares, in := 0.0, 0.0, 0
	var square mat.Dense
	flush := func() {
		sum += floats.Dot(u, u)
		squares += inner(part, part)
		whole += mat.Trace(part)
		clear(u)
		part.Zero()
		in = 0
	}
	for i, b := range r.blocks {
		if in == length || in > 0 && r.blocks[i-1].Run != b.Run {
			flush()
		}
		in++
		f := b.Joints[k]
		if f.Rows == 0 {
			continue
		}
		q := r.projectedInstruments(f, k, root, weight)
		for row, d := range residuals(f, r.masks[k], x) {
			floats.AddScaled(u, weight*d, q.RawRowView(row))
		}
		square.Mul(q.T(), q)
		part.Add(part, &square)
	}
	flush()
	if expect = whole - squares; !(expect > 0) {
		return 0, 0, 0
	}
	return sum, expect, 2 * squares / (expect * expect)
}
