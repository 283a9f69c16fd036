package filter

import (
	"fmt"
	"slices"
)

// Work is working memory of ZeroPhase and related methods. The zero value is ready to use; reuse avoids allocation. Only
// one goroutine at a time may use it.
type Work struct {
	buf    []float64
	states []state
	four   [][4]state
}

func (w *Work) grow(samples, states int) {
	if cap(w.buf) < samples {
		w.buf = make([]float64, samples)
	}
	if cap(w.states) < states {
		w.states = make([]state, states)
	}
}

// maxPadding bounds the extension, in samples, of a signal shorter than it.
const maxPadding = 1 << 16

// ZeroPhase filters x forward and backward into dst, which must be as long as x and may be x. It extends the signal by
// point reflection at its ends, repeatedly if it is short, until a one-way response has decayed to 1e-6 (at most the
// larger of its own length and 65536 samples). The sections start in the steady state of their first input, as in
// Matlab's filtfilt. A single sample stays unchanged; a signal much shorter than Tail becomes nearly the line through
// its first and last samples. A NaN or Inf spreads over the whole result. With a nil work it allocates.
func (s SOS) ZeroPhase(dst, x []float64, work *Work) {
	s.zeroPhasePadded(dst, x, s.padding(len(x)), work)
}

func (s SOS) padding(n int) int {
	return min(s.pad, max(n, maxPadding))
}

// zeroPhasePadded is ZeroPhase with an extension of pad samples at each end. Matlab's
// filtfilt has three times the order, SciPy's three times the order plus one.
func (s SOS) zeroPhasePadded(dst, x []float64, pad int, work *Work) {
	if len(dst) != len(x) {
		panic(fmt.Sprintf("filter: %d samples to filter and room for %d", len(x), len(dst)))
	}
	if pad < 0 {
		panic(fmt.Sprintf("filter: cannot extend a signal by %d samples", pad))
	}
	if len(x) == 0 {
		return
	}
	if len(s.sections) == 0 {
		copy(dst, x)
		return
	}
	if work == nil {
		work = new(Work)
	}
	total := len(x) + 2*pad
	work.grow(total, len(s.sections))
	buf, st := work.buf[:total], work.states[:len(s.sections)]
	extend(buf, x, pad)
	s.sweep(buf, st, false)
	s.sweep(buf, st, true)
	copy(dst, buf[pad:])
}

// ZeroPhaseColumns filters columns of equal length in place, four at a time, with the same bits as ZeroPhase.
func (s SOS) ZeroPhaseColumns(cols [][]float64, work *Work) {
	if len(cols) == 0 {
		return
	}
	n := len(cols[0])
	for j, c := range cols {
		if len(c) != n {
			panic(fmt.Sprintf("filter: column %d has %d samples, column 0 has %d", j, len(c), n))
		}
	}
	if n == 0 || len(s.sections) == 0 {
		return
	}
	if work == nil {
		work = new(Work)
	}
	pad := s.padding(n)
	total := n + 2*pad
	if len(cols) >= 4 {
		work.grow(4*total, 0)
		work.four = slices.Grow(work.four[:0], len(s.sections))[:len(s.sections)]
	}
	for ; len(cols) >= 4; cols = cols[4:] {
		var x [4][]float64
		for k := range x {
			x[k] = work.buf[k*total:][:total]
			extend(x[k], cols[k], pad)
		}
		s.sweepFour(&x, work.four, false)
		s.sweepFour(&x, work.four, true)
		for k := range x {
			copy(cols[k], x[k][pad:])
		}
	}
	for _, x := range cols {
		s.ZeroPhase(x, x, work)
	}
}

// extend writes x into buf with pad samples of its point reflection on each side,
// ext[-k] = 2·ext[0] - ext[k]. Beyond the signal's own length that is
// ext[k + 2(n-1)] = ext[k] + 2·(x[n-1] - x[0]).
func extend(buf, x []float64, pad int) {
	n := len(x)
	copy(buf[pad:], x)
	first, last := x[0], x[n-1]
	near := min(pad, n-1)
	for k := 1; k <= near; k++ {
		buf[pad-k] = 2*first - x[k]
		buf[pad+n-1+k] = 2*last - x[n-1-k]
	}
	if near == pad {
		return
	}
	if n == 1 {
		for k := range buf {
			buf[k] = first
		}
		return
	}
	period, rise := 2*(n-1), 2*(last-first)
	for k := near + 1; k <= pad; k++ {
		buf[pad-k] = buf[pad-k+period] - rise
		buf[pad+n-1+k] = buf[pad+n-1+k-period] + rise
	}
}
