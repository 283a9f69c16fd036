package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/table"
	"ident/doctor"
	"ident/identify"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/digits"
	"ident/report"
	"ident/result"
)

// validateDoc is the JSON document of ident validate.
type validateDoc struct {
	Schema     string                   `json:"schema"`
	Result     string                   `json:"result"`
	Processing result.Processing        `json:"processing"`
	Validation *result.Validation       `json:"validation"`
	Grade      result.Grade             `json:"grade"`
	Verdicts   []result.Verdict         `json:"verdicts"`
	Findings   []project.Finding        `json:"findings"`          // what the logs show beside the bodies of the result: reasons, no grade
	Gates      []result.Gate            `json:"gates,omitempty"`   // requirements on torques, of the fit and of --accept
	Trained    []string                 `json:"trained,omitempty"` // logs that hold samples which trained the result
	Warnings   []string                 `json:"warnings,omitempty"`
	Replay     *identify.ReplayDocument `json:"replay,omitempty"`
}

func newValidate(s streams) *cobra.Command {
	f := s.flags()
	var replay, track bool
	var html string
	var bandwidth float64
	var law replayLaw
	c := &cobra.Command{
		Use:   "validate RESULT LOG...",
		Short: "validate a result on logs that it has not seen",
		Long: `Predict the torques of logs with the parameters of a result and compare. The logs
go through the same filters as the training logs did; options change that.
Where the torques differ, findings name the cause: the bodies of the result are known, so that a
log tells what a fit of its own would absorb. They make no grade.
Nothing is written but the page of --html. Of a result of elastic joints the links are simulated
behind the motors where a log has no encoders at them.

With --replay the identified model is also run forward under the logged torques, from forty
moments of each log: the error of its position against the horizon, beside the robot file's.
The page of --html shows the simulated beside the measured motion.
--track simulates the robot of the first log: the model, with the torques that it leaves
unexplained. This robot follows the log's motion under joint controllers, with gravity
compensation and with feed-forward of the file and of the result.

With --controller the model of --replay runs under the law that moved the robot in the log, from
its commands; of a result without torques under the law that it has found. The errors are then in
per cent of the law's own.`,
		Example: `  ident validate log.ident other.csv
  ident validate log.ident other.csv --replay --track`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			args, done, err := s.input(c.Context(), args)
			if err != nil {
				return err
			}
			defer done()
			saved, err := identify.OpenResult(args[0], s.inUse.seals)
			if err != nil {
				return err
			}
			opt := identify.ValidateOptions{OwnBand: c.Flags().Changed("cutoff") || c.Flags().Changed("decimate")}
			if replay || track || law.text != "" {
				if saved.Elastic() {
					return usagef("--replay runs rigid models; %s is a result of elastic joints", args[0])
				}
				o := law.options(identify.ReplayOptions{Track: track, Bandwidth: bandwidth}, s.inUse.seals)
				opt.Replay = &o
			}
			if err := f.apply(saved.Settings); err != nil {
				return err
			}
			if err := saved.Settings.CheckReadings(args[1:]...); err != nil {
				return err
			}
			bar := &progress{s: s}
			opt.Progress = bar.report
			var got *identify.Validation
			validate := func() error { got, err = saved.Validate(c.Context(), args[1:], opt); bar.end(); return err }
			if saved.Elastic() { // whose work has no bar
				err = s.during("predicting motors and links", validate)
			} else {
				err = validate()
			}
			if err != nil {
				return err
			}
			if saved.Elastic() {
				err = table.ElasticValidation(s.out, s.data, got.Elastic, f.json)
			} else {
				err = presentValidation(s, saved, got, f.json)
			}
			if err == nil && html != "" && !saved.Elastic() {
				if err = saved.WritePage(c.Context(), html, s.command, got); err == nil && !f.json {
					_, err = fmt.Fprintf(s.out, "page  %s\n", html)
				}
			}
			if err == nil && got.Failed() {
				return errVerdict
			}
			return err
		},
	}
	f.settings(c, project.Logs)
	f.settings(c, project.TermData)
	f.settings(c, project.Processing)
	f.settings(c, project.Gates)
	f.jsonFlag(c)
	law.flags(c.Flags())
	c.Flags().StringVar(&html, "html", "", "page to write: measured and predicted torques, errors, verdicts")
	c.Flags().BoolVar(&replay, "replay", false, "run the model forward under the logged torques: errors of position against the horizon")
	c.Flags().BoolVar(&track, "track", false, "with --replay: errors of tracking with the model as feed-forward, beside gravity compensation and the robot file's")
	addNumber(c.Flags(), &bandwidth, "bandwidth", "rad/s", 20, 1e-3, 1e4, "bandwidth of the joints' controllers of --track, rad/s")
	return c
}

// presentValidation prints the errors of a result of rigid joints.
func presentValidation(s streams, saved *identify.Saved, v *identify.Validation, asJSON bool) error {
	doc := validateDoc{Schema: "ident.validate/1", Result: saved.Folder, Processing: v.Processing, Validation: v.Prediction.Validation,
		Grade: v.Grade, Verdicts: v.Verdicts, Gates: v.Gates, Trained: v.Trained, Warnings: v.Warnings, Replay: v.Replay, Findings: v.Findings}
	if doc.Findings == nil {
		doc.Findings = []project.Finding{}
	}
	if asJSON {
		return folder.WriteJSON(s.data, doc)
	}
	printValidation(s, doc, saved.Fitted.Result.Joints)
	return nil
}

// word returns the outcome of a verdict: one that fails without a bearing on the grade is a remark.
func word(v result.Verdict) string {
	switch {
	case v.Pass:
		return "pass"
	case v.Makes == "":
		return "note"
	}
	return "FAIL"
}

func printValidation(s streams, doc validateDoc, joints []string) {
	for _, w := range doc.Warnings {
		s.warn("%s", w)
	}
	fmt.Fprintf(s.out, "filter: %s\n\n", doc.Processing.FilterText())
	names, _ := report.JointColumns(joints)
	rows := [][]string{append([]string{"log", "error %", "raw %"}, names...)}
	row := func(name string, e result.Errors) {
		share := [2]string{digits.None, digits.None}
		if e.Relates(-1) {
			share = [2]string{fmt.Sprintf("%.3f", e.RelativeError.Stacked), fmt.Sprintf("%.3f", e.RelativeErrorRaw.Stacked)}
		}
		r := []string{name, share[0], share[1]}
		for _, v := range e.RMSE {
			r = append(r, fmt.Sprintf("%.4g", v))
		}
		rows = append(rows, r)
	}
	for _, r := range doc.Validation.Runs {
		row(r.Log, r.Errors)
	}
	if len(doc.Validation.Runs) > 1 {
		row("all", doc.Validation.Errors)
	}
	report.Columns(s.out, rows, s.wide)
	fmt.Fprintf(s.out, "(by joint: RMSE)\n")
	if text := doc.Validation.RestText(joints); text != "" {
		fmt.Fprintln(s.out, text)
	}
	fmt.Fprintln(s.out)
	verdicts := doc.Verdicts
	if doc.Replay != nil {
		table.Replay(s.out, doc.Replay)
		verdicts = slices.Concat(verdicts, doc.Replay.Verdicts)
	}
	for _, v := range verdicts {
		fmt.Fprintf(s.out, "%s  %-18s %s\n", word(v), v.ID, v.Why)
	}
	report.Gates(s.out, doc.Gates)
	grave := slices.DeleteFunc(slices.Clone(doc.Findings), func(f project.Finding) bool { return f.Severity == doctor.Info })
	printFindings(s, grave, len(doc.Validation.Runs))
	fmt.Fprintf(s.out, "%s", doc.Grade.Value)
	if len(doc.Trained) > 0 {
		fmt.Fprintf(s.out, ", on motion that trained the result: %s", strings.Join(doc.Trained, ", "))
	}
	fmt.Fprintln(s.out)
}
