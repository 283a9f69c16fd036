package filter

import "math"

// state is the memory of one section; see the package comment.
type state struct {
	s, r float64
}

// A signal is swept in chunks that stay in the first-level cache while the
// sections pass over them. Between chunks, states below vanishing are set to zero:
// on a signal at rest they would otherwise sink into the subnormal numbers, stay
// there, and make each operation a hundred times slower.
const (
	chunk     = 256
	vanishing = 1e-250
)

func (s SOS) start(st []state, v float64) {
	for i := range st {
		st[i] = state{s: v}
	}
}

func flush(st []state) {
	for i := range st {
		if math.Abs(st[i].r) < vanishing {
			st[i].r = 0
		}
		if math.Abs(st[i].s) < vanishing {
			st[i].s = 0
		}
	}
}

// sweep filters buf in place, one way, from the steady state of its first value,
// or from its last value towards the first when backward.
func (s SOS) sweep(buf []float64, st []state, backward bool) {
	n := len(buf)
	if backward {
		s.start(st, buf[n-1])
	} else {
		s.start(st, buf[0])
	}
	for done := 0; done < n; done += chunk {
		lo, hi := done, min(done+chunk, n)
		if backward {
			lo, hi = n-hi, n-lo
		}
		s.cascade(buf[lo:hi], st, backward)
		flush(st)
	}
}

// sweepTwo is sweep for two signals of equal length.
func (s SOS) sweepTwo(a, b []float64, sa, sb []state, backward bool) {
	n := len(a)
	if backward {
		s.start(sa, a[n-1])
		s.start(sb, b[n-1])
	} else {
		s.start(sa, a[0])
		s.start(sb, b[0])
	}
	for done := 0; done < n; done += chunk {
		lo, hi := done, min(done+chunk, n)
		if backward {
			lo, hi = n-hi, n-lo
		}
		s.cascadeTwo(a[lo:hi], b[lo:hi], sa, sb, backward)
		flush(sa)
		flush(sb)
	}
}

func (s SOS) cascade(x []float64, st []state, backward bool) {
	c := s.sections
	i := 0
	if c[0].k == 0 {
		one(x, &c[0], &st[0], s.scale(0, 0.5), backward)
		i = 1
	}
	for ; i+1 < len(c); i += 2 {
		pair(x, c[i:i+2], st[i:i+2], s.scale(i+1, 0.25), backward)
	}
	if i < len(c) {
		single(x, &c[i], &st[i], s.scale(i, 0.5), backward)
	}
}

func (s SOS) cascadeTwo(a, b []float64, sa, sb []state, backward bool) {
	c := s.sections
	i := 0
	if c[0].k == 0 {
		one(a, &c[0], &sa[0], s.scale(0, 0.5), backward)
		one(b, &c[0], &sb[0], s.scale(0, 0.5), backward)
		i = 1
	}
	for ; i+1 < len(c); i += 2 {
		pairTwo(a, b, c[i:i+2], sa[i:i+2], sb[i:i+2], s.scale(i+1, 0.25), backward)
	}
	if i < len(c) {
		singleTwo(a, b, &c[i], &sa[i], &sb[i], s.scale(i, 0.5), backward)
	}
}

// scale is the output factor of a kernel that ends with section i: the kernels
// leave out the halving of y = (s + s⁺)/2, and the last applies the gain.
func (s SOS) scale(i int, halves float64) float64 {
	if i == len(s.sections)-1 {
		return halves * s.gain
	}
	return halves
}

// float64(p*q) in the kernels forbids a fused multiply-add: all kernels, on all
// machines, give the same bits.

// ends returns the first index and the step of a loop over n samples.
func ends(n int, backward bool) (start, step int) {
	if backward {
		return n - 1, -1
	}
	return 0, 1
}

// one runs a first-order section along x.
func one(x []float64, c *section, st *state, scale float64, backward bool) {
	d, s := c.d, st.s
	i, step := ends(len(x), backward)
	for ; uint(i) < uint(len(x)); i += step {
		t := s + float64(d*(x[i]-s))
		x[i] = scale * (s + t)
		s = t
	}
	st.s = s
}

// single runs a second-order section along x.
func single(x []float64, c *section, st *state, scale float64, backward bool) {
	d, p, q := c.d, c.p, c.q
	s, r := st.s, st.r
	i, step := ends(len(x), backward)
	for ; uint(i) < uint(len(x)); i += step {
		e := x[i] - s
		t := (s + r) + float64(d*e)
		r = float64(p*r) + float64(q*e)
		x[i] = scale * (s + t)
		s = t
	}
	st.s, st.r = s, r
}

// pair runs two second-order sections along x in one pass. The second sees its
// input doubled, because the halving is left out, and so is its state meanwhile.
func pair(x []float64, c []section, st []state, scale float64, backward bool) {
	d0, p0, q0 := c[0].d, c[0].p, c[0].q
	d1, p1, q1 := c[1].d, c[1].p, c[1].q
	s0, r0 := st[0].s, st[0].r
	s1, r1 := 2*st[1].s, 2*st[1].r
	i, step := ends(len(x), backward)
	for ; uint(i) < uint(len(x)); i += step {
		e := x[i] - s0
		t := (s0 + r0) + float64(d0*e)
		r0 = float64(p0*r0) + float64(q0*e)
		e = (s0 + t) - s1
		s0 = t
		t = (s1 + r1) + float64(d1*e)
		r1 = float64(p1*r1) + float64(q1*e)
		x[i] = scale * (s1 + t)
		s1 = t
	}
	st[0] = state{s0, r0}
	st[1] = state{s1 / 2, r1 / 2}
}

// singleTwo is single for two signals.
func singleTwo(a, b []float64, c *section, sa, sb *state, scale float64, backward bool) {
	b = b[:len(a)]
	d, p, q := c.d, c.p, c.q
	s0, r0 := sa.s, sa.r
	s1, r1 := sb.s, sb.r
	i, step := ends(len(a), backward)
	for ; uint(i) < uint(len(a)); i += step {
		e0 := a[i] - s0
		e1 := b[i] - s1
		t0 := (s0 + r0) + float64(d*e0)
		t1 := (s1 + r1) + float64(d*e1)
		r0 = float64(p*r0) + float64(q*e0)
		r1 = float64(p*r1) + float64(q*e1)
		a[i] = scale * (s0 + t0)
		b[i] = scale * (s1 + t1)
		s0, s1 = t0, t1
	}
	*sa = state{s0, r0}
	*sb = state{s1, r1}
}
