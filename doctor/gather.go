package doctor

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
)

// What the pass over the log keeps, whatever the log's length. Checks that hold signals against each
// other see a short log whole, and of a longer one windows of neighbouring rows, spread evenly, the
// first and the last row among them. Excitation is judged from centres spread over all of the log,
// each with the motion that a cubic through the rows around it gives.
const (
	windowRows = 8192
	maxWindows = 8
	centres    = 2000
	halfFit    = 0.04 // seconds on either side of a centre
	minHalf    = 4    // rows
	maxHalf    = 400
)

// window is a stretch of neighbouring rows of all channels.
type window struct {
	first int
	cols  [][]float64
}

// scan reads every channel of the roles once.
func (p *patient) scan() error {
	rows := p.log.Rows()
	if rows <= windowRows*maxWindows {
		p.windows = []*window{p.newWindow(0, rows)}
	} else {
		for i := range maxWindows {
			p.windows = append(p.windows, p.newWindow(i*(rows-windowRows)/(maxWindows-1), windowRows))
		}
	}
	p.fits = newMotion(p, rows)
	names := make([]string, len(p.channels))
	for i, c := range p.channels {
		names[i] = c.name
	}
	workers := min(runtime.GOMAXPROCS(0), max(len(p.channels), 1))
	seen := 0
	err := p.log.Scan(names, 0, func(first int, cols [][]float64) error {
		if n := len(cols[0]); first+n > len(p.t) {
			return fmt.Errorf("doctor: channels have more rows than the time channel's %d", len(p.t))
		}
		seen = first + len(cols[0])
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for i := w; i < len(p.channels); i += workers {
					c := p.channels[i]
					c.stats.add(first, cols[i], c.bound, cols)
				}
			})
		}
		for _, w := range p.windows {
			w.take(first, cols)
		}
		p.fits.take(first, cols)
		wg.Wait()
		return nil
	})
	if err != nil {
		return err
	}
	p.fits.settle()
	for _, c := range p.channels {
		if c.stats.rows > 0 {
			c.stats.endRun(0, nil, 0)
		}
	}
	if len(p.channels) > 0 && seen < rows {
		return fmt.Errorf("doctor: the log promised %d rows and gave %d", rows, seen)
	}
	return nil
}

func (p *patient) newWindow(first, rows int) *window {
	w := &window{first: first, cols: make([][]float64, len(p.channels))}
	for i := range w.cols {
		w.cols[i] = make([]float64, 0, rows)
	}
	return w
}

// take copies what the batch has of the window.
func (w *window) take(first int, cols [][]float64) {
	for i, c := range cols {
		from := max(w.first+len(w.cols[i])-first, 0)
		to := min(w.first+cap(w.cols[i])-first, len(c))
		if from < to {
			w.cols[i] = append(w.cols[i], c[from:to]...)
		}
	}
}

// motion is the joints' motion and efforts at centres spread over the log, from cubics fitted to the
// rows around each. Columns have one entry a joint of the model and one a centre; a joint without a
// position channel stays at its locked position.
type motion struct {
	p       *patient
	half    int
	next    []int // centres still to come
	tail    [][]float64
	from    int // row of the tail's first entry
	t       []float64
	q       [][]float64
	dq, ddq [][]float64
	effort  [][]float64
	// scatter of the positions about the cubics, and what a unit of it makes of dq and ddq; settle
	// turns them into sdq and sddq, the standard deviations of dq and ddq of each joint.
	scatter   [][]float64
	spread    [3][]float64
	sdq, sddq []float64
}

func newMotion(p *patient, rows int) *motion {
	n := len(p.joints)
	m := &motion{p: p}
	m.half = min(max(int(math.Round(halfFit/p.clock.Median)), minHalf), maxHalf)
	inner := rows - 2*m.half
	count := min(centres, inner)
	for i := range count {
		m.next = append(m.next, m.half+i*inner/count)
	}
	m.tail = make([][]float64, len(p.channels))
	for _, v := range []*[][]float64{&m.q, &m.dq, &m.ddq, &m.effort, &m.scatter} {
		*v = make([][]float64, n)
	}
	return m
}

// take fits the cubics of the centres whose rows are complete with this batch.
func (m *motion) take(first int, cols [][]float64) {
	if len(m.next) == 0 {
		return
	}
	for i, c := range m.p.channels {
		if c.role == position || c == m.p.joints[c.joint].effort {
			m.tail[i] = append(m.tail[i], cols[i]...)
		}
	}
	end := first + len(cols[0])
	for len(m.next) > 0 && m.next[0]+m.half < end {
		m.fit(m.next[0])
		m.next = m.next[1:]
	}
	if len(m.next) == 0 {
		return
	}
	// Rows before those of the next centre are not needed any more.
	drop := max(min(m.next[0]-m.half, end)-m.from, 0)
	for i, t := range m.tail {
		if t != nil {
			m.tail[i] = t[:copy(t, t[drop:])]
		}
	}
	m.from += drop
}

// fit appends the motion at a centre, unless its rows are damaged or interrupted.
func (m *motion) fit(centre int) {
	lo, hi := centre-m.half, centre+m.half+1
	t := m.p.t[lo:hi]
	span := t[len(t)-1] - t[0]
	if !(span > 0) || span > 3*m.p.clock.Median*float64(len(t)-1) {
		return
	}
	for k := 1; k < len(t); k++ {
		if !(t[k] > t[k-1]) {
			return
		}
	}
	for i, c := range m.p.channels {
		if m.tail[i] == nil {
			continue
		}
		for _, v := range m.tail[i][lo-m.from : hi-m.from] {
			if !(math.Abs(v) <= 1e12) || (c.role == position && math.Abs(v) > 100*c.bound) {
				return
			}
		}
	}
	c := newCubic(t, m.p.t[centre])
	for i := range m.spread {
		m.spread[i] = append(m.spread[i], c.spread[i])
	}
	m.t = append(m.t, m.p.t[centre])
	for j, jt := range m.p.joints {
		var q, dq, ddq, scatter, effort float64
		if jt.q != nil {
			x, s := c.fit(m.tail[jt.q.index][lo-m.from : hi-m.from])
			q, dq, ddq, scatter = x[0], x[1], 2*x[2], s
		} else {
			q = m.p.opt.Lock[jt.name]
		}
		if jt.effort != nil {
			x, _ := c.fit(m.tail[jt.effort.index][lo-m.from : hi-m.from])
			effort = x[0]
		}
		m.q[j] = append(m.q[j], q)
		m.dq[j] = append(m.dq[j], dq)
		m.ddq[j] = append(m.ddq[j], ddq)
		m.scatter[j] = append(m.scatter[j], scatter)
		m.effort[j] = append(m.effort[j], effort)
	}
}

// settle estimates the noise of each joint's velocity and acceleration. What a cubic leaves of a fast
// motion is no noise, so the scatter is taken where it is small, at its lower quartile over the centres
// at which the joint moves.
func (m *motion) settle() {
	n := len(m.p.joints)
	m.sdq, m.sddq = make([]float64, n), make([]float64, n)
	if len(m.t) == 0 {
		return
	}
	s1, s2 := median(m.spread[1]), median(m.spread[2])
	for j := range n {
		fast := rms(m.dq[j]) / 4
		var s []float64
		for k, v := range m.scatter[j] {
			if math.Abs(m.dq[j][k]) >= fast {
				s = append(s, v)
			}
		}
		if len(s) == 0 {
			continue
		}
		slices.Sort(s)
		m.sdq[j], m.sddq[j] = s[len(s)/4]*s1, 2*s[len(s)/4]*s2
	}
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}
