package filter

import (
	"fmt"
	"math"
	"math/cmplx"
	"sort"
)

// Tail returns the number of samples n for which the forward-backward impulse response
// further than n from its centre, on both sides, has an absolute sum below tol
// times the gain at zero frequency. Samples further than Tail(tol) from an end of a
// block therefore differ from those of the whole signal by tol·max|x|, times a
// small number for the extension of the end.
//
// With poles p and one-way partial fractions h[n] = Σ A·pⁿ⁻¹ for n > 0, the
// forward-backward response is Σ R·p^(|n|-1) with R = A·H(1/p); the bound is the
// sum of the geometric rests of |R|·|p|ⁿ⁻¹. It panics unless tol > 0.
func (s SOS) Tail(tol float64) int {
	poles, a := s.fractions()
	for i, p := range poles {
		a[i] *= 2 * s.at(1-p, 1+p)
	}
	return rest(poles, a, tol*s.gain*s.gain)
}

// oneWay does the same as Tail for a forward pass only.
func (s SOS) oneWay(tol float64) int {
	poles, a := s.fractions()
	return rest(poles, a, tol*s.gain)
}

// fractions returns the poles p and the weights of pⁿ⁻¹ in the one-way response, by partial fractions; the poles of a
// Butterworth filter are simple.
func (s SOS) fractions() (poles, a []complex128) {
	for m, c := range s.sections {
		p := c.pole()
		others := complex(s.gain, 0)
		for l, o := range s.sections {
			if l != m {
				others *= o.at(p-1, p+1)
			}
		}
		g := complex(c.g, 0)
		if c.k == 0 {
			poles = append(poles, p)
			a = append(a, others*g*(p+1)/(1+g))
			continue
		}
		lead := complex(1+c.g*(c.g+c.k), 0)
		weight := others * g * g * (p + 1) * (p + 1) / (lead * complex(0, 2*imag(p)))
		poles = append(poles, p, cmplx.Conj(p))
		a = append(a, weight, cmplx.Conj(weight))
	}
	return poles, a
}

// rest returns the smallest n with Σ |a|·|p|ⁿ/(1-|p|) < limit.
func rest(poles, a []complex128, limit float64) int {
	if len(poles) == 0 {
		return 0
	}
	if !(limit > 0) {
		panic(fmt.Sprintf("filter: tolerance of a tail must be positive, not %g", limit))
	}
	below := func(n int) bool {
		sum := 0.0
		for i, p := range poles {
			r := cmplx.Abs(p)
			sum += cmplx.Abs(a[i]) * math.Pow(r, float64(n)) / (1 - r)
		}
		return sum < limit
	}
	hi := 1
	for !below(hi) && hi < math.MaxInt/4 {
		hi *= 2
	}
	return sort.Search(hi, below)
}
