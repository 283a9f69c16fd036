package filter

import "math"

// Share is what a zero-phase low-pass makes of a measured motion, relative to the power of the filtered
// acceleration: Distortion of the motion that it removes, Noise of the noise that it passes. Each is the
// relative error of an inertia that is estimated from the filtered acceleration alone: the first because the
// regressor is short of Σ f⁴·(1-h)·h·P, the second because least squares divides by the regressor's power,
// noise included (attenuation: Fuller, Measurement Error Models, 1987, section 1.1).
type Share struct{ Distortion, Noise float64 }

// Total is the sum of the two: distortion makes an inertia too large, noise too small, but of other
// parameters neither sign is certain.
func (s Share) Total() float64 { return s.Distortion + s.Noise }

// MotionBands is a MotionSpectrum in bands: the power of accelerations, in which errors of the motion weigh.
type MotionBands struct {
	frequency     []float64 // Hz
	motion, noise []float64 // (2πf)⁴ or (2πf)² times the power of the band's bins
}

// bandRatio is that of neighbouring bands: the response of a low-pass of order 8 changes by 17 % within one.
const bandRatio = 1.02

// Bands of a measured derivative of the position, 0 or 1, under white noise of the given standard deviation.
// The frequency of a band is the mean of its bins by their power of acceleration.
func (s MotionSpectrum) Bands(sigma float64, derivative int) MotionBands {
	var b MotionBands
	if len(s.Periods) == 0 {
		return b
	}
	top := 0.0
	last := -1
	for k := 1; k < len(s.Periods[0]); k++ {
		f := float64(k) * s.Step
		p := 0.0
		for _, density := range s.Periods {
			p += density[k] / float64(len(s.Periods))
		}
		w := math.Pow(2*math.Pi*f, float64(2*(2-derivative)))
		if f > top {
			top = f * bandRatio
			b.frequency, b.motion, b.noise = append(b.frequency, f), append(b.motion, 0), append(b.noise, 0)
			last++
		}
		b.noise[last] += w * sigma * sigma
		if p > motionFloor*sigma*sigma {
			b.motion[last] += w * p
		}
	}
	return b
}

// Still tells that no motion stands out of the noise.
func (b MotionBands) Still() bool {
	for _, p := range b.motion {
		if p > 0 {
			return false
		}
	}
	return true
}

// Share of a zero-phase Butterworth low-pass with the order stated before forward-backward doubling and the
// cut-off in hertz, 0 for none. It is zero without motion.
func (b MotionBands) Share(cutoff float64, order int) Share {
	var removed, motion, noise float64
	for i, f := range b.frequency {
		h := 1.0
		if cutoff > 0 {
			h = 1 / (1 + math.Pow(f/cutoff, float64(2*order)))
		}
		removed += (1 - h) * h * b.motion[i]
		motion += h * h * b.motion[i]
		noise += h * h * b.noise[i]
	}
	if motion == 0 {
		return Share{}
	}
	return Share{removed / motion, noise / motion}
}

// worst is the share of the joint that fares worst.
func worst(joints []MotionBands, cutoff float64, order int) Share {
	var out Share
	for _, b := range joints {
		if s := b.Share(cutoff, order); s.Total() > out.Total() {
			out = s
		}
	}
	return out
}

// MotionOrder is the order of a motion's low-pass: steep enough that it may be a few times above the motion,
// where noise of accelerations grows with the fifth power of the cut-off. Motion has no steps at which it
// could ring, unlike rows with friction.
const MotionOrder = 4

// MotionCutoff chooses the cut-off, Hz, of a zero-phase Butterworth low-pass for the motion of all joints
// before it is differentiated, at most the given one: that with the least share of distortion and noise in
// the joint that fares worst. Without noise it is the most. The frequencies tried are a tenth apart.
func MotionCutoff(joints []MotionBands, order int, most float64) (cutoff float64, share Share) {
	const step, range_ = 1.1, 1000
	cutoff, share = most, worst(joints, most, order)
	for f := most / step; f > most/range_; f /= step {
		// A hundredth less is no gain: the wider filter stays.
		if s := worst(joints, f, order); s.Total() < 0.99*share.Total() {
			cutoff, share = f, s
		}
	}
	return cutoff, share
}
