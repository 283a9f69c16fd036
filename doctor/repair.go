package doctor

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"ident/filter"
	"ident/internal/rowlist"
)

// Mend applies the repairs of findings to the columns of a log and returns new columns. names are the columns' names,
// clock is the index of the time column, bounds holds magnitudes beyond which a value is damage (see Bounds). Mend
// leaves out rows that an Edit names without a channel, and interpolates the channel's values in those that it names
// with one. If a finding asks for on-bad: drop, it also leaves out rows that then have a value that is not finite or out
// of bounds, or with a time not after the previous one. Rows that a shift in time would move outside the record are left
// out too; nothing is extrapolated. done lists the changes, one per line. The given columns stay unchanged. Mend panics
// if the shapes do not fit.
func Mend(names []string, cols [][]float64, clock int, findings []Finding, bounds map[string]float64) (mended [][]float64, done []string) {
	if len(names) != len(cols) || clock < 0 || clock >= len(cols) {
		panic(fmt.Sprintf("doctor: %d names for %d columns, with column %d for the time", len(names), len(cols), clock))
	}
	rows := len(cols[clock])
	drop := make([]bool, rows)
	bad := false
	for _, f := range findings {
		for _, s := range f.Repair.Settings {
			bad = bad || s.Key == "on-bad" && s.Value == "drop"
		}
		n := 0
		for _, e := range f.Repair.Edits {
			if e.Channel != "" {
				continue
			}
			for k := range e.within(rows) {
				if !drop[k] {
					n++
				}
				drop[k] = true
			}
		}
		if n > 0 {
			done = append(done, fmt.Sprintf("%s left out (%s)", rowlist.Plural(n, "row"), f.ID))
		}
	}
	// Values of rows left out must not affect their neighbours.
	damaged := slices.Clone(drop)
	cols, filled := bridge(names, cols, clock, findings, drop)
	done = append(done, filled...)
	mended = make([][]float64, len(cols))
	for i, c := range cols {
		mended[i] = slices.Clone(c)
	}
	for _, f := range findings {
		for _, e := range f.Repair.Edits {
			i := slices.Index(names, e.Channel)
			if len(e.Rows) > 0 || i < 0 {
				continue
			}
			if from := slices.Index(names, e.From); from >= 0 {
				copy(mended[i][min(e.Since, rows):], cols[from][min(e.Since, rows):])
			}
			if e.Advance != 0 {
				advance(mended[i], cols[clock], e.Advance, damaged, drop)
			}
			if e.Reverse {
				for k, c := range mended {
					if k != clock || len(c) > 0 && c[0] > c[len(c)-1] { // times that descend belong to their rows
						slices.Reverse(c)
					}
				}
				slices.Reverse(damaged)
				slices.Reverse(drop)
			} else {
				e.apply(mended[i], cols[clock])
			}
			done = append(done, e.text())
		}
	}
	if bad {
		n := 0
		latest := math.Inf(-1)
		for k := range rows {
			wrong := !(cols[clock][k] > latest)
			for i, name := range names {
				b, ok := bounds[name]
				v := cols[i][k]
				wrong = wrong || math.IsNaN(v) || math.IsInf(v, 0) || ok && math.Abs(v) > b
			}
			if wrong && !drop[k] {
				drop[k] = true
				n++
			}
			if !drop[k] {
				latest = cols[clock][k]
			}
		}
		done = append(done, fmt.Sprintf("%s left out that cannot be used (on-bad: drop)", rowlist.Plural(n, "row")))
	}
	for i, c := range mended {
		kept := c[:0]
		for k, v := range c {
			if !drop[k] {
				kept = append(kept, v)
			}
		}
		mended[i] = kept
	}
	return mended, done
}

// within returns the edit's rows, of a log of so many.
func (e Edit) within(rows int) iter.Seq[int] {
	return func(yield func(k int) bool) {
		for _, span := range e.Rows {
			for k := max(span[0], 0); k < min(span[1], rows); k++ {
				if !yield(k) {
					return
				}
			}
		}
	}
}

// longestBridge is the largest number of neighbouring values of one torque that are interpolated instead of leaving the rows out.
const longestBridge = 2

// bridge returns the columns with the values interpolated that edits name by channel and rows, and one line about each
// channel. It marks in drop those rows for which there is no value on both sides.
func bridge(names []string, cols [][]float64, clock int, findings []Finding, drop []bool) (bridged [][]float64, done []string) {
	bridged = cols
	t := cols[clock]
	for i, name := range names {
		var missing []bool
		id := ""
		for _, f := range findings {
			for _, e := range f.Repair.Edits {
				if e.Channel != name || len(e.Rows) == 0 {
					continue
				}
				if missing == nil {
					missing, id = make([]bool, len(t)), f.ID
				}
				for k := range e.within(len(t)) {
					missing[k] = true
				}
			}
		}
		if missing == nil {
			continue
		}
		x := slices.Clone(cols[i])
		n, last := 0, -1 // last is the last sound row
		for k := range x {
			if missing[k] || drop[k] || math.IsNaN(x[k]) || math.IsInf(x[k], 0) || math.IsNaN(t[k]) || last >= 0 && !(t[k] > t[last]) {
				continue
			}
			for i := last + 1; i < k; i++ {
				switch {
				case !missing[i] || drop[i]:
				case last >= 0 && t[i] > t[last] && t[i] < t[k]:
					x[i] = x[last] + (x[k]-x[last])*(t[i]-t[last])/(t[k]-t[last])
					n++
				default:
					drop[i] = true
				}
			}
			last = k
		}
		for i := last + 1; i < len(x); i++ {
			drop[i] = drop[i] || missing[i]
		}
		if n == 0 {
			continue
		}
		if len(done) == 0 {
			bridged = slices.Clone(cols)
		}
		bridged[i] = x
		done = append(done, fmt.Sprintf("%s of %s interpolated (%s)", rowlist.Plural(n, "value"), name, id))
	}
	return bridged, done
}

// apply applies the edit to the values of a channel.
func (e Edit) apply(x, t []float64) {
	if e.Unwrap > 0 {
		unwrap(x, e.Unwrap)
		for k := range x {
			x[k] += e.Offset
		}
		return
	}
	if e.Since > 0 && e.Since < len(x) {
		e.applySince(x)
		return
	}
	scale := e.Scale
	if scale == 0 {
		scale = 1
	}
	mid, span := (t[0]+t[len(t)-1])/2, t[len(t)-1]-t[0]
	for k := range x {
		x[k] = scale*x[k] + e.Offset
		if e.Ramp != 0 {
			x[k] += e.Ramp * (t[k] - mid) / span
		}
	}
}

// applySince changes the values from row Since on: it scales their steps and adds the offset.
func (e Edit) applySince(x []float64) {
	at := x[e.Since-1]
	for k := e.Since; k < len(x); k++ {
		if e.Scale != 0 {
			x[k] = at + e.Scale*(x[k]-at)
		}
		x[k] += e.Offset
	}
}

// unwrap removes steps of more than half of size. It returns the number of turns by which most values have changed.
func unwrap(x []float64, size float64) (most float64) {
	turns, last := 0.0, math.NaN()
	count := map[float64]int{}
	for k, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		if step := v - last; math.Abs(step) > size/2 {
			turns -= math.Round(step / size)
		}
		last = v
		x[k] = v + turns*size
		count[turns]++
	}
	for turns, n := range count {
		// Of as frequent ones the smallest, of opposite ones the positive: a map has no order.
		if nearer := math.Abs(turns) < math.Abs(most) || turns == -most && turns > 0; n > count[most] || n == count[most] && nearer {
			most = turns
		}
	}
	return most
}

// text describes the edit.
func (e Edit) text() string {
	switch {
	case e.Reverse:
		return "the order of the rows reversed"
	case e.From != "" && e.Scale != 0 && e.Scale != 1:
		return fmt.Sprintf("%s takes the values of %s, times %.6g", e.Channel, e.From, e.Scale)
	case e.From != "" && e.Since > 0:
		return fmt.Sprintf("%s takes the values of %s from row %d on", e.Channel, e.From, e.Since+1)
	case e.From != "":
		return fmt.Sprintf("%s takes the values of %s", e.Channel, e.From)
	case e.Advance != 0:
		return fmt.Sprintf("%s moved by %.6g s", e.Channel, -e.Advance)
	case e.Ramp != 0:
		return fmt.Sprintf("%s less a ramp of %.6g over the log", e.Channel, -e.Ramp)
	case e.Unwrap != 0 && e.Offset != 0:
		return fmt.Sprintf("%s unwrapped by %.6g, plus %.6g", e.Channel, e.Unwrap, e.Offset)
	case e.Unwrap != 0:
		return fmt.Sprintf("%s unwrapped by %.6g", e.Channel, e.Unwrap)
	case e.Since > 0 && e.Scale != 0:
		return fmt.Sprintf("%s from row %d on times %.6g", e.Channel, e.Since+1, e.Scale)
	case e.Since > 0:
		return fmt.Sprintf("%s from row %d on plus %.6g", e.Channel, e.Since+1, e.Offset)
	case e.Offset != 0:
		return fmt.Sprintf("%s plus %.6g", e.Channel, e.Offset)
	}
	return fmt.Sprintf("%s times %.6g", e.Channel, e.Scale)
}

// advance replaces x(t) by x(t + by) at the rows' own times and marks rows for which it is unknown. It does not
// interpolate from rows with damaged times or values.
func advance(x, t []float64, by float64, damaged, drop []bool) {
	var at []int
	var knots, values []float64
	for k, v := range x {
		if damaged[k] || math.IsNaN(v) || math.IsInf(v, 0) || math.IsNaN(t[k]) || math.IsInf(t[k], 0) || len(knots) > 0 && !(t[k] > knots[len(knots)-1]) {
			continue
		}
		at, knots, values = append(at, k), append(knots, t[k]), append(values, v)
	}
	if len(knots) < 2 {
		return
	}
	wanted := make([]float64, 0, len(knots))
	var which []int
	for i, k := range at {
		s := knots[i] + by
		if s < knots[0] || s > knots[len(knots)-1] {
			drop[k] = true
			continue
		}
		wanted, which = append(wanted, s), append(which, k)
	}
	filter.Interpolate(wanted, knots, values, wanted)
	for i, k := range which {
		x[k] = wanted[i]
	}
}
