package causes

import (
	"math"
	"slices"

	"ident/filter"
	"ident/internal/orderstat"
)

// Quantity is what a channel measures.
type Quantity int

// Quantities of a joint; of a cause also those that are none of its channels.
const (
	Position Quantity = iota
	Velocity
	Torque
	Joint // the joint itself
	Time  // the clock
	None  // no single channel
)

// Raw holds the logged channels at neighbouring rows. Columns are nil if the log has none.
type Raw struct {
	T             []float64
	Q, DQ, Effort [][]float64
	Revolute      []bool
}

// Kinds of causes that can be found in one channel, without a model.
const (
	Placeholder = "placeholder" // one extreme value stands wherever a value is missing
	Spikes      = "spike"       // single rows far from their neighbours
	Wrapped     = "wrapped"     // values jump to the other end of their range, like angles within one turn
	TimeJump    = "time-jump"   // a stretch is missing though the clock runs on
	Repeated    = "repeated"    // a stretch of the log is repeated
	RateChange  = "rate-change" // the clock's rate changes, but the motion does not
	Held        = "held"        // a channel keeps each value for several rows
	Shuffled    = "shuffled"    // rows in another order than their times
)

// Limits of the checks of single channels.
const (
	placeholderRows  = 3
	placeholderShare = 5e-4
	placeholderSize  = 4.0 // of the 90 % quantile about the median
	spikeSize        = 8.0 // of the noise of neighbours, and
	spikeRange       = 1.5 // of the 90 % quantile about the median
	spikeShare       = 2e-4
	heldSeconds      = 0.06
	heldShare        = 0.7
	jumpSeconds      = 0.05
	cutSeconds       = 0.1 // a fit cuts a log at a gap longer than this and than cutSamples
	cutSamples       = 10
	shuffledSeconds  = 2e-3
	shuffledShare    = 0.75
	bridged          = 3.5 // samples: up to three rows that were lost or held stand alone in measured logs of 30 Hz
)

// Raws returns the causes that single channels show by themselves, the weightiest first.
func Raws(r Raw) []Cause {
	var out []Cause
	n := len(r.T)
	if n < fewestSamples {
		return nil
	}
	dt := medianStep(r.T)
	if !(dt > 0) {
		return nil
	}
	each := func(visit func(of Quantity, j int, x []float64)) {
		for of, g := range [][][]float64{r.Q, r.DQ, r.Effort} {
			for j, x := range g {
				if x != nil {
					visit(Quantity(of), j, x)
				}
			}
		}
	}
	add := func(c Cause, of Quantity, j int, rows []int) {
		c.Of, c.Joints, c.Rows = of, []int{j}, rows
		out = append(out, c)
	}
	beforeNoGap := func(k int) bool { return r.T[k]-r.T[k-1] <= max(cutSeconds, cutSamples*dt) } // behind a gap the joint may be anywhere
	each(func(of Quantity, j int, x []float64) {
		if seconds, rows := held(x, dt); rows > 0 {
			add(Cause{Kind: Held, Value: seconds}, of, j, nil)
			return
		}
		s := spanOf(x)
		if value, rows := placeholder(x, s); len(rows) > 0 {
			add(Cause{Kind: Placeholder, Value: value}, of, j, rows)
		} else if size, rows := wrap(x, s, of, r.Revolute[j]); slices.ContainsFunc(rows, beforeNoGap) {
			add(Cause{Kind: Wrapped, Value: size}, of, j, rows)
		} else if rows := spikes(x, s); len(rows) > 0 {
			add(Cause{Kind: Spikes, Value: float64(len(rows)) / float64(n)}, of, j, rows)
		}
	})
	if slices.ContainsFunc(out, func(c Cause) bool {
		return c.Of == Position && (c.Kind == Placeholder || c.Kind == Spikes || c.Kind == Wrapped || c.Kind == Held)
	}) {
		return out
	}
	return append(out, jumps(&r, dt)...)
}

func medianStep(t []float64) float64 {
	var d []float64
	for k := 1; k < len(t); k++ {
		if s := t[k] - t[k-1]; s > 0 {
			d = append(d, s)
		}
	}
	if len(d) == 0 {
		return 0
	}
	return orderstat.Selected(d, len(d)/2)
}

// quantile returns a quantile of magnitudes and reorders x.
func quantile(x []float64, q float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return orderstat.Selected(x, min(int(q*float64(len(x))), len(x)-1))
}

// span describes the finite values of a channel: spread is the 0.9 quantile of their distances from the median.
type span struct {
	median, spread, low, high float64
	none                      bool
}

func spanOf(x []float64) span {
	s := span{low: math.Inf(1), high: math.Inf(-1)}
	size := make([]float64, 0, len(x))
	for _, v := range x {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			size = append(size, v)
			s.low, s.high = min(s.low, v), max(s.high, v)
		}
	}
	s.none = len(size) == 0
	s.median = quantile(size, 0.5)
	for k := range size {
		size[k] = math.Abs(size[k] - s.median)
	}
	s.spread = quantile(size, 0.9)
	return s
}

// placeholder finds an extreme value that repeats on several rows, up to a tenth of them.
func placeholder(x []float64, s span) (value float64, rows []int) {
	if s.none {
		return 0, nil
	}
	for _, v := range []float64{s.high, s.low} {
		if math.Abs(v-s.median) <= placeholderSize*s.spread || s.spread == 0 {
			continue
		}
		rows = rows[:0]
		nearest := math.Inf(1)
		for k, w := range x {
			if w == v {
				rows = append(rows, k)
			} else if d := math.Abs(w - v); d < nearest {
				nearest = d
			}
		}
		if nearest <= math.Abs(v-s.median)/placeholderSize { // other values lead there: the channel went to an extreme and waited
			continue
		}
		known := isPlaceholder(v)
		if !known && (len(rows) < placeholderRows || float64(len(rows)) < placeholderShare*float64(len(x))) {
			continue
		}
		if !known && longest(rows) > max(len(rows)/2, 2) { // it stays there: a saturation, or a stop
			continue
		}
		return v, slices.Clone(rows)
	}
	return 0, nil
}

// longest returns the length of the longest run of neighbouring rows.
func longest(rows []int) int {
	best, run := 0, 0
	for i, k := range rows {
		if i > 0 && k == rows[i-1]+1 {
			run++
		} else {
			run = 1
		}
		best = max(best, run)
	}
	return best
}

// isPlaceholder reports whether a value is one that programs usually write for missing values.
func isPlaceholder(v float64) bool {
	v = math.Abs(v)
	for _, w := range []float64{999, 9999, 99999, 999999, -1e9, 1e9, 32767, 32768, 65535, 2147483647, 2147483648} {
		if v == w {
			return true
		}
	}
	return v > 1e30
}

// spikes finds single rows far from the median of their five neighbours, compared with noise and with the channel's
// range.
func spikes(x []float64, s span) []int {
	n := len(x)
	// Most values are near their neighbours, and no value is farther from the median than from its neighbours.
	far := 0
	for k := 2; k+2 < n; k++ {
		if least := spikeRange * s.spread; math.Abs(x[k]-x[k-1]) > least || math.Abs(x[k]-x[k+1]) > least || math.Abs(x[k]-x[k-2]) > least || math.Abs(x[k]-x[k+2]) > least {
			far++
		}
	}
	if far < placeholderRows {
		return nil
	}
	away := make([]float64, n)
	var w [5]float64
	for k := 2; k+2 < n; k++ {
		copy(w[:], x[k-2:k+3])
		slices.Sort(w[:])
		away[k] = math.Abs(x[k] - w[2])
	}
	// In a channel that rests most of the time, changes by a few quantisation steps are not spikes.
	noise := max(quantile(slices.Clone(away), 0.9), quantile(nonZero(away), 0.5))
	var rows []int
	for k, v := range away {
		if v > spikeSize*noise && v > spikeRange*s.spread {
			rows = append(rows, k)
		}
	}
	if len(rows) < placeholderRows || float64(len(rows)) < spikeShare*float64(n) || longest(rows) > 2 {
		return nil
	}
	return rows
}

// nonZero returns the magnitudes above zero.
func nonZero(x []float64) []float64 {
	var out []float64
	for _, v := range x {
		if v > 0 {
			out = append(out, v)
		}
	}
	return out
}

// wrap finds rare steps of equal size whose removal leaves a smooth channel.
func wrap(x []float64, at span, of Quantity, revolute bool) (size float64, rows []int) {
	n := len(x)
	step := make([]float64, 0, n)
	large := false
	for k := 1; k < n; k++ {
		s := math.Abs(x[k] - x[k-1])
		step = append(step, s)
		large = large || s > 0.8*at.spread
	}
	if !large {
		return 0, nil
	}
	usual := quantile(slices.Clone(step), 0.9)
	var sizes []float64
	for k, s := range step {
		if s > 6*usual && s > 0.8*at.spread {
			rows, sizes = append(rows, k+1), append(sizes, s)
		}
	}
	if len(rows) == 0 || float64(len(rows)) > 0.05*float64(n) {
		return 0, nil
	}
	size = quantile(slices.Clone(sizes), 0.5)
	if math.IsInf(size, 0) || math.IsNaN(size) || size > farthestWrap {
		return 0, nil
	}
	known := false
	if of == Position && revolute {
		for _, w := range []float64{2 * math.Pi, math.Pi, 360, 180, 1} {
			known = known || math.Abs(size/w-1) < 0.02
		}
	}
	for b := 10; b <= 32; b++ {
		known = known || math.Abs(size/math.Exp2(float64(b))-1) < 0.02
	}
	if !known && len(rows) < 2 {
		return 0, nil
	}
	if of == Position && !known {
		return 0, nil
	}
	if of == Position && math.Abs(size-1) < 0.02 && at.high-at.low > 1.1*size {
		return 0, nil // not of turns
	}
	if known && of == Position {
		for _, w := range []float64{2 * math.Pi, math.Pi, 360, 180, 1} {
			if math.Abs(size/w-1) < 0.02 {
				size = w
			}
		}
	}
	if !known { // other steps are friction that reverses
		var those []int
		for _, k := range rows {
			if math.Abs(math.Abs(x[k]-x[k-1])-size) <= max(0.08*size, 4*usual) {
				those = append(those, k)
			}
		}
		if len(those) < 2 || 3*len(those) < 2*len(rows) {
			return 0, nil
		}
		rows = those
	}
	// Wraps are equal steps from one end of the range to the other. Friction also steps when a joint reverses, but not
	// from end to end.
	low, high := at.low, at.high
	if !known && high-low > 1.1*size {
		return 0, nil
	}
	ends := 0
	add, y := 0.0, make([]float64, n)
	next := 0
	for k := range x {
		if next < len(rows) && rows[next] == k {
			s := x[k] - x[k-1]
			if math.Abs(math.Abs(s)-size) > max(0.08*size, 4*usual) {
				return 0, nil
			}
			if a, b := min(x[k], x[k-1]), max(x[k], x[k-1]); a < low+0.08*size && b > high-0.08*size {
				ends++
			}
			add -= math.Copysign(size, s)
			next++
		}
		y[k] = x[k] + add
	}
	// Noise near the end of the range wraps back and forth. Damaged values also return at once, but jump from anywhere
	// in the range.
	if full := len(rows) >= fewestWraps && high-low < 1.02*size && 20*ends >= 19*len(rows); !known && (10*ends < 9*len(rows) || !full && !stays(rows)) {
		return 0, nil
	}
	for _, k := range rows {
		if math.Abs(y[k]-y[k-1]) > max(8*usual, 0.08*size) {
			return 0, nil
		}
	}
	return size, rows
}

// fewestWraps is the number of steps from which steps over the whole range count as wraps, however short the time
// between them.
const fewestWraps = 6

// farthestWrap exceeds the range of every counter.
const farthestWrap = 1 << 40

// stays reports whether most stretches between steps last longer than a few rows: values that return at once are damage.
func stays(rows []int) bool {
	long, all := 0, 0
	for i := 1; i < len(rows); i++ {
		if all++; rows[i]-rows[i-1] > 3 {
			long++
		}
	}
	return 2*long > all
}

// catchesUp is the least step at the end of a hold, in steps of the other rows: a channel that is held makes up for the motion that it did not
// show, of three rows at least, while one that rests starts with a step like any other.
const catchesUp = 3

// held finds a channel that holds each value for a while. It returns that time in seconds and the number of held rows.
func held(x []float64, dt float64) (seconds float64, rows int) {
	least := max(3, int(math.Ceil(heldSeconds/dt)))
	var runs, ends []float64
	length, total := 1, 0
	for k := 1; k < len(x); k++ {
		if x[k] == x[k-1] {
			length++
			continue
		}
		if length >= least {
			runs, ends, total = append(runs, float64(length)), append(ends, math.Abs(x[k]-x[k-1])), total+length
		}
		length = 1
	}
	if len(runs) < 5 || float64(total) < heldShare*float64(len(x)) {
		return 0, 0
	}
	var steps, others []float64 // others end no hold
	length = 1
	for k := 1; k < len(x); k++ {
		if x[k] == x[k-1] {
			length++
			continue
		}
		steps = append(steps, math.Abs(x[k]-x[k-1]))
		if length < least {
			others = append(others, math.Abs(x[k]-x[k-1]))
		}
		length = 1
	}
	quantum := quantile(steps, 0.03)
	end := quantile(ends, 0.5)
	if len(others) > len(runs) && end < catchesUp*quantile(others, 0.5) {
		return 0, 0 // it rests, and moves row by row in between
	}
	m := quantile(slices.Clone(runs), 0.5)
	even := 0
	for _, v := range runs {
		if math.Abs(v-m) <= max(0.25*m, 1) {
			even++
		}
	}
	if end < 2.5*quantum || float64(even) < 0.6*float64(len(runs)) {
		return 0, 0
	}
	return m * dt, total
}

// jumps finds missing or repeated stretches, changes of the sampling rate and reordered rows: all joints deviate from
// their own velocities by the same time.
func jumps(r *Raw, dt float64) []Cause {
	n := len(r.T)
	type joint struct{ e, v []float64 }
	var joints []joint
	half := max(2, int(math.Round(0.02/dt)))
	for _, q := range r.Q {
		if q == nil {
			continue
		}
		low, high := math.Inf(1), math.Inf(-1)
		finite := true
		for _, x := range q {
			finite = finite && !math.IsNaN(x) && !math.IsInf(x, 0)
			low, high = min(low, x), max(high, x)
		}
		if !finite || high-low < 10*still {
			continue
		}
		j := joint{make([]float64, n), make([]float64, n)}
		for k := 1; k < n; k++ {
			// The velocity on both sides of the step, without the step.
			a, b := max(k-1-half, 0), min(k+half, n-1)
			var v, w float64
			if s := r.T[k-1] - r.T[a]; s > 0 {
				v += q[k-1] - q[a]
				w += s
			}
			if s := r.T[b] - r.T[k]; s > 0 {
				v += q[b] - q[k]
				w += s
			}
			if w > 0 {
				j.v[k] = v / w
			}
			j.e[k] = q[k] - q[k-1] - j.v[k]*(r.T[k]-r.T[k-1])
		}
		joints = append(joints, j)
	}
	if len(joints) == 0 {
		return nil
	}
	var scale, noise []float64
	for _, j := range joints {
		scale = append(scale, rms(j.v))
		e := make([]float64, n)
		for k, v := range j.e {
			e[k] = math.Abs(v)
		}
		noise = append(noise, quantile(e, 0.9))
	}
	var out []Cause
	var jump, few []int // one row of each, where it is largest; rows at which some joints jump
	var shift, largest []float64
	late, explained, whole, count := 0, 0.0, 0.0, 0
	for k := 1; k < n; k++ {
		steps, moving, num, den, ee := 0, 0, 0.0, 0.0, 0.0
		for i, j := range joints {
			if scale[i] == 0 {
				continue
			}
			e, v := j.e[k]/scale[i], j.v[k]/scale[i]
			num += e * v
			den += v * v
			ee += e * e
			moving++
			if math.Abs(j.e[k]) > max(jumpSeconds*scale[i], 6*noise[i]) {
				steps++
			}
		}
		if moving == 0 {
			continue
		}
		if 2*steps >= moving && steps >= min(2, moving) { // one of several joints that steps has slipped
			if i := len(jump) - 1; i >= 0 && k-jump[i] <= 2*half+2 {
				if ee > largest[i] {
					jump[i], shift[i], largest[i] = k, num/max(den, 1e-12), ee
				}
				continue
			}
			jump, shift, largest = append(jump, k), append(shift, num/max(den, 1e-12)), append(largest, ee)
			continue
		}
		if steps > 0 && len(few) < mostSuspects {
			few = append(few, k)
		}
		if den > 0 {
			s := num / den
			if math.Abs(s) > max(shuffledSeconds, 0.5*dt) && den > 0.2*float64(moving) {
				late++
				explained += num * num / den
				whole += ee
			}
			count++
		}
	}
	if c, ok := rateChange(r); ok {
		return append(out, c)
	}
	if late > max(20, n/100) && explained > shuffledShare*whole && len(joints) > 1 {
		out = append(out, Cause{Kind: Shuffled, Value: float64(late) / float64(max(count, 1))})
	}
	switch {
	case len(jump) > max(8, n/2000):
		if len(out) == 0 {
			out = append(out, Cause{Kind: Shuffled, Value: float64(len(jump)) / float64(n), Rows: jump})
		}
	case len(jump) > 0:
		for i, k := range jump {
			if math.Abs(shift[i]) < max(jumpSeconds, bridged*dt) {
				continue // rows that were lost or held, which resampling bridges
			}
			step := r.T[k] - r.T[k-1]
			if math.Abs(shift[i]) < 0.5*step && step > 2*dt {
				continue // the clock has the gap too: velocities on both sides predict the positions behind it to this part of the distance
			}
			if step > max(cutSeconds, cutSamples*dt) {
				continue // the log is cut at so long a gap of the clock, however long it was, and both pieces are whole
			}
			c := Cause{Kind: TimeJump, Value: missingTime(r, k, shift[i], dt), Rows: []int{k}}
			if at := repeats(r, k); at > 0 {
				c.Kind, c.Length = Repeated, float64(at)
			}
			out = append(out, c)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, k := range append(few, jump...) {
		if n := repeats(r, k); n >= fewestRepeated {
			return append(out, Cause{Kind: Repeated, Value: -float64(n) * dt, Rows: []int{k}, Length: float64(n)})
		}
	}
	return out
}

// jumpSide is the time on either side of a jump by which the motion there is known, in seconds; jumpRows is the least number of rows.
const jumpSide, jumpRows = 0.1, 8

// missingTime returns the time that is missing before row k beyond the clock's own interval, from a first estimate. Between the parabolas on both
// sides each joint moves by the mean of its speeds times the time, less a twelfth of the difference of its accelerations times the time squared: a
// cubic speed. The estimate that the mean of the speeds alone gives is off by a twelfth of the squared angle by which the motion turns.
func missingTime(r *Raw, k int, first, dt float64) float64 {
	m := max(jumpRows, int(jumpSide/dt))
	if !(first > 0) || k < m || k+m > len(r.T) {
		return first
	}
	type joint struct{ way, speed, bend float64 } // over scale
	var joints []joint
	for _, q := range r.Q {
		if q == nil {
			continue
		}
		a, okA := motionAt(r.T[k-m:k], q[k-m:k], r.T[k-1])
		b, okB := motionAt(r.T[k:k+m], q[k:k+m], r.T[k])
		if scale := math.Hypot(a[1], b[1]); okA && okB && scale > 0 {
			joints = append(joints, joint{(b[0] - a[0]) / scale, (a[1] + b[1]) / 2 / scale, (b[2] - a[2]) / 12 / scale})
		}
	}
	step := r.T[k] - r.T[k-1]
	g := first + step
	for range 20 {
		num, den := 0.0, 0.0
		for _, j := range joints {
			num += (j.way + j.bend*g*g) * j.speed
			den += j.speed * j.speed
		}
		next := num / den
		if !(next > step && next < 2*(first+step)) {
			return first
		}
		if math.Abs(next-g) < 1e-3*dt {
			return next - step
		}
		g = next
	}
	return first
}

// motionAt returns position, speed and acceleration at a time, by the parabola of least squares through rows.
func motionAt(t, q []float64, at float64) (x [3]float64, ok bool) {
	var s [5]float64
	var y [3]float64
	span := max(at-t[0], t[len(t)-1]-at)
	for i := range t {
		u, p := (t[i]-at)/span, 1.0
		for d := range s {
			s[d] += p
			if d < len(y) {
				y[d] += p * q[i]
			}
			p *= u
		}
	}
	// Cramer's rule on the normal equations.
	det := func(a, b, c [3]float64) float64 {
		return a[0]*(b[1]*c[2]-b[2]*c[1]) - b[0]*(a[1]*c[2]-a[2]*c[1]) + c[0]*(a[1]*b[2]-a[2]*b[1])
	}
	c0, c1, c2 := [3]float64(s[0:3]), [3]float64(s[1:4]), [3]float64(s[2:5])
	d := det(c0, c1, c2)
	if !(d > 0) {
		return x, false
	}
	return [3]float64{det(y, c1, c2) / d, det(c0, y, c2) / d / span, 2 * det(c0, c1, y) / d / span / span}, true
}

// Up to mostSuspects rows at which single joints jump are compared with earlier rows. A repeated stretch has at least
// fewestRepeated rows.
const mostSuspects, fewestRepeated = 64, 20

// repeats returns the number of rows from k on that occurred before, 0 for none.
func repeats(r *Raw, k int) int {
	equal := func(a, b int) bool {
		for _, g := range [][][]float64{r.Q, r.Effort} {
			for _, x := range g {
				if x != nil && x[a] != x[b] {
					return false
				}
			}
		}
		return true
	}
	for back := k - 1; back >= max(0, k-len(r.T)/4); back-- {
		if !equal(back, k) {
			continue
		}
		n := 0
		for back+n < k && k+n < len(r.T) && equal(back+n, k+n) {
			n++
		}
		if n >= 5 {
			return n
		}
	}
	return 0
}

// rateChange finds a step of the sampling interval at which the velocities of all joints change by its inverse.
func rateChange(r *Raw) (Cause, bool) {
	n := len(r.T)
	w := max(20, n/100)
	best, at := 0.0, 0
	// A single long interval is a gap, and no rate.
	t := make([]float64, n)
	for k := 1; k < n; k++ {
		d := r.T[k] - r.T[k-1]
		if k > 1 && k+1 < n {
			if usual := max(r.T[k-1]-r.T[k-2], r.T[k+1]-r.T[k]); usual > 0 && d > filter.Gap*usual {
				d = usual
			}
		}
		t[k] = t[k-1] + d
	}
	mean := func(a, b int) float64 { return (t[b] - t[a]) / float64(b-a) }
	for k := 2 * w; k+2*w < n; k += max(1, w/10) {
		a, b := mean(k-w, k), mean(k, k+w)
		if !(a > 0) || !(b > 0) {
			continue
		}
		if d := math.Abs(math.Log(b / a)); d > best {
			best, at = d, k
		}
	}
	if best < 0.15 {
		return Cause{}, false
	}
	// The step is within a window of this row.
	from := max(at-w, w)
	finest := 0.0
	for k := from; k < min(at+w, n-w); k++ {
		if d := math.Abs(math.Log(mean(k, k+w/2) / mean(k-w/2, k))); d > finest {
			finest, at = d, k
		}
	}
	a, b := mean(at-w, at), mean(at, at+w)
	// The change must last.
	if d := math.Log(b / a); math.Abs(math.Log(mean(at, n-1)/mean(0, at))/d-1) > 0.5 {
		return Cause{}, false
	}
	var logs []float64
	m := max(3, w/4)
	for _, q := range r.Q {
		if q == nil {
			continue
		}
		before, after := (q[at]-q[at-m])/(r.T[at]-r.T[at-m]), (q[at+m]-q[at])/(r.T[at+m]-r.T[at])
		if before*after > 0 {
			logs = append(logs, math.Log(after/before))
		}
	}
	if len(logs) == 0 {
		return Cause{}, false
	}
	slices.Sort(logs)
	turned := logs[len(logs)/2] / math.Log(a/b)
	if turned < 0.6 || turned > 1.6 {
		return Cause{}, false
	}
	return Cause{Kind: RateChange, Value: b / a, Rows: []int{at}}, true
}
