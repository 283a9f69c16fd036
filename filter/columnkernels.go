package filter

import "math"

// groupMoments sets dst to the moments of a group of two signals by the weights of a mode, sample and moment. A signal
// has its 16 blocks side by side; moment m of the first begins at 256·m, that of the second 16 behind it.
func (k kernelLevel) groupMoments(dst, x, y, w []float64) {
	if !k.groupMomentsAsm(dst, x, y, w) {
		groupMomentsGo(dst, x, w)
		groupMomentsGo(dst[abreast:], y, w)
	}
}

func groupMomentsGo(dst, x, w []float64) {
	for m := range momentsOfMode {
		var sums [abreast]float64
		for i := 0; i < len(w)/momentsOfMode; i++ {
			weight := w[i*momentsOfMode+m]
			for l, v := range x[i*abreast:][:abreast] {
				sums[l] = math.FMA(v, weight, sums[l])
			}
		}
		copy(dst[m*abreast*abreast:], sums[:])
	}
}

// forward multiplies rows by coef[2] and adds the real parts of causal states, which go from block to block by the
// complex factor of coef[0] and coef[1] and the moments re and im of the blocks; block, signal.
func (k kernelLevel) forward(rows, re, im []float64, coef [3]float64, st *[2][abreast]float64) {
	if k.forwardAsm(rows, re, im, &coef, st) {
		return
	}
	for ; len(rows) >= abreast; rows, re, im = rows[abreast:], re[abreast:], im[abreast:] {
		for s := range st[0] {
			rows[s] = float64(coef[2]*rows[s]) + st[0][s]
			st[0][s], st[1][s] = float64(coef[0]*st[0][s])-float64(coef[1]*st[1][s])+re[s], float64(coef[0]*st[1][s])+float64(coef[1]*st[0][s])+im[s]
		}
	}
}

// backward adds the real parts of anticausal states to rows, from the last block to the first.
func (k kernelLevel) backward(rows, re, im []float64, coef [2]float64, st *[2][abreast]float64) {
	if k.backwardAsm(rows, re, im, &coef, st) {
		return
	}
	for b := len(rows) - abreast; b >= 0; b -= abreast {
		for s := range st[0] {
			st[0][s], st[1][s] = float64(coef[0]*st[0][s])-float64(coef[1]*st[1][s])+re[b+s], float64(coef[0]*st[1][s])+float64(coef[1]*st[0][s])+im[b+s]
			rows[b+s] += st[0][s]
		}
	}
}
