package filter

import (
	"math"
	"slices"
)

// Bounds of deviations that are noise of the stamps about a steady clock, rather than the wandering of an unsteady one.
const (
	// farthestStamp is how far a stamp may be from its row's time before it is rounded, in intervals: beyond one interval stamps of
	// neighbouring rows change places.
	farthestStamp = 1
	// largestWalk bounds the sum of the deviations up to any row, in units of rms·√rows. Independent deviations from their line of least
	// squares exceed 1.5 in one log of 10^4 at most (Kolmogorov's bound is for a mean alone). One missed row in mid-log gives 0.4·√rows.
	largestWalk = 1.5
	// trackingGain is the part of a row's deviation by which the phase of a clock with missing rows follows it. A row too many or too few then
	// costs 1/(2·gain) squares of the interval: six deviations of stamps that are off by a third of it.
	trackingGain = 0.03
	// gapPrice is what a gap costs, in squares of the interval: twice the variance of such stamps times the logarithm of a hundred rows between
	// gaps.
	gapPrice = 1
	// keptCounts is the number of counts that are followed. The right one is behind until some ten rows show the gap.
	keptCounts = 6
	// countPasses bounds the passes by which the interval settles.
	countPasses = 4
	// leastStamps is the number of rows of the shortest log whose clock is looked for.
	leastStamps = 100
)

// Jittered returns the steady clock about which times that never decrease jitter independently, if there is one: t0 + n·period with whole, ascending n,
// some possibly missing, and the root mean square of the deviations from it, in seconds. c must be the clock of t. Such a clock
// may be that of the rows, if the stamps were taken late by varying times, or may not, if the rows were
// sampled at their stamps: a StampTest tells. Rounded times of a steady clock are Regular's.
func (t *Times) Jittered(c Clock) (r *Times, rms float64, ok bool) {
	if t.Len() < leastStamps || c.Uniform || len(c.NaN)+len(c.Backward) > 0 {
		return nil, 0, false
	}
	if _, _, _, regular := t.Regular(c); regular {
		return nil, 0, false
	}
	first := t.At(0)
	for _, count := range []func() ([]missed, float64){
		func() ([]missed, float64) { return nil, c.Period },
		func() ([]missed, float64) { return t.missing(t.usualInterval(c)) },
		func() ([]missed, float64) { return t.missing(c.Period) },
	} {
		lost, step := count()
		each := t.numbered(lost)
		slope, offset := line(first, step, each)
		// What rounding explains is no walk: it may beat with the rows' own clock.
		var m, squares, beyond, sum, walk, farthest float64
		each(func(n, time float64) {
			d := time - first - offset - n*(step+slope)
			m++
			squares += d * d
			farthest = max(farthest, math.Abs(d))
			d -= max(-c.Resolution/2, min(d, c.Resolution/2))
			beyond += d * d
			sum += d
			walk = max(walk, math.Abs(sum))
		})
		rms = math.Sqrt(squares / m)
		within := farthestStamp * (step + slope)
		if len(lost) > 0 {
			within += step // single stamps do not show beside which row the missing one was
		}
		if !(farthest <= within+c.Resolution/2 && walk <= largestWalk*math.Sqrt(beyond*m)) {
			continue
		}
		r = new(Times)
		each(func(n, _ float64) { r.Append(first + offset + n*(step+slope)) })
		return r, rms, true
	}
	return nil, 0, false
}

// line returns the line of least squares, offset + slope·n, through what first + n·step leaves of the times of rows numbered n.
func line(first, step float64, each func(visit func(n, time float64))) (slope, offset float64) {
	var m, sn, snn, sr, snr float64
	each(func(n, time float64) {
		rest := time - first - n*step
		m++
		sn, snn, sr, snr = sn+n, snn+n*n, sr+rest, snr+n*rest
	})
	slope = (m*snr - sn*sr) / (m*snn - sn*sn)
	return slope, (sr - slope*sn) / m
}

// missed says how many rows of a steady clock are missing before a row.
type missed struct {
	row  int
	rows float64
}

// count is one reading of the stamps up to a row: the phase of the clock behind it and its interval, the squares of the stamps' deviations with the
// price of each gap, the rows missed so far, and its last gap.
type count struct {
	phase, step, cost, lost float64
	last                    *gapNode
}

// gapNode is a gap of a count, with those before it.
type gapNode struct {
	missed
	before *gapNode
}

// missing finds the rows that a clock of about the given interval misses, and a better interval: the count of rows with the least squares of
// deviations, where each gap has a price. A stamp's noise can be as large as the interval, so one stamp does not tell a gap; those behind it do.
func (t *Times) missing(step float64) (lost []missed, better float64) {
	for pass := range countPasses {
		counts, next := []count{{phase: t.At(0) - step, step: step}}, make([]count, 0, 3*keptCounts)
		t.Each(func(at int, part []float64) {
			for i, time := range part {
				next = next[:0]
				for _, c := range counts {
					whole := math.Round((time-c.phase)/c.step) - 1
					for _, rows := range [...]float64{0, whole, whole + 1} {
						if rows < 0 || rows == 0 && len(next) > 0 && next[len(next)-1].lost == c.lost {
							continue
						}
						n := c
						n.phase += (1 + rows) * c.step
						n.lost += rows
						d := time - n.phase
						n.cost += d * d / (step * step)
						n.phase += trackingGain * d
						if pass == 0 {
							n.step += trackingGain * trackingGain / 4 * d // critically damped
						}
						if rows > 0 {
							n.cost += gapPrice
							n.last = &gapNode{missed{at + i, rows}, c.last}
						}
						next = keep(next, n)
					}
				}
				counts, next = next, counts
			}
		})
		lost = nil
		for g := counts[0].last; g != nil; g = g.before {
			lost = append(lost, g.missed)
		}
		slices.Reverse(lost)
		each := t.numbered(lost)
		slope, _ := line(t.At(0), step, each)
		if step += slope; pass > 0 && math.Abs(slope) < 1e-2*trackingGain*step {
			break // the phase follows the rest
		}
	}
	return lost, step
}

// numbered returns a loop over all rows, each with its number on a clock on which some are missing and with its time.
func (t *Times) numbered(lost []missed) func(visit func(n, time float64)) {
	return func(visit func(n, time float64)) {
		n, next := 0.0, 0
		t.Each(func(at int, part []float64) {
			for i, time := range part {
				if next < len(lost) && lost[next].row == at+i {
					n += lost[next].rows
					next++
				}
				visit(n, time)
				n++
			}
		})
	}
}

// keep adds a count to the counts of a row. They are sorted by cost; of two with the same number of missing rows the cheaper one stays.
func keep(counts []count, n count) []count {
	for i, c := range counts {
		if c.lost != n.lost {
			continue
		}
		if c.cost <= n.cost {
			return counts
		}
		counts = slices.Delete(counts, i, i+1)
		break
	}
	at := len(counts)
	for at > 0 && counts[at-1].cost > n.cost {
		at--
	}
	if counts = slices.Insert(counts, at, n); len(counts) > keptCounts {
		counts = counts[:keptCounts]
	}
	return counts
}

// usualInterval returns the mean of the intervals within half of the median one.
func (t *Times) usualInterval(c Clock) float64 {
	count, sum, last := 0.0, 0.0, t.At(0)
	t.Each(func(_ int, part []float64) {
		for _, time := range part {
			if d := time - last; d >= c.Median/2 && d <= 1.5*c.Median {
				count++
				sum += d
			}
			last = time
		}
	})
	return sum / count
}

// StampTest says from the positions of moving joints whether rows were sampled at their stamps or on the steady clock about which
// these jitter. Rows that were sampled a time d off the clock have positions that are off by speed times d, row by row. The slope
// of the positions' fourth differences over those of speed times d is then 1; on the clock it is 0. If both
// the rows and the stamps jitter the slope is the rows' part of the variance, and below one half the clock is the better time.
type StampTest struct {
	channels, block int
	sums            [][]stampSums // by channel and block
	rows            int
}

// stampSums are the sums of squares and products of the fourth differences in one block of rows.
type stampSums struct{ xx, xy, yy, n float64 }

// stampBlocks bounds the number of blocks: their scatter gives the standard deviation.
const stampBlocks = 1024

// leastStampBlock is the length of the shortest block, in rows: far beyond the reach of differences.
const leastStampBlock = 32

// NewStampTest returns a test for a number of position channels and of rows.
func NewStampTest(channels, rows int) *StampTest {
	return &StampTest{channels: channels, block: max(leastStampBlock, rows/stampBlocks), sums: make([][]stampSums, channels)}
}

// Take adds neighbouring rows: their times on the clock, their stamps, and their positions by channel. Positions that are NaN or infinite, and
// rows beside which one is missing, are left out.
func (s *StampTest) Take(clock, stamps []float64, q [][]float64) {
	const reach = 2
	for k := reach; k+reach < len(clock); k++ {
		interval := (clock[k+reach] - clock[k-reach]) / (2 * reach)
		even := true
		for i := k - reach; i < k+reach; i++ {
			even = even && math.Abs(clock[i+1]-clock[i]-interval) < interval/4
		}
		if !even {
			continue
		}
		b := (s.rows + k) / s.block
		for c, v := range q {
			// The speed is that across all five rows: its noise is independent of the deviations.
			speed := (v[k+reach] - v[k-reach]) / (2 * reach * interval)
			y := v[k-2] - 4*v[k-1] + 6*v[k] - 4*v[k+1] + v[k+2]
			var d [5]float64
			for i := range d {
				d[i] = stamps[k-2+i] - clock[k-2+i]
			}
			x := speed * (d[0] - 4*d[1] + 6*d[2] - 4*d[3] + d[4])
			if sum := x + y; math.IsNaN(sum) || math.IsInf(sum, 0) {
				continue
			}
			for len(s.sums[c]) <= b {
				s.sums[c] = append(s.sums[c], stampSums{})
			}
			of := &s.sums[c][b]
			of.xx, of.xy, of.yy, of.n = of.xx+x*x, of.xy+x*y, of.yy+y*y, of.n+1
		}
	}
	s.rows += len(clock)
}

// Share returns the part of the deviations, in variance, that the rows have in truth, and its standard deviation, from the scatter of blocks.
// Joints count by what the line leaves of them. ok is false without motion.
func (s *StampTest) Share() (share, sigma float64, ok bool) {
	var num, den float64
	weights := make([]float64, s.channels)
	blocks := 0
	for c, sums := range s.sums {
		var all stampSums
		for _, b := range sums {
			all.xx, all.xy, all.yy, all.n = all.xx+b.xx, all.xy+b.xy, all.yy+b.yy, all.n+b.n
		}
		blocks = max(blocks, len(sums))
		if !(all.xx > 0) {
			continue
		}
		// Rounding leaves something of a line without noise.
		left := max(all.yy-all.xy*all.xy/all.xx, 1e-12*all.yy)
		if !(left > 0) {
			continue
		}
		weights[c] = all.n / left
		num += weights[c] * all.xy
		den += weights[c] * all.xx
	}
	if !(den > 0) || blocks < 3 {
		return 0, 0, false
	}
	share = num / den
	scatter := 0.0
	for b := range blocks {
		score := 0.0
		for c, sums := range s.sums {
			if b < len(sums) {
				score += weights[c] * (sums[b].xy - share*sums[b].xx)
			}
		}
		scatter += score * score
	}
	return share, math.Sqrt(scatter) / den, true
}

// Verdict reports whether the deviations are noise of the stamps, with less than half of their variance in the rows, or whether the rows were sampled
// at their stamps, with more than half: each beyond three standard deviations. Without motion neither is known.
func (s *StampTest) Verdict() (noise, sampled bool) {
	share, sigma, ok := s.Share()
	return ok && share+3*sigma < 0.5, ok && share-3*sigma > 0.5
}
