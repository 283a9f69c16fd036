package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ident/datasets"
	"ident/internal/output"
	"ident/project"
	"ident/result"
)

// demoFolder is where the demonstration goes unless told otherwise.
const demoFolder = "ident-demo"

func newDemo(s streams) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "demo",
		Short: "the whole path on an embedded robot, no input needed",
		Long: `Show the whole path on an embedded robot, a Puma 560 with a gripper: design a
motion, let the virtual robot follow it, check the log, identify the parameters,
validate them on another motion, and compare with the truth. Then a log whose sensors come
late, and the doctor that repairs it. Every step is a command
that is printed as you would type it. All files stay in a new folder; nothing that
exists is touched.`,
		Example: `  ident demo`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, undo, err := freshFolder(out)
			if err != nil {
				return err
			}
			s.leftovers.Of(undo)
			err = demo(c.Context(), s, dir)
			s.leftovers.Of(nil)
			if err != nil {
				return errors.Join(err, undo())
			}
			return nil
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "new or empty folder for everything (default ident-demo, or ident-demo-2, …)")
	return c
}

// freshFolder makes the folder that was asked for, or the first of ident-demo,
// ident-demo-2, … that does not exist. undo removes the files made in it.
func freshFolder(asked string) (dir string, undo func() error, err error) {
	if asked != "" {
		if entries, err := os.ReadDir(asked); err == nil {
			if len(entries) > 0 {
				return "", nil, fmt.Errorf("%s is not empty; name a new folder with -o", asked)
			}
			return asked, func() error { return empty(asked) }, nil
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Clean(asked)), 0o755); err == nil {
			err = os.Mkdir(asked, 0o755)
			if err != nil {
				return "", nil, fmt.Errorf("cannot make the folder of the demonstration: %w", err)
			}
		} else {
			return "", nil, fmt.Errorf("cannot make the folder of the demonstration: %w", err)
		}
		return asked, func() error { return os.RemoveAll(asked) }, nil
	}
	for n := 1; ; n++ {
		dir := demoFolder
		if n > 1 {
			dir += "-" + strconv.Itoa(n)
		}
		switch err := os.Mkdir(dir, 0o755); {
		case err == nil:
			return dir, func() error { return os.RemoveAll(dir) }, nil
		case !errors.Is(err, os.ErrExist) || n == 1000:
			return "", nil, fmt.Errorf("cannot make the folder of the demonstration: %w; name another place with -o", err)
		}
	}
}

// empty removes the content of a folder.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

// notes says where the warnings and notes of a step go.
type notes int

const (
	besides    notes = iota // to standard error
	shownNotes              // into the step's output
	noNotes                 // nowhere: an earlier step has shown them
)

// demoStep is one command of the demonstration.
type demoStep struct {
	why   string
	args  []string
	show  func(text string) string // the part of its output that is shown; nil for all
	notes                          // and warnings
}

// demo runs the steps in a folder.
func demo(ctx context.Context, s streams, dir string) error {
	at := func(name string) string { return filepath.Join(dir, name) }
	robotFile, example, result := at("puma560.urdf"), at("example.parquet"), at("result")
	if err := output.Write(robotFile, func(w io.Writer) error { _, err := w.Write(datasets.ExampleRobot()); return err }); err != nil {
		return err
	}
	l, err := datasets.ExampleLog()
	if err != nil {
		return err
	}
	if err := datasets.Copy(ctx, example, l, nil); err != nil && ctx.Err() == nil {
		return err // an interruption ends the first step
	}
	fmt.Fprintf(s.out, "A Puma 560 with a gripper, and a log of it, from the program itself:\n  %s\n  %s\n", robotFile, example)

	steps := []demoStep{
		{why: "Design a motion that shows the parameters, within the limits of the robot file.",
			args: []string{"design-trajectory", robotFile, "--starts", "3", "-o", at("motion.json")}},
		{why: "And a plainer one, to validate on.",
			args: []string{"design-trajectory", robotFile, "--starts", "1", "--seed", "2", "-o", at("other.json")},
			show: func(text string) string { return pick(text, "condition") }},
		{why: "Let the robot follow both, and record what its sensors see.",
			args: []string{"simulate", robotFile, "--trajectory", at("motion.json"), "--repeat", "3", "--rate", "200", "-o", at("run1.parquet")}},
		{args: []string{"simulate", robotFile, "--trajectory", at("other.json"), "--repeat", "2", "--rate", "200", "--seed", "2", "-o", at("run2.parquet")},
			show: func(text string) string { return pick(text, "samples") }},
		{why: "Ask whether the log is fit to be used.",
			args: []string{"check", at("run1.parquet")}},
		{why: "Identify, holding the second run back. The log carries its robot.",
			args: []string{"fit", at("run1.parquet"), "--validate", at("run2.parquet"), "-o", result}},
		{why: "Validate on a log of another day: the example, sampled more slowly and noisier.",
			args: []string{"validate", result, example}},
	}
	n, err := runDemo(ctx, s, steps, 0)
	if err != nil {
		return err
	}
	res, err := project.ReadResult(result)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "\n%d. Compare with the truth: the virtual robot was built from the robot file.\n\n", n+1)
	printTruth(s.out, res)
	if _, err := runDemo(ctx, s, lateSteps(at), n+1); err != nil {
		return err
	}
	fmt.Fprintf(s.out, `
All of it is in %s:
  report          %s
  result          %s

Next, with your own robot: ident check LOG --robot ROBOT, then ident fit LOG --robot ROBOT.
`, dir, filepath.Join(result, project.ReportFile), filepath.Join(result, project.ResultFile))
	return nil
}

// lateSteps record the motion with sensors that come late, and have the doctor find and mend that.
func lateSteps(at func(string) string) []demoStep {
	grade := func(text string) string { return pick(text, "sound", "doubtful", "unusable") }
	return []demoStep{
		{why: "Record the motion again, by velocities that come 10 ms and torques that come 15 ms late.",
			args: []string{"simulate", at("puma560.urdf"), "--trajectory", at("motion.json"), "--repeat", "3", "--rate", "200", "--velocity-lag", "0.01", "--torque-lag", "0.015", "-o", at("late.parquet")},
			show: func(text string) string { return pick(text, "samples") }},
		{why: "The doctor finds it, and writes the log as it should be.",
			args: []string{"check", at("late.parquet"), "--fix", at("mended.parquet")}, notes: shownNotes,
			show: func(text string) string { return pick(text, "warning", "note", "0 errors") }},
		{why: "What that is worth: both fits, side by side.",
			args: []string{"fit", at("late.parquet"), "-o", at("late")}, show: grade, notes: noNotes},
		{args: []string{"fit", at("mended.parquet"), "-o", at("mended")}, show: grade, notes: noNotes},
		{args: []string{"compare", at("mended"), at("late"), "--validate", at("run2.parquet")}, notes: noNotes},
	}
}

// runDemo runs steps, numbered on from n, and returns the last number.
func runDemo(ctx context.Context, s streams, steps []demoStep, n int) (int, error) {
	for _, step := range steps {
		if ctx.Err() != nil {
			return n, errors.New("interrupted; nothing of the demonstration is kept")
		}
		if step.why != "" {
			n++
			fmt.Fprintf(s.out, "\n%d. %s\n", n, step.why)
		}
		fmt.Fprintf(s.out, "\n$ ident %s\n", strings.Join(quoted(step.args), " "))
		var text strings.Builder
		inner := streams{in: strings.NewReader(""), out: &text, err: s.err, screen: s.screen, terminal: s.terminal, step: true}
		switch step.notes {
		case shownNotes:
			inner.err, inner.screen, inner.terminal = &text, &text, false
		case noNotes:
			inner.err, inner.screen, inner.terminal = io.Discard, io.Discard, false
		}
		code := run(ctx, step.args, inner)
		shown := text.String()
		if step.show != nil && code == exitDone {
			shown = step.show(shown)
		}
		for line := range strings.Lines(shown) {
			fmt.Fprint(s.out, strings.TrimRight("  "+line, " \n"), "\n")
		}
		if code != exitDone {
			return n, fmt.Errorf("the step \"ident %s\" ended with exit code %d, which a demonstration must not; nothing of it is kept", step.args[0], code)
		}
	}
	return n, nil
}

// quoted puts quotes where a shell needs them.
func quoted(args []string) []string {
	var out []string
	for _, a := range args {
		if strings.ContainsAny(a, " \t'\"\\$&|<>;()*?[]#~`!") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		out = append(out, a)
	}
	return out
}

// pick keeps the lines that begin with one of some words.
func pick(text string, words ...string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(line, w) }) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// printTruth compares base parameters with those of the robot file, which the
// virtual robot has.
func printTruth(w io.Writer, res *result.Result) {
	var worst result.BaseParameter
	count, most := [3]int{}, 0.0
	for _, p := range res.BaseParameters {
		z := math.Abs(p.Value-p.Prior) / p.Sigma
		for k := range count {
			if z <= float64(k+1) {
				count[k]++
			}
		}
		if z > most {
			most, worst = z, p
		}
	}
	n := len(res.BaseParameters)
	fmt.Fprintf(w, "  %d base parameters, identified from %d samples\n", n, res.Samples.Used)
	fmt.Fprintf(w, "  within 1, 2 and 3 standard deviations of the truth: %d, %d and %d of them (normal: %.0f, %.0f and %.0f)\n",
		count[0], count[1], count[2], 0.683*float64(n), 0.954*float64(n), 0.997*float64(n))
	fmt.Fprintf(w, "  the farthest is %s, %.1f deviations off: identified %.4g ± %.2g, true %.4g %s\n",
		worst.Name, most, worst.Value, worst.Sigma, worst.Prior, worst.Unit)
	fmt.Fprintf(w, "  relative error of the torques: %.2f %% in training", res.Fit.RelativeError.Stacked)
	if res.Validation != nil {
		fmt.Fprintf(w, ", %.2f %% on unseen motion", res.Validation.RelativeError.Stacked)
	}
	fmt.Fprintf(w, "\n  filter: %s\n", res.Processing.FilterText())
}
