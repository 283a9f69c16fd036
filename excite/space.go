package excite

import (
	"math"
	"math/rand/v2"
)

// space is the set of candidates: one block of variables a free joint, the
// first its place as a fraction of the half range, the others its shape as
// fractions of the top speed in a basis that rests at both ends.
type space struct {
	axes   []axis
	period float64
	n      int         // harmonics
	basisA [][]float64 // [variable][harmonic], orthonormal, Σ a = 0
	basisB [][]float64 // Σ l·b = 0
	limit  table       // where the limits are measured
	rows   table       // where the regressor is evaluated
	factor float64     // 1/cos(πN/K): from the grid's peak to the peak
	vars   int
}

// table holds the basis motions at a grid's times: [variable][sample], for a
// top speed of one.
type table struct {
	samples       int
	pos, vel, acc [][]float64
}

// gridPerHarmonic points a harmonic make the bound between samples cost 0.12 %.
const gridPerHarmonic = 64

func newSpace(axes []axis, harmonics int, period float64, samples int) *space {
	s := &space{axes: axes, period: period, n: harmonics}
	ones, ls := make([]float64, harmonics), make([]float64, harmonics)
	for l := range ones {
		ones[l], ls[l] = 1, float64(l+1)
	}
	s.basisA, s.basisB = nullBasis(ones), nullBasis(ls)
	k := gridPerHarmonic * harmonics
	s.factor = 1 / math.Cos(math.Pi*float64(harmonics)/float64(k))
	s.limit = s.tabulate(k, 0)
	// Half a step off the ends: at rest the sign of the velocity, and with it
	// Coulomb friction, would be that of a rounding error.
	s.rows = s.tabulate(samples, 0.5)
	for i := range s.axes {
		if !s.axes[i].held {
			s.axes[i].at = s.vars
			s.vars += s.perJoint()
		}
	}
	return s
}

func (s *space) perJoint() int { return 2*s.n - 1 }

// nullBasis returns an orthonormal basis of the vectors orthogonal to v, the
// columns but the first of the reflection that turns v onto the first axis.
func nullBasis(v []float64) [][]float64 {
	n := len(v)
	u := append([]float64(nil), v...)
	norm := 0.0
	for _, x := range u {
		norm += x * x
	}
	norm = math.Sqrt(norm)
	u[0] += math.Copysign(norm, u[0])
	uu := 0.0
	for _, x := range u {
		uu += x * x
	}
	out := make([][]float64, n-1)
	for k := range out {
		b := make([]float64, n)
		b[k+1] = 1
		for i := range b {
			b[i] -= 2 * u[i] * u[k+1] / uu
		}
		out[k] = b
	}
	return out
}

// tabulate samples the basis motions at (k + shift)/samples of the period.
func (s *space) tabulate(samples int, shift float64) table {
	t := table{samples: samples}
	w := 2 * math.Pi / s.period
	for v := range 2*s.n - 2 {
		pos, vel, acc := make([]float64, samples), make([]float64, samples), make([]float64, samples)
		for k := range samples {
			for l := range s.n {
				n := float64(l + 1)
				sin, cos := math.Sincos(2 * math.Pi * n * (float64(k) + shift) / float64(samples))
				a, b := s.coefficients(v, l)
				pos[k] += (a*sin - b*cos) / (w * n)
				vel[k] += a*cos + b*sin
				acc[k] += w * n * (b*cos - a*sin)
			}
		}
		t.pos, t.vel, t.acc = append(t.pos, pos), append(t.vel, vel), append(t.acc, acc)
	}
	return t
}

// coefficients returns the a and b of harmonic l that shape variable v stands for.
func (s *space) coefficients(v, l int) (a, b float64) {
	if v < s.n-1 {
		return s.basisA[v][l], 0
	}
	return 0, s.basisB[v-(s.n-1)][l]
}

// combine stores the sum of the basis motions weighted by x times scale.
func combine(dst []float64, basis [][]float64, x []float64, scale, start float64) {
	for k := range dst {
		dst[k] = start
	}
	for v, b := range basis {
		w := x[v] * scale
		for k, y := range b {
			dst[k] += w * y
		}
	}
}

// trajectory returns the motion of feasible variables.
func (s *space) trajectory(z []float64) *Trajectory {
	tr := &Trajectory{Period: s.period}
	for i := range s.axes {
		ax := &s.axes[i]
		a, b := make([]float64, s.n), make([]float64, s.n)
		q0 := ax.centre
		if !ax.held {
			zi := z[ax.at : ax.at+s.perJoint()]
			q0 += ax.half * zi[0]
			for v, x := range zi[1:] {
				for l := range s.n {
					ca, cb := s.coefficients(v, l)
					a[l] += ax.vel * x * ca
					b[l] += ax.vel * x * cb
				}
			}
			// The last coefficient takes up the rounding of the others.
			var sum, moment float64
			for l := range s.n - 1 {
				sum += a[l]
				moment += float64(l+1) * b[l]
			}
			a[s.n-1], b[s.n-1] = -sum, -moment/float64(s.n)
		}
		tr.Joints = append(tr.Joints, ax.name)
		tr.Q0 = append(tr.Q0, q0)
		tr.A = append(tr.A, a)
		tr.B = append(tr.B, b)
	}
	return tr
}

// motion fills the samples of the regressor's grid.
func (s *space) motion(z []float64, q, dq, ddq [][]float64) {
	for i := range s.axes {
		ax := &s.axes[i]
		if ax.held {
			combine(q[i], nil, nil, 0, ax.centre)
			combine(dq[i], nil, nil, 0, 0)
			combine(ddq[i], nil, nil, 0, 0)
			continue
		}
		zi := z[ax.at : ax.at+s.perJoint()]
		combine(q[i], s.rows.pos, zi[1:], ax.vel, ax.centre+ax.half*zi[0])
		combine(dq[i], s.rows.vel, zi[1:], ax.vel, 0)
		combine(ddq[i], s.rows.acc, zi[1:], ax.vel, 0)
	}
}

// draw returns a random candidate: a random shape for each joint as large as
// its tightest limit allows, at a random place in what is left of its range.
func (s *space) draw(rng *rand.Rand) []float64 {
	z := make([]float64, s.vars)
	pos, vel, acc := make([]float64, s.limit.samples), make([]float64, s.limit.samples), make([]float64, s.limit.samples)
	for i := range s.axes {
		ax := &s.axes[i]
		if ax.held {
			continue
		}
		zi := z[ax.at : ax.at+s.perJoint()]
		for v := range zi[1:] {
			zi[1+v] = rng.NormFloat64()
		}
		combine(pos, s.limit.pos, zi[1:], ax.vel/ax.half, 0)
		combine(vel, s.limit.vel, zi[1:], 1, 0)
		combine(acc, s.limit.acc, zi[1:], ax.vel/ax.acc, 0)
		lo, hi := pos[0], pos[0]
		worst := 0.0
		for k := range pos {
			lo, hi = min(lo, pos[k]), max(hi, pos[k])
			worst = max(worst, math.Abs(vel[k]), math.Abs(acc[k]))
		}
		gauge := s.factor * max(worst, (hi-lo)/2)
		for v := range zi[1:] {
			zi[1+v] /= gauge
		}
		room := max(0, 1/s.factor-(hi-lo)/2/gauge)
		zi[0] = -(lo+hi)/2/gauge + room*(2*rng.Float64()-1)
	}
	return z
}
