package datasets

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// interval returns the time between the rows of a log without a clock, if positions and velocities of its joints determine it: the
// factor of the mean of velocities that explains the changes of position, with the largest deviation of a joint from
// the median of all, as a part of it. ok is false if it varies by more than a fiftieth, or if velocities explain less than nine tenths of
// the changes.
func (r Roles) interval(l *Log) (seconds, deviation float64, ok bool) {
	const most = 100_000 // rows that determine it
	var all []float64
	for j := range r.Q {
		if r.Q[j] == "" || r.DQ[j] == "" {
			continue
		}
		var vv, vd, dd float64
		var q, v [2]float64 // of the two rows before
		err := l.Scan([]string{r.Q[j], r.DQ[j]}, 0, func(first int, cols [][]float64) error {
			for k := range cols[0] {
				// Simpson's rule over two intervals: motion at a twentieth of the rate errs by 1e-4.
				if mean, change := (v[0]+4*v[1]+cols[1][k])/3, cols[0][k]-q[0]; first+k > 1 && !math.IsNaN(mean+change) {
					vv, vd, dd = vv+mean*mean, vd+mean*change, dd+change*change
				}
				q, v = [2]float64{q[1], cols[0][k]}, [2]float64{v[1], cols[1][k]}
			}
			if first > most {
				return ErrStop
			}
			return nil
		})
		if h := vd / vv; err == nil && h > 0 && !math.IsInf(h, 0) && vd*vd > 0.9*vv*dd {
			all = append(all, h)
		}
	}
	if len(all) == 0 {
		return 0, 0, false
	}
	slices.Sort(all)
	seconds = all[len(all)/2]
	deviation = max(all[len(all)-1]-seconds, seconds-all[0]) / seconds
	return seconds, deviation, deviation < 0.02
}

// rateOf proposes the rate of a log without a clock, and says why: by positions and velocities, or by a number dt in its metadata.
func (r Roles) rateOf(l *Log) (value, why string) {
	if h, deviation, ok := r.interval(l); ok {
		hz := 1 / h
		if near := math.Round(hz); math.Abs(hz-near) < max(0.002, deviation)*hz && near > 0 {
			hz = near
		}
		value = strconv.FormatFloat(hz, 'g', 4, 64)
		return value, fmt.Sprintf("positions against velocities have rows every %.4g s, the joints agree within %.1g %%", h, 100*deviation)
	}
	for _, key := range []string{"dt", "sim_dt", "control_dt", "timestep"} {
		if h, err := strconv.ParseFloat(l.meta[key], 64); err == nil && h > 0 && h < 10 {
			return strconv.FormatFloat(1/h, 'g', 6, 64), fmt.Sprintf("the file says %s %s", key, l.meta[key])
		}
	}
	for _, key := range []string{"fps", "rate", "hz", "frequency", "freq", "control_freq"} {
		if hz, err := strconv.ParseFloat(l.meta[key], 64); err == nil && hz > 0.1 && hz < 1e6 {
			return l.meta[key], fmt.Sprintf("the file says %s %s", key, l.meta[key])
		}
	}
	return "", ""
}
