package main

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/datasets"
	"ident/identify/project"
	"ident/internal/long"
	"ident/internal/output"
	"ident/result"
)

// updateExample makes the embedded example again, trajectory and log.
var updateExample = flag.Bool("update-example", false, "design the example's trajectory again and write the example log")

const exampleFolder = "../../datasets/example"

// The commands that the documentation of datasets.ExampleLog states.
var (
	designExample   = []string{"design-trajectory", "puma560.urdf", "--harmonics", "8", "--seed", "1986", "-o", "puma560.json"}
	simulateExample = []string{"simulate", "puma560.urdf", "--trajectory", "puma560.json", "--repeat", "6", "--rate", "100", "--seed", "1986",
		"--torque-noise", "0.4,0.6,0.3,0.06,0.05,0.05", "--encoder", "1e-4", "--torque-quantum", "0.0625,0.125,0.0625,0.015625,0.015625,0.015625", "-o", "puma560.parquet"}
)

// ident runs a command line in this process and returns its output.
func ident(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	if code := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &errs}); code != exitDone {
		t.Fatalf("ident %s: exit %d\n%s%s", strings.Join(args, " "), code, out.String(), errs.String())
	}
	return out.String()
}

// TestExampleIsItsCommands makes the example log again from its trajectory and
// compares it with the embedded one.
func TestExampleIsItsCommands(t *testing.T) {
	text, err := os.ReadFile("../../datasets/example.go")
	if err != nil {
		t.Fatal(err)
	}
	// The text of the documentation, without the line breaks.
	doc := strings.NewReplacer("\\\n//", "", "\n//\t", "\n").Replace(string(text))
	doc = strings.Join(strings.Fields(doc), " ")
	for _, c := range [][]string{designExample, simulateExample} {
		if line := "ident " + strings.Join(c, " "); !strings.Contains(doc, line) {
			t.Errorf("the documentation of datasets.ExampleLog does not state\n%s", line)
		}
	}
	if *updateExample {
		t.Chdir(exampleFolder)
		ident(t, designExample...)
		ident(t, simulateExample...)
		return
	}
	dir := t.TempDir()
	for _, name := range []string{"puma560.urdf", "puma560.json"} {
		copyFile(t, filepath.Join(exampleFolder, name), filepath.Join(dir, name))
	}
	t.Chdir(dir)
	ident(t, simulateExample...)
	got, err := datasets.Open("puma560.parquet", datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	want, err := datasets.ExampleLog()
	if err != nil {
		t.Fatal(err)
	}
	if got.Rows() != want.Rows() || got.Rows() != 6001 || strings.Join(got.Names(), " ") != strings.Join(want.Names(), " ") || got.Name() != want.Name() {
		t.Fatalf("%d rows of %v, embedded %d of %v", got.Rows(), got.Names(), want.Rows(), want.Names())
	}
	for k, v := range want.Meta() {
		if got.Meta()[k] != v {
			t.Errorf("metadata %s: %q, embedded %q", k, got.Meta()[k], v)
		}
	}
	if want.Meta()[project.MetaRobot] != string(datasets.ExampleRobot()) {
		t.Error("the embedded log carries another robot than the embedded one")
	}
	for _, c := range want.Names() {
		a, errA := got.Column(c)
		b, errB := want.Column(c)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		// Another processor may round a sine differently, and with it, rarely,
		// tip a reading into the next step of a sensor.
		tolerance := 1e-9
		if strings.HasPrefix(c, "tau") || strings.HasPrefix(c, "q") {
			tolerance = 0.125 + 1e-9
		}
		differ := 0
		for i := range a {
			if d := math.Abs(a[i] - b[i]); d > tolerance {
				t.Fatalf("%s, row %d: %g, embedded %g", c, i+1, a[i], b[i])
			} else if d > 1e-9 {
				differ++
			}
		}
		if differ > len(a)/1000 {
			t.Errorf("%s: %d of %d rows differ", c, differ, len(a))
		}
	}
}

// TestExampleFits: the embedded log alone gives the parameters that it was
// made with.
func TestExampleFits(t *testing.T) {
	long.Only(t, "TestReadmeCommands fits the same log")
	dir := t.TempDir()
	path := filepath.Join(dir, "example.parquet")
	l, err := datasets.ExampleLog()
	if err != nil {
		t.Fatal(err)
	}
	if err := datasets.Copy(t.Context(), path, l, nil); err != nil {
		t.Fatal(err)
	}
	var res result.Result
	if err := json.Unmarshal([]byte(ident(t, "fit", path, "--json", "--train-fraction", "0.6")), &res); err != nil {
		t.Fatal(err)
	}
	if e := res.Validation.RelativeError.Stacked; e > 6 {
		t.Errorf("validation error %.2f %%", e)
	}
	within, worst := withinSigmas(&res, 3)
	if n := len(res.BaseParameters); n != 58 || within < n-3 || worst > 6 {
		t.Errorf("%d of %d parameters within three deviations, worst %.1f", within, n, worst)
	}
}

// withinSigmas counts the parameters within k deviations of the robot file's
// and returns the largest deviation in sigmas.
func withinSigmas(res *result.Result, k float64) (within int, worst float64) {
	for _, p := range res.BaseParameters {
		z := math.Abs(p.Value-p.Prior) / p.Sigma
		worst = max(worst, z)
		if z <= k {
			within++
		}
	}
	return within, worst
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := output.Write(to, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		t.Fatal(err)
	}
}
