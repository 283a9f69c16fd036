package projection

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Dot returns the inner product xᵀy.
func Dot(x, y []float64) float64 { return floats.Dot(x, y) }

// RMS returns the root mean square, or 0 if x is empty.
func RMS(x []float64) float64 {
	return math.Sqrt(Dot(x, x) / float64(max(len(x), 1)))
}

// Norm returns the Euclidean norm.
func Norm(x []float64) float64 { return RMS(x) * math.Sqrt(float64(len(x))) }

// Sign returns -1, 0 or 1.
func Sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// Thin keeps every step-th value, in place.
func Thin(x []float64, step int) []float64 {
	if step == 1 {
		return x
	}
	y := x[:0]
	for k := 0; k < len(x); k += step {
		y = append(y, x[k])
	}
	return y
}

// Inflation returns the factor by which correlation of the residuals increases the variance of their mean: 1 + 2·Σρ
// over the first lags, as far as they are positive (Bartlett 1946; Geyer's initial positive sequence, 1992).
func Inflation(x []float64) float64 {
	total := Dot(x, x)
	if total == 0 {
		return 1
	}
	sum := 1.0
	for lag := 1; lag < len(x)/8; lag++ {
		rho := Dot(x[lag:], x[:len(x)-lag]) / total
		if rho <= 0.05 {
			break
		}
		sum += 2 * rho
	}
	return sum
}

// Across returns two unit vectors that are orthogonal to v and to each other.
func Across(v [3]float64) (a, b [3]float64) {
	least := 0
	for i := range v {
		if math.Abs(v[i]) < math.Abs(v[least]) {
			least = i
		}
	}
	var e [3]float64
	e[least] = 1
	cross := func(x, y [3]float64) (z [3]float64) {
		for i := range z {
			z[i] = x[(i+1)%3]*y[(i+2)%3] - x[(i+2)%3]*y[(i+1)%3]
		}
		s := math.Sqrt(z[0]*z[0] + z[1]*z[1] + z[2]*z[2])
		for i := range z {
			z[i] /= s
		}
		return z
	}
	a = cross(v, e)
	return a, cross(v, a)
}
