package eigen

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Symmetric is the decomposition of a symmetric matrix, and the memory of the next one of the same size. The zero Symmetric
// is ready.
type Symmetric struct {
	Values  []float64   // ascending
	Vectors [][]float64 // of unit norm, one a value

	reflections
	d, e         []float64 // the tridiagonal matrix
	rows         []float64 // vectors before they are sorted, one per row
	cosine, sine []float64 // rotations of a sweep
	order        []int
}

// together is the number of columns that rotate together in vector registers.
const together = 16

// sweeps bounds the iterations for one eigenvalue; two are usual.
const sweeps = 30

// Factorize decomposes the n×n matrix whose upper triangle a holds, row-major; a is only read. It returns false where a
// number is not finite or the iteration does not converge. It panics where a has another size.
func (s *Symmetric) Factorize(a []float64, n int) bool { return s.decompose(a, n, true) }

// FactorizeValues is Factorize of the values alone, to the same bits. The vectors are overwritten.
func (s *Symmetric) FactorizeValues(a []float64, n int) bool { return s.decompose(a, n, false) }

func (s *Symmetric) decompose(a []float64, n int, vectors bool) bool {
	if len(a) != n*n {
		panic(fmt.Sprintf("eigen: %d numbers of a matrix of %d rows", len(a), n))
	}
	s.resize(n)
	if n == 0 {
		return true
	}
	for i := range n {
		for j := i; j < n; j++ {
			if v := a[i*n+j]; math.IsNaN(v) || math.IsInf(v, 0) {
				return false
			}
		}
	}
	s.tridiagonalize(s.d, s.e, a, vectors)
	if vectors {
		s.transposed(s.rows)
	}
	if !s.iterate(vectors) {
		return false
	}
	for i := range s.order {
		s.order[i] = i
	}
	slices.SortStableFunc(s.order, func(i, j int) int { return cmp.Compare(s.d[i], s.d[j]) })
	for k, i := range s.order {
		s.Values[k], s.Vectors[k] = s.d[i], s.rows[i*s.stride:][:n:n]
	}
	return true
}

func (s *Symmetric) resize(n int) {
	if n == s.n && s.a != nil {
		return
	}
	s.reflections.resize(n, whole(n))
	numbers := func(k int) []float64 { return make([]float64, k) }
	s.rows, s.d, s.e = numbers(n*s.stride), numbers(n), numbers(n)
	s.cosine, s.sine, s.Values = numbers(n), numbers(n), numbers(n)
	s.order, s.Vectors = make([]int, n), make([][]float64, n)
}

// iterate makes the tridiagonal matrix with diagonal d and neighbours e diagonal, and turns the vectors if asked for. e has one
// number more, zero.
func (s *Symmetric) iterate(vectors bool) bool {
	const rounding = 0x1p-52
	n, d, e := s.n, s.d, s.e
	e[n-1] = 0
	for l := range n {
		for sweep := 0; ; sweep++ {
			m := l
			for m < n-1 && math.Abs(e[m]) > rounding*(math.Abs(d[m])+math.Abs(d[m+1])) {
				m++
			}
			if m == l {
				break
			}
			if sweep == sweeps {
				return false
			}
			// Wilkinson's shift.
			g := (d[l+1] - d[l]) / (2 * e[l])
			g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Sqrt(float64(g*g)+1), g))
			sin, cos, p := 1.0, 1.0, 0.0
			i := m - 1
			for ; i >= l; i-- {
				f, b := sin*e[i], cos*e[i]
				square := math.FMA(g, g, f*f)
				r := math.Sqrt(square)
				e[i+1] = r
				if r == 0 { // the matrix falls apart here
					d[i+1] -= p
					e[m] = 0
					break
				}
				// The division does not wait for the root.
				inverse := r * (1 / square)
				sin, cos = f*inverse, g*inverse
				g = d[i+1] - p
				r = math.FMA(d[i]-g, sin, 2*b*cos)
				p = sin * r
				d[i+1] = g + p
				g = math.FMA(cos, r, -b)
				s.cosine[i], s.sine[i] = cos, sin
			}
			if vectors {
				s.rotate(i+1, m)
			}
			if i >= l {
				continue
			}
			d[l] -= p
			e[l] = g
			e[m] = 0
		}
	}
	return true
}

// rotate applies the rotations m-1, m-2, …, first of a sweep to the rows of vectors, of which rotation i turns i and i+1.
// Some columns at a time stay in registers from one rotation to the next.
func (s *Symmetric) rotate(first, m int) {
	if !s.rotateVectors(first, m) {
		s.rotatePortably(first, m)
	}
}

func (s *Symmetric) rotatePortably(first, m int) {
	n, z := s.stride, s.rows
	for at := 0; at < n; at += 4 {
		last := z[m*n+at:][:4]
		x0, x1, x2, x3 := last[0], last[1], last[2], last[3]
		for i := m - 1; i >= first; i-- {
			c, t := s.cosine[i], s.sine[i]
			to, from := z[(i+1)*n+at:][:4], z[i*n+at:][:4]
			y0, y1, y2, y3 := from[0], from[1], from[2], from[3]
			to[0] = math.FMA(c, x0, t*y0)
			to[1] = math.FMA(c, x1, t*y1)
			to[2] = math.FMA(c, x2, t*y2)
			to[3] = math.FMA(c, x3, t*y3)
			x0 = math.FMA(-t, x0, c*y0)
			x1 = math.FMA(-t, x1, c*y1)
			x2 = math.FMA(-t, x2, c*y2)
			x3 = math.FMA(-t, x3, c*y3)
		}
		end := z[first*n+at:][:4]
		end[0], end[1], end[2], end[3] = x0, x1, x2, x3
	}
}
