package report

import "math"

// curve is a polyline with gaps: pieces of points between which the pen is up.
type curve [][]point

type point struct{ x, y float64 }

// envelope reduces the samples (t[k], y[k]) to at most four for each of bins equal slices of [lo, hi]: the first,
// lowest, highest and last, in order of time. Samples that are not finite interrupt the curve. With fewer samples than
// bins it returns them unchanged.
func envelope(t, y []float64, lo, hi float64, bins int) curve {
	if len(t) <= 3*bins {
		return pieces(t, y)
	}
	return reduced(t, y, lo, hi, bins)
}

// reduced is envelope for any number of samples: a run among many has few.
func reduced(t, y []float64, lo, hi float64, bins int) curve {
	var out curve
	var piece []point
	lift := func() {
		if len(piece) > 0 {
			out = append(out, piece)
			piece = nil
		}
	}
	scale := float64(bins) / (hi - lo)
	for k := 0; k < len(t); {
		if !finite(t[k]) || !finite(y[k]) {
			lift()
			k++
			continue
		}
		bin := math.Floor((t[k] - lo) * scale)
		low, high, end := k, k, k+1
		for ; end < len(t) && finite(t[end]) && finite(y[end]) && math.Floor((t[end]-lo)*scale) == bin; end++ {
			if y[end] < y[low] {
				low = end
			}
			if y[end] > y[high] {
				high = end
			}
		}
		last := -1
		for _, i := range [4]int{k, min(low, high), max(low, high), end - 1} {
			if i > last {
				piece = append(piece, point{t[i], y[i]})
				last = i
			}
		}
		k = end
	}
	lift()
	return out
}

// pieces cuts a curve where a sample is not finite.
func pieces(t, y []float64) curve {
	var out curve
	var piece []point
	for k := range t {
		if finite(t[k]) && finite(y[k]) {
			piece = append(piece, point{t[k], y[k]})
			continue
		}
		if len(piece) > 0 {
			out = append(out, piece)
			piece = nil
		}
	}
	if len(piece) > 0 {
		out = append(out, piece)
	}
	return out
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// at returns the i-th entry of a per-joint list, NaN if there is none.
func at(v []float64, i int) float64 {
	if i < 0 || i >= len(v) {
		return math.NaN()
	}
	return v[i]
}
