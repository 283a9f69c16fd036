package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ident/internal/long"
)

// holdOptions has a command read its options, and not run.
func holdOptions(t *testing.T, line string) {
	t.Helper()
	c, args, err := newRoot(streams{}).Find(shellWords(line))
	if err == nil {
		err = c.ParseFlags(args)
	}
	if err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

var updateReadme = flag.Bool("update-readme", false, "write the outputs and figures of README.md again")

const readme = "../../README.md"

// The session of the README runs beside a copy of the example files, prints what the README shows, and leaves nothing in a checkout
// that .gitignore does not list. `go test ./...` is this test's own caller, and demo.txtar runs the demonstration.
func TestReadmeCommands(t *testing.T) {
	long.Only(t, "the README's commands take a while")
	page, err := filepath.Abs(readme)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if got := shellLines(string(text)); !slices.Equal(got, []string{"go run ./cmd/ident demo", "go test ./..."}) {
		t.Errorf("commands that nothing tests: %q", got)
	}
	example, err := filepath.Abs("../../datasets/example")
	if err != nil {
		t.Fatal(err)
	}
	ignored, err := os.ReadFile("../../.gitignore")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.CopyFS("datasets/example", os.DirFS(example)); err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), "```console\n")
	session, after, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("the README has no session")
	}
	var printed strings.Builder
	ran := 0
	for line := range strings.Lines(session) {
		args, ok := strings.CutPrefix(strings.TrimSpace(line), "$ ident ")
		if !ok {
			continue
		}
		ran++
		var out, errs bytes.Buffer
		if code := run(context.Background(), strings.Fields(args), streams{out: &out, err: &errs}); code != exitDone {
			t.Errorf("%s: exit code %d\n%s\n%s", line, code, out.String(), errs.String())
		}
		printed.WriteString(line + out.String())
	}
	if ran < 5 {
		t.Errorf("only %d commands found in the README", ran)
	}
	if *updateReadme {
		session = printed.String()
		if err := os.WriteFile(page, []byte(before+"```console\n"+session+"```"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if session != printed.String() {
		t.Errorf("the README shows\n%s\nthe commands print\n%s(-update-readme writes it)", session, printed.String())
	}
	for _, f := range []string{"trial/result/report.html", "trial/result/result.json", "trial/identified.urdf"} {
		if _, err := os.Stat(f); err != nil {
			t.Error(err)
		}
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "datasets" && !strings.Contains(string(ignored), "\n/"+e.Name()) {
			t.Errorf("the commands leave %s in the checkout, which .gitignore does not list", e.Name())
		}
	}
}

// The README's table of measured robots has the grades and the errors on unseen motion of fits with default settings.
func TestReadmeRobots(t *testing.T) {
	long.Only(t, "TestChoicesMeasured bounds errors of the same logs")
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	for robot, args := range map[string]string{
		"KUKA LWR4+":         "data:kuka_lwr4/measurements_1.csv.gz --robot data:kuka_lwr4/model/kuka_lwr4.urdf --validate data:kuka_lwr4/measurements_2.csv.gz --validate data:kuka_lwr4/measurements_3.csv.gz",
		"Franka Emika Panda": "data:panda/gaz_exciting_traj_1.csv.gz --robot data:panda/model/panda_mdh_kinematics.urdf --train-fraction 0.6",
		"Stäubli TX40":       "data:tx40/tx40_joint_side_5kHz.csv.gz --robot data:tx40/model/tx40_mdh_modified.urdf --train-fraction 0.6",
		"EMPS (one axis)":    "data:emps/emps_training.csv.gz --robot data:emps/model/emps.urdf --map tau1=force --train-fraction 0.6",
		"UR10e": "data:ur10e/identification/ur-20_02_10-30sec_12harm.csv.gz --validate data:ur10e/validation/ur-20_01_17-ptp_10_points.csv.gz " +
			"--robot data:ur10e/model/ur10e.urdf --gains 10.0000,10.6956,8.4566,9.0029,9.4800,10.1232 " +
			"--rows ur-20_02_10-30sec_12harm.csv.gz:635-3510 --rows ur-20_01_17-ptp_10_points.csv.gz:700-4200",
	} {
		res := fitMeasured(t, strings.Fields(args)...)
		i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "| "+robot+" |") })
		if i < 0 {
			t.Errorf("the README has no row %s", robot)
			continue
		}
		cells := strings.Split(lines[i], "|")
		want := fmt.Sprintf("|%s|%s| %s | %.2f %% |\n", cells[1], cells[2], res.Grade.Value, res.Validation.RelativeError.Stacked)
		if *updateReadme {
			lines[i] = want
		} else if lines[i] != want {
			t.Errorf("the README has\n%sthe fit has\n%s", lines[i], want)
		}
	}
	if *updateReadme {
		if err := os.WriteFile(readme, []byte(strings.Join(lines, "")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
