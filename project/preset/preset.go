// Package preset names the channels and units of recordings that robots' own tools write.
//
// ur-rtde is the CSV of Universal Robots' RTDE client (record.py of RTDE_Python_Client_Library: blanks between columns, names
// actual_q_0 … actual_q_5, timestamp in s). Currents are actual_current in A, which need the drives' gains; target_moment is the
// torque of the controller's own model, no measurement, and is not taken.
//
// franka-csv is the log of libfranka (logToCSV of src/log.cpp: time in ms, state.q[0] … state.q[6], state.tau_J of the joint torque
// sensors, gravity included).
package preset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ident/datasets"
)

// Preset is a kind of recording.
type Preset struct {
	Name  string
	Units map[string]string // by channel
	Map   map[string]string // from roles to channels, as datasets.MapChannels takes them
}

// All lists the presets.
func All() []Preset {
	return []Preset{
		{"ur-rtde", nil, roles(6, "timestamp", map[string]string{"q": "actual_q_%d", "dq": "actual_qd_%d", "i": "actual_current_%d"})},
		{"franka-csv", map[string]string{"time": "ms"}, roles(7, "time", map[string]string{"q": "state.q[%d]", "dq": "state.dq[%d]", "tau": "state.tau_J[%d]"})},
	}
}

// roles names the channels of joints, which the recordings count from 0.
func roles(joints int, clock string, names map[string]string) map[string]string {
	out := map[string]string{"t": clock}
	for role, format := range names {
		for j := range joints {
			out[fmt.Sprintf("%s%d", role, j+1)] = fmt.Sprintf(format, j)
		}
	}
	return out
}

// Find is a preset by its name.
func Find(name string) (Preset, error) {
	for _, p := range All() {
		if p.Name == name {
			return p, nil
		}
	}
	return Preset{}, fmt.Errorf("%q is none of %s", name, strings.Join(Names(), ", "))
}

// Names are the names of the presets.
func Names() []string {
	var out []string
	for _, p := range All() {
		out = append(out, p.Name)
	}
	return out
}

// Channels are the names of a preset that one of the logs has, with a user's own over them; without a preset the user's own.
func Channels(name string, own map[string]string, logs ...*datasets.Log) map[string]string {
	p, err := Find(name)
	if err != nil {
		return own
	}
	maps.DeleteFunc(p.Map, func(_, channel string) bool {
		return !slices.ContainsFunc(logs, func(l *datasets.Log) bool { return l.Has(channel) })
	})
	maps.Copy(p.Map, own)
	return p.Map
}

// Units are the units of a preset with a user's own over them.
func Units(name string, own map[string]string) map[string]string {
	p, err := Find(name)
	if err != nil || p.Units == nil {
		return own
	}
	maps.Copy(p.Units, own)
	return p.Units
}
