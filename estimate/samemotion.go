package estimate

import (
	"math"

	"ident/internal/triangle"
)

// SameMotion is the MotionDistance below which one run repeats the motion of another. Runs 1 and 2 of the KUKA, which
// do, have 0.045; either of them and run 3, which do not, have 1.5.
const SameMotion = 0.3

// MotionDistance returns the distance between the two runs whose motions are most alike. It is zero for the same
// motion, of the order of one for different ones, and infinite for a single run. The motion of a run is described by
// its normal matrix WᵀW per row, which does not contain the noise of the torques:
//
//	d² = Σ ‖D·(A − B)·D‖² / Σ ‖D·(A + B)/2·D‖²   over the joints, D² = 2/diag(A + B)
//
// with the columns of each joint scaled to the same effect. Parameters that have seen one of the two runs
// have seen the motion of the other, errors of the model along it included.
func (r *Reduction) MotionDistance() float64 {
	runs := r.splitByRun()
	least := math.Inf(1)
	normal := make([][][]float64, len(runs))
	var work triangle.Work
	for i, run := range runs {
		for k := range r.masks {
			normal[i] = append(normal[i], normalOf(run.joint(k, &work)))
		}
	}
	for i := range runs {
		for j := range i {
			var apart, size float64
			for k, mask := range r.masks {
				a, b := scaledDistance(normal[i][k], normal[j][k], len(mask))
				apart, size = apart+a, size+b
			}
			if size > 0 {
				least = min(least, math.Sqrt(apart/size))
			}
		}
	}
	return least
}

// normalOf returns RᵀR divided by the number of rows, row-major; zeros if there are no rows.
func normalOf(f *Factor) []float64 {
	n := f.N
	out := make([]float64, n*n)
	if f.Rows == 0 {
		return out
	}
	for i := range n {
		row := f.R[i*n : (i+1)*n]
		for a := i; a < n; a++ {
			for b := i; b < n; b++ {
				out[a*n+b] += row[a] * row[b] / float64(f.Rows)
			}
		}
	}
	return out
}

// scaledDistance returns the squared norms of the difference and of the mean of two normal matrices, with the
// diagonal of the mean scaled to one. Columns without effect in both count for nothing.
func scaledDistance(a, b []float64, n int) (apart, size float64) {
	d := make([]float64, n)
	for i := range d {
		if v := (a[i*n+i] + b[i*n+i]) / 2; v > 0 {
			d[i] = 1 / math.Sqrt(v)
		}
	}
	for i := range n {
		for j := range n {
			s := d[i] * d[j]
			x, y := s*(a[i*n+j]-b[i*n+j]), s*(a[i*n+j]+b[i*n+j])/2
			apart, size = apart+x*x, size+y*y
		}
	}
	return apart, size
}
