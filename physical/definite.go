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
// minima that are wider than a few per cent of the box, and from them steps are halved until they are below a thousandth of the ranges.
const (
	posesDrawn   = 2000
	basins       = 6
	firstStep    = 0.125
	smallestStep = 1e-4
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
	out := &WorstPose{Least: math.Inf(1)}
	for _, k := range order[:min(basins, len(order))] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		q, v := slices.Clone(poses[k]), values[k]
		for step := firstStep; step > smallestStep; {
			better := false
			for i := range q {
				for _, sign := range [2]float64{1, -1} {
					at := q[i]
					q[i] = math.Min(high[i], math.Max(low[i], at+sign*step*(high[i]-low[i])))
					if w := least(q, v+sureMargin); w < v {
						v, better = w, true
					} else {
						q[i] = at
					}
				}
			}
			if !better {
				step /= 2
			}
		}
		if v < out.Least {
			out.Least, out.Q = v, q
		}
	}
	out.Poses = tried
	least(out.Q, math.Inf(1)) // fills scaled
	if eigen.Factorize(scaled, true) {
		var vectors mat.Dense
		eigen.VectorsTo(&vectors)
		out.Direction = mat.Col(nil, 0, &vectors)
		for i := range out.Direction {
			out.Direction[i] *= size[i]
		}
	}
	return out, nil
}
