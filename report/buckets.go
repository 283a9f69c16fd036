package report

import (
	"math"

	"ident/internal/together"
)

// Buckets reduces the rows of a log to the least and the largest value of each channel in buckets of as many rows, in
// memory that does not grow with the log. NewBuckets makes one.
type Buckets struct {
	width     int // rows of a bucket
	n         int // rows in the last bucket
	t, until  []float64
	low, high [][]float64
	parts     [][2]int // of the rows that are being added
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
// nothing. The processors share the channels.
func (b *Buckets) Add(t []float64, columns [][]float64) {
	first := max(0, len(b.t)-1)
	parts := b.parts[:0] // the rows of each bucket from the first on
	for from := 0; from < len(t); {
		if b.n == 0 || b.n == b.width {
			b.open(t[from])
		}
		to := min(len(t), from+b.width-b.n)
		for len(parts) < len(b.t)-1-first {
			parts = append(parts, [2]int{}) // a bucket that was full
		}
		parts = append(parts, [2]int{from, to})
		b.until[len(b.t)-1] = t[to-1]
		b.n += to - from
		from = to
	}
	b.parts = parts
	together.Do(len(columns), func(c int) {
		for i, part := range parts {
			lo, hi := b.low[c][first+i], b.high[c][first+i]
			for _, v := range columns[c][part[0]:part[1]] {
				// A comparison with NaN is false, and an infinite value does not belong on a scale.
				if v < lo && v >= -math.MaxFloat64 {
					lo = v
				}
				if v > hi && v <= math.MaxFloat64 {
					hi = v
				}
			}
			b.low[c][first+i], b.high[c][first+i] = lo, hi
		}
	})
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
