package report

import (
	"cmp"
	"math"
	"slices"

	"ident/internal/digits"
	"ident/result"
)

// moment is a time to look at: of a fit one of the largest residuals, of other curves a mark.
type moment struct {
	Run   int     `json:"run"` // among those with samples
	Row   int     `json:"row"` // -1 for all
	T     float64 `json:"t"`   // on the run's own clock, s
	Until float64 `json:"until,omitempty"`
	Words string  `json:"words"`
	Size  float64 `json:"size"` // residual over the joint's root mean square torque
}

// At most so many moments of a joint and of all are offered.
const (
	momentsPerJoint = 3
	momentsInAll    = 15
)

// worstMoments returns the largest residuals relative to the joint's torque. Those of one joint are at least a fiftieth
// of the total time apart, because neighbours of a peak are the same moment.
func worstMoments(res *result.Result, ls []lane) []moment {
	apart := (ls[len(ls)-1].end - ls[0].start) / 50
	all := []moment{}
	for j := range res.Joints {
		rms := rmsTorque(ls, j)
		if rms == 0 {
			continue
		}
		var found []moment
		for range momentsPerJoint {
			best := moment{}
			for r, l := range ls {
				for _, run := range fullRate(l.run) {
					for k, t := range run.T {
						e := run.Measured[j][k] - run.Predicted[j][k]
						if size := math.Abs(e) / rms; size > best.Size && finite(size) && finite(t) && !slices.ContainsFunc(found, func(f moment) bool { return f.Run == r && math.Abs(f.T-t) < apart }) {
							best = moment{Run: r, Row: j, T: t, Size: size, Words: digits.Number(e, 3) + " " + unit(res, j)}
						}
					}
				}
			}
			if best.Size == 0 {
				break
			}
			found = append(found, best)
		}
		all = append(all, found...)
	}
	slices.SortStableFunc(all, func(a, b moment) int { return cmp.Compare(b.Size, a.Size) })
	return all[:min(len(all), momentsInAll)]
}

// rmsTorque returns the root mean square of a joint's measured torque, 0 if unknown.
func rmsTorque(ls []lane, j int) float64 {
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
	if rms := math.Sqrt(square / float64(max(n, 1))); finite(rms) {
		return rms
	}
	return 0
}

// fullRate returns the stretches of a run with every sample: the whole run, or those kept of a long one.
func fullRate(run *result.ResidualRun) []result.ResidualRun {
	if run.Long != nil {
		return run.Long.Blocks
	}
	return []result.ResidualRun{*run}
}

// partSamples is the number of samples about a moment that are written at full rate.
const partSamples = 256

// worstParts returns the stretches at full rate around the moments in a run, ascending and disjoint.
func worstParts(run *result.ResidualRun, moments []moment, index int) []result.ResidualRun {
	var out []result.ResidualRun
	for _, part := range fullRate(run) {
		var ranges [][2]int
		n := len(part.T)
		for _, m := range moments {
			if k := slices.Index(part.T, m.T); m.Run == index && k >= 0 {
				a := max(0, min(k-partSamples/2, n-partSamples))
				ranges = append(ranges, [2]int{a, min(n, a+partSamples)})
			}
		}
		slices.SortFunc(ranges, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
		for i := 0; i < len(ranges); i++ {
			a, b := ranges[i][0], ranges[i][1]
			for ; i+1 < len(ranges) && ranges[i+1][0] <= b; i++ {
				b = ranges[i+1][1]
			}
			cut := func(table [][]float64) (to [][]float64) {
				for _, column := range table {
					to = append(to, column[a:b])
				}
				return to
			}
			p := result.ResidualRun{T: part.T[a:b], Measured: cut(part.Measured), Predicted: cut(part.Predicted)}
			if run.Logged != nil {
				p.Logged = cut(part.Logged)
			}
			if run.File != nil {
				p.File = cut(part.File)
			}
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b result.ResidualRun) int { return cmp.Compare(a.T[0], b.T[0]) })
	return out
}

// unusedStretches returns the stretches of a run without measured samples: doubtful ones, and gaps between samples. If
// there are many, neighbours are merged.
func unusedStretches(run *result.ResidualRun) [][2]float64 {
	const most = 1000
	var all [][2]float64
	for _, d := range run.Doubtful {
		all = append(all, [2]float64{d.From, d.To})
	}
	gaps, period := gapsOf(run)
	all = append(all, gaps...)
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	for apart := 0.0; ; apart = max(2*apart, period) {
		out := [][2]float64{all[0]}
		for _, u := range all[1:] {
			if last := &out[len(out)-1]; u[0] <= last[1]+apart {
				last[1] = max(last[1], u[1])
			} else {
				out = append(out, u)
			}
		}
		if len(out) <= most {
			return out
		}
	}
}

// gapsOf returns the intervals of more than three periods between neighbouring rows: clock gaps, and rows left out
// together with the ends cut there. period is the time between rows.
func gapsOf(run *result.ResidualRun) (gaps [][2]float64, period float64) {
	period = meanPeriod(run.T)
	from, to := run.T, run.T
	if l := run.Long; l != nil { // rows are missing from T
		period /= float64(run.Stride)
		from, to = l.From, l.To
	}
	for k := 1; k < len(from); k++ {
		if d := from[k] - to[k-1]; d > 3*period && finite(d) {
			gaps = append(gaps, [2]float64{to[k-1], from[k]})
		}
	}
	return gaps, period
}

// median of values, which it sorts.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
