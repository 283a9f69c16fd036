package physical

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/estimate"
	"ident/physical/internal/conic"
	"ident/regressor"
	"ident/robot"
)

// program is the conic program for a solution, and the map from its variables to the standard parameters.
type program struct {
	conic.Program
	set     *baseparams.Set
	own     int       // columns of the model; those of Given follow
	origin  []float64 // standard parameters at z = 0, then those of bodies that have no column
	scale   []float64 // of each block's parameter; 0 for bodies
	column  []int     // of each block; -1 for bodies
	roots   [][4][4]float64
	inverse [][4][4]float64          // of roots
	owner   []regressor.Column       // of each body, its first
	at      [][robot.NumInertial]int // columns of each body
	prior   *Prior
	bounds  Bounds
	out     Estimate

	zeros     []zeroParameter
	masses    []massRow
	total     *massRow // of all links together, nil without a given total
	estimated int      // rows of the estimate; those of zeros follow, of masses and of the total
}

// ErrPartialBody is wrapped by the error if the model lacks some of a link's parameters and the robot file does not
// declare them zero.
var ErrPartialBody = errors.New("a link must have all of its ten parameters to be kept a feasible body")

// assemble builds the program. Prior and bounds must be valid.
func assemble(s *estimate.Solution, r *robot.Robot, set *baseparams.Set, opt Options) (*program, error) {
	c := &program{set: set, own: len(set.Columns) - len(opt.Given), origin: make([]float64, len(set.Columns)), prior: opt.Prior, bounds: opt.Bounds}
	c.Margin = opt.Margin
	if err := c.addBlocks(r, opt); err != nil {
		return nil, err
	}
	inflation := opt.Inflation
	if inflation == 0 {
		inflation = MeanInflation(s)
	}
	c.declareMasses(opt.Masses)
	maps, err := c.measure(s, inflation)
	if err != nil {
		return nil, err
	}
	for row := range maps {
		for i, v := range maps[row] {
			c.Offset[row] += v * c.origin[i]
		}
	}
	c.addRows(maps)
	c.addZeros()
	c.addMasses(opt.Masses)
	c.weigh(opt.Weight)
	c.weighMasses(opt.Weight, opt.Masses)
	if err := c.addBounds(r); err != nil {
		return nil, err
	}
	return c, c.Prepare()
}

// addBlocks makes one block for every block of the prior: a body's ten parameters relative to the prior's body, or a
// number relative to its prior value.
func (c *program) addBlocks(r *robot.Robot, opt Options) error {
	p := opt.Prior
	for _, b := range p.Blocks {
		first := b.Columns[0]
		col := c.set.Columns[first]
		if ofBody(col) {
			if err := c.addBody(r, b.Columns, opt, b.Covariance); err != nil {
				return err
			}
			if !p.Known[first] && col.Term == regressor.Links {
				c.out.Nominal = append(c.out.Nominal, col.Link)
			}
			continue
		}
		if len(b.Columns) != 1 {
			return fmt.Errorf("%w (%s): %s shares a block with others; only the ten parameters of a link do", ErrPrior, p.Source, p.Names[first])
		}
		mean, deviation := p.Mean[first], math.Sqrt(b.Covariance.At(0, 0))
		k := conic.Block{Kind: conic.Nonnegative, At: c.Size, Size: 1, PriorKnown: p.Known[first]}
		scale := mean
		switch {
		case col.Signed || opt.AnyFriction && col.Term != regressor.Ia:
			k.Kind, k.Quadratic, scale, c.origin[first] = conic.Free, conic.UnitQuadratic(0), deviation, mean
		case !(mean > 0):
			return fmt.Errorf("%w (%s): %s is %g, which is not positive", ErrPrior, p.Source, p.Names[first], mean)
		case opt.Distance == PullBack:
			k.Quadratic = conic.UnitQuadratic(1)
			k.Quadratic.F[0][0] = mean / deviation
		case opt.Distance == Euclidean:
			k.Quadratic = conic.UnitQuadratic(1)
		}
		c.Size++
		c.Blocks, c.column, c.scale = append(c.Blocks, k), append(c.column, first), append(c.scale, scale)
	}
	return nil
}

func (c *program) addBody(r *robot.Robot, columns []int, opt Options, cov *mat.SymDense) error {
	distance, col := opt.Distance, c.set.Columns[columns[0]]
	var at [robot.NumInertial]int
	for p := range at {
		at[p] = -1
	}
	mean := NominalBody // where there is no column
	for _, i := range columns {
		o := c.set.Columns[i]
		if o.Term != col.Term || o.Link != col.Link || o.Body != col.Body {
			return fmt.Errorf("%w (%s): %s and %s share a block", ErrPrior, c.prior.Source, c.prior.Names[columns[0]], c.prior.Names[i])
		}
		at[o.Param], mean[o.Param] = i, c.prior.Mean[i]
	}
	var missing []int
	for p, i := range at {
		if i < 0 {
			missing = append(missing, p)
		}
	}
	held, err := heldAtZero(r, col, missing)
	if err != nil {
		return err
	}
	for _, p := range missing {
		at[p] = len(c.origin)
		c.origin = append(c.origin, mean[p])
		if slices.Contains(held, p) {
			c.zeros = append(c.zeros, zeroParameter{len(c.owner), p, at[p], 0})
		}
	}
	for p, i := range at {
		if i >= c.own && i < len(c.set.Columns) {
			c.zeros = append(c.zeros, zeroParameter{len(c.owner), p, i, opt.Given[i-c.own].Value})
		}
	}
	if least := LeastEigenvalue(mean); !(least > 0) {
		return fmt.Errorf("%w (%s): link %q: %s", ErrPrior, c.prior.Source, col.Owner, WhyImpossible(mean))
	}
	root := lower(mean)
	b := conic.Block{Kind: conic.Semidefinite, At: c.Size, Size: 10, PriorKnown: c.prior.Known[columns[0]]}
	switch {
	case distance == PullBack && len(missing) > 0:
		b.Quadratic = conic.UnitQuadratic(1, 1, 1, 1) // the metric at the prior's body
	case distance == PullBack:
		if b.Quadratic, err = quadraticOf(&root, columns, c.set, cov); err != nil {
			return err
		}
	case distance == Euclidean:
		b.Quadratic = euclidean(&root, mean)
	}
	c.roots, c.inverse = append(c.roots, root), append(c.inverse, inverseUpper(&root))
	c.owner, c.at = append(c.owner, col), append(c.at, at)
	c.Blocks, c.column, c.scale = append(c.Blocks, b), append(c.column, -1), append(c.scale, 0)
	c.Size += 10
	return nil
}

// addRows fills the blocks' rows from the map of standard parameters to measured rows.
func (c *program) addRows(maps [][]float64) {
	n := 0
	for k := range c.Blocks {
		b := &c.Blocks[k]
		if b.Kind != conic.Semidefinite {
			for row := range maps {
				if v := maps[row][c.column[k]] * c.scale[k]; v != 0 {
					b.AddRow(row, [10]float64{v})
				}
			}
			continue
		}
		unit := unitBodies(c.roots[n])
		for row := range maps {
			var coef robot.Inertial
			any := false
			for p, i := range c.at[n] {
				if i < len(maps[row]) {
					coef[p] = maps[row][i]
					any = any || coef[p] != 0
				}
			}
			if any {
				b.AddRow(row, alongUnits(&unit, &coef))
			}
		}
		n++
	}
}

// alongUnits converts coef, a linear form of a body's parameters, to one of its X.
func alongUnits(unit *[10]robot.Inertial, coef *robot.Inertial) (out [10]float64) {
	for e := range out {
		for p, f := range coef {
			out[e] += f * unit[e][p]
		}
	}
	return out
}

// noiseFloor is the least standard deviation of a row, relative to the torques': rounding in a noise-free log.
const noiseFloor = 1e-5

// MeanInflation returns the factor by which correlated rows count less than independent ones: the mean over the joints,
// including errors that recur with the motion.
func MeanInflation(s *estimate.Solution) float64 {
	rows, sum := 0, 0.0
	for k, f := range s.VarianceInflation {
		if s.Recurrence != nil {
			f *= s.Recurrence[k]
		}
		rows, sum = rows+s.Rows[k], sum+f*float64(s.Rows[k])
	}
	return sum / float64(max(rows, 1))
}

// measure sets the factor of the program and returns the map from standard parameters to its measured rows: the base
// parameters, or their determined combinations if the data do not determine all.
func (c *program) measure(s *estimate.Solution, inflation float64) ([][]float64, error) {
	n, rows := len(s.X), 0
	for _, k := range s.Rows {
		rows += k
	}
	sigma := math.Sqrt(inflation * s.RSS / float64(max(rows-s.Rank, 1)))
	sigma = max(sigma, noiseFloor*math.Sqrt(s.Stack.YY/float64(max(rows, 1))))
	if sigma == 0 {
		sigma = 1 // all torques are zero
	}
	base := baseMatrix(c.set)
	if s.Rank == n {
		root := append([]float64(nil), s.Stack.R...)
		floats.Scale(1/sigma, root)
		c.Offset = append([]float64(nil), s.X...)
		floats.Scale(-1, c.Offset)
		c.withFurther(n, root)
		return base, nil
	}
	d, err := s.Directions()
	if err != nil {
		return nil, err
	}
	root := make([]float64, s.Rank*s.Rank)
	c.Offset = make([]float64, s.Rank)
	maps := make([][]float64, s.Rank)
	for k := range maps {
		root[k*s.Rank+k] = d.Singular[k] / sigma
		maps[k] = make([]float64, len(c.set.Columns))
		for j := range n {
			f := d.Forms[k][j]
			floats.AddScaled(maps[k], f, base[j])
			c.Offset[k] -= f * s.X[j]
		}
	}
	c.withFurther(s.Rank, root)
	return maps, nil
}

// withFurther sets the factor of the estimate's n rows, followed by the rows of zeros and masses.
func (c *program) withFurther(n int, root []float64) {
	further := len(c.zeros) + len(c.masses)
	if c.total != nil {
		further++
	}
	m := n + further
	c.estimated, c.Offset = n, append(c.Offset, make([]float64, further)...)
	whole := make([]float64, m*m)
	for i := range m {
		if i >= n {
			whole[i*m+i] = 1
			continue
		}
		copy(whole[i*m:i*m+n], root[i*n:(i+1)*n])
	}
	c.Factor = upper(m, whole)
}

func upper(n int, data []float64) blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: n, Stride: max(n, 1), Data: data}
}

// standard returns the standard parameters for the program's variables.
func (c *program) standard(z []float64) []float64 { return c.complete(z)[:len(c.set.Columns)] }

// complete returns the standard parameters, followed by body parameters without a column.
func (c *program) complete(z []float64) []float64 {
	chi := append([]float64(nil), c.origin...)
	n := 0
	for k := range c.Blocks {
		b := &c.Blocks[k]
		if b.Kind != conic.Semidefinite {
			chi[c.column[k]] += c.scale[k] * z[b.At]
			continue
		}
		x := conic.Sym4(b.Variables(z))
		j := conic.Congruence(&c.roots[n], &x)
		m := j.Matrix()
		for p, v := range inertialOf(&m) {
			chi[c.at[n][p]] = v
		}
		n++
	}
	for _, v := range c.zeros {
		chi[v.at] = v.value
	}
	return chi
}

// variables returns the inverse of standard.
func (c *program) variables(chi []float64) []float64 {
	z := make([]float64, c.Size)
	n := 0
	for k := range c.Blocks {
		b := &c.Blocks[k]
		if b.Kind != conic.Semidefinite {
			z[b.At] = (chi[c.column[k]] - c.origin[c.column[k]]) / c.scale[k]
			continue
		}
		x := c.relative(n, chi)
		copy(b.Variables(z), x[:])
		n++
	}
	return z
}

// possible reports whether complete parameters satisfy all constraints after rounding in the conversion from the
// program's variables.
func (c *program) possible(chi []float64) bool {
	n := 0
	for k := range c.Blocks {
		switch c.Blocks[k].Kind {
		case conic.Nonnegative:
			if !(chi[c.column[k]] >= 0) {
				return false
			}
		case conic.Semidefinite:
			x := c.relative(n, chi)
			if e := conic.NewEigen(&x); !(e.Min() >= c.Margin) {
				return false
			}
			n++
		}
	}
	return len(c.broken(chi)) == 0
}

// relative returns X = L⁻¹·J·L⁻ᵀ of the n-th body; where chi ends, it takes the prior's parameters.
func (c *program) relative(n int, chi []float64) conic.Sym4 {
	var in robot.Inertial
	for p, i := range c.at[n] {
		if in[p] = c.origin[i]; i < len(chi) {
			in[p] = chi[i]
		}
	}
	j := in.PseudoInertia()
	v := conic.NewSym4(&j)
	return conic.Congruence(&c.inverse[n], &v)
}

// inverseUpper returns the inverse of an upper triangular matrix.
func inverseUpper(u *[4][4]float64) (out [4][4]float64) {
	for b := range 4 {
		out[b][b] = 1 / u[b][b]
		for a := b - 1; a >= 0; a-- {
			sum := 0.0
			for k := a + 1; k <= b; k++ {
				sum += u[a][k] * out[k][b]
			}
			out[a][b] = -sum / u[a][a]
		}
	}
	return out
}
