//go:build !amd64 || purego

package filter

func (k kernelLevel) momentsAsm(dst, x, w []float64) bool { return false }

func (k kernelLevel) sectionAsm(buf []float64, c *section, st *lanesState, scale float64, backward bool) bool {
	return false
}

func (k kernelLevel) interleaveAsm(dst []float64, cols *[interleaved][]float64, n int) int { return 0 }

func (k kernelLevel) separateAsm(cols *[interleaved][]float64, src []float64, n int) int { return 0 }
