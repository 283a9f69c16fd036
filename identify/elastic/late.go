package elastic

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Late is the time by which the drives' torques act after their rows. A drive holds the torque of a sample until the next, so
// what acts is late by half a period of its law; buses and filters of the channel delay it as well. At 20 Hz a millisecond turns
// the phase by seven degrees, which damping, friction and rotor inertias would take up. It is therefore an unknown of every fit
// of logs without exact derivatives.
type Late struct {
	Seconds float64
	Sigma   float64
	Freedom float64
}

// late is the delay that was found, s, 0 where none was sought.
func (f *Fit) late() float64 {
	if f.Late == nil {
		return 0
	}
	return f.Late.Seconds
}

// shows reports whether the time is not zero by more than chance, at the level of the springs' terms.
func (l *Late) shows() bool {
	return l != nil && 2*distuv.StudentsT{Sigma: 1, Nu: l.Freedom}.Survival(math.Abs(l.Seconds)/l.Sigma) < shownLevel
}

// note is the sentence about a time that shows.
func (l *Late) note() string {
	if l.Seconds < 0 {
		return fmt.Sprintf("the drives' torques act %.3g ± %.1g ms before the time of their rows: torques and positions have different clocks; the lead was removed for the parameters", -1e3*l.Seconds, 1e3*l.Sigma)
	}
	return fmt.Sprintf("the drives' torques act %.3g ± %.1g ms after the time of their rows, as if the drive held each for %.3g ms; the delay was removed for the parameters", 1e3*l.Seconds, 1e3*l.Sigma, 2e3*l.Seconds)
}

// lateSteps bounds the steps by which direct finds the time. The error of a step is of second order in it.
const lateSteps = 5

// delayed stores x as it was some samples before, by interpolation of the fifth degree between six samples. Its relative error
// at a tenth of the rate is 3e-4. Beyond either end the last sample repeats.
func delayed(to, x []float64, samples float64) {
	whole := math.Floor(-samples)
	part := -samples - whole
	var weight [6]float64
	for i := range weight {
		weight[i] = 1
		for j := range weight {
			if j != i {
				weight[i] *= (part + 2 - float64(j)) / float64(i-j)
			}
		}
	}
	for k := range to {
		to[k] = 0
		for i, w := range weight {
			to[k] += w * x[min(max(k+int(whole)+i-2, 0), len(x)-1)]
		}
	}
}

// acting stores the torque that acts, of a channel at a rate, Hz: late by so many seconds. What a drive holds is the
// mean over the time of holding, which is late by half of it; that time is at most a row, and the rest of the delay is
// that of the channel. The mean is by Simpson's rule, right to the fourth power of the time in periods.
func acting(to, x []float64, late, rate float64) {
	hold := min(max(2*late*rate, 0), 1) // samples
	delayed(to, x, late*rate)
	if hold == 0 {
		return
	}
	end := make([]float64, len(x))
	for k := range to {
		to[k] *= 4.0 / 6
	}
	for _, by := range [2]float64{-hold / 2, hold / 2} {
		delayed(end, x, late*rate+by)
		for k, v := range end {
			to[k] += v / 6
		}
	}
}

// timed reports whether the drives' delay is an unknown of a fit of logs: there are drives, and derivatives that are not exact.
func (m *Machine) timed(logs []*Log) bool {
	drives := false
	for q := range m.Links {
		drives = drives || m.DriveOf(q) >= 0
	}
	return drives && slices.ContainsFunc(logs, func(l *Log) bool { return l.DDX == nil })
}
