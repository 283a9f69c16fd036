package doctor

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

func dot(x, y []float64) float64 { return floats.Dot(x, y) }

func rms(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v * v
	}
	return math.Sqrt(s / float64(max(len(x), 1)))
}

func norm(x []float64) float64 { return rms(x) * math.Sqrt(float64(len(x))) }

func distance(x, y []float64) float64 {
	s := 0.0
	for k := range x {
		s += (x[k] - y[k]) * (x[k] - y[k])
	}
	return math.Sqrt(s)
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}

func sgn(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// thin keeps every step-th value, in place.
func thin(x []float64, step int) []float64 {
	if step == 1 {
		return x
	}
	y := x[:0]
	for k := 0; k < len(x); k += step {
		y = append(y, x[k])
	}
	return y
}
