package doctor

import (
	"math"

	"ident/doctor/internal/projection"
	"ident/internal/rowlist"
)

// minPlateau is the number of equal consecutive values from which a plateau is stored.
const minPlateau = 20

// keptPlateaus is the number of a channel's longest plateaus and largest excursions that are stored.
const keptPlateaus = 12

// channelStats holds the statistics of one pass over a channel; their size does not depend on the log's.
type channelStats struct {
	rows     int // finite ones within the bound: all figures but size are theirs
	bad      rowlist.List
	absurd   rowlist.List
	largest  float64 // of the absurd ones, by magnitude
	min, max float64
	mean, m2 float64 // running mean and sum of squares about it
	zeros    int
	repeats  int // rows equal to the row before

	// Histograms by binary exponent: of the values' magnitudes, and of the steps between rows.
	size, step [2048]int

	falls          rowlist.List            // rows where the value becomes exactly zero
	fallSize       [2048]int               // their steps, by binary exponent
	excursions     [keptPlateaus]excursion // the largest
	leastExcursion float64                 // size of the smallest of them
	plateaus       [keptPlateaus]plateau   // the longest sequences of one value
	plateauRows    int                     // rows in all plateaus of at least minPlateau
	repeated       []repeatedRow           // up to keptRepeats

	last, lastStep float64
	before         float64 // the step before the present plateau
	plateau        plateau
}

// excursion is a single row that deviates from both neighbours in one direction; size is the smaller step.
type excursion struct {
	row   int
	size  float64
	start bool // the first row, which has one neighbour
}

// plateau is a sequence of rows with one value.
type plateau struct {
	first, rows int
	value       float64
	into, jump  float64   // from the value before it, to that after it
	from, moved []float64 // of all channels: values when the plateau was recognised, and largest distances from them
	ended       bool      // before the log did
}

func exponent(x float64) int { return int(math.Float64bits(x) >> 52 & 0x7ff) }

// most returns the largest size of all values.
func (s *channelStats) most() float64 { return max(-s.min, s.max, s.largest) }

// add adds the next rows of the channel; cols holds the same rows of all channels.
func (s *channelStats) add(first int, x []float64, bound float64, cols [][]float64) {
	b := projection.Moments{Origin: s.mean}
	for k := 0; k < len(x); k++ {
		if k += s.ordinary(first+k, x[k:], bound, &b); k == len(x) {
			break
		}
		v := x[k]
		if !(math.Abs(v) <= bound) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				s.bad.Note(first + k)
				continue
			}
			s.absurd.Note(first + k)
			s.largest = math.Max(s.largest, math.Abs(v))
			s.size[exponent(v)]++
			continue
		}
		if s.rows == 0 {
			b.Origin = v
			s.min, s.max, s.last = v, v, v
			s.plateau = plateau{first: first + k, value: v}
			s.step[0]-- // the first row has no step
			s.repeats--
		}
		s.rows++
		if v < s.min {
			s.min = v
		}
		if v > s.max {
			s.max = v
		}
		b.Add(v)
		s.size[exponent(v)]++
		d := v - s.last
		s.step[exponent(d)]++
		if d == 0 {
			s.repeats++
			s.plateau.rows++
			if s.plateau.rows == minPlateau {
				s.plateau.from, s.plateau.moved = snapshot(cols, k), make([]float64, len(cols))
			} else if s.plateau.rows > minPlateau && s.plateau.rows&(s.plateau.rows-1) == 0 {
				s.plateau.reach(cols, k) // periodic motion is back after a period
			}
		} else {
			if s.plateau.rows > 1 && s.plateau.rows < minPlateau {
				s.noteRepeats(first+k, d)
			}
			s.before = d
			if s.plateau.rows >= minPlateau {
				s.endRun(d, cols, k)
				s.plateau = plateau{}
			}
			s.plateau.first, s.plateau.rows, s.plateau.value, s.plateau.into = first+k, 1, v, d
			if s.rows == 3 && math.Abs(s.lastStep) > 2*math.Abs(d) {
				s.excursions[0] = excursion{first + k - 2, math.Abs(s.lastStep) - math.Abs(d), true}
			}
			if d*s.lastStep < 0 && min(math.Abs(d), math.Abs(s.lastStep)) > s.leastExcursion {
				s.noteExcursion(first+k-1, d)
			}
		}
		if v == 0 {
			s.zeros++
			if d != 0 {
				s.falls.Note(first + k)
				s.fallSize[exponent(d)]++
			}
		}
		s.last, s.lastStep = v, d
	}
	if s.plateau.rows >= minPlateau && len(x) > 0 {
		s.plateau.reach(cols, len(x)-1)
	}
	b.Join(s.rows, &s.mean, &s.m2)
}

// ordinary adds rows from the front of x as long as they need none of the records below, and returns their number.
func (s *channelStats) ordinary(first int, x []float64, bound float64, b *projection.Moments) int {
	if s.rows < 3 || s.plateau.rows != 1 {
		return 0
	}
	t := projection.Neighbours{Moments: *b, Min: s.min, Max: s.max, Last: s.last, LastStep: s.lastStep, Size: &s.size, Step: &s.step}
	n := t.Take(x, bound, s.leastExcursion)
	if n > 0 {
		*b, s.min, s.max, s.last, s.lastStep, s.before = t.Moments, t.Min, t.Max, t.Last, t.LastStep, t.LastStep
		s.rows += n
		s.plateau.first, s.plateau.value, s.plateau.into = first+n-1, t.Last, t.LastStep
	}
	return n
}

// noteRepeats records the repeated rows before row next, if the channel moved before and after them.
func (s *channelStats) noteRepeats(next int, d float64) {
	size := math.Min(math.Abs(s.before), math.Abs(d))
	// The step must have the same direction and three quarters to twice the missed motion.
	ratio := d / s.before / float64(s.plateau.rows)
	jumps := ratio > 0.75 && ratio < 2
	for r := next - s.plateau.rows + 1; r < next && len(s.repeated) < keptRepeats && size > 0; r++ {
		s.repeated = append(s.repeated, repeatedRow{r, size, jumps})
	}
}

// noteExcursion records a row whose steps before and after it point in opposite directions.
func (s *channelStats) noteExcursion(row int, d float64) {
	e := min(math.Abs(d), math.Abs(s.lastStep))
	if math.Abs(d+s.lastStep) > e/2 {
		return
	}
	least := 0
	for i := range s.excursions {
		if s.excursions[i].size < s.excursions[least].size {
			least = i
		}
	}
	if e > s.excursions[least].size {
		s.excursions[least] = excursion{row: row, size: e}
	}
	s.leastExcursion = s.excursions[least].size
	for i := range s.excursions {
		s.leastExcursion = min(s.leastExcursion, s.excursions[i].size)
	}
}

func (s *channelStats) endRun(jump float64, cols [][]float64, k int) {
	if s.plateau.rows < minPlateau {
		return
	}
	s.plateauRows += s.plateau.rows
	least := 0
	for i := range s.plateaus {
		if s.plateaus[i].rows < s.plateaus[least].rows {
			least = i
		}
	}
	if s.plateau.rows <= s.plateaus[least].rows {
		return
	}
	s.plateau.jump = jump
	s.plateau.ended = cols != nil
	if cols != nil {
		s.plateau.reach(cols, k)
	}
	s.plateaus[least] = s.plateau
}

// reach updates the distances of all channels at row k.
func (r *plateau) reach(cols [][]float64, k int) {
	for c, from := range r.from {
		if k < len(cols[c]) {
			r.moved[c] = max(r.moved[c], math.Abs(cols[c][k]-from))
		}
	}
}

func snapshot(cols [][]float64, k int) []float64 {
	v := make([]float64, len(cols))
	for c := range cols {
		v[c] = cols[c][k]
	}
	return v
}

// deviation returns the standard deviation.
func (s *channelStats) deviation() float64 {
	if s.rows == 0 {
		return 0
	}
	return math.Sqrt(s.m2 / float64(s.rows))
}

// span returns the difference between the largest and the smallest value.
func (s *channelStats) span() float64 { return s.max - s.min }
