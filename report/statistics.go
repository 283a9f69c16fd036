package report

import (
	"math"

	"ident/internal/fourier"
	"ident/result"
)

// residuals are one joint's residuals, run by run, for the runs of one role.
type residuals struct {
	runs   [][]float64
	times  [][]float64
	n      int // finite samples
	mean   float64
	sd     float64
	lo, hi float64
}

// residualsOf returns the residuals of joint j in the runs of a role. Samples that are not finite, and those at rest,
// which are in no error, become NaN and are not counted.
func residualsOf(runs []result.ResidualRun, role string, j int, p result.Processing) residuals {
	r := residuals{lo: math.Inf(1), hi: math.Inf(-1)}
	var sum float64
	for _, run := range runs {
		if run.Role != role || len(run.T) == 0 {
			continue
		}
		e, rest := make([]float64, len(run.T)), restMask(&run, j, p)
		for k := range e {
			e[k] = run.Measured[j][k] - run.Predicted[j][k]
			if !finite(e[k]) || rest != nil && rest[k] {
				e[k] = math.NaN()
				continue
			}
			r.n++
			sum += e[k]
			r.lo, r.hi = math.Min(r.lo, e[k]), math.Max(r.hi, e[k])
		}
		r.runs = append(r.runs, e)
		r.times = append(r.times, run.T)
	}
	if r.n == 0 {
		return r
	}
	r.mean = sum / float64(r.n)
	var square float64
	for _, e := range r.runs {
		for _, v := range e {
			if !math.IsNaN(v) {
				square += (v - r.mean) * (v - r.mean)
			}
		}
	}
	r.sd = math.Sqrt(square / float64(r.n))
	return r
}

// densities counts residuals in bins equal slices of [lo, hi], scaled so that the whole sample, including the tails, has
// area one. outside is the number of samples beyond.
func (r residuals) densities(lo, hi float64, bins int) (density []float64, outside int) {
	density = make([]float64, bins)
	width := (hi - lo) / float64(bins)
	for _, e := range r.runs {
		for _, v := range e {
			if math.IsNaN(v) {
				continue
			}
			if v < lo || v > hi {
				outside++
				continue
			}
			density[min(bins-1, int((v-lo)/width))]++
		}
	}
	for i := range density {
		density[i] /= float64(r.n) * width
	}
	return density, outside
}

// autocorrelation returns ρ(0), …, ρ(lags), pooled over the runs as the package
// comment says; nil where the residuals do not vary. Samples that are not
// finite count as the run's mean. It costs O(n log n): the transform of a run
// padded to twice its length gives all lags at once.
func (r residuals) autocorrelation(lags int) []float64 {
	sum := make([]float64, lags+1)
	var fft *fourier.Real
	for _, e := range r.runs {
		mean, n := 0.0, 0
		for _, v := range e {
			if !math.IsNaN(v) {
				mean += v
				n++
			}
		}
		if n == 0 {
			continue
		}
		mean /= float64(n)
		size := 1
		for size < len(e)+min(lags, len(e)) {
			size *= 2
		}
		padded := make([]float64, size)
		for k, v := range e {
			if !math.IsNaN(v) {
				padded[k] = v - mean
			}
		}
		if fft == nil || fft.Len() != size {
			fft = fourier.New(size)
		}
		c := fft.Coefficients(nil, padded)
		for i, z := range c { // the power is even, so that the inverse transform is the transform
			padded[i] = real(z)*real(z) + imag(z)*imag(z)
			padded[(size-i)%size] = padded[i]
		}
		for l, z := range fft.Coefficients(c, padded)[:min(lags+1, len(e))] { // size times the autocovariance sum
			sum[l] += real(z) / float64(size)
		}
	}
	if !(sum[0] > 0) || math.IsInf(sum[0], 0) {
		return nil
	}
	zero := sum[0]
	for l := range sum {
		sum[l] /= zero
	}
	return sum
}

// period returns the mean time between samples, and longest the length of the
// longest run.
func (r residuals) period() (period float64, longest int) {
	var time float64
	var steps int
	for _, t := range r.times {
		longest = max(longest, len(t))
		if n := len(t); n > 1 && finite(t[n-1]-t[0]) && t[n-1] > t[0] {
			time += t[n-1] - t[0]
			steps += n - 1
		}
	}
	if steps == 0 {
		return 0, longest
	}
	return time / float64(steps), longest
}
