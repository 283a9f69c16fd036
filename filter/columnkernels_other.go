//go:build !amd64 || purego

package filter

func (k kernels) interleaveAsm([]float64, *[abreast][]float64, int, int) int { return 0 }

func (k kernels) interleaveBlocksAsm(dst, x []float64, stride, n, ahead int) int { return 0 }

func (k kernels) separateAsm(*[abreast][]float64, []float64, int) int { return 0 }

func (k kernels) groupMomentsAsm(dst, x, w []float64) bool { return false }

func (k kernels) forwardAsm(rows, re, im []float64, coef *[3]float64, st *[2][abreast]float64) bool {
	return false
}

func (k kernels) backwardAsm(rows, re, im []float64, coef *[2]float64, st *[2][abreast]float64) bool {
	return false
}
