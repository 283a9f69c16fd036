package eigen

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Scaled decomposes a small symmetric matrix of any scale by gonum: its eigenvalues, ascending, and the eigenvectors as
// columns if they are asked for, else nil. The matrix is scaled to entries of about one first, by a power of two and so
// without rounding: gonum's iteration panics where squares of entries underflow. ok is false where an entry is not
// finite, and where the iteration does not converge.
func Scaled(s *mat.SymDense, vectors bool) (values []float64, axes *mat.Dense, ok bool) {
	n := s.SymmetricDim()
	largest := 0.0
	for i := range n {
		for k := i; k < n; k++ {
			v := math.Abs(s.At(i, k))
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, nil, false
			}
			largest = max(largest, v)
		}
	}
	_, exponent := math.Frexp(largest)
	unit := mat.NewSymDense(n, nil)
	for i := range n {
		for k := i; k < n; k++ {
			if v := math.Ldexp(s.At(i, k), -exponent); math.Abs(v) >= 0x1p-500 { // otherwise its square underflows beside the largest entry
				unit.SetSym(i, k, v)
			}
		}
	}
	var e mat.EigenSym
	if !e.Factorize(unit, vectors) {
		return nil, nil, false
	}
	values = e.Values(nil)
	for i := range values {
		values[i] = math.Ldexp(values[i], exponent)
	}
	if vectors {
		axes = new(mat.Dense)
		e.VectorsTo(axes)
	}
	return values, axes, true
}
