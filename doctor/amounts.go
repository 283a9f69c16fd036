package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/internal/rowlist"
)

// Limits on the places where an effort comes near zero.
const (
	// fewestCusps is the least number of places at which an effort without a sign turns sharply at zero. The sound ones of
	// TestAmounts that touch zero have one such place at most, their amounts 8 to 19 in nine of ten logs.
	fewestCusps = 6
	// mostlyCusps is the part of all places near zero that turn round in a point: two that are near each other may look like a valley. A sound
	// effort that comes near zero and stays above it has valleys alone.
	mostlyCusps = 2.0 / 3
	// nearZero, in standard deviations of the noise, is how near to zero such a place comes: noise exceeds it in one of 16,000 rows. awayFromZero,
	// twice as much, is how far the effort is beside it, so that noise does not end a stretch near zero.
	nearZero, awayFromZero = 4.0, 8.0
	// cuspRises is the rise of an effort at a distance of its lowest value over that at half of the distance: 2 of a point, 4 of a valley, and
	// between them their geometric mean.
	cuspRises = 2 * math.Sqrt2
	// widestCusp, in s, is the largest of these distances.
	widestCusp = 0.2
)

// amounts finds efforts without a sign: never below zero, they turn round in a point each time they come there.
func amounts(rec *recording) (found findings) {
	for _, c := range rec.channels {
		if c.role < torque || c.assumed || rec.stats(c).rows < fewest || rec.isStill(rec.joints[c.joint]) {
			continue
		}
		var cusps []int
		all, below := 0, false
		for _, w := range rec.windows {
			x := w.cols[c.index]
			sigma := max(noiseOf(x), rec.quantum(c)/math.Sqrt(12))
			lowest, largest := math.Inf(1), math.Inf(-1)
			for _, v := range x {
				if !math.IsNaN(v) {
					lowest, largest = min(lowest, v), max(largest, v)
				}
			}
			if below = lowest < -nearZero*sigma; below {
				break
			}
			if largest <= awayFromZero*sigma { // the joint bears nothing in this window
				continue
			}
			rows, of := cuspsOf(x, sigma, int(widestCusp/rec.clock.Median))
			for _, k := range rows {
				cusps = append(cusps, w.first+k)
			}
			all += of
		}
		if below || len(cusps) < fewestCusps || float64(len(cusps)) < mostlyCusps*float64(all) {
			continue
		}
		f := rec.about(Sign, Error, c)
		f.Value, f.Limit, f.unsigned = float64(len(cusps)), fewestCusps, true
		f.at(rowlist.Of(cusps), rec.t)
		f.Why = fmt.Sprintf("%s is never below zero, and turns sharply at zero %d times: it was logged without its sign", c.name, len(cusps))
		f.Hint = "log the torque or the current with its sign"
		found.add(f)
	}
	return found
}

// noiseOf returns the standard deviation of white noise on a smooth signal, by the median of its second differences.
func noiseOf(x []float64) float64 {
	var d []float64
	for k := 1; k+1 < len(x); k++ {
		if v := math.Abs(x[k+1] - 2*x[k] + x[k-1]); !math.IsNaN(v) {
			d = append(d, v)
		}
	}
	if len(d) == 0 {
		return 0
	}
	const median = 0.6745 // of the amount of a standard normal variable
	slices.Sort(d)
	return d[len(d)/2] / median / math.Sqrt(6)
}

// cuspsOf returns the rows at which x, with noise sigma, comes to zero and turns round in a point, and the number of all places at which it comes
// there and turns.
func cuspsOf(x []float64, sigma float64, widest int) (rows []int, all int) {
	for k := 0; k < len(x); k++ {
		if !(x[k] <= nearZero*sigma) {
			continue
		}
		from := k
		for ; k < len(x) && x[k] <= awayFromZero*sigma; k++ {
		}
		for ; from > 0 && x[from-1] <= awayFromZero*sigma; from-- {
		}
		low := (from + k - 1) / 2 // the middle of the stretch near zero: noise moves it less than the lowest value
		for h := 2; h <= widest && low-h >= 0 && low+h < len(x); h *= 2 {
			near, far := (x[low-h/2]+x[low+h/2])/2, (x[low-h]+x[low+h])/2
			if min(x[low-h], x[low+h]) < 2*awayFromZero*sigma || near < awayFromZero*sigma {
				continue
			}
			all++
			if far < cuspRises*near {
				rows = append(rows, low)
			}
			break
		}
	}
	return rows, all
}
