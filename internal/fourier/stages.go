package fourier

import "math"

// A stage of radix r takes x[q + stride·(p + rest·j)], j = 0 … r-1, to y[q + stride·(r·p + j)].

func (s *stage) two(y, x []complex128) {
	n := s.stride
	for p := range s.rest {
		w := s.turns[p]
		a, b := x[n*p:][:n], x[n*(p+s.rest):][:n]
		y0, y1 := y[n*2*p:][:n], y[n*(2*p+1):][:n]
		for q, u := range a {
			v := b[q]
			y0[q] = u + v
			y1[q] = (u - v) * w
		}
	}
}

func (s *stage) three(y, x []complex128) {
	sine := math.Sqrt(3) / 2
	n := s.stride
	for p := range s.rest {
		w1, w2 := s.turns[2*p], s.turns[2*p+1]
		a, b, c := x[n*p:][:n], x[n*(p+s.rest):][:n], x[n*(p+2*s.rest):][:n]
		y0, y1, y2 := y[n*3*p:][:n], y[n*(3*p+1):][:n], y[n*(3*p+2):][:n]
		for q, u := range a {
			sum, d := b[q]+c[q], b[q]-c[q]
			m := complex(real(u)-0.5*real(sum), imag(u)-0.5*imag(sum))
			r := complex(sine*imag(d), -sine*real(d))
			y0[q] = u + sum
			y1[q] = (m + r) * w1
			y2[q] = (m - r) * w2
		}
	}
}

func (s *stage) four(y, x []complex128) {
	n := s.stride
	for p := range s.rest {
		w1, w2, w3 := s.turns[3*p], s.turns[3*p+1], s.turns[3*p+2]
		a, b, c, d := x[n*p:][:n], x[n*(p+s.rest):][:n], x[n*(p+2*s.rest):][:n], x[n*(p+3*s.rest):][:n]
		y0, y1, y2, y3 := y[n*4*p:][:n], y[n*(4*p+1):][:n], y[n*(4*p+2):][:n], y[n*(4*p+3):][:n]
		for q, u := range a {
			even, odd := u+c[q], u-c[q]
			sum, diff := b[q]+d[q], b[q]-d[q]
			r := complex(imag(diff), -real(diff))
			y0[q] = even + sum
			y1[q] = (odd + r) * w1
			y2[q] = (even - sum) * w2
			y3[q] = (odd - r) * w3
		}
	}
}

func (s *stage) five(y, x []complex128) {
	s1, c1 := math.Sincos(2 * math.Pi / 5)
	s2, c2 := math.Sincos(4 * math.Pi / 5)
	n := s.stride
	for p := range s.rest {
		w := s.turns[4*p:][:4]
		w1, w2, w3, w4 := w[0], w[1], w[2], w[3]
		a, b, c, d, e := x[n*p:][:n], x[n*(p+s.rest):][:n], x[n*(p+2*s.rest):][:n], x[n*(p+3*s.rest):][:n], x[n*(p+4*s.rest):][:n]
		y0, y1, y2, y3, y4 := y[n*5*p:][:n], y[n*(5*p+1):][:n], y[n*(5*p+2):][:n], y[n*(5*p+3):][:n], y[n*(5*p+4):][:n]
		for q, u := range a {
			s14, d14 := b[q]+e[q], b[q]-e[q]
			s23, d23 := c[q]+d[q], c[q]-d[q]
			m1 := complex(real(u)+c1*real(s14)+c2*real(s23), imag(u)+c1*imag(s14)+c2*imag(s23))
			m2 := complex(real(u)+c2*real(s14)+c1*real(s23), imag(u)+c2*imag(s14)+c1*imag(s23))
			r1 := complex(s1*imag(d14)+s2*imag(d23), -s1*real(d14)-s2*real(d23))
			r2 := complex(s2*imag(d14)-s1*imag(d23), s1*real(d23)-s2*real(d14))
			y0[q] = u + s14 + s23
			y1[q] = (m1 + r1) * w1
			y2[q] = (m2 + r2) * w2
			y3[q] = (m2 - r2) * w3
			y4[q] = (m1 - r1) * w4
		}
	}
}

func (s *stage) any(y, x []complex128) {
	n, r := s.stride, s.radix
	for p := range s.rest {
		for j := range r {
			w := complex(1, 0)
			if j > 0 {
				w = s.turns[(r-1)*p+j-1]
			}
			out := y[n*(r*p+j):][:n]
			for q := range out {
				sum := complex(0, 0)
				for k, at := 0, 0; k < r; k++ {
					sum += x[n*(p+k*s.rest)+q] * s.roots[at]
					if at += j; at >= r {
						at -= r
					}
				}
				out[q] = sum * w
			}
		}
	}
}
