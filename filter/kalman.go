package filter

import (
	"fmt"
	"math"
)

// Smoother estimates position, velocity and acceleration from noisy positions on any clock, by a Kalman
// filter and the backward pass of Rauch, Tung and Striebel (AIAA Journal 3, 1965). The motion model is white
// jerk,
//
//	d³q/dt³ = w,   E w(t)·w(s) = Jerk²·δ(t - s)
//
// whose transition over any interval h is known in closed form, so that jitter and gaps need no resampling.
// In the middle of a long record it is a zero-phase low-pass, 6 dB down at about
// (Jerk/(Noise·√dt))^(1/3)/2π hertz.
type Smoother struct {
	Noise float64 // standard deviation of a position
	Jerk  float64 // intensity of the jerk: unit of the position per s^2.5
}

// SmootherCutoff returns the smoother whose zero-phase gain is one half at cutoff, in hertz, for positions with the
// given noise, dt seconds apart: 1/(1 + (ω/ω₀)⁶) with ω₀⁶ = Jerk²/(Noise²·dt).
func SmootherCutoff(cutoff, noise, dt float64) Smoother {
	w := 2 * math.Pi * cutoff
	return Smoother{Noise: noise, Jerk: noise * math.Sqrt(dt) * w * w * w}
}

// gaussian is the mean and the covariance of position, velocity and acceleration.
type gaussian struct {
	x [3]float64
	p [3][3]float64
}

// Smooth estimates the motion at the times t (s) from positions x. It writes it to q, dq and ddq, each as long as t or
// nil, and the standard deviations of the velocities to sd, if not nil. NaN positions are gaps, which are estimated. It
// panics if lengths differ, times do not increase, or Noise or Jerk is not positive.
func (s Smoother) Smooth(q, dq, ddq, sd, t, x []float64) {
	n := len(t)
	for _, v := range [][]float64{q, dq, ddq, sd} {
		if v != nil && len(v) != n {
			panic(fmt.Sprintf("filter: %d samples to smooth and room for %d", n, len(v)))
		}
	}
	if len(x) != n || !(s.Noise > 0) || !(s.Jerk > 0) {
		panic(fmt.Sprintf("filter: smoothing needs as many positions as times and positive noise and jerk; it got %d positions, %d times, noise %g and jerk %g", len(x), n, s.Noise, s.Jerk))
	}
	if n == 0 {
		return
	}
	// Scale to unit noise, which keeps the covariances far from under- and overflow.
	intensity := s.Jerk * s.Jerk / (s.Noise * s.Noise)
	predicted, filtered := make([]gaussian, n), make([]gaussian, n)
	now := gaussian{}
	base := 0.0
	for _, v := range x {
		if !math.IsNaN(v) {
			base = v
			break
		}
	}
	// The prior of the first state has no weight: its position deviation is at least 10³ noise levels and the motion
	// model's own spread over the whole record.
	span := math.Max(t[n-1]-t[0], 1e-9)
	wide := 1e6 + intensity*math.Pow(span, 5)
	for i := range 3 {
		now.p[i][i] = wide / math.Pow(span, float64(2*i))
	}
	for k := range t {
		if k > 0 {
			h := t[k] - t[k-1]
			if !(h > 0) {
				panic(fmt.Sprintf("filter: smoothing needs increasing times; row %d has %g s after %g s", k, t[k], t[k-1]))
			}
			now = now.predict(h, intensity)
		}
		predicted[k] = now
		if !math.IsNaN(x[k]) {
			now = now.update((x[k] - base) / s.Noise)
		}
		filtered[k] = now
	}
	for k := n - 1; ; k-- {
		if q != nil {
			q[k] = now.x[0]*s.Noise + base
		}
		if dq != nil {
			dq[k] = now.x[1] * s.Noise
		}
		if ddq != nil {
			ddq[k] = now.x[2] * s.Noise
		}
		if sd != nil {
			sd[k] = math.Sqrt(math.Max(now.p[1][1], 0)) * s.Noise
		}
		if k == 0 {
			return
		}
		now = filtered[k-1].smooth(predicted[k], now, t[k]-t[k-1])
	}
}

// transition returns the state transition over h seconds without jerk.
func transition(h float64) [3][3]float64 {
	return [3][3]float64{{1, h, h * h / 2}, {0, 1, h}, {0, 0, 1}}
}

// predict returns the state after h seconds.
func (b gaussian) predict(h, intensity float64) gaussian {
	f := transition(h)
	out := gaussian{x: times3(f, b.x), p: multiply3(multiply3(f, b.p), transpose3(f))}
	h2, h3 := h*h, h*h*h
	// Covariance of the state due to white jerk over h (Bar-Shalom, Li and Kirubarajan 2001, section 6.2).
	noise := [3][3]float64{{h3 * h2 / 20, h2 * h2 / 8, h3 / 6}, {h2 * h2 / 8, h3 / 3, h2 / 2}, {h3 / 6, h2 / 2, h}}
	for i := range 3 {
		for j := range 3 {
			out.p[i][j] += intensity * noise[i][j]
		}
	}
	return out
}

// update returns the state after measuring a position with unit noise, in Joseph's form, which keeps the covariance
// positive definite.
func (b gaussian) update(z float64) gaussian {
	s := b.p[0][0] + 1
	var gain [3]float64
	for i := range gain {
		gain[i] = b.p[i][0] / s
	}
	r := z - b.x[0]
	keep := [3][3]float64{{1 - gain[0], 0, 0}, {-gain[1], 1, 0}, {-gain[2], 0, 1}}
	out := gaussian{p: multiply3(multiply3(keep, b.p), transpose3(keep))}
	for i := range 3 {
		out.x[i] = b.x[i] + gain[i]*r
		for j := range 3 {
			out.p[i][j] += gain[i] * gain[j]
		}
	}
	return out
}

// smooth returns the state after one step of the backward pass, h seconds long: predicted is b's prediction of the next
// state, next is the smoothed next state.
func (b gaussian) smooth(predicted, next gaussian, h float64) gaussian {
	g := multiply3(multiply3(b.p, transpose3(transition(h))), inverse3(predicted.p))
	var d [3]float64
	var dp [3][3]float64
	for i := range 3 {
		d[i] = next.x[i] - predicted.x[i]
		for j := range 3 {
			dp[i][j] = next.p[i][j] - predicted.p[i][j]
		}
	}
	move := times3(g, d)
	cov := multiply3(multiply3(g, dp), transpose3(g))
	out := b
	for i := range 3 {
		out.x[i] += move[i]
		for j := range 3 {
			out.p[i][j] += cov[i][j]
		}
	}
	return out
}

func times3(a [3][3]float64, x [3]float64) (y [3]float64) {
	for i := range 3 {
		y[i] = a[i][0]*x[0] + a[i][1]*x[1] + a[i][2]*x[2]
	}
	return y
}

func multiply3(a, b [3][3]float64) (c [3][3]float64) {
	for i := range 3 {
		for j := range 3 {
			c[i][j] = a[i][0]*b[0][j] + a[i][1]*b[1][j] + a[i][2]*b[2][j]
		}
	}
	return c
}

func transpose3(a [3][3]float64) (c [3][3]float64) {
	for i := range 3 {
		for j := range 3 {
			c[i][j] = a[j][i]
		}
	}
	return c
}

// inverse3 returns the inverse of a covariance by Cholesky factors, scaled to unit diagonal, because the variances of
// position, velocity and acceleration differ by powers of the interval.
func inverse3(p [3][3]float64) (inv [3][3]float64) {
	var scale [3]float64
	for i := range 3 {
		scale[i] = 1 / math.Sqrt(p[i][i])
	}
	var l [3][3]float64
	for i := range 3 {
		for j := range i + 1 {
			s := p[i][j] * scale[i] * scale[j]
			for k := range j {
				s -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][i] = math.Sqrt(math.Max(s, 1e-300))
			} else {
				l[i][j] = s / l[j][j]
			}
		}
	}
	for c := range 3 {
		var y [3]float64
		y[c] = 1
		for i := range 3 {
			for k := range i {
				y[i] -= l[i][k] * y[k]
			}
			y[i] /= l[i][i]
		}
		for i := 2; i >= 0; i-- {
			for k := i + 1; k < 3; k++ {
				y[i] -= l[k][i] * y[k]
			}
			y[i] /= l[i][i]
		}
		for i := range 3 {
			inv[i][c] = y[i] * scale[i] * scale[c]
		}
	}
	return inv
}
