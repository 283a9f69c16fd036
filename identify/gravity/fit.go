package gravity

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/regressor"
)

// Estimate holds the parameters that torques at rest determine.
type Estimate struct {
	Names      []string // names of the base parameters that are kept
	Columns    []int    // their columns in the full model's base set
	X          []float64
	Covariance *mat.SymDense
	// Beta, [kept][dependent], regroups the base parameters Dependent on the kept ones: X = K[Columns] + Beta·K[Dependent].
	Dependent []int
	Beta      [][]float64
	Condition float64   // condition number of the means over both directions, columns scaled to unit norm
	Noise     []float64 // standard deviation of a pair's mean torque, by joint
	// Shared is the part of that variance which pairs at the same place of a joint have in common, from 0 to 1: ripple.
	Shared float64
	Pairs  int
}

// FewPairsError says that a log has too few pairs of passes.
type FewPairsError struct{ Pairs, Equations, Parameters int }

func (e *FewPairsError) Error() string {
	return fmt.Sprintf("%d pairs of slow passes in both directions give %d equations for %d parameters at rest; log a motion that passes more poses slowly, forward and back", e.Pairs, e.Equations, e.Parameters)
}

// dependent is the part of a column that the columns before it leave below which it depends on them, see package
// baseparams. Means of rows at poses are known to rounding.
const dependent = 1e-9

// Fit estimates from the pairs of the logs. The model is that of the set's base parameters (regressor.Model.Select).
func Fit(m *regressor.Model, set *baseparams.Set, logs []Log) (*Estimate, error) {
	joints, columns := m.Joints(), len(m.Columns())
	if columns != set.Count() {
		panic(fmt.Sprintf("gravity: a model of %d columns and a set of %d base parameters", columns, set.Count()))
	}
	var w [][][]float64 // by joint: rows of pairs
	var b [][]float64
	w, b = make([][][]float64, joints), make([][]float64, joints)
	out := &Estimate{}
	at := make(places, joints)
	rows := &restRows{model: m, ws: m.NewWorkspace(), block: m.NewBlock(1)}
	for i := range logs {
		l := &logs[i]
		l.check(joints)
		for _, p := range l.Pairs() {
			out.Pairs++
			for k := range joints {
				w[k], b[k] = append(w[k], make([]float64, columns)), append(b[k], 0)
			}
			at.add(l, p)
			last := len(b[0]) - 1
			for _, side := range [2][2]int{p.Forward, p.Back} {
				share := 0.5 / float64(side[1]-side[0])
				rows.mean(l, side, share, func(k, c int, v float64) { w[k][last][c] += v })
				for k := range joints {
					for _, tau := range l.Tau[k][side[0]:side[1]] {
						b[k][last] += share * tau
					}
				}
			}
		}
	}
	if out.Pairs == 0 {
		return nil, &FewPairsError{}
	}
	out.keep(set, w)
	if n := out.Pairs * joints; n < len(out.Columns)+joints {
		return nil, &FewPairsError{out.Pairs, n, len(out.Columns)}
	}
	return out, out.solve(w, b, at)
}

// restRows evaluates rows at rest.
type restRows struct {
	model   *regressor.Model
	ws      *regressor.Workspace
	block   *regressor.Block
	zero    []float64
	q, rest [][]float64
}

// mean adds share times every row of the samples.
func (r *restRows) mean(l *Log, side [2]int, share float64, add func(joint, column int, v float64)) {
	n := side[1] - side[0]
	for len(r.zero) < n {
		r.zero = append(r.zero, 0)
	}
	r.q, r.rest = r.q[:0], r.rest[:0]
	for k := range l.Q {
		r.q, r.rest = append(r.q, l.Q[k][side[0]:side[1]]), append(r.rest, r.zero[:n])
	}
	if r.block.Rows < n {
		r.block = r.model.NewBlock(n)
	}
	r.block.Resize(n)
	r.model.Eval(r.block, r.q, r.rest, r.rest, r.ws)
	for k := range l.Q {
		for at, c := range r.model.Mask(k) {
			sum := 0.0
			for _, v := range r.block.Joint[k][at] {
				sum += v
			}
			add(k, c, share*sum)
		}
	}
}

// keep finds the first independent columns of the rows, and how the others depend on them.
func (e *Estimate) keep(set *baseparams.Set, w [][][]float64) {
	var rows [][]float64
	for k := range w {
		rows = append(rows, w[k]...)
	}
	n, columns := len(rows), len(rows[0])
	column := func(c int) []float64 {
		v := make([]float64, n)
		for i := range rows {
			v[i] = rows[i][c]
		}
		return v
	}
	largest := 0.0
	for c := range columns {
		largest = max(largest, norm(column(c)))
	}
	var basis, upper [][]float64 // orthonormal; of kept column k: its parts along basis[0..k]
	var lower [][]float64        // of dependent columns
	for c := range columns {
		v := column(c)
		size := norm(v)
		if !(size > 1e-11*largest) {
			continue // no effect at rest: inertias, rotors, friction
		}
		parts := make([]float64, len(basis), len(basis)+1)
		for range 2 { // the second pass removes the first one's rounding
			for k, u := range basis {
				d := dot(u, v)
				parts[k] += d
				for i := range v {
					v[i] -= d * u[i]
				}
			}
		}
		left := norm(v)
		if left <= dependent*size {
			e.Dependent, lower = append(e.Dependent, c), append(lower, parts)
			continue
		}
		for i := range v {
			v[i] /= left
		}
		basis, upper = append(basis, v), append(upper, append(parts, left))
		e.Columns, e.Names = append(e.Columns, c), append(e.Names, set.Name(c))
	}
	kept := len(basis)
	for range kept {
		e.Beta = append(e.Beta, make([]float64, len(lower)))
	}
	for d, parts := range lower { // back substitution
		for i := len(parts) - 1; i >= 0; i-- {
			s := parts[i]
			for k := i + 1; k < len(parts); k++ {
				s -= upper[k][i] * e.Beta[k][d]
			}
			e.Beta[i][d] = s / upper[i][i]
		}
	}
}

// rounds of estimates, each with the weights and the covariance of the residuals of the one before.
const rounds = 4

// solve is weighted least squares: first of all rows alike, then by the standard deviations of the joints' residuals.
func (e *Estimate) solve(w [][][]float64, b [][]float64, at places) error {
	joints, n := len(w), len(e.Columns)
	e.Noise = make([]float64, joints)
	for k := range e.Noise {
		e.Noise[k] = 1
	}
	for range rounds {
		a, y := mat.NewDense(joints*e.Pairs, n, nil), mat.NewVecDense(joints*e.Pairs, nil)
		scale := make([]float64, n)
		for k := range w {
			for i := range w[k] {
				for c, at := range e.Columns {
					v := w[k][i][at] / e.Noise[k]
					a.Set(k*e.Pairs+i, c, v)
					scale[c] += v * v
				}
				y.SetVec(k*e.Pairs+i, b[k][i]/e.Noise[k])
			}
		}
		for c := range scale {
			scale[c] = math.Sqrt(scale[c])
			for i := range joints * e.Pairs {
				a.Set(i, c, a.At(i, c)/scale[c])
			}
		}
		var svd mat.SVD
		if !svd.Factorize(a, mat.SVDThin) {
			return fmt.Errorf("gravity: the singular values of %d equations did not converge", joints*e.Pairs)
		}
		s := svd.Values(nil)
		e.Condition = s[0] / s[n-1]
		var u, v mat.Dense
		svd.UTo(&u)
		svd.VTo(&v)
		var p, x mat.VecDense
		p.MulVec(u.T(), y)
		for c := range n {
			p.SetVec(c, p.AtVec(c)/s[c])
		}
		x.MulVec(&v, &p)
		e.X = make([]float64, n)
		for i := range n {
			e.X[i] = x.AtVec(i) / scale[i]
		}
		var r mat.VecDense // residuals, weighted
		r.MulVec(a, &x)
		r.SubVec(y, &r)
		c := newCommon(at, &u, r.RawVector().Data)
		e.Shared = c.shared
		for k := range w {
			if squares, free := c.squares(k); free > 0.5 && squares > 0 {
				e.Noise[k] *= math.Sqrt(squares / free)
			}
		}
		// Covariance D·UᵀRU·Dᵀ of the estimate D·Uᵀy, D the inverse of the scaled rows' upper factor.
		inner := c.between()
		d := mat.NewDense(n, n, nil)
		for i := range n {
			for k := range n {
				d.Set(i, k, v.At(i, k)/(s[k]*scale[i]))
			}
		}
		var half, whole mat.Dense
		half.Mul(d, inner)
		whole.Mul(&half, d.T())
		e.Covariance = mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				e.Covariance.SetSym(i, j, (whole.At(i, j)+whole.At(j, i))/2)
			}
		}
	}
	return nil
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func norm(v []float64) float64 { return math.Sqrt(dot(v, v)) }
