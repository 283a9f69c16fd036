package judge

import (
	"math"
	"slices"

	"ident/internal/lanes"
)

// States are positions, velocities and accelerations of the joints that move, by joint and row.
type States struct {
	Q, V, A  [][]float64
	Sign     [][]float64 // of the velocity, as the fit's Coulomb friction has it
	Revolute []bool
}

// features returns what the kernel of the state compares, a row each: positions as points on the circle, velocities of unit size,
// accelerations of half of it, for they are the noisiest, and directions.
func (s *States) features() [][]float64 {
	var out [][]float64
	of := func(x []float64, f func(v float64) float64) {
		y := make([]float64, len(x))
		for k, v := range x {
			y[k] = f(v)
		}
		out = append(out, y)
	}
	per := func(x []float64) float64 {
		return 1 / max(math.Sqrt(Squares(x, nil)), math.SmallestNonzeroFloat64*1e20)
	}
	for j, q := range s.Q {
		if s.Revolute[j] {
			of(q, math.Sin)
			of(q, math.Cos)
		} else {
			by := 1 / max(spread(q), math.SmallestNonzeroFloat64*1e20)
			of(q, func(v float64) float64 { return by * v })
		}
		v, a := per(s.V[j]), per(s.A[j])/2
		of(s.V[j], func(x float64) float64 { return v * x })
		of(s.A[j], func(x float64) float64 { return a * x })
		out = append(out, s.Sign[j])
	}
	return out
}

// spread returns the standard deviation.
func spread(x []float64) float64 {
	m := lanes.Sum(x) / float64(max(len(x), 1))
	s := 0.0
	for _, v := range x {
		s += (v - m) * (v - m)
	}
	return math.Sqrt(s / float64(max(len(x), 1)))
}

// square returns an n by n matrix of zeros.
func square(n int) [][]float64 {
	all := make([]float64, n*n)
	out := make([][]float64, n)
	for i := range out {
		out[i] = all[i*n : (i+1)*n]
	}
	return out
}

// distances returns the squared distances of the rows of features, and their median.
func distances(features [][]float64) (d [][]float64, median float64) {
	n := len(features[0])
	d = square(n)
	for _, x := range features {
		for i := range n {
			row := d[i]
			for k := range i {
				row[k] += (x[i] - x[k]) * (x[i] - x[k])
			}
		}
	}
	var all []float64
	for i := range n {
		for k := range i {
			d[k][i] = d[i][k]
			all = append(all, d[i][k])
		}
	}
	slices.Sort(all)
	return d, all[len(all)/2]
}

// width is the square of the width of the state's kernel, in medians of the squared distances.
const width = 0.6

// near returns the kernel exp(-d/width) of squared distances.
func near(d [][]float64, median float64) [][]float64 {
	out := square(len(d))
	by := -1 / max(width*median, math.SmallestNonzeroFloat64*1e20)
	for i := range d {
		for k := range i {
			out[i][k] = math.Exp(by * d[i][k])
			out[k][i] = out[i][k]
		}
		out[i][i] = 1
	}
	return out
}

// later returns the kernel exp(-|Δt|/length) of times.
func later(t []float64, length float64) [][]float64 {
	out := square(len(t))
	for i := range t {
		for k := range i {
			out[i][k] = math.Exp(-math.Abs(t[i]-t[k]) / length)
			out[k][i] = out[i][k]
		}
		out[i][i] = 1
	}
	return out
}

// white returns the kernel of columns that were made orthogonal and of one size: the projection on them, with a mean diagonal of one.
func white(cols [][]float64) [][]float64 {
	n := len(cols[0])
	out := square(n)
	var basis [][]float64
	for _, x := range cols {
		u := slices.Clone(x)
		size := math.Sqrt(lanes.SumSquares(u))
		if !(size > 0) {
			continue
		}
		for range 2 {
			for _, b := range basis {
				lanes.Axpy(u, -dot(u, b), b)
			}
		}
		if rest := math.Sqrt(lanes.SumSquares(u)); rest > dependent*size {
			for k := range u {
				u[k] /= rest
			}
			basis = append(basis, u)
		}
	}
	by := float64(n) / float64(max(len(basis), 1))
	for _, u := range basis {
		for i, v := range u {
			lanes.Axpy(out[i], by*v, u)
		}
	}
	return out
}

// dependent: a column with less than this part of its size beyond the others adds nothing but rounding errors and noise.
const dependent = 1e-4

func dot(x, y []float64) float64 {
	s := 0.0
	for k, v := range x {
		s += v * y[k]
	}
	return s
}

// linear returns the mean of the kernels of single columns, each of unit mean square.
func linear(cols ...[]float64) [][]float64 {
	n := len(cols[0])
	out := square(n)
	for _, x := range cols {
		by := 1 / (max(Squares(x, nil), math.SmallestNonzeroFloat64*1e20) * float64(len(cols)))
		for i, v := range x {
			lanes.Axpy(out[i], by*v, x)
		}
	}
	return out
}

// product returns the kernel a∘b of functions that vary along both.
func product(a, b [][]float64) [][]float64 {
	out := square(len(a))
	for i := range a {
		for k, v := range a[i] {
			out[i][k] = v * b[i][k]
		}
	}
	return out
}

// half returns ½a + ½b.
func half(a, b [][]float64) [][]float64 {
	out := square(len(a))
	for i := range a {
		for k, v := range a[i] {
			out[i][k] = 0.5*v + 0.5*b[i][k]
		}
	}
	return out
}
