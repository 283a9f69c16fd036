package trialfit

import (
	"math"
	"math/rand/v2"
	"slices"

	"ident/doctor/internal/projection"
	"ident/filter"
	"ident/internal/orderstat"
	"ident/regressor"
)

// Excitation is judged at centres spread over the whole log; robots with more than ManyJoints joints get proportionally
// fewer. The motion at a centre is that of a cubic through the rows around it.
const (
	centres    = 2000
	halfWindow = 0.04 // seconds on either side of a centre
	minHalf    = 4    // rows
	maxHalf    = 400
)

// LocalMotion is the joints' motion at centres spread over the log. Columns have one entry a
// joint of the model and one a centre; a joint without a position channel stays at its locked position.
type LocalMotion struct {
	T          []float64
	Q, DQ, DDQ [][]float64
	SDQ, SDDQ  []float64 // standard deviations of DQ and DDQ, per joint
}

// MotionChannels are the channels of a joint.
type MotionChannels struct {
	Position, Effort int     // indices into a batch's columns, -1 for none
	Bound            float64 // magnitude of a position that cannot be measured, rad or m
	At               float64 // constant position, rad or m, if the joint has no channel
}

// MotionFitter fits the cubics while the log is read, batch by batch.
type MotionFitter struct {
	joints   []MotionChannels
	times    *filter.Times // of all rows of the log
	part     []float64     // of those of the tail
	interval float64       // median, s
	half     int           // rows on either side of a centre
	next     []int         // centres still to come
	tail     [][]float64   // per column of a batch, nil for those that are not used
	from     int           // row of the tail's first entry
	checked  int           // rows before it have been looked at for damage
	damaged  int           // the last of those that is, -1 for none
	cubic    projection.Cubic
	signals  [][]float64 // that it fits
	fitted   LocalMotion
	// scatter is the scatter of the positions about the cubics, per joint and centre. spread holds, per centre, the
	// standard deviations of the velocity and of half the acceleration for a scatter of one.
	scatter [][]float64
	spread  [2][]float64
}

// NewMotionFitter returns a fitter for a log with the given number of rows and the median interval between them in seconds.
func NewMotionFitter(joints []MotionChannels, times *filter.Times, interval float64, rows int) *MotionFitter {
	n := len(joints)
	m := &MotionFitter{joints: joints, times: times, interval: interval, damaged: -1}
	m.half = min(max(int(math.Round(halfWindow/interval)), minHalf), maxHalf)
	inner := rows - 2*m.half
	count := min(centres*ManyJoints/max(n, ManyJoints), inner)
	for i := range count {
		m.next = append(m.next, m.half+i*inner/count)
	}
	for _, v := range []*[][]float64{&m.fitted.Q, &m.fitted.DQ, &m.fitted.DDQ, &m.scatter} {
		*v = make([][]float64, n)
		for j := range n {
			(*v)[j] = make([]float64, 0, max(count, 0))
		}
	}
	for _, v := range []*[]float64{&m.fitted.T, &m.spread[0], &m.spread[1]} {
		*v = make([]float64, 0, max(count, 0))
	}
	return m
}

// Take adds a batch, given its first row, and fits the cubics of all centres whose rows are now complete.
func (m *MotionFitter) Take(first int, cols [][]float64) {
	if len(m.next) == 0 {
		return
	}
	if m.tail == nil {
		m.tail = make([][]float64, len(cols))
	}
	end := first + len(cols[0])
	m.part = m.times.Part(m.part, first, end)
	for len(m.next) > 0 && m.next[0]+m.half < end {
		if m.next[0]-m.half < first {
			m.extend(first, cols, m.next[0]+m.half+1)
			m.fit(m.next[0], m.from, m.tail)
		} else {
			m.fit(m.next[0], first, cols)
		}
		m.next = m.next[1:]
	}
	if len(m.next) == 0 {
		return
	}
	// Rows before those of the next centre are not needed any more.
	drop := max(min(m.next[0]-m.half, end)-m.from, 0)
	m.part = m.part[:copy(m.part, m.part[drop:])]
	for i, t := range m.tail {
		m.tail[i] = t[:copy(t, t[min(drop, len(t)):])]
	}
	m.from += drop
	m.extend(first, cols, end)
}

// extend appends to the tail those rows of a batch, before the given row, that the tail does not hold yet.
func (m *MotionFitter) extend(first int, cols [][]float64, end int) {
	for _, j := range m.joints {
		for _, i := range []int{j.Position, j.Effort} {
			if i >= 0 {
				if from := max(m.from+len(m.tail[i]), first); from < end {
					m.tail[i] = append(m.tail[i], cols[i][from-first:end-first]...)
				}
			}
		}
	}
}

// fit appends the motion at a centre, computed from columns whose first row is first, unless the rows are damaged or
// interrupted.
func (m *MotionFitter) fit(centre, first int, cols [][]float64) {
	lo, hi := centre-m.half, centre+m.half+1
	t := m.part[lo-m.from : hi-m.from]
	span := t[len(t)-1] - t[0]
	if !(span > 0) || span > 3*m.interval*float64(len(t)-1) {
		return
	}
	for k := 1; k < len(t); k++ {
		if !(t[k] > t[k-1]) {
			return
		}
	}
	if m.check(lo, hi, first, cols); m.damaged >= lo {
		return
	}
	c := &m.cubic
	m.signals = m.signals[:0]
	for _, jt := range m.joints {
		if jt.Position >= 0 {
			m.signals = append(m.signals, cols[jt.Position][lo-first:hi-first])
		}
	}
	c.Fit(t, t[m.half], m.signals)
	ofSlope, ofBend := c.Spread()
	m.spread[0], m.spread[1] = append(m.spread[0], ofSlope), append(m.spread[1], ofBend)
	f := &m.fitted
	f.T = append(f.T, t[m.half])
	signal := 0
	for j, jt := range m.joints {
		q, dq, ddq, scatter := jt.At, 0.0, 0.0, 0.0
		if jt.Position >= 0 {
			q, dq, ddq, scatter = c.Value(signal), c.Slope(signal), 2*c.Bend(signal), c.Scatter[signal]
			signal++
		}
		f.Q[j] = append(f.Q[j], q)
		f.DQ[j] = append(f.DQ[j], dq)
		f.DDQ[j] = append(f.DDQ[j], ddq)
		m.scatter[j] = append(m.scatter[j], scatter)
	}
}

// check looks for values that cannot be computed with in the rows [lo, end), each row once.
func (m *MotionFitter) check(lo, end, first int, cols [][]float64) {
	from := max(m.checked, lo)
	m.checked = max(m.checked, end)
	for _, j := range m.joints {
		for _, i := range []int{j.Position, j.Effort} {
			if i < 0 || from >= end {
				continue
			}
			limit := 1e12
			if i == j.Position && 100*j.Bound < limit {
				limit = 100 * j.Bound
			}
			for k, v := range cols[i][from-first : end-first] {
				if !(math.Abs(v) <= limit) {
					m.damaged = max(m.damaged, from+k)
				}
			}
		}
	}
}

// Motion returns the motion at the centres, with the noise of each joint's velocity and acceleration. The
// residual of a cubic in a fast motion is no noise, so the scatter is taken where it is small, at its lower
// quartile over the centres at which the joint moves.
func (m *MotionFitter) Motion() *LocalMotion {
	f := m.fitted
	n := len(m.joints)
	f.SDQ, f.SDDQ = make([]float64, n), make([]float64, n)
	if len(f.T) == 0 {
		return &f
	}
	s1, s2 := orderstat.Median(m.spread[0]), orderstat.Median(m.spread[1])
	var s []float64
	for j := range n {
		fast := projection.RMS(f.DQ[j]) / 4
		s = s[:0]
		for k, v := range m.scatter[j] {
			if math.Abs(f.DQ[j][k]) >= fast {
				s = append(s, v)
			}
		}
		if len(s) == 0 {
			continue
		}
		quartile := orderstat.Selected(s, len(s)/4)
		f.SDQ[j], f.SDDQ[j] = quartile*s1, 2*quartile*s2
	}
	return &f
}

// Disturbed returns the motion twice: once with joints at rest and velocities within their noise set to zero, and once
// with a draw of noise added, whose size follows from the scatter of the positions.
func (f *LocalMotion) Disturbed(rng *rand.Rand, still func(joint int) bool) (quiet, loud regressor.Batch) {
	for j := range f.Q {
		q, dq, ddq := slices.Clone(f.Q[j]), slices.Clone(f.DQ[j]), slices.Clone(f.DDQ[j])
		dq2, ddq2 := slices.Clone(dq), slices.Clone(ddq)
		still := still(j)
		for k := range f.T {
			e1, e2 := rng.NormFloat64(), rng.NormFloat64()
			if still {
				q[k], dq[k], ddq[k], dq2[k], ddq2[k] = q[0], 0, 0, 0, 0
				continue
			}
			if math.Abs(dq[k]) < 3*f.SDQ[j] { // the sign of a standing joint is noise
				dq[k], dq2[k] = 0, 0
			} else if e := e1 * f.SDQ[j]; math.Abs(e) < math.Abs(dq[k])/2 {
				dq2[k] += e
			}
			ddq2[k] += e2 * f.SDDQ[j]
		}
		quiet.Q, quiet.DQ, quiet.DDQ = append(quiet.Q, q), append(quiet.DQ, dq), append(quiet.DDQ, ddq)
		loud.Q, loud.DQ, loud.DDQ = append(loud.Q, q), append(loud.DQ, dq2), append(loud.DDQ, ddq2)
	}
	return quiet, loud
}
