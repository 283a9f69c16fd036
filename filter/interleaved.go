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
// The places of absent columns repeat the first.
func (s SOS) zeroPhaseInterleaved(cols [][]float64, pad int, work *Work) {
	n := len(cols[0])
	total := n + 2*pad
	work.grow(interleaved*total+n, 0)
	buf, unused := work.buf[:interleaved*total], work.buf[interleaved*total:][:n]
	var from, to [interleaved][]float64
	for c := range from {
		from[c], to[c] = cols[0], unused
		if c < len(cols) {
			from[c], to[c] = cols[c], cols[c]
		}
	}
	for c, x := range from {
		first, last := x[0], x[n-1]
		for k := 1; k <= pad; k++ {
			buf[(pad-k)*interleaved+c] = 2*first - x[k]
			buf[(pad+n-1+k)*interleaved+c] = 2*last - x[n-1-k]
		}
	}
	core := buf[pad*interleaved : (pad+n)*interleaved]
	s.level.interleave(core, &from)
	states := work.lanes(len(s.sections))
	s.sweepInterleaved(buf, states, false)
	s.sweepInterleaved(buf, states, true)
	s.level.separate(&to, core)
}

// interleave writes columns side by side, a row of them a sample.
func (k kernelLevel) interleave(dst []float64, cols *[interleaved][]float64) {
	n := len(dst) / interleaved
	for i := k.interleaveAsm(dst, cols, n); i < n; i++ {
		for c, x := range cols {
			dst[i*interleaved+c] = x[i]
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

// sweepInterleaved is sweep for interleaved columns.
func (s SOS) sweepInterleaved(buf []float64, states []lanesState, backward bool) {
	n := len(buf) / interleaved
	at := 0
	if backward {
		at = n - 1
	}
	for i := range states {
		copy(states[i].s[:], buf[at*interleaved:])
		clear(states[i].r[:])
	}
	for done := 0; done < n; done += chunk {
		lo, hi := done, min(done+chunk, n)
		if backward {
			lo, hi = n-hi, n-lo
		}
		for i := range states {
			// As in cascade, the last section applies the gain.
			s.level.section(buf[lo*interleaved:hi*interleaved], &s.sections[i], &states[i], s.scale(i, 0.5), backward)
			states[i].flush()
		}
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
