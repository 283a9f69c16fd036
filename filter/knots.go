package filter

import "fmt"

// Knots are the times of samples of several signals, for Resample of each: the weights of the slopes depend on the times
// alone, and are most of its work. The zero Knots has none; it serves any number of goroutines once it is set.
type Knots struct {
	t       []float64
	weights [][2 * (slopeKnots - 1)]float64 // of every knot: weight and distance in time of each knot behind its slope
}

// Set takes strictly increasing times, which are kept and must not change, in the memory of those before. It panics
// where Resample does.
func (k *Knots) Set(t []float64) {
	checkIncreasing(t)
	k.t = t
	if cap(k.weights) < len(t) {
		k.weights = make([][2 * (slopeKnots - 1)]float64, len(t))
	}
	k.weights = k.weights[:len(t)]
	for i := range t {
		lo, hi := knotsAround(len(t), i)
		at := 0
		for j := lo; j < hi; j++ {
			if j != i {
				k.weights[i][at], k.weights[i][at+1] = slopeWeight(t, i, j, lo, hi), t[j]-t[i]
				at += 2
			}
		}
	}
}

// Resample is Resample of samples at these times, to the bit.
func (k *Knots) Resample(dst, x []float64, t0, dt float64) {
	if len(x) != len(k.t) {
		panic(fmt.Sprintf("filter: %d times for %d samples to resample", len(k.t), len(x)))
	}
	if len(dst) == 0 {
		return
	}
	checkWithin(k.t, t0, dt, len(dst))
	evaluate(dst, k.t, x, func(i int) float64 { return t0 + float64(i)*dt }, func(i int) float64 {
		lo, hi := knotsAround(len(x), i)
		sum, at := 0.0, 0
		for j := lo; j < hi; j++ {
			if j != i {
				sum += k.weights[i][at] * (x[j] - x[i]) / k.weights[i][at+1]
				at += 2
			}
		}
		return sum
	})
}
