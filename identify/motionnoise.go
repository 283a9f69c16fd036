package identify

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/estimate"
	"ident/filter"
	"ident/observation"
	"ident/result"
)

// Figures of motionNoise.
const (
	// harmlessShare is the share of noise in the accelerations' power of the rows below which no bias is
	// measured: of a parameter that is known to a ten-thousandth it is a hundredth of a deviation.
	harmlessShare = 1e-6
	// pairSamples bounds the samples on which noise is drawn. The moments that noise adds are means over
	// samples, and a bias of half a deviation has to be told from a quarter, not more.
	pairSamples = 20000
	// pairs of opposite draws: the mean over a pair has no linear term, which is a hundred times as large.
	pairs = 4
	// widenFrom is the bias, in deviations, from which intervals are widened: below it they lose a hundredth of
	// their coverage.
	widenFrom = 0.3
)

// motionNoise measures the bias that the noise of the motion makes in an estimate with rows of the given sum.
// Noise of the measured size is added to the motion once more, and once with the opposite sign; the mean moments
// of the two less those without are the moments D that the noise has added to those of the rows, G, in the first
// place, to third order. Then x - x', with G·x and (G - D)·x' the moments of the measurement vector, is the bias
// (simulation and extrapolation in its first step: Cook and Stefanski, J. American Statistical Association 89,
// 1994). It leaves out whatever noise has a colour that hides in the band of the motion.
func motionNoise(ctx context.Context, e *experiment, sum *estimate.Reduction, sol *estimate.Solution) (*result.MotionNoise, error) {
	m, share := measuredNoise(e)
	n := len(sol.X)
	if share < harmlessShare || sol.Rank < n || len(sol.Weights) != len(sum.Masks()) || e.model.Loops() != nil {
		return m, nil
	}
	sources, err := pairSources(ctx, e)
	if err != nil {
		return nil, err
	}
	base, err := e.reduceSources(ctx, sources)
	if err != nil {
		return nil, err
	}
	rows := slices.Max(append(base.sum.Rows(), 0))
	if rows == 0 {
		return m, nil
	}
	without, still := estimate.Moments(base.sum, sol.Weights), estimate.BlockGradients(base.sum, sol.Weights, sol.X)
	added, pull := mat.NewSymDense(n+1, nil), table(len(still), n)
	rng := rand.New(rand.NewPCG(e.cfg.Seed, 0x6d6f74696f6e))
	for range pairs {
		noise := observation.DrawNoise(rng, e.noise, sources)
		for _, sign := range []float64{1, -1} {
			r, err := e.reduceSources(ctx, observation.Perturbed(sources, noise, sign))
			if err != nil {
				return nil, err
			}
			g := estimate.Moments(r.sum, sol.Weights)
			for i := range n + 1 {
				for j := i; j <= n; j++ {
					added.SetSym(i, j, added.At(i, j)+(g.At(i, j)-without.At(i, j))/(2*pairs))
				}
			}
			for b, u := range estimate.BlockGradients(r.sum, sol.Weights, sol.X) {
				for i := range u {
					pull[b][i] += (u[i] - still[b][i]) / (2 * pairs)
				}
			}
		}
	}
	whole := estimate.Moments(sum, sol.Weights)
	scale := float64(slices.Max(sum.Rows())) / float64(rows)
	corrected := mat.NewSymDense(n+1, nil)
	for i := range n + 1 {
		for j := i; j <= n; j++ {
			corrected.SetSym(i, j, whole.At(i, j)-scale*added.At(i, j))
		}
	}
	x, ok := estimate.SolveMoments(whole)
	y, fine := estimate.SolveMoments(corrected)
	m.Bias = make([]float64, n)
	for i := range m.Bias {
		sigma := math.Sqrt(sol.Covariance[i][i])
		switch {
		case !ok || !fine:
			// Noise has taken the place of the motion: nothing is left to correct.
			m.Bias[i] = math.MaxFloat64
		case sigma > 0:
			m.Bias[i] = (x[i] - y[i]) / sigma
		}
	}
	if ok {
		m.BiasError = estimate.GradientErrors(whole, pull)
		for i := range m.BiasError {
			if sigma := math.Sqrt(sol.Covariance[i][i]); sigma > 0 {
				m.BiasError[i] *= scale / sigma
			}
		}
	}
	return m, nil
}

// measuredNoise is the noise of the channels, and its share in the accelerations' power.
func measuredNoise(e *experiment) (*result.MotionNoise, float64) {
	joints := len(e.noise[0])
	m := &result.MotionNoise{Position: make([]float64, joints)}
	if e.choice.Velocity == observation.Measured {
		m.Velocity = make([]float64, joints)
	}
	for _, run := range e.noise {
		for k, n := range run {
			m.Position[k] = max(m.Position[k], n.Position.Sigma)
			m.BandHz = max(m.BandHz, n.Position.Band)
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

// pairSources hold the first samples of the longest segment of training runs in memory: of every one, or where
// their filters need more than pairSamples in all, of runs spread evenly.
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

// widen lets deviations grow by the bias, where that is more than intervals bear.
func widen(m *result.MotionNoise, sol *estimate.Solution) {
	worst, _ := m.Worst()
	if worst <= widenFrom || worst >= math.MaxFloat64 {
		return
	}
	m.Widened = true
	sol.Covariance = slices.Clone(sol.Covariance)
	for i := range sol.Covariance {
		sol.Covariance[i] = slices.Clone(sol.Covariance[i])
		for j := range sol.Covariance[i] {
			sol.Covariance[i][j] *= math.Hypot(1, m.Bias[i]) * math.Hypot(1, m.Bias[j])
		}
	}
}
