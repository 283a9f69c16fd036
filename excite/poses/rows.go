package poses

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/regressor"
)

// static evaluates the rows of a model at rest: for each pose a row per joint, over the columns that are kept.
type static struct {
	model   *regressor.Model
	ws      *regressor.Workspace
	block   *regressor.Block
	q, zero [][]float64
	weight  []float64 // of the joints' rows
	columns []int     // of the model; nil for all
}

func newStatic(m *regressor.Model, noise []float64) *static {
	s := &static{model: m, ws: m.NewWorkspace(), block: m.NewBlock(1), weight: make([]float64, m.Joints())}
	for k := range s.weight {
		s.q, s.zero = append(s.q, make([]float64, 1)), append(s.zero, make([]float64, 1))
		if s.weight[k] = 1; noise != nil {
			s.weight[k] = 1 / noise[k]
		}
	}
	return s
}

// rows returns the regressor rows of one pose, [joint][column], each divided by the noise of its joint.
func (s *static) rows(pose []float64) [][]float64 {
	for k, x := range pose {
		s.q[k][0] = x
	}
	s.model.Eval(s.block, s.q, s.zero, s.zero, s.ws)
	out := make([][]float64, len(pose))
	for k := range out {
		all := make([]float64, len(s.model.Columns()))
		for at, c := range s.model.Mask(k) {
			all[c] = s.block.Joint[k][at][0] * s.weight[k]
		}
		if out[k] = all; s.columns != nil {
			out[k] = make([]float64, len(s.columns))
			for i, c := range s.columns {
				out[k][i] = all[c]
			}
		}
	}
	return out
}

// dependent is the part of a column's norm that the columns before it may leave: rounding leaves some 1e-14 of it, the
// geometry of robots 1e-6 and more (package baseparams has the same gap).
const dependent = 1e-9

// independent returns the first independent columns of some rows, ascending. A column below the part noEffect of the
// largest is zero.
func independent(rows [][]float64) []int {
	const noEffect = 1e-11
	n := len(rows[0])
	column := func(c int) []float64 {
		v := make([]float64, len(rows))
		for i := range rows {
			v[i] = rows[i][c]
		}
		return v
	}
	largest := 0.0
	for c := range n {
		largest = max(largest, norm(column(c)))
	}
	var basis [][]float64
	var out []int
	for c := range n {
		v := column(c)
		size := norm(v)
		if !(size > noEffect*largest) {
			continue
		}
		for range 2 { // the second pass removes the first one's rounding
			for _, b := range basis {
				d := dot(b, v)
				for i := range v {
					v[i] -= d * b[i]
				}
			}
		}
		left := norm(v)
		if left <= dependent*size {
			continue
		}
		for i := range v {
			v[i] /= left
		}
		basis, out = append(basis, v), append(out, c)
	}
	return out
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func norm(v []float64) float64 { return math.Sqrt(dot(v, v)) }

// gram is the sum of the outer products of rows, the upper triangle by rows.
type gram []float64

// add adds factor times the products of a pose's rows.
func (g gram) add(rows [][]float64, factor float64) {
	n := len(rows[0])
	for _, r := range rows {
		at := 0
		for i := range n {
			x := factor * r[i]
			for j := i; j < n; j++ {
				g[at] += x * r[j]
				at++
			}
		}
	}
}

// condition returns the condition number of the rows with columns of unit norm; +Inf where they are dependent.
func (g gram) condition(n int) float64 {
	at := make([]int, n)
	for i := 1; i < n; i++ {
		at[i] = at[i-1] + n - i + 1
	}
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			d := g[at[i]] * g[at[j]]
			if !(d > 0) {
				return math.Inf(1)
			}
			s.SetSym(i, j, g[at[i]+j-i]/math.Sqrt(d))
		}
	}
	var e mat.EigenSym
	if !e.Factorize(s, false) {
		return math.Inf(1)
	}
	v := e.Values(nil)
	// The eigenvalues have an error of a few ε of the largest: below that the columns are dependent.
	if !(v[0] > 1e-14*v[n-1]) {
		return math.Inf(1)
	}
	return math.Sqrt(v[n-1] / v[0])
}
