// Package flink_test runs ident-fleet on Flink: the script run, and what is left of jobs that end early.
package flink_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// bench is a virtual fleet with the results that Prism gives, and the program.
type bench struct{ dir, program, prism string }

// set makes a bench, or skips where the engine cannot be had.
func set(t *testing.T, robots, logs int) *bench {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("Flink is not run here: its script needs the namespaces of Linux")
	}
	for _, tool := range []string{"bash", "java", "mvn", "unshare", "ip", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("Flink is not run here:", err)
		}
	}
	if out, err := exec.Command("unshare", "--user", "--map-root-user", "--net", "--pid", "--fork", "--mount-proc", "true").CombinedOutput(); err != nil {
		t.Skipf("Flink is not run here: no namespaces: %s", out)
	}
	b := &bench{dir: t.TempDir()}
	b.program, b.prism = filepath.Join(b.dir, "ident-fleet"), filepath.Join(b.dir, "prism")
	if out, err := exec.Command("go", "build", "-o", b.program, "../cmd/ident-fleet").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, folder := range []string{"tmp", "logs"} {
		if err := os.Mkdir(filepath.Join(b.dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b.must(t, b.program, "simulate", "-o", b.at("fleet"), "--robots", strconv.Itoa(robots), "--logs", strconv.Itoa(logs), "--seed", "7")
	b.must(t, b.program, "run", "--manifest", b.at("fleet/manifest.csv"), "-o", b.prism)
	return b
}

func (b *bench) at(name string) string { return filepath.Join(b.dir, filepath.FromSlash(name)) }

// command runs in a temporary folder of its own.
func (b *bench) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Env = append(os.Environ(), "TMPDIR="+b.at("tmp"), "FLINK_LOG="+b.at("logs/flink"))
	c.WaitDelay = 20 * time.Second
	return c
}

func (b *bench) must(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := b.command(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		if bytes.Contains(out, []byte("Maven has not fetched")) && os.Getenv("CI") == "" {
			t.Skipf("Flink is not run here: %s", out)
		}
		t.Fatalf("%s: %v: %s", name, err, out)
	}
	return string(out)
}

// same compares the files of two folders byte by byte.
func same(t *testing.T, got, want string) {
	t.Helper()
	files := func(folder string) map[string]string {
		out := map[string]string{}
		err := fs.WalkDir(os.DirFS(folder), ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(filepath.Join(folder, path))
			out[path] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	a, b := files(got), files(want)
	if len(b) < 5 {
		t.Fatalf("%s has %d files", want, len(b))
	}
	for name := range b {
		if a[name] != b[name] {
			t.Errorf("%s differs", name)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d files, want %d", len(a), len(b))
	}
}

// ended checks that no process and no file of the bench is left but the results.
func (b *bench) ended(t *testing.T) {
	t.Helper()
	for _, pattern := range []string{"tmp/*", "tmp/.*", ".ident-*", "*/.ident-*"} {
		if left, err := filepath.Glob(b.at(pattern)); err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
	}
	if left := b.processes(""); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
}

// processes are those of the bench whose command lines have a part.
func (b *bench) processes(part string) (ids []int) {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range lines {
		text, err := os.ReadFile(name)
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err == nil && id != os.Getpid() && bytes.Contains(text, []byte(b.dir)) && bytes.Contains(text, []byte(part)) {
			ids = append(ids, id)
		}
	}
	return ids
}

// On Flink every byte of the results is that of Prism. A job that fails there and one whose job server is killed are
// told in a line, and leave earlier results as they were.
func TestFlink(t *testing.T) {
	b := set(t, 20, 200)
	// In the place of the program: a job that fails, one that succeeds, and one whose job server is killed.
	script := fmt.Sprintf(`#!/bin/sh
cd %[1]q
%[2]q run --manifest none.csv --config fleet/ident.yaml -o failed "$@" 2>failed.txt && exit 9
%[2]q run --manifest %[1]q/fleet/manifest.csv -o flink "$@" || exit 8
%[2]q run --manifest %[1]q/fleet/manifest.csv -o flink "$@" 2>gone.txt & run=$!
until ls -d .ident-*.tmp flink/.ident-*.tmp 2>/dev/null | grep -q .; do sleep 0.1; done
sleep 2
kill -9 "$FLINK_SERVER"
wait $run && exit 7
exit 0
`, b.dir, b.program)
	if err := os.WriteFile(b.at("jobs"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	out := b.must(t, "./run", b.at("jobs"))
	if !strings.Contains(out, "200 logs listed = 194 in results + 6 in quarantine\n") {
		t.Errorf("%s", out)
	}
	same(t, b.at("flink"), b.prism)
	for name, want := range map[string]string{"failed.txt": "ident-fleet: the job failed on flink at localhost:8099: ", "gone.txt": "ident-fleet: the job server at localhost:8099 has gone"} {
		text, err := os.ReadFile(b.at(name))
		if err != nil || !strings.HasPrefix(string(text), want) || strings.Count(string(text), "\n") != 1 {
			t.Errorf("%s: %v: %s", name, err, text)
		}
	}
	if _, err := os.Stat(b.at("failed")); err == nil {
		t.Error("a job that failed left a folder")
	}
	b.ended(t)
}

// A worker that is killed in the middle of its work is started again with its bundles; no log is lost or counted twice.
func TestKilledWorker(t *testing.T) {
	b := set(t, 6, 120)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	c := b.command(ctx, "./run", b.program, "run", "--manifest", b.at("fleet/manifest.csv"), "-o", b.at("flink"))
	c.Env = append(c.Env, "FLINK_WORKERS=PROCESS")
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	for killed := false; ; {
		select {
		case err := <-done:
			if !killed || err != nil || !strings.Contains(out.String(), "120 logs listed = ") || !strings.Contains(out.String(), "tasks again\n") {
				t.Fatalf("killed: %v; %v: %s", killed, err, out.String())
			}
			same(t, b.at("flink"), b.prism)
			b.ended(t)
			return
		case <-time.After(20 * time.Millisecond):
		}
		if killed {
			continue
		}
		for _, id := range b.processes("--provision_endpoint") {
			if busy(id) {
				if p, err := os.FindProcess(id); err == nil {
					killed = p.Kill() == nil
				}
			}
		}
	}
}

// busy reports whether a process has worked for half a second of CPU time: a worker has read some logs by then.
func busy(id int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	if err != nil {
		return false
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	ticks, _ := strconv.Atoi(fields[11])
	return ticks >= 100
}

// Wrong addresses are told in a line before anything is written.
func TestNoJobServer(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "ident-fleet")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/ident-fleet").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "ident.yaml"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, endpoint := range []string{"", "localhost:1"} {
		c := exec.Command(program, "run", "--manifest", filepath.Join(dir, "none.csv"), "-o", filepath.Join(dir, "results"), "--runner=flink", "--endpoint="+endpoint)
		out, err := c.CombinedOutput()
		if c.ProcessState.ExitCode() != 1 || strings.Count(string(out), "\n") != 1 || !strings.Contains(string(out), "--endpoint") {
			t.Errorf("%q: %v: %s", endpoint, err, out)
		}
		if _, err := os.Stat(filepath.Join(dir, "results")); err == nil {
			t.Error("a folder was made")
		}
	}
}
