package draws

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/robot"
)

// Numbers of draws under a flat prior.
const (
	// The information of the data is multiplied by sharper, sharpenings times, while the nearest feasible base parameters
	// are sought. A prior with a thousand times the information of the data then moves them by a tenth of a deviation.
	sharper     = 10
	sharpenings = 4
	mostNewton  = 200
	enough      = 1e-3 // square of the distance from the most probable parameters, in deviations of the sharpened data
	leastFlat   = 400  // draws on which the check looks
	firstSweeps = 8    // of each draw, along what the data do not determine
)

// drawFlat draws n robots whose base parameters know no prior: each has those of one estimate drawn from the fit's
// covariance or, if no bodies have them, the nearest that bodies have. What these leave open is drawn from the prior.
func drawFlat(ctx context.Context, p *Posterior, d *density, n int, seed uint64) (*Draws, error) {
	var deviation mat.TriDense
	if err := deviation.InverseTri(d.factor); err != nil {
		var bad mat.Condition
		if !errors.As(err, &bad) {
			return nil, err
		}
	}
	at := d.coordinates(p.Set)
	checked := max(n, leastFlat)
	for sweeps, try := firstSweeps, 0; ; sweeps, try = 2*sweeps, try+1 {
		half, whole, failed := make([][]float64, checked), make([][]float64, checked), make([]error, checked)
		var group sync.WaitGroup
		turn := make(chan struct{}, runtime.GOMAXPROCS(0))
		for i := range checked {
			group.Go(func() {
				turn <- struct{}{}
				defer func() { <-turn }()
				if ctx.Err() != nil {
					return
				}
				half[i], whole[i], failed[i] = d.one(p.Set, at, &deviation, rand.New(rand.NewPCG(seed, uint64(1+i+checked*try))), sweeps)
			})
		}
		group.Wait()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, err := range failed {
			if err != nil {
				return nil, err
			}
		}
		// Draws are independent: they are mixed if the state after half of the sweeps has the same distribution.
		mixing := d.mixing(p, [][][]float64{half, whole})
		mixing.Chains, mixing.Sweeps, mixing.Checked = checked, sweeps, checked
		mixing.Effective = min(mixing.Effective, float64(checked))
		if mixing.Reduction > MostReduction && try < longest {
			continue
		}
		if mixing.Reduction > MostReduction {
			return nil, fmt.Errorf("the chains do not mix: R̂ of %s is %.3f after %d sweeps a draw", mixing.Worst, mixing.Reduction, sweeps)
		}
		out := &Draws{Mixing: mixing}
		for _, x := range whole[:n] {
			out.Standard, out.Base = append(out.Standard, x), append(out.Base, p.Set.FromStandard(x))
		}
		return out, nil
	}
}

// one returns a draw after half of the sweeps and after all. deviation times a vector of standard normal numbers is a deviation of the base parameters.
func (d *density) one(set *baseparams.Set, at *coordinates, deviation *mat.TriDense, rng *rand.Rand, sweeps int) (half, whole []float64, err error) {
	c := &chain{d: d, rng: rng, x: append([]float64(nil), d.mean...), white: make([]float64, len(d.k))}
	for i := range d.bodies {
		c.bodies = append(c.bodies, d.bodies[i].value.PseudoInertia())
	}
	z := mat.NewVecDense(len(d.k), nil)
	for i := range d.k {
		z.SetVec(i, rng.NormFloat64())
		c.white[i] = -z.AtVec(i)
	}
	var shift mat.VecDense
	shift.MulVec(deviation, z)
	for k := range sharpenings + 1 {
		if k > 0 {
			c.sharpen()
		}
		if err := c.climb(at); err != nil {
			return nil, nil, err
		}
	}
	c.reach(set, &shift)
	directions, err := c.openDirections(at)
	if err != nil {
		return nil, nil, err
	}
	for _, v := range directions {
		l := c.d.line(v)
		clear(l.white) // to the last bit
		l.curve = 0
		c.lines = append(c.lines, l)
		c.order = append(c.order, len(c.order))
	}
	for k := range sweeps {
		if k == sweeps/2 {
			half = append([]float64(nil), c.x...)
		}
		if err := c.sweep(); err != nil {
			return nil, nil, err
		}
	}
	return half, c.x, nil
}

// sharpen multiplies the information of the data.
func (c *chain) sharpen() {
	wide := *c.d
	wide.factor = mat.NewTriDense(len(wide.k), mat.Upper, nil)
	wide.factor.ScaleTri(math.Sqrt(sharper), c.d.factor)
	for i := range c.white {
		c.white[i] *= math.Sqrt(sharper)
	}
	c.d = &wide
}

// coordinates are parameters of which the first change one base parameter each and the others none.
type coordinates struct {
	base, open int        // numbers of both
	columns    *mat.Dense // change of the standard parameters by coordinate
}

// coordinates returns the coordinates of a set.
func (d *density) coordinates(set *baseparams.Set) *coordinates {
	out := &coordinates{base: len(set.Base)}
	fixed := map[int]bool{}
	for _, c := range append(append([]int(nil), d.free...), set.Base...) {
		fixed[c] = true
	}
	var open []int
	for c := range d.n {
		if !fixed[c] {
			open = append(open, c)
		}
	}
	out.open = len(open)
	out.columns = mat.NewDense(d.n, out.base+out.open, nil)
	for i, c := range set.Base {
		out.columns.Set(c, i, 1)
		for k, from := range open {
			out.columns.Set(c, out.base+k, -d.k[i][from])
		}
	}
	for k, c := range open {
		out.columns.Set(c, out.base+k, 1)
	}
	return out
}

// hessian returns the negative Hessian of the prior in coordinates.
func (a *coordinates) hessian(c *chain, inverses [][4][4]float64) *mat.Dense {
	prior := mat.NewSymDense(c.d.n, nil)
	c.d.addPrior(prior, inverses, c.x)
	var product mat.Dense
	product.Mul(prior, a.columns)
	out := new(mat.Dense)
	out.Mul(a.columns.T(), &product)
	return out
}

// scaled sets u to the upper factor of a part of a negative Hessian, from a row and column on, with unit diagonal, and
// returns the scale that made it. At the edge of the cone rounding makes it indefinite: then the diagonal is raised, as any
// definite matrix gives directions that rise.
func scaled(h *mat.Dense, from int, u *mat.TriDense) ([]float64, error) {
	n, _ := h.Dims()
	scale, unit := make([]float64, n-from), mat.NewSymDense(n-from, nil)
	for k := range scale {
		scale[k] = 1 / math.Sqrt(math.Max(h.At(from+k, from+k), 1e-300))
	}
	for i := range scale {
		for j := i; j < len(scale); j++ {
			unit.SetSym(i, j, (h.At(from+i, from+j)+h.At(from+j, from+i))/2*scale[i]*scale[j])
		}
	}
	for raise := 1e-12; raise < 1; raise *= 100 {
		for i := range scale {
			unit.SetSym(i, i, 1+raise)
		}
		if factorOf(unit, u) == nil {
			return scale, nil
		}
	}
	return nil, errSingular
}

// climb goes to the most probable parameters by Newton's method, whose step is shortened until the density rises.
func (c *chain) climb(a *coordinates) error {
	d := c.d
	information := mat.NewSymDense(a.base, nil)
	information.SymOuterK(1, d.factor.T())
	for range mostNewton {
		inverses, err := c.inverses()
		if err != nil {
			return err
		}
		h := a.hessian(c, inverses)
		for i := range a.base {
			for j := range a.base {
				h.Set(i, j, h.At(i, j)+information.At(i, j))
			}
		}
		var gradient, data mat.VecDense
		gradient.MulVec(a.columns.T(), mat.NewVecDense(d.n, d.priorGradient(c.x, inverses)))
		data.MulVec(d.factor.T(), mat.NewVecDense(len(c.white), c.white))
		for i := range a.base {
			gradient.SetVec(i, gradient.AtVec(i)-data.AtVec(i))
		}
		var u mat.TriDense
		scale, err := scaled(h, 0, &u)
		if err != nil {
			return err
		}
		step := mat.NewVecDense(len(scale), nil)
		for i, s := range scale {
			step.SetVec(i, gradient.AtVec(i)*s)
		}
		var chol mat.Cholesky
		chol.SetFromU(&u)
		if err := chol.SolveVecTo(step, step); err != nil {
			var bad mat.Condition
			if !errors.As(err, &bad) {
				return err
			}
		}
		for i, s := range scale {
			step.SetVec(i, step.AtVec(i)*s)
		}
		decrement := mat.Dot(step, &gradient)
		if !(decrement > enough) {
			return nil
		}
		var v mat.VecDense
		v.MulVec(a.columns, step)
		l := d.line(v.RawVector().Data)
		first, second := c.slope(&l)
		from, t := c.at(&l, 0, first, second), 1.0
		for c.at(&l, t, first, second) < from+0.1*t*decrement {
			if t /= 2; t < 1e-9 {
				return nil // as high as rounding tells
			}
		}
		c.move(&l, t)
	}
	return fmt.Errorf("no nearest feasible parameters were found in %d steps; draw with a prior", mostNewton)
}

// reach gives the state the base parameters at a shift from the mean if bodies near the state's have them: there nothing
// of the prior is left in them.
func (c *chain) reach(set *baseparams.Set, shift *mat.VecDense) {
	d := c.d
	now, mean := set.FromStandard(c.x), set.FromStandard(d.mean)
	v := make([]float64, d.n)
	for i, at := range set.Base {
		v[at] = mean[i] + shift.AtVec(i) - now[i]
	}
	l := d.line(v)
	first, second := c.slope(&l)
	// Not onto the edge of the cone, where bodies have no room.
	if !math.IsInf(c.at(&l, 2, first, second), -1) {
		c.move(&l, 1)
	}
}

// inverses returns the inverses of the bodies' pseudo-inertias.
func (c *chain) inverses() ([][4][4]float64, error) {
	out := make([][4][4]float64, len(c.bodies))
	for i := range c.bodies {
		inverse, ok := invert(c.bodies[i])
		if !ok {
			return nil, fmt.Errorf("%w: link %q", ErrInfeasible, c.d.bodies[i].name)
		}
		out[i] = inverse
	}
	return out, nil
}

// priorGradient returns the derivatives of the log prior.
func (d *density) priorGradient(x []float64, inverses [][4][4]float64) []float64 {
	out := make([]float64, d.n)
	for i := range d.bodies {
		b := &d.bodies[i]
		for k, at := range b.columns {
			var p robot.Inertial
			p[b.params[k]] = 1
			change := p.PseudoInertia()
			out[at] += (d.nu-5)/2*traceOf(inverses[i], change) - d.nu/2*traceOf(b.inverse, change)
		}
	}
	for _, p := range d.positives {
		out[p.column] += (d.shape-1)/x[p.column] - d.shape/p.mean
	}
	return out
}

// openDirections returns directions along which the base parameters stay: factors of the inverse Hessian of the prior at
// the state.
func (c *chain) openDirections(a *coordinates) ([][]float64, error) {
	if a.open == 0 {
		return nil, nil
	}
	inverses, err := c.inverses()
	if err != nil {
		return nil, err
	}
	var u mat.TriDense
	scale, err := scaled(a.hessian(c, inverses), a.base, &u)
	if err != nil {
		return nil, err
	}
	columns, err := columnsOfInverse(&u, scale)
	if err != nil {
		return nil, err
	}
	var out [][]float64
	for _, w := range columns {
		v := make([]float64, c.d.n)
		for k, part := range w {
			for i := range v {
				v[i] += part * a.columns.At(i, a.base+k)
			}
		}
		out = append(out, v)
	}
	return out, nil
}
