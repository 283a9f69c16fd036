package filter

import (
	"math"
	"math/big"
	"math/cmplx"
)

// An independent filtfilt: transfer function from the analytic poles, direct form,
// explicit extension, all in 400-bit arithmetic after the poles.

const naiveBits = 400

func bigF(v float64) *big.Float { return new(big.Float).SetPrec(naiveBits).SetFloat64(v) }

func mul(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(naiveBits).Mul(a, b) }

func add(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(naiveBits).Add(a, b) }

func sub(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(naiveBits).Sub(a, b) }

func polymul(a, b []*big.Float) []*big.Float {
	c := make([]*big.Float, len(a)+len(b)-1)
	for i := range c {
		c[i] = bigF(0)
	}
	for i := range a {
		for j := range b {
			c[i+j] = add(c[i+j], mul(a[i], b[j]))
		}
	}
	return c
}

// transfer returns the coefficients of B(w)/A(w), w = 1/z, for the analogue poles
// (upper half plane and real ones), prewarped to warp = tan(π·cutoff/rate), scaled
// to the given gain at zero frequency.
func transfer(poles []complex128, warp, gain float64) (b, a []*big.Float) {
	b, a = []*big.Float{bigF(1)}, []*big.Float{bigF(1)}
	for _, p := range poles {
		// (1-w) - pole·(1+w) = (1-pole) - (1+pole)·w, times its conjugate.
		re, im := mul(bigF(real(p)), bigF(warp)), mul(bigF(imag(p)), bigF(warp))
		less, more := sub(bigF(1), re), add(bigF(1), re)
		if imag(p) == 0 {
			a = polymul(a, []*big.Float{less, sub(bigF(0), more)})
			b = polymul(b, []*big.Float{bigF(1), bigF(1)})
			continue
		}
		im2 := mul(im, im)
		c0 := add(mul(less, less), im2)
		c1 := mul(bigF(-2), sub(mul(less, more), im2))
		c2 := add(mul(more, more), im2)
		a = polymul(a, []*big.Float{c0, c1, c2})
		b = polymul(b, []*big.Float{bigF(1), bigF(2), bigF(1)})
	}
	sa, sb := bigF(0), bigF(0)
	for i := range a {
		sa, sb = add(sa, a[i]), add(sb, b[i])
	}
	k := new(big.Float).SetPrec(naiveBits).Quo(mul(sa, bigF(gain)), sb)
	lead := a[0]
	for i := range a {
		b[i] = new(big.Float).SetPrec(naiveBits).Quo(mul(b[i], k), lead)
		a[i] = new(big.Float).SetPrec(naiveBits).Quo(a[i], lead)
	}
	return b, a
}

// filterOnce runs y = B/A·x in the transposed direct form from the steady state of
// a constant input x[0] and output gain·x[0].
func filterOnce(b, a, x []*big.Float, gain float64) []*big.Float {
	n := len(b) - 1
	z := make([]*big.Float, n+1)
	z[n] = bigF(0)
	for m := n - 1; m >= 0; m-- {
		step := sub(b[m+1], mul(a[m+1], bigF(gain)))
		z[m] = add(z[m+1], mul(step, x[0]))
	}
	y := make([]*big.Float, len(x))
	for k, v := range x {
		y[k] = add(mul(b[0], v), z[0])
		for m := range n {
			z[m] = sub(add(z[m+1], mul(b[m+1], v)), mul(a[m+1], y[k]))
		}
	}
	return y
}

func naiveFiltfilt(b, a []*big.Float, gain float64, x []float64, pad int) []float64 {
	n := len(x)
	var at func(k int) *big.Float
	at = func(k int) *big.Float {
		switch {
		case k < 0:
			return sub(bigF(2*x[0]), at(-k))
		case k >= n:
			return sub(bigF(2*x[n-1]), at(2*(n-1)-k))
		}
		return bigF(x[k])
	}
	var ext []*big.Float
	for k := -pad; k < n+pad; k++ {
		ext = append(ext, at(k))
	}
	reverse := func(v []*big.Float) []*big.Float {
		r := make([]*big.Float, len(v))
		for i := range v {
			r[len(v)-1-i] = v[i]
		}
		return r
	}
	y := reverse(filterOnce(b, a, reverse(filterOnce(b, a, ext, gain)), gain))
	out := make([]float64, n)
	for i := range out {
		out[i], _ = y[pad+i].Float64()
	}
	return out
}

// butterworthCircle returns the analogue poles on the unit circle.
func butterworthCircle(order int) []complex128 {
	var p []complex128
	for m := range order / 2 {
		p = append(p, cmplx.Rect(1, math.Pi*(0.5+float64(2*m+1)/float64(2*order))))
	}
	if order%2 == 1 {
		p = append(p, -1)
	}
	return p
}
