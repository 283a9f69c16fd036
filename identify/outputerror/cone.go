package outputerror

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/estimate"
	"ident/regressor"
)

// cone is the set of base parameters of robots that the law can hold, in some poses of the motion: the inertia matrix less the least
// inertias is positive definite. A simulation needs it, while a step of Gauss and Newton knows nothing of it: along directions that a log barely shows the step ends far outside.
type cone struct {
	poses  int
	blocks []coneBlock
}

// coneBlock is the part of an inertia matrix that a limb has in a pose.
type coneBlock struct {
	joints []int
	by     []*mat.SymDense // what each base parameter adds at the value one; nil for nothing
	known  *mat.SymDense   // of the known parameters; nil for nothing
}

// conePoses is the number of poses. The inertia matrix changes with the pose by smooth functions of each joint, so that a few poses
// along a motion that excites them stand for all; the simulation itself refuses what they miss.
const conePoses = 24

// newCone returns the cone of the filtered measured motions, from their first samples to their last.
func (f *fit) newCone() *cone {
	n, model := f.joints, f.subject.Model
	c := &cone{}
	rows := n + 1
	block, ws := model.NewBlock(rows), model.NewWorkspace()
	known := f.subject.Known
	var given *regressor.Block
	var knownWork *regressor.Workspace
	if known != nil {
		given, knownWork = known.NewBlock(rows), known.NewWorkspace()
	}
	q, dq, ddq := table(n, rows), table(n, rows), table(n, rows)
	for k := range n {
		ddq[k][k] = 1 // the last row is at rest
	}
	for _, p := range f.filtered {
		each := max(1, conePoses/len(f.filtered))
		for i := range each {
			at := i * (len(p.q[0]) - 1) / max(1, each-1) // the first is where the simulation starts
			for k := range n {
				for r := range rows {
					q[k][r] = p.q[k][at]
				}
			}
			model.Eval(block, q, dq, ddq, ws)
			if known != nil {
				known.Eval(given, q, dq, ddq, knownWork)
			}
			c.poses++
			for _, l := range f.parts {
				b := coneBlock{joints: l.joints, by: inertiasOf(model, l, block)}
				if known != nil {
					b.known = mat.NewSymDense(len(l.joints), nil)
					for i, by := range inertiasOf(known, l, given) {
						if by != nil {
							addScaled(b.known, f.subject.Given[i], by)
						}
					}
				}
				c.blocks = append(c.blocks, b)
			}
		}
	}
	return c
}

// inertiasOf returns what each base parameter adds to the inertia matrix of a limb, from rows of a unit acceleration of each joint and one at rest.
func inertiasOf(model *regressor.Model, l *limb, block *regressor.Block) []*mat.SymDense {
	rest := model.Joints()
	by := make([]*mat.SymDense, len(model.Columns()))
	for i, k := range l.joints {
		for a, column := range model.Mask(k) {
			y := block.Joint[k][a]
			for j, of := range l.joints[:i+1] {
				v := y[of] - y[rest]
				if v == 0 {
					continue
				}
				if by[column] == nil {
					by[column] = mat.NewSymDense(len(l.joints), nil)
				}
				by[column].SetSym(i, j, v)
			}
		}
	}
	return by
}

// least returns the inertias, by joint, below which no robot is held by the law: with the derivative gain D, the delay t and the
// period P the loop of the velocity is stable only if M − D·(2t + P)/π is positive definite. (One joint under a gain delayed by m periods is stable
// if and only if D·P/M < 2·sin(π/(4m+2)), which is at most π/(2m+1).) Viscous friction takes as much of D.
func (f *fit) least(p parameters) []float64 {
	_, d := f.law.with(p.gains)
	for k := range d {
		for _, i := range f.subject.Model.Mask(k) {
			if f.subject.Model.Columns()[i].Term == regressor.Fv {
				d[k] -= math.Max(p.x[i], 0)
			}
		}
		d[k] = math.Max(d[k], 0) * (2*p.delay + f.law.Period) / math.Pi
	}
	return d
}

// inertia returns the factor of a block of the inertia matrix of parameters, less the least inertias, false if it is not positive definite.
func (b *coneBlock) inertia(x, least []float64) (*mat.Cholesky, bool) {
	var chol mat.Cholesky
	return &chol, chol.Factorize(b.matrix(x, least))
}

// matrix returns the block of the inertia matrix less the least inertias.
func (b *coneBlock) matrix(x, least []float64) *mat.SymDense {
	n := len(b.joints)
	m := mat.NewSymDense(n, nil)
	for i, k := range b.joints {
		if least != nil {
			m.SetSym(i, i, -least[k])
		}
	}
	for c, by := range b.by {
		if by != nil {
			addScaled(m, x[c], by)
		}
	}
	if b.known != nil {
		addScaled(m, 1, b.known)
	}
	return m
}

// addScaled adds f times a matrix.
func addScaled(to *mat.SymDense, f float64, m *mat.SymDense) {
	n := to.SymmetricDim()
	for i := range n {
		for j := i; j < n; j++ {
			to.SetSym(i, j, to.At(i, j)+f*m.At(i, j))
		}
	}
}

// bordering reports whether an estimate is as near to the border of the robots that the law can hold as its information allows: the
// least eigenvalue of the inertia matrix is below twice the least inertia in some pose.
func (f *fit) bordering(p parameters) bool {
	least := f.least(p)
	for k := range least {
		least[k] *= 2
	}
	return f.cone.outside(p.x, least) != nil
}

// outside returns the block in which parameters are outside the cone, nil if they are inside.
func (c *cone) outside(x, least []float64) *coneBlock {
	for i := range c.blocks {
		if _, ok := c.blocks[i].inertia(x, least); !ok {
			return &c.blocks[i]
		}
	}
	return nil
}

// check returns an error that names a joint if parameters are outside the cone: the one that moves most where the inertia is least.
func (f *fit) check(x, least []float64) error {
	b := f.cone.outside(x, least)
	if b == nil {
		return nil
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(b.matrix(x, least), true) {
		return fmt.Errorf("the inertia of joint %q is not finite", f.joint(b.joints[0]))
	}
	var v mat.Dense
	eigen.VectorsTo(&v)
	most := 0
	for i := range b.joints {
		if math.Abs(v.At(i, 0)) > math.Abs(v.At(most, 0)) {
			most = i
		}
	}
	return fmt.Errorf("the inertia of joint %q is so small that the law cannot hold it", f.joint(b.joints[most]))
}

// holds reports whether the parameters after a step are in the cone.
func (c *cone) holds(step, x, least []float64) bool {
	at := make([]float64, len(x))
	for i := range x {
		at[i] = x[i] + step[i]
	}
	return c.outside(at, least) == nil
}

// Bounds of the search for a step inside the cone.
const (
	coneRounds = 60
	coneRest   = 1e-6 // Newton's decrement, over the weight of the barrier, at which the search ends
	coneFall   = 10   // from one weight of the barrier to the next
	pinned     = 1e8  // information, in units of a parameter's own, that holds a parameter at zero
)

// step returns the solution with a step δ that stays inside the cone and keeps friction, damping and delay from becoming negative: the least of
//
//	½ (δ − δ₀)ᵀ C⁻¹ (δ − δ₀) − mean log det M(x + δ)
//
// with the step δ₀ and the covariance C of the linearised problem and the mean over the poses. What δ₀ makes negative goes to zero. The
// barrier counts as much as one half of a squared standard deviation: what the log shows is not moved by it, and what it does not show stays inside.
// The search is Newton's (Boyd and Vandenberghe, Convex Optimization, 2004, section 11.3).
func (c *cone) step(f *fit, sol *estimate.Solution, p parameters) *estimate.Solution {
	size := len(sol.X)
	cov := mat.NewSymDense(size, nil)
	scale := make([]float64, size)
	for i := range scale {
		scale[i] = math.Sqrt(sol.Covariance[i][i])
	}
	for i := range size {
		for j := i; j < size; j++ {
			cov.SetSym(i, j, sol.Covariance[i][j]/(scale[i]*scale[j]))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(cov) {
		return sol // the halving of steps has to do
	}
	info := mat.NewSymDense(size, nil)
	if err := chol.InverseTo(info); err != nil {
		return sol
	}
	target := make([]float64, size)
	for i := range target {
		target[i] = sol.X[i] / scale[i]
	}
	out := *sol
	out.X = slices.Clone(sol.X)
	if d, ok := c.inside(f, p, target, scale, info); ok {
		for i := range d {
			out.X[i] = scale[i] * d[i]
		}
	}
	return &out
}

// inside returns the step in units of scale that step describes, for an information matrix in these units; false if the begin is
// outside.
func (c *cone) inside(f *fit, p parameters, target, scale []float64, info *mat.SymDense) ([]float64, bool) {
	size, base, least := len(target), len(p.x), f.least(p)
	zero := map[int]float64{} // steps to zero of friction, damping and delay that would be negative
	for i := range min(size, f.offsetAt()) {
		if i < f.delayAt() && !f.damps(i) || i == f.delayAt() && !f.law.Late {
			continue
		}
		if v := *f.value(&p, i); v+scale[i]*target[i] < 0 {
			zero[i] = -v / scale[i]
		}
	}
	held := slices.Sorted(maps.Keys(zero))
	x := make([]float64, base)
	// value returns the objective at a step for a weight of the barrier, +Inf outside.
	value := func(d []float64, weight float64) float64 {
		sum := 0.0
		for i := range size {
			for j := range size {
				sum += 0.5 * (d[i] - target[i]) * info.At(i, j) * (d[j] - target[j])
			}
		}
		for i := range x {
			x[i] = p.x[i] + scale[i]*d[i]
		}
		for i := range c.blocks {
			m, ok := c.blocks[i].inertia(x, least)
			if !ok {
				return math.Inf(1)
			}
			sum -= weight * m.LogDet() / float64(c.poses)
		}
		for _, i := range held {
			sum += 0.5 * pinned * (d[i] - zero[i]) * (d[i] - zero[i])
		}
		return sum
	}
	// newton moves d by one step of Newton's method, and reports whether it was at rest before.
	newton := func(d []float64, weight float64) bool {
		grad, hess := make([]float64, size), mat.NewSymDense(size, nil)
		hess.CopySym(info)
		for i := range size {
			for j := range size {
				grad[i] += info.At(i, j) * (d[j] - target[j])
			}
		}
		for i := range x {
			x[i] = p.x[i] + scale[i]*d[i]
		}
		part := weight / float64(c.poses)
		for at := range c.blocks {
			b := &c.blocks[at]
			m, ok := b.inertia(x, least)
			if !ok {
				return true
			}
			var l mat.TriDense
			m.LTo(&l)
			n := len(b.joints)
			var taking []int
			var white []float64 // of each parameter taking part L⁻¹·M_i·L⁻ᵀ, with M = L·Lᵀ
			for i, by := range b.by {
				if by == nil {
					continue
				}
				white = append(white, make([]float64, n*n)...)
				w := mat.NewDense(n, n, white[len(white)-n*n:])
				w.Copy(by)
				blas64.Trsm(blas.Left, blas.NoTrans, 1, l.RawTriangular(), w.RawMatrix())
				blas64.Trsm(blas.Right, blas.Trans, 1, l.RawTriangular(), w.RawMatrix())
				grad[i] -= part * scale[i] * mat.Trace(w)
				taking = append(taking, i)
			}
			for u, i := range taking {
				a := white[u*n*n : (u+1)*n*n]
				for v, j := range taking[u:] {
					hess.SetSym(i, j, hess.At(i, j)+part*scale[i]*scale[j]*floats.Dot(a, white[(u+v)*n*n:(u+v+1)*n*n]))
				}
			}
		}
		for _, i := range held {
			grad[i] += pinned * (d[i] - zero[i])
			hess.SetSym(i, i, hess.At(i, i)+pinned)
		}
		var h mat.Cholesky
		var move mat.VecDense
		if !h.Factorize(hess) || h.SolveVecTo(&move, mat.NewVecDense(size, grad)) != nil {
			return true
		}
		fall := mat.Dot(&move, mat.NewVecDense(size, grad))
		if fall < coneRest*weight {
			return true
		}
		at, next := value(d, weight), make([]float64, size)
		for part := 1.0; part > 1e-9; part /= 2 {
			for i := range next {
				next[i] = d[i] - part*move.AtVec(i)
			}
			if value(next, weight) <= at-0.1*part*fall {
				copy(d, next)
				return false
			}
		}
		return true
	}
	d := make([]float64, size)
	begin := value(d, 0)
	if math.IsInf(begin, 1) {
		return nil, false
	}
	for weight := math.Max(1, begin); ; weight = math.Max(1, weight/coneFall) {
		for range coneRounds {
			if newton(d, weight) {
				break
			}
		}
		if weight == 1 {
			break
		}
	}
	for _, i := range held {
		d[i] = zero[i]
	}
	return d, true
}
