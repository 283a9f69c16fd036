package filter

import (
	"math"

	"ident/internal/vectorunit"
)

// kernelLevel is the set of instructions of the inner products of a Decimator. All
// levels give the same bits: products are fused everywhere, partial sums are those of
// the samples i, i+8, i+16, … of a block, added up in one order.
type kernelLevel vectorunit.Level

func bestKernel() kernelLevel { return kernelLevel(vectorunit.Best()) }

// moments sets dst to the inner products of the blocks of x with four weights, w being
// laid out as Decimator.weights of one mode.
func (k kernelLevel) moments(dst, x, w []float64) {
	if !k.momentsAsm(dst, x, w) {
		momentsGo(dst, x, w)
	}
}

func momentsGo(dst, x, w []float64) {
	every := len(w) / momentsOfMode
	for ; len(dst) >= momentsOfMode; dst, x = dst[momentsOfMode:], x[every:] {
		partMoments(dst[:momentsOfMode], x[:every], w)
	}
}

// partMoments is for one block, which may be shorter than the weights.
func partMoments(dst, x, w []float64) {
	var sums [momentsOfMode][blockLanes]float64
	for i := 0; i < len(x); i += blockLanes {
		part := x[i:min(i+blockLanes, len(x))]
		for j := range sums {
			own := w[(i/blockLanes*momentsOfMode+j)*blockLanes:][:blockLanes]
			for l, v := range part {
				sums[j][l] = math.FMA(v, own[l], sums[j][l])
			}
		}
	}
	for j := range sums {
		s := &sums[j]
		dst[j] = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]))
	}
}
