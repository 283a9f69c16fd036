//go:build !amd64

package filter

// pairTwo is pair for two signals of equal length, to the same bits.
func pairTwo(a, b []float64, c []section, sa, sb []state, scale float64, backward bool) {
	pair(a, c, sa, scale, backward)
	pair(b, c, sb, scale, backward)
}
