package observation

import (
	"math"
	"slices"
)

// leastValues is the least number of values in a fingerprint. Sensors have steps, and
// a joint alone passes the same position and torque often; sixteen values
// that agree to twelve digits have been copied.
const leastValues = 16

// commonSample takes the fingerprints of the rows of a log that are not above a bound: two logs with
// one bound keep the same ones of the rows they have in common, from whatever row on. A
// fingerprint is a hash of some rows in succession, of values rounded to twelve digits, which
// survive every way of printing that keeps fifteen. Where no position changes, none is taken. A log is read once, and some
// thousand of its fingerprints stand for it.
type commonSample struct {
	positions int       // first channels, whose changes are motion
	gains     []float64 // factors of the other channels, nil for none
	bound     uint64
	last      []float64 // positions of the row before
	before    []uint64  // hashes of the rows before
	rows      int       // of a fingerprint
	hashes    []uint64  // of the rows before and of those of the batch
	moved     []bool    // of each row of the batch: a position has changed
	scaled    []float64 // a channel times its gain
	out       []uint64
}

// newCommonSample returns an empty sample for rows with the given number of channels, positions first. gains multiply the other
// channels; nil for none.
func newCommonSample(channels, positions int, gains []float64, bound uint64) *commonSample {
	return &commonSample{positions: positions, gains: gains, bound: bound, last: make([]float64, positions),
		rows: max(1, (leastValues+channels-1)/channels)}
}

// Add adds the next rows, given as one slice for each channel.
func (s *commonSample) Add(cols [][]float64) {
	n := len(cols[0])
	s.hashes = append(s.hashes[:0], s.before...)
	for range n {
		s.hashes = append(s.hashes, 0xcbf29ce484222325)
	}
	own := s.hashes[len(s.before):]
	s.moved = slices.Grow(s.moved[:0], n)[:n]
	clear(s.moved)
	for c, col := range cols {
		switch {
		case c < s.positions:
			s.last[c] = markChanges(s.moved, col, s.last[c])
		case s.gains != nil:
			gain := s.gains[c-s.positions]
			s.scaled = s.scaled[:0]
			for _, v := range col {
				s.scaled = append(s.scaled, v*gain)
			}
			col = s.scaled
		}
		own := own[:len(col)]
		for i, v := range col {
			own[i] = mix(own[i] ^ rounded(v))
		}
	}
	s.keep(n)
	s.before = append(s.before[:0], s.hashes[max(0, len(s.hashes)-s.rows+1):]...)
}

// keep keeps the fingerprints that end at one of the last n rows.
func (s *commonSample) keep(n int) {
	first := max(0, s.rows-1-len(s.before)) // row that has enough before it
	if first >= n {
		return
	}
	from := s.hashes[len(s.before)+first+1-s.rows:]
	for i, moved := range s.moved[first:n] {
		if !moved {
			continue
		}
		sum := uint64(0)
		for _, h := range from[i : i+s.rows] {
			sum = mix(sum ^ h)
		}
		if sum <= s.bound {
			s.out = append(s.out, sum)
		}
	}
}

// markChanges marks the rows whose value is not that before it, and returns the last value.
func markChanges(moved []bool, col []float64, last float64) float64 {
	moved = moved[:len(col)]
	for i, v := range col {
		if v != last {
			moved[i] = true
		}
		last = v
	}
	return last
}

// Kept returns the distinct fingerprints of the rows so far, in ascending order.
func (s *commonSample) Kept() []uint64 {
	slices.Sort(s.out)
	s.out = slices.Compact(s.out)
	return s.out
}

// rounded returns the bits of a number rounded to 40 of its 53, some twelve digits.
func rounded(v float64) uint64 {
	if v == 0 {
		return 0 // of either sign
	}
	return (math.Float64bits(v) + 1<<12) >> 13
}

// mix spreads a number over all bits (the finaliser of SplitMix64, Steele, Lea and
// Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
