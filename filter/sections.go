package filter

import "math"

// state is the memory of one section; see the package comment.
type state struct {
	s, r float64
}

// Signals are filtered in chunks that fit into the first-level cache while all sections pass over them. Between chunks,
// states below vanishing are set to zero: on a signal at rest they would otherwise become subnormal, stay so, and make
// each operation a hundred times slower.
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

// sweepFour does the same as sweep for four signals of equal length.
func (s SOS) sweepFour(x *[4][]float64, st [][4]state, backward bool) {
	n := len(x[0])
	first := 0
	if backward {
		first = n - 1
	}
	for i := range st {
		for k := range x {
			st[i][k] = state{s: x[k][first]}
		}
	}
	var part [4][]float64
	for done := 0; done < n; done += chunk {
		lo, hi := done, min(done+chunk, n)
		if backward {
			lo, hi = n-hi, n-lo
		}
		for k := range x {
			part[k] = x[k][lo:hi]
		}
		for i := range st {
			c := &s.sections[i]
			if c.k == 0 {
				for k := range part {
					one(part[k], c, &st[i][k], s.scale(i, 0.5), backward)
				}
			} else {
				singleFour(&part, c, &st[i], s.scale(i, 0.5), backward)
			}
			flush(st[i][:])
		}
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

// scale returns the output factor of a kernel that ends with section i: the kernels omit the halving of y = (s + s⁺)/2,
// and the last one applies the gain.
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

// pair runs two second-order sections along x in one pass. Because the halving is omitted, the second sees its input,
// and meanwhile its state, doubled.
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

// singleFour does the same as single for four signals of equal length. A recursion must wait for each of its
// operations; further signals fill the time.
func singleFour(x *[4][]float64, c *section, st *[4]state, scale float64, backward bool) {
	d, p, q := c.d, c.p, c.q
	x0 := x[0]
	x1, x2, x3 := x[1][:len(x0)], x[2][:len(x0)], x[3][:len(x0)]
	s0, s1, s2, s3 := st[0].s, st[1].s, st[2].s, st[3].s
	r0, r1, r2, r3 := st[0].r, st[1].r, st[2].r, st[3].r
	i, step := ends(len(x0), backward)
	for ; uint(i) < uint(len(x0)); i += step {
		e := x0[i] - s0
		t := (s0 + r0) + float64(d*e)
		r0 = float64(p*r0) + float64(q*e)
		x0[i] = scale * (s0 + t)
		s0 = t
		e = x1[i] - s1
		t = (s1 + r1) + float64(d*e)
		r1 = float64(p*r1) + float64(q*e)
		x1[i] = scale * (s1 + t)
		s1 = t
		e = x2[i] - s2
		t = (s2 + r2) + float64(d*e)
		r2 = float64(p*r2) + float64(q*e)
		x2[i] = scale * (s2 + t)
		s2 = t
		e = x3[i] - s3
		t = (s3 + r3) + float64(d*e)
		r3 = float64(p*r3) + float64(q*e)
		x3[i] = scale * (s3 + t)
		s3 = t
	}
	*st = [4]state{{s0, r0}, {s1, r1}, {s2, r2}, {s3, r3}}
}
