//go:build !amd64 || purego

package projection

func (g *group) takeAsm(x []float64, groups int) (done int, ok bool) { return 0, false }
