package plant

import "math"

// factor solves for some joints of an inertia matrix, the others held.
type factor struct {
	n     int
	lower []float64
	index []int
}

func newFactor(n int) factor {
	return factor{n: n, lower: make([]float64, n*n), index: make([]int, 0, n)}
}

// solve replaces b by the solution of the rows and columns that are free, and by zero
// elsewhere. It reports whether the matrix, row-major and symmetric, is positive
// definite there. Cholesky by rows: for the few joints of a robot it takes less time
// than a call of a library's blocked one.
func (f *factor) solve(b, mass []float64, free []bool) bool {
	f.index = f.index[:0]
	for i, ok := range free {
		if ok {
			f.index = append(f.index, i)
		} else {
			b[i] = 0
		}
	}
	n := f.n
	for i, row := range f.index {
		l := f.lower[i*n : i*n+i+1]
		for j, col := range f.index[:i+1] {
			s := mass[row*n+col]
			m := f.lower[j*n : j*n+j]
			for k, v := range m {
				s -= v * l[k]
			}
			if j < i {
				l[j] = s / f.lower[j*n+j]
				continue
			}
			if !(s > 0) {
				return false
			}
			l[i] = math.Sqrt(s)
		}
		s := b[row]
		for k, v := range l[:i] {
			s -= v * b[f.index[k]]
		}
		b[row] = s / l[i]
	}
	for i := len(f.index) - 1; i >= 0; i-- {
		row := f.index[i]
		s := b[row]
		for k := i + 1; k < len(f.index); k++ {
			s -= f.lower[k*n+i] * b[f.index[k]]
		}
		b[row] = s / f.lower[i*n+i]
	}
	return true
}
