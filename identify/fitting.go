package identify

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"ident/identify/elastic"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/mechanics/loads"
	"ident/result"
	"ident/robot"
)

// FitOptions say what a fit does in addition to its settings. The zero value is a good default.
type FitOptions struct {
	// Force fits even if the doctor finds errors.
	Force bool
	// Candidates also fits the candidates that were not chosen, for Compared. It requires logs and a single model.
	Candidates bool
	// Loads computes torque, power and bearing loads for the logs' motions; by default if the robot file has motors or
	// sections. It requires logs and a single model.
	Loads project.Choice
	// Elastic fits stiffness and damping of the joints between motors and links; by default if the robot file has
	// elastic joints. ElasticTerms are additional terms.
	Elastic      project.Choice
	ElasticTerms elastic.Terms
}

// A Fit is the outcome of [Project.Fit].
type Fit struct {
	// Result is the result of the only model, or of the first of several; nil if Elastic is set.
	Result *result.Result
	// Models are the outcomes of all models, in the order of the setting model. Agreements say how far each agrees with
	// the first.
	Models     []*regression.Outcome
	Agreements []regression.Agreement
	// Elastic is the result of a fit of elastic joints.
	Elastic *elastic.Identified
	// Source is the robot of the file, with settings applied, before joints were locked.
	Source *robot.Robot
	// Findings are the doctor's; Warnings are also in each result.
	Findings []project.Finding
	Warnings []string
	// Loads holds the loads for the logs' motions.
	Loads []*loads.Report
	// Compared compares the candidates, or several models.
	Compared *result.Comparison
}

// Failed reports whether a result is unusable or does not pass one of its gates.
func (f *Fit) Failed() bool {
	if f.Elastic != nil {
		return f.Elastic.Grade.Value == result.Unusable
	}
	return slices.ContainsFunc(f.Models, func(o *regression.Outcome) bool { return o.Result.Failed() })
}

// Fit checks the logs, identifies under the settings, and validates on the logs of the setting validate. If logs have
// errors and the fit is not forced, the error is a [*project.FindingsError].
func (p *Project) Fit(ctx context.Context, opt FitOptions) (*Fit, error) {
	if err := project.CheckAll(p.Settings); err != nil {
		return nil, err
	}
	kinds, err := p.Models()
	switch {
	case err != nil:
		return nil, err
	case len(kinds) > 1 && opt.Loads == project.Yes:
		return nil, project.NewSettingError("loads", "", "{loads} works with one {model} only")
	case len(kinds) > 1 && opt.Candidates:
		return nil, project.NewSettingError("candidates", "", "{candidates} works with one {model} only")
	}
	if p.Settings.Stands() {
		return p.fitStanding(ctx, opt)
	}
	if bent, err := p.elastic(ctx, opt); err != nil {
		return nil, err
	} else if bent != nil {
		if len(p.Settings.Accept) > 0 {
			return nil, project.NewSettingError("accept", "", "{accept} has no gates for fits of elastic joints: leave it out, or fit rigid joints with {elastic}=false")
		}
		return p.fitElastic(ctx, bent, opt)
	}
	if err := project.CheckFit(p.Settings); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(p.logs, IsSummary) {
		return p.fitSummaries(ctx, opt)
	}
	job, err := p.job(ctx, project.JobOptions{Force: opt.Force, LockStanding: true})
	if err != nil {
		return nil, err
	}
	defer job.Close()
	f := &Fit{Findings: job.Findings, Warnings: job.Warnings}
	if len(kinds) > 1 {
		err = f.models(ctx, job, kinds)
	} else {
		err = f.model(ctx, p, job, opt)
	}
	if err != nil {
		return nil, err
	}
	f.Source = job.Session.Source
	f.Result = &f.Models[0].Result
	return f, nil
}

// model fits a single model, with candidates and loads.
func (f *Fit) model(ctx context.Context, p *Project, job *project.Job, opt FitOptions) error {
	fit := func() (*regression.Outcome, error) {
		return regression.Fit(ctx, job.Session.Robot, job.Terms, job.Train, job.Validate, job.Config)
	}
	o, err := fit()
	if err != nil {
		return err
	}
	switch shared, err := job.ShareMotor(ctx, o); {
	case err != nil:
		return err
	case shared:
		if o, err = fit(); err != nil {
			return err
		}
	}
	if o.Dropped > 0 {
		p.Warning(project.LeftOut(o.Dropped))
	}
	if err := job.Complete(ctx, o); err != nil {
		return err
	}
	f.Models = []*regression.Outcome{o}
	if opt.Candidates {
		if f.Compared, err = p.compareCandidates(ctx, job, o); err != nil {
			return err
		}
	}
	if opt.Loads == project.Yes || opt.Loads.Automatic() && declaresLoads(job.Session.Robot) {
		var missing []string
		if f.Loads, missing, err = loadsOfFit(ctx, job, o); err != nil {
			return err
		}
		for _, m := range missing {
			p.Warning(m)
		}
	}
	return nil
}

// models fits several models to the same rows and compares them.
func (f *Fit) models(ctx context.Context, job *project.Job, kinds []regression.Kind) error {
	found, err := regression.FitModels(ctx, job.Session.Robot, job.Terms, job.Train, job.Validate, job.Config, kinds)
	if err != nil {
		return err
	}
	f.Models, f.Agreements = found.Outcomes, found.Agreements
	var sides []result.Side
	for _, o := range f.Models {
		if err := job.Complete(ctx, o); err != nil {
			return err
		}
		sides = append(sides, result.Side{Name: o.Result.Model, Result: &o.Result, Set: o.Base, Robot: job.Session.Robot})
	}
	if f.Compared, err = result.Compare(sides); err != nil {
		return fmt.Errorf("comparing models: %w", err)
	}
	for _, g := range f.Agreements {
		f.Compared.Notes = append(f.Compared.Notes, g.Sentence(len(f.Compared.Parameters)))
	}
	return nil
}

// elastic returns the robot for a fit of elastic joints, nil for a fit of rigid ones.
func (p *Project) elastic(ctx context.Context, opt FitOptions) (*robot.Robot, error) {
	asked := opt.Elastic == project.Yes || opt.ElasticTerms != (elastic.Terms{})
	if opt.Elastic == project.No {
		if asked {
			return nil, project.NewSettingError("elastic", "", "{elastic}=false contradicts {elastic-cubic} and {elastic-hysteresis}")
		}
		return nil, nil
	}
	r, err := elastic.Wanted(ctx, p.Settings, p.robotGiven, p.logs)
	switch {
	case asked && err == nil && r == nil:
		if r, err = project.FindRobot(p.Settings, p.robotGiven); err != nil {
			return nil, err
		}
		return elastic.Stiffen(r), nil
	case asked && err != nil:
		return nil, err
	case asked:
		return elastic.Stiffen(r), nil
	case err != nil || r == nil || !elastic.HasElasticJoint(r):
		return nil, nil // a fit of rigid joints reports errors
	}
	return r, nil
}

// fitElastic fits a robot with elastic joints.
func (p *Project) fitElastic(ctx context.Context, r *robot.Robot, opt FitOptions) (*Fit, error) {
	found, err := elastic.FitLogs(ctx, p.Settings, r, p.logs, elastic.Options{Terms: opt.ElasticTerms})
	if err != nil {
		return nil, err
	}
	return &Fit{Elastic: found, Source: r}, nil
}

// WriteOptions say what is written in addition to the page of a result.
type WriteOptions struct {
	// Plots writes the plots as separate files too; rendering them takes longer than a short fit.
	Plots bool
	// Command is the command line that made the result, for the page; "" for none.
	Command string
	// Overwrite permits replacing files that belong to no earlier result, links, and files without write permission.
	Overwrite bool
}

// Folders returns the folders that [Fit.Write] writes: folder itself or, for several models, one within it for each.
func (f *Fit) Folders(dir string) []string {
	if len(f.Models) < 2 {
		return []string{filepath.Clean(dir)}
	}
	var out []string
	for _, o := range f.Models {
		out = append(out, filepath.Join(dir, o.Result.Model))
	}
	return out
}

// Write writes the folder of a result. If ctx ends before everything is drawn, the folder stays as it was.
func (f *Fit) Write(ctx context.Context, dir string, opt WriteOptions) error {
	if f.Elastic != nil {
		return f.Elastic.Write(dir, opt.Overwrite)
	}
	drawing := folder.Drawing{Plots: opt.Plots, Command: opt.Command, Compared: f.Compared, Loads: f.Loads, Overwrite: opt.Overwrite}
	for i, dir := range f.Folders(dir) {
		if err := folder.WriteResult(ctx, dir, f.Models[i], f.Source, drawing); err != nil {
			return err
		}
	}
	return nil
}
