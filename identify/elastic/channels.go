package elastic

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ident/datasets"
	"ident/identify/project"
	"ident/observation"
	"ident/robot"
)

// channelNames lists the names of the channels that only logs of elastic joints have, before the joint's number or name: positions,
// velocities and accelerations of motors, and torques of sensors. The first of each is ours.
func channelNames() [4][]string {
	return [4][]string{
		{"qm", "q_motor", "motor_q", "motor_position", "motor_pos", "theta"},
		{"dqm", "dq_motor", "motor_dq", "motor_velocity", "motor_vel", "dtheta"},
		{"ddqm", "ddq_motor", "motor_ddq", "motor_acceleration", "ddtheta"},
		{"tauj", "tau_j", "tau_joint", "joint_torque", "torque_sensor"},
	}
}

// ReadLog reads a log for a machine. Its rows are read on the clock on which every other fit reads them.
func ReadLog(ctx context.Context, s *project.Settings, m *Machine, path string) (*Log, []string, error) {
	logs, err := project.OpenLogs(ctx, s, []string{path})
	if err != nil {
		return nil, nil, err
	}
	defer project.CloseLogs(logs)
	if len(logs) > 1 {
		return nil, nil, fmt.Errorf("%s holds %d runs; give one file for each run", path, len(logs))
	}
	return readColumns(logs[0], m, datasets.PresetChannels(s.Preset, s.Map, logs[0]))
}

func readColumns(l *datasets.Log, m *Machine, override map[string]string) (*Log, []string, error) {
	joints := project.JointNames(m.Robot)
	roles, own, err := rolesOf(l, joints, override)
	if err != nil {
		return nil, nil, err
	}
	if roles.T == "" {
		return nil, nil, fmt.Errorf("%s: no time channel; name one t", l.Name())
	}
	n := m.Coordinates()
	x, dx, ddx, tau, sensor := make([]string, n), make([]string, n), make([]string, n), make([]string, n), make([]string, len(m.Springs))
	at := func(names []string, q int) string {
		if q < len(names) {
			return names[q]
		}
		return ""
	}
	for q := range m.Links {
		x[q], dx[q], ddx[q] = at(roles.Q, q), at(roles.DQ, q), at(roles.DDQ, q)
		if i := m.DriveOf(q); i >= 0 {
			tau[i] = at(roles.Tau, q)
		}
	}
	var notes []string
	motors := false
	for i, p := range m.Springs {
		to := [4]*string{new(string), new(string), new(string), &sensor[i]}
		if p.Motor >= 0 {
			to = [4]*string{&x[p.Motor], &dx[p.Motor], &ddx[p.Motor], &sensor[i]}
		}
		for k, names := range channelNames() {
			if *to[k], err = datasets.JointChannel(l, own, names, p.Q+1, p.Joint); err != nil {
				return nil, nil, err
			}
		}
		motors = motors || p.Motor >= 0 && x[p.Motor] != "" && x[p.Motor] != x[p.Q]
	}
	if !motors {
		for _, p := range m.Springs {
			if p.Motor >= 0 && x[p.Q] != "" {
				x[p.Motor], dx[p.Motor], ddx[p.Motor] = x[p.Q], dx[p.Q], ddx[p.Q]
				x[p.Q], dx[p.Q], ddx[p.Q] = "", "", ""
				notes = append(notes, fmt.Sprintf("joint %q has one encoder, channel %s, which is taken for the motor's", p.Joint, x[p.Motor]))
			}
		}
	} else {
		for _, p := range m.Springs {
			if p.Motor >= 0 && x[p.Motor] == x[p.Q] {
				x[p.Q] = ""
			}
		}
	}
	return logOf(l, roles.T, x, dx, ddx, tau, sensor, notes)
}

// rolesOf returns the channels of the joints as every log has them, and the entries of a channel map that are of channelNames.
func rolesOf(l *datasets.Log, joints []string, override map[string]string) (roles datasets.Roles, own map[string]string, err error) {
	own, others := map[string]string{}, map[string]string{}
	names := channelNames()
	for key, name := range override {
		if slices.ContainsFunc(names[:], func(names []string) bool {
			rest, ok := strings.CutPrefix(key, names[0])
			return ok && (strings.HasPrefix(rest, "_") || strings.Trim(rest, "0123456789") == "")
		}) {
			own[key] = name
		} else {
			others[key] = name
		}
	}
	if roles, _, err = datasets.MapChannels(l, joints, others); errors.Is(err, datasets.ErrNoJoint) {
		err = nil
	}
	return roles, own, err
}

// logOf reads the channels on the clock of the log's only segment.
func logOf(l *datasets.Log, clock string, x, dx, ddx, tau, sensor []string, notes []string) (*Log, []string, error) {
	dx = ratesOf(dx, x)
	if ddx = ratesOf(ddx, x); dx == nil {
		ddx = nil
	}
	run := &observation.Run{Name: l.Name(), Log: l}
	run.Roles.T = clock
	channels := []string{clock}
	for k, names := range [][]string{x, dx, ddx, tau, sensor} {
		for _, name := range names {
			if name == "" || slices.Contains(channels, name) {
				continue
			}
			if channels = append(channels, name); k == 0 {
				run.Roles.Q = append(run.Roles.Q, name)
			}
		}
	}
	segments, _, err := observation.Segments(0, run, channels, false)
	if err != nil {
		return nil, nil, err
	}
	if len(segments) > 1 {
		return nil, nil, fmt.Errorf("%s: its time has %d gaps, the first after row %d; cut the log there", l.Name(), len(segments)-1, segments[0].Last)
	}
	s := &segments[0]
	if !s.Uniform {
		notes = append(notes, fmt.Sprintf("%s: the clock is not uniform; resampled at %.4g Hz", l.Name(), 1/s.DT))
	}
	cols, err := s.Columns(l, channels...)
	if err != nil {
		return nil, nil, err
	}
	group := func(names []string) [][]float64 {
		if names == nil {
			return nil
		}
		out := make([][]float64, len(names))
		for i, name := range names {
			if name != "" {
				out[i] = cols[slices.Index(channels, name)]
			}
		}
		return out
	}
	return &Log{Name: l.Name(), Rate: 1 / s.DT, FirstTime: s.T0, X: group(x), DX: group(dx), DDX: group(ddx), Tau: group(tau), Sensor: group(sensor)}, notes, nil
}

// ratesOf returns the velocity channels of the positions that a log has, none if one of these has no velocity.
func ratesOf(names, positions []string) []string {
	for i := range names {
		if positions[i] != "" && names[i] == "" {
			return nil
		}
	}
	return names
}

// TakeMotors prepares a check of a log without link positions: it maps the motor positions of elastic joints as joint
// positions. A fit of elastic joints accepts such logs, and the deflection is far below what a check looks at. It
// returns the joints' names. Positions that the settings map stay as they are.
func TakeMotors(s *project.Settings, r *robot.Robot, l *datasets.Log) []string {
	roles, own, err := rolesOf(l, project.JointNames(r), datasets.PresetChannels(s.Preset, s.Map, l))
	if err != nil {
		return nil
	}
	var taken []string
	for k, link := range r.Independent() {
		j := &r.Links[link].Joint
		if !j.Elastic || k < len(roles.Q) && roles.Q[k] != "" {
			continue
		}
		motor, err := datasets.JointChannel(l, own, channelNames()[0], k+1, j.Name)
		if err != nil || motor == "" {
			continue
		}
		if s.Map == nil {
			s.Map = map[string]string{}
		}
		s.Map[fmt.Sprintf("q%d", k+1)] = motor
		taken = append(taken, j.Name)
	}
	return taken
}
