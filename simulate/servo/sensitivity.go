package servo

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// sensitivity computes, at a state whose acceleration was just computed, the
// derivatives of ddq and τ by the parameters from those of q and dq. All are
// joints×params, row by row.
func (l *Loop) sensitivity(q, dq, ddq, x, sq, sdq, sddq, stau []float64) {
	n, p := l.joints, l.params
	for k := range n {
		l.one[0][k][0], l.one[1][k][0], l.one[2][k][0] = q[k], dq[k], ddq[k]
		for i := range n {
			l.here[0][k][i], l.here[1][k][i], l.here[2][k][i] = q[k], dq[k], ddq[k]
			l.gq[k][i], l.gdq[k][i], l.gddq[k][i] = 0, 0, 0
		}
		// Row i of gamma asks for the derivative of the torque of joint i.
		for at, c := range l.model.Mask(k) {
			row := l.gamma.Joint[k][at]
			for i := range row {
				row[i] = 0
			}
			row[k] = l.smooth[c]
		}
	}
	l.model.Pullback(l.gq, l.gdq, l.gddq, l.gamma, l.here[0], l.here[1], l.here[2], l.adjoint)
	l.model.Eval(l.single, l.one[0], l.one[1], l.one[2], l.ws)
	// Friction's own slope, and its column.
	for i := range l.dry {
		d := &l.dry[i]
		sign, slope := d.rate(dq)
		for a, k := range d.joints {
			l.single.Joint[k][d.at[a]][0] = d.weight[a] * sign
			for b, j := range d.joints {
				l.gdq[j][k] += x[d.column] * d.weight[a] * d.weight[b] * slope
			}
		}
	}
	for k := range n {
		row, tau := sddq[k*p:(k+1)*p], stau[k*p:(k+1)*p]
		for c := range p {
			tau[c] = 0
			if !l.saturated[k] {
				tau[c] = -l.ctl.P[k]*sq[k*p+c] - l.ctl.D[k]*sdq[k*p+c]
			}
			row[c] = tau[c]
		}
		for at, c := range l.model.Mask(k) {
			row[c] -= l.single.Joint[k][at][0]
		}
		for j := range n {
			a, b := l.gq[j][k], l.gdq[j][k]
			if a == 0 && b == 0 {
				continue
			}
			for c := range p {
				row[c] -= a*sq[j*p+c] + b*sdq[j*p+c]
			}
		}
	}
	factor := blas64.Triangular{N: n, Stride: n, Uplo: blas.Upper, Diag: blas.NonUnit, Data: l.mass}
	lapack64.Potrs(factor, blas64.General{Rows: n, Cols: p, Stride: p, Data: sddq})
}
