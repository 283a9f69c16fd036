package projection

import "math"

// Neighbours are the running figures of a signal's values and of the steps between them.
type Neighbours struct {
	Moments
	Min, Max       float64
	Last, LastStep float64
	// Counts of magnitudes by binary exponent: of the values, and of the steps, some of which are in further tables
	// until they are gathered.
	Size, Step *[2048]int
	Further    *FurtherCounts
}

// FurtherCounts are counts by binary exponent beside a table.
type FurtherCounts [3][2048]int

// Gather moves them into the table.
func (f *FurtherCounts) Gather(count *[2048]int) {
	for i := range f {
		for e, n := range f[i] {
			count[e] += n
		}
		clear(f[i][:])
	}
}

// Take adds values from the front of x as long as they are ordinary, and returns their number: finite and within
// bound, neither zero nor equal to the value before, and without two opposite steps that are both larger than
// excursion. Sums are of eight partial ones.
func (s *Neighbours) Take(x []float64, bound, excursion float64) int {
	// Two values are behind the first of a group.
	n := s.one(x[:min(2, len(x))], bound, excursion)
	if n < 2 {
		return n
	}
	g := group{bound: bound, excursion: excursion, origin: s.Origin, size: s.Size, step: s.Step, further: s.Further}
	for l := range g.min {
		g.min[l], g.max[l] = s.Min, s.Max
	}
	for n < len(x) {
		if groups := (len(x) - n) / lanes; groups > 0 {
			if done := lanes * g.take(x[n-2:], groups); done > 0 {
				n += done
				s.Rows += done
				s.Last, s.LastStep = x[n-1], x[n-1]-x[n-2]
			}
		}
		rest := x[n:min(n+lanes, len(x))]
		some := s.one(rest, bound, excursion)
		n += some
		if some < len(rest) {
			break
		}
	}
	for l := range g.min {
		s.Min, s.Max = min(s.Min, g.min[l]), max(s.Max, g.max[l])
	}
	s.Sum += sumOf(&g.sum)
	s.Total += sumOf(&g.total)
	return n
}

// lanes is the number of values of a group.
const lanes = 8

// group is the figures of groups of values, by lane.
type group struct {
	bound, excursion, origin float64
	size, step               *[2048]int
	min, max, sum, total     [lanes]float64
	further                  *FurtherCounts
}

// take adds groups of values behind the first two of x, up to one that has a value which is not ordinary, and returns
// their number.
func (g *group) take(x []float64, groups int) int {
	_ = x[2+lanes*groups-1] // the assembly trusts its operands
	if done, ok := g.takeAsm(x, groups); ok {
		return done
	}
	return g.takeGo(x, groups)
}

func (g *group) takeGo(x []float64, groups int) int {
	for k := range groups {
		part := x[lanes*k:][:lanes+2]
		for i := range lanes {
			v, d, before := part[i+2], part[i+2]-part[i+1], part[i+1]-part[i]
			if !(math.Abs(v) <= g.bound) || d == 0 || v == 0 ||
				math.Abs(d) > g.excursion && math.Abs(before) > g.excursion && math.Signbit(d) != math.Signbit(before) {
				return k
			}
		}
		for i, v := range part[2:] {
			g.min[i], g.max[i] = min(g.min[i], v), max(g.max[i], v)
			e := v - g.origin
			g.sum[i] += e
			g.total[i] += float64(e * e)
			g.size[math.Float64bits(v)>>52&0x7ff]++
			g.step[math.Float64bits(v-part[i+1])>>52&0x7ff]++
		}
	}
	return groups
}

func sumOf(x *[lanes]float64) float64 {
	return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7]))
}

// one is Take value by value.
func (s *Neighbours) one(x []float64, bound, excursion float64) int {
	for i, v := range x {
		d := v - s.Last
		if !(math.Abs(v) <= bound) || d == 0 || v == 0 ||
			math.Abs(d) > excursion && math.Abs(s.LastStep) > excursion && math.Signbit(d) != math.Signbit(s.LastStep) {
			return i
		}
		s.Min, s.Max = min(s.Min, v), max(s.Max, v)
		s.Add(v)
		s.Size[math.Float64bits(v)>>52&0x7ff]++
		s.Step[math.Float64bits(d)>>52&0x7ff]++
		s.Last, s.LastStep = v, d
	}
	return len(x)
}
