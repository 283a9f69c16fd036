package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/doctor"
	"ident/identify"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/rowlist"
)

// checkDoc is the JSON document of ident check.
type checkDoc struct {
	Schema   string            `json:"schema"`
	Robot    string            `json:"robot"`
	Findings []project.Finding `json:"findings"`
	// Channels lists what each channel of the joints holds.
	Channels []project.ChannelKind `json:"channels,omitempty"`
	OK       bool                  `json:"ok"`
	Warnings []string              `json:"warnings,omitempty"`
	// Sensitivity of the estimate to the filter, where it was asked for.
	Sensitivity []project.Refit `json:"sensitivity,omitempty"`
}

func newCheck(s streams) *cobra.Command {
	f := s.flags()
	var fix, html string
	var sense bool
	c := &cobra.Command{
		Use:   "check LOG...",
		Short: "check a log against its robot, and repair it",
		Long: `Check logs against a robot. Each channel is tested for its clock, gaps, missing numbers,
late velocities, dead, stuck and saturated values, units, and frames that were lost and
held. Torques are tested against the model for lags, signs, scales, couplings, drift,
gravity and joint order. The check also names what the motion cannot determine. The exit
code is 3 when an error is found.

Findings of one kind are one line; -v says where, why and what to do of each kind.
Nothing is changed unless --fix names a file: FILE.yaml gets the settings that the
findings ask for, any other the log as it should be.`,
		Example: `  ident check log.csv --robot arm.urdf
  ident check log.csv --robot arm.urdf --fix mended.csv
  ident check log.csv --robot arm.urdf --fix ident.yaml
  ident check log.csv --robot arm.urdf --html check.html
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
			boundMemory(len(args) >= manyLogs)
			bar := &progress{s: s}
			job := identify.New(p, f.robot() != "", args...)
			job.Observer = bar.observer()
			got, err := job.Check(c.Context(), identify.CheckOptions{Sensitivity: sense})
			bar.end()
			if err != nil {
				return err
			}
			defer got.Close()
			var mended *doctor.Mended
			if fix != "" && !isSettingsFile(fix) {
				if len(got.Session.Runs) != 1 {
					return usagef("--fix %s: a repaired log is written of one log at a time; of several, the settings can be (--fix ident.yaml)", fix)
				}
				if err := s.during("trying repairs", func() error { mended, err = got.Mend(c.Context(), job); return err }); err != nil {
					return err
				}
			}
			doc := checkDoc{Schema: "ident.check/1", Robot: got.Robot.Name, Findings: got.Findings, Channels: got.Channels, OK: got.OK, Warnings: got.Session.Warnings, Sensitivity: got.Sensitivity}
			if f.json {
				err = folder.WriteJSON(s.data, doc)
			} else {
				printCheck(s, doc, len(got.Session.Runs))
			}
			if err == nil && html != "" {
				if err = got.WritePage(c.Context(), html, s.command); err == nil && !f.json {
					_, err = fmt.Fprintf(s.out, "page  %s\n", html)
				}
			}
			if err == nil && fix != "" {
				err = fixFindings(s, fix, f.robot(), got, mended)
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
	f.settingWith(c, "torque", "measured, or gravity-compensated: the driver took out the gravity of the robot file's bodies, which is added again (default measured)")
	f.jsonFlag(c)
	fl := c.Flags()
	fl.StringVar(&fix, "fix", "", "write what mends the findings: settings to FILE.yaml, the log to any other FILE")
	fl.StringVar(&html, "html", "", "page to write: the channels over time with the findings where they lie, the robot in motion, and the friction of each joint")
	fl.BoolVar(&sense, "sensitivity", false, "fit with other cut-offs and differentiators, and say what that does to the parameters")
	return c
}

// printCheck prints the findings, those of one kind on one line. With -v each kind has its paragraph.
func printCheck(s streams, doc checkDoc, logs int) {
	for _, w := range doc.Warnings {
		s.warn("%s", w)
	}
	count := printFindings(s, doc.Findings, logs)
	if doc.Sensitivity != nil {
		defer printSensitivity(s, doc.Sensitivity)
	}
	fmt.Fprintf(s.out, "%s, %s, %s\n", rowlist.Plural(count[doctor.Error], "error"), rowlist.Plural(count[doctor.Warning], "warning"), rowlist.Plural(count[doctor.Info], "remark"))
}

// printFindings prints findings as printCheck does, and returns how many there are of each severity.
func printFindings(s streams, found []project.Finding, logs int) map[doctor.Severity]int {
	full := s.inUse != nil && s.inUse.verbose
	count := map[doctor.Severity]int{}
	for _, group := range project.GroupFindings(found) {
		f := group[0]
		count[f.Severity] += len(group)
		head := fmt.Sprintf("%-8s %s", f.Severity, f.ID)
		for _, part := range []func(f project.Finding) string{func(f project.Finding) string { return f.Joint }, func(f project.Finding) string { return f.Channel }} {
			var names []string
			for _, f := range group {
				if name := part(f); name != "" && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			if len(names) > 0 {
				head += "  " + strings.Join(names, ",")
			}
		}
		if logs > 1 {
			head += fmt.Sprintf("  [%s]", f.Log)
		}
		if s.wide > 0 && len(head) > s.wide { // lists break behind their commas
			head = hang("", strings.ReplaceAll(head, ",", ", "), len("warning  "), s.wide)
		}
		if !full {
			text := clause(f.Why)
			if f.Fix != "" {
				text += " → " + f.Fix
			} else if f.Hint != "" {
				text += fmt.Sprintf(" (%s)", f.Hint)
			}
			if f.Repair.Tried {
				text += fmt.Sprintf(" [%s]", tried(f.Repair))
			}
			fmt.Fprintln(s.out, hang(head+": ", text, len("warning  "), s.wide))
			continue
		}
		fmt.Fprintln(s.out, head)
		if len(group) > 1 {
			fmt.Fprintf(s.out, "         of %d, the first:\n", len(group))
		}
		for _, l := range []struct{ head, text string }{{"where", f.Where}, {"why", f.Why}, {"fix", f.Fix}, {"hint", f.Hint}, {"tried", tried(f.Repair)}} {
			if l.text != "" {
				fmt.Fprintln(s.out, hang(fmt.Sprintf("         %-5s ", l.head), l.text, len("         where "), s.wide))
			}
		}
	}
	if len(found) > 0 && !full {
		fmt.Fprintln(s.out, "-v: where, why and what to do, a paragraph for each")
	}
	return count
}

// clause returns the text up to the first mark that ends a clause, without what stands in parentheses.
func clause(text string) string {
	for {
		from := strings.Index(text, " (")
		to := strings.Index(text[max(from, 0):], ")")
		if from < 0 || to < 0 {
			break
		}
		text = text[:from] + text[from+to+1:]
	}
	for _, mark := range []string{"; ", ": "} {
		text, _, _ = strings.Cut(text, mark)
	}
	return text
}

// tried returns the outcome of a repair in one line, "" if none was tried.
func tried(r doctor.Repair) string {
	if !r.Tried {
		return ""
	}
	what := "not written"
	if r.Written {
		what = "written"
	}
	if before := 100 * r.ErrorBefore; math.IsInf(before, 0) || math.IsNaN(before) {
		return fmt.Sprintf("%s: on stretches left out a free fit leaves %.3g %% of the changes of a torque with the repair, and there is no fit without it", what, 100*r.ErrorAfter)
	}
	return fmt.Sprintf("%s: on stretches left out a free fit left %.3g %% of the changes of a torque before, and leaves %.3g %% with the repair", what, 100*r.ErrorBefore, 100*r.ErrorAfter)
}
