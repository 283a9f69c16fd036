package project

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/datasets"
	"ident/filter"
	"ident/identify/outputerror"
)

// Names of the channels that are added, before the joint's number.
const (
	torqueName   = "law_torque"
	positionName = "true_position"
)

// lawChannel returns the name of the channel with the law's torque of a joint, from 1; position that of its position less
// its encoder's offset.
func lawChannel(joint int) string   { return fmt.Sprintf("%s%d", torqueName, joint) }
func truePosition(joint int) string { return fmt.Sprintf("%s%d", positionName, joint) }

// isLawChannel reports whether a channel is one of these.
func isLawChannel(channel string) bool {
	return strings.HasPrefix(channel, torqueName) || strings.HasPrefix(channel, positionName)
}

// commandNames returns the usual names of channels of commanded positions, before a joint's number or name.
func commandNames() []string {
	return []string{"q_ref", "qref", "qr", "q_cmd", "qcmd", "q_des", "qd_des", "q_target", "target_q", "cmd", "command", "goal", "goal_position", "setpoint", "ref", "reference", "target", "action"}
}

// missingCommandError says that a log has no channel with the command of a joint.
type missingCommandError struct {
	Log, Joint string
	Names      []string // names of the log's channels
}

func (e *missingCommandError) Error() string {
	return fmt.Sprintf("%s: no channel with the commanded position of joint %q was found among %s", e.Log, e.Joint, strings.Join(e.Names, ", "))
}

// commandCountError says that the channels of commands are not as many as the joints that move.
type commandCountError struct{ given, joints []string }

func (e *commandCountError) Error() string {
	return fmt.Sprintf("%d channels of commands (%s) for the joints that are not locked, %s: give one for each, in this order", len(e.given), strings.Join(e.given, ", "), strings.Join(e.joints, ", "))
}

// CommandChannels returns the channels of the commanded positions of joints, by number from 1 and name: the given ones, or
// those with a usual name. A joint without one is a missingCommandError.
func CommandChannels(l *datasets.Log, numbers []int, names, given []string) ([]string, error) {
	if len(given) > 0 {
		if len(given) != len(names) {
			return nil, &commandCountError{given, names}
		}
		for i, c := range given {
			if !l.Has(c) {
				return nil, &missingCommandError{l.Name(), names[i], l.Names()}
			}
		}
		return given, nil
	}
	var out []string
	for i, k := range numbers {
		found := ""
		for _, base := range commandNames() {
			endings := []string{fmt.Sprint(k), fmt.Sprintf("_%d", k), "_" + names[i], fmt.Sprintf("[%d]", k)}
			if base == "action" { // of a data set of LeRobot, which counts from 0
				endings = []string{fmt.Sprintf("[%d]", k-1)}
			}
			for _, ending := range endings {
				if at := slices.IndexFunc(l.Names(), func(c string) bool { return strings.EqualFold(c, base+ending) }); at >= 0 && found == "" {
					found = l.Names()[at]
				}
			}
		}
		if found == "" {
			return nil, &missingCommandError{l.Name(), names[i], l.Names()}
		}
		out = append(out, found)
	}
	return out, nil
}

// readCommandRun returns the columns of a log: time step, commands and positions.
func readCommandRun(l *datasets.Log, t string, commands, positions []string) (*outputerror.Run, error) {
	time, err := l.Column(t)
	if err != nil {
		return nil, err
	}
	clock := filter.AnalyseClock(time)
	if len(clock.NaN)+len(clock.Backward)+len(clock.Gaps) > 0 || clock.Period <= 0 {
		row := slices.Min(append(append(append([]int{len(time)}, clock.NaN...), clock.Backward...), clock.Gaps...)) + 1
		return nil, fmt.Errorf("%s: the clock has a gap or goes backward at row %d: a fit without torque simulates the robot without a break; use the rows before or after it", l.Name(), row)
	}
	run := &outputerror.Run{Name: l.Name(), Interval: clock.Period}
	if run.Command, err = l.Columns(commands...); err != nil {
		return nil, err
	}
	run.Position, err = l.Columns(positions...)
	return run, err
}

// velocityCutoff, Hz, is that of the velocities in the law's torques: above the bands of rows, so that they pass, and far below
// the rate, at which differences are noise.
const velocityCutoff = 50

// withLawTorques returns a log with the torques of a law whose gains are all known, and with positions
// less the offsets where there are any. roles are those of the joints with the numbers.
func withLawTorques(l *datasets.Log, roles datasets.Roles, numbers []int, commands []string, law *outputerror.Law, offsets []float64) (*datasets.Log, error) {
	run, err := readCommandRun(l, roles.T, commands, roles.Q)
	if err != nil {
		return nil, err
	}
	n := run.Samples()
	rate := 1 / run.Interval
	low, err := filter.Butterworth(2, math.Min(velocityCutoff, rate/5), rate)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.Name(), err)
	}
	var work filter.Work
	smooth := make([]float64, n)
	shift := (law.Delay + law.Period/2) / run.Interval
	for k, number := range numbers {
		tau, dr, dq := make([]float64, n), make([]float64, n), make([]float64, n)
		filter.Differentiate4(dr, run.Command[k], run.Interval)
		low.ZeroPhase(smooth, run.Position[k], &work)
		filter.Differentiate4(dq, smooth, run.Interval)
		for i := range tau {
			tau[i] = law.P[k]*(run.Command[k][i]-run.Position[k][i]) + law.D[k]*(law.Forward*dr[i]-dq[i])
			if law.Limit != nil && law.Limit[k] > 0 && math.Abs(tau[i]) > law.Limit[k] {
				tau[i] = math.Copysign(law.Limit[k], tau[i])
			}
		}
		l = l.WithColumn(datasets.Channel{Name: lawChannel(number), Assumed: true}, delayed(tau, shift))
		if offsets[k] != 0 {
			q := make([]float64, n)
			for i := range q {
				q[i] = run.Position[k][i] - offsets[k]
			}
			l = l.WithColumn(datasets.Channel{Name: truePosition(number)}, q)
		}
	}
	return l, nil
}

// delayed returns a signal delayed by the given number of samples, interpolated linearly.
func delayed(x []float64, samples float64) []float64 {
	out := make([]float64, len(x))
	for i := range out {
		at := math.Max(float64(i)-samples, 0)
		k := min(int(at), max(len(x)-2, 0))
		out[i] = x[k]
		if k+1 < len(x) {
			out[i] += (at - float64(k)) * (x[k+1] - x[k])
		}
	}
	return out
}
