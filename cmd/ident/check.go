package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ident/doctor"
	"ident/identify"
	"ident/regressor"
	"ident/robot"
)

// runFinding is a finding with the log that it was made in.
type runFinding struct {
	Log string `json:"log"`
	doctor.Finding
}

// line is a finding as one line of text.
func (f runFinding) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", f.Log, f.ID)
	for _, part := range []string{f.Joint, f.Channel, f.Where} {
		if part != "" {
			fmt.Fprintf(&b, ", %s", part)
		}
	}
	fmt.Fprintf(&b, ": %s", f.Why)
	if f.Fix != "" {
		fmt.Fprintf(&b, " (%s)", f.Fix)
	}
	return b.String()
}

// groupFindings puts findings of the same kind and log together, in the order
// of their first.
func groupFindings(found []runFinding) [][]runFinding {
	var out [][]runFinding
	at := map[string]int{}
	for _, f := range found {
		key := f.Log + "\x00" + f.ID + "\x00" + string(f.Severity)
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
func groupLine(group []runFinding) string {
	line := group[0].line()
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

// checkRuns has the doctor read every run. Excitation is a matter of the
// training runs only: what validates may be as dull as it likes.
func checkRuns(p *project, r *robot.Robot, runs []identify.Run, report func(stage string, done, total int), training int) ([]runFinding, error) {
	terms, err := examinedTerms(p)
	if err != nil {
		return nil, err
	}
	var out []runFinding
	var exams []*doctor.Examination
	for i, run := range runs {
		report("checking", i, len(runs))
		exam, err := doctor.Examine(r, run.Log, run.Roles, doctor.Options{Gains: run.Gains, Terms: terms, Trim: p.trim(), Seed: p.Seed, Still: linksOf(r, p.Still)})
		if err != nil {
			return nil, err
		}
		if i < training {
			exams = append(exams, exam)
		}
		found := exam.Findings
		loops, err := checkLoops(r, &runs[i])
		if err != nil {
			return nil, err
		}
		for _, f := range append(loops, found...) {
			if i >= training && strings.HasPrefix(f.ID, "excitation") {
				continue
			}
			out = append(out, runFinding{run.Name, f})
		}
	}
	changed, of := doctor.Between(exams)
	for i, f := range changed {
		out = append(out, runFinding{runs[of[i]].Name, f})
	}
	return out, nil
}

// examinedTerms are the terms of the model that the doctor holds logs against: rigid bodies and friction,
// whatever is fitted of them, and the springs that the project asks for beside. Other terms need more
// than the motion.
func examinedTerms(p *project) ([]regressor.Term, error) {
	terms := regressor.DefaultTerms()
	asked, err := parseTerms(p, nil)
	if err != nil {
		return nil, err
	}
	for _, t := range asked {
		if t == regressor.Spring || t == regressor.Balance {
			terms = append(terms, t)
		}
	}
	return terms, nil
}

// checkDoc is the JSON document of ident check.
type checkDoc struct {
	Schema   string       `json:"schema"`
	Robot    string       `json:"robot"`
	Findings []runFinding `json:"findings"`
	OK       bool         `json:"ok"`
	Warnings []string     `json:"warnings,omitempty"`
	// Sensitivity of the estimate to the filter, where it was asked for.
	Sensitivity []sensitivityRow `json:"sensitivity,omitempty"`
}

func newCheck(s streams) *cobra.Command {
	f := new(flags)
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
  ident check log.csv --robot arm.urdf --sensitivity`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := f.resolve(c, append(args, f.p.Robot)...)
			if err != nil {
				return err
			}
			logs, err := openLogs(p, args)
			if err != nil {
				return err
			}
			defer closeLogs(logs)
			r, err := findRobot(p, f.p.Robot != "", logs...)
			if err != nil {
				return err
			}
			ses, err := prepare(p, r, logs, toCheck)
			if err != nil {
				return err
			}
			bar := &progress{s: s}
			found, err := checkRuns(p, ses.robot, ses.runs, bar.report, len(ses.runs))
			bar.end()
			if err != nil {
				return err
			}
			doc := checkDoc{Schema: "ident.check/1", Robot: r.Name, Findings: found, OK: true, Warnings: ses.warn}
			if doc.Findings == nil {
				doc.Findings = []runFinding{}
			}
			for _, fd := range found {
				doc.OK = doc.OK && fd.Severity != doctor.Error
			}
			if sense {
				if doc.Sensitivity, err = sensitivity(c.Context(), p, ses, bar); err != nil {
					return err
				}
				bar.end()
			}
			if f.json {
				err = writeJSON(s.out, doc)
			} else {
				printCheck(s, doc, len(logs))
			}
			if err == nil && fix != "" {
				err = fixFindings(s, fix, ses.robot, ses.runs, found)
			}
			if err == nil && !doc.OK {
				return errVerdict
			}
			return err
		},
	}
	f.robotFile(c)
	f.robotFlags(c)
	f.logFlags(c)
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
	for _, f := range doc.Findings {
		count[f.Severity]++
		fmt.Fprintf(s.out, "%-8s %s", f.Severity, f.ID)
		for _, part := range []string{f.Joint, f.Channel} {
			if part != "" {
				fmt.Fprintf(s.out, "  %s", part)
			}
		}
		if logs > 1 {
			fmt.Fprintf(s.out, "  [%s]", f.Log)
		}
		fmt.Fprintln(s.out)
		for _, l := range []struct{ head, text string }{{"where", f.Where}, {"why", f.Why}, {"fix", f.Fix}} {
			if l.text != "" {
				fmt.Fprintf(s.out, "         %-5s %s\n", l.head, l.text)
			}
		}
	}
	if doc.Sensitivity != nil {
		defer printSensitivity(s, doc.Sensitivity)
	}
	fmt.Fprintf(s.out, "%d errors, %d warnings, %d remarks\n", count[doctor.Error], count[doctor.Warning], count[doctor.Info])
}
