package excite

import (
	"math"

	"ident/internal/spatial"
)

// nearestOfSegments returns the nearest points of two segments, as the parameters s and t from
// 0 to 1 along them. The squared distance is a convex quadratic over the unit
// square; clamping s, then t, then s again finds its minimum.
func nearestOfSegments(a0, a1, b0, b1 spatial.Vec) (s, t float64) {
	u, v, w := spatial.Sub(a1, a0), spatial.Sub(b1, b0), spatial.Sub(a0, b0)
	uu, uv, vv := spatial.Dot(u, u), spatial.Dot(u, v), spatial.Dot(v, v)
	uw, vw := spatial.Dot(u, w), spatial.Dot(v, w)
	clamp := func(x float64) float64 { return min(max(x, 0), 1) }
	const point = 1e-24 // squared length of a segment that counts as a point, m²
	switch {
	case uu < point && vv < point:
		return 0, 0
	case uu < point:
		return 0, clamp(vw / vv)
	case vv < point:
		return clamp(-uw / uu), 0
	}
	// Segments within 1e-8 of parallel count as parallel: any s will do.
	if den := uu*vv - uv*uv; den > 1e-16*uu*vv {
		s = clamp((uv*vw - vv*uw) / den)
	}
	t = (uv*s + vw) / vv
	if t < 0 {
		return clamp(-uw / uu), 0
	}
	if t > 1 {
		return clamp((uv - uw) / uu), 1
	}
	return s, t
}

// nearestInBox returns the signed distance of a point from a box about the
// origin with the given half edges, negative inside, and its gradient.
func nearestInBox(x, half spatial.Vec) (float64, spatial.Vec) {
	var out, grad spatial.Vec
	deepest, axis := math.Inf(-1), 0
	outside := false
	for k := range x {
		d := math.Abs(x[k]) - half[k]
		if d > deepest {
			deepest, axis = d, k
		}
		if d > 0 {
			outside = true
			out[k] = math.Copysign(d, x[k])
		}
	}
	if !outside {
		grad[axis] = math.Copysign(1, x[axis])
		return deepest, grad
	}
	d := spatial.Norm(out)
	return d, spatial.Scale(1/d, out)
}

// nearestOfSegmentAndBox returns the parameter from 0 to 1 of the point of a segment nearest to,
// or deepest in, a box about the origin, the signed distance there and its gradient.
// The signed distance from a convex body is convex: a golden section along the
// segment finds its minimum, here to 10⁻⁹ of the length.
func nearestOfSegmentAndBox(a, b, half spatial.Vec) (float64, float64, spatial.Vec) {
	at := func(s float64) float64 {
		d, _ := nearestInBox(spatial.AddScaled(a, s, spatial.Sub(b, a)), half)
		return d
	}
	const golden = 0.6180339887498949
	lo, hi := 0.0, 1.0
	x, y := hi-golden*(hi-lo), lo+golden*(hi-lo)
	fx, fy := at(x), at(y)
	for range 43 {
		if fx < fy {
			hi, y, fy = y, x, fx
			x = hi - golden*(hi-lo)
			fx = at(x)
		} else {
			lo, x, fx = x, y, fy
			y = lo + golden*(hi-lo)
			fy = at(y)
		}
	}
	s := (lo + hi) / 2
	best := at(s)
	for _, end := range [2]float64{0, 1} {
		if d := at(end); d <= best {
			s, best = end, d
		}
	}
	_, grad := nearestInBox(spatial.AddScaled(a, s, spatial.Sub(b, a)), half)
	return s, best, grad
}
