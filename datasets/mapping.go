package datasets

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ident/internal/hint"
)

// Roles are the channels of a log by their meaning: a channel's name for each joint, in the order of the
// joints; "" for an absent channel.
type Roles struct {
	T       string   // clock
	Q       []string // joint positions
	DQ      []string // velocities
	DDQ     []string // accelerations
	Tau     []string // torques or forces
	Current []string // motor currents
	Voltage []string // motor voltages
	// Temperature are channels of the joints' temperatures; MapChannels leaves it nil, see [Temperature].
	Temperature []string
}

// Joint reports whether the log has a channel of joint j.
func (r Roles) Joint(j int) bool {
	return r.Q[j] != "" || r.DQ[j] != "" || r.DDQ[j] != "" || r.Tau[j] != "" || r.Current[j] != "" || r.Voltage[j] != ""
}

// roleNames are the names of a role's channels, best first. The first is the project's own.
type roleNames struct {
	label string
	names []string
}

func roleTable() []roleNames {
	return []roleNames{
		{"q", []string{"q", "pos", "position", "angle", "theta", "actual_q", "q_meas", "q_measured", "measured_q", "qpos", "joint_pos", "joint_position", "joint_positions", "robot0_joint_pos", "positions", "joint_states", "joint_angle", "joint_angles", "dof_pos", "dof_position", "dof_positions", "present_position", "measured_position", "measured_joint_position", "winkel", "gelenkwinkel", "achswinkel"}},
		{"dq", []string{"dq", "qd", "vel", "velocity", "qdot", "q_dot", "speed", "actual_qd", "dq_meas", "dq_measured", "qvel", "joint_vel", "joint_velocity", "joint_velocities", "robot0_joint_vel", "velocities", "joint_speed", "dof_vel", "dof_velocity", "dof_velocities", "present_velocity", "measured_velocity", "measured_joint_velocity", "geschwindigkeit", "winkelgeschwindigkeit", "drehzahl"}},
		{"ddq", []string{"ddq", "qdd", "acc", "acceleration", "accel", "qddot", "q_ddot", "ddq_meas"}},
		{"tau", []string{"tau", "torque", "effort", "force", "trq", "tau_j", "tau_meas", "tau_measured", "measured_torque", "joint_torque", "joint_torques", "joint_effort", "joint_efforts", "torques", "efforts", "tau_est", "dof_torque", "dof_torques", "dof_force", "applied_torque", "actuator_force", "qfrc_actuator", "measured_joint_torque", "measured_torques", "robot0_joint_torque", "robot0_joint_torques", "motor_torque", "moment", "drehmoment", "motor_torques_measured"}},
		{"i", []string{"i", "current", "cur", "curr", "motor_current", "actual_current", "i_meas", "i_measured", "present_current", "currents", "joint_current", "motor_currents", "strom", "motorstrom"}},
		{"u", []string{"u", "voltage", "motor_voltage", "u_meas", "u_measured"}},
	}
}

// timeNames returns the names of the clock, best first.
func timeNames() []string {
	return []string{"t", "time", "timestamp", "stamp", "time_s", "t_s", "secs", "seconds", "sec", "time_sec", "elapsed", "elapsed_time", "datetime", "date_time", "zeit", "zeitstempel", "tout", "log_time", "sim_time", "x_value"}
}

func isTime(name string) bool { return slices.Contains(timeNames(), strings.ToLower(name)) }

func (r *Roles) of(role int) []string {
	return [][]string{r.Q, r.DQ, r.DDQ, r.Tau, r.Current, r.Voltage}[role]
}

// candidate is a possible channel of a role.
type candidate struct {
	channel string
	role    int
	rank    int // of the synonym; lower is better
	number  int // in the name; -1 for a name with the joint's own name
	joint   int // joint index; -1 until numbers are known to count from 0 or 1
}

// MapChannels finds the channels of a robot's joints in a log by their names: the project's own (t, q1,
// dq1, ddq1, tau1, i1), usual synonyms (time, position, qd, velocity, acceleration, effort, torque, force,
// current, …), with or without a separator or brackets between name and number, counted from 1 or from 0,
// or with the joint's own name in place of the number, or the number in front (joint1_position), and all of these behind the path of a ROS message of
// joint states (/joint_states/position[0]). Case does not matter. A robot with one joint may
// leave the number out. Only whole names count: q_ref, i_des1 or tau_des1 have no role.
//
// override assigns channels to roles: the key is a role and a joint's number, counted from 1 ("tau1"), or a
// role and a joint's name ("tau_elbow"), or "t"; an empty channel leaves the role empty. Patterns are those of [ExpandMap].
//
// The notes list ignored channels. Errors match ErrNoJoint (no joint found at all), ErrNoClock,
// ErrAmbiguous (two channels of equal rank), ErrNoChannel and ErrRole (a wrong override); their messages
// list the channels of the log and the names tried.
func MapChannels(l *Log, joints []string, override map[string]string) (Roles, []Note, error) {
	n := len(joints)
	r := Roles{Q: make([]string, n), DQ: make([]string, n), DDQ: make([]string, n), Tau: make([]string, n), Current: make([]string, n), Voltage: make([]string, n)}
	set, err := parseOverrides(l, joints, override)
	if err != nil {
		return Roles{}, nil, err
	}
	cands := candidates(l.Names(), joints, entryNames(l, joints))
	notes, err := numberJoints(cands, n, set)
	if err != nil {
		return Roles{}, nil, &FileError{Path: l.label(), Err: err}
	}
	more, err := r.choose(cands, set)
	if err != nil {
		return Roles{}, nil, &FileError{Path: l.label(), Err: err}
	}
	notes = append(notes, more...)
	if r.T, err = clock(l, set); errors.Is(err, ErrNoClock) {
		if value, why := r.rateOf(l); value != "" {
			err = hint.Errorf("rate", value, "%w: the channels are %s; if the rows are evenly spaced, give their rate: {rate} %s (%s)", ErrNoClock, listNames(l.Names()), value, why)
		}
	}
	if err != nil {
		return Roles{}, nil, &FileError{Path: l.label(), Err: err}
	}
	found := false
	for j := range joints {
		found = found || r.Joint(j)
	}
	if !found {
		if rest := slices.DeleteFunc(l.Names(), func(name string) bool { return name == r.T }); matrixOf(rest) != "" {
			return Roles{}, nil, &FileError{Path: l.label(), Err: hint.Errorf("columns", "", "%w: the channels are %s and the %d columns %s …, and the first joint is %s: name all by {columns} t,q1..q%d,_,tau1..tau%d (_ leaves one out)",
				ErrNoJoint, r.T, len(rest), rest[0], firstOr(joints, "joint"), n, n)}
		}
		return Roles{}, nil, &FileError{Path: l.label(), Err: hint.Errorf("map", "",
			"%w: the channels are %s; expected are q1…q%d, tau1…tau%d or i1…i%d (or position, torque, effort, current, …), or names such as q_%s; otherwise map them, as in {map} %s",
			ErrNoJoint, listNames(l.Names()), n, n, n, firstOr(joints, "joint"), mapExample(l.Names()))}
	}
	for j, name := range joints {
		switch {
		case !r.Joint(j):
			notes = append(notes, Note{Text: fmt.Sprintf("the log has no channel of joint %d (%s)", j+1, name)})
		case r.Q[j] == "":
			notes = append(notes, Note{Text: fmt.Sprintf("the log has no position of joint %d (%s)", j+1, name)})
		case r.Tau[j] == "" && r.Current[j] == "" && r.Voltage[j] == "":
			notes = append(notes, Note{Text: fmt.Sprintf("the log has neither torque nor current nor voltage of joint %d (%s)", j+1, name)})
		}
	}
	return r, notes, nil
}

func firstOr(list []string, other string) string {
	if len(list) > 0 {
		return list[0]
	}
	return other
}

func lastOr(list []string, other string) string {
	if len(list) > 0 {
		return list[len(list)-1]
	}
	return other
}

// candidates lists the possible roles of every channel by its name, or by the other one that it has.
func candidates(channels, joints []string, others map[string]string) []candidate {
	var cands []candidate
	for _, ch := range channels {
		low := strings.ToLower(strings.TrimSpace(ch))
		if name, ok := others[ch]; ok {
			low = name
		}
		lesser := 0 // a name within a path is taken where no channel has the name itself
		if name, ok := jointStatePath(low); ok {
			low, lesser = name, 100
		}
		for role, table := range roleTable() {
			for rank, syn := range table.names {
				rank += lesser
				c := candidate{channel: ch, role: role, rank: rank, number: -1, joint: -1}
				if j, ok := ownName(low, syn, joints); ok {
					c.joint = j
				} else if k, ok := numbered(low, syn); ok {
					c.number = k
				} else if k, ok := numberedBefore(low, syn); ok {
					c.number = k
					c.rank += 50 // a name with the number behind it is taken first
				} else if low == syn && len(joints) == 1 {
					c.joint = 0
				} else {
					continue
				}
				cands = append(cands, c)
			}
		}
	}
	// Digits of a joint's own name are not its number: tau_j1 is of the joint j1, at any index.
	named := map[string]bool{}
	for _, c := range cands {
		if c.joint >= 0 {
			named[c.channel] = true
		}
	}
	return slices.DeleteFunc(cands, func(c candidate) bool { return c.joint < 0 && named[c.channel] })
}

// ownName recognises role and joint name on either side of a separator, and the joint's name in brackets.
func ownName(low, syn string, joints []string) (joint int, ok bool) {
	after, begins := strings.CutPrefix(low, syn)
	before, ends := strings.CutSuffix(low, syn)
	if !begins && !ends {
		return 0, false
	}
	const separators = "_./- :"
	for j, name := range joints {
		name = strings.ToLower(name)
		if name == "" {
			continue
		}
		if begins && len(after) == len(name)+1 && strings.IndexByte(separators, after[0]) >= 0 && after[1:] == name {
			return j, true
		}
		if last := len(before) - 1; ends && last == len(name) && strings.IndexByte(separators, before[last]) >= 0 && before[:last] == name {
			return j, true
		}
		if begins && len(after) == len(name)+2 && after[1:len(after)-1] == name && (after[0] == '[' && after[len(after)-1] == ']' || after[0] == '(' && after[len(after)-1] == ')') {
			return j, true
		}
	}
	return 0, false
}

// numbered recognises role and number: q1, q_1, q.1, q-1, q 1, q[1], q(1).
func numbered(low, syn string) (k int, ok bool) {
	rest, ok := strings.CutPrefix(low, syn)
	if !ok || rest == "" {
		return 0, false
	}
	switch rest[0] {
	case '[', '(':
		closing := map[byte]string{'[': "]", '(': ")"}[rest[0]]
		if rest, ok = strings.CutSuffix(rest[1:], closing); !ok {
			return 0, false
		}
	case '_', '.', '-', ' ', '/':
		rest = rest[1:]
	}
	if rest == "" || len(rest) > 4 || strings.Trim(rest, "0123456789") != "" {
		return 0, false
	}
	k, err := strconv.Atoi(rest)
	return k, err == nil
}

// jointWords are words for a joint in front of its number, the longer of two that begin alike first.
func jointWords() []string {
	return []string{"motor_state", "motorstate", "joint", "jnt", "axis", "achse", "actuator", "motor", "servo", "drive", "gelenk", "dof", "j", "a", "m"}
}

// numberedBefore recognises a joint's number in front of the role: joint1_position, J1 Position, motor_state[0].q.
func numberedBefore(low, syn string) (k int, ok bool) {
	const separators = "_./- :"
	before, ok := strings.CutSuffix(low, syn)
	if !ok || before == "" || strings.IndexByte(separators, before[len(before)-1]) < 0 {
		return 0, false
	}
	before = strings.TrimRight(before[:len(before)-1], separators)
	for _, word := range jointWords() {
		if rest, ok := strings.CutPrefix(before, word); ok {
			rest = strings.TrimRight(strings.TrimLeft(strings.TrimPrefix(rest, "s["), "_./- ["), "]")
			if rest != "" && len(rest) <= 3 && strings.Trim(rest, "0123456789") == "" {
				k, err := strconv.Atoi(rest)
				return k, err == nil
			}
		}
	}
	return 0, false
}

// numberJoints decides whether numbers count joints from 0 or from 1 and assigns the numbered candidates to
// joints. A role that has one channel for each joint decides for itself. Otherwise the best name of each role with
// numbers takes part in the decision; roles with an override and lesser names (the axes of a force sensor beside
// tau1…) follow their own lowest number. Numbers beyond the robot's joints are noted and ignored.
func numberJoints(cands []candidate, joints int, set map[assignment]string) (notes []Note, err error) {
	type group struct{ role, rank int }
	type span struct {
		lowest, highest int
		example         string
		numbers         map[int]bool
	}
	spans := make(map[group]span)
	best := make(map[int]int)
	for _, c := range cands {
		if c.number < 0 {
			continue
		}
		g := group{c.role, c.rank}
		s, ok := spans[g]
		if !ok {
			s.numbers = map[int]bool{}
		}
		if s.numbers[c.number] = true; !ok || c.number < s.lowest {
			s.lowest, s.example = c.number, c.channel
		}
		s.highest = max(s.highest, c.number)
		spans[g] = s
		if r, ok := best[c.role]; !ok || c.rank < r {
			best[c.role] = c.rank
		}
	}
	for a := range set {
		delete(best, a.role)
	}
	var zero, one string         // examples of a name that counts from 0, and of one that cannot
	whole := func(s span) bool { // one channel for each joint
		return len(s.numbers) == joints && s.highest-s.lowest == joints-1 && s.lowest <= 1
	}
	split := true // every role decides for itself
	for role, rank := range best {
		s := spans[group{role, rank}]
		split = split && whole(s)
		switch {
		case s.lowest == 0 && s.highest >= joints:
			return nil, fmt.Errorf("%w: %s… runs from 0 to %d for a robot of %d joints, so counting fits neither from 0 nor from 1; map the channels",
				ErrAmbiguous, s.example, s.highest, joints)
		case s.lowest == 0:
			zero = s.example
		case s.highest == joints:
			one = s.example
		}
	}
	if split = split && zero != "" && one != ""; split {
		notes = append(notes, Note{Text: fmt.Sprintf("%q counts joints from 0, %q from 1", zero, one)})
	} else if zero != "" && one != "" {
		return nil, fmt.Errorf("%w: %q counts joints from 0, %q from 1; map the channels of one of them", ErrAmbiguous, zero, one)
	}
	if zero != "" && !split {
		notes = append(notes, Note{Text: "the channels count joints from 0"})
	}
	for i, c := range cands {
		if c.number < 0 {
			continue
		}
		g := group{c.role, c.rank}
		base := 1
		if rank, ok := best[c.role]; ok && rank == c.rank && !split {
			if zero != "" {
				base = 0
			}
		} else if spans[g].lowest == 0 {
			base = 0
		}
		if j := c.number - base; j < joints {
			cands[i].joint = j
		} else {
			notes = append(notes, Note{Channel: c.channel, Text: fmt.Sprintf("passed over, the robot has %d joints", joints)})
		}
	}
	return notes, nil
}
