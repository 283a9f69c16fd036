package project

import (
	"context"
	"fmt"
	"strings"

	"ident/datasets"
	"ident/robot"
	"ident/simulate"
	"ident/simulate/plant"
)

// OpenTorques reads the torques of all independent joints of a log, which move the robot as commands to its drives. The robot starts
// in the positions and velocities of the first row, and notes say which of them the log lacks and are zero.
func OpenTorques(ctx context.Context, path string, r *robot.Robot) (c simulate.Commanded, notes []string, err error) {
	l, err := datasets.OpenContext(ctx, path, datasets.Options{})
	if err != nil {
		return c, nil, fmt.Errorf("torques: %w", err)
	}
	defer l.Close()
	names := JointNames(r)
	roles, _, err := datasets.MapChannels(l, names, nil)
	if err != nil {
		return c, nil, fmt.Errorf("torques %s: %w", path, otherRobot(l, r, err))
	}
	if roles.T == "" {
		return c, nil, fmt.Errorf("torques %s: no time channel; name one t", path)
	}
	read := func(what string, channels []string, must bool) [][]float64 {
		var absent []string
		for i, ch := range channels {
			if ch == "" {
				absent = append(absent, names[i])
			}
		}
		switch {
		case err != nil:
		case len(channels) == 0 || len(absent) > 0:
			if must {
				err = fmt.Errorf("no %s of %s; robot %q is moved by %s: name the channels tau1, tau2 and so on", what, strings.Join(absent, ", "), r.Name, strings.Join(names, ", "))
				return nil
			}
			notes = append(notes, fmt.Sprintf("the file has no %s of all joints: the robot starts with zero", what))
		default:
			var x [][]float64
			x, err = l.Columns(channels...)
			return x
		}
		return nil
	}
	first := func(x [][]float64) []float64 {
		var out []float64
		for _, v := range x {
			if len(v) > 0 {
				out = append(out, v[0])
			}
		}
		return out
	}
	tau := read("torque", roles.Tau, true)
	q, dq := first(read("position", roles.Q, false)), first(read("velocity", roles.DQ, false))
	var t []float64
	if err == nil {
		t, err = l.Column(roles.T)
	}
	if err != nil {
		return c, nil, fmt.Errorf("torques %s: %w", path, err)
	}
	return simulate.Commanded{Commands: plant.Commands{T: t, Tau: tau}, Q: q, DQ: dq}, notes, nil
}
