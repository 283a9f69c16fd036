package regression

import (
	"math"

	"ident/estimate"
	"ident/internal/triangle"
	"ident/observation"
	"ident/regressor"
)

// Terms that the model may lack: curves of friction over velocity, which need no
// scale of it, and drift with time, between −1 and 1 over a run.
const (
	frictionTerms = 4 // sign(q̇)·√|q̇|, q̇·|q̇|, q̇³, |q̇|
	driftTerms    = 3 // t, t·q̇, t·sign(q̇)
	harmonicTerms = 6 // sine and cosine of q, 2·q and 3·q
	slidingTerms  = 2 // friction with a memory less sign(q̇), of the widths of slidingWidths
	addedTerms    = frictionTerms + driftTerms + harmonicTerms + slidingTerms
)

// slidingWidths are ways within which the friction of a joint turns after a reversal, rad or m: gears slide from milliradians to a
// hundredth of a radian on.
var slidingWidths = [slidingTerms]float64{0.004, 0.016}

// enoughSamples is the number of samples in which the terms are looked for; of longer
// logs, chunks are left out evenly.
const enoughSamples = 400_000

// lackOfFit tests the added terms by the factors that the pass of the fit has made.
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

// span is the first and the last time of a run, in seconds.
func (r *recording) span(run int) [2]float64 {
	segs := r.segments[run]
	return [2]float64{segs[0].T0, segs[len(segs)-1].End()}
}

// extender makes the columns of the added terms; the triangular factor of each joint's rows with them is made with
// those of the time blocks.
type extender struct {
	model    *regressor.Model
	recorded *recording
	every    int         // chunks, of which one is extended; 0 for none
	columns  [][]float64 // term, sample
}

// newExtender is for the pass of the fit over so many samples. Rows of a path that is given have no added terms: nested factors of
// other columns round otherwise, and summaries reduced apart are to have the same bits whatever terms were offered.
func newExtender(e *experiment, samples int) extender {
	x := extender{model: e.model, recorded: &e.recording}
	if e.cfg.Model == Dynamic && e.cfg.Path == nil {
		x.every = (samples + enoughSamples - 1) / enoughSamples
	}
	return x
}

// begin returns the factors of an observation with so many further columns by joint, nil for none, empty; nil where it is not extended.
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

// terms are the added columns of a joint, unfiltered.
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

// further fills the columns of harmonics and of friction with a memory (Dahl 1968: dz = (1 − z·sign(dq))·dq/w), which has forgotten
// its beginning behind some widths of travel.
func (x *extender) further(v *observation.Observation, k int) {
	harmonics, sliding := x.columns[frictionTerms+driftTerms:], x.columns[frictionTerms+driftTerms+harmonicTerms:]
	for i, q := range v.Motion.Q[k] {
		for n := range harmonicTerms / 2 {
			harmonics[2*n][i], harmonics[2*n+1][i] = math.Sincos(float64(n+1) * q)
		}
	}
	for j, width := range slidingWidths {
		z := signAt(v.Motion.DQ[k][0])
		for i, q := range v.Motion.Q[k] {
			if i > 0 && q != v.Motion.Q[k][i-1] {
				way := q - v.Motion.Q[k][i-1]
				to := math.Copysign(1, way)
				z = to + (z-to)*math.Exp(-math.Abs(way)/width) // exact for a way in one direction
			}
			sliding[j][i] = z - signAt(v.Motion.DQ[k][i])
		}
	}
}

// signAt is the sign of a velocity, 0 at rest.
func signAt(rate float64) float64 {
	if rate == 0 {
		return 0
	}
	return math.Copysign(1, rate)
}
