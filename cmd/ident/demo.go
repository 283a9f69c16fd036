package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ident/datasets"
	"ident/identify/folder"
	"ident/internal/hint"
	"ident/internal/output"
)

func newDemo(s streams) *cobra.Command {
	var out string
	var real, files bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "demonstrate the whole path on an embedded robot",
		Long: `Show the whole path on an embedded robot, a Puma 560 with a gripper. The demonstration
designs a motion, lets the virtual robot follow it, checks the log, identifies the
parameters, validates them on another motion, and compares them with the truth. Then a log
whose sensors come late, and the doctor that repairs it. Every step is a command that is
printed as you would type it. All files stay in a new folder; nothing that exists is
touched. With --real the log is a measured one instead, of a Franka Emika Panda, which is
checked and fitted. With --files only the robot and its log are written.`,
		Example: `  ident demo
  ident demo --files -o example
  ident demo --real -o panda`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, undo, err := makeDemoFolder(out)
			if err != nil {
				return err
			}
			s.leftovers.Of(undo)
			if files {
				err = demoFiles(c.Context(), dir)
			} else if real {
				err = realDemo(c.Context(), s, dir)
			} else {
				err = demo(c.Context(), s, dir)
			}
			s.leftovers.Of(nil)
			if err != nil {
				return errors.Join(err, undo())
			}
			return nil
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "new or empty folder for everything (default ident-demo, or ident-demo-2, …)")
	c.Flags().BoolVar(&real, "real", false, "check and fit a measured log of a real robot")
	c.Flags().BoolVar(&files, "files", false, "write the robot and its log, and run nothing")
	c.MarkFlagsMutuallyExclusive("real", "files")
	return c
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
	notes                          // where its warnings and notes go
}

// Names of the embedded files in the folder of the demonstration.
const (
	demoRobot = "puma560.urdf"
	demoLog   = "example.parquet"
)

// demoFiles writes the embedded robot and its log to a folder.
func demoFiles(ctx context.Context, dir string) error {
	if err := output.Write(filepath.Join(dir, demoRobot), func(w io.Writer) error { _, err := w.Write(datasets.ExampleRobot()); return err }); err != nil {
		return err
	}
	l, err := datasets.ExampleLog()
	if err != nil {
		return err
	}
	return datasets.Copy(ctx, filepath.Join(dir, demoLog), l, nil)
}

// demo runs the steps in a folder.
func demo(ctx context.Context, s streams, dir string) error {
	at := func(name string) string { return filepath.Join(dir, name) }
	robotFile, example, result := at(demoRobot), at(demoLog), at("result")
	if err := demoFiles(ctx, dir); err != nil && ctx.Err() == nil {
		return err // an interruption ends the first step
	}
	fmt.Fprintf(s.out, "A Puma 560 with a gripper, and a log of it, from the program itself:\n  %s\n  %s\n", robotFile, example)

	steps := []demoStep{
		{why: "Design a motion that shows the parameters, within the limits of the robot file.",
			args: []string{"design-trajectory", robotFile, "--starts", "3", "-o", at("motion.json")}},
		{why: "And a plainer one, to validate on.",
			args: []string{"design-trajectory", robotFile, "--starts", "1", "--seed", "2", "-o", at("other.json")},
			show: func(text string) string { return linesWith(text, "condition") }},
		{why: "Let the robot follow both, and record what its sensors see.",
			args: []string{"simulate", robotFile, "--trajectory", at("motion.json"), "--repeat", "3", "--rate", "200", "-o", at("run1.parquet")}},
		{args: []string{"simulate", robotFile, "--trajectory", at("other.json"), "--repeat", "2", "--rate", "200", "--seed", "2", "-o", at("run2.parquet")},
			show: func(text string) string { return linesWith(text, "samples") }},
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
	res, err := folder.ReadResult(result, folder.Seals{})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "\n%d. Compare with the truth: the virtual robot was built from the robot file.\n\n", n+1)
	printTruth(s.out, res)
	if _, err := runDemo(ctx, s, lateSteps(at), n+1); err != nil {
		return err
	}
	printNext(s.out, dir, filepath.Join(result, folder.ReportFile), filepath.Join(result, folder.ResultFile))
	return nil
}

// lateSteps record the motion with sensors that come late, and have the doctor find and mend that.
func lateSteps(at func(string) string) []demoStep {
	grade := func(text string) string { return linesWith(text, "sound", "doubtful", "unusable") }
	return []demoStep{
		{why: "Record the motion again, by velocities that come 10 ms and torques that come 15 ms late.",
			args: []string{"simulate", at("puma560.urdf"), "--trajectory", at("motion.json"), "--repeat", "3", "--rate", "200", "--velocity-lag", "0.01", "--torque-lag", "0.015", "-o", at("late.parquet")},
			show: func(text string) string { return linesWith(text, "samples") }},
		{why: "The doctor finds it, and writes the log as it should be.",
			args: []string{"check", at("late.parquet"), "--fix", at("mended.parquet")}, notes: shownNotes,
			show: func(text string) string { return linesWith(text, "warning", "note", "0 errors") }},
		{why: "What that is worth: both fits, side by side.",
			args: []string{"fit", at("late.parquet"), "-o", at("late")}, show: grade, notes: noNotes},
		{args: []string{"fit", at("mended.parquet"), "-o", at("mended")}, show: grade, notes: noNotes},
		{args: []string{"compare", at("mended"), at("late"), "--validate", at("run2.parquet")}, notes: noNotes},
	}
}

// realDemo checks and fits the measured log.
func realDemo(ctx context.Context, s streams, dir string) error {
	at, measured := func(name string) string { return filepath.Join(dir, name) }, datasets.MeasuredExample()
	for name, content := range map[string][]byte{"panda.csv.gz": measured.Log, "panda.urdf": measured.Robot, "LICENSE": measured.Licence} {
		if err := output.Write(at(name), func(w io.Writer) error { _, err := w.Write(content); return err }); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.out, "A Franka Emika Panda with joint torque sensors, 24 s at 30 Hz, recorded and published by the Automatic Control\nGroup of the university of Salerno (%s):\n  %s\n  %s\n", at("LICENSE"), at("panda.urdf"), at("panda.csv.gz"))
	steps := []demoStep{
		{why: "Ask whether the log is fit to be used.",
			args: []string{"check", at("panda.csv.gz"), "--robot", at("panda.urdf")}},
		{why: "Identify. Of 30 samples a second, motion up to 4 Hz is well measured.",
			args: []string{"fit", at("panda.csv.gz"), "--robot", at("panda.urdf"), "--cutoff", "4", "-o", at("result")}, notes: noNotes},
		{why: "The identified robot, with friction and rotors.",
			args: []string{"export", at("result"), "--to", "yaml", "-o", at("identified.yaml")}, notes: noNotes},
	}
	if _, err := runDemo(ctx, s, steps, 0); err != nil {
		return err
	}
	printNext(s.out, dir, at(filepath.Join("result", folder.ReportFile)), at(filepath.Join("result", folder.ResultFile)))
	return nil
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
		fmt.Fprintf(s.out, "\n$ ident %s\n", hint.Words(step.args...))
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
