package filter

import (
	"fmt"
	"iter"
	"math"
	"math/cmplx"
	"sort"
)

// Tail is a number of samples after which the forward-backward impulse response
// is negligible: the absolute sum of all that lies further from its centre, on
// both sides, is below tol times the gain at zero frequency. Samples further than
// Tail(tol) from an end of a block are therefore within tol·max|x|, times a small
// number for the end's extension, of what the whole signal would have given.
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

// oneWay is Tail for a single pass.
func (s SOS) oneWay(tol float64) int {
	poles, a := s.fractions()
	return rest(poles, a, tol*s.gain)
}

// fractions returns the poles and the weights of pⁿ⁻¹ in the one-way response.
// The poles of Butterworth and Chebyshev filters are simple.
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

// rest is the smallest n with Σ |a|·|p|ⁿ/(1-|p|) < limit.
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

// Span is one block of a long signal: samples [Lo, Hi) are read and filtered,
// and the results of samples [First, Last) are kept.
type Span struct {
	Lo, First, Last, Hi int
}

// Spans cuts n samples into blocks of at most block kept samples, each read with
// overlap samples more on both sides as far as the signal goes. Filtered with an
// overlap of Tail(tol), the kept parts together are the whole signal filtered at
// once; Half of a FIR filter and two samples a difference do the same exactly.
// It panics unless block is positive and overlap is not negative.
func Spans(n, block, overlap int) iter.Seq[Span] {
	if block < 1 || overlap < 0 {
		panic(fmt.Sprintf("filter: blocks of %d samples with an overlap of %d", block, overlap))
	}
	return func(yield func(Span) bool) {
		for first := 0; first < n; first += block {
			last := min(first+block, n)
			if !yield(Span{Lo: max(first-overlap, 0), First: first, Last: last, Hi: min(last+overlap, n)}) {
				return
			}
		}
	}
}
