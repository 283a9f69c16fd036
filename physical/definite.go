package physical

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/estimate"
	"ident/mechanics/dynamics"
	"ident/regressor"
	"ident/robot"
)

// Definite says whether the inertia matrix M(q) of base parameters is positive definite.
type Definite struct {
	// Proved says that M(q) is positive definite in every pose: there are feasible bodies, and rotor inertias of zero or more, with these base
	// parameters, and the kinetic energy of such a robot is positive.
	Proved bool
	// Worst is the worst pose that a search found; nil if M(q) is proved to be positive definite, or cannot be searched.
	Worst *WorstPose
}

// WorstPose is the pose with the least eigenvalue of M(q) among those tried, within the joint limits.
type WorstPose struct {
	// Least is the least eigenvalue of D·M(q)·D, D diagonal so that the mean over the poses of each diagonal entry has the size one. It has the sign of the least
	// eigenvalue of M(q), whatever the units of the joints.
	Least float64
	Q     []float64 // independent joints, rad or m
	Poses int       // number of poses tried
	// Direction has the velocities of the joints whose kinetic energy has the sign of Least.
	Direction []float64
	// Distance is the least distance from an estimate to feasible parameters that the pose proves, in standard deviations in the metric of
	// estimate.Solution.NoiseOnly; Limit is the 95 % quantile that chance makes of it. Both are 0 if Least is above zero, or if no estimate was given.
	Distance, Limit float64
}

// DefiniteInertia decides whether the estimate's inertia matrix is positive definite in every pose, whatever its friction. If no proof is found, it searches the
// poses within the joint limits for the least eigenvalue. possible says that the estimate is known to be feasible (Possible), which is a proof.
func DefiniteInertia(ctx context.Context, s *estimate.Solution, r *robot.Robot, set *baseparams.Set, possible bool, seed uint64) (*Definite, error) {
	if possible {
		return &Definite{Proved: true}, nil
	}
	can, err := Possible(s, r, set, Options{AnyFriction: true})
	var stopped *ConvergenceError
	switch {
	case errors.As(err, &stopped): // no proof
	case err != nil:
		return nil, err
	case can.Possible:
		return &Definite{Proved: true}, nil
	}
	if r.Closed() {
		return &Definite{}, nil
	}
	prior := make([]float64, len(set.Columns))
	for i, c := range set.Columns {
		switch {
		case c.Term == regressor.Links && c.Drive == 0:
			prior[i] = r.Links[c.Link].Inertial[c.Param]
		case c.Term == regressor.Ia && c.Drive == 0:
			prior[i] = r.Links[c.Link].Joint.Ia
		case c.Term == regressor.Ia:
			return &Definite{}, nil // drives of several joints
		}
	}
	worst, err := SearchWorstPose(ctx, withInertia(r, set, s.X, prior), seed)
	if err == nil && worst != nil && worst.Least < 0 {
		err = worst.refute(s, r, set, prior)
	}
	return &Definite{Worst: worst}, err
}

// withInertia returns a copy of r with the bodies and rotor inertias of base parameters x, completed by prior.
func withInertia(r *robot.Robot, set *baseparams.Set, x, prior []float64) *robot.Robot {
	with := r.Clone()
	for i, v := range set.Lift(x, prior) {
		switch c := set.Columns[i]; c.Term {
		case regressor.Links:
			with.Links[c.Link].Inertial[c.Param] = v
		case regressor.Ia:
			with.Links[c.Link].Joint.Ia = v
		}
	}
	return with
}

// refute sets Distance and Limit. With u for the direction, uᵀM(q)u = aᵀx is linear in the base parameters x, and above zero for every feasible
// robot. So feasible parameters lie beyond the plane aᵀx = 0, whose Mahalanobis distance from the estimate is −aᵀx̂/√(aᵀCa).
func (w *WorstPose) refute(s *estimate.Solution, r *robot.Robot, set *baseparams.Set, prior []float64) error {
	energy := func(x []float64) (float64, error) {
		tree, err := dynamics.New(withInertia(r, set, x, prior))
		if err != nil {
			return 0, err
		}
		n := tree.DOF()
		m := mat.NewSymDense(n, nil)
		tree.InertiaMatrix(m.RawSymmetric().Data, w.Q)
		u := mat.NewVecDense(n, w.Direction)
		return mat.Inner(u, m, u), nil
	}
	x := slices.Clone(s.X)
	least, err := energy(x)
	if err != nil {
		return err
	}
	a := make([]float64, len(x))
	for k := range x {
		x[k] = s.X[k] + 1
		more, err := energy(x)
		if err != nil {
			return err
		}
		a[k], x[k] = more-least, s.X[k]
	}
	variance := 0.0
	for i, row := range s.NoiseOnly() {
		for j, c := range row {
			variance += a[i] * c * a[j]
		}
	}
	if distance := -least / math.Sqrt(variance); distance > 0 && !math.IsInf(distance, 0) {
		w.Distance, w.Limit = distance, s.DistanceQuantile()
	}
	return nil
}

// Size of the search. The least eigenvalue is a smooth function of the pose: of a few thousand poses the best ones lie in the basins of all its
// minima that are wider than a few per cent of the box. From them the search descends by gradients, then tries steps of single joints, halved until they are
// below a ten-thousandth of the ranges, and goes on while these find something lower: beside a pose in which two eigenvalues meet the gradient is that of
// one of them.
const (
	posesDrawn   = 2000
	basins       = 6
	firstStep    = 0.125
	smallestStep = 1e-4
	lowersBy     = 1e-6 // of a mean diagonal entry of one: a descent ends when a step along gradients, or a round of both, lowers the eigenvalue by less
	sufficient   = 1e-4 // of the decrease that the slope promises: the usual constant of Armijo's rule
	descents     = 50   // steps along gradients, of which quasi-Newton methods need some tens
)

// sureMargin is far above the rounding of eigenvalues of a matrix whose diagonal is about one, and below any difference that matters.
const sureMargin = 1e-9

// exceeds reports whether all eigenvalues of a matrix are above a finite limit. If they are, the matrix less the limit has a Cholesky factor, which is
// found in a fraction of the time that the eigenvalues take. factor is working memory, as large as the matrix.
func exceeds(m *mat.SymDense, limit float64, factor []float64) bool {
	if math.IsInf(limit, 1) {
		return false
	}
	n := m.SymmetricDim()
	for i := range n {
		row := factor[i*n : i*n+i+1]
		for j := range row {
			sum, other := m.At(j, i), factor[j*n:j*n+j+1]
			if i == j {
				sum -= limit
			}
			for k := range j {
				sum -= row[k] * other[k]
			}
			if i != j {
				row[j] = sum / other[j]
				continue
			}
			if !(sum > 0) {
				return false
			}
			row[j] = math.Sqrt(sum)
		}
	}
	return true
}

// SearchWorstPose searches the poses of a tree within the joint limits for the least eigenvalue of its inertia matrix; bodies and rotor inertias need not be
// feasible. Joints without limits turn fully, or slide by a metre to either side. The search is no proof.
func SearchWorstPose(ctx context.Context, r *robot.Robot, seed uint64) (*WorstPose, error) {
	r = r.Clone()
	r.Gravity = [3]float64{}
	tree, err := dynamics.New(r)
	if err != nil {
		return nil, err
	}
	n := tree.DOF()
	if n == 0 {
		return nil, nil
	}
	low, high := make([]float64, n), make([]float64, n)
	for i, j := range r.Independent() {
		l := &r.Links[j].Joint
		low[i], high[i] = l.Lower, l.Upper
		if !(high[i] > low[i]) || math.IsInf(high[i]-low[i], 0) {
			low[i], high[i] = -1, 1
			if l.Kind == robot.Revolute {
				low[i], high[i] = -math.Pi, math.Pi
			}
		}
	}
	rng := rand.New(rand.NewPCG(seed, 67))
	m, size := make([]float64, n*n), make([]float64, n)
	poses, masses := make([][]float64, posesDrawn), make([]float64, posesDrawn*n*n)
	for k := range poses {
		q := make([]float64, n)
		for i := range q {
			q[i] = low[i] + (high[i]-low[i])*rng.Float64()
		}
		poses[k] = q
		its := masses[k*n*n : (k+1)*n*n]
		tree.InertiaMatrix(its, q)
		for i := range n {
			size[i] += math.Abs(its[i*n+i]) / posesDrawn
		}
	}
	for i, v := range size {
		if size[i] = 1 / math.Sqrt(v); !(v > 0) || math.IsInf(v, 0) {
			size[i] = 1
		}
	}
	scaled := mat.NewSymDense(n, nil)
	var eigen mat.EigenSym
	tried := 0
	factor := make([]float64, n*n)
	// leastOf returns the least eigenvalue, or infinity if it is above the limit.
	leastOf := func(m []float64, limit float64) float64 {
		tried++
		for i := range n {
			for j := i; j < n; j++ {
				scaled.SetSym(i, j, m[i*n+j]*size[i]*size[j])
			}
		}
		if exceeds(scaled, limit, factor) || !eigen.Factorize(scaled, false) {
			return math.Inf(1)
		}
		return eigen.Values(nil)[0]
	}
	least := func(q []float64, limit float64) float64 {
		tree.InertiaMatrix(m, q)
		return leastOf(m, limit)
	}
	values := make([]float64, len(poses))
	order := make([]int, len(poses))
	best := make([]float64, 0, basins+1) // the least values of the poses so far, ascending
	for k := range poses {
		if k%200 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		limit := math.Inf(1)
		if len(best) == basins {
			limit = best[basins-1] + sureMargin
		}
		values[k], order[k] = leastOf(masses[k*n*n:(k+1)*n*n], limit), k
		at, _ := slices.BinarySearch(best, values[k])
		best = slices.Insert(best, at, values[k])
		best = best[:min(len(best), basins)]
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	search := &descent{tree: tree, low: low, high: high, size: size, least: least}
	out := &WorstPose{Least: math.Inf(1)}
	for _, k := range order[:min(basins, len(order))] {
		q, v := slices.Clone(poses[k]), values[k]
		for before := math.Inf(1); before-v > lowersBy; {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			before = v
			v = search.byJoints(q, search.byGradients(q, v))
		}
		if v < out.Least {
			out.Least, out.Q = v, q
		}
	}
	out.Poses = tried
	out.Direction = search.direction(out.Q)
	return out, nil
}

// descent lowers the least eigenvalue of the scaled inertia matrix within the joint limits.
type descent struct {
	tree            *dynamics.Tree // without gravity
	low, high, size []float64
	least           func(q []float64, limit float64) float64 // infinity if it is above the limit
}

// byGradients moves q, with the least eigenvalue v, by the quasi-Newton method of Broyden, Fletcher, Goldfarb and Shanno with steps cut at the limits. It
// returns the least eigenvalue.
func (d *descent) byGradients(q []float64, v float64) float64 {
	n := len(q)
	inverse := mat.NewSymDense(n, nil) // of the second derivatives
	reset := func() {
		for i := range n {
			for j := i; j < n; j++ {
				inverse.SetSym(i, j, 0)
			}
			span := d.high[i] - d.low[i]
			inverse.SetSym(i, i, span*span)
		}
	}
	reset()
	slope, step, to := d.gradient(q), mat.NewVecDense(n, nil), make([]float64, n)
	for range descents {
		free := mat.NewVecDense(n, nil)
		for i, g := range slope {
			if !(q[i] <= d.low[i] && g > 0 || q[i] >= d.high[i] && g < 0) {
				free.SetVec(i, -g)
			}
		}
		step.MulVec(inverse, free)
		if !(mat.Dot(step, free) > 0) {
			reset()
			step.MulVec(inverse, free)
		}
		w := v
		for part := 1.0; part > smallestStep; part /= 2 {
			expected := 0.0
			for i := range to {
				to[i] = q[i]
				if free.AtVec(i) != 0 {
					to[i] = min(d.high[i], max(d.low[i], q[i]+part*step.AtVec(i)))
				}
				expected += slope[i] * (to[i] - q[i])
			}
			if w = d.least(to, v+sufficient*expected); w < v {
				break
			}
			w = v
		}
		if v-w < lowersBy {
			return v
		}
		next := d.gradient(to)
		moved, bent := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		for i := range n {
			moved.SetVec(i, to[i]-q[i])
			bent.SetVec(i, next[i]-slope[i])
		}
		if along := mat.Dot(moved, bent); along > 0 {
			var turned mat.VecDense
			turned.MulVec(inverse, bent)
			inverse.SymRankOne(inverse, (1+mat.Dot(bent, &turned)/along)/along, moved)
			inverse.RankTwo(inverse, -1/along, moved, &turned)
		}
		copy(q, to)
		v, slope = w, next
	}
	return v
}

// byJoints moves q, with the least eigenvalue v, by steps of single joints. It returns the least eigenvalue.
func (d *descent) byJoints(q []float64, v float64) float64 {
	for step := firstStep; step > smallestStep; step /= 2 {
		for i := range q {
			for _, sign := range [2]float64{1, -1} {
				at := q[i]
				q[i] = min(d.high[i], max(d.low[i], at+sign*step*(d.high[i]-d.low[i])))
				if w := d.least(q, v-sureMargin); w < v-sureMargin {
					v = w
				} else {
					q[i] = at
				}
			}
		}
	}
	return v
}

// gradient returns the derivatives of the least eigenvalue λ with respect to the joints. λ = wᵀM(q)w for w of direction, held fixed, so that
// ∂λ/∂q = 2 ∂T/∂q with T = wᵀMw/2. Inverse dynamics at velocities w without accelerations gives Ṁw − ∂T/∂q; Ṁw is the difference quotient of M·w along w.
func (d *descent) gradient(q []float64) []float64 {
	n := len(q)
	w := d.direction(q)
	torques := make([]float64, n)
	d.tree.InverseDynamics(torques, q, w, make([]float64, n))
	const apart = 1e-5 // central differences of smooth functions then have errors of 1e-10
	by := apart / max(slices.Max(w), -slices.Min(w))
	at, momentum, still := make([]float64, n), make([]float64, n), make([]float64, n)
	out := make([]float64, n)
	for _, sign := range [2]float64{1, -1} {
		for i := range at {
			at[i] = q[i] + sign*by*w[i]
		}
		d.tree.InverseDynamics(momentum, at, still, w)
		for i, p := range momentum {
			out[i] += sign * p / (2 * by)
		}
	}
	for i, t := range torques {
		out[i] = 2 * (out[i] - t)
	}
	return out
}

// direction returns the eigenvector of the least eigenvalue of the scaled inertia matrix, as velocities of the joints; zeros if it cannot be computed.
func (d *descent) direction(q []float64) []float64 {
	n := len(q)
	m := mat.NewSymDense(n, nil)
	d.tree.InertiaMatrix(m.RawSymmetric().Data, q)
	for i := range n {
		for j := i; j < n; j++ {
			m.SetSym(i, j, m.At(i, j)*d.size[i]*d.size[j])
		}
	}
	out := make([]float64, n)
	var eigen mat.EigenSym
	if !eigen.Factorize(m, true) {
		return out
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	mat.Col(out, 0, &vectors)
	for i := range out {
		out[i] *= d.size[i]
	}
	return out
}
