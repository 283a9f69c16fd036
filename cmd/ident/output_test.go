package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/identify/regression"
)

// Where a result cannot go is said before the fit, and nothing is left of the
// trial; a log in such a place sends its result into the current folder.
func TestResultFolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	s, one := streams{err: &errs}, []regression.Kind{regression.Dynamic}
	if _, err := resultFolder(s, filepath.Join("file", "result"), "log.csv", one, false); err == nil || !strings.Contains(err.Error(), "file is not a folder") {
		t.Errorf("a folder below a file: %v", err)
	}
	if got, err := resultFolder(s, filepath.Join("new", "deep"), "log.csv", one, false); err != nil || got != filepath.Join("new", "deep") {
		t.Errorf("a folder to be made: %q, %v", got, err)
	}
	if got, err := resultFolder(s, "", "log.csv.gz", one, false); err != nil || got != "log.ident" || errs.Len() > 0 {
		t.Errorf("beside the log: %q, %v, %s", got, err, errs.String())
	}
	if got, err := resultFolder(s, "", filepath.Join("file", "log.parquet"), one, false); err != nil || got != "log.ident" || !strings.Contains(errs.String(), "the result goes to log.ident") {
		t.Errorf("no place beside the log: %q, %v, %s", got, err, errs.String())
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
