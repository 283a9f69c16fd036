//go:build !purego

package filter

// The assembly does not check bounds: each function first reads the last elements that it will access, so that Go
// checks them.

// squareSide is the side of the squares in which the assembly transposes.
const squareSide = 8

// interleaveAsm, interleaveBlocksAsm and separateAsm return the number of samples that they processed.
func (k kernels) interleaveAsm(dst []float64, cols *[abreast][]float64, n, ahead int) int {
	groups := n / squareSide
	if groups == 0 || !k.vectors {
		return 0
	}
	for half := 0; half < abreast; half += squareSide {
		of := pointers(cols, half, n)
		interleaveAVX2(&dst[half], &of, groups, 8*ahead)
	}
	return groups * squareSide
}

func (k kernels) interleaveBlocksAsm(dst, x []float64, stride, n, ahead int) int {
	groups := n / squareSide
	if groups == 0 || !k.vectors {
		return 0
	}
	_, _ = dst[groups*squareSide*abreast-1], x[(abreast-1)*stride+groups*squareSide-1]
	for half := 0; half < abreast; half += squareSide {
		interleaveBlocksAVX2(&dst[half], &x[half*stride], 8*stride, groups, 8*ahead)
	}
	return groups * squareSide
}

func (k kernels) separateAsm(cols *[abreast][]float64, src []float64, n int) int {
	groups := n / squareSide
	if groups == 0 || !k.vectors {
		return 0
	}
	for half := 0; half < abreast; half += squareSide {
		of := pointers(cols, half, n)
		separateAVX2(&of, &src[half], groups)
	}
	return groups * squareSide
}

// pointers returns pointers to eight columns, each of which has n samples.
func pointers(cols *[abreast][]float64, from, n int) (out [squareSide]*float64) {
	for c := range out {
		out[c] = &cols[from+c][:n][0]
	}
	return out
}

func (k kernels) groupMomentsAsm(dst, x, w []float64) bool {
	if !k.vectors {
		return false
	}
	samples := len(w) / momentsOfMode
	_, _ = x[samples*abreast-1], dst[(momentsOfMode-1)*abreast*abreast+abreast-1]
	for half := 0; half < abreast; half += abreast / 2 {
		groupMomentsAVX2(&dst[half], &x[half], &w[0], samples)
	}
	return true
}

func (k kernels) forwardAsm(rows, re, im []float64, coef *[3]float64, st *[2][abreast]float64) bool {
	if !k.vectors {
		return false
	}
	if len(rows) > 0 {
		_, _ = re[len(rows)-1], im[len(rows)-1]
		forwardAVX2(&rows[0], &re[0], &im[0], len(rows)/abreast, coef, st)
	}
	return true
}

func (k kernels) backwardAsm(rows, re, im []float64, coef *[2]float64, st *[2][abreast]float64) bool {
	if !k.vectors {
		return false
	}
	if len(rows) > 0 {
		last := len(rows) - abreast
		_, _ = re[len(rows)-1], im[len(rows)-1]
		backwardAVX2(&rows[last], &re[last], &im[last], len(rows)/abreast, coef, st)
	}
	return true
}

// Each kernel is described at its counterpart in Go. All counts must be positive. Columns are interleaved with a stride
// of 16 numbers, in groups of eight samples.

//go:noescape
func interleaveAVX2(dst *float64, cols *[squareSide]*float64, groups, ahead int)

//go:noescape
func interleaveBlocksAVX2(dst, x *float64, stride, groups, ahead int)

//go:noescape
func separateAVX2(cols *[squareSide]*float64, src *float64, groups int)

//go:noescape
func groupMomentsAVX2(dst, x, w *float64, samples int)

//go:noescape
func forwardAVX2(rows, re, im *float64, blocks int, coef *[3]float64, st *[2][abreast]float64)

//go:noescape
func backwardAVX2(rows, re, im *float64, blocks int, coef *[2]float64, st *[2][abreast]float64)
