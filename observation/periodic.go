package observation

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"

	"ident/datasets"
	"ident/filter"
)

// Averaging says how a run is averaged over the periods of its motion.
type Averaging struct {
	Period float64 // period, s; 0 to find it from the positions
	Band   float64 // Hz: harmonics above it are left out; 0 for those of the positions that stand out of the noise
	Pad    float64 // seconds of the average that are repeated before and after it, for filters to settle
	// Measured averages the measured velocities too; otherwise velocities are derivatives of the averaged positions.
	Measured bool
}

// Averaged is a run of one period, the average of several.
type Averaged struct {
	Run     Run     // the average, Pad repeated at both ends; velocities and accelerations are channels
	Period  float64 // s
	Periods int
	Band    float64 // Hz, of the highest harmonic kept
	Pad     float64 // seconds repeated at each end, a whole number of samples
}

// A PeriodError says that a run cannot be averaged over periods.
type PeriodError struct {
	Log string
	Why string
}

func (e *PeriodError) Error() string {
	return fmt.Sprintf("%s cannot be averaged over periods of its motion: %s", e.Log, e.Why)
}

// maxSpread is the deviation between periods of a position, relative to the position's own, above which they are
// different motions. Encoders leave less than 1e-3; a period wrong by a thousandth leaves 2π·1e-3 a period and harmonic.
const maxSpread = 0.01

// AveragePeriods averages a run over the whole periods of its motion and differentiates the average by its Fourier
// series (Swevers, Ganseman, Tükel, De Schutter and Van Brussel, IEEE Trans. Robotics and Automation 13, 1997). Noise
// falls with the root of the number of periods; the derivatives have neither phase nor attenuation below the band. The
// log must have no gaps; its last, incomplete period is left out.
func AveragePeriods(run *Run, a Averaging) (*Averaged, error) {
	fail := func(format string, args ...any) (*Averaged, error) {
		return nil, &PeriodError{run.Name, fmt.Sprintf(format, args...)}
	}
	if run.Payload.Channel != "" {
		return fail("its payload changes (channel %s), and with it the torques of a period", run.Payload.Channel)
	}
	channels := run.Channels(a.Measured, false)
	segments, _, err := Segments(0, run, channels, false)
	if err != nil {
		return nil, err
	}
	if len(segments) > 1 {
		return fail("it has gaps in time")
	}
	x, err := segments[0].Columns(run.Log, channels...)
	if err != nil {
		return nil, err
	}
	seg := &segments[0]
	n, joints := seg.N, len(run.Roles.Q)
	if a.Period == 0 {
		p, why := findPeriod(x[1 : 1+joints])
		if why != "" {
			return fail("%s", why)
		}
		a.Period = p * seg.DT
	}
	per := int(math.Round(a.Period / seg.DT))
	if per < MinSamples {
		return fail("a period of %g s has %d samples", a.Period, per)
	}
	count := int(float64(n)*seg.DT/a.Period + 1e-6)
	if count < 2 {
		return fail("it lasts %.4g s, less than two periods of %.4g s", float64(n)*seg.DT, a.Period)
	}
	// If a period is a whole number of samples, to a hundredth of a sample over the log, keep the grid.
	dt := a.Period / float64(per)
	if math.Abs(dt-seg.DT)*float64(per*count) > 0.01*seg.DT {
		count = min(count, int((float64(n-1)*seg.DT/dt+1+1e-6)/float64(per)))
		t, grid := make([]float64, n), make([]float64, per*count)
		for i := range t {
			t[i] = float64(i) * seg.DT
		}
		for c := range x {
			filter.Resample(grid, t, x[c], 0, dt)
			x[c] = append(x[c][:0], grid...)
		}
	}
	for c := range x {
		x[c] = x[c][:per*count]
	}
	out := &Averaged{Run: *run, Period: a.Period, Periods: count}
	means := make([][]float64, len(x))
	spread := make([]float64, per)
	for c := 1; c < len(x); c++ {
		means[c] = make([]float64, per)
		filter.PeriodAverage(means[c], spread, x[c], per)
		if c > joints {
			continue
		}
		if between, own := rms(spread, 0), deviation(means[c]); own > 0 && between > maxSpread*own {
			return fail("periods of %.6g s differ by %.2g %% of the motion of %s; check the period, and cut the way to the periodic motion off", a.Period, 100*between/own, channels[c])
		}
	}
	harmonics := min(int(a.Band*a.Period), (per-1)/2)
	if a.Band == 0 {
		for _, q := range means[1 : 1+joints] {
			harmonics = max(harmonics, highestHarmonic(q))
		}
	}
	if harmonics < 1 {
		return fail("a band of %.4g Hz holds no harmonic of a period of %g s", a.Band, a.Period)
	}
	out.Band = float64(harmonics) / a.Period
	pad := min(per, int(math.Ceil(a.Pad/dt)))
	out.Pad = float64(pad) * dt
	out.Run.Log = out.columns(run, channels, means, harmonics, pad, dt, a.Measured)
	out.Run.First, out.Run.Last = run.First, run.First+segments[0].First+per*count
	return out, nil
}

// columns makes the log of the average and gives its run velocity and acceleration channels.
func (o *Averaged) columns(run *Run, channels []string, means [][]float64, harmonics, pad int, dt float64, measured bool) *datasets.Log {
	per, joints := len(means[1]), len(run.Roles.Q)
	roles := run.Roles
	roles.DQ, roles.DDQ = make([]string, joints), make([]string, joints)
	names := append([]string(nil), channels...)
	for k := range joints {
		q, dq, ddq := means[1+k], make([]float64, per), make([]float64, per)
		if measured {
			v := means[indexOf(channels, run.Roles.DQ[k])]
			filter.SpectralDerivative(ddq, v, dt, 1, harmonics)
			filter.SpectralDerivative(dq, v, dt, 0, harmonics)
		} else {
			filter.SpectralDerivative(dq, q, dt, 1, harmonics)
			filter.SpectralDerivative(ddq, q, dt, 2, harmonics)
		}
		filter.SpectralDerivative(q, q, dt, 0, harmonics)
		roles.DQ[k], roles.DDQ[k] = "d/dt "+run.Roles.Q[k], "d²/dt² "+run.Roles.Q[k]
		names, means = append(names, roles.DQ[k], roles.DDQ[k]), append(means, dq, ddq)
	}
	o.Run.Roles = roles
	described, cols := make([]datasets.Channel, len(names)), make([][]float64, len(names))
	for c, name := range names {
		described[c].Name = name
		cols[c] = make([]float64, per+2*pad)
		for i := range cols[c] {
			if c == 0 {
				cols[c][i] = float64(i-pad) * dt
			} else {
				cols[c][i] = means[c][((i-pad)%per+per)%per]
			}
		}
	}
	return datasets.FromColumns(run.Log.Name(), described, cols, run.Log.Meta())
}

// findPeriod returns the common period of positions, in samples, or the reason why there is none. It uses one
// combination of them, which repeats when all do, barring coincidence.
func findPeriod(q [][]float64) (period float64, why string) {
	n := len(q[0])
	sum := make([]float64, n)
	for k := range q {
		scale := deviation(q[k])
		if scale == 0 {
			continue
		}
		for i, v := range q[k] {
			sum[i] += v / scale * (1 + 0.37*float64(k))
		}
	}
	// Autocorrelation costs the square of the samples, so search coarsely first.
	every := max(1, n/2000)
	var coarse []float64
	for i := 0; i < n; i += every {
		coarse = append(coarse, sum[i])
	}
	p, quality := filter.Period(coarse, MinSamples, len(coarse)/2)
	if quality < 0.99 {
		return 0, fmt.Sprintf("no period is seen in it: the best, of %.4g samples, correlates by %.3g", p*float64(every), quality)
	}
	// Then use the lag of as many periods as half the log holds, which divides the error among them. Start with one
	// period, so that the window is narrower than a period.
	p *= float64(every)
	for _, periods := range []float64{1, math.Floor(float64(n) / 2 / p)} {
		if periods < 1 {
			break
		}
		half := max(2, int(2*float64(every)))
		lag := int(periods*p + 0.5)
		if fine, _ := filter.Period(sum, max(1, lag-half), min(lag+half, n/2)); fine > 0 {
			p = fine / periods
		}
	}
	if whole := math.Round(p); math.Abs(p-whole) < 0.05 {
		p = whole // designs repeat after whole samples
	}
	return p, ""
}

// highestHarmonic returns the number of the last harmonic of one period that stands out of the noise, measured in the
// upper half of the spectrum, where motions have nothing. The power of noise at a harmonic is exponentially distributed:
// one in 5e8 exceeds twenty times its mean, which is the median over log 2.
func highestHarmonic(x []float64) int {
	fft := fourier.NewFFT(len(x))
	c := fft.Coefficients(nil, x)
	power := make([]float64, len(c))
	for k := range c {
		power[k] = real(c[k])*real(c[k]) + imag(c[k])*imag(c[k])
	}
	upper := slices.Sorted(slices.Values(power[len(power)/2:]))
	floor := upper[len(upper)/2] / math.Ln2
	for k := len(power) - 1; k > 0; k-- {
		if power[k] > 20*floor {
			return min(k, (len(x)-1)/2)
		}
	}
	return 0
}

func indexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	panic("observation: no channel " + name)
}

// deviation returns the standard deviation of samples.
func deviation(x []float64) float64 {
	mean := 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	return rms(x, mean)
}

func rms(x []float64, mean float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(len(x)))
}
