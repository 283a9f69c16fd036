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
			case o.Controller == "" && cylinder && s != torqueSignal, o.Controller == "" && s == voltageSignal && d.States() > 0:
				return nil, fmt.Errorf("simulate: the %s of joint %q needs the history of its drive: let a controller move the robot, or take a motor of second order", s, name)
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

// drivenSignals computes the signals of drives that follow a motion exactly.
func (x *Simulation) drivenSignals(e *Record) {
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
				e.Voltage[i][k] = m.Voltage(tau, 0, e.Exact.DQ[i][k])
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
