package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/datasets"
	"ident/filter"
	"ident/internal/rowlist"
)

// mergedShare is the part of rows with decreasing time from which two clocks are suspected. Two logs in one file have
// one such row, damage makes a few.
const mergedShare = 0.02

// twoClocks finds times that alternate between two increasing sequences: rows of two sources with different clocks,
// written as they arrived.
func twoClocks(name string, t []float64, clock filter.Clock) (Finding, bool) {
	if float64(len(clock.Backward)) < mergedShare*float64(len(t)) || len(t) < fewest {
		return Finding{}, false
	}
	// Each row continues the sequence with the latest time before its own; no third sequence is started.
	last := [2]float64{math.Inf(-1), math.Inf(-1)}
	var rows [2][]int
	astray := 0
	for k, v := range t {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		best := -1
		for i := range last {
			if v > last[i] && (best < 0 || last[i] > last[best]) {
				best = i
			}
		}
		if best < 0 {
			astray++
			continue
		}
		last[best] = v
		rows[best] = append(rows[best], k)
	}
	least, most := 0, 1
	if len(rows[0]) > len(rows[1]) {
		least, most = 1, 0
	}
	if float64(len(rows[least])) < mergedShare*float64(len(t)) || astray > len(t)/100 {
		return Finding{}, false
	}
	// The offset of the clocks: how far one lags at the transitions.
	var offsets []float64
	at := 0
	for _, k := range rows[least] {
		for at+1 < len(rows[most]) && rows[most][at+1] < k {
			at++
		}
		if rows[most][at] < k {
			offsets = append(offsets, t[rows[most][at]]-t[k])
		}
	}
	f := Finding{ID: ClockBackward, Severity: Error, Channel: name, Value: float64(len(rows[least])) / float64(len(t)), Limit: mergedShare}
	f.at(rowlist.Of(clock.Backward), filter.NewTimes(t))
	offset := 0.0
	if len(offsets) > 0 {
		slices.Sort(offsets)
		offset = offsets[len(offsets)/2]
	}
	f.Why = fmt.Sprintf("two clocks are merged into one column of times: %d rows of one clock lie between %d rows of the other, about %.4g s apart", len(rows[least]), len(rows[most]), math.Abs(offset))
	f.Fix = "{mend} writes a log with the rows of the first clock only; better, log both sources on one clock"
	var spans []datasets.RowRange
	keep := rows[most]
	from := 0
	for _, k := range append(slices.Clone(keep), len(t)) {
		if k > from {
			spans = append(spans, datasets.RowRange{from, k})
		}
		from = k + 1
	}
	f.Repair = Repair{Edits: []Edit{{Rows: spans}}}
	return f, true
}
