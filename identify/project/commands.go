package project

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/datasets"
	"ident/identify/outputerror"
	"ident/identify/regression"
	"ident/result"
)

// NoTorque is the value of the setting torque for logs without torques: commands and positions only.
const NoTorque = "none"

// withoutTorques returns the logs with torques computed by the controller's law, and maps them to the joints in the
// settings. Unknowns of the law come from known, or are estimated from the runs that train selects.
func (p *Settings) withoutTorques(ctx context.Context, robotGiven bool, logs []*datasets.Log, known *result.Commanded, train func([]regression.Run) []regression.Run) ([]*datasets.Log, *lawCommands, error) {
	if p.Controller == "" {
		return nil, nil, wrong("torque", NoTorque, "{torque} none: the law that makes the torques is missing; give {controller} \"pd kp=… kd=…\", ? for a gain that is not known")
	}
	if known == nil {
		if err := p.checkTorqueFree(); err != nil {
			return nil, nil, err
		}
	}
	r, err := FindRobot(p, robotGiven, logs...)
	if err != nil {
		return nil, nil, err
	}
	names := p.Joints
	if len(names) == 0 {
		names = JointNames(r)
	}
	own := maps.Clone(datasets.PresetChannels(p.Preset, p.Map, logs...))
	maps.DeleteFunc(own, func(_, channel string) bool { return isLawChannel(channel) }) // of an earlier fit
	p.Map = own
	roles := make([]datasets.Roles, len(logs))
	for i, l := range logs {
		if roles[i], _, _, err = mapJoints(p, r, l, names); err != nil {
			return nil, nil, err
		}
	}
	var blank []*datasets.Log
	blank, p.Map = blankTorques(logs, roles, own)
	ses, terms, err := OpenSession(ctx, p, robotGiven, blank...)
	if err != nil {
		return nil, nil, err
	}
	in := &commandLogs{Robot: ses.Robot, Terms: terms, Joints: JointNames(ses.Robot), Logs: logs, Runs: ses.Runs, Controller: p.Controller, Reference: p.Reference,
		Options: outputerror.Options{Trim: p.TrimSeconds(), Progress: p.Progress}, Base: baseparams.Options{Seed: p.Seed, Immobile: LinksOf(ses.Robot, p.Immobile)}}
	if known == nil {
		in.Train = train(ses.Runs)
		if err := p.holdBodies(ses.Robot); err != nil {
			return nil, nil, err
		}
		in.Known, _ = p.KnownValues()
	}
	for _, name := range in.Joints {
		in.Numbers = append(in.Numbers, slices.Index(names, name)+1)
	}
	for k := range names {
		if key := fmt.Sprintf("tau%d", k+1); p.Map[key] == lawChannel(k+1) && !slices.Contains(in.Numbers, k+1) {
			delete(p.Map, key) // a joint that is locked has no torque of the law
		}
	}
	out, c, err := findCommands(ctx, in, known)
	var law *lawError
	var missing *missingCommandError
	var count *commandCountError
	switch {
	case errors.As(err, &law):
		return nil, nil, wrong("controller", p.Controller, "{controller} %q: %w", p.Controller, err)
	case errors.As(err, &count):
		return nil, nil, wrong("reference", strings.Join(p.Reference, ","), "{reference}: %w", err)
	case errors.As(err, &missing):
		return nil, nil, remedy("reference", "", "%w; name the channels with {reference}", err)
	case err != nil:
		return nil, nil, err
	}
	c.MapOffsets(p.Map, in.Numbers)
	return out, c, nil
}

// checkTorqueFree refuses what a fit without torques cannot do, before its work: its estimate is that of the simulated motion, of base parameters.
func (p *Settings) checkTorqueFree() error {
	switch {
	case p.Estimator != "" && p.Estimator != string(regression.Auto):
		return wrong("estimator", p.Estimator, "{estimator} %s: {torque} none has an estimator of its own, the simulated motion; leave out {estimator}", p.Estimator)
	case p.Feasible():
		key := p.knowsBodies()
		if key == "" {
			key = "physically-consistent"
		}
		return wrong(key, "", "{"+key+"} asks for feasible bodies, which {torque} none does not estimate: leave it out, or hold the robot file's bodies with {bodies} file")
	case p.Bootstrap > 0:
		return wrong("bootstrap", fmt.Sprint(p.Bootstrap), "{bootstrap} draws rows again, and {torque} none has simulated motions in their place: leave it out")
	case p.Model != "" && p.Model != string(regression.Dynamic):
		return wrong("model", p.Model, "{model} %s is made of measured torques, which {torque} none has not: leave it out", p.Model)
	}
	return nil
}

// withoutTorques returns a job's logs with torques computed by its controller's law; the first trained logs train.
func (j *Job) withoutTorques(ctx context.Context, robotGiven bool, logs []*datasets.Log, trained int) (with []*datasets.Log, err error) {
	with, j.commands, err = j.Settings.withoutTorques(ctx, robotGiven, logs, nil, func(runs []regression.Run) []regression.Run {
		if runs = runs[:trained]; j.Settings.TrainFraction > 0 {
			runs, _ = Split(runs, j.Settings.TrainFraction)
		}
		return runs
	})
	return with, err
}
