package physical

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/physical/internal/conic"
	"ident/regressor"
	"ident/robot"
)

// ErrPrior is wrapped by every error about a prior: a variance that is not positive, a mean that is not finite, a
// parameter without a block.
var ErrPrior = errors.New("impossible prior")

// Prior is the knowledge of a model's standard parameters before any log: a
// mean, and a covariance in blocks, those of bodies and those of single
// parameters. At weight w the covariance is divided by w.
//
// The block of a body is the inverse of the affine-invariant metric at the
// prior's pseudo-inertia J₀, g(V, W) = tr(J₀⁻¹·V·J₀⁻¹·W) (Lee and Park 2018):
// one standard deviation is a relative change of the body by one, in any frame and units. The
// standard deviation of a drive parameter is its value, of an offset freeDeviation.
type Prior struct {
	Source string    // for messages and results: "robot", or a file's name
	Names  []string  // names of the standard parameters, as in a set's Columns
	Mean   []float64 // means, in the same order
	Known  []bool    // true: the value is from the source; false: it is a nominal value
	Blocks []PriorBlock
}

// PriorBlock is the covariance, at weight one, of parameters that are independent of all others. Every parameter must be
// in exactly one block.
type PriorBlock struct {
	Columns    []int
	Covariance *mat.SymDense // len(Columns) square
}

// NewPrior takes the mean from a robot file, and nominal values where the file gives no feasible ones (see the package
// comment). columns must be those of a model of this robot.
func NewPrior(r *robot.Robot, columns []regressor.Column, source string) *Prior {
	n := len(columns)
	p := &Prior{Source: source, Names: make([]string, n), Mean: make([]float64, n), Known: make([]bool, n)}
	type owner struct {
		term       regressor.Term
		link, body int
	}
	blocks := map[owner]int{}
	for i, c := range columns {
		p.Names[i] = c.Name
		if ofBody(c) {
			body, given := NominalBody, false
			if c.Term == regressor.Links {
				body, given = priorBody(r.Links[c.Link].Inertial)
				given = given && r.Links[c.Link].HasInertial
			}
			at, ok := blocks[owner{c.Term, c.Link, c.Body}]
			if !ok {
				at = len(p.Blocks)
				blocks[owner{c.Term, c.Link, c.Body}] = at
				p.Blocks = append(p.Blocks, PriorBlock{})
			}
			p.Mean[i], p.Known[i] = body[c.Param], given
			p.Blocks[at].Columns = append(p.Blocks[at].Columns, i)
			continue
		}
		v, known := regressor.ValueOf(r, c)
		deviation := v
		switch {
		case c.Signed:
			deviation = freeDeviation
		case !known || !(v > 0):
			v, deviation, known = nominalDrive, nominalDrive, false
		}
		p.Mean[i], p.Known[i] = v, known
		p.Blocks = append(p.Blocks, PriorBlock{Columns: []int{i}, Covariance: mat.NewSymDense(1, []float64{deviation * deviation})})
	}
	for k := range p.Blocks {
		if b := &p.Blocks[k]; b.Covariance == nil {
			p.completed(b.Columns, columns)
			b.Covariance = bodyCovariance(b.Columns, columns, p.Mean)
		}
	}
	return p
}

// completed keeps a body of which the model has only some parameters if NominalBody's others make it feasible, and
// otherwise replaces it by NominalBody.
func (p *Prior) completed(at []int, columns []regressor.Column) {
	body := NominalBody
	for _, i := range at {
		body[columns[i].Param] = p.Mean[i]
	}
	if LeastEigenvalue(body) > 0 {
		return
	}
	for _, i := range at {
		p.Mean[i], p.Known[i] = NominalBody[columns[i].Param], false
	}
}

// silence is the standard deviation, relative to the nominal one, of parameters that a source does not give: 10⁴ N·m of
// friction. Even ten thousand times the prior's weight leaves a hundredth of it.
const silence = 1e5

// Informative returns the prior without any preference for parameters that its source does not give. Use it for Gaussian
// priors, which have no bounds to keep: a nominal friction or rotor inertia of a tenth of an SI unit is wrong for a
// drive of another size.
func (p *Prior) Informative() *Prior {
	out := *p
	out.Blocks = slices.Clone(p.Blocks)
	for k, b := range out.Blocks {
		if p.Known[b.Columns[0]] {
			continue
		}
		var wide mat.SymDense
		wide.ScaleSym(silence*silence, b.Covariance)
		out.Blocks[k].Covariance = &wide
	}
	return &out
}

// ofBody reports whether a column is one of the ten parameters of a body.
func ofBody(c regressor.Column) bool { return c.Term == regressor.Links || c.Term == regressor.Payload }

// bodyCovariance returns the covariance of a body's parameters at the columns at: Σ over the ten unit matrices E of
// χ(L·E·Lᵀ)·χ(L·E·Lᵀ)ᵀ, J₀ = L·Lᵀ.
func bodyCovariance(at []int, columns []regressor.Column, mean []float64) *mat.SymDense {
	body := NominalBody
	for _, i := range at {
		body[columns[i].Param] = mean[i]
	}
	units := unitBodies(lower(body))
	cov := mat.NewSymDense(len(at), nil)
	for a, i := range at {
		for b := a; b < len(at); b++ {
			sum := 0.0
			for e := range units {
				sum += units[e][columns[i].Param] * units[e][columns[at[b]].Param]
			}
			cov.SetSym(a, b, sum)
		}
	}
	return cov
}

// unitBodies returns the parameters of L·E·Lᵀ for the ten unit symmetric matrices E: the columns of the map from X =
// L⁻¹·J·L⁻ᵀ to χ.
func unitBodies(root [4][4]float64) (units [10]robot.Inertial) {
	for e := range units {
		var v conic.Sym4
		v[e] = 1
		j := conic.Congruence(&root, &v)
		m := j.Matrix()
		units[e] = inertialOf(&m)
	}
	return units
}

// Base returns the mean and the covariance, at weight one, of the base parameters of set, whose columns must be those of
// the prior.
func (p *Prior) Base(set *baseparams.Set) (mean []float64, covariance *mat.SymDense) {
	p.check(set)
	n := len(set.Base)
	covariance = mat.NewSymDense(max(n, 1), nil)
	k := baseMatrix(set)
	for _, b := range p.Blocks {
		m := len(b.Columns)
		var rows []int // base parameters with a coefficient in the block
		var coef []float64
		for i := range n {
			any := false
			for _, c := range b.Columns {
				any = any || k[i][c] != 0
			}
			if any {
				rows = append(rows, i)
				for _, c := range b.Columns {
					coef = append(coef, k[i][c])
				}
			}
		}
		if len(rows) == 0 {
			continue
		}
		var half, cov mat.Dense
		c := mat.NewDense(len(rows), m, coef)
		half.Mul(c, b.Covariance)
		cov.Mul(&half, c.T())
		for a, i := range rows {
			for o := a; o < len(rows); o++ {
				covariance.SetSym(i, rows[o], covariance.At(i, rows[o])+(cov.At(a, o)+cov.At(o, a))/2)
			}
		}
	}
	return set.FromStandard(p.Mean), covariance
}

// baseMatrix returns K, one row a base parameter and one column a standard one: K·χ are the base parameters of χ.
func baseMatrix(set *baseparams.Set) [][]float64 {
	k := make([][]float64, len(set.Base))
	for i := range k {
		k[i] = make([]float64, len(set.Columns))
		k[i][set.Base[i]] = 1
		for d, v := range set.Beta[i] {
			k[i][set.Dependent[d]] = v
		}
	}
	return k
}

func (p *Prior) check(set *baseparams.Set) {
	if len(p.Names) != len(set.Columns) {
		panic(fmt.Sprintf("physical: the prior has %d parameters and the set %d", len(p.Names), len(set.Columns)))
	}
	for i, c := range set.Columns {
		if p.Names[i] != c.Name {
			panic(fmt.Sprintf("physical: parameter %d is %s in the prior and %s in the set", i+1, p.Names[i], c.Name))
		}
	}
}

// Validate returns an error unless means are finite, variances positive, covariances positive definite, and every
// parameter is in one block. The error wraps ErrPrior and names the parameter.
func (p *Prior) Validate() error {
	fail := func(format string, a ...any) error {
		return fmt.Errorf("%w (%s): %s", ErrPrior, p.Source, fmt.Sprintf(format, a...))
	}
	if len(p.Mean) != len(p.Names) || len(p.Known) != len(p.Names) {
		return fail("%d names, %d means and %d marks of what is known", len(p.Names), len(p.Mean), len(p.Known))
	}
	for i, v := range p.Mean {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fail("the mean of %s is %g", p.Names[i], v)
		}
	}
	seen := make([]bool, len(p.Names))
	for _, b := range p.Blocks {
		if b.Covariance == nil || b.Covariance.SymmetricDim() != len(b.Columns) {
			return fail("a block of %d parameters without a covariance of that size", len(b.Columns))
		}
		for a, i := range b.Columns {
			switch {
			case i < 0 || i >= len(p.Names):
				return fail("a block names parameter %d of %d", i+1, len(p.Names))
			case seen[i]:
				return fail("%s is in two blocks", p.Names[i])
			}
			seen[i] = true
			if v := b.Covariance.At(a, a); !(v > 0) || math.IsInf(v, 0) {
				return fail("the variance of %s is %g: it is a positive number", p.Names[i], v)
			}
		}
		var chol mat.Cholesky
		if !chol.Factorize(correlations(b.Covariance)) {
			return fail("the covariance of %s and the other %d of its block is not positive definite", p.Names[b.Columns[0]], len(b.Columns)-1)
		}
	}
	for i, ok := range seen {
		if !ok {
			return fail("the prior does not give %s", p.Names[i])
		}
	}
	return nil
}

// correlations scales a covariance to a unit diagonal and adds 1e-12 to it: parameters of a thin body far from its
// frame's origin are correlated to the last digits.
func correlations(cov *mat.SymDense) *mat.SymDense {
	n := cov.SymmetricDim()
	out := mat.NewSymDense(n, nil)
	for a := range n {
		for b := a; b < n; b++ {
			out.SetSym(a, b, cov.At(a, b)/math.Sqrt(cov.At(a, a)*cov.At(b, b)))
		}
		out.SetSym(a, a, 1+1e-12)
	}
	return out
}
