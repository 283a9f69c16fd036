package projection

import "math"

// Neighbours are the running figures of a signal's values and of the steps between them.
type Neighbours struct {
	Moments
	Min, Max       float64
	Last, LastStep float64
	// Counts of magnitudes by binary exponent: of the values, and of the steps.
	Size, Step *[2048]int
}

// Take adds values from the front of x as long as they are ordinary, and returns their number: finite and within
// bound, neither zero nor equal to the value before, and without two opposite steps that are both larger than
// excursion.
func (s *Neighbours) Take(x []float64, bound, excursion float64) int {
	last, before := s.Last, math.Abs(s.LastStep)
	down := math.Signbit(s.LastStep)
	lo, hi, origin := s.Min, s.Max, s.Origin
	sum, total := s.Sum, s.Total
	n := len(x)
	for i, v := range x {
		d := v - last
		a := math.Abs(d)
		if !(math.Abs(v) <= bound) || d == 0 || v == 0 || a > excursion && before > excursion && math.Signbit(d) != down {
			n = i
			break
		}
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
		e := v - origin
		sum += e
		total += e * e
		s.Size[math.Float64bits(v)>>52&0x7ff]++
		s.Step[math.Float64bits(d)>>52&0x7ff]++
		last, before, down = v, a, math.Signbit(d)
	}
	if n > 0 {
		s.Last = last
		if s.LastStep = before; down {
			s.LastStep = -before
		}
	}
	s.Min, s.Max, s.Sum, s.Total, s.Rows = lo, hi, sum, total, s.Rows+n
	return n
}
