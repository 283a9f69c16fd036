package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ident/doctor"
	"ident/identify"
	"ident/robot"
)

// Version is the release, as results state it.
const Version = "0.3.0"

// A Project is the files of an identification: a robot and the logs that train.
type Project struct {
	// Settings are those of ident.yaml beside the first file that has one. They may
	// be changed until a fit begins; their zero value is the good default.
	Settings *Settings
	// Force fits in spite of errors that the check of the logs finds.
	Force bool
	// Progress is told of every stage, from one goroutine at a time; nil for silence.
	Progress func(stage string, done, total int)

	logs       []string
	robotGiven bool
}

// Open makes a project of a robot file and logs. Of the robot "" is the one that a log
// carries, or that of ident.yaml.
func Open(robotFile string, logs ...string) (*Project, error) {
	if len(logs) == 0 {
		return nil, errors.New("no log: a project has one at least")
	}
	p := &Project{Settings: new(Settings), logs: logs, robotGiven: robotFile != ""}
	for _, path := range append([]string{robotFile}, logs...) {
		if path == "" {
			continue
		}
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("cannot open the project: %w", err)
		}
	}
	if path := Beside(append(logs[:len(logs):len(logs)], robotFile)...); path != "" {
		var err error
		if p.Settings, err = Read(path); err != nil {
			return nil, err
		}
	}
	if robotFile != "" {
		p.Settings.Robot = robotFile
	}
	return p, nil
}

// Beside returns the path of the project file beside the first of some files that has
// one, or "".
func Beside(files ...string) string {
	for _, f := range files {
		if f == "" {
			continue
		}
		path := filepath.Join(filepath.Dir(f), File)
		if info, err := os.Stat(path); err == nil && !info.IsDir() || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return path
		}
	}
	return ""
}

// An Identification is the outcome of a fit, with the findings on its logs.
type Identification struct {
	*identify.Outcome
	Source   *robot.Robot // as the file says, with settings, before joints were locked
	Findings []Finding
}

// Write writes the folder of the result; where the context ends before all is drawn, the folder is as it was.
func (id *Identification) Write(ctx context.Context, folder string) error {
	return WriteResult(ctx, folder, id.Outcome, id.Source, Drawing{})
}

// A FindingsError is logs with errors that a fit would turn into wrong parameters.
type FindingsError struct{ Findings []Finding }

func (e *FindingsError) Error() string {
	lines := make([]string, len(e.Findings))
	for i, f := range e.Findings {
		lines[i] = f.Line()
	}
	return "the check found errors, which a fit would turn into wrong parameters:\n  " + strings.Join(lines, "\n  ")
}

// Fit checks the logs, identifies the base parameters by the settings, and validates
// them on the logs of the setting validate. Logs with errors are a [FindingsError].
func (p *Project) Fit(ctx context.Context) (*Identification, error) {
	s := *p.Settings
	kinds, err := Models(&s)
	if err != nil {
		return nil, err
	}
	if len(kinds) > 1 {
		return nil, wrong("model", s.Model, "{model} %s: a fit has one model; identify.FitModels compares several", s.Model)
	}
	if err := Check(&s, keys()...); err != nil {
		return nil, err
	}
	if err := CheckFit(&s); err != nil {
		return nil, err
	}
	if err := CheckPaths(p.logs, s.Validate); err != nil {
		return nil, err
	}
	job, err := OpenFit(ctx, &s, p.logs, p.robotGiven)
	if err != nil {
		return nil, err
	}
	defer job.Close()
	progress := p.Progress
	if progress == nil {
		progress = func(string, int, int) {}
	}
	found, err := job.Examine(ctx, progress)
	if err != nil {
		return nil, err
	}
	if refused := Refused(&s, found); len(refused) > 0 && !p.Force {
		return nil, &FindingsError{refused}
	}
	s.AdviseCutoff(found)
	cfg, err := job.Config()
	if err != nil {
		return nil, err
	}
	cfg.Progress = progress
	if err := job.ChooseCoupling(ctx, cfg); err != nil {
		return nil, err
	}
	outcome, err := identify.Fit(ctx, job.Session.Robot, job.Terms, job.Train, job.Validate, cfg)
	if err != nil {
		return nil, err
	}
	warnings := job.Session.Warnings
	for _, f := range found {
		if f.Severity != doctor.Info {
			warnings = append(warnings, f.Line())
		}
	}
	if err := job.Complete(ctx, outcome, Version, warnings); err != nil {
		return nil, err
	}
	return &Identification{Outcome: outcome, Source: job.Session.Source, Findings: found}, nil
}

// Refused lists the findings that forbid a fit: errors that no setting repairs on the way.
func Refused(s *Settings, found []Finding) []Finding {
	var out []Finding
	for _, f := range found {
		if f.Severity == doctor.Error && !s.leavesOut(f) {
			out = append(out, f)
		}
	}
	return out
}

// leavesOut tells whether the rows of a finding are left out by the setting on-bad.
func (s *Settings) leavesOut(f Finding) bool {
	return s.OnBad == "drop" && slices.Contains([]string{doctor.Dropout, doctor.Spike, doctor.ClockRepeat, doctor.ClockBackward}, f.ID)
}

// AdviseCutoff writes the cut-off that the check read off the first training log over the
// value auto. It returns the finding, or nil where there is none.
func (p *Settings) AdviseCutoff(found []Finding) *Finding {
	if !p.CutoffAuto {
		return nil
	}
	for i, f := range found {
		if f.ID == doctor.Aliasing && f.Severity == doctor.Info {
			v := f.Value
			p.Cutoff = &v
			return &found[i]
		}
	}
	return nil
}

// keys lists all settings.
func keys() []string {
	var out []string
	for _, t := range Table() {
		out = append(out, t.Key)
	}
	return out
}
