package kinematics

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"
)

// root is a real root of a matrix polynomial M0·W² + M1·X·W + M2·X², homogeneous: X/W may be infinite. v is
// the null vector there.
type root struct {
	x, w float64
	v    []float64
}

// realPart: eigenvalues with a smaller imaginary part, as a part of their size, may be real roots that meet: a
// double root of a problem in error by 1e-13 splits by its root, 3e-7, a triple one by its cube root, 5e-5.
// Candidates that are no roots are found out by the pose.
const realPart = 1e-3

// roots returns the real roots of det(M0·W² + M1·X·W + M2·X²), with null vectors, and whether the polynomial
// is regular: not zero for all X. The variable is turned until the leading coefficient is far from singular,
// which is possible for a regular one, and the roots are eigenvalues of the companion matrix.
func roots(m [3]*mat.Dense) ([]root, bool) {
	n, _ := m[0].Dims()
	at := func(x, w float64) *mat.Dense {
		var out, part mat.Dense
		out.Scale(w*w, m[0])
		part.Scale(x*w, m[1])
		out.Add(&out, &part)
		part.Scale(x*x, m[2])
		out.Add(&out, &part)
		return &out
	}
	best, least := 0.0, math.Inf(1)
	var leading mat.LU
	for i := range 16 {
		turn := math.Pi * (float64(i) + 0.382) / 16 // no multiple of a right angle, where robots are special
		var lu mat.LU
		lu.Factorize(at(math.Cos(turn), -math.Sin(turn)))
		if c := lu.Cond(); c < least {
			best, least, leading = turn, c, lu
		}
	}
	if !(least < 1e12) {
		return nil, false
	}
	// X = c·Y + s·V, W = -s·Y + c·V.
	c, s := math.Cos(best), math.Sin(best)
	constant := at(s, c)
	var linear, part mat.Dense
	linear.Scale(-2*s*c, m[0])
	part.Scale(c*c-s*s, m[1])
	linear.Add(&linear, &part)
	part.Scale(2*s*c, m[2])
	linear.Add(&linear, &part)
	companion := mat.NewDense(2*n, 2*n, nil)
	for i, block := range []mat.Matrix{constant, &linear} {
		var solved mat.Dense
		if err := leading.SolveTo(&solved, false, block); err != nil && math.IsInf(least, 1) {
			return nil, false
		}
		solved.Scale(-1, &solved)
		companion.Slice(n, 2*n, i*n, (i+1)*n).(*mat.Dense).Copy(&solved)
	}
	for i := range n {
		companion.Set(i, n+i, 1)
	}
	var eigen mat.Eigen
	if !eigen.Factorize(companion, mat.EigenRight) {
		return nil, false
	}
	var vectors mat.CDense
	eigen.VectorsTo(&vectors)
	var out []root
	for k, y := range eigen.Values(nil) {
		if math.Abs(imag(y)) > realPart*math.Hypot(1, cmplx.Abs(y)) {
			continue
		}
		r := root{x: c*real(y) + s, w: -s*real(y) + c}
		// The vector up to a complex factor: turned so that its largest entry is real. The lower half is y times the
		// upper one; the larger of the two has the digits.
		first := 0
		if cmplx.Abs(y) > 1 {
			first = n
		}
		largest := complex128(0)
		for i := range n {
			if v := vectors.At(first+i, k); cmplx.Abs(v) > cmplx.Abs(largest) {
				largest = v
			}
		}
		for i := range n {
			r.v = append(r.v, real(vectors.At(first+i, k)/largest))
		}
		out = append(out, r)
	}
	return out, true
}

// binary returns the real roots X:W of a·W² + b·X·W + c·X²; none where all is zero.
func binary(q [3]float64) (out [][2]float64) {
	a, b, c := q[0], q[1], q[2]
	size := math.Max(math.Abs(a), math.Max(math.Abs(b), math.Abs(c)))
	if size == 0 {
		return nil
	}
	d := b*b - 4*a*c
	if d < 0 {
		if d < -realPart*size*size {
			return nil
		}
		d = 0 // may be a double root
	}
	h := -(b + math.Copysign(math.Sqrt(d), b)) / 2
	return [][2]float64{{h, c}, {a, h}}
}
