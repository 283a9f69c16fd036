package identify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"ident/datasets"
	"ident/doctor"
	"ident/identify/elastic"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/robot"
)

// A Project is a robot and the logs for its identification.
type Project struct {
	// Settings are those of ident.yaml beside the first file that has one. The caller may change them before a call.
	Settings *project.Settings
	// Observer, if set, is told of progress, doubts and decisions.
	project.Observer

	logs       []string
	robotGiven bool
}

// Open returns a project of a robot file and logs. If robotFile is "", the robot is the one that a log carries, or else
// that of ident.yaml.
func Open(robotFile string, logs ...string) (*Project, error) {
	if len(logs) == 0 {
		return nil, errors.New("no log: give at least one")
	}
	for _, path := range append([]string{robotFile}, logs...) {
		if path == "" {
			continue
		}
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("cannot open the project: %w", err)
		}
	}
	s := new(project.Settings)
	if path := project.Beside(append(logs[:len(logs):len(logs)], robotFile)...); path != "" {
		var err error
		if s, err = project.Read(path); err != nil {
			return nil, err
		}
	}
	if robotFile != "" {
		s.Robot = robotFile
	}
	return New(s, robotFile != "", logs...), nil
}

// New returns a project with settings that have been read. robotGiven gives the setting robot precedence over a robot in
// a log.
func New(s *project.Settings, robotGiven bool, logs ...string) *Project {
	return &Project{Settings: s, logs: logs, robotGiven: robotGiven}
}

// Checked is the outcome of a check of logs: the findings, and what they are about.
type Checked struct {
	Robot    *robot.Robot // robot of the logs, before joints were locked
	Session  *project.Session
	Findings []project.Finding
	Channels []project.ChannelKind // kinds of the joints' channels (see doctor.ChannelKind)
	OK       bool                  // no finding is an error
	// Sensitivity has one fit for each of several filters, if asked for.
	Sensitivity []project.Refit

	logs     []*datasets.Log
	settings *project.Settings
}

// Close closes the logs.
func (c *Checked) Close() { project.CloseLogs(c.logs) }

// Mend repairs the only log that was checked. It keeps repairs that prove themselves on rows left out. Findings then say
// which were tried, with the errors before and after, including findings that show only after other repairs; OK says
// whether the repaired log is free of errors. If no repair is kept, the columns are nil.
func (c *Checked) Mend(ctx context.Context, p *Project) (*doctor.Mended, error) {
	run := &c.Session.Runs[0]
	m, err := c.Session.Mend(ctx, p.Settings, run, c.Findings)
	if err != nil {
		return nil, err
	}
	for _, t := range m.Tried {
		i := slices.IndexFunc(c.Findings, func(f project.Finding) bool { return f.ID == t.ID && f.Channel == t.Channel && f.Joint == t.Joint })
		switch {
		case i < 0 && !t.Repair.Written && slices.ContainsFunc(c.Findings, func(f project.Finding) bool { return f.Channel == t.Channel }): // its check has said otherwise
		case i < 0:
			c.Findings = append(c.Findings, project.Finding{Log: run.Name, Finding: t})
		case !c.Findings[i].Repair.Written:
			c.Findings[i].Repair = t.Repair
		}
	}
	if m.Columns != nil {
		c.OK = !slices.ContainsFunc(m.Left, func(f doctor.Finding) bool { return f.Severity == doctor.Error })
	}
	return m, nil
}

// CheckOptions say what a check does in addition.
type CheckOptions struct {
	Sensitivity bool // also fit with other cut-offs and differentiators
}

// Check has the doctor check the logs with their robot. Currents without gains suffice. The caller must close the
// outcome.
func (p *Project) Check(ctx context.Context, opt CheckOptions) (_ *Checked, err error) {
	s := p.Settings
	c := &Checked{OK: true, Findings: []project.Finding{}, settings: s}
	if c.logs, err = project.OpenLogs(ctx, s, p.logs); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			c.Close()
		}
	}()
	if c.Robot, err = project.FindRobot(s, p.robotGiven, c.logs...); err != nil {
		return nil, err
	}
	if taken := elastic.TakeMotors(s, c.Robot, c.logs[0]); len(taken) > 0 {
		p.Remark(fmt.Sprintf("the log has no positions of the links of %s, whose joints are elastic: the motors' stand for them in the check", strings.Join(taken, ", ")))
	}
	if c.Session, err = project.Prepare(ctx, s, c.Robot, c.logs, project.ToCheck); err != nil {
		return nil, err
	}
	found, channels, err := project.CheckChannels(ctx, s, c.Session.Robot, c.Session.Runs, p.Report, len(c.Session.Runs))
	if err != nil {
		return nil, err
	}
	c.Findings, c.Channels = append(c.Findings, found...), channels
	for _, f := range found {
		c.OK = c.OK && f.Severity != doctor.Error
	}
	if opt.Sensitivity {
		c.Sensitivity, err = project.Sensitivity(ctx, s, c.Session, p.Report)
	}
	return c, err
}

// job opens the logs for a pass over their rows.
func (p *Project) job(ctx context.Context, opt project.JobOptions) (*project.Job, error) {
	opt.RobotGiven, opt.Observer = p.robotGiven, p.Observer
	return project.OpenJob(ctx, p.Settings, p.logs, opt)
}

// Models returns the identification models that the settings ask for, in order; a fit has a result for each.
func (p *Project) Models() ([]regression.Kind, error) { return project.Models(p.Settings) }
