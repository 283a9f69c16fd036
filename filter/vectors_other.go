//go:build !amd64 || purego

package filter

func (k kernelLevel) momentsAsm(dst, x, w []float64) bool { return false }

func (k kernelLevel) sectionAsm(buf []float64, c *section, st *lanesState, scale float64, backward bool) bool {
	return false
}

func (k kernelLevel) interleaveAsm(dst []float64, cols *[interleaved][]float64, n, ahead int) int {
	return 0
}

func (k kernelLevel) interleaveBlocksAsm(dst, x []float64, stride, n, ahead int) int { return 0 }

func (k kernelLevel) separateAsm(cols *[interleaved][]float64, src []float64, n int) int { return 0 }

func (k kernelLevel) groupMomentsAsm(dst, x, y, w []float64) bool { return false }

func (k kernelLevel) forwardAsm(rows, re, im []float64, coef *[3]float64, st *[2][abreast]float64) bool {
	return false
}

func (k kernelLevel) backwardAsm(rows, re, im []float64, coef *[2]float64, st *[2][abreast]float64) bool {
	return false
}
