package filter

import (
	"fmt"
	"math/cmplx"

	"ident/internal/vectorunit"
)

// stepMultiple must divide the step of a Decimator.
const stepMultiple = 8

// Decimator gives the samples 0, k, 2k, … of a zero-phase low-pass, without those
// between them. The forward-backward response is a sum over the poles p,
//
//	h[n] = Σ R·p^(|n|-1),  n ≠ 0
//
// (see Tail), so a row is the sum of a causal and an anticausal state for each pole,
// and the state at one row follows from that at its neighbour and two inner products
// of the k samples between them with powers of p. A sample then costs four products
// for each pair of poles, whatever the cut-off, and only the inner products see it.
//
// Between Block and Rows a signal is its moments: the inner products of its blocks of
// k samples. A Decimator is immutable and serves any number of goroutines.
type Decimator struct {
	every   int
	modes   []mode
	direct  float64   // weight of the row's own sample beyond the states
	weights []float64 // of the inner products; mode, sample, moment
	tail    int       // blocks within which the response has decayed to cutTail
	kernels kernels   // of a ColumnDecimator
}

// mode is a pole, or a conjugate pair given by its upper pole: a row is the sum of the real parts of all modes' states.
type mode struct {
	pole  complex128
	block complex128 // pole to the power of a block's length
	past  complex128 // state of a signal that was 1 at all samples before the row
	ahead complex128 // state of a signal that is 1 from the row on
	out   complex128 // weight of the sample before the row in the causal state
}

// momentsOfMode is the number of moments for each block and mode: real and imaginary parts of the causal and the
// anticausal inner product.
const momentsOfMode = 4

// NewDecimator returns a decimator that computes every k-th sample of s.ZeroPhase.
// It panics unless k is a positive multiple of eight and s has sections.
func NewDecimator(s SOS, k int) *Decimator {
	if k <= 0 || k%stepMultiple != 0 || len(s.sections) == 0 {
		panic(fmt.Sprintf("filter: a low-pass of %d sections at every %dth sample: there has to be a section, and the step a multiple of %d", len(s.sections), k, stepMultiple))
	}
	d := &Decimator{every: k, tail: tailBlocks(s, k), kernels: kernels{vectors: vectorunit.AVX2()}}
	poles, a := s.fractions()
	d.direct = s.gain * s.gain
	for i, p := range poles {
		if imag(p) < 0 {
			continue
		}
		r := a[i] * s.at(1-p, 1+p)
		if imag(p) > 0 {
			r *= 2 // with that of its conjugate
		}
		// The sum of the whole response is its gain at zero frequency.
		d.direct -= real(2*r/(1-p)) + real(r/p)
		m := mode{pole: p, block: cmplx.Pow(p, complex(float64(k), 0)), past: r / (1 - p), ahead: r / p / (1 - p), out: r}
		d.modes = append(d.modes, m)
		d.weights = append(d.weights, momentWeights(m, k)...)
	}
	return d
}

// momentWeights returns the weights of a mode: the causal state weights sample i of a block by R·p^(k-1-i), the
// anticausal one by R/p·p^i.
func momentWeights(m mode, k int) []float64 {
	w := make([]float64, 0, momentsOfMode*k)
	for i := range k {
		causal := m.out * cmplx.Pow(m.pole, complex(float64(k-1-i), 0))
		ahead := m.out / m.pole * cmplx.Pow(m.pole, complex(float64(i), 0))
		w = append(w, real(causal), imag(causal), real(ahead), imag(ahead))
	}
	return w
}

// Moments returns the number of moments of a signal with the given number of blocks.
func (d *Decimator) Moments(blocks int) int { return blocks * (1 + momentsOfMode*len(d.modes)) }

// Block writes the moments of the blocks in x, a part of a signal with so many blocks, starting at block at. If x does
// not fill the last block, zeros follow.
func (d *Decimator) Block(moments, x []float64, blocks, at int) {
	whole := len(x) / d.every
	own := moments[:d.Moments(blocks)]
	for b := range whole {
		own[at+b] = x[b*d.every]
	}
	size := momentsOfMode * d.every
	for m := range d.modes {
		dst := own[blocks+momentsOfMode*(m*blocks+at):]
		w := d.weights[m*size : (m+1)*size]
		for b := range whole {
			blockMoments(dst[momentsOfMode*b:][:momentsOfMode], x[b*d.every:][:d.every], w)
		}
		if rest := x[whole*d.every:]; len(rest) > 0 {
			own[at+whole] = rest[0]
			blockMoments(dst[momentsOfMode*whole:][:momentsOfMode], rest, w)
		}
	}
}

// blockMoments sets dst to the inner products of a block, which may be shorter than the weights of its mode.
func blockMoments(dst, x, w []float64) {
	var a, b, c, d, e, f, g, h float64 // a to d are the moments of even samples, e to h of odd ones
	for ; len(x) >= 2 && len(w) >= 2*momentsOfMode; x, w = x[2:], w[2*momentsOfMode:] {
		a += float64(x[0] * w[0])
		b += float64(x[0] * w[1])
		c += float64(x[0] * w[2])
		d += float64(x[0] * w[3])
		e += float64(x[1] * w[4])
		f += float64(x[1] * w[5])
		g += float64(x[1] * w[6])
		h += float64(x[1] * w[7])
	}
	if len(x) > 0 {
		a += float64(x[0] * w[0])
		b += float64(x[0] * w[1])
		c += float64(x[0] * w[2])
		d += float64(x[0] * w[3])
	}
	dst[0], dst[1], dst[2], dst[3] = a+e, b+f, c+g, d+h
}

// Ends says how a signal continues beyond its ends.
type Ends struct {
	First, Last float64 // its first and its last sample
	Samples     int
	// Reflected ends are ends of the whole signal, which continues as its point reflection, as in ZeroPhase. Beyond
	// other ends it is constant, and rows within Tail of them are not valid.
	ReflectedFirst, ReflectedLast bool
}

// Rows writes the rows of a signal, one a block, from its moments.
func (d *Decimator) Rows(dst, moments []float64, ends Ends) {
	blocks := (ends.Samples + d.every - 1) / d.every
	dst = dst[:blocks]
	if blocks == 0 {
		return
	}
	for b, x := range moments[:blocks] {
		dst[b] = d.direct * x
	}
	last := ends.Samples - (blocks-1)*d.every // samples of the last block
	for i := range d.modes {
		m := &d.modes[i]
		own := moments[blocks+momentsOfMode*i*blocks:][:momentsOfMode*blocks]
		// States at the end are taken as if the last block were whole.
		short := cmplx.Pow(m.pole, complex(float64(last-d.every), 0))
		before := complex(ends.First, 0) * m.past
		after := complex(ends.Last, 0) * m.ahead * short
		if ends.ReflectedFirst {
			// x[-n] = 2·x[0] - x[n]: samples after the row replace those before it.
			ahead := m.backward(nil, own, after) - complex(ends.First, 0)*m.out/m.pole
			before = 2*before - ahead
		}
		end := m.forward(dst, own, before)
		if ends.ReflectedLast {
			past := (end*short - complex(ends.Last, 0)*m.out) / m.pole // before the last sample
			after = 2*after - past/m.pole*short
		}
		m.backward(dst, own, after)
	}
}

// forward adds the causal states to the rows and returns the state after the last block.
func (m *mode) forward(rows, moments []float64, state complex128) complex128 {
	re, im := real(state), imag(state)
	pr, pi := real(m.block), imag(m.block)
	for b := range rows {
		rows[b] += re
		v := moments[momentsOfMode*b:][:momentsOfMode]
		re, im = float64(pr*re)-float64(pi*im)+v[0], float64(pr*im)+float64(pi*re)+v[1]
	}
	return complex(re, im)
}

// backward adds the anticausal states to the rows, if any, and returns the state of the first block; state is the one
// after the last.
func (m *mode) backward(rows, moments []float64, state complex128) complex128 {
	re, im := real(state), imag(state)
	pr, pi := real(m.block), imag(m.block)
	for b := len(moments)/momentsOfMode - 1; b >= 0; b-- {
		v := moments[momentsOfMode*b:][:momentsOfMode]
		re, im = float64(pr*re)-float64(pi*im)+v[2], float64(pr*im)+float64(pi*re)+v[3]
		if rows != nil {
			rows[b] += re
		}
	}
	return complex(re, im)
}
