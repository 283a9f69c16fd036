package trialfit

import (
	"math"
	"slices"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/scratch"
	"ident/filter"
	"ident/internal/orderstat"
	"ident/observation"
	"ident/regressor"
)

// torqueSamples are the torques of a segment on a uniform clock; rows are some of its samples, evenly spaced.
type torqueSamples struct {
	t0, dt float64     // s
	y      [][]float64 // per joint, filtered, of all samples; nil without an effort
	rows   []int       // samples that are rows
}

// fewestSamples is the smallest number of samples from which a signal can be judged.
const fewestSamples = 50

// segmentFilter makes filtered segments of one log, by the signal path of a fit.
type segmentFilter struct {
	*Signals
	band   float64 // cut-off of both sides, Hz
	keep   int     // every keep-th sample of the uniform clock has a regressor
	motion *observation.MotionFilter
	both   *observation.RowFilter
	stride int                    // samples of that clock from row to row
	kept   *observation.RowFilter // both at the rows alone, nil where stride does not allow it
}

// segmentWork is scratch memory of one goroutine.
type segmentWork struct {
	knots     filter.Knots
	regressor *regressor.Workspace
	motion    observation.MotionWork
	rows      observation.RowWork
	kept      observation.KeptRegressor
	block     *regressor.Block // of all samples
	samples   int              // of the block, at most
	columns   scratch.Columns  // of one segment at a time
}

// newSegmentFilter designs the filters; nil where they do not fit the rate.
func newSegmentFilter(in *Signals) *segmentFilter {
	rate := 1 / in.Interval
	sf := &segmentFilter{Signals: in, band: math.Min(Band, rate/5), keep: max(1, int(rate/trialRate))}
	var err error
	cutoff, order := sf.motionCutoff(math.Min(trialReach*sf.band, 0.4*rate), 2)
	if sf.motion, err = observation.NewMotionFilter(cutoff, order, observation.Central, in.Interval); err != nil {
		return nil
	}
	rate /= float64(sf.keep)
	sf.stride = max(1, int(math.Round(rate/(rowsPerBand*sf.band))))
	both := observation.Settings{Model: observation.Dynamic, Path: observation.Path{Order: 2, Cutoff: sf.band}}
	if sf.both, err = observation.NewRowFilter(both, 1/rate); err != nil {
		return nil
	}
	both.KeepRate = rate / float64(sf.stride)
	if kept, err := observation.NewRowFilter(both, 1/rate); err == nil && kept.Every() == sf.stride && sf.stride > 1 {
		sf.kept = kept
	}
	return sf
}

// motionCutoff returns the cut-off and the order of the positions' low-pass: the given ones, or those that a fit would
// choose for the noise of the positions. Without it, noise would hide the accelerations of slow motions. Only a steady
// clock can show the noise: jitter looks like noise.
func (sf *segmentFilter) motionCutoff(most float64, order int) (float64, int) {
	longest := Segment{}
	for _, s := range sf.Segments {
		if s.Uniform && len(s.T) > len(longest.T) {
			longest = s
		}
	}
	rate := 1 / sf.Interval
	var joints [][]filter.MotionBands
	var spectra filter.MotionSpectra
	var like filter.MotionBands
	for j, q := range longest.Q {
		if q == nil || !sf.Joints[j].Moves {
			continue
		}
		q = q[:min(len(q), noiseSamples)]
		s := spectra.Of(q, rate)
		like = s.Bands(filter.NoiseOf(q, s).Sigma, 0, like)
		joints = append(joints, []filter.MotionBands{like})
	}
	if len(joints) == 0 {
		return most, order
	}
	if cutoff, _ := filter.MotionCutoff(joints, most, filter.LowPass{Cutoff: sf.band, Order: 2}); cutoff < most {
		return cutoff, filter.MotionOrder
	}
	return most, order
}

// noiseSamples is the largest number of samples of a segment from which noise is measured.
const noiseSamples = 1 << 15

// batch holds the rows [from, to) of a segment that are evaluated at once. rows are the samples that are kept, and
// at is the index of the first of them in the arrays of the whole log.
type batch struct {
	of       Segment
	from, to int
	n        int // samples on the uniform clock
	rows     []int
	at       int
}

// newBatch returns the samples [from, to) of a segment as a batch, with rows where it is long enough.
func (sf *segmentFilter) newBatch(in Segment, from, to, at int) batch {
	p := batch{of: in, from: from, to: to, n: to - from, at: at}
	if p.n < fewestSamples {
		return p
	}
	if !in.Uniform {
		if p.n = filter.Grid(in.T[from], in.T[to-1], sf.Interval); p.n > 4*(to-from) {
			return p
		}
	}
	n := (p.n + sf.keep - 1) / sf.keep
	// The filter's response is cut where it falls to a thousandth: far below the part of a torque that any model
	// explains.
	tail := sf.both.Tail(1e-3)
	if n-2*tail >= fewestSamples/2 {
		p.rows = make([]int, 0, (n-2*tail)/sf.stride+1)
		for k := tail; k < n-tail; k += sf.stride {
			p.rows = append(p.rows, k)
		}
	}
	return p
}

// filter evaluates motion and regressor at the rows of a batch, and stores them at the rows' indices.
func (sf *segmentFilter) filter(p *batch, tr *Rows, work *segmentWork) torqueSamples {
	work.columns.Return(scratch.Mark{})
	in, n := p.of, p.n
	t := in.T[p.from:p.to]
	knots := in.Knots
	if !in.Uniform && (knots == nil || len(t) < len(in.T)) {
		knots = &work.knots
		knots.Set(t)
	}
	column := func(x, c []float64) []float64 {
		if in.Uniform {
			copy(x, c[p.from:p.to])
		} else {
			knots.Resample(x, c[p.from:p.to], t[0], sf.Interval)
		}
		return x
	}
	m := sf.filteredMotion(in, column, n, work)
	joints := len(sf.Joints)
	st := torqueSamples{t0: t[0], dt: sf.Interval * float64(sf.keep), y: make([][]float64, joints), rows: p.rows}
	var torques [][]float64
	for j := range sf.Joints {
		if in.Effort[j] == nil {
			continue
		}
		y := column(make([]float64, n), in.Effort[j])
		for k := range y {
			y[k] *= sf.Joints[j].Gain
		}
		if sf.keep > 1 { // against aliases, far above the band of both sides
			sf.motion.Smooth([][]float64{y}, &work.motion)
		}
		st.y[j] = projection.Thin(y, sf.keep)
		torques = append(torques, st.y[j])
	}
	n = len(m.Q[0])
	tail := p.rows[0]
	extent := observation.Extent{Lo: tail, Hi: n - tail, End: n - tail}
	smooth := make([][]float64, joints)
	for j, v := range m.DQ {
		smooth[j] = work.columns.Copy(v)
	}
	sf.both.Apply(slices.Concat(smooth, torques), extent, &work.rows)
	sign := make([][]float64, joints)
	for j, v := range m.DQ {
		sign[j] = signs(v, smooth[j], p.rows, st.dt, 1/sf.band, tr.Lost[j][p.at:p.at+len(p.rows)], &work.columns)
	}
	var sums [][]float64
	for _, s := range pairs(joints) {
		x := work.columns.Take(n)
		for k := range x {
			x[k] = projection.Sign(m.DQ[s.A][k] + s.Sign*m.DQ[s.B][k])
		}
		sums = append(sums, x)
	}
	for i, k := range p.rows {
		tr.T[p.at+i] = st.t0 + float64(k)*st.dt
	}
	p.pick(tr.Q, m.Q)
	p.pick(tr.DQ, m.DQ)
	if sf.kept != nil {
		sf.keepRows(p, tr, m, sign, sums, work)
	} else {
		sf.allRows(p, tr, m, sign, sums, extent, work)
	}
	return st
}

// pick copies the rows out of columns of all samples and stores them at the rows' indices; columns that are not wanted
// (nil) are left out.
func (p *batch) pick(to, cols [][]float64) {
	for i, c := range cols {
		if to[i] == nil {
			continue
		}
		for k, row := range p.rows {
			to[i][p.at+k] = c[row]
		}
	}
}

// put stores columns that hold rows only, from index first on, at the rows' indices.
func (p *batch) put(to, cols [][]float64, first int) {
	for i, c := range cols {
		if to[i] != nil {
			copy(to[i][p.at:p.at+len(p.rows)], c[first:])
		}
	}
}

// allRows filters the regressor and the motion at all samples, then picks the rows.
func (sf *segmentFilter) allRows(p *batch, tr *Rows, m observation.Motion, sign, sums [][]float64, extent observation.Extent, work *segmentWork) {
	n := len(m.Q[0])
	if work.samples < n {
		work.block, work.samples = sf.Model.NewBlock(n), n
	}
	block := work.block
	block.Resize(n)
	sf.Model.Eval(block, m.Q, m.DQ, m.DDQ, work.regressor)
	var cols [][]float64
	for j := range block.Joint {
		if tr.W[j] != nil {
			cols = append(cols, block.Joint[j]...)
		}
	}
	sf.both.Apply(slices.Concat(cols, m.DQ, m.DDQ, sign, sums), extent, &work.rows)
	for j := range block.Joint {
		if tr.W[j] != nil {
			p.pick(tr.W[j], block.Joint[j])
		}
	}
	p.pick(tr.FDQ, m.DQ)
	p.pick(tr.FDDQ, m.DDQ)
	p.pick(tr.FSign, sign)
	p.pick(tr.sums, sums)
}

// keepRows does the same as allRows, but filters only the samples that become rows, with a regressor that fits the
// second-level cache. It leaves out the first samples of the segment, less than one stride, so that rows lie at whole
// strides.
func (sf *segmentFilter) keepRows(p *batch, tr *Rows, m observation.Motion, sign, sums [][]float64, work *segmentWork) {
	skip := p.rows[0] % sf.stride
	first := p.rows[0] / sf.stride
	since := func(cols [][]float64) [][]float64 {
		out := make([][]float64, len(cols))
		for i, c := range cols {
			out[i] = c[skip:]
		}
		return out
	}
	joints, n := len(sf.Joints), len(m.Q[0])-skip
	w := sf.kept.Apply(since(slices.Concat(m.DQ, m.DDQ, sign, sums)), observation.Extent{Hi: n, End: n}, &work.rows).Columns
	p.put(tr.FDQ, w[:joints], first)
	p.put(tr.FDDQ, w[joints:2*joints], first)
	p.put(tr.FSign, w[2*joints:3*joints], first)
	p.put(tr.sums, w[3*joints:], first)
	for j, cols := range work.kept.Eval(sf.kept, sf.Model, regressor.Batch{Q: since(m.Q), DQ: since(m.DQ), DDQ: since(m.DDQ)}, work.regressor) {
		if tr.W[j] != nil {
			p.put(tr.W[j], cols, first)
		}
	}
}

// filteredMotion returns the motion of all joints at every keep-th of n samples. Positions are low-pass filtered before
// they are differentiated. A joint without a position channel stays at its locked position, one that does not move at
// its mean. The derivatives are stored in work.
func (sf *segmentFilter) filteredMotion(in Segment, column func(x, c []float64) []float64, n int, work *segmentWork) observation.Motion {
	joints := len(sf.Joints)
	m := observation.Motion{Q: make([][]float64, joints), DQ: make([][]float64, joints), DDQ: make([][]float64, joints)}
	var moving []int
	var q [][]float64
	for j, jt := range sf.Joints {
		at := jt.At
		if in.Q[j] != nil {
			x := column(work.columns.Take(n), in.Q[j])
			if jt.Moves {
				moving, q = append(moving, j), append(q, x)
				continue
			}
			at = 0
			for _, v := range x {
				at += v / float64(n)
			}
		}
		m.Q[j], m.DQ[j], m.DDQ[j] = work.columns.Take(n), work.columns.Zeros(n), work.columns.Zeros(n)
		for k := range n {
			m.Q[j][k] = at
		}
	}
	if len(moving) > 0 {
		filtered := sf.motion.Apply(observation.Measurement{Q: q}, &work.motion)
		for i, j := range moving {
			m.Q[j], m.DQ[j], m.DDQ[j] = filtered.Q[i], filtered.DQ[i], filtered.DDQ[i]
		}
	}
	for j := range m.Q {
		m.Q[j], m.DQ[j], m.DDQ[j] = projection.Thin(m.Q[j], sf.keep), projection.Thin(m.DQ[j], sf.keep), projection.Thin(m.DDQ[j], sf.keep)
	}
	return m
}

// A joint that reverses passes through the noise of its velocity in a few milliseconds. A joint whose velocity stays
// within its noise for a quarter of the low-pass's period (standing) is at rest. The low-pass spreads that over most of
// a period (carried) to either side.
const (
	standing = 0.25
	carried  = 0.8
)

// signs returns the signs of the velocities v, sampled at interval dt, and marks in lost the rows that a joint at rest
// affects. smooth is v after the low-pass of both sides, whose cut-off has the given period in seconds: for nearly all
// samples v − smooth is noise. Where the velocity exceeds the noise, its sign is taken. A long interval below the noise
// is a joint at rest: v is set to zero there. A short one is a reversal: the velocity's sign is right except for noise,
// which errs equally to both sides.
func signs(v, smooth []float64, rows []int, dt, period float64, lost []bool, memory *scratch.Columns) (sign []float64) {
	sign = memory.Zeros(len(v))
	size := memory.Take(len(v))
	for k := range v {
		size[k] = math.Abs(v[k] - smooth[k])
	}
	noise := 1.4826 * orderstat.Selected(size, len(size)/2) // of Gaussian noise: the standard deviation
	// For a joint that rests most of the time, noise is the noise at rest, which may be zero.
	least := math.Min(math.Max(3*noise, 1e-3*projection.RMS(v)), 0.02*projection.RMS(v))
	for k, x := range v {
		if math.Abs(x) > least {
			sign[k] = projection.Sign(x)
		}
	}
	longest, reach := int(standing*period/dt), int(carried*period/dt)
	settle := func(from, to int) {
		if to-from <= longest {
			for k := from; k < to; k++ {
				sign[k] = projection.Sign(v[k])
			}
			return
		}
		clear(v[from:to])
		for i, row := range rows {
			lost[i] = lost[i] || row >= from-reach && row < to+reach
		}
	}
	from := -1 // start of the present interval without a sign
	for k := range sign {
		switch {
		case sign[k] != 0 && from >= 0:
			settle(from, k)
			from = -1
		case sign[k] == 0 && from < 0:
			from = k
		}
	}
	if from >= 0 {
		settle(from, len(sign))
	}
	return sign
}
