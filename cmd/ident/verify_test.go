package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/identify/folder"
)

// ran runs a command line and returns its exit code, output and errors.
func ran(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(context.Background(), args, streams{in: strings.NewReader(""), out: &o, err: &e})
	return code, o.String(), e.String()
}

// smallResult makes a robot, a log and a result in a new folder, and returns their paths.
func smallResult(t testing.TB) (robot, log, result string) {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	motion := `{"schema": "ident.trajectory/1", "form": "", "period_s": 10, "joints": [
 {"name": "shoulder", "q0": -0.5, "a": [0.3, 0.4, -0.7], "b": [0.5, -0.4, 0.1]},
 {"name": "elbow", "q0": 0.2, "a": [-0.6, 0.1, 0.5], "b": [0.3, 0.6, -0.5]}]}`
	for name, text := range map[string]string{"arm.urdf": twoJoints, "motion.json": motion} {
		if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"simulate", at("arm.urdf"), "--trajectory", at("motion.json"), "--rate", "50", "-o", at("log.csv")},
		{"fit", at("log.csv"), "--robot", at("arm.urdf"), "--plain", "-o", at("log.ident")},
	} {
		if code, _, errs := ran(args...); code != exitDone && code != exitVerdict {
			t.Fatalf("%v: %d\n%s", args, code, errs)
		}
	}
	return at("arm.urdf"), at("log.csv"), at("log.ident")
}

// edit changes a file of a folder.
func edit(t testing.TB, path string, change func(text []byte) []byte) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(bytes.Clone(text)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// member returns an edit of a JSON document.
func member(t testing.TB, change func(doc map[string]any)) func(text []byte) []byte {
	return func(text []byte) []byte {
		var doc map[string]any
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		change(doc)
		out, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
}

// Verify ends with 0 for a result as written, 3 if something is not here, 1 if something was changed.
func TestVerify(t *testing.T) {
	_, log, dir := smallResult(t)
	document := filepath.Join(dir, folder.ResultFile)
	whole, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	logText, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func()
		code   int
		state  string // of the file that is named
		file   string
	}{
		{"as written", func() {}, exitDone, "unchanged", "log.csv"},
		{"line ends", func() {
			edit(t, document, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) })
		}, exitDone, "unchanged", "result.json"},
		{"no seal", func() { edit(t, document, member(t, func(d map[string]any) { delete(d, "seal") })) }, exitFailed, "changed", "result.json"},
		{"version 0.4.0", func() {
			edit(t, document, member(t, func(d map[string]any) { delete(d, "seal"); delete(d, "file_sha256") }))
		}, exitVerdict, "unchanged", "residuals.parquet"},
		{"a changed grade", func() {
			edit(t, document, func(b []byte) []byte {
				return bytes.Replace(b, []byte(`"dof": 2`), []byte(`"dof": 3`), 1)
			})
		}, exitFailed, "changed", "result.json"},
		{"a cut document", func() { edit(t, document, func(b []byte) []byte { return b[:len(b)/2] }) }, exitFailed, "changed", "result.json"},
		{"no log", func() { os.Remove(log) }, exitVerdict, "not checked", "log.csv"},
		{"another log", func() { edit(t, log, func(b []byte) []byte { return append(b, '\n') }) }, exitFailed, "changed", "log.csv"},
		{"another robot", func() {
			edit(t, filepath.Join(dir, "robot.urdf"), func(b []byte) []byte { return append(b, ' ') })
		}, exitFailed, "changed", "robot.urdf"},
		{"a drawn page", func() { os.WriteFile(filepath.Join(dir, "report.html"), nil, 0o644) }, exitFailed, "changed", "robot.urdf"}, // drawings are drawn again: the robot of before is what is changed
		{"no residuals", func() { os.Remove(filepath.Join(dir, "residuals.parquet")) }, exitFailed, "missing", "residuals.parquet"},
	} {
		for path, text := range map[string][]byte{document: whole, log: logText} {
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c.change()
		code, out, errs := ran("verify", dir, "--json")
		var doc folder.VerifyDocument
		if err := json.Unmarshal([]byte(out), &doc); err != nil {
			t.Fatalf("%s: %v\n%s%s", c.name, err, out, errs)
		}
		state := ""
		for _, f := range doc.Files {
			if f.File == c.file {
				state = string(f.State)
			}
		}
		if code != c.code || state != c.state {
			t.Errorf("%s: exit code %d and %s is %q, want %d and %q\n%s%s", c.name, code, c.file, state, c.code, c.state, out, errs)
		}
	}
	if code, _, errs := ran("verify", filepath.Dir(dir)); code != exitFailed || !strings.Contains(errs, "ident fit makes one") {
		t.Errorf("no result: %d %s", code, errs)
	}
}

// A changed result is refused by each command that reads one, and read with --force, with a grade of doubtful at best. One
// without a seal is read: a warning says so if ident wrote one in it, and else -v.
func TestSealedResults(t *testing.T) {
	robot, log, dir := smallResult(t)
	document := filepath.Join(dir, folder.ResultFile)
	out := filepath.Join(t.TempDir(), "out")
	value := func(d map[string]any) {
		p := d["base_parameters"].([]any)[0].(map[string]any)
		p["value"] = p["value"].(float64) * 1.01
	}
	motion := filepath.Join(filepath.Dir(log), "motion.json")
	commands := [][]string{
		{"export", dir, "--to", "csv"}, {"export", dir, "--to", "urdf"}, {"export", dir, "--draws", "1", "--to", "json"}, {"validate", dir, log}, {"watch", dir, log, "--quiet-log", log},
		{"compare", dir, robot}, {"loads", dir, motion}, {"evaluate", dir, log, "-o", out + ".npz"}, {"codegen", dir, "--model", "observer", "--quiet-log", log, "-o", out},
		{"plot", dir}, {"check", log, "--robot", dir}, {"robot", dir}, {"simulate", robot, "--trajectory", motion, "--controller", "computed kp=100 kv=20", "--controller-model", dir, "-o", out + ".csv"},
	}
	edit(t, document, member(t, value))
	for _, args := range commands {
		if code, _, errs := ran(args...); code != exitFailed || !strings.Contains(errs, "the seal is broken") || !strings.Contains(errs, "--force") {
			t.Errorf("%v: %d %s", args, code, errs)
		}
	}
	code, text, errs := ran("validate", dir, log, "--force", "--json")
	var doc validateDoc
	if err := json.Unmarshal([]byte(text), &doc); err != nil || code != exitDone && code != exitVerdict || !strings.Contains(errs, "the seal is broken") {
		t.Fatalf("%d %v\n%s", code, err, errs)
	}
	if doc.Grade.Value == "sound" || !strings.Contains(text, `"broken-seal"`) {
		t.Errorf("the grade of a changed result is %q", doc.Grade.Value)
	}
	edit(t, document, member(t, func(d map[string]any) { delete(d, "seal") }))
	if code, _, errs := ran("export", dir, "--to", "csv"); code != exitDone || !strings.Contains(errs, "has lost the seal") {
		t.Errorf("a lost seal: %d %q", code, errs)
	}
	edit(t, document, member(t, func(d map[string]any) { delete(d, "file_sha256") }))
	for option, says := range map[string]bool{"-v": true, "--force": false} {
		code, _, errs := ran("export", dir, "--to", "csv", option)
		if code != exitDone || strings.Contains(errs, "is unsealed") != says {
			t.Errorf("%s: %d %q", option, code, errs)
		}
	}
}

// Draws are written into the folder of earlier draws, without --overwrite if their files are ident's, and a page replaces nothing but
// a page.
func TestOwnOutputIsReplaced(t *testing.T) {
	_, log, dir := smallResult(t)
	out := filepath.Join(t.TempDir(), "draws")
	draws := []string{"export", dir, "--draws", "1", "--to", "yaml", "-o", out}
	for range 2 {
		if code, _, errs := ran(draws...); code != exitDone {
			t.Fatalf("%d %s", code, errs)
		}
	}
	edit(t, filepath.Join(out, "robot-1.yaml"), func([]byte) []byte { return []byte("mine: 1\n") })
	if code, _, errs := ran(draws...); code != exitFailed || !strings.Contains(errs, "was not written by ident") {
		t.Errorf("a file of the user's: %d %s", code, errs)
	}
	if code, _, errs := ran(append(draws, "--overwrite")...); code != exitDone {
		t.Errorf("--overwrite: %d %s", code, errs)
	}
	own := filepath.Join(filepath.Dir(log), "copy.parquet")
	if code, _, errs := ran("convert", log, "-o", own); code != exitDone {
		t.Fatal(errs)
	}
	if code, _, errs := ran("compare", dir, dir, "--html", own); code != exitFailed || !strings.Contains(errs, "is no page") {
		t.Errorf("a log in place of a page: %d %s", code, errs)
	}
	page := filepath.Join(filepath.Dir(log), "page.html")
	for range 2 {
		if code, _, errs := ran("validate", dir, log, "--html", page); code != exitDone && code != exitVerdict {
			t.Errorf("a page again: %d %s", code, errs)
		}
	}
}

// A result whose robot file was changed is another robot's: its readers refuse it, and --force reads it.
func TestChangedRobotOfResult(t *testing.T) {
	_, log, dir := smallResult(t)
	edit(t, filepath.Join(dir, "robot.urdf"), func(b []byte) []byte { return append(b, ' ') })
	for _, words := range [][]string{{"export", dir, "--to", "urdf"}, {"validate", dir, log}, {"robot", dir}} {
		if _, errs := commandLine(t, exitFailed, words...); !strings.Contains(errs, "robot.urdf: the robot file was changed") {
			t.Errorf("%s: %s", words[0], errs)
		}
	}
	if out, _ := commandLine(t, exitDone, "validate", dir, log, "--force"); strings.Contains(out, "\nsound") {
		t.Errorf("sound with --force: %s", out)
	}
}
