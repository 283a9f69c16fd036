package estimate

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/robot"
)

// Distance measures how far bodies are from those of a prior.
type Distance string

// The distances that estimates can be drawn towards a prior by. For small
// relative changes V of a body all but the last are ½·tr(V²).
const (
	// Entropic is the log-determinant divergence tr X − 4 − log det X of
	// X = L⁻¹·J·L⁻ᵀ, J₀ = L·Lᵀ (Lee, Wensing and Park 2020): convex, and infinite
	// at the border of the possible.
	Entropic Distance = "entropic"
	// PullBack is the prior's own covariance as a metric, for a prior from a robot file the constant
	// pull-back ½·tr((X − I)²) of the affine-invariant metric (Lee and Park 2018).
	PullBack Distance = "pull-back"
	// Geodesic is half the square of the affine-invariant distance itself,
	// ½·Σ log²λ of X's eigenvalues: not convex in J, a stationary point is found.
	Geodesic Distance = "geodesic"
	// Euclidean is half the sum of squares of the parameters' changes, over mass,
	// mass times gyration radius, and mass times its square. It depends on the
	// frames that parameters are written in, and is there to be compared with.
	Euclidean Distance = "euclidean"
)

// ParseDistance reads a distance's name.
func ParseDistance(name string) (Distance, error) {
	for _, d := range []Distance{Entropic, PullBack, Geodesic, Euclidean} {
		if name == string(d) {
			return d, nil
		}
	}
	return "", fmt.Errorf("distance %q: it is entropic, pull-back, geodesic or euclidean", name)
}

// quadraticOf is the metric of a body's covariance in the coordinates X.
func quadraticOf(root *[4][4]float64, columns []int, set *baseparams.Set, cov *mat.SymDense) *quadratic {
	units := unitBodies(*root)
	u := mat.NewDense(10, 10, nil) // χ = u·X, rows in the order of columns
	for a, i := range columns {
		for e := range units {
			u.Set(a, e, units[e][set.Columns[i].Param])
		}
	}
	// G⁻¹ = U⁻¹·Cov·U⁻ᵀ is the identity for the covariance of a robot file.
	var lu mat.LU
	lu.Factorize(u)
	var half, inv mat.Dense
	solve(&lu, &half, cov)
	solve(&lu, &inv, half.T())
	return metric(&inv)
}

// solve leaves aside what the condition number says: units of kg·m² and kg are
// far apart.
func solve(lu *mat.LU, dst *mat.Dense, b mat.Matrix) {
	if err := lu.SolveTo(dst, false, b); err != nil {
		if _, ok := err.(mat.Condition); !ok {
			panic(fmt.Sprintf("estimate: %v", err))
		}
	}
}

func metric(inverse *mat.Dense) *quadratic {
	var lu mat.LU
	lu.Factorize(inverse)
	eye := mat.NewDense(10, 10, nil)
	for i := range 10 {
		eye.Set(i, i, 1)
	}
	var g mat.Dense
	solve(&lu, &g, eye)
	q := identityAt(1, 1, 1, 1)
	for i := range 10 {
		for j := range 10 {
			q.g[i][j] = (g.At(i, j) + g.At(j, i)) / 2
		}
	}
	return q
}

// euclidean is the metric of Euclidean in the coordinates X.
func euclidean(root *[4][4]float64, mean robot.Inertial) *quadratic {
	units := unitBodies(*root)
	q := identityAt(1, 1, 1, 1)
	m := mean.Mass()
	j := mean.PseudoInertia()
	square := (j[0][0] + j[1][1] + j[2][2]) / m // of the gyration radius about the frame's origin
	for a := range 10 {
		for b := range 10 {
			sum := 0.0
			for p := range robot.NumInertial {
				scale := m * m * square * square
				switch {
				case p == robot.M:
					scale = m * m
				case p >= robot.MX:
					scale = m * m * square
				}
				sum += units[a][p] * units[b][p] / scale
			}
			q.g[a][b] = sum
		}
	}
	return q
}
