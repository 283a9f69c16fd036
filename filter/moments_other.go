//go:build !amd64 || purego

package filter

func (k kernelLevel) momentsAsm(dst, x, w []float64) bool { return false }
