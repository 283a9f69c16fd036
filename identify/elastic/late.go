package elastic

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"ident/filter"
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

// late returns the delay that was found, s; 0 if none was looked for.
func (f *Fit) late() float64 {
	if f.Late == nil {
		return 0
	}
	return f.Late.Seconds
}

// shows reports whether the delay differs from zero by more than chance, at the level shownLevel.
func (l *Late) shows() bool {
	return l != nil && 2*distuv.StudentsT{Sigma: 1, Nu: l.Freedom}.Survival(math.Abs(l.Seconds)/l.Sigma) < shownLevel
}

// note returns the sentence about a delay that shows.
func (l *Late) note() string {
	if l.Seconds < 0 {
		return fmt.Sprintf("the drives' torques act %.3g ± %.1g ms before the time of their rows: torques and positions have different clocks; the lead was removed for the parameters", -1e3*l.Seconds, 1e3*l.Sigma)
	}
	return fmt.Sprintf("the drives' torques act %.3g ± %.1g ms after the time of their rows, as if the drive held each for %.3g ms; the delay was removed for the parameters", 1e3*l.Seconds, 1e3*l.Sigma, 2e3*l.Seconds)
}

// lateSteps is the largest number of steps in which direct finds the delay. The error of a step is of second order in
// it.
const lateSteps = 5

// latePoints: torques between samples are those of the polynomials of the fifth degree through six samples, whose relative error
// at a tenth of the sampling rate is 3e-4.
const latePoints = 6

// acting stores the torque that acts, given a channel at a rate in Hz that is late by the given seconds. A drive that
// holds its torque applies the mean over the holding time, which delays it by half of that time. The holding time is at
// most one row; the rest of the delay is the channel's. The mean is by Simpson's rule, whose error is of fourth order
// in the holding time.
func acting(to, x []float64, late, rate float64) {
	hold := min(max(2*late*rate, 0), 1) // samples
	filter.Delay(to, x, late*rate, latePoints)
	if hold == 0 {
		return
	}
	end := make([]float64, len(x))
	for k := range to {
		to[k] *= 4.0 / 6
	}
	for _, by := range [2]float64{-hold / 2, hold / 2} {
		filter.Delay(end, x, late*rate+by, latePoints)
		for k, v := range end {
			to[k] += v / 6
		}
	}
}

// timed reports whether the delay of the drives is an unknown of the fit: there are drives, and the derivatives are not
// exact.
func (m *Machine) timed(logs []*Log) bool {
	drives := false
	for q := range m.Links {
		drives = drives || m.DriveOf(q) >= 0
	}
	return drives && slices.ContainsFunc(logs, func(l *Log) bool { return l.DDX == nil })
}
