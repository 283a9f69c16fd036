// Package projectfile writes ident.yaml: the commented file of a robot and a log, and the settings that findings
// ask for, merged into a file that somebody has written.
package projectfile

import (
	"context"
	"slices"

	"ident/datasets"
	"ident/identify"
	"ident/observation"
	"ident/project"
	"ident/project/preset"
	"ident/robot"
)

// Survey is a robot and a log as a fit would take them.
type Survey struct {
	p         *project.Settings
	robot     *robot.Robot
	log       *datasets.Log
	Session   *project.Session
	names     []string // joints as the log numbers them
	gains     []float64
	NeedGains bool // the log has currents, and no gain is known
	cutoff    float64
	// Findings of the doctor about the log.
	Findings []project.Finding
}

// Look maps the channels of a log as a fit would, and has the doctor read it.
func Look(ctx context.Context, p *project.Settings, r *robot.Robot, l *datasets.Log, report func(stage string, done, total int)) (*Survey, error) {
	b := &Survey{p: p, robot: r, log: l, names: p.Joints, gains: p.Gains}
	if len(b.names) == 0 {
		b.names = project.JointNames(r)
	}
	if err := project.RequireNumeric(r); err != nil {
		return nil, err
	}
	roles, _, err := datasets.MapChannels(l, b.names, preset.Channels(p.Preset, p.Map, l))
	if err != nil {
		return nil, err
	}
	trial := *p
	if len(p.Gains) == 0 {
		b.NeedGains = currentWithoutGain(r, roles, b.names)
	}
	if b.NeedGains {
		trial.Gains = slices.Repeat([]float64{1}, len(b.names))
	}
	if b.Session, err = project.Prepare(ctx, &trial, r, []*datasets.Log{l}, project.ToFit); err != nil {
		return nil, err
	}
	if err := project.CheckRows(p, b.Session.Runs); err != nil {
		return nil, err
	}
	if p.Cutoff != nil {
		b.cutoff = *p.Cutoff
	} else if p.Decimate <= 1 {
		b.cutoff = identify.DefaultCutoff(observation.Rate(l, roles.T))
	}
	if !b.NeedGains { // torques of gains that are made up would have findings of their own
		b.Findings, err = project.CheckRuns(ctx, &trial, b.Session.Robot, b.Session.Runs, report, 1)
	}
	return b, err
}

// currentWithoutGain tells whether some joint has a current only, and a drive
// of unknown gain.
func currentWithoutGain(r *robot.Robot, roles datasets.Roles, names []string) bool {
	for k, name := range names {
		if i, ok := project.JointIndex(r, name); ok && roles.Q[k] != "" && roles.Tau[k] == "" && roles.Current[k] != "" && r.Links[i].Joint.Gain == 0 && r.Links[i].Joint.Actuator == "" {
			return true
		}
	}
	return false
}
