package causes

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/regressor"
)

// Known are combinations of parameters that an earlier result has identified: what a free fit of a log would absorb is evidence beside
// them. A combination counts only if it is one of bodies and rotors: friction changes from day to day.
type Known struct {
	Columns    []regressor.Column // standard parameters
	Of         [][]float64        // by combination, the factor of each column
	Values     []float64
	Covariance [][]float64 // of the values
}

// exactly is the least relative deviation of a known value: values that were given have none.
const exactly = 1e-6

// apply fits the rows of a trial again, beside what is known. The rows of a log are more than its independent ones, and so are those that
// the knowledge stands for: both are weighed alike.
func (t *trial) apply(k *Known) {
	if k == nil {
		return
	}
	at := t.placesOf(k.Columns)
	var rows []int
	for i, of := range k.Of {
		if t.ofBodies(k.Columns, at, of) {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 || len(k.Covariance) != len(k.Of) {
		return
	}
	cov := mat.NewSymDense(len(rows), nil)
	scale := make([]float64, len(rows))
	for a, i := range rows {
		scale[a] = max(math.Sqrt(math.Abs(k.Covariance[i][i])), exactly*math.Abs(k.Values[i]), exactly)
		for b, j := range rows[:a+1] {
			cov.SetSym(a, b, k.Covariance[i][j]/scale[a]/scale[b])
		}
		cov.SetSym(a, a, 1+exactly)
	}
	var chol mat.Cholesky
	if !chol.Factorize(cov) {
		return
	}
	var inverse mat.SymDense
	if chol.InverseTo(&inverse) != nil {
		return
	}
	p, m := t.design.columns, strideOf(t.design.columns)
	of := mat.NewDense(len(rows), p, nil)
	values := mat.NewVecDense(len(rows), nil)
	for a, i := range rows {
		for c, x := range k.Of[i] {
			if x != 0 && at[c] >= 0 {
				of.Set(a, at[c], of.At(a, at[c])+x/scale[a])
			}
		}
		values.SetVec(a, k.Values[i]/scale[a])
	}
	each := 0.0 // rows for an independent one
	for _, n := range t.neff {
		each += float64(len(t.rows)) / max(n, 1) / float64(len(t.neff))
	}
	var weighed, normal mat.Dense
	var moments mat.VecDense
	weighed.Mul(&inverse, of)
	normal.Mul(of.T(), &weighed)
	moments.MulVec(weighed.T(), values)
	known := &trained{columns: p, normal: make([]float64, p*m), moments: make([]float64, p)}
	for c := range p {
		known.moments[c] = each * moments.AtVec(c)
		for d := range p {
			known.normal[c*m+d] = each * normal.At(c, d)
		}
	}
	t.desk.trained = known
	t.fit()
}

// Places of parameters that are no column of the fit.
const (
	nowhere  = -2 // the fit does not know the parameter
	absorbed = -1 // the fit has other columns for what the parameter does: it is zero there
)

// placesOf returns the column of the fit that each parameter has.
func (t *trial) placesOf(columns []regressor.Column) []int {
	links := t.bodies.rest.Columns()
	fitted := map[int]int{}
	for i, c := range t.base {
		fitted[c] = i
	}
	out := make([]int, len(columns))
	for i, c := range columns {
		out[i] = nowhere
		kind := -1
		switch c.Term {
		case regressor.Ia:
			kind = rotor
		case regressor.Fv:
			kind = viscous
		case regressor.Fs:
			kind = coulomb
		case regressor.Fo:
			kind = offset
		}
		switch {
		case c.Term == regressor.Links:
			for k, l := range links {
				if l.Owner != c.Owner || l.Param != c.Param {
					continue
				}
				out[i] = absorbed
				if at, ok := fitted[k]; ok {
					out[i] = at
				}
			}
		case kind >= 0 && c.Drive == 0:
			for m, x := range t.motors {
				if j := t.bodies.links[x.own]; t.bodies.robot.Links[j].Joint.Name == c.Owner && len(x.weights) > 0 && x.weights[x.own] == 1 && m < t.bodies.joints {
					out[i] = len(t.base) + perMotor*m + kind
				}
			}
		}
	}
	return out
}

// ofBodies reports whether a combination is one of bodies and rotors that the fit knows.
func (t *trial) ofBodies(columns []regressor.Column, at []int, of []float64) bool {
	any := false
	for c, x := range of {
		if x == 0 {
			continue
		}
		if at[c] == nowhere || columns[c].Term != regressor.Links && columns[c].Term != regressor.Ia {
			return false
		}
		any = any || at[c] >= 0
	}
	return any
}
