package estimate

import "math"

// A symmetric 4×4 matrix is a vector of ten here: the diagonal, then the upper
// triangle row by row times √2, so that the trace of a product is the product
// of the vectors.
type sym4 [10]float64

var root2 = math.Sqrt2

func (s *sym4) matrix() (m [4][4]float64) {
	k := 4
	for a := range 4 {
		m[a][a] = s[a]
		for b := a + 1; b < 4; b++ {
			m[a][b] = s[k] / root2
			m[b][a] = m[a][b]
			k++
		}
	}
	return m
}

func vector4(m *[4][4]float64) (s sym4) {
	k := 4
	for a := range 4 {
		s[a] = m[a][a]
		for b := a + 1; b < 4; b++ {
			s[k] = (m[a][b] + m[b][a]) / root2
			k++
		}
	}
	return s
}

// congruent returns T·S·Tᵀ.
func congruent(t *[4][4]float64, s *sym4) sym4 {
	m := s.matrix()
	var half, out [4][4]float64
	for a := range 4 {
		for b := range 4 {
			half[a][b] = t[a][0]*m[0][b] + t[a][1]*m[1][b] + t[a][2]*m[2][b] + t[a][3]*m[3][b]
		}
	}
	for a := range 4 {
		for b := a; b < 4; b++ {
			out[a][b] = half[a][0]*t[b][0] + half[a][1]*t[b][1] + half[a][2]*t[b][2] + half[a][3]*t[b][3]
			out[b][a] = out[a][b]
		}
	}
	return vector4(&out)
}

func transposed(t *[4][4]float64) (out [4][4]float64) {
	for a := range 4 {
		for b := range 4 {
			out[a][b] = t[b][a]
		}
	}
	return out
}

// spectrum is a symmetric 4×4 matrix taken apart: matrix = rowsᵀ·diag(values)·rows.
type spectrum struct {
	values [4]float64
	rows   [4][4]float64
}

// newSpectrum is Jacobi's method: for matrices so small it is fast, and it keeps
// the relative accuracy of small eigenvalues of matrices that are nearly diagonal.
func newSpectrum(s *sym4) (e spectrum) {
	m := s.matrix()
	for a := range 4 {
		e.rows[a][a] = 1
	}
	for range 30 {
		off := 0.0
		for a := range 4 {
			for b := a + 1; b < 4; b++ {
				// With ε² = 5e-32, such an entry moves no eigenvalue by a rounding error.
				if m[a][b]*m[a][b] > 1e-34*math.Abs(m[a][a]*m[b][b]) {
					off = 1
				}
			}
		}
		if off == 0 {
			break
		}
		for a := range 4 {
			for b := a + 1; b < 4; b++ {
				if m[a][b] == 0 {
					continue
				}
				theta := (m[b][b] - m[a][a]) / (2 * m[a][b])
				// θ² beyond the range of numbers is a rotation by zero.
				t := 1 / (math.Abs(theta) + math.Sqrt(theta*theta+1))
				if theta < 0 {
					t = -t
				}
				c := 1 / math.Sqrt(t*t+1)
				sn := t * c
				for k := range 4 {
					m[k][a], m[k][b] = c*m[k][a]-sn*m[k][b], sn*m[k][a]+c*m[k][b]
				}
				for k := range 4 {
					m[a][k], m[b][k] = c*m[a][k]-sn*m[b][k], sn*m[a][k]+c*m[b][k]
					e.rows[a][k], e.rows[b][k] = c*e.rows[a][k]-sn*e.rows[b][k], sn*e.rows[a][k]+c*e.rows[b][k]
				}
				m[a][b], m[b][a] = 0, 0
			}
		}
	}
	for a := range 4 {
		e.values[a] = m[a][a]
	}
	return e
}

func (e *spectrum) least() float64 {
	return min(e.values[0], e.values[1], e.values[2], e.values[3])
}
