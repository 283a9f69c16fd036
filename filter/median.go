package filter

import (
	"math"
	"slices"
)

// stepCounts counts positive intervals by value. However many rows there are, a steady clock has few different
// intervals while its time stays between two powers of two.
type stepCounts struct {
	total    int
	min, max float64
	recent   [64]stepCount // of the latest intervals, by their last bits; not in counts yet
	counts   map[float64]int
	many     bool // more than maxSteps values: counts are not complete
}

type stepCount struct {
	step float64
	n    int
}

// maxSteps is the number of different intervals up to which they are counted one by one.
const maxSteps = 1 << 14

func (s *stepCounts) add(step float64) {
	if s.total == 0 {
		s.min, s.max, s.counts = step, step, map[float64]int{}
	}
	s.total++
	s.min, s.max = min(s.min, step), max(s.max, step)
	at := &s.recent[math.Float64bits(step)*0x9e3779b97f4a7c15>>58]
	if at.step != step {
		s.note(at)
		at.step = step
	}
	at.n++
}

// note merges a recent count into the counts.
func (s *stepCounts) note(c *stepCount) {
	if c.n > 0 && !s.many {
		s.counts[c.step] += c.n
		if s.many = len(s.counts) > maxSteps; s.many {
			s.counts = nil
		}
	}
	c.n = 0
}

// median returns the median interval (for an even count the mean of the middle two). If there are many different values,
// it calls each to iterate over all intervals again.
func (s *stepCounts) median(each func(visit func(step float64))) float64 {
	for i := range s.recent {
		s.note(&s.recent[i])
	}
	m := s.total / 2
	if s.many {
		if upper := ranked(m, each); s.total%2 == 1 {
			return upper
		} else {
			return (ranked(m-1, each) + upper) / 2
		}
	}
	values := make([]float64, 0, len(s.counts))
	for v := range s.counts {
		values = append(values, v)
	}
	slices.Sort(values)
	at := func(rank int) float64 {
		for _, v := range values {
			if rank -= s.counts[v]; rank < 0 {
				return v
			}
		}
		return s.max
	}
	if s.total%2 == 1 {
		return at(m)
	}
	return (at(m-1) + at(m)) / 2
}

// ranked returns the positive number that has rank smaller or equal ones before it, found 16 bits at a time: positive
// numbers are ordered like their bits.
func ranked(rank int, each func(visit func(float64))) float64 {
	var counts [1 << 16]int
	prefix := uint64(0)
	for shift := 48; shift >= 0; shift -= 16 {
		clear(counts[:])
		each(func(v float64) {
			if b := math.Float64bits(v); shift == 48 || b>>(shift+16) == prefix {
				counts[b>>shift&0xffff]++
			}
		})
		digit := 0
		for ; rank >= counts[digit]; digit++ {
			rank -= counts[digit]
		}
		prefix = prefix<<16 | uint64(digit)
	}
	return math.Float64frombits(prefix)
}
