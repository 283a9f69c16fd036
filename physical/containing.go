package physical

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/regressor"
	"ident/robot"
)

// Contain moves parameters of drives, such as reflected rotor inertias, into the bodies, for a file that has no place for
// them. columns are their indices in the set, in order of preference. It returns standard parameters with the same base
// parameters, hence the same torques, in which the columns moved are zero and all bodies are feasible, and the columns
// that could be moved: those that are regrouped onto bodies, as far as feasible bodies can have them.
//
// The bodies are the feasible ones nearest to those of chi, each with a disc about its joint that has the inertia moved
// (in the divergence of log-determinants). If a body of chi is not feasible, nothing is moved.
func Contain(r *robot.Robot, set *baseparams.Set, chi []float64, columns []int) (moved []float64, contained []int) {
	c := newContainer(r, set, chi)
	if c == nil {
		return chi, nil
	}
	for _, column := range columns {
		if c.take(column) {
			contained = append(contained, column)
		}
	}
	if len(contained) == 0 {
		return chi, nil
	}
	c.minimise(0)
	return c.chi, contained
}

// container holds bodies with given base parameters.
type container struct {
	set   *baseparams.Set
	chi   []float64
	links []containedLink
	free  []map[int]float64 // directions of chi that change no base parameter and no drive
}

// containedLink is a body of the set's columns.
type containedLink struct {
	link    int
	slides  bool
	columns [robot.NumInertial]int // in the set; −1 for a parameter that is none
	fixed   robot.Inertial         // parameters that are no columns
	target  robot.Inertial         // the body that this one should be near
	inverse *mat.SymDense          // of the target's pseudo-inertia
}

func newContainer(r *robot.Robot, set *baseparams.Set, chi []float64) *container {
	c := &container{set: set, chi: slices.Clone(chi)}
	at := map[int]int{}
	for i, col := range set.Columns {
		if col.Term != regressor.Links {
			continue
		}
		k, known := at[col.Link]
		if !known {
			k = len(c.links)
			at[col.Link] = k
			l := containedLink{link: col.Link, slides: r.Links[col.Link].Joint.Kind == robot.Prismatic, fixed: r.Links[col.Link].Inertial}
			for p := range l.columns {
				l.columns[p] = -1
			}
			c.links = append(c.links, l)
		}
		c.links[k].columns[col.Param] = i
	}
	for k := range c.links {
		l := &c.links[k]
		l.target = l.body(c.chi)
		if !l.aim() {
			return nil
		}
	}
	for d, column := range set.Dependent {
		if set.Columns[column].Term != regressor.Links {
			continue
		}
		direction := c.direction(d)
		bodies := true
		for i := range direction {
			bodies = bodies && set.Columns[i].Term == regressor.Links
		}
		if bodies {
			c.free = append(c.free, direction)
		}
	}
	for _, column := range set.Zero {
		if set.Columns[column].Term == regressor.Links {
			c.free = append(c.free, map[int]float64{column: 1})
		}
	}
	return c
}

// direction returns the change of the standard parameters that raises the d-th dependent one by 1 and keeps the base
// parameters.
func (c *container) direction(d int) map[int]float64 {
	out := map[int]float64{c.set.Dependent[d]: 1}
	for k, base := range c.set.Base {
		if b := c.set.Beta[k][d]; b != 0 {
			out[base] = -b
		}
	}
	return out
}

func (l *containedLink) body(chi []float64) robot.Inertial {
	p := l.fixed
	for k, i := range l.columns {
		if i >= 0 {
			p[k] = chi[i]
		}
	}
	return p
}

// pseudo returns the pseudo-inertia as a matrix.
func pseudo(p robot.Inertial) *mat.SymDense {
	j := p.PseudoInertia()
	s := mat.NewSymDense(4, nil)
	for a := range 4 {
		for b := a; b < 4; b++ {
			s.SetSym(a, b, j[a][b])
		}
	}
	return s
}

// aim takes the target; it reports whether that is a feasible body.
func (l *containedLink) aim() bool {
	inverse, _, ok := inverted(l.target)
	l.inverse = inverse
	return ok
}

// inverted returns the inverse of a pseudo-inertia and the logarithm of its determinant, if it is positive definite.
func inverted(p robot.Inertial) (*mat.SymDense, float64, bool) {
	var f mat.Cholesky
	if !f.Factorize(pseudo(p)) {
		return nil, 0, false
	}
	var inverse mat.SymDense
	if f.InverseTo(&inverse) != nil {
		return nil, 0, false
	}
	return &inverse, f.LogDet(), true
}

// take moves a column into the bodies, and reports whether it could.
func (c *container) take(column int) bool {
	d := slices.Index(c.set.Dependent, column)
	value := c.chi[column]
	if d < 0 || !(value > 0) || len(c.links) == 0 {
		return false
	}
	shift := c.direction(d)
	for i := range shift {
		if i != column && c.set.Columns[i].Term != regressor.Links {
			return false
		}
	}
	before, links := slices.Clone(c.chi), slices.Clone(c.links)
	for i := range shift {
		shift[i] *= -value
	}
	for k := range c.links {
		l := &c.links[k]
		switch {
		case l.link != c.set.Columns[column].Link:
			continue
		case l.slides:
			l.target[robot.M] += value
		default: // a disc about the joint's axis
			l.target[robot.XX] += value / 2
			l.target[robot.YY] += value / 2
			l.target[robot.ZZ] += value
		}
		l.aim()
	}
	// The last direction moves the column; its way is done at 1.
	c.free = append(c.free, shift)
	done := false
	way := 0.0
	for force := 1.0; force < 1e9 && !done; force *= 8 {
		from, at := slices.Clone(c.chi), way
		way += c.minimise(force)
		if way >= 1 {
			part := (1 - at) / (way - at)
			for i := range c.chi {
				c.chi[i] = from[i] + part*(c.chi[i]-from[i])
			}
			done = true
		}
	}
	c.free = c.free[:len(c.free)-1]
	if !done {
		c.chi, c.links = before, links
		return false
	}
	c.chi[column] = 0
	return true
}

// minimise moves the bodies to those of the least sum of divergences from their targets, less force times the way along
// the last direction. It returns that way.
func (c *container) minimise(force float64) (way float64) {
	n := len(c.free)
	if n == 0 {
		return 0
	}
	// Of each direction, the parts of the links, by link and parameter.
	parts := make([][][robot.NumInertial]float64, n)
	for i, direction := range c.free {
		parts[i] = make([][robot.NumInertial]float64, len(c.links))
		for k := range c.links {
			for p, column := range c.links[k].columns {
				if column >= 0 {
					parts[i][k][p] = direction[column]
				}
			}
		}
	}
	for range 60 {
		value, ok := c.value(c.chi)
		if !ok {
			return way
		}
		gradient, hessian := mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
		for k := range c.links {
			g, h := c.links[k].derivatives(c.chi)
			for i := range n {
				slope := 0.0
				var hv [robot.NumInertial]float64
				for p, v := range parts[i][k] {
					if v == 0 {
						continue
					}
					slope += g[p] * v
					for q := range hv {
						hv[q] += h[p][q] * v
					}
				}
				gradient.SetVec(i, gradient.AtVec(i)+slope)
				for j := i; j < n; j++ {
					sum := 0.0
					for q, v := range parts[j][k] {
						sum += hv[q] * v
					}
					hessian.SetSym(i, j, hessian.At(i, j)+sum)
				}
			}
		}
		if force > 0 {
			gradient.SetVec(n-1, gradient.AtVec(n-1)-force)
		}
		// Parameters have different units: scale the diagonal to 1.
		scale := make([]float64, n)
		for i := range n {
			scale[i] = 1 / math.Sqrt(max(hessian.At(i, i), 1e-300))
		}
		for i := range n {
			gradient.SetVec(i, gradient.AtVec(i)*scale[i])
			for j := i; j < n; j++ {
				v := hessian.At(i, j) * scale[i] * scale[j]
				if i == j {
					v += 1e-12 // directions that are nearly dependent
				}
				hessian.SetSym(i, j, v)
			}
		}
		var f mat.Cholesky
		var step mat.VecDense
		if !f.Factorize(hessian) {
			return way
		}
		// A condition number is told as an error; the line search guards the step.
		_ = f.SolveVecTo(&step, gradient)
		decrement := mat.Dot(&step, gradient)
		if !(decrement > 1e-10) {
			return way
		}
		length := 1.0
		for ; length > 1e-10; length /= 2 {
			next := slices.Clone(c.chi)
			for i, direction := range c.free {
				for column, v := range direction {
					next[column] -= length * step.AtVec(i) * scale[i] * v
				}
			}
			gain := -length * step.AtVec(n-1) * scale[n-1]
			if v, ok := c.value(next); ok && v-force*gain <= value-0.1*length*decrement {
				c.chi, way = next, way+gain
				break
			}
		}
		if length <= 1e-10 || force > 0 && way > 4 {
			return way
		}
	}
	return way
}

// value returns the sum of the divergences, without constants, if all bodies are feasible.
func (c *container) value(chi []float64) (float64, bool) {
	sum := 0.0
	for k := range c.links {
		l := &c.links[k]
		p := l.body(chi)
		_, logDet, ok := inverted(p)
		if !ok {
			return 0, false
		}
		sum += traceOf(l.inverse, pseudo(p)) - logDet
	}
	return sum, true
}

func traceOf(a, b mat.Symmetric) float64 {
	sum := 0.0
	for i := range 4 {
		for j := range 4 {
			sum += a.At(i, j) * b.At(i, j)
		}
	}
	return sum
}

// derivatives returns the gradient and the Hessian of a body's divergence by its parameters.
func (l *containedLink) derivatives(chi []float64) (g [robot.NumInertial]float64, h [robot.NumInertial][robot.NumInertial]float64) {
	inverse, _, _ := inverted(l.body(chi))
	var turned [robot.NumInertial]*mat.Dense // P⁻¹·A
	for p := range g {
		var unit robot.Inertial
		unit[p] = 1
		a := pseudo(unit)
		turned[p] = new(mat.Dense)
		turned[p].Mul(inverse, a)
		g[p] = traceOf(l.inverse, a) - mat.Trace(turned[p])
	}
	for p := range g {
		for q := range g {
			for i := range 4 {
				for j := range 4 {
					h[p][q] += turned[p].At(i, j) * turned[q].At(j, i)
				}
			}
		}
	}
	return g, h
}
