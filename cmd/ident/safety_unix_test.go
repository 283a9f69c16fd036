//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ident/identify/folder"
	draws "ident/internal/long"
	"ident/internal/output"
)

// program is a file that runs this binary as ident, see TestMain.
func program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ident")
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// exitCode is the exit code of a program that was waited for, -1 for one that a signal killed.
func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	t.Fatal(err)
	return 0
}

// A signal ends commands with 130 or 143 and one line, and its output is whole: nothing, or the best
// trajectory so far.
func TestSignals(t *testing.T) {
	notShort(t)
	ident := program(t)
	dir, arm, motion := exampleFiles(t)
	best := filepath.Join(dir, "best.json")
	for _, c := range []struct {
		args []string
		out  string
		best bool // the best so far is written
	}{
		{[]string{"design-trajectory", arm, "--starts", "10000", "-o", best}, best, true},
		{[]string{"simulate", arm, "--trajectory", motion, "--repeat", "500", "-o", filepath.Join(dir, "long.parquet")}, filepath.Join(dir, "long.parquet"), false},
	} {
		for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
			if !draws.Set() && c.best != (signal == syscall.SIGINT) {
				continue // each command by one signal
			}
			var errs bytes.Buffer
			cmd := exec.Command(ident, c.args...)
			cmd.Stderr = &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if code := exitCode(t, cmd.Wait()); code != want {
				t.Errorf("%s after %v: exit code %d\n%s", c.args[0], signal, code, errs.String())
			}
			if n := strings.Count(errs.String(), "ident: "); n != 1 {
				t.Errorf("%s after %v:\n%s", c.args[0], signal, errs.String())
			}
			// A search without any result yet writes nothing.
			if fileExists(c.out) && (!c.best || !strings.Contains(errs.String(), "best motion so far")) {
				t.Errorf("%s left %s\n%s", c.args[0], c.out, errs.String())
			}
			os.Remove(c.out)
		}
	}
}

// A demonstration that is ended by force, here by a second signal, leaves nothing.
func TestDemoEndedByForce(t *testing.T) {
	notShort(t)
	dir := t.TempDir()
	var errs bytes.Buffer
	cmd := exec.Command(program(t), "demo")
	cmd.Dir, cmd.Stderr = dir, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); !fileExists(filepath.Join(dir, demoFolder, "example.parquet")); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("the demonstration writes nothing")
		}
	}
	time.Sleep(300 * time.Millisecond)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} { // two of one kind are but one
		cmd.Process.Signal(signal) // an error where it has ended
	}
	if code := exitCode(t, cmd.Wait()); code != 130 && code != 143 { // sent at once, they arrive in either order
		t.Errorf("exit code %d\n%s", code, errs.String())
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// A running estimate that is interrupted ends with its last estimate, which is no failure.
func TestFollowInterrupted(t *testing.T) {
	dir, arm, motion := exampleFiles(t)
	log := filepath.Join(dir, "log.csv")
	ident(t, "simulate", arm, "--trajectory", motion, "--rate", "100", "-o", log)
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program(t), "fit", "-", "--robot", arm, "--follow", "--cutoff", "10")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(text); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "of the torque is not explained") {
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	table := false
	for lines.Scan() {
		table = table || strings.Contains(lines.Text(), "sigma")
	}
	if code := exitCode(t, cmd.Wait()); code != exitDone || !table {
		t.Errorf("exit code %d, table %v\n%s", code, table, errs.String())
	}
}

// count is the number that an environment variable asks for, else fewer for the everyday tests.
func count(t *testing.T, name string, everyday int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return everyday
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// treeOf maps the files below dir to their contents.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := output.Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	tree := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		tree[name] = string(text)
	}
	return tree
}

// A command that is killed at any moment leaves its earlier output, or all of its new one, and the next run clears
// away its temporary files. IDENT_KILLS is the number of moments for each command.
func TestKilled(t *testing.T) {
	notShort(t)
	ident, kills := program(t), count(t, "IDENT_KILLS", draws.Of(2, 0))
	from := t.TempDir()
	seedFiles(t, from)
	arm, motion := filepath.Join(from, "arm.urdf"), filepath.Join(from, "motion.json")
	example := filepath.Join(from, "log.parquet")
	long := filepath.Join(from, "long.parquet") // whose conversion takes long enough to be killed
	if text, err := exec.Command(ident, "simulate", arm, "--trajectory", motion, "--repeat", "10", "-o", long).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, args := range [][]string{
		{"fit", example, "--robot", arm, "-o", "result", "--seed"},
		{"convert", long, "-o", "log.csv.gz"},
		{"design-trajectory", arm, "--starts", "1", "-o", "motion.json", "--seed"}, // one file: beside samples a page is written, after them
	} {
		t.Run(args[0], func(t *testing.T) {
			if args[0] == "convert" {
				draws.Only(t, "fit and design-trajectory are killed")
			}
			dir := t.TempDir()
			command := func(seed int) *exec.Cmd {
				line := args
				if line[len(line)-1] == "--seed" {
					line = append(append([]string(nil), line...), strconv.Itoa(seed))
				}
				cmd := exec.Command(ident, line...)
				cmd.Dir = dir
				return cmd
			}
			began := time.Now()
			if text, err := command(0).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			whole := time.Since(began)
			first := treeOf(t, dir)
			second := command(kills + 1)
			if err := second.Start(); err != nil {
				t.Fatal(err)
			}
			if args[0] == "fit" {
				awaitPage(dir, 10*whole)
			}
			drawn := time.Now()
			if code := exitCode(t, second.Wait()); code != 0 {
				t.Fatalf("exit code %d", code)
			}
			end := time.Since(drawn)
			before := treeOf(t, dir)
			differs := map[string]bool{} // between runs with different seeds
			for name, text := range before {
				differs[name] = first[name] != text
			}
			killed, exchanged := 0, 0
			for k := range kills {
				cmd := command(k + 1)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				if moment := rng.Float64(); k%2 == 0 || args[0] != "fit" {
					time.Sleep(time.Duration(moment * float64(whole)))
				} else { // about the moment at which the new files take their places
					awaitPage(dir, 10*whole)
					time.Sleep(time.Duration(moment * float64(end)))
				}
				cmd.Process.Kill() // an error where it has ended
				if exitCode(t, cmd.Wait()) == 0 {
					before = treeOf(t, dir)
					continue
				}
				killed++
				after := treeOf(t, dir)
				maps.DeleteFunc(after, func(name, _ string) bool { return strings.Contains(name, ".ident-") })
				if !slices.Equal(slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before))) {
					t.Errorf("kill %d left %v", k+1, slices.Sorted(maps.Keys(after)))
				}
				var changed, kept []string
				for name, text := range after {
					switch {
					case text != before[name]:
						changed = append(changed, name)
					case differs[name]:
						kept = append(kept, name)
					}
				}
				if len(changed) > 0 && len(kept) > 0 { // a file may be the same of two seeds, such as residuals where both choose alike
					apart := command(k + 1)
					apart.Dir = t.TempDir()
					if text, err := apart.CombinedOutput(); err != nil {
						t.Fatalf("%v\n%s", err, text)
					}
					alone := treeOf(t, apart.Dir)
					kept = slices.DeleteFunc(kept, func(name string) bool { return alone[name] == before[name] })
				}
				switch {
				case len(changed) > 0 && len(kept) > 0:
					t.Errorf("kill %d changed %v and left %v", k+1, changed, kept)
				case len(changed) > 0: // killed after the exchange of the folders
					exchanged++
					before = after
				}
			}
			if text, err := command(0).CombinedOutput(); err != nil {
				t.Fatalf("after %d kills: %v\n%s", killed, err, text)
			}
			for name := range treeOf(t, dir) {
				if strings.Contains(name, ".ident-") {
					t.Errorf("left behind: %s", name)
				}
			}
			t.Logf("%d of %d runs killed before their end, %d of them with their result in place", killed, kills, exchanged)
		})
	}
}

// awaitPage waits until a folder that is filled in dir has its page, the last file but one of a result.
func awaitPage(dir string, most time.Duration) {
	for began := time.Now(); time.Since(began) < most; {
		if staged, err := filepath.Glob(filepath.Join(dir, ".ident-*.tmp", folder.ReportFile)); err != nil || len(staged) > 0 {
			return
		}
	}
}

// A thousand logs of a seven-joint arm in one command stay under 512 MiB. The fit takes minutes, so IDENT_LONG=all
// asks for it.
func TestThousandLogs(t *testing.T) {
	draws.OnlyAll(t, "a fit of a thousand logs takes minutes")
	dir := t.TempDir()
	arm, motion := filepath.Join(dir, "arm.urdf"), filepath.Join(dir, "motion.json")
	for path, text := range map[string]string{arm: sevenJoints(), motion: sevenJointMotion()} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"fit", "--robot", arm, "--plain", "--force", "-o", filepath.Join(dir, "result")}
	for i := range 1000 {
		log := filepath.Join(dir, "log"+strconv.Itoa(i)+".csv")
		ident(t, "simulate", arm, "--trajectory", motion, "--rate", "100", "--torque-noise", "0.002", "--seed", strconv.Itoa(i), "-o", log)
		args = append(args, log)
	}
	cmd := exec.Command(program(t), args...)
	text, err := cmd.CombinedOutput()
	if code := exitCode(t, err); code != exitDone && code != exitVerdict {
		t.Fatalf("exit code %d\n%s", code, text)
	}
	most := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10 // Linux counts in KiB
	t.Logf("%d MiB, %v of processor time", most, cmd.ProcessState.UserTime())
	if most > 512 {
		t.Errorf("%d MiB for a thousand logs", most)
	}
}

// sevenJoints is an arm whose axes are alternately vertical and horizontal.
func sevenJoints() string {
	var b strings.Builder
	b.WriteString(`<robot name="seven"><link name="base"/>`)
	for j := 1; j <= 7; j++ {
		parent, turn := "link"+strconv.Itoa(j-1), []string{"-1.5707963267948966", "1.5707963267948966"}[j%2]
		if j == 1 {
			parent, turn = "base", "0"
		}
		fmt.Fprintf(&b, `
<joint name="joint%d" type="revolute"><parent link="%s"/><child link="link%d"/><origin xyz="0.05 %g 0.02" rpy="%s 0 0"/><axis xyz="0 0 1"/>
<limit lower="-3" upper="3" velocity="3" effort="200"/><dynamics damping="%g" friction="%g"/></joint>
<link name="link%d"><inertial><origin xyz="0.02 0.05 0.03"/><mass value="%g"/><inertia ixx="0.03" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.02"/></inertial></link>`,
			j, parent, j, -0.2*float64(j%2), turn, 2/float64(j), 3/float64(j), j, 8/float64(j))
	}
	b.WriteString("\n</robot>\n")
	return b.String()
}

// sevenJointMotion is a Fourier series of ten seconds.
func sevenJointMotion() string {
	rng := rand.New(rand.NewPCG(7, 15))
	var joints []string
	for j := range 7 {
		series := func() string {
			var terms []string
			for range 5 {
				terms = append(terms, strconv.FormatFloat(rng.Float64()-0.5, 'g', 6, 64))
			}
			return strings.Join(terms, ", ")
		}
		joints = append(joints, fmt.Sprintf(`{"name": "joint%d", "q0": 0.3, "a": [%s], "b": [%s]}`, j+1, series(), series()))
	}
	return `{"schema": "ident.trajectory/1", "form": "", "period_s": 10, "joints": [` + strings.Join(joints, ",\n") + "]}"
}

// Two fits into one folder at once: it holds the files of one of them.
func TestTwoWriters(t *testing.T) {
	notShort(t)
	ident := program(t)
	from := t.TempDir()
	seedFiles(t, from)
	arm, example := filepath.Join(from, "arm.urdf"), filepath.Join(from, "log.parquet")
	dir := filepath.Join(t.TempDir(), "result")
	var wg sync.WaitGroup
	for _, velocity := range []string{"measured", "position"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if text, err := exec.Command(ident, "fit", example, "--robot", arm, "-o", dir, "--velocity", velocity).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
		}()
	}
	wg.Wait()
	both := treeOf(t, dir)
	for name := range both {
		if strings.Contains(name, ".ident-") {
			t.Errorf("left behind: %s", name)
		}
	}
	// A fit alone, by the settings of the one that came last, makes the same files.
	velocity := "position"
	if strings.Contains(both["result.json"], `"velocity": "measured"`) {
		velocity = "measured"
	}
	alone := filepath.Join(t.TempDir(), "result")
	if text, err := exec.Command(ident, "fit", example, "--robot", arm, "-o", alone, "--velocity", velocity).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for name, text := range treeOf(t, alone) {
		if strings.HasSuffix(name, ".svg") && both[name] != text {
			t.Errorf("%s is not of the fit by %s velocities", name, velocity)
		}
	}
}

// Lost output is a failure of every command.
func TestLostOutput(t *testing.T) {
	notShort(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here:", err)
	}
	defer full.Close()
	dir := t.TempDir()
	seedFiles(t, dir)
	t.Chdir(t.TempDir())
	arm, motion, example := filepath.Join(dir, "arm.urdf"), filepath.Join(dir, "motion.json"), filepath.Join(dir, "embedded.parquet")
	ident(t, "simulate", arm, "--trajectory", motion, "--rate", "100", "-o", example) // holds its robot
	ident(t, "fit", example, "-o", "result")
	for i, line := range []string{"check LOG", "check LOG --json", "fit LOG -o result", "fit LOG -o result --json", "validate result LOG", "plot result",
		"export result --to csv", "robot ARM", "robot ARM --json", "robot ARM --to yaml", "base-params ARM", "base-params ARM --to latex", "codegen ARM -o code",
		"convert LOG -o log.csv", "init ARM LOG", "simulate ARM --trajectory MOTION -o sim.csv", "design-trajectory ARM --starts 1 -o best.csv",
		"robot --help", "--help", "--version"} {
		if i%3 != 0 && !draws.Set() {
			continue
		}
		args := strings.Fields(strings.NewReplacer("LOG", example, "ARM", arm, "MOTION", motion).Replace(line))
		var errs strings.Builder
		if code := run(t.Context(), args, streams{in: strings.NewReader(""), out: full, err: &errs}); code != exitFailed || !strings.Contains(errs.String(), "standard output") {
			t.Errorf("%s: exit code %d\n%s", line, code, errs.String())
		}
	}
}

// A disk that is full is an error that names the file, and leaves the earlier one. Only root can mount one.
func TestDiskFull(t *testing.T) {
	notShort(t)
	dir := t.TempDir()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", dir).Run(); err != nil {
		t.Skip("no small disk can be mounted here:", err)
	}
	defer exec.Command("umount", dir).Run()
	old := filepath.Join(dir, "log.csv")
	if err := os.WriteFile(old, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, arm, motion := exampleFiles(t)
	example := filepath.Join(exampleFolder, "puma560.parquet")
	for _, args := range [][]string{
		{"convert", example, "-o", old, "--overwrite"},
		{"simulate", arm, "--trajectory", motion, "-o", old, "--overwrite"},
		{"fit", example, "-o", filepath.Join(dir, "result")},
		{"design-trajectory", arm, "--starts", "1", "--rate", "1000", "-o", old, "--overwrite"},
		{"codegen", arm, "--model", "all", "-o", filepath.Join(dir, "code")},
		{"man", "-o", filepath.Join(dir, "man")},
	} {
		if (args[0] == "codegen" || args[0] == "design-trajectory") && !draws.Set() {
			continue
		}
		var errs strings.Builder
		code := run(t.Context(), args, streams{in: strings.NewReader(""), out: io.Discard, err: &errs})
		if code != exitFailed || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%s: exit code %d\n%s", args[0], code, errs.String())
		}
		if text, err := os.ReadFile(old); err != nil || string(text) != "old" {
			t.Errorf("%s: the earlier file is lost: %v", args[0], err)
		}
		for name := range treeOf(t, dir) {
			if name != "log.csv" {
				t.Errorf("%s left %s", args[0], name)
			}
		}
	}
	// A temporary folder without room is named, and the variable that says which it is.
	t.Setenv("TMPDIR", dir)
	log, err := os.Open(example)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for _, args := range [][]string{{"check", "-", "--robot", arm}, {"convert", example, "-o", "-"}} {
		var errs strings.Builder
		code := run(t.Context(), args, streams{in: log, out: io.Discard, err: &errs})
		if code != exitFailed || !strings.Contains(errs.String(), "no space left") || !strings.Contains(errs.String(), "TMPDIR") {
			t.Errorf("%s: exit code %d\n%s", args[0], code, errs.String())
		}
		for name := range treeOf(t, dir) {
			if name != "log.csv" {
				t.Errorf("%s left %s", args[0], name)
			}
		}
	}
}
