package project

import (
	"fmt"
	"slices"

	"ident/datasets"
	"ident/robot"
	"ident/robot/drives"
)

// takeVoltages treats the voltage of a joint without torque and current as its current.
func takeVoltages(roles datasets.Roles) {
	for k, u := range roles.Voltage {
		if roles.Tau[k] == "" && roles.Current[k] == "" {
			roles.Current[k] = u
		}
	}
}

// ownDrive holds the drive constants of a joint from the robot file.
type ownDrive struct {
	gain  float64 // joint torque a current or a volt; 0 where unknown
	emf   float64 // volts a joint's speed
	volts bool    // the channel is a voltage
}

// driveOf returns the drive constants of joint k. A voltage needs a motor in the robot file. A voltage, or a current
// whose gain is the motor's, must have a unit.
func driveOf(l *datasets.Log, roles datasets.Roles, k int, j *robot.Joint, given bool) (ownDrive, error) {
	out := ownDrive{gain: j.Gain}
	out.volts = roles.Voltage != nil && roles.Voltage[k] != "" && roles.Current[k] == roles.Voltage[k] && roles.Tau[k] == ""
	if j.Actuator == "" && !out.volts {
		return out, nil
	}
	if j.Actuator == "" {
		return out, remedy("map", "", "%s: joint %q has motor voltages only, and the robot file describes no motor: describe it under drive, by gear_ratio and dc with resistance and constant, or map a torque or a current with {map}", l.Name(), j.Name)
	}
	d, err := drives.Parse(j.Actuator, j.GearRatio)
	if err != nil {
		return out, fmt.Errorf("joint %q: %w", j.Name, err)
	}
	m, motor := d.(*drives.Motor)
	switch {
	case !motor && out.volts:
		return out, remedy("map", "", "%s: joint %q has voltages and a cylinder by the robot file; map its force with {map}", l.Name(), j.Name)
	case !motor:
		return out, nil
	case !out.volts && (out.gain != 0 || given || roles.Current[k] == "" || roles.Tau[k] != ""):
		return out, nil
	}
	channel, quantity, want := roles.Current[k], "voltage", "V"
	if out.gain, out.emf = m.VoltageGain(), m.EMF(); !out.volts {
		out.gain, out.emf, quantity, want = m.Gain(), 0, "current", "A"
	}
	i := slices.IndexFunc(l.Channels(), func(c datasets.Channel) bool { return c.Name == channel })
	if unit := l.Channels()[i].Unit; unit != want && unit != "m"+want {
		return out, wrong("units", "", "%s: the unit of the motor %s %q is not declared (found %q), and some drives log fractions of their rating instead of volts: give {units} %s=%s, or m%s", l.Name(), quantity, channel, unit, channel, want, want)
	}
	return out, nil
}
