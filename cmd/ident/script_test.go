package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ident/identify/project"
	"ident/internal/long"
)

// updateScripts rewrites the expected outputs inside the scripts.
var updateScripts = flag.Bool("update-scripts", false, "rewrite the expected outputs in testdata/script")

// TestMain runs the tests, or the command itself in the processes that they start.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ident": mainNamed})
}

// mainNamed is main that ends with exitLeftover where its output holds a setting as libraries name it.
func mainNamed() {
	killOnSocket()
	var printed recorder
	s := streams{in: os.Stdin, out: io.MultiWriter(os.Stdout, &printed), err: io.MultiWriter(os.Stderr, &printed)}
	code := realMain(s)
	if key := unnamed(printed.text()); key != "" {
		fmt.Fprintf(os.Stderr, "%s is printed as libraries name it\n", key)
		code = exitLeftover
	}
	os.Exit(code)
}

// recorder keeps the output of a command, to which the handler of signals writes as well.
type recorder struct {
	lock sync.Mutex
	buf  bytes.Buffer
}

func (r *recorder) Write(p []byte) (int, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.buf.Write(p)
}

func (r *recorder) text() []byte {
	r.lock.Lock()
	defer r.lock.Unlock()
	return bytes.Clone(r.buf.Bytes())
}

const exitLeftover = 99

// unnamed returns a setting that stands as {key} in a text, "" where there is none. ${key} is a variable of a page's script.
func unnamed(text []byte) string {
	text = bytes.ReplaceAll(text, []byte("${"), nil)
	for _, key := range append(settingKeys(), "fix", "mend", "sensitivity") {
		if k := "{" + key + "}"; bytes.Contains(text, []byte(k)) {
			return k
		}
	}
	return ""
}

func settingKeys() []string {
	var keys []string
	for _, t := range project.Table() {
		keys = append(keys, t.Key)
	}
	return keys
}

// namedFiles looks for settings as libraries name them in the documents that a script leaves behind.
func namedFiles(t testscript.T, dir string) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".json", ".html", ".yaml", ".txt":
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		if key := unnamed(text); key != "" {
			t.Fatal(fmt.Sprintf("%s: %s stands as libraries name it", path, key))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestScripts runs testdata/script/*.txtar: command lines as a user types
// them, most of them in this process (exits), those of pipes, streams and general.txtar as programs. $DATA is the folder of the shared data; a script that needs it begins
// with a line
//
//	[!data] skip 'the measured logs are not here: set IDENT_DATA'
//
// and commands for the gate alone stand at the end of a script, below
//
//	[!long] stop 'the rest with IDENT_LONG=1'
func TestScripts(t *testing.T) {
	data := sharedData()
	example, err := filepath.Abs(filepath.FromSlash("../../datasets/example/puma560.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Abs("testdata/script")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 scripts, // also where a script's call stands in a folder of its own
		UpdateScripts:       *updateScripts,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("DATA", data)
			e.Setenv("EXAMPLE", example)
			e.Defer(func() { namedFiles(e.T(), e.WorkDir) })
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "data":
				return data != "", nil
			case "long":
				return long.Set(), nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "unlist": unlist},
	})
}

// exits is the script command `exits CODE PROGRAM ARG...`: run a program and check its exit code, which `! exec` does
// not. ident is called in this process, without the 10 ms of a start, unless it reads standard input; `exec ident`
// starts the program.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("exits: %q is not an exit code", args[0])
	}
	got := 0
	if args[1] == "ident" && !slices.Contains(args, "-") {
		got = call(ts, args[2:])
	} else {
		var exit *exec.ExitError
		switch err := ts.Exec(args[1], args[2:]...); {
		case errors.As(err, &exit):
			got = exit.ExitCode()
		case err != nil:
			ts.Fatalf("%v", err)
		}
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// calls is held while the folder and the environment of this process are those of a script.
var calls sync.Mutex

// call runs a command line in a script's folder and returns the exit code, exitLeftover as mainNamed does.
func call(ts *testscript.TestScript, args []string) int {
	calls.Lock()
	defer calls.Unlock()
	home, err := os.Getwd()
	ts.Check(err)
	defer func() { ts.Check(os.Chdir(home)) }()
	ts.Check(os.Chdir(ts.MkAbs(".")))
	for _, name := range []string{"TMPDIR", "SOURCE_DATE_EPOCH"} {
		if before, set := os.LookupEnv(name); set {
			defer os.Setenv(name, before)
		} else {
			defer os.Unsetenv(name)
		}
		ts.Check(os.Setenv(name, ts.Getenv(name)))
	}
	var out, errs recorder
	code := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &errs})
	for _, text := range [][]byte{out.text(), errs.text()} {
		if key := unnamed(text); key != "" {
			ts.Logf("%s is printed as libraries name it", key)
			code = exitLeftover
		}
	}
	_, err = ts.Stdout().Write(out.text())
	ts.Check(err)
	_, err = ts.Stderr().Write(errs.text())
	ts.Check(err)
	return code
}

// unlist is the script command `unlist RESULT.json`: it takes out the list of the folder's files and the
// seal, which version 0.2.0 did not write.
func unlist(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: unlist RESULT.json")
	}
	doc := map[string]any{}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &doc))
	delete(doc, "files")
	delete(doc, "seal")
	text, err := json.Marshal(doc)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o644))
}

// sharedData is the folder of reference robots and measured logs, "" where it
// is absent.
func sharedData() string {
	dir := os.Getenv("IDENT_DATA")
	if dir == "" {
		dir = "../../../shared"
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	if info, err := os.Stat(filepath.Join(dir, "data")); err != nil || !info.IsDir() {
		return ""
	}
	return dir
}

// notShort skips a test that takes a second or more.
func notShort(t *testing.T) {
	t.Helper()
	long.Only(t, "takes seconds")
}
