//go:build !amd64 || purego

package triangle

// bestKernel returns the fastest kernel of this processor.
func bestKernel() kernel { return portable }

func (k kernel) dotsAsm([]float64, int, *[width]float64) bool { return false }

func (k kernel) stepAsm([]float64, int, *[width]float64, *[width]float64) bool { return false }

func (k kernel) applyAsm([]float64, []float64, int, *reflectors, []float64) bool { return false }

func (k kernel) productsAsm([]float64, []float64, int, []float64) bool { return false }

func (k kernel) combineAsm([]float64, []float64, int, []float64) bool { return false }

func (k kernel) stripsAsm([]float64, int, []float64, int, int) bool { return false }
