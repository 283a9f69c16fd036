package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ident/cmd/ident/internal/exports"
	"ident/datasets"
	"ident/internal/long"
	"ident/internal/output"
)

// armOfTwo is a robot with all limits that a design asks for.
const armOfTwo = `<robot name="two"><link name="base"/>
<link name="l1"><inertial><origin xyz="0.2 0.01 0"/><mass value="4"/><inertia ixx="0.02" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="l2"><inertial><origin xyz="0.15 0 0.02"/><mass value="2"/><inertia ixx="0.01" iyy="0.04" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j1" type="revolute"><parent link="base"/><child link="l1"/><origin rpy="1.5707963 0 0"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="100" velocity="3"/></joint>
<joint name="j2" type="revolute"><parent link="l1"/><child link="l2"/><origin xyz="0.4 0 0"/><axis xyz="0 0 1"/><limit lower="-2.5" upper="2.5" effort="60" velocity="4"/></joint>
</robot>
`

// outputCase is a command with an output: OUT in its arguments.
type outputCase struct {
	args   string
	out    string // the file or the folder
	inner  string // a file of the folder, "" where out is a file
	joins  bool   // its files join those of any folder
	seldom bool   // the command needs more than this test has: it is refused, and not run
}

func outputCases() []outputCase {
	cases := []outputCase{
		{args: "robot rob.urdf --html OUT", out: "page.html"},
		{args: "check late.csv --robot rob.urdf --fix OUT", out: "mended.csv"},
		{args: "reduce run.csv --robot rob.urdf -o OUT", out: "part.idr"},
		{args: "merge run.idr run2.idr -o OUT", out: "both.idr"},
		{args: "drift run.idr run2.idr --html OUT", out: "drift.html", seldom: true},
		{args: "validate res run2.csv --html OUT", out: "validate.html"},
		{args: "watch res run2.csv --quiet-log run.csv --html OUT", out: "events.html"},
		{args: "evaluate rob.urdf exact.csv -o OUT", out: "states.csv"},
		{args: "compare res res --html OUT", out: "compare.html"},
		{args: "gravity slow.csv --robot rob.urdf -o OUT", out: "gravity.json", seldom: true},
		{args: "loads res run.csv --html OUT", out: "loads.html"},
		{args: "loads res run.csv --series OUT", out: "loads.csv"},
		{args: "loads res run.csv --series OUT", out: "loads.parquet"},
		{args: "tool --design 4 --robot rob.urdf -o OUT", out: "held.csv"},
		{args: "init rob.urdf run.csv -o OUT", out: "settings.yaml"},
		{args: "export res --order pinocchio -o OUT", out: "ordered.json"},
		{args: "fit run.csv --robot rob.urdf -o OUT", out: "result", inner: "result.json"},
		{args: "plot res -o OUT", out: "drawn", inner: "report.html"},
		{args: "codegen rob.urdf --lang c,python,matlab,fortran,julia,go,listing -o OUT", out: "code", inner: "two.c", joins: true},
		{args: "man -o OUT", out: "man", inner: "ident.1", joins: true},
	}
	for _, to := range []string{"latex", "csv", "regp", "par"} {
		cases = append(cases, outputCase{args: "base-params rob.urdf --to " + to + " -o OUT", out: "base." + to})
	}
	for _, to := range []string{"urdf", "mjcf", "sdf", "yaml", "par"} {
		cases = append(cases, outputCase{args: "robot rob.urdf --to " + to + " -o OUT", out: "robot." + to},
			outputCase{args: "export res --allow-nonphysical --to " + to + " -o OUT", out: "identified." + to})
	}
	for _, to := range []string{"csv", "json"} {
		cases = append(cases, outputCase{args: "export res --to " + to + " -o OUT", out: "table." + to})
	}
	for _, ext := range []string{".csv", ".json", ".ros.yaml", ".ros.json", ".svg", ".film.svg", ".html", ".md"} {
		cases = append(cases, outputCase{args: "design-trajectory rob.urdf --starts 1 --harmonics 2 -o OUT", out: "motion" + ext})
	}
	_, exts := datasets.Extensions()
	for _, ext := range exts {
		cases = append(cases, outputCase{args: "convert run.csv -o OUT", out: "log" + ext}, outputCase{args: "simulate rob.urdf --trajectory m.json --rate 50 -o OUT", out: "virtual" + ext})
	}
	return cases
}

// What a command writes replaces its own earlier output, and of nothing else: not of a file of somebody else, a folder,
// a file behind a link, or one without write permission, unless --overwrite is given. Each refusal is one line with the file and
// the option, and comes before any work.
func TestOverwrite(t *testing.T) {
	t.Chdir(t.TempDir())
	put := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("rob.urdf", armOfTwo)
	do := func(line string) (code int, errs string) {
		var out, text bytes.Buffer
		code = run(context.Background(), strings.Fields(line), streams{in: strings.NewReader(""), out: &out, err: &text})
		return code, text.String()
	}
	works := func(line string) {
		t.Helper()
		if code, errs := do(line); code != exitDone && code != exitVerdict {
			t.Fatalf("ident %s: exit code %d\n%s", line, code, errs)
		}
	}
	setup := []string{
		"design-trajectory rob.urdf --starts 1 --harmonics 2 -o m.json", "simulate rob.urdf --trajectory m.json --rate 100 -o run.csv",
		"simulate rob.urdf --trajectory m.json --rate 100 --seed 5 -o run2.csv", "simulate rob.urdf --trajectory m.json --rate 100 --torque-lag 0.03 -o late.csv",
		"simulate rob.urdf --trajectory m.json --rate 100 --ideal -o exact.csv", "reduce run.csv --robot rob.urdf -o run.idr", "reduce run2.csv --robot rob.urdf -o run2.idr", "fit run.csv --robot rob.urdf -o res",
	}
	for _, line := range setup[:long.Of(len(setup), 2)] { // at least a motion and a log
		works(line)
	}
	put("slow.csv", readText(t, "run.csv"))
	const mine = "Do not lose me.\n"
	refused := func(t *testing.T, line, path, why string) {
		t.Helper()
		code, errs := do(line)
		want := path + " " + why + " and is not replaced; name another place, or give --overwrite\n"
		if code != exitFailed || strings.Count(errs, "\n") != 1 || !strings.HasSuffix(errs, want) {
			t.Errorf("ident %s: exit code %d, want %d and %q:\n%s", line, code, exitFailed, want, errs)
		}
	}
	holds := func(t *testing.T, path, text string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%s holds %.60q, %v", path, got, err)
		}
	}
	before := map[string]int{} // cases of the command
	for _, c := range outputCases() {
		name, _, _ := strings.Cut(c.args, " ")
		if before[name]++; !long.Set() && (before[name] > 1 || !slices.Contains([]string{"robot", "codegen", "base-params", "design-trajectory", "convert", "simulate"}, name)) {
			continue // with IDENT_LONG: other formats, and commands that fit or check
		}
		t.Run(name+" "+c.out, func(t *testing.T) {
			line := strings.ReplaceAll(c.args, "OUT", c.out)
			file := filepath.Join(c.out, c.inner) // of a folder, one within
			if c.inner != "" {
				if err := os.Mkdir(c.out, 0o755); err != nil {
					t.Fatal(err)
				}
				notes := filepath.Join(c.out, "notes.md")
				put(notes, mine)
				if !c.joins {
					code, errs := do(line)
					if code != exitFailed || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, c.out+" is neither empty nor a result of ident") || !strings.Contains(errs, "--overwrite") {
						t.Errorf("a foreign folder: exit code %d\n%s", code, errs)
					}
					holds(t, notes, mine)
				}
				put(file, mine)
				if c.joins {
					refused(t, line, file, "was not written by ident")
				} else if code, errs := do(line); code != exitFailed || !strings.Contains(errs, "--overwrite") {
					t.Errorf("a foreign file: exit code %d\n%s", code, errs)
				}
				holds(t, file, mine)
				works(line + " --overwrite")
				holds(t, notes, mine)
				works(line)
			} else {
				put(file, mine)
				refused(t, line, file, "was not written by ident")
				holds(t, file, mine)
				if c.seldom {
					return
				}
				works(line + " --overwrite")
				works(line) // its own older output
				folder := filepath.Join("folder", c.out)
				if err := os.MkdirAll(folder, 0o755); err != nil {
					t.Fatal(err)
				}
				put(filepath.Join(folder, "notes.md"), mine)
				for _, more := range []string{"", " --overwrite"} {
					if code, errs := do(strings.ReplaceAll(c.args, "OUT", folder) + more); code != exitFailed || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "it is a folder") {
						t.Errorf("a folder%s: exit code %d\n%s", more, code, errs)
					}
				}
				holds(t, filepath.Join(folder, "notes.md"), mine)
			}
			if own, err := output.Marked(file); err != nil || !own {
				t.Errorf("%s has no mark, %v", file, err)
			}
			before := readText(t, file)

			if err := os.Chmod(file, 0o444); err != nil {
				t.Fatal(err)
			}
			refused(t, line, file, "has no write permission")
			holds(t, file, before)
			works(line + " --overwrite")

			far := "far-" + filepath.Base(c.out)
			put(far, before)
			if err := errors.Join(os.Remove(file), os.Symlink(absolute(t, far), file)); err != nil {
				if runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission) {
					t.Skip("links need a right here")
				}
				t.Fatal(err)
			}
			refused(t, line, file, "is a link to another place")
			holds(t, far, before)
		})
	}
	tested := map[string]bool{"demo": true} // which has a new folder always
	for _, c := range outputCases() {
		name, _, _ := strings.Cut(c.args, " ")
		tested[name] = true
	}
	for _, c := range newRoot(streams{}).Commands() {
		if slices.ContainsFunc(outputFlags(), func(name string) bool { return c.Flags().Lookup(name) != nil }) != tested[c.Name()] {
			t.Errorf("%s: with an output: %v, tested: %v", c.Name(), !tested[c.Name()], tested[c.Name()])
		}
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	p, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Loads of every controller are known again; the text on standard output has no mark.
func TestLoadsMarked(t *testing.T) {
	l := exports.Load{Mass: 2, Frame: "flange", Centre: [3]float64{0.01, 0.02, 0.03}, Inertia: [3][3]float64{{0.01, 0, 0}, {0, 0.02, 0}, {0, 0, 0.03}}}
	for _, name := range exports.Controllers() {
		text, err := l.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "payload")
		if err := writeTo(streams{}, path, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if own, err := output.Marked(path); err != nil || !own {
			t.Errorf("%s: %v\n%s", name, err, readText(t, path))
		}
	}
}

// A project file that somebody has edited is not replaced by another; one as ident wrote it is, whatever the options.
func TestSealedProject(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("rob.urdf", []byte(armOfTwo), 0o644); err != nil {
		t.Fatal(err)
	}
	commandLine(t, exitDone, "design-trajectory", "rob.urdf", "--starts", "1", "--harmonics", "2", "-o", "m.json")
	commandLine(t, exitDone, "simulate", "rob.urdf", "--trajectory", "m.json", "--rate", "100", "-o", "run.csv")
	commandLine(t, exitDone, "init", "rob.urdf", "run.csv")
	commandLine(t, exitDone, "init", "rob.urdf", "run.csv", "--cutoff", "7")
	text := readText(t, "ident.yaml")
	if !strings.Contains(text, "\ncutoff: 7\n") {
		t.Error(text)
	}
	edited := strings.Replace(text, "\ncutoff: 7\n", "\ncutoff: 8\n", 1)
	if err := os.WriteFile("ident.yaml", []byte(edited), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, errs := commandLine(t, exitFailed, "init", "rob.urdf", "run.csv"); !strings.Contains(errs, "ident.yaml was edited since ident wrote it and is not replaced; name another place, or give --overwrite") {
		t.Error(errs)
	}
	if got := readText(t, "ident.yaml"); got != edited {
		t.Error(got)
	}
	commandLine(t, exitDone, "init", "rob.urdf", "run.csv", "--overwrite")
}

// The logs of a result and its robot file are not replaced by a command that reads the result, whatever they are called now and with --overwrite
// too; what ident made of the result is.
func TestSourcesOfResults(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("rob.urdf", []byte(armOfTwo), 0o644); err != nil {
		t.Fatal(err)
	}
	commandLine(t, exitDone, "design-trajectory", "rob.urdf", "--starts", "1", "--harmonics", "2", "-o", "m.json")
	commandLine(t, exitDone, "simulate", "rob.urdf", "--trajectory", "m.json", "--rate", "100", "-o", "run.csv")
	commandLine(t, exitDone, "fit", "run.csv", "--robot", "rob.urdf", "-o", "res")
	if err := os.Rename("run.csv", "moved.csv"); err != nil {
		t.Fatal(err)
	}
	log, file := readText(t, "moved.csv"), readText(t, "rob.urdf")
	for _, more := range [][]string{nil, {"--overwrite"}} {
		commandLine(t, exitUsage, append([]string{"export", "res", "--to", "csv", "-o", "moved.csv"}, more...)...)
		commandLine(t, exitUsage, append([]string{"export", "res/result.json", "--to", "csv", "-o", "moved.csv"}, more...)...)
		commandLine(t, exitUsage, append([]string{"export", "res", "-o", "rob.urdf"}, more...)...)
		commandLine(t, exitUsage, append([]string{"loads", "res", "moved.csv", "--series", "moved.csv"}, more...)...)
	}
	if readText(t, "moved.csv") != log || readText(t, "rob.urdf") != file {
		t.Error("replaced")
	}
	commandLine(t, exitDone, "export", "res", "--to", "csv", "-o", "table.csv")
	commandLine(t, exitDone, "export", "res", "--to", "csv", "-o", "table.csv")
}
