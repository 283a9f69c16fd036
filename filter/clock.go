package filter

import "math"

// Gap is the interval, as a multiple of the median, above which AnalyseClock lists a gap.
const Gap = 5

// Clock describes a column of times, in seconds. Rows are numbered from 0.
type Clock struct {
	Rows             int
	Start, End       float64 // the first and last finite times
	Median, Min, Max float64 // of the positive intervals between neighbouring finite rows

	Period     float64 // mean interval from Start to End, (End - Start)/(rows - 1)
	Jitter     float64 // the largest distance of a row from the line from Start to End
	Resolution float64 // of the printed times: the common power of ten, at least one unit in the last place
	Tolerance  float64 // largest Jitter of a uniform clock: the smaller of Resolution and a quarter of Median

	NaN      []int // rows that are NaN or infinite
	Repeated []int // rows with the time of the finite row before
	Backward []int // rows with a time before that of the finite row before
	Gaps     []int // rows more than Gap medians after the finite row before

	// Uniform says that nothing is listed above and Jitter is within Tolerance. Signals then need no resampling; Period
	// is their interval. Times rounded to the resolution are off by half of it, and so is the line through the first and
	// the last, so Tolerance is one resolution, but at most a quarter of the interval: a lost sample must show even if
	// the resolution is as coarse as the interval.
	Uniform bool
}

// AnalyseClock analyses a column of times in seconds without changing it. With fewer than two finite rows the intervals
// are zero and the clock is not uniform.
func AnalyseClock(t []float64) Clock {
	return analyseClock(len(t), func(visit func(int, []float64)) { visit(0, t) })
}

// Clock does what AnalyseClock does, in memory that does not grow with the rows of a steady clock.
func (t *Times) Clock() Clock { return analyseClock(t.Len(), t.Each) }

func analyseClock(rows int, each func(visit func(first int, part []float64))) Clock {
	c := Clock{Rows: rows}
	var steps stepCounts
	last, any := 0.0, false
	largest, digits := 0.0, 0
	firstRow, lastRow := 0, 0
	each(func(first int, part []float64) {
		for i, v := range part {
			k := first + i
			if math.IsNaN(v) || math.IsInf(v, 0) {
				c.NaN = append(c.NaN, k)
				continue
			}
			largest = max(largest, math.Abs(v))
			digits = decimals(v, digits)
			switch {
			case !any:
				c.Start, firstRow, any = v, k, true
			case v == last:
				c.Repeated = append(c.Repeated, k)
			case v < last:
				c.Backward = append(c.Backward, k)
			default:
				steps.add(v - last)
			}
			last, lastRow = v, k
		}
	})
	c.End = last
	if !any || steps.total == 0 {
		return c
	}
	c.Min, c.Max = steps.min, steps.max
	c.Median = steps.median(func(visit func(step float64)) {
		last, any := 0.0, false
		each(func(_ int, part []float64) {
			for _, v := range part {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					continue
				}
				if any && v > last {
					visit(v - last)
				}
				last, any = v, true
			}
		})
	})
	c.Resolution = max(math.Pow10(-digits), math.Nextafter(largest, math.Inf(1))-largest)
	c.Tolerance = min(c.Resolution, c.Median/4)
	c.Period = (c.End - c.Start) / float64(lastRow-firstRow)
	last, any = 0, false
	each(func(first int, part []float64) {
		for i, v := range part {
			k := first + i
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			c.Jitter = max(c.Jitter, math.Abs(v-(c.Start+float64(k-firstRow)*c.Period)))
			if any && v-last > Gap*c.Median {
				c.Gaps = append(c.Gaps, k)
			}
			last, any = v, true
		}
	})
	sound := len(c.NaN)+len(c.Repeated)+len(c.Backward)+len(c.Gaps) == 0
	rounding := 4 * (math.Nextafter(largest, math.Inf(1)) - largest)
	c.Uniform = sound && c.Jitter <= c.Tolerance+rounding
	return c
}

// decimals returns the smallest number of decimals, at least from, that represents v to nearly float64 precision.
func decimals(v float64, from int) int {
	for d := from; ; d++ {
		scaled := math.Abs(v) * math.Pow10(d)
		if d == 15 || math.Abs(scaled-math.Round(scaled)) <= scaled*0x1p-50 {
			return d
		}
	}
}
