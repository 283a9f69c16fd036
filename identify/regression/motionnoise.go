package regression

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/estimate"
	"ident/filter"
	"ident/observation"
	"ident/result"
	"ident/robot"
)

// Limits used by motionNoise.
const (
	// harmlessShare is the share of noise in the acceleration power of the rows below which no bias is measured. There
	// the bias of a parameter known to one part in ten thousand is a hundredth of a standard deviation.
	harmlessShare = 1e-6
	// pairSamples bounds the number of samples on which noise is drawn. The moments that noise adds are means over
	// samples; they only need to tell a bias of half a deviation from a quarter.
	pairSamples = 20000
	// pairs is the number of pairs of opposite draws. The mean over a pair has no linear term, which would be a hundred
	// times as large.
	pairs = 4
	// correctable is the share of noise in the accelerations' power of the rows up to which the estimate is corrected. On a
	// two-joint arm correction holds at a third; above it noise turns the signs of velocities too, which no moment undoes.
	correctable = 0.1
)

// motionNoise measures the bias that the noise of the motion makes in an estimate with rows of the given sum.
// Noise of the measured size is added to the motion once more, and once with the opposite sign; the mean moments
// of the two less those without are the moments D that the noise has added to those of the rows, G, in the first
// place, to third order. Then x - x', with G·x and (G - D)·x' the moments of the measurement vector, is the bias
// (simulation and extrapolation in its first step: Cook and Stefanski, J. American Statistical Association 89,
// 1994). It leaves out whatever noise has a colour that hides in the band of the motion.
//
// Where the bias matters, noise of twice the variance tells by D₂ whether the moments grow in proportion to it: to second
// order the log's own noise has added 3·D - D₂. The estimate is corrected by D; the difference that 2·D - D₂ makes is left.
func motionNoise(ctx context.Context, e *experiment, sum *estimate.Reduction, sol *estimate.Solution) (*result.MotionNoise, error) {
	m, share := measuredNoise(e)
	n := len(sol.X)
	if share < harmlessShare || sol.Rank < n || sol.MotionFree || len(sol.Weights) != len(sum.Masks()) || e.model.Loops() != nil {
		return m, nil
	}
	p, err := newNoisePairs(ctx, e, sum, sol)
	if err != nil || p.rows == 0 {
		return m, err
	}
	added, err := p.added(ctx, 1)
	if err != nil {
		return nil, err
	}
	m.Bias, m.BiasError = p.bias(added), p.errors(p.pull[0])
	if e.cfg.Servo == nil || e.cfg.Estimator == nil { // simulated motions have no noise
		m.Deviation = p.errors(p.odd)
		for i := range m.Deviation { // of one draw, on all rows
			m.Deviation[i] /= math.Sqrt(pairs * p.scale)
		}
	}
	if worst, _ := m.Worst(); worst <= result.WidenFrom || worst >= math.MaxFloat64 || share > correctable || !e.corrects() {
		return m, nil
	}
	twice, err := p.added(ctx, math.Sqrt2)
	if err != nil {
		return nil, err
	}
	curved := mat.NewSymDense(n+1, nil)
	for i := range n + 1 {
		for j := i; j <= n; j++ {
			curved.SetSym(i, j, 3*added.At(i, j)-twice.At(i, j))
		}
	}
	if m.Declined = p.declines(m.Correction(sol), added, curved); m.Declined != "" {
		return m, nil
	}
	m.Left = p.bias(curved)
	for i := range m.Left {
		m.Left[i] -= m.Bias[i]
	}
	growth := p.pull[1]
	for b := range growth {
		for i := range growth[b] {
			growth[b][i] = 2*p.pull[0][b][i] - growth[b][i]
		}
	}
	m.LeftError = p.errors(growth)
	return m, nil
}

// correct corrects the estimate sol of the rows d for the bias that the noise has made, and the rows with it. It returns
// the estimate and the correction of other rows. If feasible bodies of the corrected estimate explain the rows worse than
// those of the estimate, it notes the reason in noise and returns sol and the rows as they are.
func (e *experiment) correct(ctx context.Context, r *robot.Robot, set *baseparams.Set, d *reduced, noise *result.MotionNoise, sol estimated) (estimated, func(*estimate.Reduction) *estimate.Reduction, error) {
	same := func(rows *estimate.Reduction) *estimate.Reduction { return rows }
	if noise.Left == nil {
		return sol, same, nil
	}
	correction := noise.Correction(sol.Solution)
	corrected := func(rows *estimate.Reduction) *estimate.Reduction { return rows.SubtractPrediction(correction) }
	logged := d.rows.sum
	d.rows.sum = corrected(logged)
	out, err := e.estimate(ctx, r, set, d)
	if err != nil || e.cfg.Consistent == nil {
		return out, corrected, err
	}
	var squares [2]float64
	for i, s := range []estimated{sol, out} {
		bodies, err := e.bodies(ctx, s.Solution, r, set, e.cfg.bodyOptions())
		if err != nil {
			return out, corrected, nil // the estimate itself explains it
		}
		squares[i] = estimate.Squares(logged.Moments(sol.Weights), bodies.Base)
	}
	if noise.Declined = declinesSquares(sol.Solution, squares[0], squares[1]); noise.Declined == "" {
		return out, corrected, nil
	}
	d.rows.sum, noise.Left, noise.LeftError = logged, nil, nil
	return sol, same, nil
}

// corrects reports whether the estimate may be corrected for the bias by motion noise: only the default least squares
// may.
func (e *experiment) corrects() bool { return !e.cfg.Plain && e.cfg.Estimator == nil }

// noisePairs holds the rows to which motion noise is added.
type noisePairs struct {
	*experiment
	sources []observation.Source
	sol     *estimate.Solution
	rows    int // of the joint that has the most
	scale   float64
	whole   *mat.SymDense // moments of all rows
	without *mat.SymDense // moments of the pairs' rows without the noise
	still   [][]float64   // gradients of their time blocks without the noise
	pull    [][][]float64 // change of those by the noise, by call of added
	odd     [][]float64   // half the difference of those of opposite noise, one draw after the other
}

func newNoisePairs(ctx context.Context, e *experiment, sum *estimate.Reduction, sol *estimate.Solution) (*noisePairs, error) {
	sources, err := pairSources(ctx, e)
	if err != nil {
		return nil, err
	}
	base, err := e.reduceSources(ctx, sources)
	if err != nil {
		return nil, err
	}
	p := &noisePairs{experiment: e, sources: sources, sol: sol, rows: slices.Max(append(base.sum.Rows(), 0))}
	p.scale = float64(slices.Max(sum.Rows())) / float64(max(p.rows, 1))
	p.whole, p.without = sum.Moments(sol.Weights), base.sum.Moments(sol.Weights)
	p.still = base.sum.BlockGradients(sol.Weights, sol.X)
	return p, nil
}

// added returns the moments that noise of the measured standard deviation, times factor, adds to those of all rows.
func (p *noisePairs) added(ctx context.Context, factor float64) (*mat.SymDense, error) {
	n := len(p.sol.X)
	out, pull := mat.NewSymDense(n+1, nil), table(len(p.still), n)
	rng := rand.New(rand.NewPCG(p.cfg.Seed, 0x6d6f74696f6e))
	for range pairs {
		noise := observation.DrawNoise(rng, p.noise, p.sources)
		odd := table(len(p.still), n)
		for _, sign := range []float64{factor, -factor} {
			r, err := p.reduceSources(ctx, observation.Perturbed(p.sources, noise, sign))
			if err != nil {
				return nil, err
			}
			g := r.sum.Moments(p.sol.Weights)
			for i := range n + 1 {
				for j := i; j <= n; j++ {
					out.SetSym(i, j, out.At(i, j)+p.scale*(g.At(i, j)-p.without.At(i, j))/(2*pairs))
				}
			}
			for b, u := range r.sum.BlockGradients(p.sol.Weights, p.sol.X) {
				for i := range u {
					pull[b][i] += (u[i] - p.still[b][i]) / (2 * pairs)
					odd[b][i] += u[i] / (2 * sign)
				}
			}
		}
		p.odd = append(p.odd, odd...)
	}
	p.pull = append(p.pull, pull)
	return out, nil
}

// bias returns the bias of the estimate, in standard deviations, from the moments that noise has added.
func (p *noisePairs) bias(added *mat.SymDense) []float64 {
	var corrected mat.SymDense
	corrected.ScaleSym(-1, added)
	corrected.AddSym(p.whole, &corrected)
	x, ok := estimate.SolveMoments(p.whole)
	y, fine := estimate.SolveMoments(&corrected)
	out := make([]float64, len(p.sol.X))
	for i := range out {
		sigma := math.Sqrt(p.sol.Covariance[i][i])
		switch {
		case !ok || !fine:
			// The noise is as large as the motion: no correction is possible.
			out[i] = math.MaxFloat64
		case sigma > 0:
			out[i] = (x[i] - y[i]) / sigma
		}
	}
	return out
}

// mostNoise is the largest part of the moments of any direction of parameters that noise may have added for the correction
// to be applied. Above one half the noise is stronger than the motion that is left, and the series in D, of which the
// correction is the beginning, converges too slowly for its second order to bound the rest.
const mostNoise = 0.5

// declines returns the reason why a correction of the estimate must not be applied, or "". The correction must have a
// solution of its own second-order test, with the moments curved; the moments added by the noise must be at most half of
// those of the rows in every direction; and the rows must be explained no worse than chance allows.
func (p *noisePairs) declines(correction []float64, added, curved *mat.SymDense) string {
	var second mat.SymDense
	second.ScaleSym(-1, curved)
	second.AddSym(p.whole, &second)
	if _, ok := estimate.SolveMoments(&second); !ok {
		return "its second-order test has no solution"
	}
	if part, ok := estimate.LargestPart(added, p.whole); !ok || part > mostNoise {
		return fmt.Sprintf("noise makes %.2g of the motion that tells one combination of parameters (0.5 at most)", part)
	}
	x := slices.Clone(p.sol.X)
	before := estimate.Squares(p.whole, x)
	for i := range x {
		x[i] -= correction[i]
	}
	return declinesSquares(p.sol, before, estimate.Squares(p.whole, x))
}

// declinesSquares returns the reason why a correction of sol must not be applied that changes the squares of the rows from
// before to after, or "".
func declinesSquares(sol *estimate.Solution, before, after float64) string {
	if most := estimate.AllowedSquares(sol); after > most*before {
		return fmt.Sprintf("it leaves %.3g times the squares of the training rows (%.3g at most)", after/before, most)
	}
	return ""
}

// errors returns the standard errors of a bias, in standard deviations, from the changes of the time blocks' gradients.
// It returns nil if the moments determine nothing.
func (p *noisePairs) errors(pull [][]float64) []float64 {
	if _, ok := estimate.SolveMoments(p.whole); !ok {
		return nil
	}
	out := estimate.GradientErrors(p.whole, pull)
	for i := range out {
		if sigma := math.Sqrt(p.sol.Covariance[i][i]); sigma > 0 {
			out[i] *= p.scale / sigma
		}
	}
	return out
}

// measuredNoise returns the noise of the channels and its share in the acceleration power.
func measuredNoise(e *experiment) (*result.MotionNoise, float64) {
	joints := len(e.noise[0])
	m := &result.MotionNoise{Position: make([]float64, joints)}
	if e.choice.Velocity == observation.Measured {
		m.Velocity = make([]float64, joints)
	}
	for _, run := range e.noise {
		for k, n := range run {
			m.Position[k] = max(m.Position[k], n.Position.Sigma)
			if !n.Stands {
				m.BandHz = max(m.BandHz, n.Position.Band)
			}
			if m.Velocity != nil {
				m.Velocity[k] = max(m.Velocity[k], n.Velocity.Sigma)
			}
		}
	}
	motion := filter.LowPass{Cutoff: e.cfg.MotionCutoff, Order: e.cfg.Order}
	if e.cfg.MotionOrder > 0 {
		motion.Order = e.cfg.MotionOrder
	}
	rows := filter.LowPass{Cutoff: e.cfg.Cutoff, Order: e.cfg.Order}
	share := observation.NoiseShare(e.noise, e.choice.Velocity, motion, rows)
	m.Percent = 100 * share
	return m, share
}

// pairSources reads the first samples of the longest segment of every training run into memory. If all filters together
// need more than pairSamples, it takes runs spread evenly.
func pairSources(ctx context.Context, e *experiment) ([]observation.Source, error) {
	all, err := e.trainingSources(0)
	if err != nil {
		return nil, err
	}
	longest, least := make([]*observation.Source, e.training), 0
	for k := range all {
		if at := &longest[all[k].Segment.Run]; *at == nil || all[k].Segment.N > (*at).Segment.N {
			*at = &all[k]
		}
		least = max(least, 2*all[k].Filters.Overlap()+4*all[k].Filters.Cut())
	}
	longest = slices.DeleteFunc(longest, func(s *observation.Source) bool { return s == nil })
	every := max(1, least*len(longest)/pairSamples)
	var out []observation.Source
	for i := 0; i < len(longest); i += every {
		s, err := longest[i].Head(ctx, max(pairSamples/e.training, least))
		if err != nil {
			return nil, err
		}
		s.TellRest()
		out = append(out, s)
	}
	return out, nil
}
