package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/filter"
	"ident/observation"
)

// Limits on spectra.
const (
	// Length of a segment in seconds: lines half a hertz apart are resolved.
	segmentSeconds = 4.0
	// Segments with fewer rows get no spectrum.
	spectrumRows = 512
	// A line must exceed its surroundings by this factor of density. The largest of some thousand averages of a handful
	// of exponential variables stays below ten times their median.
	lineFactor = 30
	// The least RMS of a line, relative to the torque's, that is reported.
	lineShare = 0.005
	// The part of the sampling rate above which motion and torque are poorly sampled.
	motionShare = 0.1
)

// checkSpectra looks for lines in the torques that no motion makes, and proposes a cut-off. With two clocks, lines are
// due to the clocks and are not reported.
func checkSpectra(rec *recording, before findings, twoClocks bool) (found findings) {
	if reason, _, _ := motionDoubted(rec, before); reason != "" {
		return nil
	}
	var positions [][]float64
	var of spectra
	rate := 1 / rec.interval()
	for _, j := range rec.joints {
		if j.effort != nil && rec.stats(j.effort).span() > 0 && !twoClocks && !before.distrust(j) {
			if s := of.channel(rec, j.effort, false); len(s.Density) > 0 {
				found.keep(of.lines(rec, j, s))
			}
		}
		if j.q != nil && !rec.isStill(j) {
			if x := slices.Clone(of.longest(rec, j.q)); len(x) >= spectrumRows {
				positions = append(positions, x)
				if !before.has(Quantised, j.q) && !before.has(Held, j.q) { // steps are no fast motion
					found.keep(fastMotion(rec, j, observation.ChooseCutoff([][]float64{x}, rate)))
				}
			}
		}
	}
	if len(positions) == 0 {
		return found
	}
	c := observation.ChooseCutoff(positions, rate)
	f := Finding{ID: Aliasing, Severity: Info, Value: c.Cutoff, Limit: observation.RateShare * rate, Where: "the whole log"}
	f.Why = fmt.Sprintf("the default cut-off for this log is %.4g Hz: %s", c.Cutoff, c.Reason())
	f.Fix = "change nothing; {cutoff} sets another cut-off"
	found.add(f)
	return found
}

// spectra holds working memory for one spectrum after another.
type spectra struct {
	segments   filter.Segments
	derivative []float64
	even       []float64 // samples on a uniform clock
}

// longest returns the longest sound segment of a channel, on a uniform clock.
func (of *spectra) longest(rec *recording, c *channel) []float64 {
	var best []float64
	dt := rec.interval()
	for _, w := range rec.windows {
		for _, s := range rec.believable(w, c) {
			if s[1]-s[0] <= len(best) {
				continue
			}
			t, x := w.t[s[0]:s[1]], w.cols[c.index][s[0]:s[1]]
			if rec.clock.Uniform {
				best = x
				continue
			}
			if n := filter.Grid(t[0], t[len(t)-1], dt); n < 4*len(t) {
				of.even = slices.Grow(of.even[:0], n)[:n]
				best = of.even
				w.knotsOf(s[0], s[1]).Resample(best, x, t[0], dt)
			}
		}
	}
	return best
}

// channel returns the spectrum of the longest sound segment of a channel, or of its derivative.
func (of *spectra) channel(rec *recording, c *channel, derivative bool) filter.Spectrum {
	best, dt := of.longest(rec, c), rec.interval()
	if len(best) < spectrumRows {
		return filter.Spectrum{}
	}
	if derivative {
		d := slices.Grow(of.derivative[:0], len(best))[:len(best)]
		of.derivative = d
		filter.Differentiate4(d, best, dt)
		best = d
	}
	return of.segments.Welch(best, 1/dt, min(int(segmentSeconds/dt), len(best)/2))
}

// lines reports narrow lines above the motion.
func (of *spectra) lines(rec *recording, j joint, s filter.Spectrum) (f Finding, ok bool) {
	total := math.Sqrt(s.Power(s.Step/2, s.Rate))
	lines := s.Lines(math.Max(5, 3*s.Below(0.95)), lineFactor)
	if len(lines) == 0 || lines[0].RMS < lineShare*total || of.moves(rec, j, lines[0].Frequency) {
		return f, false
	}
	f = rec.about(Aliasing, Warning, j.effort)
	f.Value, f.Limit, f.Where = lines[0].RMS/total, lineShare, "the whole log"
	f.Why = fmt.Sprintf("%s has a line at %.4g Hz of %.3g %s RMS, %.2g %% of its changes: mains, a vibration, or an alias of a line above %.4g Hz (%.4g Hz, %.4g Hz, …)",
		j.effort.name, lines[0].Frequency, lines[0].RMS, rec.unitOf(j.effort), 100*f.Value, s.Rate/2, s.Rate-lines[0].Frequency, s.Rate+lines[0].Frequency)
	f.Fix = fmt.Sprintf("a cut-off below %.4g Hz keeps it out of the fit; log faster, or through an analogue low-pass below half the rate", lines[0].Frequency/2)
	return f, true
}

// moves reports whether the joint's velocity has the line too: point-to-point moves at a steady pace have lines of their
// own.
func (of *spectra) moves(rec *recording, j joint, frequency float64) bool {
	if j.q == nil {
		return false
	}
	s := of.channel(rec, j.q, true)
	return len(s.Density) > 0 && slices.ContainsFunc(s.Lines(frequency-2*s.Step, lineFactor/3), func(l filter.Line) bool { return math.Abs(l.Frequency-frequency) < 1.5*s.Step })
}

// fastMotion reports motion that the sampling rate hardly resolves. White noise on the positions is not motion.
func fastMotion(rec *recording, j joint, c observation.RowCutoff) (f Finding, ok bool) {
	rate := 1 / rec.interval()
	if !rec.clock.Uniform || c.Band <= motionShare*rate {
		return f, false
	}
	f = rec.about(Aliasing, Warning, j.q)
	f.Value, f.Limit, f.Where = c.Band, motionShare*rate, "the whole log"
	f.Why = fmt.Sprintf("joint %s moves at up to %.3g Hz, which is sampled only %.2g times a period: its acceleration cannot be computed from these positions", j.name, c.Band, rate/c.Band)
	f.Fix = "log faster, or move more slowly"
	return f, true
}
