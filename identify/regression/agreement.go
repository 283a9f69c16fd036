package regression

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"ident/estimate"
	"ident/internal/rowlist"
	"ident/regressor"
)

// Agreement says whether the estimates of two models from the same data differ significantly.
//
// Two estimates from the same data are not independent, and the standard deviation of their
// difference is not the root of the sum of squares: both follow the same errors.
// To first order an estimate moves with the rows of time block b by its influence
//
//	ψ_b = (RᵀR)⁻¹ Σ_j w_j²·W_bjᵀ(y_bj − W_bj·x),   Σ_b ψ_b = 0
//
// and so the difference of two by ψ_b^A − ψ_b^B, in which their common part cancels.
// With errors that are correlated over less than a block its variance is
//
//	s² = Σ_b δ_b² + Σ_b δ_b·δ_(b+1),   δ_b = ψ_b^A − ψ_b^B
//
// the sandwich with a triangular window of two blocks, which is never negative
// (Newey and West 1987), and holds however the rows of either model depend on the noise:
// windows that overlap, filters, squares of rates. Noise at the edge of a block may be in
// one block after the filter of one model and in the next after that of the other;
// the window makes up for half of that, so between models that follow the
// noise alike s is too large, by a factor of up to 1.5. Estimates have taken up a part of
// the residuals, which n/(n − p) makes good, n being the smaller number of independent
// samples. Two models disagree where for some parameter |d|/s is beyond Student's
// quantile with as many degrees as there are blocks, at 5 % for all parameters
// together (Bonferroni).
//
// Estimates of models that follow the noise alike can be apart by this measure and
// yet within their own standard deviations: a difference of method, such as the response of a
// filter to the reversals of friction, is then known better than either estimate.
// Within states how large it is.
//
// With fewer than eight blocks s has no meaning; then the bound that holds
// for any correlation stands for it, σ_A + σ_B.
type Agreement struct {
	A, B      Kind
	Agree     bool
	Beyond    int     // number of parameters whose difference is beyond the limit
	Parameter string  // name of the parameter that differs most
	A0, B0    float64 // estimates of that parameter
	Sigma     float64 // standard deviation of their difference
	Ratio     float64 // difference over its standard deviation
	Limit     float64 // limit of the ratio
	Within    float64 // largest difference beyond the limit, in standard deviations: the smaller one of the two estimates
	Blocks    int     // number of time blocks that Sigma comes from; 0 if Sigma is the bound
	Unknown   string  // why there is no comparison; "" if there is one
}

// Sentence returns one English sentence that says whether the two models agree.
func (g Agreement) Sentence(parameters int) string {
	pair := string(g.A) + " and " + string(g.B)
	if g.Unknown != "" {
		return pair + ": " + g.Unknown
	}
	from := rowlist.Plural(g.Blocks, "time block")
	if g.Blocks == 0 {
		from = "a bound, as if the two estimates were fully correlated"
	}
	worst := fmt.Sprintf("%s is %.4g and %.4g, which differ by %.2g standard deviations (limit %.2g), from %s", g.Parameter, g.A0, g.B0, g.Ratio, g.Limit, from)
	if g.Agree {
		return fmt.Sprintf("%s agree: at most %s", pair, worst)
	}
	if g.Within < 1 {
		return fmt.Sprintf("%s differ in %d of %d parameters, by %.2g of their own standard deviations at most: most clearly, %s", pair, g.Beyond, parameters, g.Within, worst)
	}
	return fmt.Sprintf("%s DISAGREE in %d of %d parameters, by up to %.2g of their own standard deviations: most, %s", pair, g.Beyond, parameters, g.Within, worst)
}

// significance is the probability that two models that do agree are reported as different.
const significance = 0.05

// fewestInfluences is the number of time blocks below which Agree does not use their influences: Student's quantile for
// all parameters would exceed ten.
const fewestInfluences = 8

// minimumChange is the part of ‖y‖ below which a change of W·x counts as numerical. At the motion rates that any log
// resolves, differences and integrals between samples err by less.
const minimumChange = 1e-6

// Agree compares the estimates of two outcomes of FitModels, which must be of the same runs.
func Agree(a, b *Outcome) Agreement {
	g := Agreement{A: Kind(a.Result.Model), B: Kind(b.Result.Model), Agree: true}
	sa, sb := a.Solution, b.Solution
	n := len(sa.X)
	if sa.Stack == nil || sb.Stack == nil || sa.Rank < n || sb.Rank < n {
		g.Unknown = "the models cannot be compared: an estimate is not the minimum of a sum of squares, or not unique"
		return g
	}
	if slices.ContainsFunc(a.Base.Columns, func(c regressor.Column) bool { return c.Term == regressor.Gain }) {
		g.Unknown = "the models cannot be compared: drive gains do not enter linearly"
		return g
	}
	d, sigma, blocks := spread(a, b)
	if g.Blocks = blocks; g.Blocks < fewestInfluences {
		g.Blocks = 0
	}
	freedom := math.Max(float64(g.Blocks-1), 1)
	if g.Blocks == 0 {
		freedom = 1e6
	}
	g.Limit = distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(1 - significance/float64(2*n))
	for k := range n {
		if g.Blocks == 0 {
			sigma[k] = math.Sqrt(sa.Covariance[k][k]) + math.Sqrt(sb.Covariance[k][k])
		}
		sigma := math.Hypot(sigma[k], (estimate.Resolution(sa, k, minimumChange)+estimate.Resolution(sb, k, minimumChange))/2)
		ratio := math.Abs(d[k]) / sigma
		if sigma == 0 {
			ratio = 0
		}
		if ratio > g.Limit {
			g.Beyond++
			g.Agree = false
			if own := math.Sqrt(min(sa.Covariance[k][k], sb.Covariance[k][k])); own > 0 {
				g.Within = max(g.Within, math.Abs(d[k])/own)
			}
		}
		if k == 0 || ratio > g.Ratio {
			g.Ratio, g.Sigma, g.A0, g.B0 = ratio, sigma, sa.X[k], sb.X[k]
			g.Parameter = a.Base.Name(k)
		}
	}
	return g
}

// spread returns the differences of two estimates, the standard deviations of these differences, and the number of time
// blocks behind them.
func spread(a, b *Outcome) (d, sigma []float64, blocks int) {
	n := len(a.Solution.X)
	d, sigma = make([]float64, n), make([]float64, n)
	one, other := a.Reduction.Influences(a.Solution), b.Reduction.Influences(b.Solution)
	last, link := make([]float64, n), blockID{}
	for i, id := range a.blocks {
		j := slices.Index(b.blocks, id)
		if j < 0 {
			continue
		}
		next := link.seg == id.seg && link.id+1 == id.id
		for k := range n {
			delta := one[i][k] - other[j][k]
			sigma[k] += delta * delta
			if next {
				sigma[k] += delta * last[k]
			}
			last[k] = delta
		}
		link = id
		blocks++
	}
	scale := math.Max(estimate.FreedomFactor(a.Solution), estimate.FreedomFactor(b.Solution))
	for k := range n {
		d[k] = a.Solution.X[k] - b.Solution.X[k]
		sigma[k] = math.Sqrt(math.Max(sigma[k], 0) * scale)
	}
	return d, sigma, blocks
}
