package doctor

import (
	"math"

	"ident/filter"
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
	lost                  [][]bool      // per joint: see torqueRows.lost
}

// stretchFilter makes filtered stretches of one log.
type stretchFilter struct {
	*recording
	model *regressor.Model // base columns only
	band  float64          // cut-off of both sides, Hz
}

// filter evaluates motion and regressor on the rows [from, to) of a window; nil where the stretch is too
// short.
func (sf *stretchFilter) filter(w *window, from, to int, ws *regressor.Workspace) *filteredStretch {
	t := sf.t[w.first+from : w.first+to]
	dt := sf.interval()
	n := len(t)
	if !sf.clock.Uniform {
		n = filter.Grid(t[0], t[len(t)-1], dt)
		if n > 4*len(t) {
			return nil
		}
	}
	column := func(c *channel) []float64 {
		x := make([]float64, n)
		if sf.clock.Uniform {
			copy(x, w.cols[c.index][from:to])
		} else {
			filter.Resample(x, t, w.cols[c.index][from:to], t[0], dt)
		}
		return x
	}
	rate := 1 / dt
	keep := max(1, int(rate/trialRate))
	low, err := filter.Butterworth(2, math.Min(trialReach*sf.band, 0.4*rate), rate)
	if err != nil {
		return nil
	}
	joints := len(sf.joints)
	st := &filteredStretch{torqueSamples: torqueSamples{t0: t[0], dt: dt * float64(keep), y: make([][]float64, joints)}}
	var q, dq, ddq, cols [][]float64
	for j, jt := range sf.joints {
		x, v, a := sf.motionOf(jt, n, dt, column, low)
		q, dq, ddq = append(q, thin(x, keep)), append(dq, thin(v, keep)), append(ddq, thin(a, keep))
		if jt.effort != nil {
			y := column(jt.effort)
			if jt.effort.role == current && jt.gain != 0 {
				for k := range y {
					y[k] *= jt.gain
				}
			}
			if keep > 1 { // against aliases, far above the band of both sides
				low.ZeroPhase(y, y, nil)
			}
			st.y[j] = thin(y, keep)
			cols = append(cols, st.y[j])
		}
	}
	rate /= float64(keep)
	both, err := filter.Butterworth(2, sf.band, rate)
	if err != nil {
		return nil
	}
	n = len(q[0])
	// A thousandth of the response is far below the part of a torque that any model explains.
	tail := both.Tail(1e-3)
	if n-2*tail < fewest/2 {
		return nil
	}
	stride := max(1, int(math.Round(rate/(rowsPerBand*sf.band))))
	for k := tail; k < n-tail; k += stride {
		st.rows = append(st.rows, k)
	}
	sign := make([][]float64, joints)
	st.lost = make([][]bool, joints)
	for j, v := range dq {
		sign[j], st.lost[j] = signs(v, st.rows, st.dt, both, sf.band)
	}
	block := sf.model.NewBlock(n)
	sf.model.Eval(block, q, dq, ddq, ws)
	for j := range block.Joint {
		if st.y[j] != nil {
			cols = append(cols, block.Joint[j]...)
		}
	}
	st.q, st.dq = st.at(q), st.at(dq)
	var sums [][]float64
	for _, s := range pairs(joints) {
		x := make([]float64, n)
		for k := range x {
			x[k] = sgn(dq[s.a][k] + s.sign*dq[s.b][k])
		}
		sums = append(sums, x)
	}
	for _, s := range [][][]float64{dq, ddq, sign, sums} {
		cols = append(cols, s...)
	}
	both.ZeroPhaseColumns(cols, nil)
	st.w = make([][][]float64, joints)
	for j := range block.Joint {
		if st.y[j] != nil {
			st.w[j] = st.at(block.Joint[j])
		}
	}
	st.fdq, st.fddq, st.fsgn, st.sums = st.at(dq), st.at(ddq), st.at(sign), st.at(sums)
	return st
}

// motionOf is the motion of a joint on n samples of a uniform clock, positions low-passed before they are
// differentiated. A joint without a position stands at its locked one, one that stands at its mean.
func (sf *stretchFilter) motionOf(j joint, n int, dt float64, column func(c *channel) []float64, low filter.SOS) (q, dq, ddq []float64) {
	dq, ddq = make([]float64, n), make([]float64, n)
	switch {
	case j.q == nil:
		q = make([]float64, n)
		for k := range q {
			q[k] = sf.opt.Lock[j.name]
		}
	case sf.isStill(j):
		q = column(j.q)
		mean := 0.0
		for _, v := range q {
			mean += v / float64(n)
		}
		for k := range q {
			q[k] = mean
		}
	default:
		q = column(j.q)
		low.ZeroPhase(q, q, nil)
		filter.Differentiate4(dq, q, dt)
		filter.Differentiate4(ddq, dq, dt)
	}
	return q, dq, ddq
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
// rest reaches. The part of the velocity above the band of both sides, Hz, is noise for nearly all samples.
// Where the velocity is told from it the sign is the velocity's. Of the other stretches, a long one is a
// joint that stands: its velocity is set to zero in v. A short one is a reversal: the velocity's own sign is
// right but for noise, which errs to either side alike.
func signs(v []float64, rows []int, dt float64, both filter.SOS, band float64) (sign []float64, lost []bool) {
	sign, lost = make([]float64, len(v)), make([]bool, len(rows))
	smooth := make([]float64, len(v))
	both.ZeroPhase(smooth, v, nil)
	size := make([]float64, len(v))
	for k := range v {
		size[k] = math.Abs(v[k] - smooth[k])
	}
	noise := 1.4826 * median(size) // of Gaussian noise: the standard deviation
	least := math.Min(3*noise, 0.02*rms(v))
	for k, x := range v {
		if math.Abs(x) > least {
			sign[k] = sgn(x)
		}
	}
	period := 1 / band
	longest, reach := int(standing*period/dt), int(carried*period/dt)
	settle := func(from, to int) {
		if to-from <= longest {
			for k := from; k < to; k++ {
				sign[k] = sgn(v[k])
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
