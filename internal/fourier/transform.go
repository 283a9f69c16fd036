package fourier

import (
	"math"
	"math/cmplx"
)

// transform is the Fourier transform of complex sequences of one length. The caller writes the sequence to in.
type transform struct {
	in, other []complex128
	stages    []stage
	chirp     *chirp // of a length with a large prime factor, in place of stages
}

// stage is a step by one factor of the length.
type stage struct {
	radix, rest, stride int
	turns               []complex128 // radix-1 of each of the rest
	roots               []complex128 // exp(-2πik/radix), of a radix without formulas
}

// largestRadix is the prime factor up to which a step takes its square in operations.
const largestRadix = 31

// newTransform takes roots of n or of a multiple of it.
func newTransform(n int, roots []complex128) *transform {
	t := &transform{in: make([]complex128, n)}
	var stages []stage
	for left, stride := n, 1; left > 1; {
		r := factor(left)
		if r > largestRadix {
			t.chirp = newChirp(n)
			return t
		}
		s := stage{radix: r, rest: left / r, stride: stride, turns: make([]complex128, 0, left/r*(r-1))}
		step := len(roots) / left
		for p := range s.rest {
			for j := 1; j < r; j++ {
				s.turns = append(s.turns, roots[p*j*step])
			}
		}
		for k := 0; r > 5 && k < r; k++ {
			s.roots = append(s.roots, roots[k*len(roots)/r])
		}
		stages = append(stages, s)
		left, stride = left/r, stride*r
	}
	t.other, t.stages = make([]complex128, n), stages
	return t
}

// factor is one that a step takes of n.
func factor(n int) int {
	for _, r := range []int{5, 4, 3, 2} {
		if n%r == 0 {
			return r
		}
	}
	for r := 7; r*r <= n; r += 2 {
		if n%r == 0 {
			return r
		}
	}
	return n
}

// roots are exp(-2πik/n), k = 0 … n-1.
func roots(n int) []complex128 {
	out := make([]complex128, n)
	for k := range out {
		switch {
		case k <= n/8 || n%8 != 0:
			s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
			out[k] = complex(c, -s)
		case k <= n/4: // mirrored at an eighth of the circle
			z := out[n/4-k]
			out[k] = complex(-imag(z), -real(z))
		default: // a quarter of the circle before
			z := out[k-n/4]
			out[k] = complex(imag(z), -real(z))
		}
	}
	return out
}

// run returns the transform of the numbers in t.in, in memory that the next run takes.
func (t *transform) run() []complex128 {
	if t.chirp != nil {
		t.chirp.run(t.in)
		return t.in
	}
	x, y := t.in, t.other
	for i := range t.stages {
		s := &t.stages[i]
		switch s.radix {
		case 2:
			s.two(y, x)
		case 3:
			s.three(y, x)
		case 4:
			s.four(y, x)
		case 5:
			s.five(y, x)
		default:
			s.any(y, x)
		}
		x, y = y, x
	}
	return x
}

// chirp makes a transform of any length a convolution with exp(iπk²/n), by transforms of a power of two (Bluestein, IEEE
// Trans. Audio Electroacoustics 18, 1970).
type chirp struct {
	turns []complex128 // exp(-iπk²/n)
	of    *transform
	other []complex128 // transform of the conjugate turns, over its length
}

func newChirp(n int) *chirp {
	size := 1
	for size < 2*n-1 {
		size *= 2
	}
	c := &chirp{of: newTransform(size, roots(size)), other: make([]complex128, size)}
	all := roots(2 * n)
	for k := range n {
		c.turns = append(c.turns, all[k*k%(2*n)])
	}
	in := c.of.in
	for k, w := range c.turns {
		in[k] = cmplx.Conj(w)
		in[(size-k)%size] = in[k]
	}
	for k, v := range c.of.run() {
		c.other[k] = v / complex(float64(size), 0)
	}
	return c
}

// run replaces x by its transform.
func (c *chirp) run(x []complex128) {
	in := c.of.in
	clear(in)
	for k, v := range x {
		in[k] = v * c.turns[k]
	}
	for k, v := range c.of.run() { // the inverse of a transform is that of the conjugate numbers
		in[k] = cmplx.Conj(v * c.other[k])
	}
	out := c.of.run()
	for k := range x {
		x[k] = cmplx.Conj(out[k]) * c.turns[k]
	}
}
