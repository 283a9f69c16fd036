package watch

import (
	"math"
	"slices"
)

// longQuiet is the length of quiet logs from which on thresholds approach the stated rate, s. Those of shorter logs are bounds.
const longQuiet = 590

// tailPeaks is how many of the highest peaks of all tests of contacts give their tail: the scale then has a standard deviation of a fourteenth.
const tailPeaks = 200

// leastLevel is the least number of peaks of a test that pass its level on quiet logs, of all tests twice tailPeaks: the level then has a standard
// deviation of a tenth of a deviation.
const leastLevel = 20

// Tail is what the peaks of all tests of contacts on long quiet logs say of the rate at which one of them is passed. The excess of a value z of a test
// is z² − level². The excesses of peaks of Gaussian noise are distributed exponentially.
type Tail struct {
	Excesses []float64 `json:"excesses"` // of the highest peaks, ascending, less that of the lowest
	Lowest   float64   `json:"lowest"`
	Seconds  float64   `json:"seconds"`
}

// driftPart is the part of the rate of false alarms that is left to the tests of drift. They are bounds always: their windows have too few independent
// values for a tail.
const driftPart = 0.2

// AtMost reports whether thresholds bound the rate of false alarms, as the quiet logs are shorter than ten minutes; otherwise they approach it.
func (n *Noise) AtMost() bool { return n.Tail == nil }

// silentLevel is what the value of a test exceeds, in deviations, once in a hundred rows with 21 tests of a quiet robot.
const silentLevel = 3.5

// limits returns the thresholds of the tests at a rate of events a second, and what their values must exceed to say anything: half of that.
func (n *Noise) limits(rate float64) (limit, silent []float64) {
	fit, drifts := 0.0, 0.0
	for _, t := range n.Tests {
		if t.Unfit == "" {
			fit++
			if t.Drift {
				drifts++
			}
		}
	}
	excess := 0.0
	if n.Tail != nil {
		excess = n.Tail.excess((1 - driftPart) * rate)
	}
	for i := range n.Tests {
		level, t := math.Inf(1), &n.Tests[i]
		switch {
		case t.Unfit != "":
		case n.Tail == nil:
			level = t.threshold(rate / fit)
		case t.Drift:
			level = max(3, t.student(driftPart*rate/drifts))
		default:
			level = max(3, math.Sqrt(max(0, t.Level*t.Level+excess)))
		}
		limit, silent = append(limit, level), append(silent, max(silentLevel, level/2))
	}
	return limit, silent
}

// shapeDeviation is the standard deviation of the shape of a generalised Pareto distribution before the quiet logs are seen. The peaks of Gaussian
// noise have the shape 0 in the square. If a noise has a sixth moment, its shape there is at most 1/3. Shapes below 0 are left out: a mean over many
// rows has no lighter tail than Gaussian noise, and if a few hundred peaks look lighter by chance, the threshold would be too low.
const shapeDeviation = 0.15

// excess returns the excess that peaks pass at a rate a second: by the mean over the posterior distribution of a generalised Pareto tail, so that
// the mean over quiet logs is at most the rate.
func (t *Tail) excess(rate float64) float64 {
	n := float64(len(t.Excesses))
	mean := 0.0
	for _, y := range t.Excesses {
		mean += y / n
	}
	part := rate * t.Seconds / n
	if part >= 1 || !(mean > 0) {
		return t.Lowest
	}
	type tail struct{ shape, scale, weight float64 }
	var all []tail
	most := math.Inf(-1)
	for i := range 31 {
		shape := 0.02 * float64(i)
		for k := -40; k <= 40; k++ {
			scale := mean * math.Exp(0.025*float64(k))
			l := -n*math.Log(scale) - shape*shape/(2*shapeDeviation*shapeDeviation)
			for _, y := range t.Excesses {
				if shape == 0 {
					l -= y / scale
				} else {
					l -= (1 + 1/shape) * math.Log1p(shape*y/scale)
				}
			}
			all, most = append(all, tail{shape, scale, l}), max(most, l)
		}
	}
	sum := 0.0
	for i := range all {
		all[i].weight = math.Exp(all[i].weight - most)
		sum += all[i].weight
	}
	beyond := func(y float64) (p float64) {
		for _, x := range all {
			if x.shape == 0 {
				p += x.weight * math.Exp(-y/x.scale)
			} else {
				p += x.weight * math.Pow(1+x.shape*y/x.scale, -1/x.shape)
			}
		}
		return p / sum
	}
	low, high := 0.0, mean
	for beyond(high) > part {
		high *= 2
	}
	for range 60 {
		if y := (low + high) / 2; beyond(y) > part {
			low = y
		} else {
			high = y
		}
	}
	return t.Lowest + high
}

// clusters are peaks of all tests together: of the largest excess, from where it passes zero to where it has been below for a tenth of a second.
type clusters struct {
	peaks []float64
	last  float64
	calm  float64
	on    bool
}

// end ends a cluster.
func (c *clusters) end() {
	if c.on {
		c.peaks = append(c.peaks, c.last)
	}
	c.on, c.calm = false, 0
}

// add takes in a row of dt seconds.
func (c *clusters) add(excess, dt float64) {
	switch {
	case excess > 0 && !c.on:
		c.on, c.last, c.calm = true, excess, 0
	case excess > 0:
		c.last, c.calm = max(c.last, excess), 0
	case c.on:
		if c.calm += dt; c.calm >= 0.1 {
			c.end()
		}
	}
}

// tail measures the peaks of all tests of contacts together.
func (c *Calibrator) tail(n *Noise, traces []trace) {
	if n.Seconds < longQuiet {
		return
	}
	b := newBank(n)
	joints := len(n.RestRate)
	var peaks clusters
	t := &Tail{}
	for i, run := range c.runs {
		b.reset()
		for q := n.settling(); q < len(run.T); q++ {
			most := math.Inf(-1)
			for j := range joints {
				b.add(j, traces[i].r[j][q], traces[i].bound[j][q], n.floorAt(j, run.DQ[j][q])*traces[i].pose[j][q], 0, run.DQ[j][q], false)
			}
			for k := range contactWindows() * joints {
				test := &n.Tests[k]
				if test.Unfit == "" {
					z := b.z(k/joints, test.Joint, test.Gain)
					most = max(most, z*z-test.Level*test.Level)
				}
			}
			peaks.add(most, 1/n.RateHz)
			t.Seconds += 1 / n.RateHz
		}
		peaks.end()
	}
	slices.Sort(peaks.peaks)
	if len(peaks.peaks) <= tailPeaks/2 {
		return
	}
	highest := peaks.peaks[max(0, len(peaks.peaks)-tailPeaks-1):]
	t.Lowest = highest[0]
	for _, y := range highest[1:] {
		t.Excesses = append(t.Excesses, y-t.Lowest)
	}
	n.Tail = t
}
