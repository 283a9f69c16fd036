package filter

import "ident/internal/vectorunit"

// interleaved is the number of columns that a sweep carries through a section side by
// side where the processor has vectors: a recursion is bound by the latency of its
// operations, which they hide.
const interleaved = 16

// fewest is the number of columns from which interleaving is worth its copies.
const fewest = 4

// lanesState is the memory of a section for each column.
type lanesState struct{ s, r [interleaved]float64 }

// canInterleave tells whether columns of n samples are filtered side by side, with an
// extension of pad samples: through sections of second order only.
func (s SOS) canInterleave(columns, n, pad int) bool {
	return columns >= fewest && pad < n && s.sections[0].k != 0 && s.level != kernelLevel(vectorunit.Portable)
}

// zeroPhaseInterleaved filters up to so many columns in place, to the bits of ZeroPhase.
// The places of absent columns repeat the first. Samples are put side by side just before
// the forward sweep takes them, and taken apart just behind the backward one, a stretch
// that stays in the cache at a time.
func (s SOS) zeroPhaseInterleaved(cols [][]float64, pad int, work *Work) {
	n := len(cols[0])
	total := n + 2*pad
	work.grow(interleaved*total+chunk, 0)
	buf, unused := work.buf[:interleaved*total], work.buf[interleaved*total:][:chunk]
	var from [interleaved][]float64
	for c := range from {
		from[c] = cols[0]
		if c < len(cols) {
			from[c] = cols[c]
		}
	}
	for c, x := range from {
		first, last := x[0], x[n-1]
		for k := 1; k <= pad; k++ {
			buf[(pad-k)*interleaved+c] = 2*first - x[k]
			buf[(pad+n-1+k)*interleaved+c] = 2*last - x[n-1-k]
		}
	}
	// part is those of the samples [lo, hi) of buf that are the columns' own, and their parts of columns.
	var part [interleaved][]float64
	own := func(lo, hi int) []float64 {
		lo, hi = max(lo, pad), min(hi, pad+n)
		if lo >= hi {
			return nil
		}
		for c, x := range from {
			part[c] = x[lo-pad : hi-pad]
		}
		return buf[lo*interleaved : hi*interleaved]
	}
	states := work.lanes(len(s.sections))
	for lo := 0; lo < total; lo += chunk {
		hi := min(lo+chunk, total)
		if core := own(lo, hi); core != nil {
			s.level.interleave(core, &part, chunk)
		}
		if lo == 0 {
			begin(states, buf)
		}
		s.sweepSome(buf[lo*interleaved:hi*interleaved], states, false)
	}
	begin(states, buf[(total-1)*interleaved:])
	for hi := total; hi > 0; hi -= chunk {
		lo := max(hi-chunk, 0)
		s.sweepSome(buf[lo*interleaved:hi*interleaved], states, true)
		if core := own(lo, hi); core != nil {
			for c := len(cols); c < interleaved; c++ {
				part[c] = unused[:len(part[0])]
			}
			s.level.separate(&part, core)
		}
	}
}

// interleave writes columns side by side, a row of them a sample. Samples that lie so many further on in their column are
// called into the cache, for the next call.
func (k kernelLevel) interleave(dst []float64, cols *[interleaved][]float64, ahead int) {
	n := len(dst) / interleaved
	for i := k.interleaveAsm(dst, cols, n, ahead); i < n; i++ {
		for c, x := range cols {
			dst[i*interleaved+c] = x[i]
		}
	}
}

// interleaveBlocks is interleave of as many blocks of one signal, n samples of each, which begin stride samples apart.
func (k kernelLevel) interleaveBlocks(dst, x []float64, stride, n, ahead int) {
	for i := k.interleaveBlocksAsm(dst, x, stride, n, ahead); i < n; i++ {
		for l := range interleaved {
			dst[i*interleaved+l] = x[l*stride+i]
		}
	}
}

// separate is the inverse of interleave.
func (k kernelLevel) separate(cols *[interleaved][]float64, src []float64) {
	n := len(src) / interleaved
	for i := k.separateAsm(cols, src, n); i < n; i++ {
		for c, x := range cols {
			x[i] = src[i*interleaved+c]
		}
	}
}

// lanes returns the memory of so many sections.
func (w *Work) lanes(sections int) []lanesState {
	if cap(w.wide) < sections {
		w.wide = make([]lanesState, sections)
	}
	return w.wide[:sections]
}

// begin puts sections in the steady state of a sample of interleaved columns.
func begin(states []lanesState, sample []float64) {
	for i := range states {
		copy(states[i].s[:], sample)
		clear(states[i].r[:])
	}
}

// sweepSome carries the next samples of interleaved columns, at most a chunk, through all sections.
func (s SOS) sweepSome(buf []float64, states []lanesState, backward bool) {
	for i := range states {
		// As in cascade, the last section applies the gain.
		s.level.section(buf, &s.sections[i], &states[i], s.scale(i, 0.5), backward)
		states[i].flush()
	}
}

// flush sets vanishing states to zero; see flush of single signals.
func (st *lanesState) flush() {
	for l := range st.s {
		if st.r[l] < vanishing && st.r[l] > -vanishing {
			st.r[l] = 0
		}
		if st.s[l] < vanishing && st.s[l] > -vanishing {
			st.s[l] = 0
		}
	}
}

// sectionGo runs a second-order section along interleaved columns; see single.
func sectionGo(buf []float64, c *section, st *lanesState, scale float64, backward bool) {
	n := len(buf) / interleaved
	i, step := ends(n, backward)
	for ; uint(i) < uint(n); i += step {
		x := (*[interleaved]float64)(buf[i*interleaved:])
		for l := range x {
			e := x[l] - st.s[l]
			t := (st.s[l] + st.r[l]) + float64(c.d*e)
			st.r[l] = float64(c.p*st.r[l]) + float64(c.q*e)
			x[l] = scale * (st.s[l] + t)
			st.s[l] = t
		}
	}
}

// section runs a second-order section along interleaved columns.
func (k kernelLevel) section(buf []float64, c *section, st *lanesState, scale float64, backward bool) {
	if !k.sectionAsm(buf, c, st, scale, backward) {
		sectionGo(buf, c, st, scale, backward)
	}
}
