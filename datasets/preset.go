package datasets

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Preset names the channels and units of recordings that robots' own tools write, and says what their torques are.
//
// ur-rtde is the CSV of Universal Robots' RTDE client (record.py of RTDE_Python_Client_Library: blanks between columns, names
// actual_q_0 … actual_q_5, timestamp in s). Currents are actual_current in A, which need the drives' gains; target_moment is the
// torque of the controller's own model, no measurement, and is not taken.
//
// ur-rtde-torque is the same with actual_current_as_torque (PolyScope 5.23, 10.11 and later): joint torques in N·m without the gravity
// of the robot and of the payload that was set.
//
// ur-ros2 is a recording of the joint states of Universal Robots' ROS 2 driver (bags, MCAP) whose effort is
// actual_current_as_torque; ur-ros2-current is one of a driver before, or with use_currents_as_efforts: motor currents in A.
//
// franka-csv is the log of libfranka (logToCSV of src/log.cpp: time in ms, state.q[0] … state.q[6], state.tau_J of the joint torque
// sensors, gravity included).
//
// lerobot-degrees is a data set of LeRobot that was recorded with use_degrees: positions and actions in degrees. Without it they
// are −100 … 100 of each joint's calibrated range, which the setting scale declares.
type Preset struct {
	Name  string
	Units map[string]string // unit of each channel
	Map   map[string]string // channel of each role, as MapChannels takes it
	// GravityCompensated says that the driver removes gravity from the torques.
	GravityCompensated bool
}

func (p Preset) clone() Preset {
	p.Units, p.Map = maps.Clone(p.Units), maps.Clone(p.Map)
	return p
}

var presets = sync.OnceValue(func() []Preset {
	rtde := map[string]string{"q": "actual_q_%d", "dq": "actual_qd_%d"}
	ur := []string{"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint"}
	return []Preset{
		{Name: "ur-rtde", Map: presetRoles(6, "timestamp", withRole(rtde, "i", "actual_current_%d"))},
		{Name: "ur-rtde-torque", Map: presetRoles(6, "timestamp", withRole(rtde, "tau", "actual_current_as_torque_%d")), GravityCompensated: true},
		{Name: "ur-ros2", Map: presetJointStates(ur, "tau"), GravityCompensated: true},
		{Name: "ur-ros2-current", Map: presetJointStates(ur, "i")},
		{Name: "franka-csv", Units: map[string]string{"time": "ms"}, Map: presetRoles(7, "time", map[string]string{"q": "state.q[%d]", "dq": "state.dq[%d]", "tau": "state.tau_J[%d]"})},
		{Name: "lerobot-degrees", Units: map[string]string{"observation.state*": "deg", "action*": "deg"}, Map: map[string]string{}},
	}
})

// withRole is names with one more role.
func withRole(names map[string]string, role, format string) map[string]string {
	out := maps.Clone(names)
	out[role] = format
	return out
}

// presetJointStates names the channels of JointState messages; the role of the efforts is tau or i.
func presetJointStates(joints []string, effort string) map[string]string {
	out := map[string]string{}
	for j, name := range joints {
		out[fmt.Sprintf("q%d", j+1)] = "q_" + name
		out[fmt.Sprintf("dq%d", j+1)] = "dq_" + name
		out[fmt.Sprintf("%s%d", effort, j+1)] = "tau_" + name
	}
	return out
}

// presetRoles names the channels of joints, which the recordings count from 0.
func presetRoles(joints int, clock string, names map[string]string) map[string]string {
	out := map[string]string{"t": clock}
	for role, format := range names {
		for j := range joints {
			out[fmt.Sprintf("%s%d", role, j+1)] = fmt.Sprintf(format, j)
		}
	}
	return out
}

// FindPreset returns a preset by its name.
func FindPreset(name string) (Preset, error) {
	for _, p := range presets() {
		if p.Name == name {
			return p.clone(), nil
		}
	}
	return Preset{}, fmt.Errorf("%q is not one of %s", name, strings.Join(PresetNames(), ", "))
}

// PresetNames returns the names of the presets.
func PresetNames() []string {
	var out []string
	for _, p := range presets() {
		out = append(out, p.Name)
	}
	return out
}

// PresetChannels returns the names of a preset that one of the logs has, with a user's own over them, patterns expanded;
// without a preset the user's own.
func PresetChannels(name string, own map[string]string, logs ...*Log) map[string]string {
	own = ExpandMap(own, logs...)
	p, err := FindPreset(name)
	if err != nil {
		return own
	}
	maps.DeleteFunc(p.Map, func(_, channel string) bool {
		return !slices.ContainsFunc(logs, func(l *Log) bool { return l.Has(channel) })
	})
	maps.Copy(p.Map, own)
	return p.Map
}

// PresetUnits returns the units of a preset with a user's own over them.
func PresetUnits(name string, own map[string]string) map[string]string {
	p, err := FindPreset(name)
	if err != nil || p.Units == nil {
		return own
	}
	maps.Copy(p.Units, own)
	return p.Units
}

// PresetGravityCompensated reports whether the torques of a preset's recordings have no gravity.
func PresetGravityCompensated(name string) bool {
	p, err := FindPreset(name)
	return err == nil && p.GravityCompensated
}
