package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/doctor/internal/projection"
	"ident/internal/rowlist"
)

// Limits on the step of one position that slips.
const (
	// slipSteps: a step from one row to the next is a slip if it departs from the steps around it by more than this multiple of the largest
	// departure elsewhere. Sound logs have up to 10 for all joints, so the next test asks that one joint alone steps; slips of 0.15 rad have 64.
	slipSteps = 12.0
	// slipRows is the number of rows on either side whose steps tell what a row's step should be.
	slipRows = 3
	// slipStays is the part of a step up to which the steps of the rows around it may differ from none: the values of a spike return.
	slipStays = 0.3
	// othersDepart: other joints step too if one of them departs at the row by more than this multiple of its largest departure elsewhere.
	// A missing stretch moves all joints.
	othersDepart = 3.0
	// fewestBack is the number of steps there and back, apart from each other, from which they are of the channel: values that are held for some
	// rows make two.
	fewestBack = 3
)

// slips finds a position that steps once from one row to the next and goes on from there, while no other joint steps: an encoder or a
// coupling that has slipped. Its repair takes the step from the rows after it. before are the findings that tell other steps.
func slips(rec *recording, before findings) (found findings) {
	for j, jt := range rec.joints {
		if jt.q == nil || rec.isStill(jt) || before.has(Wrapped, jt.q) || before.has(Spike, jt.q) || before.has(Held, jt.q) {
			continue
		}
		var best slip
		var in *window
		next := 0.0
		for _, w := range rec.windows {
			s, other := slipOf(w.t, w.cols[jt.q.index], rec.clock.Median)
			if math.Abs(s.size) > math.Abs(best.size) {
				s, best, in = best, s, w
			}
			next = max(next, other, math.Abs(s.size))
		}
		limit := slipSteps * max(next, projection.SmallestStep(rec.stats(jt.q).step))
		if in == nil || !best.stays || !(math.Abs(best.size) > limit) || rec.othersStep(in, j, best.row) {
			found.keep(rec.stepsBack(j))
			continue
		}
		row := in.first + best.row
		f := rec.about(Offset, Warning, jt.q)
		f.Value, f.Limit, f.slipped = best.size, limit, true
		f.at(rowlist.Of([]int{row}), rec.t)
		f.Why = fmt.Sprintf("%s steps by %.4g %s in one row and goes on from there: an encoder or a coupling has slipped", jt.q.name, best.size, rec.unitOf(jt.q))
		f.Fix = fmt.Sprintf("{mend} writes a log without the step; look at the encoder and the coupling of joint %s", jt.name)
		f.Repair.Edits = []Edit{{Channel: jt.q.name, Offset: -best.size, Since: row}}
		found.add(f)
	}
	return found
}

// stepsBack finds a position that steps by one size there and back, again and again, while no other joint steps: a bit of its encoder is
// stuck, whose weight is missing in every other stretch of that width, or a coupling jumps between two teeth. The repair takes out each
// step.
func (rec *recording) stepsBack(j int) (f Finding, ok bool) {
	jt := rec.joints[j]
	var rows, signs []int
	var sizes []float64
	largest, next := 0.0, projection.SmallestStep(rec.stats(jt.q).step)
	for _, w := range rec.windows {
		for _, d := range departures(w.cols[jt.q.index]) {
			largest = max(largest, math.Abs(d))
		}
	}
	if !(largest > slipSteps*next) {
		return f, false
	}
	stay := 0 // steps that stay until the next
	for _, w := range rec.windows {
		depart := departures(w.cols[jt.q.index])
		last, at := -2*len(depart), len(rows)
		for k, d := range depart {
			if math.Abs(d) < largest/2 {
				continue
			}
			if w.t[k]-w.t[k-1] > 1.5*rec.clock.Median || at < len(rows) && (d > 0) == (signs[len(signs)-1] > 0) {
				return f, false
			}
			rows, signs, sizes = append(rows, w.first+k), append(signs, pick(d > 0, 1, -1)), append(sizes, math.Abs(d))
			if k-last > 2*slipRows+2 {
				stay++
			}
			last = k
		}
		for k, d := range depart {
			if near := nearest(rows[at:], w.first+k); near > slipRows+1 {
				next = max(next, math.Abs(d))
			}
		}
	}
	if len(rows) < fewestBack || stay < fewestBack {
		return f, false
	}
	slices.Sort(sizes)
	size := sizes[len(sizes)/2]
	if sizes[0] < (1-slipStays)*size || sizes[len(sizes)-1] > (1+slipStays)*size || !(size > slipSteps*next) {
		return f, false
	}
	for _, w := range rec.windows {
		if k := rows[0] - w.first; k >= 0 && k < len(w.t) && rec.othersStep(w, j, k) {
			return f, false
		}
	}
	f = rec.about(Offset, Warning, jt.q)
	f.Value, f.Limit, f.slipped = size, slipSteps*next, true
	f.at(rowlist.Of(rows), rec.t)
	f.Why = fmt.Sprintf("%s steps by %.4g %s there and back, %s, each in one row: a bit of its encoder is stuck, or a coupling jumps", jt.q.name, size, rec.unitOf(jt.q), plainTimes(len(rows)))
	f.Fix = fmt.Sprintf("{mend} writes a log without the steps; look at the encoder and the coupling of joint %s", jt.name)
	if len(rec.windows) > 1 { // steps between them are not known
		f.Hint, f.Fix = fmt.Sprintf("look at the encoder and the coupling of joint %s", jt.name), ""
		return f, true
	}
	x := rec.windows[0].cols[jt.q.index]
	for _, end := range [][2]int{{1, slipRows + 1}, {len(x) - slipRows, len(x)}} { // too near the ends for steps around them
		for k := end[0]; k < end[1]; k++ {
			usual := x[slipRows+2] - x[slipRows+1]
			if k > len(x)/2 {
				usual = x[len(x)-slipRows-2] - x[len(x)-slipRows-3]
			}
			if d := x[k] - x[k-1] - usual; math.Abs(math.Abs(d)/size-1) < slipStays {
				rows, signs = append(rows, rec.windows[0].first+k), append(signs, pick(d > 0, 1, -1))
			}
		}
	}
	for i, row := range rows {
		f.Repair.Edits = append(f.Repair.Edits, Edit{Channel: jt.q.name, Offset: -size * float64(signs[i]), Since: row})
	}
	return f, true
}

// nearest returns the distance of a row from the nearest of sorted rows.
func nearest(rows []int, row int) int {
	at, _ := slices.BinarySearch(rows, row)
	best := math.MaxInt
	for i := max(at-1, 0); i <= min(at, len(rows)-1); i++ {
		best = min(best, max(rows[i]-row, row-rows[i]))
	}
	return best
}

// slip is the largest step of a position beyond the steps around it.
type slip struct {
	row   int // after the step; 0 for none
	size  float64
	stays bool
}

// slipOf returns the largest step of x beyond the median of the steps around it, and the largest departure elsewhere.
func slipOf(t, x []float64, interval float64) (best slip, next float64) {
	depart := departures(x)
	for k, d := range depart {
		if math.Abs(d) > math.Abs(best.size) && t[k]-t[k-1] < 1.5*interval {
			best = slip{row: k, size: d}
		}
	}
	sum := 0.0
	for k, d := range depart {
		if near := k - best.row; near < -slipRows-1 || near > slipRows+1 {
			next = max(next, math.Abs(d))
		} else {
			sum += d
		}
	}
	best.stays = math.Abs(sum/best.size-1) < slipStays
	return best, next
}

// departures returns the steps of x less the median of the slipRows steps before and after each; zero at the ends.
func departures(x []float64) []float64 {
	out := make([]float64, len(x))
	var around [2 * slipRows]float64
	for k := slipRows + 1; k+slipRows < len(x); k++ {
		for i := range slipRows {
			around[2*i], around[2*i+1] = x[k-1-i]-x[k-2-i], x[k+1+i]-x[k+i]
		}
		slices.Sort(around[:])
		if d := x[k] - x[k-1] - (around[slipRows-1]+around[slipRows])/2; !math.IsNaN(d) && !math.IsInf(d, 0) {
			out[k] = d
		}
	}
	return out
}

// othersStep reports whether another joint that moves departs most at a row of a window, or no other joint moves: then a stretch is missing.
func (rec *recording) othersStep(w *window, j, row int) bool {
	moving := 0
	for i, jt := range rec.joints {
		if i == j || jt.q == nil || rec.isStill(jt) {
			continue
		}
		moving++
		depart := departures(w.cols[jt.q.index])
		at := 0.0
		for k := max(row-slipRows, 0); k <= min(row+slipRows, len(depart)-1); k++ {
			at = max(at, math.Abs(depart[k]))
			depart[k] = 0
		}
		most := 0.0
		for _, d := range depart {
			most = max(most, math.Abs(d))
		}
		if at > othersDepart*most {
			return true
		}
	}
	return moving == 0
}
