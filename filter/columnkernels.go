package filter

import "math"

// kernels are the inner loops of a ColumnDecimator, in vector registers or in Go, with the same bits: products of moments are
// fused everywhere, and all sums are taken in one order.
type kernels struct{ vectors bool }

// interleave writes columns side by side, one row for each sample. Samples at the given distance further on are
// prefetched into the cache for the next call.
func (k kernels) interleave(dst []float64, cols *[abreast][]float64, ahead int) {
	n := len(dst) / abreast
	for i := k.interleaveAsm(dst, cols, n, ahead); i < n; i++ {
		for c, x := range cols {
			dst[i*abreast+c] = x[i]
		}
	}
}

// interleaveBlocks interleaves as many blocks of one signal. Each has n samples; the blocks begin stride samples apart.
func (k kernels) interleaveBlocks(dst, x []float64, stride, n, ahead int) {
	done := k.interleaveBlocksAsm(dst, x, stride, n, ahead)
	for l := range abreast {
		for i, v := range x[l*stride+done : l*stride+n] {
			dst[(done+i)*abreast+l] = v
		}
	}
}

// separate undoes interleave.
func (k kernels) separate(cols *[abreast][]float64, src []float64) {
	n := len(src) / abreast
	for i := k.separateAsm(cols, src, n); i < n; i++ {
		for c, x := range cols {
			x[i] = src[i*abreast+c]
		}
	}
}

// groupMoments sets dst to the moments of a group of blocks of a signal, with the weights of a mode in the order
// sample, moment. The 16 blocks lie side by side; moment m begins at 256·m.
func (k kernels) groupMoments(dst, x, w []float64) {
	if !k.groupMomentsAsm(dst, x, w) {
		groupMomentsGo(dst, x, w)
	}
}

func groupMomentsGo(dst, x, w []float64) {
	for l := 0; l < abreast; l += 2 {
		var a, b, c, d, e, f, g, h float64 // of two blocks
		at := l
		for v := w; len(v) >= momentsOfMode; v = v[momentsOfMode:] {
			p, q := x[at], x[at+1]
			a = math.FMA(p, v[0], a)
			b = math.FMA(p, v[1], b)
			c = math.FMA(p, v[2], c)
			d = math.FMA(p, v[3], d)
			e = math.FMA(q, v[0], e)
			f = math.FMA(q, v[1], f)
			g = math.FMA(q, v[2], g)
			h = math.FMA(q, v[3], h)
			at += abreast
		}
		const square = abreast * abreast
		dst[l], dst[square+l], dst[2*square+l], dst[3*square+l] = a, b, c, d
		dst[l+1], dst[square+l+1], dst[2*square+l+1], dst[3*square+l+1] = e, f, g, h
	}
}

// forward multiplies rows by coef[2] and adds the real parts of the causal states. From block to block a state is
// multiplied by the complex factor (coef[0], coef[1]), and the block's moments re and im are added. Arrays are in the
// order block, signal.
func (k kernels) forward(rows, re, im []float64, coef [3]float64, st *[2][abreast]float64) {
	if k.forwardAsm(rows, re, im, &coef, st) {
		return
	}
	for ; len(rows) >= abreast; rows, re, im = rows[abreast:], re[abreast:], im[abreast:] {
		for s := range st[0] {
			rows[s] = float64(coef[2]*rows[s]) + st[0][s]
			st[0][s], st[1][s] = float64(coef[0]*st[0][s])-float64(coef[1]*st[1][s])+re[s], float64(coef[0]*st[1][s])+float64(coef[1]*st[0][s])+im[s]
		}
	}
}

// backward adds the real parts of anticausal states to rows, from the last block to the first.
func (k kernels) backward(rows, re, im []float64, coef [2]float64, st *[2][abreast]float64) {
	if k.backwardAsm(rows, re, im, &coef, st) {
		return
	}
	for b := len(rows) - abreast; b >= 0; b -= abreast {
		for s := range st[0] {
			st[0][s], st[1][s] = float64(coef[0]*st[0][s])-float64(coef[1]*st[1][s])+re[b+s], float64(coef[0]*st[1][s])+float64(coef[1]*st[0][s])+im[b+s]
			rows[b+s] += st[0][s]
		}
	}
}
