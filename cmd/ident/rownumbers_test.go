package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/datasets"
	"ident/result"
)

// Rows are counted from 1, first and last included, wherever a user reads or gives them: a row that the check names
// is the one that --rows takes, in texts, in documents, in the report and in the messages of errors.
func TestRowNumbers(t *testing.T) {
	dir := t.TempDir()
	robot := filepath.Join(dir, "arm.urdf")
	if err := os.WriteFile(robot, []byte(handmadeURDF), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := datasets.Open(handmadeLog(t, dir, handmadeURDF, true), datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	names := l.Names()
	cols, err := l.Columns(names...)
	if err != nil {
		t.Fatal(err)
	}
	var channels []datasets.Channel
	torque := -1
	for i, name := range names {
		channels = append(channels, datasets.Channel{Name: name})
		if strings.HasPrefix(name, "tau") {
			torque = i
		}
	}
	const row = 500 // from 1
	cols[torque][row-1] += 300
	log := filepath.Join(dir, "run.csv")
	if err := datasets.Write(log, channels, nil, func(w *datasets.Writer) error { return w.Append(cols) }); err != nil {
		t.Fatal(err)
	}
	command := func(want int, args ...string) (string, string) {
		t.Helper()
		var out, errs bytes.Buffer
		if code := run(context.Background(), args, streams{out: &out, err: &errs}); code != want {
			t.Fatalf("%s: exit code %d\n%s%s", strings.Join(args, " "), code, out.String(), errs.String())
		}
		return out.String(), errs.String()
	}

	text, _ := command(exitVerdict, "check", log, "--robot", robot, "-v")
	if !strings.Contains(text, "row 500") {
		t.Errorf("the check does not name row 500:\n%s", text)
	}
	document, _ := command(exitVerdict, "check", log, "--robot", robot, "--json")
	var doc struct {
		Findings []struct {
			ID, Where string
			Repair    struct{ Edits []struct{ Rows []string } }
		}
	}
	if err := json.Unmarshal([]byte(document), &doc); err != nil {
		t.Fatal(err)
	}
	named := false
	for _, f := range doc.Findings {
		for _, e := range f.Repair.Edits {
			for _, r := range e.Rows {
				named = named || r == "500-500" && strings.Contains(f.Where, "row 500")
			}
		}
	}
	if !named {
		t.Errorf("the document does not leave out rows 500-500:\n%s", document)
	}

	one := filepath.Join(dir, "one.csv")
	command(exitDone, "convert", log, "-o", one, "--rows", "run:500-500")
	alone, err := datasets.Open(one, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer alone.Close()
	if got, err := alone.Columns(names[torque]); err != nil || alone.Rows() != 1 || got[0][0] != cols[torque][row-1] {
		t.Errorf("rows 500 to 500 are %v, %v", got, err)
	}

	folder := filepath.Join(dir, "fit")
	answer, _ := command(exitDone, "fit", log, "--robot", robot, "--plain", "--lock", "j3=0.3", "--rows", "run:501-1500", "-o", folder, "--json")
	var res result.Result
	if err := json.Unmarshal([]byte(answer), &res); err != nil {
		t.Fatal(err)
	}
	if got := res.Logs[0]; got.Rows != "501-1500" || res.Samples.Read != 1000 {
		t.Errorf("rows %s, %d of them", got.Rows, res.Samples.Read)
	}
	if page := readText(t, filepath.Join(folder, "report.html")); !strings.Contains(page, ">501 to 1500<") {
		t.Error("the report does not say rows 501 to 1500")
	}

	lines := strings.Split(readText(t, log), "\n")
	fields := strings.Split(lines[row], ",") // behind the header
	fields[torque] = "x"
	lines[row] = strings.Join(fields, ",")
	if err := os.WriteFile(log, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, errs := command(exitFailed, "fit", log, "--robot", robot, "-o", folder); !strings.Contains(errs, "row 500 (line 501)") {
		t.Errorf("the error does not name row 500: %s", errs)
	}
}
