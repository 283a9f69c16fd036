package physical

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"ident/baseparams"
	"ident/estimate"
	"ident/physical/internal/conic"
	"ident/robot"
)

// chanceDraws is the number of draws of Chance: all of 19 lie below the distance of an estimate that chance explains in one log of twenty.
const chanceDraws = 19

// chanceProbability is the part of sound logs whose distance exceeds the limit of Chance.
const chanceProbability = 1e-3

// chanceSeed makes the draws of Chance the same in each run.
const chanceSeed = 95

// Chance returns the distance of the estimate s from the feasible ones, in the metric of its covariance if the model is true, and the limit
// that this distance exceeds in one of a thousand logs if centre, the base parameters of the feasible estimate nearest to s, is the truth.
// ok is false if the data do not determine all parameters of s, or if a search for the nearest feasible estimate fails.
//
// Estimate.Limit holds wherever the truth lies, even at the tip of the cone of feasible bodies. It is several times too large if
// the truth has few bodies at their bounds. Here the truth is taken to be the nearest feasible estimate: noise is drawn about it, and the
// distance of each draw from the feasible estimates is found as that of s is. The draws end as soon as one of them is as far as s: chance then
// explains s, and limit is the distance of that draw (Besag and Clifford 1991).
func Chance(s *estimate.Solution, r *robot.Robot, set *baseparams.Set, opt Options, centre []float64) (distance, limit float64, ok bool) {
	set, opt.Given = withGiven(set, opt.Given)
	c, opt, err := newProgram(s, r, set, opt)
	if err != nil || c.estimated < len(s.X) {
		return 0, 0, false
	}
	root, ok := c.inNoise(s)
	if !ok {
		return 0, 0, false
	}
	if c.Prepare() != nil {
		return 0, 0, false
	}
	distance, ok = c.distanceOf(s.X, root)
	if !ok {
		return 0, 0, false
	}
	rng := rand.New(rand.NewPCG(chanceSeed, uint64(len(s.X))))
	x, drawn := make([]float64, len(centre)), make([]float64, 0, chanceDraws)
	for range chanceDraws {
		// U⁻¹·x has the covariance (UᵀU)⁻¹, which is that of the estimate, if x is white noise.
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		blas64.Trsv(blas.NoTrans, root, blas64.Vector{N: len(x), Inc: 1, Data: x})
		for i := range x {
			x[i] += centre[i]
		}
		d, ok := c.distanceOf(x, root)
		if !ok {
			return 0, 0, false
		}
		if d >= distance {
			return distance, d, true
		}
		drawn = append(drawn, d)
	}
	// The limit of one more draw of a normal variable whose mean and deviation are those of the draws, wider if the variance of the rows comes
	// from few time blocks.
	mean, deviation := stat.MeanStdDev(drawn, nil)
	limit = mean + deviation*math.Sqrt(1+1.0/chanceDraws)*distuv.StudentsT{Sigma: 1, Nu: chanceDraws - 1}.Quantile(1-chanceProbability)
	return distance, limit * s.DistanceQuantile() / math.Sqrt(distuv.ChiSquared{K: float64(len(s.X))}.Quantile(0.95)), true
}

// inNoise weighs the estimate's rows by the inverse of NoiseOnly, and returns the factor U of these weights, UᵀU.
func (c *program) inNoise(s *estimate.Solution) (blas64.Triangular, bool) {
	n := len(s.X)
	cov := mat.NewSymDense(n, nil)
	for i, row := range s.NoiseOnly() {
		for j := i; j < n; j++ {
			cov.SetSym(i, j, row[j])
		}
	}
	var of, weights mat.Cholesky
	inverse := mat.NewSymDense(n, nil)
	if !of.Factorize(cov) || of.InverseTo(inverse) != nil || !weights.Factorize(inverse) {
		return blas64.Triangular{}, false
	}
	var u mat.TriDense
	weights.UTo(&u)
	root := u.RawTriangular()
	for i := range n {
		for j := i; j < n; j++ {
			c.Factor.Data[i*c.Factor.Stride+j] = root.Data[i*root.Stride+j]
		}
	}
	return root, true
}

// distanceOf returns the distance of base parameters x from the feasible ones, in the metric of root.
func (c *program) distanceOf(x []float64, root blas64.Triangular) (float64, bool) {
	for i := range x {
		c.Offset[i] = -x[i]
	}
	for i, v := range c.atOrigin() {
		c.Offset[i] += v
	}
	h := conic.NewSolver(&c.Program)
	if _, _, err := h.Minimise(1e-3); err != nil {
		return 0, false
	}
	d := c.base(h.Z)
	for i := range d {
		d[i] -= x[i]
	}
	blas64.Trmv(blas.NoTrans, root, blas64.Vector{N: len(d), Inc: 1, Data: d})
	sum := 0.0
	for _, v := range d {
		sum += v * v
	}
	return math.Sqrt(sum), true
}

// atOrigin returns the base parameters at z = 0.
func (c *program) atOrigin() []float64 {
	return c.set.FromStandard(c.origin[:len(c.set.Columns)])
}

// base returns the base parameters for the program's variables.
func (c *program) base(z []float64) []float64 {
	return c.set.FromStandard(c.complete(z)[:len(c.set.Columns)])
}
