package observation

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/filter"
)

// PayloadFlag is a channel that says in every row whether the payload is attached. The zero value means no channel.
type PayloadFlag struct {
	Channel string
	// Number is the number of the payload meant, if the channel holds the numbers of several and 0 for none. It is 0 if
	// the channel holds 0 and 1.
	Number int
	// Numbers lists the numbers of the model's payloads if it has several; Number is then 0.
	Numbers []int
}

// PayloadFlagOf reads CHANNEL or CHANNEL=NUMBER; has reports whether the log has a channel, because a name may contain
// an equals sign. numbers are those of the model's payloads if it has several.
func PayloadFlagOf(text string, has func(channel string) bool, numbers []int) PayloadFlag {
	if at := strings.LastIndexByte(text, '='); at >= 0 && !has(text) {
		if n, err := strconv.Atoi(text[at+1:]); err == nil && n > 0 {
			return PayloadFlag{Channel: text[:at], Number: n}
		}
	}
	return PayloadFlag{Channel: text, Numbers: numbers}
}

// loadState is the number of the model's payload that is attached.
type loadState int8

const (
	bare    loadState = 0
	loaded  loadState = 1  // of a model with one payload
	another loadState = -1 // payload than those of the model
)

// state converts a value of the channel; if it is not a flag, why says so.
func (p PayloadFlag) state(v float64) (s loadState, why string) {
	switch {
	case v != math.Trunc(v) || v < 0:
		return 0, fmt.Sprintf("%g does not say whether the payload is on: 0 or 1 does, or the number of the payload", v)
	case v == 0:
		return bare, ""
	case p.Numbers != nil:
		if slices.Contains(p.Numbers, int(min(v, math.MaxInt8))) {
			return loadState(v), ""
		}
		return another, ""
	case p.Number == 0 && v != 1:
		return 0, fmt.Sprintf("%g is neither 0 nor 1; if the channel has the numbers of several payloads, choose one (payload-flag: %s=%g)", v, p.Channel, v)
	case p.Number == 0 || v == float64(p.Number):
		return loaded, ""
	}
	return another, ""
}

// attached writes 1 (with several payloads, the number) if a payload is attached, otherwise 0. Values between flags come
// from resampling next to a change.
func (p PayloadFlag) attached(dst, flags []float64) {
	if p.Numbers != nil {
		for i, v := range flags {
			dst[i] = math.Round(v)
		}
		return
	}
	on := float64(max(p.Number, 1))
	for i, v := range flags {
		dst[i] = 0
		if math.Abs(v-on) < 0.5 {
			dst[i] = 1
		}
	}
}

// flagContext is the time, in seconds, by which a part between changes of the payload extends into its neighbours.
// Filters start there, and their transients decay over it as over DefaultTrim at the ends of a run.
const flagContext = 0.5

// cutAtFlags splits a segment where the payload changes. states are those of its usable rows. A part extends into its
// neighbours by flagContext; rows with another payload are no part.
func cutAtFlags(whole Segment, states []loadState, times []float64, bad []int) []Segment {
	rows := make([]int, len(states)+1) // of the log, by usable row, and the end
	next := 0
	for i, row := 0, whole.First; i < len(states); row++ {
		if next < len(whole.bad) && whole.bad[next] == row {
			next++
			continue
		}
		rows[i], i = row, i+1
	}
	rows[len(states)] = whole.Last
	var out []Segment
	for start := 0; start < len(states); {
		end := start + 1
		for end < len(states) && states[end] == states[start] {
			end++
		}
		lo, hi := start, end
		for lo > 0 && times[start]-times[lo-1] <= flagContext {
			lo--
		}
		for hi < len(states) && times[hi]-times[end-1] <= flagContext {
			hi++
		}
		if states[start] != another && hi-lo >= MinSamples {
			of := filter.NewTimes(times[lo:hi])
			s := newSegment(whole.Run, of, of.Clock(), rows[lo], rows[hi-1]+1, bad)
			s.Began, s.Stamps = whole.Began, whole.Stamps
			s.Flagged, s.Attached, s.Payload = true, states[start] > bare, int(max(states[start], bare))
			// Samples are at whole intervals of the clock, except for rounding of times.
			const rounding = 1e-3
			if lo < start {
				s.head = max(int(math.Ceil((times[start]-s.T0)/s.DT-rounding)), 1)
			}
			if hi > end {
				s.tail = max(s.N-1-int(math.Floor((times[end-1]-s.T0)/s.DT+rounding)), 1)
			}
			out = append(out, s)
		}
		start = end
	}
	return out
}
