//go:build !purego

package projection

import "ident/internal/vectorunit"

func (g *group) takeAsm(x []float64, groups int) (done int, ok bool) {
	if vectorunit.Best() != vectorunit.AVX512 {
		return 0, false
	}
	_, _, _ = g.size[0], g.step[0], g.further[0][0] // the assembly trusts its operands
	return takeAVX512(&x[0], groups, g), true
}

// takeAVX512 is for a positive number of groups.
//
//go:noescape
func takeAVX512(x *float64, groups int, of *group) (done int)
