package excite

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Criterion is the quantity that a design minimises. All but ConditionNumber measure the covariance of the estimate,
// with each parameter in units of 1/(norm of its column on random motions within the limits), so that physical units do
// not matter.
type Criterion string

// The criteria. σ are the singular values of the weighted rows with scaled
// columns, stacked on the prior rows.
const (
	// ConditionNumber is the condition number with columns scaled to unit norm.
	ConditionNumber Criterion = "condition"
	// DOptimal is the geometric mean deviation, exp(-mean ln σ): the volume of
	// the confidence ellipsoid.
	DOptimal Criterion = "D"
	// AOptimal is the root mean square deviation, √(mean σ⁻²).
	AOptimal Criterion = "A"
	// EOptimal is the standard deviation of the least determined direction, 1/min σ.
	EOptimal Criterion = "E"
)

// ParseCriterion returns the criterion with a name, ignoring case.
func ParseCriterion(name string) (Criterion, error) {
	for _, c := range []Criterion{ConditionNumber, DOptimal, AOptimal, EOptimal} {
		if strings.EqualFold(name, string(c)) {
			return c, nil
		}
	}
	return "", fmt.Errorf("unknown criterion %q; the criteria are condition, D, A and E", name)
}

// Text describes the criterion.
func (c Criterion) Text() string {
	switch c {
	case DOptimal:
		return "geometric mean of the parameters' scaled standard deviations (D-optimal)"
	case AOptimal:
		return "root mean square of the parameters' scaled standard deviations (A-optimal)"
	case EOptimal:
		return "scaled standard deviation of the least determined direction (E-optimal)"
	}
	return "condition number of the base regressor, columns scaled to unit norm"
}

// Of returns the criterion for singular values in descending order; +Inf if the smallest is not positive.
func (c Criterion) Of(sigma []float64) float64 {
	small := sigma[len(sigma)-1]
	if !(small > 0) {
		return math.Inf(1)
	}
	n := float64(len(sigma))
	switch c {
	case DOptimal:
		sum := 0.0
		for _, s := range sigma {
			sum += math.Log(s)
		}
		return math.Exp(-sum / n)
	case AOptimal:
		sum := 0.0
		for _, s := range sigma {
			sum += (small / s) * (small / s)
		}
		return math.Sqrt(sum/n) / small
	case EOptimal:
		return 1 / small
	}
	return sigma[0] / small
}

// smooth returns the logarithm of the criterion with p-norms (p a power of two) in place of extreme singular values, and
// writes its derivatives by ln σ to slope.
func (c Criterion) smooth(slope, sigma []float64, p int) float64 {
	n := len(sigma)
	big, small := sigma[0], sigma[n-1]
	if c == DOptimal {
		for i := range slope {
			slope[i] = -1 / float64(n)
		}
		return math.Log(c.Of(sigma))
	}
	shrink := p
	if c == AOptimal {
		shrink = 2
	}
	clear(slope)
	f := -math.Log(small)
	sum := 0.0
	for _, s := range sigma {
		sum += power(small/s, shrink)
	}
	for i, s := range sigma {
		slope[i] = -power(small/s, shrink) / sum
	}
	if c == AOptimal {
		return f + (math.Log(sum)-math.Log(float64(n)))/2
	}
	f += math.Log(sum) / float64(p)
	if c == EOptimal {
		return f
	}
	sum = 0
	for _, s := range sigma {
		sum += power(s/big, p)
	}
	for i, s := range sigma {
		slope[i] += power(s/big, p) / sum
	}
	return f + math.Log(big) + math.Log(sum)/float64(p)
}

// byInverse reports whether the criterion smoothed to order p is a function of the inverse of the columns' products: see
// smoothByInverse.
func (c Criterion) byInverse(p int) bool { return p == 2 || c == AOptimal || c == DOptimal }

// smoothByInverse is smooth without singular values, for orders of byInverse, and stores in inner what sensitivity does: with
// G the products of the scaled columns,
//
//	Σ σ² = tr G,  Σ σ⁻² = tr G⁻¹,  Σ ln σ = ½ ln det G
//
// and V·diag(slopeᵢ/σᵢ²)·Vᵀ is a sum of multiples of G⁻², G⁻¹ and the identity. value is the criterion, of the
// condition number and E-optimality with root mean squares in place of the largest σ and 1/σ, which is less. ok is false
// where G is nearly singular.
func (e *spectrum) smoothByInverse(inner *mat.Dense, c Criterion) (f, value float64, ok bool) {
	trace, ok := e.invert()
	if !ok {
		return 0, 0, false
	}
	n, out := len(e.use), inner.RawMatrix().Data
	inverse, matrix, factor, identity := &e.inverse, e.inverse.Rows, -1/float64(n), 0.0
	f, of := -inverse.LogDeterminant/2/float64(n), 1.0
	if c != DOptimal {
		matrix, factor = inverse.Square(), -1/inverse.Trace
		f, of = math.Log(inverse.Trace)/2, 1/math.Sqrt(float64(n))
	}
	value = of * math.Exp(f)
	switch c {
	case AOptimal:
		f = math.Log(value)
	case ConditionNumber:
		f += math.Log(trace) / 2
		value *= of * math.Sqrt(trace)
		identity = 1 / trace
	}
	for i, row := range matrix {
		to := out[i*n : (i+1)*n]
		for k, x := range row {
			to[k] = factor * x / (e.norms[i] * e.norms[k])
		}
		if e.fixed == nil {
			identity = inverse.Rows[i][i] / inverse.Trace // less h of sensitivity, with ones on G's diagonal
		}
		to[i] += identity / (e.norms[i] * e.norms[i])
	}
	return f, value, true
}

// sensitivity stores in inner the symmetric matrix K such that the derivative of the
// criterion by the weighted rows W is W·K: with D the columns' norms and V the right
// singular vectors,
//
//	K = D⁻¹·(V·diag(slopeᵢ/σᵢ²)·Vᵀ - diag h)·D⁻¹,  h = diag(V·diag(slope)·Vᵀ)
//
// where h, the part of the norms' own change, is zero for fixed norms.
func (e *spectrum) sensitivity(inner *mat.Dense, slope []float64) {
	n := len(slope)
	v, out := e.v.RawMatrix().Data, inner.RawMatrix().Data
	clear(out)
	// A product of columns with each other for the slopes of either sign: ±Wᵀ·W of W = diag(√|slope|/σ)·Vᵀ.
	for _, sign := range []float64{1, -1} {
		for i, s := range slope {
			e.scale[i] = math.Sqrt(max(sign*s, 0)) / e.sigma[i]
		}
		for c := range n {
			floats.MulTo(e.part[c], v[c*n:(c+1)*n], e.scale)
		}
		e.work.Gram(out, n, e.all, e.part)
		for i := range out {
			out[i] = -out[i]
		}
	}
	for c := range n {
		if e.fixed == nil {
			h := 0.0
			for i, x := range v[c*n : (c+1)*n] {
				h += x * x * slope[i]
			}
			out[c*n+c] -= h
		}
		for d := c; d < n; d++ {
			out[c*n+d] /= e.norms[c] * e.norms[d]
			out[d*n+c] = out[c*n+d]
		}
	}
}
