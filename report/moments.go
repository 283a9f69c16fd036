package report

import (
	"cmp"
	"math"
	"slices"

	"ident/result"
)

// moment is one of the largest residuals.
type moment struct {
	Run   int     `json:"run"` // among those with samples
	Joint int     `json:"joint"`
	T     float64 `json:"t"` // on the run's own clock, s
	Words string  `json:"words"`

	size float64 // residual over the joint's root mean square torque
}

// At most so many moments of a joint and of all are offered.
const (
	momentsPerJoint = 3
	momentsInAll    = 15
)

// worstMoments are the largest residuals, by their size beside the joint's torque, at least a fiftieth of the
// whole time apart for one joint: neighbours of a peak are the same moment.
func worstMoments(res *result.Result, ls []lane) []moment {
	apart := (ls[len(ls)-1].end - ls[0].start) / 50
	all := []moment{}
	for j := range res.Joints {
		var square float64
		n := 0
		for _, l := range ls {
			for _, m := range l.run.Measured[j] {
				if finite(m) {
					square += m * m
					n++
				}
			}
		}
		rms := math.Sqrt(square / float64(max(n, 1)))
		if !(rms > 0) || !finite(rms) {
			continue
		}
		var found []moment
		for range momentsPerJoint {
			best := moment{size: 0}
			for r, l := range ls {
				for k, t := range l.run.T {
					e := l.run.Measured[j][k] - l.run.Predicted[j][k]
					if size := math.Abs(e) / rms; size > best.size && finite(size) && finite(t) && !slices.ContainsFunc(found, func(f moment) bool { return f.Run == r && math.Abs(f.T-t) < apart }) {
						best = moment{Run: r, Joint: j, T: t, size: size, Words: number(e, 3) + " " + unit(res, j)}
					}
				}
			}
			if best.size == 0 {
				break
			}
			found = append(found, best)
		}
		all = append(all, found...)
	}
	slices.SortStableFunc(all, func(a, b moment) int { return cmp.Compare(b.size, a.size) })
	return all[:min(len(all), momentsInAll)]
}

// median of values, which it sorts.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
