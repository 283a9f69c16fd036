package estimate

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/regressor"
	"ident/robot"
)

// consistency is the program of a solution and how its variables are the
// standard parameters.
type consistency struct {
	program
	set    *baseparams.Set
	origin []float64 // standard parameters at z = 0
	links  []int     // of each block of kind body
	roots  [][4][4]float64
	column []int // of each other block; -1 for bodies
	scale  []float64
	at     [][robot.NumInertial]int // columns of each body
	out    Consistent
}

var errNotTenColumns = errors.New("a link without all of its ten parameters cannot be held to be a body")

func newConsistency(s *Solution, r *robot.Robot, set *baseparams.Set, opt ConsistentOptions) (*consistency, error) {
	c := &consistency{set: set, origin: make([]float64, len(set.Columns))}
	c.margin = opt.Margin
	maps, err := c.measure(s)
	if err != nil {
		return nil, err
	}
	bodies := map[int]int{}
	for i, col := range set.Columns {
		if col.Term == regressor.Links {
			if col.Param == 0 {
				bodies[col.Link] = len(c.at)
				c.links = append(c.links, col.Link)
				c.at = append(c.at, [robot.NumInertial]int{})
				c.addBody(r)
			}
			b, ok := bodies[col.Link]
			if !ok {
				return nil, fmt.Errorf("link %q: %w", col.Owner, errNotTenColumns)
			}
			c.at[b][col.Param] = i + 1
			continue
		}
		v, known := regressor.ValueOf(r, col)
		b := block{kind: positive, at: c.size, size: 1}
		scale := v
		switch {
		case col.Signed:
			b.kind, scale, c.origin[i] = free, freeDeviation, v
		case !known || !(v > 0):
			scale = nominalDrive
		}
		c.size++
		c.blocks, c.column, c.scale = append(c.blocks, b), append(c.column, i), append(c.scale, scale)
	}
	body0 := 0
	for k := range c.blocks {
		b := &c.blocks[k]
		if b.kind != body {
			column := c.column[k]
			for row := range maps {
				if v := maps[row][column] * c.scale[k]; v != 0 {
					b.rows, b.m = append(b.rows, row), append(b.m, v)
				}
			}
			continue
		}
		at := &c.at[body0]
		for p, i := range at {
			if i == 0 {
				return nil, fmt.Errorf("link %q (%s missing): %w", r.Links[c.links[body0]].Name, robot.InertialNames[p], errNotTenColumns)
			}
			at[p]--
		}
		unit := unitBodies(c.roots[body0])
		for row := range maps {
			var v [10]float64
			any := false
			for p, i := range at {
				if f := maps[row][i]; f != 0 {
					any = true
					for e := range v {
						v[e] += f * unit[e][p]
					}
				}
			}
			if any {
				b.rows, b.m = append(b.rows, row), append(b.m, v[:]...)
			}
		}
		body0++
	}
	for row := range maps {
		for i, v := range c.origin {
			c.offset[row] += maps[row][i] * v
		}
	}
	return c, c.finish()
}

func (c *consistency) addBody(r *robot.Robot) {
	link := c.links[len(c.links)-1]
	prior, given := priorBody(r.Links[link].Inertial)
	if !given || !r.Links[link].HasInertial {
		c.out.Nominal = append(c.out.Nominal, link)
	}
	c.roots = append(c.roots, lower(prior))
	c.blocks = append(c.blocks, block{kind: body, at: c.size, size: 10})
	c.column, c.scale = append(c.column, -1), append(c.scale, 0)
	c.size += 10
}

// noiseFloor is the deviation, relative to the torques', below which a row is
// not believed: rounding in a log without noise.
const noiseFloor = 1e-5

// measure sets the factor of the program, and returns the map from standard
// parameters to the numbers that it weighs: the base parameters, or, of data
// that do not determine those, their determined combinations.
func (c *consistency) measure(s *Solution) ([][]float64, error) {
	n, rows := len(s.X), 0
	for _, k := range s.Rows {
		rows += k
	}
	// Correlated rows count for fewer: by the mean of the joints' inflation.
	inflation := 0.0
	for k, f := range s.Inflation {
		inflation += f * float64(s.Rows[k]) / float64(max(rows, 1))
	}
	sigma := math.Sqrt(inflation * s.RSS / float64(max(rows-s.Rank, 1)))
	sigma = max(sigma, noiseFloor*math.Sqrt(s.Stack.YY/float64(max(rows, 1))))
	if sigma == 0 {
		sigma = 1 // no torque at all
	}
	base := baseMatrix(c.set)
	if s.Rank == n {
		root := append([]float64(nil), s.Stack.R...)
		floats.Scale(1/sigma, root)
		c.root = upper(n, root)
		c.offset = append([]float64(nil), s.X...)
		floats.Scale(-1, c.offset)
		return base, nil
	}
	solver, err := newScaled(s.Stack, columnNorms(s.Stack))
	if err != nil {
		return nil, err
	}
	root := make([]float64, s.Rank*s.Rank)
	c.offset = make([]float64, s.Rank)
	maps := make([][]float64, s.Rank)
	for k := range maps {
		root[k*s.Rank+k] = solver.values[k] / sigma
		maps[k] = make([]float64, len(c.set.Columns))
		for j := range n {
			f := solver.v.At(j, k) * solver.norms[j]
			floats.AddScaled(maps[k], f, base[j])
			c.offset[k] -= f * s.X[j]
		}
	}
	c.root = upper(s.Rank, root)
	return maps, nil
}

func upper(n int, data []float64) blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: n, Stride: max(n, 1), Data: data}
}

// standard returns the parameters of the program's variables.
func (c *consistency) standard(z []float64) []float64 {
	chi := append([]float64(nil), c.origin...)
	n := 0
	for k, b := range c.blocks {
		if b.kind != body {
			chi[c.column[k]] += c.scale[k] * z[b.at]
			continue
		}
		x := sym4(z[b.at : b.at+10])
		j := congruent(&c.roots[n], &x)
		m := j.matrix()
		for p, v := range inertialOf(&m) {
			chi[c.at[n][p]] = v
		}
		n++
	}
	return chi
}

// possible tells whether standard parameters keep all constraints, as numbers
// that are written and read again, not only as variables of the program.
func (c *consistency) possible(chi []float64) bool {
	n := 0
	for k, b := range c.blocks {
		switch b.kind {
		case positive:
			if !(chi[c.column[k]] >= 0) {
				return false
			}
		case body:
			if e := c.relative(n, chi); !(e.least() >= c.margin) {
				return false
			}
			n++
		}
	}
	return true
}

// relative is the n-th body's X = L⁻¹·J·L⁻ᵀ, taken apart.
func (c *consistency) relative(n int, chi []float64) spectrum {
	var in robot.Inertial
	for p, i := range c.at[n] {
		in[p] = chi[i]
	}
	j := in.PseudoInertia()
	inv := mat.NewTriDense(4, mat.Upper, nil)
	root := mat.NewTriDense(4, mat.Upper, nil)
	for a := range 4 {
		for b := a; b < 4; b++ {
			root.SetTri(a, b, c.roots[n][a][b])
		}
	}
	if err := inv.InverseTri(root); err != nil {
		var cond mat.Condition
		if !errors.As(err, &cond) {
			panic(fmt.Sprintf("estimate: the root of a prior body: %v", err))
		}
	}
	var t [4][4]float64
	for a := range 4 {
		for b := a; b < 4; b++ {
			t[a][b] = inv.At(a, b)
		}
	}
	v := vector4(&j)
	x := congruent(&t, &v)
	return newSpectrum(&x)
}
