package conic

import "math"

// Sym4 is a symmetric 4×4 matrix as ten numbers: the diagonal, then the upper triangle
// row by row times √2, so that the trace of a product of two matrices is the inner
// product of the vectors.
type Sym4 [10]float64

var root2 = math.Sqrt2

// Matrix unpacks S.
func (s *Sym4) Matrix() (m [4][4]float64) {
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

// NewSym4 packs the symmetric part of m.
func NewSym4(m *[4][4]float64) (s Sym4) {
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

// Congruence returns T·S·Tᵀ.
func Congruence(t *[4][4]float64, s *Sym4) Sym4 {
	m := s.Matrix()
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
	return NewSym4(&out)
}

// Transpose returns Tᵀ.
func Transpose(t *[4][4]float64) (out [4][4]float64) {
	for a := range 4 {
		for b := range 4 {
			out[a][b] = t[b][a]
		}
	}
	return out
}

// Eigen is the decomposition S = Rowsᵀ·diag(Values)·Rows, values in no order.
type Eigen struct {
	Values [4]float64
	Rows   [4][4]float64
}

// NewEigen decomposes S by Jacobi's method, which is fast for 4×4 and keeps the relative
// accuracy of small eigenvalues of nearly diagonal matrices.
func NewEigen(s *Sym4) (e Eigen) {
	m := s.Matrix()
	for a := range 4 {
		e.Rows[a][a] = 1
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
				// Where θ² overflows, the rotation is the identity.
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
					e.Rows[a][k], e.Rows[b][k] = c*e.Rows[a][k]-sn*e.Rows[b][k], sn*e.Rows[a][k]+c*e.Rows[b][k]
				}
				m[a][b], m[b][a] = 0, 0
			}
		}
	}
	for a := range 4 {
		e.Values[a] = m[a][a]
	}
	return e
}

// Min returns the smallest eigenvalue.
func (e *Eigen) Min() float64 {
	return min(e.Values[0], e.Values[1], e.Values[2], e.Values[3])
}

// ShiftedInverse returns factor·(S − shift·I)⁻¹.
func ShiftedInverse(s *Sym4, shift, factor float64) Sym4 {
	e := NewEigen(s)
	var v Sym4
	for i := range 4 {
		v[i] = factor / (e.Values[i] - shift)
	}
	t := Transpose(&e.Rows)
	return Congruence(&t, &v)
}

// CongruenceMatrix sets out to the matrix of d ↦ T·d·Tᵀ.
func CongruenceMatrix(t *[4][4]float64, out *[10][10]float64) {
	ka := 4
	for a := range 4 {
		for b := a; b < 4; b++ {
			row := &out[a]
			f := 1.0
			if b > a {
				row, f = &out[ka], root2
				ka++
			}
			kc := 4
			for c := range 4 {
				row[c] = f * t[a][c] * t[b][c]
				for d := c + 1; d < 4; d++ {
					row[kc] = f / root2 * (t[a][c]*t[b][d] + t[a][d]*t[b][c])
					kc++
				}
			}
		}
	}
}

// Mul returns the product a·b.
func Mul(a, b *[4][4]float64) (out [4][4]float64) {
	for i := range 4 {
		for j := range 4 {
			out[i][j] = a[i][0]*b[0][j] + a[i][1]*b[1][j] + a[i][2]*b[2][j] + a[i][3]*b[3][j]
		}
	}
	return out
}
