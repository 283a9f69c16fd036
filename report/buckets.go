package report

import "math"

// Buckets reduces the rows of a log to the least and the largest value of each channel in buckets of as many rows, in
// memory that does not grow with the log. NewBuckets makes one.
type Buckets struct {
	width     int // rows of a bucket
	n         int // rows in the last bucket
	t, until  []float64
	low, high [][]float64
}

// NewBuckets returns buckets for rows of a number of channels, at most most of them.
func NewBuckets(channels, rows, most int) *Buckets {
	width := max(1, (rows+most-1)/most)
	n := rows/width + 1
	b := &Buckets{width: width, t: make([]float64, 0, n), until: make([]float64, 0, n), low: make([][]float64, channels), high: make([][]float64, channels)}
	for c := range b.low {
		b.low[c], b.high[c] = make([]float64, 0, n), make([]float64, 0, n)
	}
	return b
}

// Add takes rows in order: their times in seconds, and a column for each channel. Values that are not finite count for
// nothing.
func (b *Buckets) Add(t []float64, columns [][]float64) {
	for from := 0; from < len(t); {
		if b.n == 0 || b.n == b.width {
			b.open(t[from])
		}
		to := min(len(t), from+b.width-b.n)
		last := len(b.t) - 1
		for c, column := range columns {
			lo, hi := b.low[c][last], b.high[c][last]
			for _, v := range column[from:to] {
				// A comparison with NaN is false, and an infinite value does not belong on a scale.
				if v < lo && v >= -math.MaxFloat64 {
					lo = v
				}
				if v > hi && v <= math.MaxFloat64 {
					hi = v
				}
			}
			b.low[c][last], b.high[c][last] = lo, hi
		}
		b.until[last] = t[to-1]
		b.n += to - from
		from = to
	}
}

// open begins a bucket.
func (b *Buckets) open(t float64) {
	b.t, b.until, b.n = append(b.t, t), append(b.until, t), 0
	for c := range b.low {
		b.low[c], b.high[c] = append(b.low[c], math.Inf(1)), append(b.high[c], math.Inf(-1))
	}
}

// Width returns the number of rows in a bucket; of one row they are samples.
func (b *Buckets) Width() int { return b.width }

// Times returns the times of the first and of the last row of each bucket. The caller must not change them.
func (b *Buckets) Times() (t, until []float64) { return b.t, b.until }

// Values returns the least and the largest values of a channel by bucket, NaN where a bucket has none. The caller
// must not change them.
func (b *Buckets) Values(channel int) (low, high []float64) {
	low, high = b.low[channel], b.high[channel]
	for i := range low {
		if low[i] > high[i] {
			low[i], high[i] = math.NaN(), math.NaN()
		}
	}
	return low, high
}
