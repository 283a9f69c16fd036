package regression

import (
	"context"
	"math"

	"ident/estimate"
	"ident/filter"
	"ident/observation"
	"ident/result"
)

// motionPair estimates the parameters from the same rows with the motion's low-pass at twice its cut-off. The low-pass
// takes a part of the fast motion, which products of rates and sines of angles do not take from both sides alike: behind
// twice the cut-off a low-pass of order n takes 2²ⁿ times less, so the difference of the pair is nearly all of that bias. It
// returns nil if the motion has no low-pass, or if noise behind twice the cut-off would bias the second estimate.
func (e *experiment) motionPair(ctx context.Context, sol *estimate.Solution) (*result.MotionPair, error) {
	twice := 2 * e.cfg.MotionCutoff
	if e.cfg.Plain || e.cfg.Estimator != nil || e.cfg.Fixed != nil || e.cfg.Decimate > 1 || !(twice > 0) || twice > 0.4/e.segments[0][0].DT || e.cfg.Differentiator != Central ||
		sol.Stack == nil || sol.Rank < len(sol.X) || e.model.Loops() != nil || e.shared != 0 {
		return nil, nil
	}
	motion := filter.LowPass{Cutoff: twice, Order: e.cfg.Order}
	if e.cfg.MotionOrder > 0 {
		motion.Order = e.cfg.MotionOrder
	}
	if observation.NoiseShare(e.noise, e.choice.Velocity, motion, filter.LowPass{Cutoff: e.cfg.Cutoff, Order: e.cfg.Order}) > filter.TolerableNoise {
		return nil, nil
	}
	cfg := e.cfg
	cfg.MotionCutoff = twice
	var pair [2]influential
	for i, x := range []*experiment{e, e.with(cfg)} {
		sources, err := pairSources(ctx, x)
		if err != nil {
			return nil, err
		}
		rows, err := x.reduceSources(ctx, sources)
		if err != nil {
			return nil, err
		}
		if pair[i], err = influencesOf(rows.sum, sol.Weights); err != nil {
			return nil, nil // the part of the rows does not determine the parameters
		}
	}
	n := min(len(pair[0].psi), len(pair[1].psi))
	if n < leastPairBlocks {
		return nil, nil
	}
	out := &result.MotionPair{CutoffHz: e.cfg.MotionCutoff, TwiceHz: twice, Shift: make([]float64, len(sol.X)), Error: make([]float64, len(sol.X))}
	for i := range sol.X {
		sigma := math.Sqrt(sol.Covariance[i][i])
		if !(sigma > 0) {
			continue
		}
		// The deviation of the difference, with a triangular window of two blocks: see Agreement.
		variance, before := 0.0, 0.0
		for b := range n {
			d := pair[0].psi[b][i] - pair[1].psi[b][i]
			variance += d*d + d*before
			before = d
		}
		out.Shift[i], out.Error[i] = (pair[1].x[i]-pair[0].x[i])/sigma, math.Sqrt(max(variance, 0))/sigma
	}
	return out, nil
}

// leastPairBlocks is the number of time blocks from which their scatter is an error of the difference.
const leastPairBlocks = 8

// influential is an estimate with the influences of its time blocks.
type influential struct {
	x   []float64
	psi [][]float64
}

func influencesOf(rows *estimate.Reduction, weights []float64) (out influential, err error) {
	s, err := rows.WeightedWithoutCovariance(weights, false)
	if err != nil {
		return out, err
	}
	return influential{s.X, rows.Influences(s)}, nil
}
