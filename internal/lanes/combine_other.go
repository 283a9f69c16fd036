//go:build !amd64 || purego

package lanes

func combineVectors(dst, coef []float64, cols [][]float64, from int) int { return 0 }

func signVectors(dst, x []float64) int { return 0 }

func axpyVectors(dst []float64, a float64, x []float64) int { return 0 }
