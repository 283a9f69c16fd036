package filter

import (
	"math"
	"slices"

	"ident/internal/digits"
)

// LowPass is a zero-phase Butterworth filter: its cut-off in hertz, 0 for none, and its order, both before
// forward-backward doubling.
type LowPass struct {
	Cutoff float64
	Order  int
}

// gain returns the gain at frequency f in hertz.
func (l LowPass) gain(f float64) float64 {
	if l.Cutoff <= 0 {
		return 1
	}
	return 1 / (1 + math.Pow(f/l.Cutoff, float64(2*l.Order)))
}

// Share is the effect of a low-pass on a motion, relative to the power of the filtered acceleration: Distortion by the
// motion that it removes, Noise by the noise that it passes. Each is the relative error of an inertia estimated from the
// filtered acceleration alone: the first because the regressor lacks Σ f⁴·(1-h)·h·P, the second because least squares
// divides by the regressor's power including noise (attenuation: Fuller, Measurement Error Models, 1987, section 1.1).
type Share struct{ Distortion, Noise float64 }

// Total returns the sum of both: distortion makes an inertia too large, noise too small, but for other parameters the
// signs are uncertain.
func (s Share) Total() float64 { return s.Distortion + s.Noise }

// MotionBands is a MotionSpectrum in bands, as power of accelerations, in which errors of the motion count.
type MotionBands struct {
	*bandTable
	sigma  float64   // standard deviation of the white noise
	motion []float64 // (2πf)⁴ or (2πf)² times the power of the band's bins; bands above the motion are left out
}

// bandTable is shared by spectra of the same resolution, because a thousand logs of seven joints need one for each log
// otherwise.
type bandTable struct {
	step       float64 // between bins, Hz
	bins       int
	derivative int
	frequency  []float64 // Hz
	weight     []float64 // sum of (2πf)⁴ or (2πf)² over the band's bins
}

// bandRatio is the ratio of neighbouring bands' frequencies: within a band the response of a low-pass of order 8 changes
// by 17 %.
const bandRatio = 1.02

// table returns the bands of the spectrum for a measured derivative of the position, 0 or 1.
func (s MotionSpectrum) table(derivative int) *bandTable {
	t := &bandTable{step: s.Step, bins: len(s.Periods[0]), derivative: derivative}
	top := 0.0
	for k := 1; k < t.bins; k++ {
		f := float64(k) * s.Step
		if f > top {
			top = f * bandRatio
			t.frequency, t.weight = append(t.frequency, f), append(t.weight, 0)
		}
		t.weight[len(t.weight)-1] += t.acceleration(f)
	}
	t.frequency, t.weight = slices.Clip(t.frequency), slices.Clip(t.weight)
	return t
}

// acceleration returns the factor from the power of the measured channel at a frequency to that of the acceleration.
func (t *bandTable) acceleration(f float64) float64 {
	return math.Pow(2*math.Pi*f, float64(2*(2-t.derivative)))
}

// Bands returns the bands for a measured derivative of the position, 0 or 1, with white noise of standard deviation
// sigma. A band's frequency is its lowest. If like has the same resolution, its table is shared; the zero value has
// none.
func (s MotionSpectrum) Bands(sigma float64, derivative int, like MotionBands) MotionBands {
	if len(s.Periods) == 0 {
		return MotionBands{}
	}
	t := like.bandTable
	if t == nil || t.step != s.Step || t.bins != len(s.Periods[0]) || t.derivative != derivative {
		t = s.table(derivative)
	}
	motion, last := make([]float64, len(t.frequency)), 0
	for k, i := 1, 0; k < t.bins; k++ {
		f := float64(k) * s.Step
		if i+1 < len(t.frequency) && f >= t.frequency[i+1] {
			i++
		}
		p := 0.0
		for _, density := range s.Periods {
			p += density[k] / float64(len(s.Periods))
		}
		if p > motionFloor*sigma*sigma {
			motion[i] += t.acceleration(f) * p
			last = i + 1
		}
	}
	return MotionBands{bandTable: t, sigma: sigma, motion: slices.Clone(motion[:last])}
}

// Still reports whether no motion stands out of the noise.
func (b MotionBands) Still() bool {
	return b.bandTable != nil && !slices.ContainsFunc(b.motion, func(p float64) bool { return p > 0 })
}

// Share returns the share of noise and of distortion after a low-pass of the motion, relative to the accelerations'
// power that it keeps. The rows then go through another low-pass (zero cut-off for none). It is zero without motion.
func (b MotionBands) Share(motion, rows LowPass) Share {
	return shareOver([]MotionBands{b}, motion, rows)
}

// shareOver returns the share of a joint over all its runs: in a run that holds it still, its noise counts relative to
// the motion of the others.
func shareOver(runs []MotionBands, motion, rows LowPass) Share {
	var removed, kept, noise float64
	for _, b := range runs {
		if b.bandTable == nil {
			continue
		}
		for i, f := range b.frequency {
			h, r := motion.gain(f), rows.gain(f)
			if i < len(b.motion) {
				removed += (1 - h) * h * r * r * b.motion[i]
				kept += h * h * r * r * b.motion[i]
			}
			noise += h * h * r * r * b.weight[i] * b.sigma * b.sigma
		}
	}
	if kept == 0 {
		return Share{}
	}
	return Share{removed / kept, noise / kept}
}

// MotionOrder is the order of a motion's low-pass. It is steep so that the cut-off may be a few times above the motion,
// where acceleration noise grows with the fifth power of the cut-off. Motion has no steps at which a filter could ring,
// unlike rows with friction.
const MotionOrder = 4

// Tolerable shares of noise.
const (
	// TolerableNoise is the share in the rows. On a two-joint arm it biases no parameter of a minute's log by more than
	// 0.6 standard deviations; on measured logs a lower cut-off costs accuracy where the motion reverses.
	TolerableNoise = 1e-4
	// tolerableUnfiltered is the share before the rows' filter, which cannot undo the effect of noise on products of
	// velocities and on the sign of friction. It is a hundred times as large, because these effects average out to first
	// order.
	tolerableUnfiltered = 1e-2
)

// worst returns the share of the worst joint, and whether the noise of every joint is tolerable.
func worst(joints [][]MotionBands, motion, rows LowPass) (share Share, tolerable bool) {
	tolerable = true
	for _, b := range joints {
		s := shareOver(b, motion, rows)
		if s.Total() > share.Total() {
			share = s
		}
		tolerable = tolerable && s.Noise <= TolerableNoise && shareOver(b, motion, LowPass{}).Noise <= tolerableUnfiltered
	}
	return share, tolerable
}

// WorstShare returns the share of the worst joint after low-passes of the motion and of the rows. joints must hold the
// bands of all runs of each joint.
func WorstShare(joints [][]MotionBands, motion, rows LowPass) Share {
	share, _ := worst(joints, motion, rows)
	return share
}

// WorstNoise returns the largest share of noise among the joints.
func WorstNoise(joints [][]MotionBands, motion, rows LowPass) float64 {
	most := 0.0
	for _, b := range joints {
		most = max(most, shareOver(b, motion, rows).Noise)
	}
	return most
}

// MotionCutoff returns the cut-off in Hz of the low-pass (of order MotionOrder) for the motion of all joints before it
// is differentiated, ahead of the filter of the rows. It goes down from most in steps of a tenth, at two digits, until
// the noise of every joint is tolerable; of these cut-offs it takes the one with the least distortion plus noise for the
// worst joint. Without noise it returns most.
func MotionCutoff(joints [][]MotionBands, most float64, rows LowPass) (cutoff float64, share Share) {
	const step, reach = 1.1, 1000
	cutoff = most
	share, tolerable := worst(joints, LowPass{most, MotionOrder}, rows)
	for f := digits.Two(most / step); f > most/reach && !tolerable; f = digits.Two(f / step) {
		var s Share
		s, tolerable = worst(joints, LowPass{f, MotionOrder}, rows)
		// An improvement by less than 1 % does not count: the wider filter is kept.
		if s.Total() < 0.99*share.Total() {
			cutoff, share = f, s
		}
	}
	return cutoff, share
}
