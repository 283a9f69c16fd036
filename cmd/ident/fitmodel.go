package main

import (
	"context"
	"fmt"
	"path/filepath"

	"ident/cmd/ident/internal/modeltable"
	"ident/identify"
	"ident/project"
	"ident/result"
)

// several tells whether --model names more than one.
func several(list string) bool {
	kinds, err := identify.ParseKinds(list)
	return err == nil && len(kinds) > 1
}

// fitModels fits one data set by several models and prints the comparison. Each
// result is a folder of its own within the fit's.
func fitModels(ctx context.Context, s streams, p *project.Settings, paths []string, opt fitOptions, asJSON bool) error {
	job, err := loadFit(ctx, s, p, paths, opt)
	if err != nil {
		return err
	}
	defer job.close()
	kinds, err := project.Models(p)
	if err != nil {
		return err
	}
	found, err := identify.FitModels(ctx, job.Session.Robot, job.Terms, job.Train, job.Validate, job.cfg, kinds)
	if err != nil {
		return err
	}
	job.bar.end()
	doc := modeltable.Document{Schema: "ident.fit-models/1", Warnings: job.warnings}
	failed := false
	var sides []result.Side
	for _, o := range found.Outcomes {
		if err := job.Complete(ctx, o, Version, job.warnings); err != nil {
			return err
		}
		sides = append(sides, result.Side{Name: o.Result.Model, Result: &o.Result, Set: o.Base, Robot: job.Session.Robot})
	}
	compared, err := result.Compare(sides)
	if err != nil {
		return fmt.Errorf("comparing models: %w", err)
	}
	for _, g := range found.Agreements {
		compared.Notes = append(compared.Notes, modeltable.AgreementOf(g).Sentence(len(compared.Parameters)))
	}
	job.drawing.Compared = compared
	for _, o := range found.Outcomes {
		folder := filepath.Join(job.folder, o.Result.Model)
		if err := s.during("writing the result and its report", func() error { return project.WriteResult(ctx, folder, o, job.Session.Source, job.drawing) }); err != nil {
			return err
		}
		failed = failed || o.Result.Failed()
		doc.Models = append(doc.Models, modeltable.SummaryOf(o, folder))
	}
	for k, b := range found.Outcomes[0].Result.BaseParameters {
		mp := modeltable.Parameter{Name: b.Name, Unit: b.Unit}
		for _, o := range found.Outcomes {
			own := o.Result.BaseParameters[k]
			mp.Value, mp.Sigma = append(mp.Value, own.Value), append(mp.Sigma, own.Sigma)
		}
		doc.Parameters = append(doc.Parameters, mp)
	}
	for _, g := range found.Agreements {
		doc.Agreements = append(doc.Agreements, modeltable.AgreementOf(g))
	}
	if asJSON {
		err = project.WriteJSON(s.data, doc)
	} else {
		modeltable.Print(s.out, doc)
	}
	if err == nil && failed {
		return errVerdict
	}
	return err
}
