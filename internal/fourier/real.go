package fourier

import "fmt"

// Real transforms real sequences of one length. It serves one goroutine.
type Real struct {
	n     int
	of    *transform
	split []complex128 // exp(-2πik/n), of an even n
}

// New prepares sequences of n numbers. It panics unless n is positive.
func New(n int) *Real {
	if n < 1 {
		panic(fmt.Sprintf("fourier: a sequence needs a power of two of numbers, not %d", n))
	}
	all := roots(n)
	if n%2 == 0 { // pairs of neighbours are complex numbers
		return &Real{n, newTransform(n/2, all), all[:n/2]}
	}
	return &Real{n: n, of: newTransform(n, all)}
}

// Len returns the length of a sequence.
func (f *Real) Len() int { return f.n }

// Coefficients are Σ x[t]·exp(-2πikt/n) for k = 0 … n/2, stored in dst, which is made where it is nil.
func (f *Real) Coefficients(dst []complex128, x []float64) []complex128 {
	if len(x) != f.n {
		panic(fmt.Sprintf("fourier: %d numbers where sequences have %d", len(x), f.n))
	}
	if dst == nil {
		dst = make([]complex128, f.n/2+1)
	}
	dst = dst[:f.n/2+1]
	in := f.of.in
	if f.split == nil {
		for i, v := range x {
			in[i] = complex(v, 0)
		}
		copy(dst, f.of.run())
		return dst
	}
	for i := range in {
		in[i] = complex(x[2*i], x[2*i+1])
	}
	z := f.of.run()
	h := len(z)
	dst[0], dst[h] = complex(real(z[0])+imag(z[0]), 0), complex(real(z[0])-imag(z[0]), 0)
	for k := 1; k < h; k++ {
		u, v := z[k], z[h-k]
		even := complex(0.5*(real(u)+real(v)), 0.5*(imag(u)-imag(v)))
		odd := complex(0.5*(imag(u)+imag(v)), 0.5*(real(v)-real(u)))
		dst[k] = even + f.split[k]*odd
	}
	return dst
}
