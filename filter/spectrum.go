package filter

import (
	"fmt"
	"math"
	"slices"

	"ident/internal/fourier"
	"ident/internal/lanes"
)

// Spectrum is a one-sided power spectral density: Density[k] at the frequency k·Step, in the square of the
// signal's unit per hertz. Its sum times Step is the signal's variance.
type Spectrum struct {
	Rate     float64 // of the samples, Hz
	Step     float64 // Hz
	Density  []float64
	Segments int // number of averaged segments
}

// Welch estimates the spectrum of samples at a rate in hertz, from segments of the given length that overlap by half,
// each minus its mean, with Hann's window (Welch, IEEE Trans. Audio Electroacoustics 15, 1967). The segment is at most
// the signal's length. The result is empty for fewer than 16 samples. It panics unless the rate is positive.
func Welch(x []float64, rate float64, segment int) Spectrum {
	return new(Segments).Welch(x, rate, segment)
}

// Segments holds the window, the transform and the memory of Welch's method, to be reused for signals with the same
// segment. The zero value is ready to use; only one goroutine may use it.
type Segments struct {
	window, part []float64
	power        float64 // of the window
	fft          *fourier.Real
	coef         []complex128
}

// Welch does what the function Welch does.
func (g *Segments) Welch(x []float64, rate float64, segment int) Spectrum {
	if !(rate > 0) {
		panic(fmt.Sprintf("filter: a spectrum needs a positive rate, not %.4g Hz", rate))
	}
	n := min(segment, len(x))
	if n < 16 {
		return Spectrum{Rate: rate}
	}
	g.prepare(n)
	s := Spectrum{Rate: rate, Step: rate / float64(n), Density: make([]float64, n/2+1)}
	for at := 0; at+n <= len(x); at += n - n/2 {
		mean := lanes.Sum(x[at:at+n]) / float64(n)
		for k, w := range g.window {
			g.part[k] = (x[at+k] - mean) * w
		}
		g.fft.Coefficients(g.coef, g.part)
		for k, c := range g.coef {
			s.Density[k] += real(c)*real(c) + imag(c)*imag(c)
		}
		s.Segments++
	}
	scale := 2 / (g.power * rate * float64(s.Segments))
	for k := range s.Density {
		s.Density[k] *= scale
		if k == 0 || 2*k == n {
			s.Density[k] /= 2
		}
	}
	return s
}

// prepare makes window and transform of n samples.
func (g *Segments) prepare(n int) {
	if len(g.window) == n {
		return
	}
	*g = Segments{window: make([]float64, n), part: make([]float64, n), fft: fourier.New(n), coef: make([]complex128, n/2+1)}
	for k := range g.window {
		g.window[k] = 0.5 - 0.5*math.Cos(2*math.Pi*(float64(k)+0.5)/float64(n))
		g.power += g.window[k] * g.window[k]
	}
}

// Power returns the variance between two frequencies in hertz, inclusive.
func (s Spectrum) Power(low, high float64) float64 {
	sum := 0.0
	for k, d := range s.Density {
		if f := float64(k) * s.Step; f >= low && f <= high {
			sum += d * s.Step
		}
	}
	return sum
}

// Below returns the lowest frequency in Hz below which the given fraction of the power lies, zero frequency excluded.
func (s Spectrum) Below(part float64) float64 {
	if len(s.Density) == 0 {
		return 0
	}
	total := s.Power(s.Step/2, s.Rate)
	sum := 0.0
	for k := 1; k < len(s.Density); k++ {
		if sum += s.Density[k] * s.Step; sum >= part*total {
			return float64(k) * s.Step
		}
	}
	return s.Rate / 2
}

func median(sorted []float64) float64 { return sorted[len(sorted)/2] }

// Line is a narrow peak of a spectrum.
type Line struct {
	Frequency float64 // Hz
	RMS       float64 // root mean square of its sinusoid, in the signal's unit
}

// Lines returns narrow peaks above a frequency in hertz, the strongest first: local maxima of at least factor times the
// median density of the 16 bins on either side. A sinusoid with Hann's window spreads over four bins: RMS is that of the
// five bins around the maximum, minus the median.
func (s Spectrum) Lines(above, factor float64) []Line {
	const reach, own = 16, 3
	var out []Line
	var room [2*reach + 1]float64
	for k := max(own+1, int(above/s.Step)+1); k < len(s.Density)-own; k++ {
		d := s.Density[k]
		if d < s.Density[k-1] || d <= s.Density[k+1] {
			continue
		}
		around := room[:0]
		for i := max(1, k-reach); i <= min(len(s.Density)-1, k+reach); i++ {
			if i < k-own || i > k+own {
				around = append(around, s.Density[i])
			}
		}
		// No neighbouring bin reaches a quarter of the peak: a broad hump is not a line.
		if d < 4*slices.Max(around) {
			continue
		}
		slices.Sort(around)
		base := median(around)
		if d < factor*base {
			continue
		}
		power := 0.0
		for i := k - 2; i <= k+2; i++ {
			power += math.Max(s.Density[i]-base, 0) * s.Step
		}
		out = append(out, Line{float64(k) * s.Step, math.Sqrt(power)})
	}
	slices.SortStableFunc(out, func(a, b Line) int {
		switch {
		case a.RMS > b.RMS:
			return -1
		case a.RMS < b.RMS:
			return 1
		}
		return 0
	})
	return out
}
