package resonance

import (
	"math"

	"ident/filter"
	"ident/internal/lanes"
)

// bands passes the frequencies between the motion and the highest.
type bands struct {
	low, high  filter.SOS
	dt         float64
	keep, tail int
	work       filter.Work
}

// channel holds the position of a joint below the highest frequency, and columns that the fits of all joints share.
type channel struct {
	d            [3][]float64 // position, velocity and acceleration of all samples
	cos, sin     []float64    // of the position
	second, last []float64    // second and fourth derivative in the band, at the rows
}

// together is the number of columns that a low-pass takes side by side.
const together = 16

// channels returns a channel of each joint's positions, nil for a joint without positions.
func (b *bands) channels(q [][]float64) []*channel {
	of := make([]*channel, len(q))
	var smooth [][]float64
	for i, x := range q {
		if x != nil {
			of[i] = &channel{}
			of[i].d[0] = append([]float64(nil), x...)
			smooth = append(smooth, of[i].d[0])
		}
	}
	b.high.ZeroPhaseColumns(smooth, &b.work)
	var columns [][]float64
	var to []*[]float64
	pass := func() {
		for i, x := range b.pass(columns...) {
			*to[i] = x
		}
		columns, to = columns[:0], to[:0]
	}
	for _, c := range of {
		if c == nil {
			continue
		}
		n := len(c.d[0])
		for i := 1; i < len(c.d); i++ {
			c.d[i] = make([]float64, n)
			filter.Differentiate4(c.d[i], c.d[i-1], b.dt)
		}
		third, fourth := make([]float64, n), make([]float64, n)
		filter.Differentiate4(third, c.d[2], b.dt)
		filter.Differentiate4(fourth, third, b.dt)
		c.cos, c.sin = make([]float64, n), third
		lanes.Sincos(c.sin, c.cos, c.d[0])
		columns, to = append(columns, c.d[2], fourth), append(to, &c.second, &c.last)
		if len(columns) == together {
			pass()
		}
	}
	pass()
	return of
}

// pass returns the parts of columns above the motion, at the rows.
func (b *bands) pass(columns ...[]float64) [][]float64 {
	slow, out := make([][]float64, len(columns)), make([][]float64, len(columns))
	for i, x := range columns {
		slow[i] = append([]float64(nil), x...)
	}
	b.low.ZeroPhaseColumns(slow, &b.work)
	for i, x := range columns {
		out[i] = make([]float64, 0, max(0, len(x)-2*b.tail+b.keep-1)/b.keep)
		for k := b.tail; k < len(x)-b.tail; k += b.keep {
			out[i] = append(out[i], x[k]-slow[i][k])
		}
	}
	return out
}

// torque is a torque below the highest frequency, and its part in the band at the rows.
type torque struct {
	smooth, band []float64
}

// torque tells also whether enough of the torque lies in the band.
func (b *bands) torque(tau []float64) (torque, bool) {
	n := len(tau)
	if n-2*b.tail < 200*b.keep {
		return torque{}, false
	}
	smooth := make([]float64, n)
	b.high.ZeroPhase(smooth, tau, &b.work)
	t := torque{smooth, b.pass(smooth)[0]}
	mean, all := 0.0, 0.0
	for _, v := range smooth {
		mean += v / float64(n)
	}
	for _, v := range smooth {
		all += (v - mean) * (v - mean) / float64(n)
	}
	own := norm2(t.band) / float64(len(t.band))
	return t, all != 0 && own >= leastShare*leastShare*all
}

func norm2(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v * v
	}
	return s
}

func average(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v / float64(len(x))
	}
	return s
}

func product(a, b []float64) []float64 {
	x := make([]float64, len(a))
	for k := range x {
		x[k] = a[k] * b[k]
	}
	return x
}

func signs(v []float64) []float64 {
	x := make([]float64, len(v))
	for k := range x {
		if v[k] != 0 {
			x[k] = math.Copysign(1, v[k])
		}
	}
	return x
}
