package simulate

import (
	"encoding/json"
	"fmt"

	"ident/datasets"
	"ident/robot"
)

// Log returns the measured record as a log with the channels t, q1 …, dq1 …, tau1 …, and ddq1 … if the options ask for
// it, numbered in the order of the robot's independent joints. With closed loops, channels have the joints' own names,
// such as q_J1, because numbers would leave open whether passive joints count; redundant drives are switched off, with
// zero torque. Its metadata hold the robot's file and the options, so that a fit needs nothing else. The log shares the
// experiment's memory.
func (e *Record) Log(name string) *datasets.Log {
	channels, cols := e.Channels()
	return datasets.FromColumns(name, channels, cols, e.Meta())
}

// Channels returns the channels of Log and their columns.
func (e *Record) Channels() ([]datasets.Channel, [][]float64) {
	channels := []datasets.Channel{{Name: "t", Unit: "s"}}
	cols := [][]float64{e.T}
	add := func(prefix string, m [][]float64, turning, sliding string) {
		for i, x := range m {
			unit := turning
			if e.robot.Links[e.links[i]].Joint.Kind == robot.Prismatic {
				unit = sliding
			}
			name := fmt.Sprintf("%s%d", prefix, i+1)
			if e.robot.Closed() {
				name = prefix + "_" + e.Joints[i]
			}
			channels = append(channels, datasets.Channel{Name: name, Unit: unit})
			cols = append(cols, x)
		}
	}
	add("q", e.Measured.Q, "rad", "m")
	add("dq", e.Measured.DQ, "rad/s", "m/s")
	if e.Options.Acceleration {
		add("ddq", e.Measured.DDQ, "rad/s^2", "m/s^2")
	}
	if e.Options.measures(torqueSignal) {
		add("tau", e.Measured.Tau, "N.m", "N")
	}
	add("i", e.Current, "A", "A")
	add("u", e.Voltage, "V", "V")
	add("p", e.Pressure, "Pa", "Pa")
	for i := range e.robot.Links {
		j := &e.robot.Links[i].Joint
		if !e.robot.Closed() || !j.Redundant {
			continue
		}
		unit := "N.m"
		if j.Kind == robot.Prismatic {
			unit = "N"
		}
		channels, cols = append(channels, datasets.Channel{Name: "tau_" + j.Name, Unit: unit}), append(cols, make([]float64, len(e.T)))
	}
	if e.Options.Passive {
		for i, x := range e.PassiveQ {
			channels = append(channels, datasets.Channel{Name: "q_" + e.Passive[i], Unit: e.passiveUnit(i)})
			cols = append(cols, x)
		}
	}
	add("temp", e.Temperature, "K", "K")
	add("q_ref", e.Reference, "rad", "m")
	for _, on := range e.Attached {
		channels, cols = append(channels, datasets.Channel{Name: PayloadChannel}), append(cols, on)
	}
	for i, c := range e.Contact {
		unit := "N"
		if i == 0 {
			unit = ""
		}
		channels, cols = append(channels, datasets.Channel{Name: pushChannels[i], Unit: unit}), append(cols, c)
	}
	return channels, cols
}

// Keys of the metadata.
const (
	MetaRobot      = "ident.robot"
	MetaRobotHash  = "ident.robot.sha256"
	MetaSimulation = "ident.simulation" // the options as JSON
)

// Meta returns the metadata of Log.
func (e *Record) Meta() map[string]string {
	meta := map[string]string{}
	if src := e.robot.Source; len(src.Text) > 0 {
		meta[MetaRobot], meta[MetaRobotHash] = string(src.Text), src.SHA256
	}
	// Options hold checked finite numbers, which always marshal.
	text, err := json.Marshal(e.Options)
	if err != nil {
		panic(fmt.Sprintf("simulate: options: %v", err))
	}
	meta[MetaSimulation] = string(text)
	return meta
}
