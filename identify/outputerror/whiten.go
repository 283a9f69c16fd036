package outputerror

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// colour models the errors of the averaged outputs: an autoregression for each joint, and the covariance of the innovations of a
// limb's joints. Those of different limbs are weighted as if they were independent.
type colour struct {
	ar    [][]float64 // e[t] + Σ ar[i]·e[t−1−i] is white, by joint
	order int         // the largest
	root  []float64   // inverse of the lower Cholesky factor of the innovations' covariance, row by row
}

// Orders of autoregressions. Errors that a stiff loop makes small at low frequencies need long ones; each order
// takes a window of each run, and a coefficient that is estimated from some tens of windows.
const (
	maxOrder        = 40
	windowsAnOrder  = 25
	relativeMinimum = 1e-12 // of an innovation, to the output itself: the rounding of a simulation
)

// white returns the model of independent errors with the standard deviations of each joint.
func white(outs []*output) *colour {
	n := len(outs[0].residual)
	c := &colour{ar: make([][]float64, n), root: make([]float64, n*n)}
	for k := range n {
		sum, count := 0.0, 0
		for _, o := range outs {
			for _, v := range o.residual[k] {
				sum += v * v
			}
			count += len(o.residual[k])
		}
		c.root[k*n+k] = 1 / math.Max(math.Sqrt(sum/float64(count)), relativeMinimum)
	}
	return c
}

// colourOf estimates the model of the errors from residuals.
func colourOf(outs []*output, limbs []*limb) *colour {
	n := len(outs[0].residual)
	c := &colour{root: make([]float64, n*n)}
	for k := range n {
		var x [][]float64
		for _, o := range outs {
			x = append(x, o.residual[k])
		}
		c.ar = append(c.ar, burg(x))
		c.order = max(c.order, len(c.ar[k]))
	}
	cov := mat.NewSymDense(n, nil)
	count := 0
	innovation := make([][]float64, n)
	for _, o := range outs {
		for k := range n {
			innovation[k] = c.filter(nil, k, o.residual[k])
		}
		for _, l := range limbs {
			for a, i := range l.joints {
				for _, j := range l.joints[a:] {
					sum := cov.At(i, j)
					for t := range innovation[i] {
						sum += innovation[i][t] * innovation[j][t]
					}
					cov.SetSym(i, j, sum)
				}
			}
		}
		count += len(innovation[0])
	}
	for i := range n {
		for j := i; j < n; j++ {
			v := cov.At(i, j) / float64(count)
			if i == j {
				v += relativeMinimum * relativeMinimum
			}
			cov.SetSym(i, j, v)
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(cov) {
		return white(outs)
	}
	var l, inverse mat.TriDense
	chol.LTo(&l)
	if err := inverse.InverseTri(&l); err != nil {
		return white(outs)
	}
	for i := range n {
		for j := range i + 1 {
			c.root[i*n+j] = inverse.At(i, j)
		}
	}
	return c
}

// filter appends the innovations of joint k in a signal to dst: those of the windows from order on.
func (c *colour) filter(dst []float64, k int, x []float64) []float64 {
	ar := c.ar[k]
	for t := c.order; t < len(x); t++ {
		v := x[t]
		for i, a := range ar {
			v += a * x[t-1-i]
		}
		dst = append(dst, v)
	}
	return dst
}

// rows returns the number of windows of a run that remain.
func (c *colour) rows(o *output) int { return max(0, len(o.residual[0])-c.order) }

// whiten makes signals of all joints, joint by window, white: row k of the result is combination k of the innovations.
func (c *colour) whiten(signal [][]float64) [][]float64 {
	all := make([]int, len(signal))
	for k := range all {
		all[k] = k
	}
	return c.whitenOf(all, signal)
}

// whitenOf makes signals of joints of whole limbs white.
func (c *colour) whitenOf(joints []int, signal [][]float64) [][]float64 {
	n := len(c.ar)
	out := make([][]float64, len(signal))
	for a, k := range joints {
		out[a] = c.filter(make([]float64, 0, len(signal[a])), k, signal[a])
	}
	for a, i := range slices.Backward(joints) {
		row := out[a]
		own := c.root[i*n+i]
		for t := range row {
			row[t] *= own
		}
		for b, j := range joints[:a] {
			axpy(row, c.root[i*n+j], out[b])
		}
	}
	return out
}

// burg returns the autoregression of signals by Burg's method (1975), with the order by Akaike's criterion.
func burg(signals [][]float64) []float64 {
	total := 0
	var forward, backward [][]float64
	power := 0.0
	for _, x := range signals {
		forward, backward = append(forward, append([]float64(nil), x...)), append(backward, append([]float64(nil), x...))
		total += len(x)
		for _, v := range x {
			power += v * v
		}
	}
	if total == 0 || power == 0 {
		return nil
	}
	power /= float64(total)
	limit := min(maxOrder, total/windowsAnOrder)
	a := []float64{}
	best, least := []float64{}, float64(total)*math.Log(power)
	for m := 1; m <= limit; m++ {
		num, den := 0.0, 0.0
		for i := range forward {
			f, b := forward[i], backward[i]
			for t := m; t < len(f); t++ {
				num += f[t] * b[t-1]
				den += f[t]*f[t] + b[t-1]*b[t-1]
			}
		}
		if den == 0 {
			break
		}
		k := -2 * num / den
		next := make([]float64, m)
		for i := range a {
			next[i] = a[i] + k*a[m-2-i]
		}
		next[m-1] = k
		a = next
		for i := range forward {
			f, b := forward[i], backward[i]
			for t := len(f) - 1; t >= m; t-- {
				f[t], b[t] = f[t]+k*b[t-1], b[t-1]+k*f[t]
			}
		}
		power *= 1 - k*k
		if !(power > 0) {
			break
		}
		if aic := float64(total)*math.Log(power) + 2*float64(m); aic < least {
			best, least = append([]float64(nil), a...), aic
		}
	}
	return best
}
