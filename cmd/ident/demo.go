package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
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
validate them on another motion, and compare with the truth. Every step is a command
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

// demoStep is one command of the demonstration.
type demoStep struct {
	why  string
	args []string
	show func(text string) string // the part of its output that is shown; nil for all
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
		{"Design a motion that shows the parameters, within the limits of the robot file.",
			[]string{"design-trajectory", robotFile, "--starts", "3", "-o", at("motion.json")}, nil},
		{"And a plainer one, to validate on.",
			[]string{"design-trajectory", robotFile, "--starts", "1", "--seed", "2", "-o", at("other.json")},
			func(text string) string { return pick(text, "condition") }},
		{"Let the robot follow both, and record what its sensors see.",
			[]string{"simulate", robotFile, "--trajectory", at("motion.json"), "--repeat", "3", "--rate", "200", "-o", at("run1.parquet")}, nil},
		{"", []string{"simulate", robotFile, "--trajectory", at("other.json"), "--repeat", "2", "--rate", "200", "--seed", "2", "-o", at("run2.parquet")},
			func(text string) string { return pick(text, "samples") }},
		{"Ask whether the log is fit to be used.",
			[]string{"check", at("run1.parquet")}, nil},
		{"Identify, holding the second run back. The log carries its robot.",
			[]string{"fit", at("run1.parquet"), "--validate", at("run2.parquet"), "-o", result}, nil},
		{"Validate on a log of another day: the example, sampled more slowly and noisier.",
			[]string{"validate", result, example}, nil},
	}
	n := 0
	for _, step := range steps {
		if ctx.Err() != nil {
			return errors.New("interrupted; nothing of the demonstration is kept")
		}
		if step.why != "" {
			n++
			fmt.Fprintf(s.out, "\n%d. %s\n", n, step.why)
		}
		fmt.Fprintf(s.out, "\n$ ident %s\n", strings.Join(quoted(step.args), " "))
		var text strings.Builder
		inner := streams{in: strings.NewReader(""), out: &text, err: s.err, screen: s.screen, terminal: s.terminal, step: true}
		code := run(ctx, step.args, inner)
		shown := text.String()
		if step.show != nil && code == exitDone {
			shown = step.show(shown)
		}
		for line := range strings.Lines(shown) {
			fmt.Fprint(s.out, strings.TrimRight("  "+line, " \n"), "\n")
		}
		if code != exitDone {
			return fmt.Errorf("the step \"ident %s\" ended with exit code %d, which a demonstration must not; nothing of it is kept", step.args[0], code)
		}
	}
	res, err := project.ReadResult(result)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "\n%d. Compare with the truth: the virtual robot was built from the robot file.\n\n", n+1)
	printTruth(s.out, res)
	fmt.Fprintf(s.out, `
All of it is in %s:
  report          %s
  result          %s

Next, with your own robot: ident check LOG --robot ROBOT, then ident fit LOG --robot ROBOT.
`, dir, filepath.Join(result, project.ReportFile), filepath.Join(result, project.ResultFile))
	return nil
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

// pick keeps the lines that begin with a word.
func pick(text, word string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, word) {
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
