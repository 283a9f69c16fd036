//go:build !purego

package filter

import "ident/internal/vectorunit"

func (k kernelLevel) momentsAsm(dst, x, w []float64) bool {
	blocks := len(dst) / momentsOfMode
	every := len(w) / momentsOfMode
	// The assembly trusts its operands: the last sample that it reads must be there.
	_ = x[blocks*every-1]
	switch vectorunit.Level(k) {
	case vectorunit.AVX512:
		momentsAVX512(&dst[0], &x[0], &w[0], every/blockLanes, blocks)
	case vectorunit.AVX2:
		momentsAVX2(&dst[0], &x[0], &w[0], every/blockLanes, blocks)
	default:
		return false
	}
	return true
}

// Each block has so many vectors of eight samples; all counts are positive.

//go:noescape
func momentsAVX512(dst, x, w *float64, vectors, blocks int)

//go:noescape
func momentsAVX2(dst, x, w *float64, vectors, blocks int)

func (k kernelLevel) sectionAsm(buf []float64, c *section, st *lanesState, scale float64, backward bool) bool {
	n := len(buf) / interleaved
	coef := [4]float64{c.d, c.p, c.q, scale}
	start, step := ends(n, backward)
	switch vectorunit.Level(k) {
	case vectorunit.AVX512:
		sectionAVX512(&buf[start*interleaved], n, 8*interleaved*step, &coef, st)
	case vectorunit.AVX2:
		sectionAVX2(&buf[start*interleaved], n, 8*interleaved*step, &coef, st)
	default:
		return false
	}
	return true
}

// The sections filter n > 0 samples of all columns from x on, stride bytes apart, in
// place. c is d, p, q and the scale.

//go:noescape
func sectionAVX512(x *float64, n, stride int, c *[4]float64, st *lanesState)

//go:noescape
func sectionAVX2(x *float64, n, stride int, c *[4]float64, st *lanesState)

// interleaveAsm and separateAsm return the number of samples that are done.
func (k kernelLevel) interleaveAsm(dst []float64, cols *[interleaved][]float64, n, ahead int) int {
	groups := n / blockLanes
	if groups == 0 || vectorunit.Level(k) == vectorunit.Portable {
		return 0
	}
	for half := 0; half < interleaved; half += blockLanes {
		of := pointers(cols, half, n)
		if vectorunit.Level(k) == vectorunit.AVX512 {
			interleaveAVX512(&dst[half], &of, groups, 8*ahead)
		} else {
			interleaveAVX2(&dst[half], &of, groups, 8*ahead)
		}
	}
	return groups * blockLanes
}

func (k kernelLevel) interleaveBlocksAsm(dst, x []float64, stride, n, ahead int) int {
	groups := n / blockLanes
	if groups == 0 || vectorunit.Level(k) == vectorunit.Portable {
		return 0
	}
	// The assembly trusts its operands: the last samples that it reads and writes must be there.
	_, _ = dst[groups*blockLanes*interleaved-1], x[(interleaved-1)*stride+groups*blockLanes-1]
	for half := 0; half < interleaved; half += blockLanes {
		if vectorunit.Level(k) == vectorunit.AVX512 {
			interleaveBlocksAVX512(&dst[half], &x[half*stride], 8*stride, groups, 8*ahead)
		} else {
			interleaveBlocksAVX2(&dst[half], &x[half*stride], 8*stride, groups, 8*ahead)
		}
	}
	return groups * blockLanes
}

func (k kernelLevel) separateAsm(cols *[interleaved][]float64, src []float64, n int) int {
	groups := n / blockLanes
	if groups == 0 || vectorunit.Level(k) == vectorunit.Portable {
		return 0
	}
	for half := 0; half < interleaved; half += blockLanes {
		of := pointers(cols, half, n)
		if vectorunit.Level(k) == vectorunit.AVX512 {
			separateAVX512(&of, &src[half], groups)
		} else {
			separateAVX2(&of, &src[half], groups)
		}
	}
	return groups * blockLanes
}

// pointers are those of eight columns, each of which has n samples.
func pointers(cols *[interleaved][]float64, from, n int) (out [blockLanes]*float64) {
	for c := range out {
		out[c] = &cols[from+c][:n][0]
	}
	return out
}

// Columns are interleaved with a stride of 16 numbers; groups of eight samples are
// positive in number.

//go:noescape
func interleaveAVX512(dst *float64, cols *[blockLanes]*float64, groups, ahead int)

//go:noescape
func interleaveBlocksAVX512(dst, x *float64, stride, groups, ahead int)

//go:noescape
func interleaveBlocksAVX2(dst, x *float64, stride, groups, ahead int)

//go:noescape
func separateAVX512(cols *[blockLanes]*float64, src *float64, groups int)

//go:noescape
func interleaveAVX2(dst *float64, cols *[blockLanes]*float64, groups, ahead int)

//go:noescape
func separateAVX2(cols *[blockLanes]*float64, src *float64, groups int)
