package filter

import "math/cmplx"

// rowsAtOnce is the number of signals whose rows RowsOf computes side by side. A recursion must wait for each of its
// operations; those of other signals fill the time.
const rowsAtOnce = 4

// RowsOf does what Rows does for several signals with ends of one kind, with the same bits.
func (d *Decimator) RowsOf(dst, moments [][]float64, ends []Ends) {
	for len(dst) >= rowsAtOnce && !ends[0].ReflectedFirst && !ends[0].ReflectedLast {
		d.rowsOfSome([rowsAtOnce][]float64(dst), [rowsAtOnce][]float64(moments), [rowsAtOnce]Ends(ends))
		dst, moments, ends = dst[rowsAtOnce:], moments[rowsAtOnce:], ends[rowsAtOnce:]
	}
	for i := range dst {
		d.Rows(dst[i], moments[i], ends[i])
	}
}

// rowsOfSome does the same as Rows for pieces of several signals; it does not reflect their ends.
func (d *Decimator) rowsOfSome(dst, moments [rowsAtOnce][]float64, ends [rowsAtOnce]Ends) {
	blocks := (ends[0].Samples + d.every - 1) / d.every
	if blocks == 0 {
		return
	}
	for s := range dst {
		dst[s] = dst[s][:blocks]
		for b, x := range moments[s][:blocks] {
			dst[s][b] = d.direct * x
		}
	}
	last := ends[0].Samples - (blocks-1)*d.every
	for i := range d.modes {
		m := &d.modes[i]
		short := cmplx.Pow(m.pole, complex(float64(last-d.every), 0))
		var own [rowsAtOnce][]float64
		var before, after [rowsAtOnce]complex128
		for s := range own {
			own[s] = moments[s][blocks+momentsOfMode*i*blocks:][:momentsOfMode*blocks]
			before[s] = complex(ends[s].First, 0) * m.past
			after[s] = complex(ends[s].Last, 0) * m.ahead * short
		}
		m.forwardSome(&dst, &own, &before)
		m.backwardSome(&dst, &own, &after)
	}
}

// forwardSome does the same as forward for several signals.
func (m *mode) forwardSome(rows, moments *[rowsAtOnce][]float64, state *[rowsAtOnce]complex128) {
	re0, im0 := real(state[0]), imag(state[0])
	re1, im1 := real(state[1]), imag(state[1])
	re2, im2 := real(state[2]), imag(state[2])
	re3, im3 := real(state[3]), imag(state[3])
	pr, pi := real(m.block), imag(m.block)
	n := len(rows[0])
	r0, r1, r2, r3 := rows[0], rows[1][:n], rows[2][:n], rows[3][:n]
	for b := range r0 {
		r0[b] += re0
		r1[b] += re1
		r2[b] += re2
		r3[b] += re3
		v0, v1 := moments[0][momentsOfMode*b:][:2], moments[1][momentsOfMode*b:][:2]
		v2, v3 := moments[2][momentsOfMode*b:][:2], moments[3][momentsOfMode*b:][:2]
		re0, im0 = float64(pr*re0)-float64(pi*im0)+v0[0], float64(pr*im0)+float64(pi*re0)+v0[1]
		re1, im1 = float64(pr*re1)-float64(pi*im1)+v1[0], float64(pr*im1)+float64(pi*re1)+v1[1]
		re2, im2 = float64(pr*re2)-float64(pi*im2)+v2[0], float64(pr*im2)+float64(pi*re2)+v2[1]
		re3, im3 = float64(pr*re3)-float64(pi*im3)+v3[0], float64(pr*im3)+float64(pi*re3)+v3[1]
	}
}

// backwardSome does the same as backward for several signals.
func (m *mode) backwardSome(rows, moments *[rowsAtOnce][]float64, state *[rowsAtOnce]complex128) {
	re0, im0 := real(state[0]), imag(state[0])
	re1, im1 := real(state[1]), imag(state[1])
	re2, im2 := real(state[2]), imag(state[2])
	re3, im3 := real(state[3]), imag(state[3])
	pr, pi := real(m.block), imag(m.block)
	n := len(rows[0])
	r0, r1, r2, r3 := rows[0], rows[1][:n], rows[2][:n], rows[3][:n]
	for b := n - 1; b >= 0; b-- {
		v0, v1 := moments[0][momentsOfMode*b+2:][:2], moments[1][momentsOfMode*b+2:][:2]
		v2, v3 := moments[2][momentsOfMode*b+2:][:2], moments[3][momentsOfMode*b+2:][:2]
		re0, im0 = float64(pr*re0)-float64(pi*im0)+v0[0], float64(pr*im0)+float64(pi*re0)+v0[1]
		re1, im1 = float64(pr*re1)-float64(pi*im1)+v1[0], float64(pr*im1)+float64(pi*re1)+v1[1]
		re2, im2 = float64(pr*re2)-float64(pi*im2)+v2[0], float64(pr*im2)+float64(pi*re2)+v2[1]
		re3, im3 = float64(pr*re3)-float64(pi*im3)+v3[0], float64(pr*im3)+float64(pi*re3)+v3[1]
		r0[b] += re0
		r1[b] += re1
		r2[b] += re2
		r3[b] += re3
	}
}
