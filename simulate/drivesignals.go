package simulate

import (
	"fmt"
	"slices"
	"strings"

	"ident/robot"
	"ident/robot/drives"
)

// Signals of drives that a log may hold.
const (
	torqueSignal   = "torque"
	currentSignal  = "current"
	voltageSignal  = "voltage"
	pressureSignal = "pressure"
)

// measures reports whether the log holds a signal of the drives.
func (o *Options) measures(signal string) bool {
	if len(o.Measure) == 0 {
		return signal == torqueSignal
	}
	return slices.Contains(o.Measure, signal)
}

// drivesOf returns the drives of a robot's joints, and an error if one lacks a signal that is to be measured.
func drivesOf(r *robot.Robot, links []int, o *Options) ([]drives.Drive, error) {
	list, err := drives.Of(r, links)
	if err != nil {
		return nil, fmt.Errorf("simulate: %w", err)
	}
	known := []string{torqueSignal, currentSignal, voltageSignal, pressureSignal}
	for _, s := range o.Measure {
		if !slices.Contains(known, s) {
			return nil, fmt.Errorf("simulate: %q is no signal of a drive; they are %s", s, strings.Join(known, ", "))
		}
		for k, d := range list {
			_, motor := d.(*drives.Motor)
			_, cylinder := d.(*drives.Cylinder)
			name := r.Links[links[k]].Joint.Name
			switch {
			case s == currentSignal && !motor && !cylinder, s == voltageSignal && !motor:
				return nil, fmt.Errorf("simulate: the %s of joint %q is not known: describe its motor in the robot file, drive: {gear_ratio: 100, dc: {resistance: 1.2, constant: 0.05}}", s, name)
			case s == pressureSignal && !cylinder:
				return nil, fmt.Errorf("simulate: joint %q has no pressure: describe its cylinder in the robot file, drive: {cylinder: {…}}", name)
			case o.Controller == "" && cylinder && s != torqueSignal:
				return nil, fmt.Errorf("simulate: the %s of joint %q needs the history of its drive: let a controller move the robot", s, name)
			}
		}
	}
	return list, nil
}

// throughGears converts the torques at the joints to those of the drives before gear losses (package drives), without
// losses at rest.
func (s *states) throughGears() {
	for i, d := range s.drives {
		if d == nil || d.Loss() == 0 {
			continue
		}
		for k, v := range s.tau[i] {
			s.tau[i][k] = drives.ThroughGear(v, s.dq[i][k], d.Loss())
		}
	}
}

// torqueRates computes how fast the drives' torques change, which inductances need voltage for.
type torqueRates struct {
	at    [3]*states // torques at a time and one and two steps before
	times []float64
	rate  [][]float64
}

// rateStep is the step of the differences of second order, s: the torques of motions up to 10 Hz have rates to 1e-6.
const rateStep = 2e-5

// newTorqueRates returns nil where no motor of third order has its voltage measured.
func (x *Simulation) newTorqueRates() *torqueRates {
	if !x.outline.Options.measures(voltageSignal) || !slices.ContainsFunc(x.drives, func(d drives.Drive) bool { return d != nil && d.States() > 0 }) {
		return nil
	}
	r := &torqueRates{times: make([]float64, blockRows), rate: grid(len(x.drives), blockRows)}
	for i := range r.at {
		r.at[i] = x.newStates()
	}
	return r
}

// fill computes the rates at times; those at the motion's very start are of two steps later, as the robot stands still before.
func (r *torqueRates) fill(m BatchSampler, times []float64) error {
	for k, t := range times {
		r.times[k] = max(t, 2*rateStep)
	}
	for i, s := range r.at {
		if err := s.at(m, r.times[:len(times)], float64(i)*rateStep, true); err != nil {
			return err
		}
	}
	for i, rate := range r.rate {
		for k := range times {
			rate[k] = (3*r.at[0].tau[i][k] - 4*r.at[1].tau[i][k] + r.at[2].tau[i][k]) / (2 * rateStep)
		}
	}
	return nil
}

// drivenSignals computes the signals of drives that follow a motion exactly; rates is nil where none are needed.
func (x *Simulation) drivenSignals(e *Record, rates *torqueRates) {
	for i, d := range x.drives {
		m, ok := d.(*drives.Motor)
		if !ok {
			continue
		}
		for k, tau := range e.Exact.Tau[i] {
			if len(e.Current) > 0 {
				e.Current[i][k] = tau / m.Gain()
			}
			if len(e.Voltage) > 0 {
				rate := 0.0
				if rates != nil {
					rate = rates.rate[i][k]
				}
				e.Voltage[i][k] = m.Voltage(tau, rate, e.Exact.DQ[i][k])
			}
		}
	}
	x.currentNoise(e)
}

// currentNoise adds the torques' errors to the motors' currents, because a drive that reports torques measures currents.
func (x *Simulation) currentNoise(e *Record) {
	if len(e.Current) == 0 {
		return
	}
	for i, d := range x.drives {
		if m, ok := d.(*drives.Motor); ok {
			for k, tau := range e.Exact.Tau[i] {
				e.Current[i][k] += (e.Measured.Tau[i][k] - tau) / m.Gain()
			}
		}
	}
}

// signals stores the drives' signals at an instant under a controller.
func (e *Record) signals(at int, from []drives.Signals) {
	for i, s := range from {
		if len(e.Current) > 0 {
			e.Current[i][at] = s.Current
		}
		if len(e.Voltage) > 0 {
			e.Voltage[i][at] = s.Voltage
		}
		if len(e.Pressure) > 0 {
			e.Pressure[i][at] = s.Pressure
		}
	}
}
