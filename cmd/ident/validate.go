package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ident/identify"
	"ident/project"
	"ident/result"
)

// validateDoc is the JSON document of ident validate.
type validateDoc struct {
	Schema     string             `json:"schema"`
	Result     string             `json:"result"`
	Processing result.Processing  `json:"processing"`
	Validation *result.Validation `json:"validation"`
	Verdicts   []result.Verdict   `json:"verdicts"`
	Warnings   []string           `json:"warnings,omitempty"`
}

func newValidate(s streams) *cobra.Command {
	f := new(flags)
	c := &cobra.Command{
		Use:   "validate RESULT LOG...",
		Short: "a result against logs that it has not seen",
		Long: `Predict the torques of logs with the parameters of a result and compare. The logs
go through the same filters as the training logs did; options change that.
Nothing is written.`,
		Example: `  ident validate log.ident other.csv`,
		Args:    cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			ft, err := project.OpenFitted(args[0])
			if err != nil {
				return err
			}
			p := ft.Settings
			p.Rows, p.Validate, p.TrainFraction, p.Carries = nil, nil, 0, nil
			if err := f.apply(p); err != nil {
				return err
			}
			logs, err := project.OpenLogs(p, args[1:])
			if err != nil {
				return err
			}
			defer project.CloseLogs(logs)
			ses, err := project.Prepare(p, ft.Source, logs, project.UseOf(ft.Terms))
			if err != nil {
				return err
			}
			if err := p.Supply(ses.Runs, ft.Terms); err != nil {
				return err
			}
			if got, want := project.JointNames(ses.Robot), ft.Result.Joints; strings.Join(got, " ") != strings.Join(want, " ") {
				return fmt.Errorf("the result has the joints %s, the logs %s", strings.Join(want, ", "), strings.Join(got, ", "))
			}
			for i := range ses.Runs {
				trained, err := identify.Trained(c.Context(), ft.Result.Logs, &ses.Runs[i])
				if err != nil {
					return err
				}
				for _, l := range ft.Result.Logs { // results of versions that kept no fingerprints
					if run := &ses.Runs[i]; l.Role == "train" && l.EncodedFingerprints == "" && l.Name == run.Name && l.First < run.Last && run.First < l.Last {
						trained = append(trained, l.Name)
					}
				}
				for _, name := range trained {
					ses.Warnings = append(ses.Warnings, fmt.Sprintf("%s holds samples of %s, which trained this result: its error says nothing about unseen motion", ses.Runs[i].Name, name))
				}
			}
			bar := &progress{s: s}
			cfg := project.ConfigOf(p, ses.Runs[0].Log, ses.Runs[0].Roles.T)
			done := ft.Result.Processing
			if p.Cutoff == nil {
				cfg.Cutoff = done.CutoffHz
			}
			if p.MotionCutoff == nil && !c.Flags().Changed("cutoff") && !c.Flags().Changed("decimate") {
				cfg.MotionAuto, cfg.MotionCutoff = false, done.MotionCutoffHz
			}
			if cfg.Velocity == "" {
				cfg.Velocity = done.Velocity
			}
			if cfg.Acceleration == "" {
				cfg.Acceleration = done.Acceleration
			}
			cfg.Progress, cfg.Known, cfg.Unactuated = bar.report, p.Known, project.LinksOf(ses.Robot, p.Unactuated)
			v, processing, err := identify.Predict(c.Context(), ft.Robot, ft.Terms, ft.Set, ft.X, ses.Runs, cfg)
			bar.end()
			if err != nil {
				return err
			}
			res := result.Result{Fit: ft.Result.Fit, Validation: v, Processing: processing, Condition: ft.Result.Condition}
			res.Judge(result.DefaultLimits())
			doc := validateDoc{Schema: "ident.validate/1", Result: args[0], Processing: res.Processing, Validation: v, Warnings: ses.Warnings}
			for _, vd := range res.Verdicts {
				if vd.ID == "validation-error" || vd.ID == "generalisation" {
					doc.Verdicts = append(doc.Verdicts, vd)
				}
			}
			if f.json {
				err = project.WriteJSON(s.out, doc)
			} else {
				printValidation(s, doc, ft.Result.Joints)
			}
			for _, vd := range doc.Verdicts {
				if err == nil && !vd.Pass {
					return errVerdict
				}
			}
			return err
		},
	}
	f.settings(c, project.Logs)
	f.settings(c, project.TermData)
	f.settings(c, project.Processing)
	f.jsonFlag(c)
	return c
}

func printValidation(s streams, doc validateDoc, joints []string) {
	for _, w := range doc.Warnings {
		s.warn("%s", w)
	}
	fmt.Fprintf(s.out, "filter: %s\n\n", doc.Processing.FilterText())
	row := func(name string, e result.Errors) {
		fmt.Fprintf(s.out, "%-28s %9.3f %9.3f", name, e.RelativeError.Stacked, e.RelativeErrorRaw.Stacked)
		for _, v := range e.RMSE {
			fmt.Fprintf(s.out, " %9.4g", v)
		}
		fmt.Fprintln(s.out)
	}
	fmt.Fprintf(s.out, "%-28s %9s %9s", "log", "error %", "raw %")
	for _, j := range joints {
		if len(j) > 9 {
			j = j[len(j)-9:]
		}
		fmt.Fprintf(s.out, " %9s", j)
	}
	fmt.Fprintln(s.out, "  (RMSE)")
	for _, r := range doc.Validation.Runs {
		row(r.Log, r.Errors)
	}
	if len(doc.Validation.Runs) > 1 {
		row("all", doc.Validation.Errors)
	}
	fmt.Fprintln(s.out)
	for _, v := range doc.Verdicts {
		word := "pass"
		if !v.Pass {
			word = "FAIL"
		}
		fmt.Fprintf(s.out, "%s  %-18s %s\n", word, v.ID, v.Why)
	}
}
