package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is watched may have other names and units than the quiet log: a declaration counts for the one that has its channel, in a file and in
// a stream, and for both if both have it. One whose channel neither has is refused.
func TestDeclarationsOfWatchedLogs(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join("testdata", "v0.4.0")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(from, "log.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\nt,")
	lines := strings.SplitAfterN("t,"+table, "\n", 82)
	named := strings.NewReplacer("t,", "clock,", "dq1", "a.speed", "dq2", "b.speed", "q1", "a.angle", "q2", "b.angle", "tau1", "a.force", "tau2", "b.force").Replace(lines[0])
	other := named + strings.Join(lines[1:81], "")
	if !strings.HasPrefix(named, "clock,a.angle,b.angle,") {
		t.Fatalf("the log has %s", lines[0])
	}
	t.Chdir(dir)
	if err := os.WriteFile("other.csv", []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	declared := []string{"--quiet-log", "log.csv.gz", "--map", "t=clock", "--map", "q1=a.angle", "--map", "q2=b.angle", "--map", "dq1=a.speed", "--map", "dq2=b.speed", "--map", "tau1=a.force", "--map", "tau2=b.force", "--unit", "clock=s", "--unit", "*.angle=rad", "--unit", "q*=rad"}
	for _, c := range []struct {
		code int
		log  string
		more []string
		want string
	}{
		{exitDone, "other.csv", nil, "\n80 rows"},
		{exitDone, "-", nil, "\n80 rows"},
		{exitUsage, "other.csv", []string{"--unit", "c.angle=rad"}, "c.angle"},
		{exitFailed, "-", []string{"--unit", "c.angle=rad"}, "c.angle"},
		{exitFailed, "other.csv", []string{"--map", "tau2=c.force"}, "c.force"},
		{exitFailed, "-", []string{"--map", "tau2=c.force"}, "c.force"},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), append(append([]string{"watch", "result", c.log}, declared...), c.more...), streams{in: strings.NewReader(other), out: &out, err: &errs})
		if code != c.code && !(c.code == exitFailed && code == exitUsage) || !strings.Contains(out.String()+errs.String(), c.want) {
			t.Errorf("%s %v: %d\n%.300s%s", c.log, c.more, code, &out, &errs)
		}
	}
}
