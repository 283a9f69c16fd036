package filter

import "fmt"

// Work is scratch memory of ZeroPhase and its relatives. The zero value is ready;
// reuse makes the calls free of allocation. A Work serves one goroutine at a time.
type Work struct {
	buf    []float64
	states []state
	wide   []lanesState
}

func (w *Work) grow(samples, states int) {
	if cap(w.buf) < samples {
		w.buf = make([]float64, samples)
	}
	if cap(w.states) < states {
		w.states = make([]state, states)
	}
}

// mostPadding bounds the extension of a signal shorter than it, samples.
const mostPadding = 1 << 16

// ZeroPhase filters x forward and backward into dst, which must have the length
// of x and may be x itself. The signal is extended by point reflection at its
// ends, again and again when it is short, until a one-way response has decayed to
// 1e-6 (at most the larger of its own length and 65536 samples); the sections start
// in the steady state of their first input, as in Matlab's filtfilt. A single
// sample is unchanged; a signal much shorter than Tail becomes nearly the line
// through its first and last samples. A NaN or Inf spreads over the whole result.
// A nil work allocates.
func (s SOS) ZeroPhase(dst, x []float64, work *Work) {
	s.zeroPhasePadded(dst, x, s.padding(len(x)), work)
}

func (s SOS) padding(n int) int {
	return min(s.pad, max(n, mostPadding))
}

// zeroPhasePadded is ZeroPhase with an extension of pad samples at each end. Matlab's
// filtfilt has three times the order, SciPy's three times the order plus one.
func (s SOS) zeroPhasePadded(dst, x []float64, pad int, work *Work) {
	if len(dst) != len(x) {
		panic(fmt.Sprintf("filter: %d samples to filter into %d", len(x), len(dst)))
	}
	if pad < 0 {
		panic(fmt.Sprintf("filter: extension of %d samples", pad))
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

// ZeroPhaseColumns filters columns of equal length in place, to the same bits as
// ZeroPhase, several at a time: a recursion is bound by the latency of its operations,
// and further columns fill the pipeline.
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
	for s.canInterleave(len(cols), n, pad) {
		some := min(interleaved, len(cols))
		s.zeroPhaseInterleaved(cols[:some], pad, work)
		cols = cols[some:]
	}
	total := n + 2*pad
	m := len(s.sections)
	work.grow(2*total, 2*m)
	j := 0
	for ; j+1 < len(cols); j += 2 {
		a, b := work.buf[:total], work.buf[total:2*total]
		sa, sb := work.states[:m], work.states[m:2*m]
		extend(a, cols[j], pad)
		extend(b, cols[j+1], pad)
		s.sweepTwo(a, b, sa, sb, false)
		s.sweepTwo(a, b, sa, sb, true)
		copy(cols[j], a[pad:])
		copy(cols[j+1], b[pad:])
	}
	if j < len(cols) {
		s.ZeroPhase(cols[j], cols[j], work)
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
