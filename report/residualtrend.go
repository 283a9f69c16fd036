package report

import (
	"math"
	"slices"

	"ident/internal/fourier"
	"ident/internal/orderstat"
	"ident/result"
)

// trend is the mean of a joint's residual in intervals of a coordinate, with its standard deviation there.
type trend struct {
	lo, hi   float64 // of the coordinate
	mean, sd []float64
	// share of the residual's power that follows the coordinate beyond chance; NaN if there are too few samples.
	share float64
}

// Intervals of a trend, and the least samples in one that is shown.
const (
	trendBins  = 40
	trendLeast = 5
)

// residualPoint is a residual with the position and velocity of its joint.
type residualPoint struct{ e, q, dq float64 }

// residualPoints returns the residuals of a joint in the runs of a role. Velocities are differences of the neighbouring
// positions; NaN across gaps and if rows are stored too far apart.
func residualPoints(runs []result.ResidualRun, role string, j int, p result.Processing) []residualPoint {
	const farApart = 0.05 // s: of motions at up to some Hz differences over twice of it keep the sign and the size
	var out []residualPoint
	for i := range runs {
		run := &runs[i]
		if run.Role != role || j >= len(run.Position) {
			continue
		}
		period, rest := meanPeriod(run.T), restMask(run, j, p)
		for k := range run.T {
			if rest != nil && rest[k] {
				continue
			}
			p := residualPoint{e: run.Measured[j][k] - run.Predicted[j][k], q: run.Position[j][k], dq: math.NaN()}
			if k > 0 && k+1 < len(run.T) && period <= farApart && run.T[k+1]-run.T[k-1] < 3*period {
				p.dq = (run.Position[j][k+1] - run.Position[j][k-1]) / (run.T[k+1] - run.T[k-1])
			}
			if finite(p.e) && finite(p.q) {
				out = append(out, p)
			}
		}
	}
	return out
}

// trendOver averages residuals in intervals of a coordinate from its 0.5 to its 99.5 percentile. If symmetric is set,
// intervals are symmetric about zero, so that one ends there and a step at rest shows. effective is the number of
// independent samples. It returns nil for too few samples, or if the coordinate does not vary.
func trendOver(points []residualPoint, of func(residualPoint) float64, symmetric bool, effective float64) *trend {
	x, e := make([]float64, 0, len(points)), make([]float64, 0, len(points))
	for _, p := range points {
		if v := of(p); finite(v) {
			x, e = append(x, v), append(e, p.e)
		}
	}
	if len(x) < 10*trendBins {
		return nil
	}
	cut, ordered := len(x)/200, slices.Clone(x)
	t := &trend{lo: orderstat.Selected(ordered, cut), hi: orderstat.Selected(ordered, len(x)-1-cut), mean: make([]float64, trendBins), sd: make([]float64, trendBins)}
	if symmetric {
		t.hi = math.Max(math.Abs(t.lo), math.Abs(t.hi))
		t.lo = -t.hi
	}
	if !(t.hi > t.lo) {
		return nil
	}
	count := make([]float64, trendBins)
	var n, sum, square float64
	for i, v := range x {
		if v < t.lo || v > t.hi {
			continue
		}
		b := min(trendBins-1, int(trendBins*(v-t.lo)/(t.hi-t.lo)))
		count[b]++
		t.mean[b] += e[i]
		t.sd[b] += e[i] * e[i]
		n, sum, square = n+1, sum+e[i], square+e[i]*e[i]
	}
	whole := square/n - (sum/n)*(sum/n)
	within, used := 0.0, 0.0
	for b := range count {
		if count[b] == 0 {
			t.mean[b], t.sd[b] = math.NaN(), math.NaN()
			continue
		}
		used++
		t.mean[b] /= count[b]
		variance := math.Max(0, t.sd[b]/count[b]-t.mean[b]*t.mean[b])
		within += count[b] * variance
		t.sd[b] = math.Sqrt(variance)
		if count[b] < trendLeast {
			t.mean[b], t.sd[b] = math.NaN(), math.NaN()
		}
	}
	// The correlation ratio minus the share that as many means explain by chance (Kelley 1935, epsilon squared).
	t.share = math.NaN()
	if m := math.Min(effective, n); m > 2*used && whole > 0 {
		t.share = math.Max(0, 1-within/n/whole*(m-1)/(m-used))
	}
	return t
}

// density is the power spectral density of a joint's residuals and of its measured torque, unit²/Hz.
type density struct{ f, residual, torque []float64 }

// Points of a spectrum, at frequencies in one ratio.
const spectrumPoints = 90

// spectrum averages periodograms of half-overlapping stretches of the runs of a role (Welch 1967) with Hann's window. It
// returns nil for runs that are short or not stored whole.
func spectrum(runs []result.ResidualRun, role string, j int) *density {
	period, longest := 0.0, 0
	for i := range runs {
		run := &runs[i]
		if run.Role != role || run.Stride > 1 || run.Long != nil || len(run.T) < 2 {
			continue
		}
		if p := meanPeriod(run.T); period == 0 {
			period = p
		} else if math.Abs(p-period) > 0.01*period {
			return nil // two clocks
		}
		longest = max(longest, len(run.T))
	}
	size := 4096
	for size > longest/3 {
		size /= 2
	}
	if size < 64 {
		return nil
	}
	fft, window, norm := fourier.New(size), make([]float64, size), 0.0
	for k := range window {
		window[k] = 0.5 - 0.5*math.Cos(2*math.Pi*(float64(k)+0.5)/float64(size))
		norm += window[k] * window[k]
	}
	sums, stretches, piece := [2][]float64{make([]float64, size/2+1), make([]float64, size/2+1)}, 0.0, make([]float64, size)
	var c []complex128
	for i := range runs {
		run := &runs[i]
		if run.Role != role || run.Stride > 1 || run.Long != nil {
			continue
		}
		for from := 0; from+size <= len(run.T); from += size / 2 {
			if run.T[from+size-1]-run.T[from] > float64(size+5)*period {
				continue // a gap
			}
			for s := range sums {
				mean := 0.0
				for k := range piece {
					v := run.Measured[j][from+k]
					if s == 0 {
						v -= run.Predicted[j][from+k]
					}
					if !finite(v) {
						v = 0
					}
					piece[k] = v
					mean += v / float64(size)
				}
				for k := range piece {
					piece[k] = (piece[k] - mean) * window[k]
				}
				c = fft.Coefficients(c, piece)
				for k, z := range c {
					sums[s][k] += (real(z)*real(z) + imag(z)*imag(z)) * 2 * period / norm
				}
			}
			stretches++
		}
	}
	if stretches == 0 {
		return nil
	}
	d := &density{}
	ratio := math.Pow(float64(size/2), 1.0/spectrumPoints)
	for a, from := 1, 1.0; a < size/2; {
		from *= ratio
		b := max(a+1, int(from))
		var r, t float64
		for k := a; k < min(b, size/2); k++ {
			r, t = r+sums[0][k], t+sums[1][k]
		}
		n := float64(min(b, size/2)-a) * stretches
		d.f = append(d.f, math.Sqrt(float64(a)*float64(min(b, size/2)-1))/(float64(size)*period))
		d.residual, d.torque = append(d.residual, r/n), append(d.torque, t/n)
		a = b
	}
	return d
}
