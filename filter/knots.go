package filter

import "fmt"

// Knots holds the common times of several signals, for Resample of each. The weights of the slopes depend only on the
// times and are most of the work. The zero Knots is empty; once set, it is safe for concurrent use.
type Knots struct {
	t       []float64
	weights [][2 * (slopeKnots - 1)]float64 // of every knot: weight and distance in time of each knot behind its slope
}

// Set sets the times, which must increase strictly and must not be changed afterwards. It reuses memory and panics like
// Resample.
func (k *Knots) Set(t []float64) {
	checkIncreasing(t)
	k.t = t
	if cap(k.weights) < len(t) {
		k.weights = make([][2 * (slopeKnots - 1)]float64, len(t))
	}
	k.weights = k.weights[:len(t)]
	for i := range t {
		lo, hi := knotsAround(len(t), i)
		w, at := &k.weights[i], 0
		for j := lo; j < hi; j++ {
			if j != i {
				w[at], w[at+1] = slopeWeight(t, i, j, lo, hi), t[j]-t[i]
				at += 2
			}
		}
	}
}

// Resample does what the function Resample does for samples at these times, with the same bits.
func (k *Knots) Resample(dst, x []float64, t0, dt float64) {
	t, n := k.t, len(k.t)
	if len(x) != n {
		panic(fmt.Sprintf("filter: %d times for %d samples to resample", n, len(x)))
	}
	if len(dst) == 0 {
		return
	}
	checkWithin(t, t0, dt, len(dst))
	if n == 1 {
		for i := range dst {
			dst[i] = x[0]
		}
		return
	}
	left := 0
	m0, m1 := k.slope(x, 0), k.slope(x, 1)
	for i := range dst {
		at := t0 + float64(i)*dt
		for at > t[left+1] && left < n-2 {
			left++
			m0, m1 = m1, k.slope(x, left+1)
		}
		dst[i] = hermite(t[left+1]-t[left], at-t[left], x[left], x[left+1], m0, m1)
	}
}

// slope returns the derivative of x at knot i, as the function slope does, from precomputed weights.
func (k *Knots) slope(x []float64, i int) float64 {
	w := &k.weights[i]
	if i >= slopeKnots/2 && i+slopeKnots/2 < len(x) {
		s := x[i-slopeKnots/2 : i+slopeKnots/2+1 : i+slopeKnots/2+1]
		return w[0]*(s[0]-s[2])/w[1] + w[2]*(s[1]-s[2])/w[3] + w[4]*(s[3]-s[2])/w[5] + w[6]*(s[4]-s[2])/w[7]
	}
	lo, hi := knotsAround(len(x), i)
	sum, at := 0.0, 0
	for j := lo; j < hi; j++ {
		if j != i {
			sum += w[at] * (x[j] - x[i]) / w[at+1]
			at += 2
		}
	}
	return sum
}
