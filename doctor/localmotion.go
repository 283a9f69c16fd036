package doctor

import (
	"math"
	"slices"

	"ident/filter"
	"ident/internal/projection"
)

// Excitation is judged from centres spread over all of the log, each with the motion that a cubic through
// the rows around it gives.
const (
	centres    = 2000
	halfWindow = 0.04 // seconds on either side of a centre
	minHalf    = 4    // rows
	maxHalf    = 400
)

// localMotion is the joints' motion at centres spread over the log. Columns have one entry a
// joint of the model and one a centre; a joint without a position channel stays at its locked position.
type localMotion struct {
	t          []float64
	q, dq, ddq [][]float64
	sdq, sddq  []float64 // standard deviations of dq and ddq, per joint
}

// motionFitter fits the cubics while the log is read, batch by batch.
type motionFitter struct {
	*setup
	times    *filter.Times // of all rows of the log
	part     []float64     // of those of the tail
	interval float64       // median, s
	half     int           // rows on either side of a centre
	next     []int         // centres still to come
	tail     [][]float64
	from     int // row of the tail's first entry
	fitted   localMotion
	// scatter of the positions about the cubics, per joint and centre; spread of the cubic's coefficients
	// for scatter of one, per power and centre.
	scatter [][]float64
	spread  [3][]float64
}

func newMotionFitter(s *setup, times *filter.Times, interval float64, rows int) *motionFitter {
	n := len(s.joints)
	m := &motionFitter{setup: s, times: times, interval: interval, tail: make([][]float64, len(s.channels))}
	m.half = min(max(int(math.Round(halfWindow/interval)), minHalf), maxHalf)
	inner := rows - 2*m.half
	count := min(centres, inner)
	for i := range count {
		m.next = append(m.next, m.half+i*inner/count)
	}
	for _, v := range []*[][]float64{&m.fitted.q, &m.fitted.dq, &m.fitted.ddq, &m.scatter} {
		*v = make([][]float64, n)
	}
	return m
}

// take fits the cubics of the centres whose rows are complete with this batch.
func (m *motionFitter) take(first int, cols [][]float64) {
	if len(m.next) == 0 {
		return
	}
	for i, c := range m.channels {
		if c.role == position || c == m.joints[c.joint].effort {
			m.tail[i] = append(m.tail[i], cols[i]...)
		}
	}
	end := first + len(cols[0])
	m.part = m.times.Part(m.part, first, end)
	for len(m.next) > 0 && m.next[0]+m.half < end {
		m.fit(m.next[0])
		m.next = m.next[1:]
	}
	if len(m.next) == 0 {
		return
	}
	// Rows before those of the next centre are not needed any more.
	drop := max(min(m.next[0]-m.half, end)-m.from, 0)
	m.part = m.part[:copy(m.part, m.part[drop:])]
	for i, t := range m.tail {
		if t != nil {
			m.tail[i] = t[:copy(t, t[drop:])]
		}
	}
	m.from += drop
}

// fit appends the motion at a centre, unless its rows are damaged or interrupted.
func (m *motionFitter) fit(centre int) {
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
	for i, c := range m.channels {
		if m.tail[i] == nil {
			continue
		}
		for _, v := range m.tail[i][lo-m.from : hi-m.from] {
			if !(math.Abs(v) <= 1e12) || (c.role == position && math.Abs(v) > 100*c.bound) {
				return
			}
		}
	}
	c := projection.NewCubic(t, t[m.half])
	for i := range m.spread {
		m.spread[i] = append(m.spread[i], c.Spread[i])
	}
	f := &m.fitted
	f.t = append(f.t, t[m.half])
	for j, jt := range m.joints {
		var q, dq, ddq, scatter float64
		if jt.q != nil {
			x, s := c.Fit(m.tail[jt.q.index][lo-m.from : hi-m.from])
			q, dq, ddq, scatter = x[0], x[1], 2*x[2], s
		} else {
			q = m.opt.Lock[jt.name]
		}
		f.q[j] = append(f.q[j], q)
		f.dq[j] = append(f.dq[j], dq)
		f.ddq[j] = append(f.ddq[j], ddq)
		m.scatter[j] = append(m.scatter[j], scatter)
	}
}

// motion returns the motion at the centres, with the noise of each joint's velocity and acceleration. The
// residual of a cubic in a fast motion is no noise, so the scatter is taken where it is small, at its lower
// quartile over the centres at which the joint moves.
func (m *motionFitter) motion() *localMotion {
	f := m.fitted
	n := len(m.joints)
	f.sdq, f.sddq = make([]float64, n), make([]float64, n)
	if len(f.t) == 0 {
		return &f
	}
	s1, s2 := projection.Median(m.spread[1]), projection.Median(m.spread[2])
	for j := range n {
		fast := projection.RMS(f.dq[j]) / 4
		var s []float64
		for k, v := range m.scatter[j] {
			if math.Abs(f.dq[j][k]) >= fast {
				s = append(s, v)
			}
		}
		if len(s) == 0 {
			continue
		}
		slices.Sort(s)
		f.sdq[j], f.sddq[j] = s[len(s)/4]*s1, 2*s[len(s)/4]*s2
	}
	return &f
}
