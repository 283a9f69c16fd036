package observation

import (
	"math"
	"slices"

	"ident/filter"
	"ident/internal/orderstat"
)

// A joint stands in a run if the run shows nothing of its motion but noise. Such a joint is in no maximum or ratio over
// joints or runs, because its noise divided by its motion has no meaning.
const (
	// standingRange is the root mean square deviation of the positions, in standard deviations of their noise, below which
	// the joint stands: noise is then more than 1/400 of their power. A drive that holds a joint lets it move by a few
	// counts of its encoder while others move, and creep by ten.
	standingRange = 20
	// drownedShare is the share of noise in the power of accelerations from which they show nothing of the motion, and
	// slowestShown the lowest cut-off, in hertz, behind which a joint may show it. A joint that creeps only has no
	// acceleration above; one that moves by a tenth of a radian in a minute has.
	drownedShare = 0.1
	slowestShown = 0.2
	// coarsestStep is the largest step, rad or m, that a position of a few values is taken to be counted in: that of 12
	// bits a turn. Otherwise the values are poses.
	coarsestStep = 2 * math.Pi / 4096
)

// Stands reports whether the positions of a joint, rad or m, sampled at a rate in hertz, show no motion but noise, such as
// the chatter of an encoder by a count.
func Stands(q []float64, rate float64) bool {
	q = undamaged(q)
	head := q[:min(len(q), noiseSamples)]
	s := filter.NewMotionSpectrum(head, rate)
	noise := filter.NoiseOf(head, s)
	return stands(q, noise, s.Bands(noise.Sigma, 0, filter.MotionBands{}), rate)
}

// spike is how often the distance from the median of five rows that 99 of 100 rows keep is exceeded by damaged values alone. Rows of a motion
// are their medians but at reversals, whose curvature is alike; 10 of the 99th percentile are 26 deviations of normal noise.
const spike = 10

// wild is a distance from the median, rad or m, that no joint moves in a log: damaged rows hold such positions.
const wild = 1e3

// undamaged returns positions with damaged values replaced by the one before: values that no joint has, and then single ones, or two in a
// row, that are farther from the median of their neighbours than these medians are from each other, or than almost all values are from theirs. Otherwise one damaged row would
// be noise in which each motion drowns.
func undamaged(q []float64) []float64 {
	if len(q) < 5 {
		return q
	}
	sorted := slices.Sorted(slices.Values(q))
	middle, out := sorted[len(sorted)/2], slices.Clone(q)
	for i, v := range out {
		if !(math.Abs(v-middle) <= wild) {
			out[i] = middle
			if i > 0 {
				out[i] = out[i-1]
			}
		}
	}
	medians, five := make([]float64, len(out)), make([]float64, 5)
	for i := range out {
		first := min(max(i-2, 0), len(out)-5)
		copy(five, out[first:first+5])
		slices.Sort(five)
		medians[i] = five[2]
	}
	apart := make([]float64, len(out))
	for i, v := range out {
		apart[i] = math.Abs(v - medians[i])
	}
	span := slices.Max(medians) - slices.Min(medians)
	limit := max(min(span, spike*orderstat.Selected(slices.Clone(apart), 99*(len(apart)-1)/100)), coarsestStep)
	for i := range out {
		if apart[i] > limit {
			out[i] = medians[i]
		}
	}
	return out
}

// stands is Stands for positions whose noise and spectrum are known.
func stands(q []float64, noise filter.ChannelNoise, bands filter.MotionBands, rate float64) bool {
	if len(q) == 0 {
		return false
	}
	sigma := noise.Sigma
	if step := stepOfFew(q); step <= coarsestStep {
		sigma = max(sigma, step/math.Sqrt(12))
	}
	// Two standard errors of sigma: see filter.MotionSpectrum.Noise.
	sigma *= 1 + 2/math.Sqrt(0.24*float64(len(q)))
	if scatter(q) <= max(standingRange*sigma, exactRange) {
		return true
	}
	if bands.Still() {
		return true
	}
	for f := slowestShown; f < rate/4; f *= 1.5 {
		if bands.Share(filter.LowPass{Cutoff: f, Order: filter.MotionOrder}, filter.LowPass{}).Noise < drownedShare {
			return false
		}
	}
	return rate/4 > slowestShown
}

// scatter returns the root mean square deviation of the positions from their mean, without single rows that leave their
// neighbours.
func scatter(q []float64) float64 {
	sum, squares, n := 0.0, 0.0, 0
	origin := q[0]
	for i := range q {
		near := q[max(i-1, 0):min(i+2, len(q))]
		v := near[0]
		if len(near) == 3 {
			v = max(min(near[0], near[1]), min(max(near[0], near[1]), near[2])) // the median
		}
		if v -= origin; v-v == 0 {
			sum, squares, n = sum+v, squares+v*v, n+1
		}
	}
	if n == 0 {
		return 0
	}
	mean := sum / float64(n)
	return math.Sqrt(max(squares/float64(n)-mean*mean, 0))
}

// stepOfFew returns the smallest distance of the values of a channel that has at most eight, 0 for one value and for more.
func stepOfFew(q []float64) float64 {
	var values []float64
	for _, v := range q {
		if v-v == 0 && !slices.Contains(values, v) {
			if values = append(values, v); len(values) > 8 {
				return 0
			}
		}
	}
	slices.Sort(values)
	step := math.Inf(1)
	for i := 1; i < len(values); i++ {
		step = min(step, values[i]-values[i-1])
	}
	if math.IsInf(step, 1) {
		return 0
	}
	return step
}

// InRun returns the rule for one run: a joint that stands in it is at rest as long as it stays within the range in which
// it counts as standing.
func (r RestRule) InRun(noise []JointNoise) RestRule {
	if len(r.Range) != len(noise) || !slices.ContainsFunc(noise, func(n JointNoise) bool { return n.Stands }) {
		return r
	}
	r.Range = slices.Clone(r.Range)
	for k := range noise {
		if n := &noise[k]; n.Stands {
			r.Range[k] = max(r.Range[k], 2*standingRange*n.Position.Sigma, n.reach)
		}
	}
	return r
}

// StandInAll reports whether a joint stands in all runs.
func StandInAll(runs [][]JointNoise, k int) bool {
	return !slices.ContainsFunc(runs, func(run []JointNoise) bool { return !run[k].Stands })
}
