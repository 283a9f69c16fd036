package physical

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/physical/internal/conic"
	"ident/robot"
)

// Distance is a measure of bodies relative to those of a prior.
type Distance string

// The distances from a prior. For small relative changes V of a body all but the last
// are ½·tr(V²).
const (
	// Entropic is the log-determinant divergence tr X − 4 − log det X of
	// X = L⁻¹·J·L⁻ᵀ, J₀ = L·Lᵀ (Lee, Wensing and Park 2020): convex, and infinite
	// at the boundary of the possible.
	Entropic Distance = "entropic"
	// PullBack has the prior's own covariance as its metric: for a prior from a robot file
	// the constant pull-back ½·tr((X − I)²) of the affine-invariant metric (Lee and Park 2018).
	PullBack Distance = "pull-back"
	// Geodesic is half the square of the affine-invariant distance itself,
	// ½·Σ log²λ of X's eigenvalues: not convex in J, a stationary point is found.
	Geodesic Distance = "geodesic"
	// Euclidean is half the sum of squares of the parameters' changes, over mass,
	// mass times gyration radius, and mass times its square. It depends on the
	// frames of the parameters, and serves for comparison.
	Euclidean Distance = "euclidean"
)

// ParseDistance returns the distance with a name.
func ParseDistance(name string) (Distance, error) {
	for _, d := range []Distance{Entropic, PullBack, Geodesic, Euclidean} {
		if name == string(d) {
			return d, nil
		}
	}
	return "", fmt.Errorf("distance %q: must be entropic, pull-back, geodesic or euclidean", name)
}

// quadraticOf returns the metric of a body's covariance cov in the coordinates X.
func quadraticOf(root *[4][4]float64, columns []int, set *baseparams.Set, cov *mat.SymDense) (*conic.Quadratic, error) {
	units := unitBodies(*root)
	u := mat.NewDense(10, 10, nil) // χ = u·X, rows in the order of columns
	for a, i := range columns {
		for e := range units {
			u.Set(a, e, units[e][set.Columns[i].Param])
		}
	}
	// Cov = L·Lᵀ, F = L⁻¹·U; with the covariance of a robot file FᵀF is the identity.
	scale := make([]float64, 10) // kg·m² and kg differ by orders of magnitude
	scaled := mat.NewSymDense(10, nil)
	for a := range 10 {
		scale[a] = 1 / math.Sqrt(cov.At(a, a))
		for b := range a + 1 {
			scaled.SetSym(a, b, cov.At(a, b)*scale[a]*scale[b])
		}
		for e := range 10 {
			u.Set(a, e, u.At(a, e)*scale[a])
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(scaled) {
		return nil, fmt.Errorf("%w: the ten parameters of the body with %s are not determined: their covariance is singular to rounding", ErrPrior, set.Columns[columns[0]].Name)
	}
	var l mat.TriDense
	chol.LTo(&l)
	blas64.Trsm(blas.Left, blas.NoTrans, 1, l.RawTriangular(), u.RawMatrix())
	q := conic.UnitQuadratic(1, 1, 1, 1)
	for i := range 10 {
		for j := range 10 {
			q.F[i][j] = u.At(i, j)
		}
	}
	return q, nil
}

// euclidean returns the metric of Euclidean in the coordinates X.
func euclidean(root *[4][4]float64, mean robot.Inertial) *conic.Quadratic {
	units := unitBodies(*root)
	q := conic.UnitQuadratic(1, 1, 1, 1)
	m := mean.Mass()
	j := mean.PseudoInertia()
	square := (j[0][0] + j[1][1] + j[2][2]) / m // of the gyration radius about the frame's origin
	for p := range robot.NumInertial {
		scale := m * square
		switch {
		case p == robot.M:
			scale = m
		case p >= robot.MX:
			scale = m * math.Sqrt(square)
		}
		for e := range units {
			q.F[p][e] = units[e][p] / scale
		}
	}
	return q
}
