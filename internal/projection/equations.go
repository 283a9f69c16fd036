package projection

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"ident/internal/triangle"
)

// Equations are the joints' equations in the base parameters under an arrangement, each joint's
// divided by the norm of its torque.
type Equations struct {
	Columns int
	Joints  []Joint // base to tip
}

// Joint is the equation of one joint.
type Joint struct {
	Mask []int       // columns that can be non-zero
	Cols [][]float64 // those of the mask
	Y    []float64
}

// Residual is the sum of squares that the base parameters leave of the torques, each joint's as a part of
// its own.
func (eq *Equations) Residual() float64 {
	var y []float64
	for _, e := range eq.Joints {
		y = append(y, e.Y...)
	}
	b := Basis{Rows: len(y)}
	for c := range eq.Columns {
		v := make([]float64, 0, len(y))
		for _, e := range eq.Joints {
			if i, ok := slices.BinarySearch(e.Mask, c); ok {
				v = append(v, e.Cols[i]...)
			} else {
				v = append(v, make([]float64, len(e.Y))...)
			}
		}
		b.Offer(v)
	}
	r := b.Residual(y)
	return Dot(r, r)
}

// FloorSpread is the part of a torque that counts as its residual where less is left: positions are
// differentiated and clocks resampled with about half that accuracy.
const FloorSpread = 2e-3

// Weigh multiplies the equations of every joint by its weight.
func (eq *Equations) Weigh(weights []float64) {
	for i := range eq.Joints {
		e := &eq.Joints[i]
		floats.Scale(weights[i], e.Y)
		for _, c := range e.Cols {
			floats.Scale(weights[i], c)
		}
	}
}

// Spread is the sum over the joints of the logarithms of their residuals' norms, twice the negative logarithm of
// the likelihood of Gaussian noise of a variance for each torque, divided by the rows. The weights that maximise
// the likelihood, inverse norms, are found by iteration, from those of which the equations have been multiplied
// already, nil for none.
func (eq *Equations) Spread(from []float64) (sum float64, weights []float64) {
	n := len(eq.Joints)
	had, weights := make([]float64, n), make([]float64, n)
	for i := range weights {
		had[i] = 1
		if from != nil {
			had[i] = from[i]
		}
		weights[i] = had[i]
	}
	f := triangle.New(eq.Columns)
	var work triangle.Work
	cols := make([][]float64, eq.Columns)
	for range 4 {
		f.Reset()
		for j, e := range eq.Joints {
			rows := len(e.Y)
			scaled := func(x []float64) []float64 {
				y := make([]float64, rows)
				floats.AddScaled(y, weights[j]/had[j], x)
				return y
			}
			zero := make([]float64, rows)
			for c := range cols {
				cols[c] = zero
			}
			for i, c := range e.Mask {
				cols[c] = scaled(e.Cols[i])
			}
			f.Add(cols, scaled(e.Y), &work)
		}
		x := solution(f)
		sum = 0
		for j, e := range eq.Joints {
			rest := slices.Clone(e.Y)
			for i, c := range e.Mask {
				floats.AddScaled(rest, -x[c], e.Cols[i])
			}
			left := max(Norm(rest)/had[j], FloorSpread)
			weights[j] = 1 / left
			sum += math.Log(left)
		}
	}
	return sum, weights
}

// solution is that of the rows of a factor, with zeros for columns that depend on those before them.
func solution(f *triangle.Factor) []float64 {
	x := slices.Clone(f.Z)
	for i := f.N - 1; i >= 0; i-- {
		size := 0.0
		for k := range i + 1 {
			size = math.Hypot(size, f.R[k*f.N+i])
		}
		if !(f.R[i*f.N+i] > dependent*size) {
			x[i] = 0
			continue
		}
		for j := i + 1; j < f.N; j++ {
			x[i] -= f.R[i*f.N+j] * x[j]
		}
		x[i] /= f.R[i*f.N+i]
	}
	return x
}

// boundDoubt is the error of a bound on the norm of a residual, as a part of the torques' norm: rounding of
// columns at 1e-15 of their norm, times coefficients of up to 1e6 for columns that are just independent (see
// dependent), times some ten columns at most that are so. Residuals that matter are far larger.
const boundDoubt = 1e-7

// Exceed tells whether the residual is above a limit, without computing it. Rows are added from the tip to
// the base, where few columns are not zero: the residual only grows with further rows, and a wrong
// arrangement shows in the first joint or two. All columns count here, so the residual of independent ones
// alone is no smaller. False is no proof that it is below.
func (eq *Equations) Exceed(limit float64) bool {
	size := 0.0
	for _, e := range eq.Joints {
		size += Dot(e.Y, e.Y)
	}
	limit = math.Sqrt(limit) + boundDoubt*math.Sqrt(size)
	f := triangle.New(eq.Columns)
	var work triangle.Work
	cols := make([][]float64, eq.Columns)
	for _, e := range slices.Backward(eq.Joints) {
		zero := make([]float64, len(e.Y))
		for c := range cols {
			cols[c] = zero
		}
		for i, c := range e.Mask {
			cols[c] = e.Cols[i]
		}
		f.Add(cols, e.Y, &work)
		if math.Sqrt(f.RSS) > limit {
			return true
		}
	}
	return false
}
