package filter

// pairTwo is pair for two signals of equal length, to the same bits.
func pairTwo(a, b []float64, c []section, sa, sb []state, scale float64, backward bool) {
	if len(a) == 0 {
		return
	}
	b = b[:len(a)]
	coef := [7]float64{c[0].d, c[0].p, c[0].q, c[1].d, c[1].p, c[1].q, scale}
	st := [4][2]float64{
		{sa[0].s, sb[0].s}, {sa[0].r, sb[0].r},
		{2 * sa[1].s, 2 * sb[1].s}, {2 * sa[1].r, 2 * sb[1].r},
	}
	start, step := ends(len(a), backward)
	pairTwoSSE2(&a[start], &b[start], len(a), 8*step, &coef, &st)
	for i, v := range [2][]state{sa, sb} {
		v[0] = state{st[0][i], st[1][i]}
		v[1] = state{st[2][i] / 2, st[3][i] / 2}
	}
}

// pairTwoSSE2 filters n > 0 samples from a and b on, stride bytes apart, in place.
// c is d, p, q of the first section, of the second, and the scale; st is s and r
// of the first, s and r of the second, doubled as in pair. SSE2 is part of amd64.
//
//go:noescape
func pairTwoSSE2(a, b *float64, n, stride int, c *[7]float64, st *[4][2]float64)
