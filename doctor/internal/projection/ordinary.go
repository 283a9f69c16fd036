package projection

import "math"

// Neighbours are running statistics of a signal's values and of the steps between neighbouring values.
type Neighbours struct {
	Moments
	Min, Max       float64
	Last, LastStep float64
	// Numbers of values and of steps, by the binary exponent of their magnitude.
	Size, Step *[2048]int
}

// Take adds values from the front of x as long as they are ordinary, and returns how many it added. A value is ordinary
// if it is finite, within bound, not zero and not equal to the value before, and if no two opposite steps around it are
// both larger than excursion.
func (s *Neighbours) Take(x []float64, bound, excursion float64) int {
	n := len(x)
	low, high, last, step, sum, total := s.Min, s.Max, s.Last, s.LastStep, s.Sum, s.Total
	for i, v := range x {
		d := v - last
		if !(math.Abs(v) <= bound) || d == 0 || v == 0 ||
			math.Abs(d) > excursion && math.Abs(step) > excursion && math.Signbit(d) != math.Signbit(step) {
			n = i
			break
		}
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
		e := v - s.Origin
		sum += e
		total += float64(e * e)
		s.Size[math.Float64bits(v)>>52&0x7ff]++
		s.Step[math.Float64bits(d)>>52&0x7ff]++
		last, step = v, d
	}
	s.Rows += n
	s.Min, s.Max, s.Last, s.LastStep, s.Sum, s.Total = low, high, last, step, sum, total
	return n
}
