package regression

import (
	"math"

	"ident/estimate"
	"ident/internal/triangle"
	"ident/observation"
	"ident/regressor"
)

// Terms that the model may lack: friction curves over velocity that need no velocity scale, and drift with time, scaled
// to −1 … 1 over a run.
const (
	frictionTerms = 4 // sign(q̇)·√|q̇|, q̇·|q̇|, q̇³, |q̇|
	driftTerms    = 3 // t, t·q̇, t·sign(q̇)
	harmonicTerms = 6 // sine and cosine of q, 2·q and 3·q
	slidingTerms  = 2 // friction with a memory less sign(q̇), of widths wideSliding and a quarter of it
	addedTerms    = frictionTerms + driftTerms + harmonicTerms + slidingTerms
)

// wideSliding is the larger travel, in rad or m, over which the friction of a joint reverses. Gears slide from milliradians
// to a hundredth of a radian.
const wideSliding = 0.016

// enoughSamples bounds the number of samples in which the terms are sought; in longer logs, chunks are left out evenly.
const enoughSamples = 400_000

// lackOfFit tests the added terms, using the factors that the pass of the fit has made.
func (e *experiment) lackOfFit(factors []*triangle.Factor, s *estimate.Solution) []estimate.TermTest {
	if factors == nil || len(s.Sigma) != e.model.Joints() {
		return nil
	}
	out := make([]estimate.TermTest, len(factors))
	for k, f := range factors {
		base := len(e.model.Mask(k))
		variance, count := s.Sigma[k]*s.Sigma[k]*s.VarianceInflation[k], float64(f.Rows)/s.VarianceInflation[k]
		columns := make([]int, frictionTerms+driftTerms)
		for i := range columns {
			columns[i] = f.N - addedTerms + i
		}
		out[k].Friction = estimate.ExplainedBy(f, base, columns[:frictionTerms], variance, count)
		out[k].Drift = estimate.ExplainedBy(f, base, columns[frictionTerms:], variance, count)
	}
	return out
}

// span returns the first and the last time of a run, in seconds.
func (r *recording) span(run int) [2]float64 {
	segs := r.segments[run]
	return [2]float64{segs[0].T0, segs[len(segs)-1].End()}
}

// extender computes the columns of the added terms. Each joint's triangular factor with them is computed together with
// those of the time blocks.
type extender struct {
	model    *regressor.Model
	recorded *recording
	every    int         // chunks, of which one is extended; 0 for none
	columns  [][]float64 // term, sample
}

// newExtender returns the extender for a fit of so many samples. It adds no terms if the path is given: summaries
// reduced separately must agree to the last bit whatever terms are offered, and nested factors of other columns round
// differently.
func newExtender(e *experiment, samples int) extender {
	x := extender{model: e.model, recorded: &e.recording}
	if e.cfg.Model == Dynamic && e.cfg.Fixed == nil {
		x.every = (samples + enoughSamples - 1) / enoughSamples
	}
	return x
}

// begin returns one empty factor a joint, each with further(joint) more columns (nil for none). It returns nil if the
// observation is not extended.
func (x *extender) begin(v *observation.Observation, further func(joint int) int) []*triangle.Factor {
	if x == nil || x.every == 0 || v.Chunk.Index%x.every != 0 {
		return nil
	}
	out := make([]*triangle.Factor, len(v.Torque))
	for k := range out {
		n := len(x.model.Mask(k)) + addedTerms
		if further != nil {
			n += further(k)
		}
		out[k] = triangle.New(n)
	}
	x.columns = resized(x.columns, addedTerms, len(v.Torque[0]))
	return out
}

// terms returns the added columns of a joint, unfiltered.
func (x *extender) terms(v *observation.Observation, k int) [][]float64 {
	c := v.Chunk
	times := x.recorded.span(c.Source.Segment.Run)
	middle, half := (times[0]+times[1])/2, max((times[1]-times[0])/2, c.Source.Segment.DT)
	for i, rate := range v.Motion.DQ[k] {
		sign, size := 0.0, math.Abs(rate)
		if rate != 0 {
			sign = math.Copysign(1, rate)
		}
		t := (c.Time(i) - middle) / half
		for j, term := range [frictionTerms + driftTerms]float64{sign * math.Sqrt(size), rate * size, rate * rate * rate, size, t, t * rate, t * sign} {
			x.columns[j][i] = term
		}
	}
	x.further(v, k)
	return x.columns
}

// further fills the columns of harmonics and of friction with memory (Dahl 1968: dz = (1 − z·sign(dq))·dq/w). After a
// travel of some widths z has forgotten its initial value.
func (x *extender) further(v *observation.Observation, k int) {
	harmonics, sliding := x.columns[frictionTerms+driftTerms:], x.columns[frictionTerms+driftTerms+harmonicTerms:]
	for i, q := range v.Motion.Q[k] {
		s, c := math.Sincos(q)
		harmonics[0][i], harmonics[1][i] = s, c
		for n := 2; n < harmonicTerms; n += 2 { // of the angle before plus q
			a, b := harmonics[n-2][i], harmonics[n-1][i]
			harmonics[n][i], harmonics[n+1][i] = a*c+b*s, b*c-a*s
		}
	}
	start := signAt(v.Motion.DQ[k][0])
	narrow, wide := start, start
	for i, q := range v.Motion.Q[k] {
		if i > 0 && q != v.Motion.Q[k][i-1] {
			way := q - v.Motion.Q[k][i-1]
			to := math.Copysign(1, way)
			kept := math.Exp(-math.Abs(way) / wideSliding) // exact for a way in one direction
			wide = to + (wide-to)*kept
			kept *= kept
			narrow = to + (narrow-to)*kept*kept // over a quarter of the width
		}
		sign := signAt(v.Motion.DQ[k][i])
		sliding[0][i], sliding[1][i] = narrow-sign, wide-sign
	}
}

// signAt returns the sign of a velocity, 0 at rest.
func signAt(rate float64) float64 {
	if rate == 0 {
		return 0
	}
	return math.Copysign(1, rate)
}
