package project

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"ident/datasets"
	"ident/excite"
	"ident/internal/textfile"
	"ident/mechanics/tasks"
	"ident/robot"
	"ident/simulate"
)

// IsJSON reports whether a file name ends in .json: coefficients of a trajectory rather than samples.
func IsJSON(path string) bool { return strings.EqualFold(filepath.Ext(path), ".json") }

// Metadata keys of trajectory samples: name and hash of the robot they were made for.
const (
	MetaTrajectoryRobot = "ident.trajectory.robot"
	MetaTrajectorySHA   = "ident.trajectory.robot.sha256"
)

// IsTask reports whether a file is a task by its name (package tasks).
func IsTask(path string) bool { return tasks.IsFile(path) }

// OpenMotion reads a trajectory for a robot from coefficients, from samples in a log, or from a task of its tip. It also
// returns notes.
func OpenMotion(ctx context.Context, path string, r *robot.Robot) (simulate.Sampler, []string, error) {
	if IsJSON(path) {
		return openCoefficients(path, r)
	}
	if IsTask(path) {
		return openTask(ctx, path, r)
	}
	l, err := datasets.OpenContext(ctx, path, datasets.Options{})
	if err != nil {
		return nil, nil, fmt.Errorf("trajectory: %w", err)
	}
	defer l.Close()
	names := JointNames(r)
	roles, _, err := datasets.MapChannels(l, names, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("trajectory %s: %w", path, otherRobot(l, r, err))
	}
	var absent []string
	for i, c := range roles.Q {
		if c == "" {
			absent = append(absent, names[i])
		}
	}
	if len(absent) > 0 {
		return nil, nil, fmt.Errorf("trajectory %s: %w", path, otherRobot(l, r,
			fmt.Errorf("no position of %s; robot %q moves %s", strings.Join(absent, ", "), r.Name, strings.Join(names, ", "))))
	}
	if roles.T == "" {
		return nil, nil, fmt.Errorf("trajectory %s: no time channel; name one t", path)
	}
	read := func(channels []string) ([][]float64, error) {
		for _, c := range channels {
			if c == "" {
				return nil, nil
			}
		}
		return l.Columns(channels...)
	}
	var q, dq, ddq [][]float64
	t, err := l.Column(roles.T)
	for _, g := range []struct {
		channels []string
		to       *[][]float64
	}{{roles.Q, &q}, {roles.DQ, &dq}, {roles.DDQ, &ddq}} {
		if err == nil {
			*g.to, err = read(g.channels)
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("trajectory: %w", err)
	}
	m, err := simulate.NewRecorded(t, q, dq, ddq)
	if err != nil {
		return nil, nil, fmt.Errorf("trajectory %s: %w", path, err)
	}
	var notes []string
	if dq == nil {
		notes = append(notes, "the trajectory has no velocities of all joints: they are the slopes of cubic splines through the positions")
	}
	return m, notes, nil
}

// otherRobot extends an error if the trajectory was made for another robot.
func otherRobot(l *datasets.Log, r *robot.Robot, err error) error {
	meta := l.Meta()
	if name := meta[MetaTrajectoryRobot]; name != "" && meta[MetaTrajectorySHA] != r.Source.SHA256 {
		return fmt.Errorf("it was made for robot %q: %w", name, err)
	}
	return err
}

// openCoefficients reads a trajectory's coefficients.
func openCoefficients(path string, r *robot.Robot) (simulate.Sampler, []string, error) {
	text, err := textfile.ReadDocument(path, largestText)
	if err != nil {
		return nil, nil, fmt.Errorf("trajectory: %w", err)
	}
	tr, err := excite.ReadMotion(text)
	if err != nil {
		return nil, nil, fmt.Errorf("trajectory %s: %w", path, err)
	}
	if got, want := strings.Join(tr.Names(), ", "), strings.Join(JointNames(r), ", "); got != want {
		return nil, nil, fmt.Errorf("trajectory %s: it moves %s, robot %q has %s", path, got, r.Name, want)
	}
	return tr, nil, nil
}

// openTask plans the motion of a task and returns notes about its times.
func openTask(ctx context.Context, path string, r *robot.Robot) (simulate.Sampler, []string, error) {
	t, err := tasks.Open(path)
	if err != nil {
		return nil, nil, err
	}
	m, err := tasks.Plan(ctx, r, t)
	if err != nil {
		return nil, nil, fmt.Errorf("task %s: %w", path, err)
	}
	return m, m.Notes(), nil
}
