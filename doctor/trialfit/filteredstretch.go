package trialfit

import (
	"math"
	"slices"

	"ident/filter"
	"ident/internal/projection"
	"ident/observation"
	"ident/regressor"
)

// torqueSamples are the torques of a stretch on one uniform clock, of which every few samples are rows.
type torqueSamples struct {
	t0, dt float64     // s
	y      [][]float64 // per joint, filtered, of all samples; nil without an effort
	rows   []int       // samples that are rows
}

// filteredStretch is a stretch of the log with motion and regressor at its rows.
type filteredStretch struct {
	torqueSamples
	// Motion before the low-pass of both sides, per joint.
	q, dq [][]float64
	// After it: velocity, acceleration, sign of the velocity, and signs as pairs lists them.
	fdq, fddq, fsgn, sums [][]float64
	w                     [][][]float64 // regressor, per joint and column of its mask
	lost                  [][]bool      // per joint: see Rows.Lost
}

// fewestSamples is the number of samples below which nothing about signals can be said.
const fewestSamples = 50

// stretchFilter makes filtered stretches of one log, by the signal path of a fit.
type stretchFilter struct {
	*Signals
	band   float64 // cut-off of both sides, Hz
	keep   int     // every keep-th sample of the uniform clock has a regressor
	motion *observation.MotionFilter
	both   *observation.RowFilter
	stride int                    // samples of that clock from row to row
	kept   *observation.RowFilter // both at the rows alone, nil where stride does not allow it
}

// stretchWork is scratch memory of one goroutine.
type stretchWork struct {
	knots     filter.Knots
	regressor *regressor.Workspace
	motion    observation.MotionWork
	rows      observation.RowWork
	kept      observation.KeptRegressor
	block     *regressor.Block // of all samples
	samples   int              // of the block, at most
}

// newStretchFilter designs the filters; nil where they do not fit the rate.
func newStretchFilter(in *Signals) *stretchFilter {
	rate := 1 / in.Interval
	sf := &stretchFilter{Signals: in, band: math.Min(Band, rate/5), keep: max(1, int(rate/trialRate))}
	var err error
	if sf.motion, err = observation.NewMotionFilter(math.Min(trialReach*sf.band, 0.4*rate), 2, observation.Central, in.Interval); err != nil {
		return nil
	}
	rate /= float64(sf.keep)
	sf.stride = max(1, int(math.Round(rate/(rowsPerBand*sf.band))))
	both := observation.Settings{Model: observation.Dynamic, Order: 2, Cutoff: sf.band}
	if sf.both, err = observation.NewRowFilter(both, 1/rate); err != nil {
		return nil
	}
	both.KeepRate = rate / float64(sf.stride)
	if kept, err := observation.NewRowFilter(both, 1/rate); err == nil && kept.Every() == sf.stride && sf.stride > 1 {
		sf.kept = kept
	}
	return sf
}

// filter evaluates motion and regressor on the rows [from, to) of a stretch; nil where they are too few.
func (sf *stretchFilter) filter(in Stretch, from, to int, work *stretchWork) *filteredStretch {
	t := in.T[from:to]
	if len(t) < fewestSamples {
		return nil
	}
	n := len(t)
	if !in.Uniform {
		n = filter.Grid(t[0], t[len(t)-1], sf.Interval)
		if n > 4*len(t) {
			return nil
		}
	}
	knots := in.Knots
	if !in.Uniform && (knots == nil || len(t) < len(in.T)) {
		knots = &work.knots
		knots.Set(t)
	}
	column := func(c []float64) []float64 {
		x := make([]float64, n)
		if in.Uniform {
			copy(x, c[from:to])
		} else {
			knots.Resample(x, c[from:to], t[0], sf.Interval)
		}
		return x
	}
	m := sf.filteredMotion(in, column, n, work)
	joints := len(sf.Joints)
	st := &filteredStretch{torqueSamples: torqueSamples{t0: t[0], dt: sf.Interval * float64(sf.keep), y: make([][]float64, joints)}}
	var torques [][]float64
	for j := range sf.Joints {
		if in.Effort[j] == nil {
			continue
		}
		y := column(in.Effort[j])
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
	// A thousandth of the response is far below the part of a torque that any model explains.
	tail := sf.both.Tail(1e-3)
	if n-2*tail < fewestSamples/2 {
		return nil
	}
	for k := tail; k < n-tail; k += sf.stride {
		st.rows = append(st.rows, k)
	}
	extent := observation.Extent{Lo: tail, Hi: n - tail, End: n - tail}
	smooth := make([][]float64, joints)
	for j, v := range m.DQ {
		smooth[j] = slices.Clone(v)
	}
	sf.both.Apply(slices.Concat(smooth, torques), extent, &work.rows)
	sign := make([][]float64, joints)
	st.lost = make([][]bool, joints)
	for j, v := range m.DQ {
		sign[j], st.lost[j] = signs(v, smooth[j], st.rows, st.dt, 1/sf.band)
	}
	var sums [][]float64
	for _, s := range pairs(joints) {
		x := make([]float64, n)
		for k := range x {
			x[k] = projection.Sign(m.DQ[s.A][k] + s.Sign*m.DQ[s.B][k])
		}
		sums = append(sums, x)
	}
	st.q, st.dq = st.at(m.Q), st.at(m.DQ)
	if sf.kept != nil {
		sf.keepRows(st, m, sign, sums, work)
	} else {
		sf.allRows(st, m, sign, sums, extent, work)
	}
	return st
}

// allRows sends the regressor and the motion at all samples through the low-pass.
func (sf *stretchFilter) allRows(st *filteredStretch, m observation.Motion, sign, sums [][]float64, extent observation.Extent, work *stretchWork) {
	n := len(m.Q[0])
	if work.samples < n {
		work.block, work.samples = sf.Model.NewBlock(n), n
	}
	block := work.block
	block.Resize(n)
	sf.Model.Eval(block, m.Q, m.DQ, m.DDQ, work.regressor)
	var cols [][]float64
	for j := range block.Joint {
		if st.y[j] != nil {
			cols = append(cols, block.Joint[j]...)
		}
	}
	sf.both.Apply(slices.Concat(cols, m.DQ, m.DDQ, sign, sums), extent, &work.rows)
	st.w = make([][][]float64, len(sf.Joints))
	for j := range block.Joint {
		if st.y[j] != nil {
			st.w[j] = st.at(block.Joint[j])
		}
	}
	st.fdq, st.fddq, st.fsgn, st.sums = st.at(m.DQ), st.at(m.DDQ), st.at(sign), st.at(sums)
}

// keepRows is allRows of the samples that become rows alone, with a regressor that stays in the second-level cache. So that
// rows lie at whole strides, it leaves out the first samples of the stretch, fewer than a stride.
func (sf *stretchFilter) keepRows(st *filteredStretch, m observation.Motion, sign, sums [][]float64, work *stretchWork) {
	skip := st.rows[0] % sf.stride
	first := st.rows[0] / sf.stride
	since := func(cols [][]float64) [][]float64 {
		out := make([][]float64, len(cols))
		for i, c := range cols {
			out[i] = c[skip:]
		}
		return out
	}
	rows := func(cols [][]float64) [][]float64 {
		out := make([][]float64, len(cols))
		for i, c := range cols {
			out[i] = slices.Clone(c[first : first+len(st.rows)])
		}
		return out
	}
	joints, n := len(sf.Joints), len(m.Q[0])-skip
	w := sf.kept.Apply(since(slices.Concat(m.DQ, m.DDQ, sign, sums)), observation.Extent{Hi: n, End: n}, &work.rows)
	st.fdq, st.fddq = rows(w.Columns[:joints]), rows(w.Columns[joints:2*joints])
	st.fsgn, st.sums = rows(w.Columns[2*joints:3*joints]), rows(w.Columns[3*joints:])
	st.w = make([][][]float64, joints)
	for j, cols := range work.kept.Eval(sf.kept, sf.Model, regressor.Batch{Q: since(m.Q), DQ: since(m.DQ), DDQ: since(m.DDQ)}, work.regressor) {
		if st.y[j] != nil {
			st.w[j] = rows(cols)
		}
	}
}

// filteredMotion is the motion of all joints on every keep-th of n samples, positions low-passed before
// they are differentiated. A joint without a position stands at its locked one, one that stands at its mean.
// The derivatives live in work.
func (sf *stretchFilter) filteredMotion(in Stretch, column func(c []float64) []float64, n int, work *stretchWork) observation.Motion {
	joints := len(sf.Joints)
	m := observation.Motion{Q: make([][]float64, joints), DQ: make([][]float64, joints), DDQ: make([][]float64, joints)}
	var moving []int
	var q [][]float64
	for j, jt := range sf.Joints {
		at := jt.At
		if in.Q[j] != nil {
			x := column(in.Q[j])
			if jt.Moves {
				moving, q = append(moving, j), append(q, x)
				continue
			}
			at = 0
			for _, v := range x {
				at += v / float64(n)
			}
		}
		m.Q[j], m.DQ[j], m.DDQ[j] = make([]float64, n), make([]float64, n), make([]float64, n)
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

// at picks the rows of columns of all samples.
func (s *torqueSamples) at(cols [][]float64) [][]float64 {
	out := make([][]float64, len(cols))
	for i, c := range cols {
		out[i] = make([]float64, len(s.rows))
		for k, row := range s.rows {
			out[i][k] = c[row]
		}
	}
	return out
}

// A joint that reverses crosses its noise in a few milliseconds. One that stays in it for a quarter of a
// period of the low-pass stands, and the low-pass carries that for most of a period to either side.
const (
	standing = 0.25
	carried  = 0.8
)

// signs are those of the velocities v, samples of interval dt, and lost marks the rows that a joint at
// rest reaches. smooth is v in the band of both sides, whose cut-off has the given period, s: the part of the
// velocity above it is noise, for nearly all samples.
// Where the velocity is above it the sign is the velocity's. Of the other stretches, a long one is a
// joint that stands: its velocity is set to zero in v. A short one is a reversal: the velocity's own sign is
// right but for noise, which errs to either side alike.
func signs(v, smooth []float64, rows []int, dt, period float64) (sign []float64, lost []bool) {
	sign, lost = make([]float64, len(v)), make([]bool, len(rows))
	size := make([]float64, len(v))
	for k := range v {
		size[k] = math.Abs(v[k] - smooth[k])
	}
	noise := 1.4826 * projection.Median(size) // of Gaussian noise: the standard deviation
	// Of a joint that rests most of the time that is the noise at rest, which may be none.
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
	from := -1 // start of the present stretch without a sign
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
	return sign, lost
}
