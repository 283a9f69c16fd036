package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/replaytable"
	"ident/project"
	"ident/project/elasticjoints"
	"ident/project/replayed"
	"ident/report"
	"ident/result"
)

// validateDoc is the JSON document of ident validate.
type validateDoc struct {
	Schema     string             `json:"schema"`
	Result     string             `json:"result"`
	Processing result.Processing  `json:"processing"`
	Validation *result.Validation `json:"validation"`
	Grade      result.Grade       `json:"grade"`
	Verdicts   []result.Verdict   `json:"verdicts"`
	Warnings   []string           `json:"warnings,omitempty"`
	Replay     *replayed.Document `json:"replay,omitempty"`
}

func newValidate(s streams) *cobra.Command {
	f := s.flags()
	var replay, track bool
	var bandwidth float64
	var law replayLaw
	c := &cobra.Command{
		Use:   "validate RESULT LOG...",
		Short: "a result against logs that it has not seen",
		Long: `Predict the torques of logs with the parameters of a result and compare. The logs
go through the same filters as the training logs did; options change that.
Nothing is written. Of a result of elastic joints the links are simulated
behind the motors where a log has no encoders at them.

With --replay the identified model is also run forward under the logged torques, from forty
moments of each log: the error of its position against the horizon, beside the robot
file's. With --track the robot that the first log shows, the model and the torques that it
leaves unexplained, follows the log's motion under joint controllers with gravity compensation
and with feed-forward, of the file and of the result.

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
			if elasticjoints.IsResult(args[0]) {
				if replay || track {
					return usagef("--replay runs rigid models; %s is a result of elastic joints", args[0])
				}
				return validateElastic(c.Context(), s, f, args)
			}
			ft, err := project.OpenFitted(args[0])
			if err != nil {
				return err
			}
			p := ft.Settings
			p.Rows, p.Validate, p.TrainFraction, p.Carries = nil, nil, 0, nil
			if err := f.apply(p); err != nil {
				return err
			}
			bar := &progress{s: s}
			ownBand := c.Flags().Changed("cutoff") || c.Flags().Changed("decimate")
			got, err := ft.Predict(c.Context(), args[1:], ownBand, bar.report)
			bar.end()
			if err != nil {
				return err
			}
			doc := validateDoc{Schema: "ident.validate/1", Result: args[0], Processing: got.Processing, Validation: got.Validation,
				Grade: got.Grade, Verdicts: got.Verdicts, Warnings: got.Warnings}
			if replay || track || law.text != "" {
				if doc.Replay, err = replayed.Of(c.Context(), ft, args[1:], law.options(replayed.Options{Track: track, Bandwidth: bandwidth})); err != nil {
					return err
				}
				for i := range doc.Replay.Verdicts {
					doc.Replay.Verdicts[i].Fix = project.NameSettings(doc.Replay.Verdicts[i].Fix, optionOf)
				}
				doc.Grade = result.GradeOf(slices.Concat(doc.Verdicts, doc.Replay.Verdicts), nil)
			}
			if f.json {
				err = project.WriteJSON(s.data, doc)
			} else {
				printValidation(s, doc, ft.Result.Joints)
			}
			if err == nil && doc.Grade.Value == result.Unusable {
				return errVerdict
			}
			return err
		},
	}
	f.settings(c, project.Logs)
	f.settings(c, project.TermData)
	f.settings(c, project.Processing)
	f.jsonFlag(c)
	law.flags(c.Flags())
	c.Flags().BoolVar(&replay, "replay", false, "run the model forward under the logged torques: errors of position against the horizon")
	c.Flags().BoolVar(&track, "track", false, "with --replay: errors of tracking with the model as feed-forward, beside gravity compensation and the robot file's")
	c.Flags().Float64Var(&bandwidth, "bandwidth", 0, "of the joints' controllers of --track, rad/s (default 20)")
	return c
}

func printValidation(s streams, doc validateDoc, joints []string) {
	for _, w := range doc.Warnings {
		s.warn("%s", w)
	}
	fmt.Fprintf(s.out, "filter: %s\n\n", doc.Processing.FilterText())
	names, width := report.JointColumns(joints)
	row := func(name string, e result.Errors) {
		fmt.Fprintf(s.out, "%-28s %9.3f %9.3f", name, e.RelativeError.Stacked, e.RelativeErrorRaw.Stacked)
		for _, v := range e.RMSE {
			fmt.Fprintf(s.out, " %*.4g", width, v)
		}
		fmt.Fprintln(s.out)
	}
	fmt.Fprintf(s.out, "%-28s %9s %9s", "log", "error %", "raw %")
	for _, name := range names {
		fmt.Fprintf(s.out, " %*s", width, name)
	}
	fmt.Fprintln(s.out, "  (RMSE)")
	for _, r := range doc.Validation.Runs {
		row(r.Log, r.Errors)
	}
	if len(doc.Validation.Runs) > 1 {
		row("all", doc.Validation.Errors)
	}
	if text := doc.Validation.RestText(joints); text != "" {
		fmt.Fprintln(s.out, text)
	}
	fmt.Fprintln(s.out)
	for _, v := range doc.Verdicts {
		word := "pass"
		if !v.Pass {
			word = "FAIL"
		}
		fmt.Fprintf(s.out, "%s  %-18s %s\n", word, v.ID, v.Why)
	}
	if doc.Replay != nil {
		replaytable.Print(s.out, doc.Replay)
	}
	fmt.Fprintf(s.out, "%s\n", doc.Grade.Value)
}
