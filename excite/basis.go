package excite

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// basis is a set of basis functions of a joint's motion, at rest at both ends, with a top speed of about one.
type basis interface {
	// size is the number of basis functions.
	size() int
	// eval returns position, velocity, acceleration and jerk of basis function v at
	// time t.
	eval(v int, t float64) [4]float64
	// limits returns a table of the basis functions. For any linear combination, the largest absolute entry bounds it at
	// all times.
	limits() table
	// motion returns the motion with the given offsets [joint] and coefficients
	// [joint][basis function].
	motion(names []string, offset []float64, coef [][]float64) Motion
}

// table holds position, velocity, acceleration and jerk of basis functions,
// values[order][basis function][entry], and the times of the entries,
// times[order][entry].
type table struct {
	values [4][][]float64
	times  [4][]float64
}

// tabulate evaluates basis functions at the given times, values times scale.
func tabulate(b basis, times []float64, scale float64) table {
	var t table
	for o := range t.values {
		t.values[o], t.times[o] = grid(b.size(), len(times)), times
	}
	for v := range b.size() {
		for k, at := range times {
			for o, x := range b.eval(v, at) {
				t.values[o][v][k] = scale * x
			}
		}
	}
	return t
}

// fourier is the basis functions of a finite Fourier series.
type fourier struct {
	n      int // harmonics
	period float64
	pinned bool        // position zero at both ends, else zero mean
	a, b   [][]float64 // [basis function][harmonic], orthonormal: Σ a = 0; Σ l·b = 0
}

func newFourier(harmonics int, period float64, pinned bool) *fourier {
	ones, ls := make([]float64, harmonics), make([]float64, harmonics)
	for l := range ones {
		ones[l], ls[l] = 1, float64(l+1)
	}
	return &fourier{harmonics, period, pinned, nullBasis(ones), nullBasis(ls)}
}

func (f *fourier) size() int { return 2*f.n - 2 }

func (f *fourier) eval(v int, t float64) (x [4]float64) {
	w := 2 * math.Pi / f.period
	for l := range f.n {
		wl := w * float64(l+1)
		turns := float64(l+1) * t / f.period
		sin, cos := math.Sincos(2 * math.Pi * (turns - math.Floor(turns)))
		a, b := f.coefficients(v, l)
		x[0] += (a*sin - b*cos) / wl
		if f.pinned {
			x[0] += b / wl
		}
		x[1] += a*cos + b*sin
		x[2] += wl * (b*cos - a*sin)
		x[3] -= wl * wl * (a*cos + b*sin)
	}
	return x
}

// coefficients returns a and b of harmonic l in basis function v.
func (f *fourier) coefficients(v, l int) (a, b float64) {
	if v < f.n-1 {
		return f.a[v][l], 0
	}
	return 0, f.b[v-(f.n-1)][l]
}

// gridPerHarmonic is the number of samples a harmonic in the limit table: the bound between them is then 0.12 % above
// the peak at them.
const gridPerHarmonic = 64

// betweenSamples returns 1/cos(πN/K), the largest ratio of the peak of a trigonometric polynomial of degree N to its
// peak on a grid of K equal steps.
func betweenSamples(harmonics, k int) float64 {
	return 1 / math.Cos(math.Pi*float64(harmonics)/float64(k))
}

func (f *fourier) limits() table {
	k := gridPerHarmonic * f.n
	return tabulate(f, steps(k, f.period, 0), betweenSamples(f.n, k))
}

// steps returns the times duration·(k + shift)/n, k = 0 … n-1.
func steps(n int, duration, shift float64) []float64 {
	t := make([]float64, n)
	for k := range t {
		t[k] = duration * (float64(k) + shift) / float64(n)
	}
	return t
}

func (f *fourier) motion(names []string, offset []float64, coef [][]float64) Motion {
	tr := &Trajectory{Period: f.period, Joints: names}
	for i := range offset {
		a, b := make([]float64, f.n), make([]float64, f.n)
		for v, x := range coef[i] {
			for l := range f.n {
				ca, cb := f.coefficients(v, l)
				a[l] += x * ca
				b[l] += x * cb
			}
		}
		// The last coefficient absorbs the rounding of the others.
		var sum, moment float64
		for l := range f.n - 1 {
			sum += a[l]
			moment += float64(l+1) * b[l]
		}
		a[f.n-1], b[f.n-1] = -sum, -moment/float64(f.n)
		q0 := offset[i]
		if f.pinned {
			for l, x := range b {
				q0 += x * f.period / (2 * math.Pi * float64(l+1))
			}
		}
		tr.Q0, tr.A, tr.B = append(tr.Q0, q0), append(tr.A, a), append(tr.B, b)
	}
	return tr
}

// nullBasis returns an orthonormal basis of the vectors orthogonal to v: the columns
// but the first of the Householder reflection of v onto the first axis.
func nullBasis(v []float64) [][]float64 {
	n := len(v)
	u := append([]float64(nil), v...)
	norm := length(u)
	u[0] += math.Copysign(norm, u[0])
	uu := inner(u, u)
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

// pieces is basis functions of polynomials of the fifth degree on equal pieces.
type pieces struct {
	knots []float64   // s
	c     [][]quintic // [basis function][piece]
}

// newSplines returns the quintic B-splines on n equal pieces (de Boor 1972). Each covers six pieces, so n - 5 lie within
// the duration, with four continuous derivatives that are zero at both ends.
func newSplines(n int, duration float64) *pieces {
	b := cardinal(5)
	return newPieces(n, duration, n-5, func(v int) (first int, c []quintic) { return v, b })
}

// newPointToPoint returns the basis of point-to-point motion: n quintics from rest to rest, one basis function for each
// of the n - 1 points between.
func newPointToPoint(n int, duration float64) *pieces {
	up := quintic{0, 0, 0, 10, -15, 6}
	down := quintic{1, 0, 0, -10, 15, -6}
	return newPieces(n, duration, n-1, func(v int) (int, []quintic) { return v, []quintic{up, down} })
}

// newPieces lays out basis functions, each given by its first piece and polynomials,
// and scales them to unit top speed.
func newPieces(n int, duration float64, shapes int, shape func(v int) (int, []quintic)) *pieces {
	p := &pieces{knots: make([]float64, n+1)}
	for k := range p.knots {
		p.knots[k] = duration * float64(k) / float64(n)
	}
	for v := range shapes {
		first, c := shape(v)
		all := make([]quintic, n)
		top := 0.0
		for k := range c {
			all[first+k] = c[k]
			for _, b := range bernstein(nil, c[k], 1, p.knots[first+k+1]-p.knots[first+k]) {
				top = max(top, math.Abs(b))
			}
		}
		for k := range all {
			for i := range all[k] {
				all[k][i] /= top
			}
		}
		p.c = append(p.c, all)
	}
	return p
}

// cardinal returns the pieces of the B-spline of degree d on the integers, by
//
//	d·B(d, x) = x·B(d-1, x) + (d + 1 - x)·B(d-1, x - 1)
func cardinal(d int) []quintic {
	b := []quintic{{1}}
	for k := 1; k <= d; k++ {
		next := make([]quintic, k+1)
		for p := range next {
			// x = p + u
			if p < k {
				addProduct(&next[p], &b[p], float64(p)/float64(k), 1/float64(k))
			}
			if p > 0 {
				addProduct(&next[p], &b[p-1], float64(k+1-p)/float64(k), -1/float64(k))
			}
		}
		b = next
	}
	return b
}

// addProduct adds c·(x + y·u).
func addProduct(dst, c *quintic, x, y float64) {
	for i, v := range c {
		dst[i] += x * v
		if i < 5 {
			dst[i+1] += y * v
		}
	}
}

func (p *pieces) size() int { return len(p.c) }

func (p *pieces) eval(v int, t float64) [4]float64 {
	one := Polynomials{At: p.knots, C: [][]quintic{p.c[v]}}
	var q, dq, ddq, jerk [1]float64
	one.Eval(t, q[:], dq[:], ddq[:])
	one.Jerk(t, jerk[:])
	return [4]float64{q[0], dq[0], ddq[0], jerk[0]}
}

func (p *pieces) limits() table {
	var t table
	for v := range p.c {
		for o := range t.values {
			var row []float64
			for k, c := range p.c[v] {
				row = bernstein(row, c, o, p.knots[k+1]-p.knots[k])
			}
			t.values[o] = append(t.values[o], row)
		}
	}
	for o := range t.times {
		for k := range len(p.knots) - 1 {
			for part := range bernsteinParts {
				for i := range 6 - o {
					u := (float64(part) + float64(i)/float64(5-o)) / bernsteinParts
					t.times[o] = append(t.times[o], p.knots[k]+u*(p.knots[k+1]-p.knots[k]))
				}
			}
		}
	}
	return t
}

func (p *pieces) motion(names []string, offset []float64, coef [][]float64) Motion {
	out := &Polynomials{Joints: names, At: p.knots}
	for i := range offset {
		c := make([]quintic, len(p.knots)-1)
		for k := range c {
			c[k][0] = offset[i]
			for v, x := range coef[i] {
				for n, y := range p.c[v][k] {
					c[k][n] += x * y
				}
			}
		}
		out.C = append(out.C, c)
	}
	return out
}

func inner(x, y []float64) float64 { return floats.Dot(x, y[:len(x)]) }

func length(x []float64) float64 { return math.Sqrt(inner(x, x)) }
