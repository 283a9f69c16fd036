package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/doctor"
	"ident/internal/rowlist"
	"ident/project"
)

// groupFindings puts findings of the same kind and log together, in the order
// of their first. Those about no channel and no joint stand for themselves.
func groupFindings(found []project.Finding) [][]project.Finding {
	var out [][]project.Finding
	at := map[string]int{}
	for _, f := range found {
		key := f.Log + "\x00" + f.ID + "\x00" + string(f.Severity)
		if f.Channel == "" && f.Joint == "" {
			key += "\x00" + f.Why
		}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], f)
	}
	return out
}

// groupLine is the first finding of a group with the names of the others.
func groupLine(group []project.Finding) string {
	line := group[0].Line()
	if len(group) == 1 {
		return line
	}
	var names []string
	for _, f := range group[1:] {
		name := f.Channel
		if name == "" {
			name = f.Joint
		}
		names = append(names, name)
	}
	return fmt.Sprintf("%s; likewise %s", line, strings.Join(names, ", "))
}

// checkDoc is the JSON document of ident check.
type checkDoc struct {
	Schema   string            `json:"schema"`
	Robot    string            `json:"robot"`
	Findings []project.Finding `json:"findings"`
	OK       bool              `json:"ok"`
	Warnings []string          `json:"warnings,omitempty"`
	// Sensitivity of the estimate to the filter, where it was asked for.
	Sensitivity []project.Refit `json:"sensitivity,omitempty"`
}

func newCheck(s streams) *cobra.Command {
	f := s.flags()
	var fix string
	var sense bool
	c := &cobra.Command{
		Use:   "check LOG...",
		Short: "what is wrong with a log and a robot, before anything is fitted",
		Long: `Check logs against a robot: clock, gaps, values that are no numbers, velocity that
comes late, dead, stuck and saturated channels, units, frames that were lost and
held; torques against the model: lags, signs, scales, couplings, drift, gravity,
joint order; and what the motion cannot determine. The exit code is 3 when an
error is found.

Nothing is changed unless --fix names a file: FILE.yaml gets the settings that the
findings ask for, any other the log as it should be.`,
		Example: `  ident check log.csv --robot arm.urdf
  ident check log.csv --robot arm.urdf --fix mended.csv
  ident check log.csv --robot arm.urdf --fix ident.yaml
  ident check log.csv --robot arm.urdf --sensitivity
  cat log.csv | ident check - --robot arm.urdf`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := f.resolve(append(args, f.robot())...)
			if err != nil {
				return err
			}
			args, done, err := s.input(c.Context(), args)
			if err != nil {
				return err
			}
			defer done()
			boundMemory(len(args))
			logs, err := project.OpenLogs(c.Context(), p, args)
			if err != nil {
				return err
			}
			defer project.CloseLogs(logs)
			r, err := project.FindRobot(p, f.robot() != "", logs...)
			if err != nil {
				return err
			}
			ses, err := project.Prepare(c.Context(), p, r, logs, project.ToCheck)
			if err != nil {
				return err
			}
			bar := &progress{s: s}
			found, err := project.CheckRuns(c.Context(), p, ses.Robot, ses.Runs, bar.report, len(ses.Runs))
			bar.end()
			if err != nil {
				return err
			}
			doc := checkDoc{Schema: "ident.check/1", Robot: r.Name, Findings: found, OK: true, Warnings: ses.Warnings}
			if doc.Findings == nil {
				doc.Findings = []project.Finding{}
			}
			for _, fd := range found {
				doc.OK = doc.OK && fd.Severity != doctor.Error
			}
			if sense {
				if doc.Sensitivity, err = project.Sensitivity(c.Context(), p, ses, bar.report); err != nil {
					return err
				}
				bar.end()
			}
			if f.json {
				err = project.WriteJSON(s.data, doc)
			} else {
				printCheck(s, doc, len(logs))
			}
			if err == nil && fix != "" {
				err = fixFindings(s, fix, ses.Robot, ses.Runs, found)
			}
			if err == nil && !doc.OK {
				return errVerdict
			}
			return err
		},
	}
	f.settings(c, project.RobotFile)
	f.robotFlags(c)
	f.settings(c, project.Logs)
	f.settings(c, project.Processing)
	f.jsonFlag(c)
	fl := c.Flags()
	fl.StringVar(&fix, "fix", "", "write what mends the findings: settings to FILE.yaml, the log to any other FILE")
	fl.BoolVar(&sense, "sensitivity", false, "fit with other cut-offs and differentiators, and say what that does to the parameters")
	return c
}

func printCheck(s streams, doc checkDoc, logs int) {
	for _, w := range doc.Warnings {
		s.warn("%s", w)
	}
	count := map[doctor.Severity]int{}
	for _, group := range groupFindings(doc.Findings) {
		f := group[0]
		count[f.Severity] += len(group)
		fmt.Fprintf(s.out, "%-8s %s", f.Severity, f.ID)
		for _, part := range []func(f project.Finding) string{func(f project.Finding) string { return f.Joint }, func(f project.Finding) string { return f.Channel }} {
			var names []string
			for _, f := range group {
				if name := part(f); name != "" && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			if len(names) > 0 {
				fmt.Fprintf(s.out, "  %s", strings.Join(names, ","))
			}
		}
		if logs > 1 {
			fmt.Fprintf(s.out, "  [%s]", f.Log)
		}
		fmt.Fprintln(s.out)
		if len(group) > 1 {
			fmt.Fprintf(s.out, "         of %d, the first:\n", len(group))
		}
		for _, l := range []struct{ head, text string }{{"where", f.Where}, {"why", f.Why}, {"fix", f.Fix}} {
			if l.text != "" {
				fmt.Fprintf(s.out, "         %-5s %s\n", l.head, l.text)
			}
		}
	}
	if doc.Sensitivity != nil {
		defer printSensitivity(s, doc.Sensitivity)
	}
	fmt.Fprintf(s.out, "%s, %s, %s\n", rowlist.Plural(count[doctor.Error], "error"), rowlist.Plural(count[doctor.Warning], "warning"), rowlist.Plural(count[doctor.Info], "remark"))
}
