package causes

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas64"

	"ident/internal/lanes"
	"ident/internal/triangle"
	"ident/regressor"
	"ident/robot"
)

// bodies evaluates the torques of a robot's links for any gravity; torques are linear in gravity.
type bodies struct {
	robot  *robot.Robot
	joints int
	rest   *regressor.Model    // without gravity
	pull   [3]*regressor.Model // of the unit gravity along each axis
	links  []int               // of the model's joints
}

func newBodies(r *robot.Robot) (*bodies, error) {
	b := &bodies{robot: r}
	var err error
	of := func(g [3]float64) *regressor.Model {
		c := r.Clone()
		c.Gravity = g
		m, e := regressor.NewDynamic(c, []regressor.Term{regressor.Links})
		if e != nil {
			err = e
		}
		return m
	}
	b.rest = of([3]float64{})
	for i := range 3 {
		var g [3]float64
		g[i] = 1
		b.pull[i] = of(g)
	}
	if err != nil {
		return nil, err
	}
	b.joints, b.links = b.rest.Joints(), b.rest.JointLinks()
	return b, nil
}

// columns is a model's regressor by joint: at[j][c] is column c, nil if joint j does not have it.
type columns [][][]float64

// evaluate returns the regressor of a model for a motion.
func evaluate(m *regressor.Model, q, v, a [][]float64) columns {
	return evaluateIn(m, m.NewWorkspace(), m.NewBlock(len(q[0])), q, v, a)
}

// evaluateIn does the same as evaluate in given memory: the columns are those of the block.
func evaluateIn(m *regressor.Model, w *regressor.Workspace, block *regressor.Block, q, v, a [][]float64) columns {
	m.Eval(block, q, v, a, w)
	out := make(columns, m.Joints())
	for j := range out {
		out[j] = make([][]float64, len(m.Columns()))
		for i, c := range m.Mask(j) {
			out[j][c] = block.Joint[j][i]
		}
	}
	return out
}

// motion holds positions, velocities and accelerations of all joints at the rows.
type motion struct{ q, v, a [][]float64 }

func (m motion) clone() motion {
	c := func(x [][]float64) [][]float64 {
		out := make([][]float64, len(x))
		for i := range x {
			out[i] = append([]float64(nil), x[i]...)
		}
		return out
	}
	return motion{c(m.q), c(m.v), c(m.a)}
}

// pulling returns the regressor at rest under unit gravity along an axis.
func (b *bodies) pulling(axis int, m motion) columns {
	zero := make([]float64, len(m.q[0]))
	rest := make([][]float64, len(m.q))
	for j := range rest {
		rest[j] = zero
	}
	return evaluate(b.pull[axis], m.q, rest, rest)
}

// torques returns the torques for link parameters χ.
func (c columns) torques(chi []float64) [][]float64 {
	out := make([][]float64, len(c))
	for j, cols := range c {
		for i, x := range cols {
			if x == nil {
				continue
			}
			if out[j] == nil {
				out[j] = make([]float64, len(x))
			}
			if chi[i] == 0 {
				continue
			}
			for k, v := range x {
				out[j][k] += chi[i] * v
			}
		}
	}
	return out
}

// randomStates is the number of random states from which the independent columns are determined.
const randomStates = 120

// independent returns the columns of the link parameters that stay independent under any gravity. It factorises the
// regressor at random states with pivoting, each state under a random gravity, so that one set serves every hypothesis
// about gravity.
func (b *bodies) independent(seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 0x63617573))
	draw := func(size float64) [][]float64 {
		x := make([][]float64, b.joints)
		for j := range x {
			x[j] = make([]float64, randomStates)
			for k := range x[j] {
				x[j][k] = size * (2*rng.Float64() - 1)
			}
		}
		return x
	}
	m := motion{draw(math.Pi), draw(3), draw(10)}
	full := evaluate(b.rest, m.q, m.v, m.a)
	for i := range 3 {
		g := draw(1)[0]
		for j, cols := range b.pulling(i, m) {
			for c, x := range cols {
				if x == nil {
					continue
				}
				if full[j][c] == nil {
					full[j][c] = make([]float64, randomStates)
				}
				for k, v := range x {
					full[j][c][k] += 10 * g[k] * v
				}
			}
		}
	}
	p := len(b.rest.Columns())
	cols := make([][]float64, p)
	for c := range cols {
		for j := range full {
			x := full[j][c]
			if x == nil {
				x = make([]float64, randomStates)
			}
			cols[c] = append(cols[c], x...)
		}
	}
	return pivots(cols)
}

// pivots returns the indices of independent columns, ascending, by Gram-Schmidt with the largest remainder first.
func pivots(cols [][]float64) []int {
	n := len(cols)
	norm, scale := make([]float64, n), make([]float64, n)
	largest := 0.0
	for c, x := range cols {
		scale[c] = blas64.Nrm2(blas64.Vector{N: len(x), Inc: 1, Data: x})
		largest = max(largest, scale[c])
	}
	for c, x := range cols {
		if scale[c] > 1e-9*largest {
			blas64.Scal(1/scale[c], blas64.Vector{N: len(x), Inc: 1, Data: x})
			norm[c] = 1
		}
	}
	taken := make([]bool, n)
	for {
		best, at := 1e-7, -1
		for c, v := range norm {
			// Among near equals take the first: the choice must not depend on rounding.
			if !taken[c] && v > best*(1+1e-6) {
				best, at = v, c
			}
		}
		if at < 0 {
			break
		}
		taken[at] = true
		u := blas64.Vector{N: len(cols[at]), Inc: 1, Data: cols[at]}
		blas64.Scal(1/blas64.Nrm2(u), u)
		for c, x := range cols {
			if taken[c] || norm[c] == 0 {
				continue
			}
			v := blas64.Vector{N: len(x), Inc: 1, Data: x}
			for range 2 {
				blas64.Axpy(-blas64.Dot(u, v), u, v)
			}
			norm[c] = blas64.Nrm2(v)
		}
	}
	var out []int
	for c, ok := range taken {
		if ok {
			out = append(out, c)
		}
	}
	return out
}

// equation is the equation of one joint: its columns among those of the design, and their products in each fold.
type equation struct {
	joint int
	cols  []int
	runs  [][2]int // of columns that follow each other in the design: their first one in cols, and the one after the last
	x     [][]float64
	gram  [folds][]float64 // the upper triangle, row by row; nil of no rows
}

// order says where the folds lie in the rows of a trial, which are sorted by fold: fold f is from[f] to from[f+1]. time
// lists the rows in the order of the log; starts marks those that begin a track.
type order struct {
	from   [folds + 1]int
	time   []int
	starts []bool
}

// newOrder sorts rows by folds.
func newOrder(rows []row) ([]row, order) {
	var o order
	sorted := make([]row, 0, len(rows))
	o.time, o.starts = make([]int, len(rows)), make([]bool, len(rows))
	for f := range folds {
		for i, r := range rows {
			if r.fold == f {
				o.time[i] = len(sorted)
				sorted = append(sorted, r)
			}
		}
		o.from[f+1] = len(sorted)
	}
	for i, r := range rows {
		o.starts[i] = i == 0 || r.track != rows[i-1].track
	}
	return sorted, o
}

// together puts all rows into one fold.
func (o *order) together() {
	for f := range folds {
		o.from[f+1] = len(o.time)
	}
}

// inTime returns a column in the order of the log.
func (o *order) inTime(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, r := range o.time {
		out[i] = x[r]
	}
	return out
}

// design is the matrix of a fit, joint by joint.
type design struct {
	order     *order
	desk      *desk
	columns   int
	equations []equation
	scale     []float64 // of each column: the root of its mean squares, summed over the joints
	loan      *loan     // of the columns and products; nil if they are the design's own
}

// done gives lent memory back to the desk. Nobody may read the design afterwards.
func (d *design) done() {
	if d.loan != nil {
		d.loan.back()
		d.loan = nil
	}
}

// desk holds working memory for products of columns and for models.
type desk struct {
	trained *trained // nil if no logs trained
	work    triangle.Work
	a, b    [][]float64
	places  []int // 0, 1, …
	// Of project, of its products in one fold, of solutions, and of paths.
	projected projected
	dots      matrix
	solutions [folds]matrix
	path      pathWork
	spaces    map[*regressor.Model]*regressor.Workspace
	free      map[int][][]float64 // columns that no design uses any more, by length
	blocks    map[lent][]*regressor.Block
}

// lent is a kind of block that is lent: its model and its number of rows.
type lent struct {
	model *regressor.Model
	rows  int
}

// loan is memory of a desk that a design uses for some time. A nil loan allocates instead.
type loan struct {
	desk    *desk
	columns [][]float64
	blocks  map[lent]*regressor.Block
}

func (d *desk) lend() *loan { return &loan{desk: d, blocks: map[lent]*regressor.Block{}} }

// column returns n numbers of any value.
func (l *loan) column(n int) (x []float64) {
	if l == nil {
		return make([]float64, n)
	}
	if free := l.desk.free[n]; len(free) > 0 {
		x, l.desk.free[n] = free[len(free)-1], free[:len(free)-1]
	} else {
		x = make([]float64, n)
	}
	l.columns = append(l.columns, x)
	return x
}

// block returns a block of a model, with any values.
func (l *loan) block(m *regressor.Model, rows int) *regressor.Block {
	kind := lent{m, rows}
	free := l.desk.blocks[kind]
	if len(free) == 0 {
		l.blocks[kind] = m.NewBlock(rows)
	} else {
		l.blocks[kind], l.desk.blocks[kind] = free[len(free)-1], free[:len(free)-1]
	}
	return l.blocks[kind]
}

// back gives the memory back.
func (l *loan) back() {
	d := l.desk
	if d.free == nil {
		d.free, d.blocks = map[int][][]float64{}, map[lent][]*regressor.Block{}
	}
	for _, x := range l.columns {
		d.free[len(x)] = append(d.free[len(x)], x)
	}
	for kind, b := range l.blocks {
		d.blocks[kind] = append(d.blocks[kind], b)
	}
}

// tidy forgets the memory that no design uses.
func (d *desk) tidy() { d.free, d.blocks, d.path = nil, nil, pathWork{} }

// space returns the working memory of a model.
func (d *desk) space(m *regressor.Model) *regressor.Workspace {
	if d.spaces[m] == nil {
		if d.spaces == nil {
			d.spaces = map[*regressor.Model]*regressor.Workspace{}
		}
		d.spaces[m] = m.NewWorkspace()
	}
	return d.spaces[m]
}

// cut returns the rows [from, until) of columns, in the memory of to.
func cut(to *[][]float64, cols [][]float64, from, until int) [][]float64 {
	*to = (*to)[:0]
	for _, x := range cols {
		*to = append(*to, x[from:until])
	}
	return *to
}

// newDesign stacks columns: at[j][c] is column c of joint j, nil for none. joints have torques. The columns are kept, not copied.
func newDesign(o *order, k *desk, at columns, joints []int, l *loan) *design {
	d := &design{order: o, desk: k, columns: len(at[joints[0]]), loan: l}
	d.scale = make([]float64, d.columns)
	d.equations = make([]equation, 0, len(joints))
	size := make([][]float64, len(joints))
	for e, j := range joints {
		size[e] = make([]float64, d.columns)
		for c, x := range at[j] {
			if x != nil {
				size[e][c] = lanes.SumSquares(x) / float64(max(len(x), 1))
				d.scale[c] += size[e][c]
			}
		}
	}
	for c, s := range d.scale {
		if d.scale[c] = math.Sqrt(s); !(s > 1e-24) {
			d.scale[c] = 0
		}
	}
	for e, j := range joints {
		d.equations = append(d.equations, d.equation(at[j], size[e], j))
	}
	return d
}

// equation returns the equation of a joint with the columns that exceed their own rounding errors; size holds mean
// squares.
func (d *design) equation(at [][]float64, size []float64, joint int) equation {
	e := equation{joint: joint, cols: make([]int, 0, len(at)), x: make([][]float64, 0, len(at))}
	for c, x := range at {
		if x != nil && d.scale[c] > 0 && math.Sqrt(size[c]) > 1e-9*d.scale[c] {
			if i := len(e.cols); i > 0 && e.cols[i-1] == c-1 {
				e.runs[len(e.runs)-1][1]++
			} else {
				e.runs = append(e.runs, [2]int{i, i + 1})
			}
			e.cols = append(e.cols, c)
			e.x = append(e.x, x)
		}
	}
	p := len(e.cols)
	for len(d.desk.places) < p {
		d.desk.places = append(d.desk.places, len(d.desk.places))
	}
	own := d.desk.places[:p]
	for f := range folds {
		from, to := d.order.from[f], d.order.from[f+1]
		if p > 0 && to > from {
			e.gram[f] = d.loan.column(p * p)
			clear(e.gram[f])
			d.desk.work.Gram(e.gram[f], p, own, cut(&d.desk.a, e.x, from, to))
		}
	}
	return e
}
