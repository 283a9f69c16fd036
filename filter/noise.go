package filter

import (
	"fmt"
	"math"
	"slices"

	"ident/internal/fourier"
	"ident/internal/orderstat"
)

// MotionSpectrum is the spectrum of a smooth signal under noise, such as a measured
// position: periodograms of third differences under Hann's window, divided by the
// differences' gain (2 sin πf/rate)⁶. White noise of variance σ² has the mean σ² in
// every bin, independent of rate and length. A periodogram of the signal itself would
// drown the noise in the leakage of the motion; differences shrink motion of frequency
// f by (2πf/rate)³ and leave noise near half the rate alone.
type MotionSpectrum struct {
	Rate    float64     // of the samples, Hz
	Step    float64     // from bin to bin, Hz
	Periods [][]float64 // one periodogram a segment; bin k at the frequency k·Step, bin 0 unused
}

// Limits for MotionSpectrum.
const (
	// longestPeriodogram bounds a segment, in samples. Half a minute at 1 kHz resolves 0.03 Hz, a tenth of
	// the slowest excitation.
	longestPeriodogram = 32768
	// shortestPeriodogram leaves some thirty bins between noiseFrom and noiseTo.
	shortestPeriodogram = 128
	// noiseFrom and noiseTo bound the band of the noise, in cycles per sample: above any motion that a drive
	// follows, and short of the last bin, which has one degree of freedom in place of two.
	noiseFrom, noiseTo = 0.25, 0.49
	// A bin is motion where its density is motionFloor times that of the noise: the largest of n bins of
	// noise is near ln n, 10.4 for the longest segment.
	motionFloor = 20
)

// NewMotionSpectrum estimates the spectrum of samples at a rate in hertz. It has no segments where the
// signal is shorter than 131 samples. It panics unless the rate is positive.
func NewMotionSpectrum(x []float64, rate float64) MotionSpectrum {
	return new(MotionSpectra).Of(x, rate)
}

// MotionSpectra computes the spectra of several channels and reuses, for signals of one length, the window, the gains of
// the differences and the transform. The zero value is ready to use; only one goroutine may use it.
type MotionSpectra struct {
	window, scale, part []float64
	coef                []complex128
	fft                 *fourier.Real
}

// Of does what NewMotionSpectrum does, with the memory of m.
func (m *MotionSpectra) Of(x []float64, rate float64) MotionSpectrum {
	if !(rate > 0) {
		panic(fmt.Sprintf("filter: a spectrum needs a positive rate, not %.4g Hz", rate))
	}
	const order = differences
	n := smoothLength(min(len(x)-order, longestPeriodogram))
	if n < shortestPeriodogram {
		return MotionSpectrum{Rate: rate}
	}
	s := MotionSpectrum{Rate: rate, Step: rate / float64(n)}
	m.resize(n)
	part, coef := m.part, m.coef
	// Segments are spread evenly so that the last ends with the signal; they overlap by half or less.
	room := len(x) - order - n
	segments := 1 + (room+n-1)/n
	for i := range segments {
		at := 0
		if segments > 1 {
			at = room * i / (segments - 1)
		}
		for k := range part {
			y := x[at+k : at+k+order+1]
			part[k] = ((y[3] - y[0]) - 3*(y[2]-y[1])) * m.window[k]
		}
		m.fft.Coefficients(coef, part)
		density := make([]float64, len(coef))
		for k := 1; k < len(coef); k++ {
			re, im := real(coef[k]), imag(coef[k])
			density[k] = (re*re + im*im) * m.scale[k]
		}
		s.Periods = append(s.Periods, density)
	}
	return s
}

// differences is the number of differences taken of a signal, which remove its slow motion.
const differences = 3

// resize prepares segments of n samples.
func (m *MotionSpectra) resize(n int) {
	if len(m.window) == n {
		return
	}
	*m = MotionSpectra{window: make([]float64, n), scale: make([]float64, n/2+1), part: make([]float64, n), coef: make([]complex128, n/2+1), fft: fourier.New(n)}
	power := 0.0
	for i := range m.window {
		m.window[i] = 0.5 - 0.5*math.Cos(2*math.Pi*(float64(i)+0.5)/float64(n))
		power += m.window[i] * m.window[i]
	}
	for k := 1; k < len(m.scale); k++ {
		gain := 2 * math.Sin(math.Pi*float64(k)/float64(n))
		m.scale[k] = 1 / (power * math.Pow(gain, 2*differences))
	}
}

// smoothLength returns the largest length up to n with only the factors two, three and five, for a transform in n·log n.
func smoothLength(n int) int {
	best := 0
	for five := 1; five <= n; five *= 5 {
		for three := five; three <= n; three *= 3 {
			two := three
			for 2*two <= n {
				two *= 2
			}
			best = max(best, two)
		}
	}
	return best
}

// Noise returns the standard deviation of white noise, in the signal's unit: the median of all bins between a quarter
// and 0.49 of the rate, which a hum or a resonance does not move, over ln 2, the median of the exponential distribution
// that periodograms of noise have. Its relative standard error is about one over the root of the number of bins: 0.72
// for independent bins, times the root of 1.9 for the neighbours that Hann's window correlates. Noise that is stronger
// at low frequencies is underestimated: by half where it is autoregressive of the first order with coefficient 0.7. It
// is NaN without segments.
func (s MotionSpectrum) Noise() float64 {
	return math.Sqrt(s.level(noiseFrom*s.Rate, noiseTo*s.Rate))
}

// level returns the density of noise between two frequencies in hertz, NaN if no bin lies there.
func (s MotionSpectrum) level(low, high float64) float64 {
	var bins []float64
	for _, p := range s.Periods {
		first, last := int(math.Ceil(low/s.Step)), min(int(high/s.Step), len(p)-1)
		if first = max(first, 1); first <= last {
			bins = append(bins, p[first:last+1]...)
		}
	}
	if len(bins) == 0 {
		return math.NaN()
	}
	return orderstat.Selected(bins, len(bins)/2) / math.Ln2 // the median
}

// Band returns the band of the motion in Hz: the frequency below which 98 % of the velocity's power Σ f²·P lies, over
// the bins that stand out of noise of standard deviation sigma. Weights f⁴, for accelerations, would lie beyond the
// motion if the noise is coloured. It returns 0 if no bin stands out.
func (s MotionSpectrum) Band(sigma float64) float64 {
	const part = 0.98
	if len(s.Periods) == 0 {
		return 0
	}
	power := make([]float64, len(s.Periods[0]))
	total := 0.0
	for k := 1; k < len(power); k++ {
		p := 0.0
		for _, density := range s.Periods {
			p += density[k] / float64(len(s.Periods))
		}
		if p > motionFloor*sigma*sigma {
			power[k] = float64(k) * float64(k) * p
			total += power[k]
		}
	}
	sum := 0.0
	for k, p := range power {
		if sum += p; total > 0 && sum >= part*total {
			return float64(k) * s.Step
		}
	}
	return 0
}

// Derivative returns the root mean square of a derivative of the motion, per second to its order, up to the frequency of
// Band for noise of standard deviation sigma: beyond it, coloured noise stands out.
func (s MotionSpectrum) Derivative(sigma float64, order int) float64 {
	band, sum := s.Band(sigma), 0.0
	for _, density := range s.Periods {
		for k := 1; k < len(density) && float64(k)*s.Step <= band; k++ {
			if density[k] > motionFloor*sigma*sigma {
				sum += math.Pow(2*math.Pi*float64(k)*s.Step, float64(2*order)) * density[k] / float64(len(density)-1)
			}
		}
	}
	return math.Sqrt(sum / float64(max(len(s.Periods), 1)))
}

// ChannelNoise is the random error of a channel.
type ChannelNoise struct {
	Sigma   float64 // standard deviation, in the signal's unit
	Quantum float64 // step of the values, 0 where they have none
	Band    float64 // frequency below which 98 % of the velocity's power lies, Hz; 0 if no motion stands out
}

// MeasureNoise estimates the noise of a position, or of another smooth channel, sampled at a rate in hertz.
// Sigma is that of the spectrum, but no less than Quantum/√12, the deviation of rounding (Widrow and Kollár,
// Quantization Noise, 2008): where the signal stays within a step for many samples, the error of rounding
// lies at low frequencies, and the spectrum does not tell it from motion. A signal too short for a spectrum
// has the rounding alone.
func MeasureNoise(x []float64, rate float64) ChannelNoise {
	return NoiseOf(x, NewMotionSpectrum(x, rate))
}

// NoiseOf does what MeasureNoise does, for a signal whose spectrum is known.
func NoiseOf(x []float64, s MotionSpectrum) ChannelNoise {
	c := ChannelNoise{Quantum: Quantum(x)}
	c.Sigma = c.Quantum / math.Sqrt(12)
	if white := s.Noise(); white > c.Sigma {
		c.Sigma = white
	}
	c.Band = s.Band(c.Sigma)
	return c
}

// Quantum returns the step of values that lie on a grid, such as counts of an encoder or decimals of a printed
// number: the smallest distance of two different values, if 99 % of the distances between neighbours in
// order are whole multiples of it within a tenth. It is 0 for values on no grid, and for fewer than eight
// different values or fewer than two of them a step: a grid that is never visited twice cannot be told from
// values that are arbitrary. The first 16,384 samples are looked at.
func Quantum(x []float64) float64 {
	const enough = 1 << 14 // samples: sorting more costs more than the spectrum
	x = x[:min(len(x), enough)]
	if notFinite := func(v float64) bool { return v-v != 0 }; slices.ContainsFunc(x, notFinite) {
		x = slices.DeleteFunc(slices.Clone(x), notFinite)
	}
	values := sortSpread(x)
	n := len(values)
	if n == 0 {
		return 0
	}
	largest := math.Max(math.Abs(values[0]), math.Abs(values[n-1]))
	// Values on a grid are off by rounding: up to 4 units in the last place of the largest.
	kept, before, step := values[:1], values[0], math.Inf(1)
	for _, v := range values[1:] {
		if v-before > 4*0x1p-52*largest {
			kept, step = append(kept, v), min(step, v-kept[len(kept)-1])
		}
		before = v
	}
	if values = kept; len(values) < 8 {
		return 0
	}
	// Because of rounding, the smallest distance is slightly too short: the step is the mean of the distances near it.
	sum, count := 0.0, 0
	for i := 1; i < len(values); i++ {
		if d := values[i] - values[i-1]; d < 1.5*step {
			sum, count = sum+d, count+1
		}
	}
	if count < 2 {
		return 0
	}
	step = sum / float64(count)
	on := len(values) - 1
	for i := 1; i < len(values); i++ {
		d := (values[i] - values[i-1]) / step
		if !(math.Abs(d-math.Round(d)) < 0.1) {
			on--
			if float64(on) < 0.99*float64(len(values)-1) {
				return 0
			}
		}
	}
	return step
}
