package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"ident/datasets"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/long"
	"ident/internal/output"
)

// initFixture writes the handmade robot and a log of it whose channels are
// renamed; a channel renamed to "" is left out. Both lie in folders of their own.
func initFixture(t *testing.T, rename func(string) string) (model, log string) {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{"models", "logs"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	model = filepath.Join(dir, "models", "handmade.urdf")
	if err := os.WriteFile(model, []byte(handmadeURDF), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := datasets.Open(handmadeLog(t, dir, handmadeURDF, true), datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var keep []string
	var channels []datasets.Channel
	for _, name := range l.Names() {
		if to := rename(name); to != "" {
			keep = append(keep, name)
			channels = append(channels, datasets.Channel{Name: to})
		}
	}
	cols, err := l.Columns(keep...)
	if err != nil {
		t.Fatal(err)
	}
	log = filepath.Join(dir, "logs", "run.csv")
	if err := datasets.Write(log, channels, nil, func(w *datasets.Writer) error { return w.Append(cols) }); err != nil {
		t.Fatal(err)
	}
	return model, log
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestInitFits: the file of init is all that a fit needs, says every key that a
// project has, and stays a project when every line that is off is turned on.
func TestInitFits(t *testing.T) {
	model, log := initFixture(t, func(name string) string {
		switch name {
		case "q3", "dq3", "ddq3", "tau3":
			return ""
		}
		return strings.Replace(name, "tau", "load", 1)
	})
	file := filepath.Join(filepath.Dir(log), project.File)
	commandLine(t, exitDone, "init", model, log, "--map", "tau1=load1", "--map", "tau2=load2", "--map", "tau4=load4")
	text := readText(t, file)
	p, err := project.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(filepath.Dir(model), "..", "models", "handmade.urdf"); p.Robot != want {
		t.Errorf("robot %s, want %s", p.Robot, want)
	}
	if _, locked := p.Lock["j3"]; !locked || p.Map["tau4"] != "load4" || p.Map["ddq2"] != "" || p.Map["q3"] != "" || !strings.Contains(text, "not set: give lock first") {
		t.Errorf("lock %v, map %v", p.Lock, p.Map)
	}
	if len(p.Terms) > 0 || p.Estimator != "" {
		t.Errorf("terms %v and estimator %q are pinned, though a fit without the file chooses them on the data", p.Terms, p.Estimator)
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[project.Settings]()) {
		if field.Tag.Get("yaml") == "-" || !field.IsExported() {
			continue
		}
		key, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if !regexp.MustCompile(`(?m)^#? ?` + key + `:`).MatchString(text) {
			t.Errorf("the file does not mention %s", key)
		}
	}
	all := filepath.Join(t.TempDir(), project.File)
	on := regexp.MustCompile(`(?m)^#([^ #])`).ReplaceAllString(text, "$1")
	on = regexp.MustCompile(`(?m)^#(  [a-z]+: \[)`).ReplaceAllString(on, "$1")
	if err := os.WriteFile(all, []byte(on), 0o644); err != nil {
		t.Fatal(err)
	}
	q, err := project.Read(all)
	if err != nil {
		t.Fatalf("%v\n%s", err, on)
	}
	if len(q.Units) == 0 || len(q.Gains) == 0 || q.TrainFraction == 0 || len(q.Limits.Acceleration) != 4 {
		t.Errorf("lines that are off did not turn on: %+v", q)
	}

	// Joint 3 stood at 0.3, which the log does not say.
	text = strings.Replace(text, "lock: {j3: 0}", "lock: {j3: 0.3}", 1)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	commandLine(t, exitDone, "fit", log, "--cutoff", "0")
	res, err := folder.ReadResult(filepath.Join(filepath.Dir(log), "run.ident"), folder.Seals{})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Joints) != 3 || res.Fit.RelativeError.Stacked > 1 {
		t.Errorf("joints %v, error %g %%", res.Joints, res.Fit.RelativeError.Stacked)
	}

	_, errs := commandLine(t, exitFailed, "init", model, log)
	if !strings.Contains(errs, "was edited since ident wrote it and is not replaced; name another place, or give --overwrite") || readText(t, file) != text {
		t.Errorf("an existing project was touched: %s", errs)
	}
	commandLine(t, exitDone, "init", model, log, "--overwrite", "--config", file)
	keys := func(text string) string { // below the findings, and above the seal, which counts them
		_, rest, _ := strings.Cut(text, "# ---- The robot")
		rest, _, _ = strings.Cut(rest, "# "+output.Mark)
		return rest
	}
	if got := readText(t, file); keys(got) != keys(text) {
		t.Errorf("a project made of itself differs:\n%s", got)
	}
}

// TestInitCurrents: a log of currents needs gains, and init says so.
func TestInitCurrents(t *testing.T) {
	model, log := initFixture(t, func(name string) string { return strings.Replace(name, "tau", "i", 1) })
	file := filepath.Join(filepath.Dir(log), project.File)
	_, errs := commandLine(t, exitDone, "init", model, log)
	if !strings.Contains(errs, "fill in gains") {
		t.Error(errs)
	}
	text := readText(t, file)
	if !strings.Contains(text, "FILL IN") || !strings.Contains(text, "\n#gains: [1, 1, 1, 1]\n") {
		t.Error(text)
	}
	if _, errs = commandLine(t, exitUsage, "fit", log); !strings.Contains(errs, "--gains") {
		t.Error(errs)
	}
	commandLine(t, exitDone, "init", model, log, "--gains", "1,2,3,4")
	if !strings.Contains(readText(t, file), "\ngains: [1, 2, 3, 4]\n") {
		t.Error(readText(t, file))
	}
}

func TestInitBadInput(t *testing.T) {
	model, log := initFixture(t, func(name string) string { return name })
	file := filepath.Join(filepath.Dir(log), project.File)
	strange := filepath.Join(filepath.Dir(log), "strange.csv")
	if err := os.WriteFile(strange, []byte("t,a,b\n0,1,2\n1,2,3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitFailed, "missing.urdf", []string{"missing.urdf", log}},
		{exitFailed, "missing.csv", []string{model, "missing.csv"}},
		{exitFailed, "no joint of the robot", []string{model, strange}},
		{exitUsage, "usage: ident init", []string{model}},
		{exitFailed, "no such channel", []string{model, log, "--map", "tau1=nothing"}},
		{exitUsage, "numbers for", []string{model, log, "--gains", "1,2,3,4,5"}},
		{exitFailed, "cannot write", []string{model, log, "-o", filepath.Join(filepath.Dir(log), "nowhere", "x.yaml")}},
	} {
		if _, errs := commandLine(t, c.code, append([]string{"init"}, c.args...)...); !strings.Contains(errs, c.says) {
			t.Errorf("init %v says %q, want %q", c.args, errs, c.says)
		}
	}
	// Of names that tell no joints the file has the lines to fill in.
	p, err := project.Read(file)
	if err != nil || len(p.Map) != 9 || !strings.Contains(readText(t, file), "FILL IN") {
		t.Errorf("the file to fill in: %v, map %v", err, p.Map)
	}
}

// TestInitDoctor: findings of the check of the log are set in the file, with the finding beside, and the fit needs no
// option.
func TestInitDoctor(t *testing.T) {
	long.Only(t, "TestInitFits and the tests of init beside it")
	model, log := initFixture(t, func(name string) string { return name })
	text := strings.Split(readText(t, log), "\n")
	for _, row := range []int{300, 301, 700} {
		text[row] = regexp.MustCompile(`^([^,]*),[^,]*`).ReplaceAllString(text[row], "$1,NaN")
	}
	if err := os.WriteFile(log, []byte(strings.Join(text, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(filepath.Dir(log), project.File)
	_, errs := commandLine(t, exitDone, "init", model, log)
	if !strings.Contains(errs, "set because of what the check of the log found: on-bad") {
		t.Error(errs)
	}
	got := readText(t, file)
	if !strings.Contains(got, "\non-bad: drop  # by ident check (dropout") || strings.Contains(got, "\nmap:") {
		t.Error(got)
	}
	commandLine(t, exitDone, "fit", log)
}
