package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/datasets"
	"ident/robot"
	"ident/robot/format"
)

// Recordings of robots' own tools, with the header lines that these write: clock in seconds, positions, velocities and
// torques or currents of all joints, and no model's torque or desired position among them.
func TestPresets(t *testing.T) {
	names := func(sep string, groups ...string) string {
		var out []string
		for _, g := range groups {
			name, format, many := strings.Cut(g, "*")
			n := map[string]int{"_": 6, "[": 7}[format]
			if !many {
				out = append(out, name)
			}
			for k := range n {
				out = append(out, name+map[string]string{"_": "_", "[": "["}[format]+string(rune('0'+k))+map[string]string{"_": "", "[": "]"}[format])
			}
		}
		return strings.Join(out, sep)
	}
	for kind, header := range map[string]string{
		"ur-rtde":    names(" ", "timestamp", "target_q*_", "actual_q*_", "actual_qd*_", "actual_current*_", "target_moment*_", "actual_TCP_pose*_"),
		"franka-csv": names(",", "time", "success_rate", "state.q*[", "state.q_d*[", "state.dq*[", "state.dq_d*[", "state.tau_J*[", "state.tau_ext_hat_filtered*[", "cmd.q_d*[", "cmd.tau_J_d*["),
	} {
		sep := header[strings.IndexAny(header, " ,"):][:1]
		var text strings.Builder
		text.WriteString(strings.ReplaceAll(header, ",", ", ") + "\n")
		for row := range 3 {
			var cells []string
			for k := range strings.Count(header, sep) + 1 {
				cells = append(cells, string(rune('1'+row))+"."+string(rune('0'+k%10)))
			}
			text.WriteString(strings.Join(cells, sep) + "\n")
		}
		path := filepath.Join(t.TempDir(), "log.csv")
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		p := &Settings{Preset: kind}
		logs, err := OpenLogs(t.Context(), p, []string{path})
		if err != nil {
			t.Fatal(err)
		}
		joints := strings.Split("a b c d e f", " ")
		clock, force := "timestamp", "actual_current_5"
		if kind == "franka-csv" {
			joints, clock, force = append(joints, "g"), "time", "state.tau_J[6]"
		}
		roles, _, _, err := mapJoints(p, armOf(t, joints), logs[0], joints)
		if err != nil {
			t.Fatal(err)
		}
		last := len(joints) - 1
		if f := roles.Tau[last] + roles.Current[last]; roles.T != clock || f != force || !strings.HasPrefix(roles.Q[0], strings.TrimSuffix(map[string]string{"timestamp": "actual_q_0", "time": "state.q[0]"}[clock], "0]")) || roles.DQ[last] == "" {
			t.Errorf("%s: %+v", kind, roles)
		}
		v, err := logs[0].Column(clock)
		if want := map[string]float64{"timestamp": 2.0, "time": 2.0e-3}[clock]; err != nil || v[1] != want {
			t.Errorf("%s: the second row is at %v s, %v", kind, v, err)
		}
		p.Map = map[string]string{"q1": "target_q_0"}
		if kind == "ur-rtde" && datasets.PresetChannels(p.Preset, p.Map, logs[0])["q1"] != "target_q_0" {
			t.Error("the setting map does not override the preset")
		}
	}
	if err := checkPreset(&Settings{Preset: "ur"}); err == nil || !strings.Contains(err.Error(), "ur-rtde") {
		t.Error(err)
	}
}

// armOf is a chain with joints of these names.
func armOf(t *testing.T, joints []string) *robot.Robot {
	t.Helper()
	text := `<robot name="arm"><link name="base"/>`
	for i, name := range joints {
		parent := "base"
		if i > 0 {
			parent = "link_" + joints[i-1]
		}
		text += `<link name="link_` + name + `"/><joint name="` + name + `" type="revolute"><parent link="` + parent + `"/><child link="link_` + name + `"/></joint>`
	}
	r, err := format.Read([]byte(text+"</robot>"), "urdf", "arm", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
