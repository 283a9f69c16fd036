package draws

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/internal/eigen"
	"ident/regressor"
	"ident/robot"
)

// DefaultDeviation is the prior's relative standard deviation of what data do not determine.
const DefaultDeviation = 0.5

// mostDeviation is that at which the density would not be concave: ν = 5.
const mostDeviation = 0.6

// Posterior is what is known of a robot's parameters.
type Posterior struct {
	Set *baseparams.Set
	// Robot gives the bodies whose parameters are no columns of Set.
	Robot *robot.Robot
	// Standard are the parameters of the middle robot, in the order of Set.Columns. Its bodies must be feasible.
	Standard []float64
	// Covariance is the covariance of the base parameters.
	Covariance [][]float64
	// Deviation is the prior's relative standard deviation; 0 means DefaultDeviation.
	Deviation float64
	// Flat says that the prior is flat over the base parameters that bodies have: it decides only what they leave open.
	Flat bool
}

// ErrInfeasible is matched by the error for a middle robot with an infeasible body.
var ErrInfeasible = errors.New("the robot has an infeasible body")

// body is a link's pseudo-inertia as a linear function of the parameters.
type body struct {
	columns []int // of Set
	params  []int // their indices of an Inertial
	value   robot.Inertial
	name    string
	inverse [4][4]float64 // of the mean
}

// positive is a drive parameter that cannot be negative.
type positive struct {
	column int
	mean   float64
}

// density is the log density on lines.
type density struct {
	n         int
	bodies    []body
	positives []positive
	nu, shape float64
	factor    *mat.TriDense // upper U with Uᵀ·U = C⁻¹
	k         [][]float64   // base parameters by columns: k[i][j]
	mean      []float64
	free      []int // columns of which neither data nor prior say anything: held
}

// pseudo of a change of a body's parameters along a direction.
func (b *body) pseudo(x []float64) [4][4]float64 {
	var p robot.Inertial
	for i, c := range b.columns {
		p[b.params[i]] = x[c]
	}
	return p.PseudoInertia()
}

func newDensity(p *Posterior) (*density, error) {
	n := len(p.Set.Columns)
	s := p.Deviation
	if s == 0 {
		s = DefaultDeviation
	}
	if !(s > 0 && s <= mostDeviation) {
		return nil, fmt.Errorf("a prior standard deviation of %g: give one above 0 and up to %g", s, mostDeviation)
	}
	if len(p.Standard) != n || len(p.Covariance) != len(p.Set.Base) {
		panic("draws: parameters of another set")
	}
	d := &density{n: n, nu: 2 / (s * s), shape: 1 / (s * s), mean: p.Standard}
	of := map[int]int{}
	held := make([]bool, n)
	for c, col := range p.Set.Columns {
		switch {
		case col.Term == regressor.Links:
			at, ok := of[col.Link]
			if !ok {
				at = len(d.bodies)
				of[col.Link] = at
				d.bodies = append(d.bodies, body{value: p.Robot.Links[col.Link].Inertial, name: p.Robot.Links[col.Link].Name})
			}
			b := &d.bodies[at]
			b.columns, b.params = append(b.columns, c), append(b.params, col.Param)
			b.value[col.Param] = p.Standard[c]
		case !col.Signed && p.Standard[c] > 0:
			d.positives = append(d.positives, positive{c, p.Standard[c]})
		}
	}
	for i := range d.bodies {
		b := &d.bodies[i]
		j := b.value.PseudoInertia()
		if len(b.columns) < 10 || b.value == (robot.Inertial{}) {
			// Parameters that are known to be zero leave a body in a plane: its free parameters have no cone of their own here.
			return nil, fmt.Errorf("link %q has parameters that are known to be zero, or no body: draws need all ten of every body", b.name)
		}
		inverse, ok := invert(j)
		if !ok {
			return nil, fmt.Errorf("%w: link %q; fit with {physically-consistent}", ErrInfeasible, b.name)
		}
		b.inverse = inverse
	}
	// K by columns.
	unit := make([]float64, n)
	m := len(p.Set.Base)
	d.k = make([][]float64, m)
	for i := range d.k {
		d.k[i] = make([]float64, n)
	}
	for c := range n {
		unit[c] = 1
		for i, v := range p.Set.FromStandard(unit) {
			d.k[i][c] = v
		}
		unit[c] = 0
	}
	if err := d.precision(p); err != nil {
		return nil, err
	}
	// What has neither data nor prior is held: drive parameters of the dependent or ineffective columns without a value.
	for c, col := range p.Set.Columns {
		known := col.Term == regressor.Links
		for _, x := range d.positives {
			known = known || x.column == c
		}
		if known {
			continue
		}
		held[c] = true
		for i := range d.k {
			if d.k[i][c] != 0 && p.Covariance[i][i] > 0 {
				held[c] = false
			}
		}
		if held[c] {
			d.free = append(d.free, c)
		}
	}
	return d, nil
}

// exact is the part of a parameter's size below which a standard deviation counts as zero.
const exact = 1e-9

// precision factors the inverse of the covariance. Deviations of zero, of parameters that were given, become tiny ones.
func (d *density) precision(p *Posterior) error {
	m := len(p.Covariance)
	x := p.Set.FromStandard(p.Standard)
	c := mat.NewSymDense(m, nil)
	scale := make([]float64, m)
	for i := range m {
		least := exact * math.Max(math.Abs(x[i]), 1e-6)
		scale[i] = math.Max(math.Sqrt(math.Max(p.Covariance[i][i], 0)), least)
		if !(scale[i] < math.Inf(1)) {
			return fmt.Errorf("the standard deviation of %s is %g: the fit does not determine it; leave out what the motion does not show", p.Set.Name(i), scale[i])
		}
	}
	for i := range m {
		for j := i; j < m; j++ {
			c.SetSym(i, j, p.Covariance[i][j]/scale[i]/scale[j])
		}
		if c.At(i, i) < 1 {
			c.SetSym(i, i, 1)
		}
	}
	values, _, ok := eigen.Scaled(c, false)
	if !ok {
		return fmt.Errorf("the covariance of the base parameters has no eigenvalues")
	}
	if values[0] < -1e-6*values[m-1] {
		return fmt.Errorf("the covariance of the base parameters has a negative eigenvalue, %.2g beside %.2g: no covariance has one; fit again", values[0], values[m-1])
	} else if values[0] < 1e-9*values[m-1] {
		for i := range m { // singular: combinations that are known exactly
			c.SetSym(i, i, c.At(i, i)*(1+1e-8))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(c) {
		return fmt.Errorf("the covariance of the base parameters is singular: the errors of two of them are the same; fit the logs again")
	}
	var inverse mat.SymDense
	if err := chol.InverseTo(&inverse); err != nil {
		var bad mat.Condition
		if !errors.As(err, &bad) {
			return err
		}
	}
	for i := range m {
		for j := i; j < m; j++ {
			inverse.SetSym(i, j, inverse.At(i, j)/scale[i]/scale[j])
		}
	}
	if !chol.Factorize(&inverse) {
		return fmt.Errorf("the covariance of the base parameters is singular, so no robot can be drawn; fit the logs again")
	}
	d.factor = new(mat.TriDense)
	chol.UTo(d.factor)
	return nil
}

// whiten returns U·K·x, whose square is the data's.
func (d *density) whiten(x []float64) []float64 {
	m := len(d.k)
	base := make([]float64, m)
	for i, row := range d.k {
		for c, v := range row {
			base[i] += v * x[c]
		}
	}
	out := make([]float64, m)
	for i := range m {
		for j := i; j < m; j++ {
			out[i] += d.factor.At(i, j) * base[j]
		}
	}
	return out
}

// directions returns the columns of a factor of the inverse Hessian at the mean.
func (d *density) directions() ([][]float64, error) {
	h := mat.NewSymDense(d.n, nil)
	rows := mat.NewDense(len(d.k), d.n, nil)
	unit := make([]float64, d.n)
	for c := range d.n {
		unit[c] = 1
		rows.SetCol(c, d.whiten(unit))
		unit[c] = 0
	}
	h.SymOuterK(1, rows.T())
	inverses := make([][4][4]float64, len(d.bodies))
	for i := range d.bodies {
		inverses[i] = d.bodies[i].inverse
	}
	d.addPrior(h, inverses, d.mean)
	for _, c := range d.free {
		h.SetSym(c, c, h.At(c, c)+1)
	}
	scale := make([]float64, d.n)
	for c := range scale {
		scale[c] = 1 / math.Sqrt(math.Max(h.At(c, c), 1e-300))
	}
	for i := range d.n {
		for j := i; j < d.n; j++ {
			h.SetSym(i, j, h.At(i, j)*scale[i]*scale[j])
		}
		h.SetSym(i, i, h.At(i, i)*(1+1e-12))
	}
	var u mat.TriDense
	if err := factorOf(h, &u); err != nil {
		return nil, err
	}
	columns, err := columnsOfInverse(&u, scale)
	if err != nil {
		return nil, err
	}
	held := map[int]bool{}
	for _, c := range d.free {
		held[c] = true
	}
	var out [][]float64
	for k, v := range columns {
		if held[k] {
			continue
		}
		for c := range v {
			if held[c] {
				v[c] = 0
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// addPrior adds the prior's part of the negative Hessian.
func (d *density) addPrior(h *mat.SymDense, inverses [][4][4]float64, at []float64) {
	for i := range d.bodies {
		b := &d.bodies[i]
		moved := make([][4][4]float64, len(b.columns)) // J⁻¹·D
		for k := range b.columns {
			var p robot.Inertial
			p[b.params[k]] = 1
			moved[k] = times(inverses[i], p.PseudoInertia())
		}
		for k, ck := range b.columns {
			for l, cl := range b.columns {
				if cl >= ck {
					h.SetSym(ck, cl, h.At(ck, cl)+(d.nu-5)/2*traceOf(moved[k], moved[l]))
				}
			}
		}
	}
	for _, x := range d.positives {
		h.SetSym(x.column, x.column, h.At(x.column, x.column)+max(d.shape-1, 0.5)/(at[x.column]*at[x.column]))
	}
}

// errSingular is the error of a posterior that does not bound every parameter.
var errSingular = errors.New("the posterior is singular: some parameters have neither data nor a prior")

// factorOf sets u to the upper factor of h.
func factorOf(h *mat.SymDense, u *mat.TriDense) error {
	var chol mat.Cholesky
	if !chol.Factorize(h) {
		return errSingular
	}
	chol.UTo(u)
	return nil
}

// columnsOfInverse returns the columns of the inverse of u, with rows times scale.
func columnsOfInverse(u *mat.TriDense, scale []float64) ([][]float64, error) {
	var inverse mat.TriDense
	if err := inverse.InverseTri(u); err != nil {
		var bad mat.Condition
		if !errors.As(err, &bad) {
			return nil, err
		}
	}
	out := make([][]float64, len(scale))
	for k := range out {
		out[k] = make([]float64, len(scale))
		for c := 0; c <= k; c++ {
			out[k][c] = inverse.At(c, k) * scale[c]
		}
	}
	return out, nil
}

func times(a, b [4][4]float64) (c [4][4]float64) {
	for i := range 4 {
		for j := range 4 {
			for k := range 4 {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c
}

// traceOf a product.
func traceOf(a, b [4][4]float64) float64 {
	sum := 0.0
	for i := range 4 {
		for k := range 4 {
			sum += a[i][k] * b[k][i]
		}
	}
	return sum
}

// logDet returns the logarithm of a determinant, −∞ unless the matrix is positive definite.
func logDet(a *[4][4]float64) float64 {
	var l [4][4]float64
	product := 1.0
	for i := range 4 {
		for j := 0; j <= i; j++ {
			s := a[i][j]
			for k := range j {
				s -= l[i][k] * l[j][k]
			}
			if i == j {
				if !(s > 0) {
					return math.Inf(-1)
				}
				product *= s
				l[i][i] = math.Sqrt(s)
			} else {
				l[i][j] = s / l[j][j]
			}
		}
	}
	return math.Log(product)
}

// invert returns the inverse of a positive definite matrix.
func invert(a [4][4]float64) (out [4][4]float64, ok bool) {
	if math.IsInf(logDet(&a), -1) {
		return out, false
	}
	s := mat.NewSymDense(4, nil)
	for i := range 4 {
		for j := i; j < 4; j++ {
			s.SetSym(i, j, a[i][j])
		}
	}
	var c mat.Cholesky
	if !c.Factorize(s) {
		return out, false
	}
	var inverse mat.SymDense
	if c.InverseTo(&inverse) != nil {
		return out, false
	}
	for i := range 4 {
		for j := range 4 {
			out[i][j] = inverse.At(i, j)
		}
	}
	return out, true
}
