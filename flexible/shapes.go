package flexible

import (
	"math"
)

// Shape is a function of the place x along a beam of some length, with its first and second derivative by x.
type Shape interface {
	At(x, length float64) (value, slope, curvature float64)
}

// Power is (x/length)^p; p of at least two leaves the base clamped, one is a twist that grows evenly.
type Power int

// At returns the value of the power, its slope in 1/m and its curvature in 1/m².
func (p Power) At(x, length float64) (value, slope, curvature float64) {
	n, s := float64(p), x/length
	value = math.Pow(s, n)
	if p > 0 {
		slope = n * math.Pow(s, n-1) / length
	}
	if p > 1 {
		curvature = n * (n - 1) * math.Pow(s, n-2) / (length * length)
	}
	return value, slope, curvature
}

// ClampedFree is the nth bending mode, from 1, of a uniform beam that is clamped at its base and free at its tip, one
// at the tip.
type ClampedFree int

// At returns the shape and its derivatives at x. It sums decaying exponentials, so that high modes keep their digits:
// cosh and sinh of the modes beyond the tenth agree in all of them.
func (n ClampedFree) At(x, length float64) (value, slope, curvature float64) {
	b := clampedFreeRoot(int(n))
	// cosh bs − cos bs − σ·(sinh bs − sin bs) with σ = (cosh b + cos b)/(sinh b + sin b), half of it e^(bs)·(1−σ) + e^(−bs)·(1+σ).
	e := math.Exp(-b)
	// 1 − σ = (sin b − cos b − e^(−b)) / (sinh b + sin b), both times e^(−b).
	half := (1-e*e)/2 + e*math.Sin(b)
	less := (math.Sin(b) - math.Cos(b) - e) / half // times e^(−b)
	sigma := ((1+e*e)/2 + e*math.Cos(b)) / half
	s := b * x / length
	up, down := math.Exp(s-b)*less/2, math.Exp(-s)*(1+sigma)/2
	sin, cos := math.Sincos(s)
	value = up + down - cos + sigma*sin
	slope = up - down + sin + sigma*cos
	curvature = up + down + cos - sigma*sin
	// The tip: 2·(−1)^(n+1) of this form.
	scale := 0.5
	if n%2 == 0 {
		scale = -0.5
	}
	return scale * value, scale * slope * b / length, scale * curvature * b * b / (length * length)
}

// clampedFreeRoot returns the nth root of 1 + cos b·cosh b = 0, by Newton's method on cos b + 1/cosh b from (n − ½)·π,
// off which the first root is 0.3 and the others less than 0.02.
func clampedFreeRoot(n int) float64 {
	b := (float64(n) - 0.5) * math.Pi
	for range 20 {
		c := math.Cosh(b)
		step := (math.Cos(b) + 1/c) / (-math.Sin(b) - math.Tanh(b)/c)
		b -= step
		// Quadratic: the step after one below 1e-9 is below rounding.
		if math.Abs(step) < 1e-9*b {
			break
		}
	}
	return b
}

// Func is a shape of a user.
type Func func(x, length float64) (value, slope, curvature float64)

// At calls the function.
func (f Func) At(x, length float64) (value, slope, curvature float64) { return f(x, length) }
