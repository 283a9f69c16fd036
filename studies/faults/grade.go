package main

import (
	"bytes"
	"context"
	"errors"

	"ident/datasets"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/result"
	"ident/robot/format/yaml"
)

// grade is what a fit of the run with its defaults says of itself: sound, doubtful or unusable; refused where the doctor forbids it,
// failed where there is none.
func grade(d *run) string {
	res, err := fit(d, &project.Settings{})
	var refused *project.FindingsError
	switch {
	case errors.As(err, &refused):
		return "refused"
	case err != nil:
		return "failed"
	}
	return string(res.Grade.Value)
}

// fit identifies from a run as ident fit does. The run's own gravity overrides the settings'.
func fit(d *run, s *project.Settings) (*result.Result, error) {
	var text bytes.Buffer
	if err := yaml.Write(&text, d.robot); err != nil {
		return nil, err
	}
	l, _ := d.log()
	cols, err := l.Columns(l.Names()...)
	if err != nil {
		return nil, err
	}
	l = datasets.FromColumns("log", l.Channels(), cols, map[string]string{project.MetaRobot: text.String(), project.MetaFormat: "yaml"})
	if d.gravity != nil {
		s.Gravity = d.gravity[:]
	}
	ctx := context.Background()
	job, err := project.OpenJob(ctx, s, nil, project.JobOptions{Logs: []*datasets.Log{l}})
	if err != nil {
		return nil, err
	}
	defer job.Close()
	out, err := regression.Fit(ctx, job.Session.Robot, job.Terms, job.Train, job.Validate, job.Config)
	if err != nil {
		return nil, err
	}
	return &out.Result, job.Complete(ctx, out)
}
