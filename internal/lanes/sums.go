package lanes

import "math"

// Sums are of four partial ones, of every fourth number each: a single one would wait for its own last addition.

// Sum returns the sum of x.
func Sum(x []float64) float64 {
	var a, b, c, d float64
	for ; len(x) >= 4; x = x[4:] {
		a += x[0]
		b += x[1]
		c += x[2]
		d += x[3]
	}
	for _, v := range x {
		a += v
	}
	return (a + b) + (c + d)
}

// SumSquares returns the sum of the squares of x.
func SumSquares(x []float64) float64 {
	var a, b, c, d float64
	for ; len(x) >= 4; x = x[4:] {
		a += float64(x[0] * x[0])
		b += float64(x[1] * x[1])
		c += float64(x[2] * x[2])
		d += float64(x[3] * x[3])
	}
	for _, v := range x {
		a += float64(v * v)
	}
	return (a + b) + (c + d)
}

// SquaredDistance returns the sum of the squares of the differences of x and y.
func SquaredDistance(x, y []float64) float64 {
	var a, b, c, d float64
	y = y[:len(x)]
	for ; len(x) >= 4 && len(y) >= 4; x, y = x[4:], y[4:] {
		e, f, g, h := x[0]-y[0], x[1]-y[1], x[2]-y[2], x[3]-y[3]
		a += float64(e * e)
		b += float64(f * f)
		c += float64(g * g)
		d += float64(h * h)
	}
	for i, v := range x {
		e := v - y[i]
		a += float64(e * e)
	}
	return (a + b) + (c + d)
}

// Range returns the least and the largest number of x, which is not empty and has no NaN.
func Range(x []float64) (low, high float64) {
	low, high = x[0], x[0]
	for _, v := range x {
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	return low, high
}

// MaxAbs returns the largest absolute value in x, zero for an empty x; NaNs are ignored.
func MaxAbs(x []float64) float64 {
	var a, b, c, d float64
	for ; len(x) >= 4; x = x[4:] {
		if v := math.Abs(x[0]); v > a {
			a = v
		}
		if v := math.Abs(x[1]); v > b {
			b = v
		}
		if v := math.Abs(x[2]); v > c {
			c = v
		}
		if v := math.Abs(x[3]); v > d {
			d = v
		}
	}
	for _, v := range x {
		if v := math.Abs(v); v > a {
			a = v
		}
	}
	return max(max(a, b), max(c, d))
}
