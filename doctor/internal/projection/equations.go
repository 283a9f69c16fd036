package projection

import (
	"math"

	"ident/internal/triangle"
)

// Equations are the joints' equations in the base parameters under an arrangement of the torques, each divided by the
// norm of its torque. They are reduced to triangular factors from the tip to the base, and only as far as a question
// needs. They use the memory of their layout, so only one set of equations can be in use at a time.
type Equations struct {
	layout *Layout
	joints []Joint // base to tip
}

// Joint is the equation of one joint. Columns may share memory with others and are only read.
type Joint struct {
	Index int         // in the layout
	Cols  [][]float64 // those of the joint's mask
	// Sides are right-hand sides that share these columns and are reduced together. The equation uses the one with
	// index Side, multiplied by Turn.
	Sides [][]float64
	Side  int
	Turn  float64
	Scale float64 // both sides are multiplied by it
	// Same says that columns and sides are unchanged since the last call, so the factor of this joint is still valid.
	Same bool
}

// Equations returns the equations of some joints, from base to tip. Equations returned before must not be used any more.
func (l *Layout) Equations(joints []Joint) *Equations {
	for _, e := range joints {
		j := &l.joints[e.Index]
		j.reduced, j.ready = j.reduced && e.Same, false
	}
	return &Equations{layout: l, joints: joints}
}

// factor returns the factor of the i-th joint, and reduces its equation if that is not done yet.
func (eq *Equations) factor(i int) *jointFactor {
	e := eq.joints[i]
	j := &eq.layout.joints[e.Index]
	if !j.reduced {
		j.reduce(e, eq.layout.work)
	}
	if !j.ready {
		j.take(e)
	}
	return j
}

// Residual returns the sum of the joints' relative squared residuals: each residual sum of squares is divided by the
// sum of squares of the joint's torque.
func (eq *Equations) Residual() (sum float64) {
	left := make([]float64, len(eq.joints))
	eq.fit(ones(len(eq.joints)), left)
	for _, v := range left {
		sum += v * v
	}
	return sum
}

func ones(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	return x
}

// FloorSpread is the smallest relative residual of a torque; smaller ones count as this. Differentiated positions and
// resampled clocks have about half this error.
const FloorSpread = 2e-3

// Spread returns the sum over the joints of the logarithms of their residuals' norms. Up to a constant, that is the
// negative log-likelihood per row of Gaussian noise with one variance for each torque. The weights that maximise the
// likelihood are the inverse norms; they are found by iteration, starting from the given ones (nil means ones).
func (eq *Equations) Spread(from []float64) (sum float64, weights []float64) {
	weights = ones(len(eq.joints))
	copy(weights, from)
	left := make([]float64, len(weights))
	for range 4 {
		eq.fit(weights, left)
		sum = 0
		for j, v := range left {
			v = max(v, FloorSpread)
			weights[j] = 1 / v
			sum += math.Log(v)
		}
	}
	return sum, weights
}

// LeastSpread returns a lower bound of Spread: its value if every joint's equation had its own parameters.
func (eq *Equations) LeastSpread() (sum float64) {
	for i := range eq.joints {
		own := math.Sqrt(eq.factor(i).f.RSS) - boundDoubt // the torque has norm one
		sum += math.Log(max(own, FloorSpread))
	}
	return sum
}

// fit solves the equations with weighted rows, and stores the unweighted norm of each joint's residual in left. Columns
// that depend on earlier ones get no part.
func (eq *Equations) fit(weights, left []float64) {
	l := eq.layout
	l.begin()
	clear(l.size)
	for i := len(eq.joints) - 1; i >= 0; i-- {
		j := eq.factor(i)
		j.merge(l, weights[i])
		for k, c := range j.columns {
			l.size[c] = math.Hypot(l.size[c], weights[i]*j.norm(k))
		}
	}
	clear(l.x)
	f := l.common
	for i := f.N - 1; i >= 0; i-- {
		c := l.shared[l.from+i]
		if !(f.R[i*f.N+i] > Dependent*l.size[c]) {
			continue
		}
		v := f.Z[i]
		for k := i + 1; k < f.N; k++ {
			v -= f.R[i*f.N+k] * l.x[l.shared[l.from+k]]
		}
		l.x[c] = v / f.R[i*f.N+i]
	}
	for i := range eq.joints {
		left[i] = eq.factor(i).left(l.x)
	}
}

// boundDoubt is the error of a bound on the norm of a residual, as a fraction of the torques' norm. It is the rounding
// of columns (1e-15 of their norm), times coefficients of up to 1e6 for columns that are barely independent (see
// Dependent), times about ten such columns. Residuals that matter are far larger.
const boundDoubt = 1e-7

// Exceed reports whether the residual of the weighted equations is above a limit, without computing all of it. It adds
// rows from the tip to the base, because few columns are nonzero near the tip. Further rows can only increase the
// residual, and a wrong arrangement shows in the first joint or two. All columns are used here, so the residual with
// independent columns alone is not smaller. If it returns false, the residual may still be above the limit.
func (eq *Equations) Exceed(limit float64, weights []float64) bool {
	l := eq.layout
	size := 0.0
	for i, e := range eq.joints {
		y := weights[i] * e.Scale * e.Turn * Norm(e.Sides[e.Side])
		size += y * y
	}
	limit = math.Sqrt(limit) + boundDoubt*math.Sqrt(size)
	l.begin()
	for i := len(eq.joints) - 1; i >= 0; i-- {
		j := eq.factor(i)
		if math.Sqrt(l.common.RSS+weights[i]*weights[i]*j.f.RSS) > limit {
			return true
		}
		j.merge(l, weights[i])
		if math.Sqrt(l.common.RSS) > limit {
			return true
		}
	}
	return false
}

// reduce computes the triangular factor of a joint's columns and all its right-hand sides.
func (j *jointFactor) reduce(e Joint, work *triangle.Work) {
	j.ordered = j.ordered[:0]
	for _, at := range j.order {
		j.ordered = append(j.ordered, e.Cols[at])
	}
	last := len(e.Sides) - 1
	j.ordered = append(j.ordered, e.Sides[:last]...)
	n := len(j.ordered)
	if len(j.memory) < n*n+n {
		j.memory = make([]float64, n*n+n)
	}
	j.all = triangle.Factor{N: n, R: j.memory[:n*n], Z: j.memory[n*n:][:n]}
	j.all.Reset()
	j.all.Add(j.ordered, e.Sides[last], work)
	j.reduced = true
}

// take extracts the factor of the joint's equation from that of all its right-hand sides.
func (j *jointFactor) take(e Joint) {
	f, all := j.f, &j.all
	for i := range f.N {
		row, from := f.R[i*f.N:(i+1)*f.N], all.R[i*all.N:][:f.N]
		for k := i; k < f.N; k++ {
			row[k] = e.Scale * from[k]
		}
		if i >= j.own {
			copy(j.shared.R[(i-j.own)*j.shared.N:][:j.shared.N], row[j.own:])
		}
	}
	by := e.Scale * e.Turn
	rss := 0.0
	side := func(row int) float64 { return all.Z[row] }
	if c := f.N + e.Side; c < all.N {
		side = func(row int) float64 { return all.R[row*all.N+c] }
	} else {
		rss = all.RSS
	}
	for i := range f.N {
		f.Z[i] = by * side(i)
	}
	for i := f.N; i < min(f.N+e.Side+1, all.N); i++ {
		rss += side(i) * side(i)
	}
	copy(j.shared.Z, f.Z[j.own:])
	f.RSS, f.Rows = by*by*rss, all.Rows
	j.shared.RSS, j.shared.Rows = f.RSS, f.Rows
	j.ready = true
}

// merge adds to the common factor the weighted rows of a joint's factor that hold shared columns only, and the residual
// that the joint leaves in any case.
func (j *jointFactor) merge(l *Layout, weight float64) {
	if len(j.at) > 0 {
		l.reach(j.at[0])
	}
	l.index = l.index[:0]
	for _, at := range j.at {
		l.index = append(l.index, at-l.from)
	}
	l.common.MergeColumns(&j.shared, l.index, weight, l.work)
}

// norm returns the norm of column k of the factor.
func (j *jointFactor) norm(k int) float64 {
	s, n := 0.0, j.f.N
	for i := range k + 1 {
		s += j.f.R[i*n+k] * j.f.R[i*n+k]
	}
	return math.Sqrt(s)
}

// left returns the norm of a joint's residual for the parameters x of the shared columns. The parameters of the joint's
// own columns are fitted; those of dependent columns are zero.
func (j *jointFactor) left(x []float64) float64 {
	f, n := j.f, j.f.N
	sum := f.RSS
	for i := n - 1; i >= 0; i-- {
		v := f.Z[i]
		for k := i + 1; k < n; k++ {
			v -= f.R[i*n+k] * x[j.columns[k]]
		}
		c := j.columns[i]
		if i < j.own {
			if f.R[i*n+i] > Dependent*j.norm(i) {
				x[c] = v / f.R[i*n+i]
				continue
			}
			x[c] = 0
		}
		v -= f.R[i*n+i] * x[c]
		sum += v * v
	}
	return math.Sqrt(sum)
}
