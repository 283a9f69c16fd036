package observation

import (
	"context"
	"math"
)

// RestRule detects from the logged positions when joints are at rest: in every interval of Seconds in which the position
// stays within Range. Both have one entry per joint; zero seconds detect no rest. The zero value detects none at all.
type RestRule struct {
	Range   []float64 `json:"range"`   // largest allowed range of positions at rest, rad or m
	Seconds []float64 `json:"seconds"` // length of the interval in which the range is measured, s
}

// Limits used by NewRestRule.
const (
	// restRange is the largest range of positions at rest, in standard deviations of their noise. One in thirty sets of
	// a hundred normal numbers exceeds six; overlapping intervals fill such gaps.
	restRange = 6
	// exactRange is the range without noise, rad or m: above rounding of positions up to a thousand.
	exactRange = 1e-12
	// slowReversal is the acceleration of the slowest reversals, relative to the joint's root mean square.
	slowReversal = 0.25
	// restLeak is the part of the friction at rest that may leak into neighbouring rows: Coulomb friction is a tenth of
	// the torque of most drives, so this is a thousandth of it.
	restLeak = 0.01
	// shortestRest and longestRest bound the interval, in seconds.
	shortestRest, longestRest = 0.025, 0.5
)

// NewRestRule returns the rule for runs with the given position noise (the largest of those in which the joint moves counts) and the rows' cut-off in
// hertz, 0 for none. A reversal with acceleration a stays within a·T²/8 for the time T. So the interval is the time in
// which a reversal with a quarter of the joint's mean acceleration leaves the range of the noise: otherwise it would be
// taken for rest. It is at least half a period of the cut-off, because rows do not resolve shorter rest.
func NewRestRule(runs [][]JointNoise, cutoff float64) RestRule {
	shortest := shortestRest
	if cutoff > 0 {
		shortest = max(shortest, 0.5/cutoff)
	}
	var rule RestRule
	for k := range runs[0] {
		sigma, a := 0.0, 0.0
		for _, run := range runs {
			if run[k].Stands && !StandInAll(runs, k) {
				continue
			}
			sigma, a = max(sigma, run[k].Position.Sigma), max(a, run[k].Acceleration)
		}
		within, length := max(restRange*sigma, exactRange), longestRest
		if a > 0 {
			length = min(max(math.Sqrt(8*within/(slowReversal*a)), shortest), longestRest)
		}
		rule.Range, rule.Seconds = append(rule.Range, within), append(rule.Seconds, length)
	}
	return rule
}

// RestOf returns the rule for logged runs and rows behind a cut-off in hertz. Averages over periods need it: an average
// at rest still has noise, which its spectrum does not show.
func RestOf(ctx context.Context, runs []Run, cutoff float64) (RestRule, error) {
	var noise [][]JointNoise
	for i := range runs {
		run := &runs[i]
		segments, _, err := Segments(i, run, run.Channels(false, false), true)
		if err != nil {
			return RestRule{}, err
		}
		own, err := MeasureNoise(ctx, run, segments)
		if err != nil {
			return RestRule{}, err
		}
		noise = append(noise, own)
	}
	return NewRestRule(noise, cutoff), nil
}

// restStage is the rule at one sampling rate.
type restStage struct {
	within []float64 // by joint
	window []int     // samples of an interval, by joint; 0 for none
	margin int       // samples on either side of rest that filters spread it over
}

// newRestStage returns the rule with margins of spread samples, over which the filter of the rows spreads rest.
func newRestStage(rule RestRule, spread int, dt float64) restStage {
	s := restStage{within: rule.Range, margin: differenceReach + spread}
	for k := range rule.Seconds {
		s.window = append(s.window, rule.window(k, dt))
	}
	return s
}

// window returns the samples of an interval of a joint, 0 for none.
func (r RestRule) window(joint int, dt float64) int {
	if !(r.Seconds[joint] > 0) {
		return 0
	}
	return max(int(math.Round(r.Seconds[joint]/dt))+1, 3)
}

// Mark marks the samples at which a joint is at rest, by its positions, dt seconds apart; those to which a filter spreads rest are not
// among them.
func (r RestRule) Mark(mask []bool, joint int, positions []float64, dt float64) {
	if n := r.window(joint, dt); n > 0 {
		new(restStage).mark(mask, positions, n, r.Range[joint], new(restWork))
	}
}

// reach returns the number of samples on either side on which the rest of a sample depends.
func (s *restStage) reach() int {
	n := 0
	for _, w := range s.window {
		n = max(n, w+s.margin)
	}
	return n
}

// restWork is the memory of tell.
type restWork struct {
	atRest    [][]bool
	low, high []int // positions of the smallest and the largest values of a window, monotone queues
}

// tell marks the samples of every joint that are at rest, and the margins. It returns nil for a joint that is never at
// rest.
func (s *restStage) tell(positions [][]float64, w *restWork) [][]bool {
	if len(s.window) == 0 {
		return nil
	}
	if len(w.atRest) != len(positions) {
		w.atRest = make([][]bool, len(positions))
	}
	out := make([][]bool, len(positions))
	for k, q := range positions {
		if s.window[k] == 0 || len(q) < s.window[k] {
			continue
		}
		if cap(w.atRest[k]) < len(q) {
			w.atRest[k] = make([]bool, len(q))
		}
		mask := w.atRest[k][:len(q)]
		clear(mask)
		if s.mark(mask, q, s.window[k], s.within[k], w) {
			out[k] = mask
		}
	}
	return out
}

// mark is tell for one joint. A window that is not at rest contains two samples too far apart, and so do all windows
// that begin at or before the first of the two. If the joint moves, the last such pair lies near the window's end, and
// the search continues after its first sample. If that would gain less than half a window, windows are followed sample
// by sample for at least a window's length. Either way the time is proportional to the samples.
func (s *restStage) mark(mask []bool, q []float64, window int, within float64, w *restWork) bool {
	found := false
	for first := 0; first+window <= len(q); {
		if next := farthest(q[first:first+window], within) + 1; next > window/2 {
			first += next
			continue
		}
		next, rest := s.follow(mask, q, first, window, within, w)
		first, found = next, found || rest
	}
	return found
}

// farthest returns the last sample of a window that differs by more than within from a later one, or -1.
func farthest(q []float64, within float64) int {
	low, high := math.Inf(1), math.Inf(-1)
	for i := len(q) - 1; i >= 0; i-- {
		if low, high = min(low, q[i]), max(high, q[i]); high-low > within {
			return i
		}
	}
	return -1
}

// follow marks the rest of windows from sample first on, until a window's length of them was not at rest. It returns the
// sample at which the next window begins, and whether any was at rest.
func (s *restStage) follow(mask []bool, q []float64, first, window int, within float64, w *restWork) (next int, found bool) {
	w.low, w.high = w.low[:0], w.high[:0]
	lowest, highest := 0, 0 // fronts of the queues
	marked := 0             // samples before it are marked as far as they are at rest
	last := first           // beginning of the last window at rest, or of the first window
	from := first
	for i := first; i < len(q); i++ {
		v := q[i]
		for len(w.low) > lowest && q[w.low[len(w.low)-1]] >= v {
			w.low = w.low[:len(w.low)-1]
		}
		for len(w.high) > highest && q[w.high[len(w.high)-1]] <= v {
			w.high = w.high[:len(w.high)-1]
		}
		w.low, w.high = append(w.low, i), append(w.high, i)
		first = i - window + 1
		for w.low[lowest] < first {
			lowest++
		}
		for w.high[highest] < first {
			highest++
		}
		if first < from {
			continue
		}
		if q[w.high[highest]]-q[w.low[lowest]] > within {
			if first-last >= window {
				return first + 1, marked > 0
			}
			continue
		}
		last = first
		to := min(i+1+s.margin, len(q))
		for j := max(marked, first-s.margin); j < to; j++ {
			mask[j] = true
		}
		marked = to
	}
	return len(q), marked > 0
}

// Widen returns which samples are within reach samples of a marked one.
func Widen(marked []bool, reach int) []bool {
	out := make([]bool, len(marked))
	next := 0 // the samples before it are decided
	for i, on := range marked {
		if on {
			for next = max(next, i-reach); next <= min(i+reach, len(marked)-1); next++ {
				out[next] = true
			}
		}
	}
	return out
}
