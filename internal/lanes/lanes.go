// Package lanes evaluates the elementary operations of rigid-body recursions
// on many samples at once: every quantity is a slice with one entry per sample,
// and a 3-vector is three such slices.
//
// The batched form suits identification models (thousands of samples of one
// robot) and vector units: the operations below are branch-free loops along the
// samples.
//
// All slices of one call have the same length; dst may not alias a source
// unless a function says so.
package lanes

import "math"

// Vec is a 3-vector for every sample.
type Vec = [3][]float64

// NewVec returns a vector of n samples on one backing array.
func NewVec(n int) Vec {
	b := make([]float64, 3*n)
	return Vec{b[:n:n], b[n : 2*n : 2*n], b[2*n:]}
}

// Cut returns the first n samples of v.
func Cut(v *Vec, n int) Vec { return Vec{v[0][:n], v[1][:n], v[2][:n]} }

// Sincos fills s and c with sine and cosine of q.
func Sincos(s, c, q []float64) {
	s, c = s[:len(q)], c[:len(q)]
	for i, v := range q {
		s[i], c[i] = math.Sincos(v)
	}
}

// RotateT is dst = Rz(q)ᵀ·rᵀ·src with c = cos q and s = sin q: a vector of the
// antecedent frame seen in a frame that r·Rz(q) places in it.
func RotateT(dst, src *Vec, r *[3][3]float64, c, s []float64) {
	n := len(c)
	x, y, z := src[0][:n], src[1][:n], src[2][:n]
	dx, dy, dz := dst[0][:n], dst[1][:n], dst[2][:n]
	s = s[:n]
	for i := range c {
		u := r[0][0]*x[i] + r[1][0]*y[i] + r[2][0]*z[i]
		v := r[0][1]*x[i] + r[1][1]*y[i] + r[2][1]*z[i]
		w := r[0][2]*x[i] + r[1][2]*y[i] + r[2][2]*z[i]
		dx[i] = c[i]*u + s[i]*v
		dy[i] = c[i]*v - s[i]*u
		dz[i] = w
	}
}

// CrossAddConst is dst = m + a × p for a constant p.
func CrossAddConst(dst, m, a *Vec, p *[3]float64) {
	n := len(m[0])
	ax, ay, az := a[0][:n], a[1][:n], a[2][:n]
	mx, my, mz := m[0][:n], m[1][:n], m[2][:n]
	dx, dy, dz := dst[0][:n], dst[1][:n], dst[2][:n]
	for i := range mx {
		dx[i] = mx[i] + ay[i]*p[2] - az[i]*p[1]
		dy[i] = my[i] + az[i]*p[0] - ax[i]*p[2]
		dz[i] = mz[i] + ax[i]*p[1] - ay[i]*p[0]
	}
}

// CrossAdd is dst = m + a × p.
func CrossAdd(dst, m, a, p *Vec) {
	n := len(m[0])
	ax, ay, az := a[0][:n], a[1][:n], a[2][:n]
	px, py, pz := p[0][:n], p[1][:n], p[2][:n]
	mx, my, mz := m[0][:n], m[1][:n], m[2][:n]
	dx, dy, dz := dst[0][:n], dst[1][:n], dst[2][:n]
	for i := range mx {
		dx[i] = mx[i] + ay[i]*pz[i] - az[i]*py[i]
		dy[i] = my[i] + az[i]*px[i] - ax[i]*pz[i]
		dz[i] = mz[i] + ax[i]*py[i] - ay[i]*px[i]
	}
}

// Dot3 is dst = x·y.
func Dot3(dst []float64, x, y *Vec) {
	n := len(dst)
	x0, x1, x2 := x[0][:n], x[1][:n], x[2][:n]
	y0, y1, y2 := y[0][:n], y[1][:n], y[2][:n]
	for i := range dst {
		dst[i] = x0[i]*y0[i] + x1[i]*y1[i] + x2[i]*y2[i]
	}
}

// Dot5 is dst = Σ x[k]·y[k] over five terms.
func Dot5(dst []float64, x, y *[5][]float64) {
	n := len(dst)
	x0, x1, x2, x3, x4 := x[0][:n], x[1][:n], x[2][:n], x[3][:n], x[4][:n]
	y0, y1, y2, y3, y4 := y[0][:n], y[1][:n], y[2][:n], y[3][:n], y[4][:n]
	for i := range dst {
		dst[i] = x0[i]*y0[i] + x1[i]*y1[i] + x2[i]*y2[i] + x3[i]*y3[i] + x4[i]*y4[i]
	}
}

// Axpy is dst += a·x, in vector registers and without them to the same bits.
func Axpy(dst []float64, a float64, x []float64) {
	x = x[:len(dst)]
	done := axpyVectors(dst, a, x)
	dst = dst[done:]
	for i, v := range x[done:] {
		dst[i] += float64(a * v) // not fused, as in the vectors
	}
}

// Signs sets dst to 1 where x is above zero, to -1 where it is below, and to x elsewhere. It has no branches: the signs of a noisy
// velocity near zero are not foreseen.
func Signs(dst, x []float64) {
	const sign, one, infinite = 1 << 63, 0x3ff << 52, 0x7ff << 52
	x = x[:len(dst)]
	done := signVectors(dst, x)
	dst = dst[done:]
	for i, v := range x[done:] {
		b := math.Float64bits(v)
		s := b&sign | one
		if b<<1-1 >= infinite<<1 { // zero, or not a number
			s = b
		}
		dst[i] = math.Float64frombits(s)
	}
}

// Fill sets every entry of dst to v.
func Fill(dst []float64, v float64) {
	for i := range dst {
		dst[i] = v
	}
}
