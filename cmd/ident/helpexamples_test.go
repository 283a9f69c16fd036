package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/help"
	"ident/identify"
	"ident/internal/angles"
	"ident/internal/long"
	"ident/internal/spatial"
	"ident/mechanics/kinematics"
	"ident/robot"
	"ident/robot/format"
)

// helpFiles makes the files that the examples of help name: an arm of two joints, logs of it that carry no
// robot but where they are Parquet, trajectories and results.
func helpFiles(t *testing.T, dir string) {
	t.Helper()
	script, err := txtar.ParseFile(filepath.Join(scriptFolder(t), "simulate.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	soft, err := txtar.ParseFile(filepath.Join(scriptFolder(t), "elastic.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range script.Files {
		if f.Name == "arm.urdf" {
			write("arm.urdf", string(f.Data))
		}
	}
	write("scara.par", scaraPar)
	write("drives.csv", "t,tau1,tau2,q1,q2\n0,0,0,0,0\n0.25,0.5,-0.5,0,0\n0.5,1,-1,0,0\n0.75,0.5,-0.5,0,0\n1,0,0,0,0\n")
	write("task.yaml", "segments:\n  - joints: {shoulder: 0.5}\n    time: 1\n")
	for _, f := range soft.Files {
		if name := map[string]string{"arm.yaml": "soft.yaml", "traj.csv": "softtraj.csv"}[f.Name]; name != "" {
			write(name, string(f.Data))
		}
	}
	for _, line := range []string{
		"simulate soft.yaml --trajectory softtraj.csv --rate 500 -o soft.csv",
		"design-trajectory arm.urdf --starts 1 --period 5 -o traj.json -o traj.csv",
		"simulate arm.urdf --trajectory traj.json --repeat 4 --rate 100 --torque-noise 0.2 -o log.parquet",
		"simulate arm.urdf --trajectory traj.json --repeat 4 --rate 100 --torque-noise 0.2 --seed 2 -o other.parquet",
		"convert log.parquet -o log.csv", "convert other.parquet -o other.csv", "convert other.parquet -o run1.csv",
		"convert log.parquet -o run2.csv",
		"simulate arm.urdf --trajectory traj.json --repeat 3 --rate 100 --torque-noise 0.2 --seed 3 -o run3.csv",
		"design-trajectory arm.urdf --static 10 -o slowpasses.json",
		"simulate arm.urdf --trajectory slowpasses.json --rate 100 --sensors industrial -o slow.parquet", "convert slow.parquet -o slow.csv",
		"gravity slow.csv --robot arm.urdf -o gravity.json",
		"fit log.csv --robot arm.urdf --plain -o log.ident -q", "fit other.csv --robot arm.urdf --plain -o friday.ident -q",
		"reduce log.csv --robot arm.urdf -o part1.idr", "reduce other.csv --robot arm.urdf --like part1.idr -o part2.idr",
	} {
		var out, errs bytes.Buffer
		if code := run(context.Background(), strings.Fields(line), streams{out: &out, err: &errs}); code != exitDone {
			t.Fatalf("%s: %d\n%s%s", line, code, out.String(), errs.String())
		}
	}
	weekly(t, "part1.idr", "year.idr")
	write("wrist.csv", wristLog(t, "arm.urdf", "t,q1,q2", func(q []float64, _ robot.Transform) []float64 { return q }))
	write("poses.csv", wristLog(t, "arm.urdf", "t,px,py,pz,qw,qx,qy,qz", func(_ []float64, at robot.Transform) []float64 {
		q := angles.Quaternion(at.R)
		return append(at.P[:], q[:]...)
	}))
	write("tool.json", `{"schema":"ident.tool/1","log":"wrist","frame":"lower","mount":[0,0,0,0,0,0],"mass":{"value":1,"sigma":0.01,"low95":0.98,"high95":1.02},
"centre":[{"value":0,"sigma":0.001,"low95":-0.002,"high95":0.002},{"value":0,"sigma":0.001,"low95":-0.002,"high95":0.002},{"value":0.05,"sigma":0.001,"low95":0.048,"high95":0.052}],"inertia":null,"rotation":null,"biases":[],"undetermined":[],"channels":[{"name":"fx","noise":0.1,"walk":0,"drift":0},{"name":"fy","noise":0.1,"walk":0,"drift":0},{"name":"fz","noise":0.1,"walk":0,"drift":0},{"name":"tx","noise":0.1,"walk":0,"drift":0},{"name":"ty","noise":0.1,"walk":0,"drift":0},{"name":"tz","noise":0.1,"walk":0,"drift":0}],"findings":[],"rests":6}`)
	text, err := os.ReadFile("log.csv")
	if err != nil {
		t.Fatal(err)
	}
	write("force.csv", strings.Replace(string(text), "tau1", "force", 1))
	write("currents.csv", strings.NewReplacer("tau1", "i1", "tau2", "i2").Replace(string(text)))
	for from, to := range map[string]string{"log.ident": "monday.ident"} {
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"bag_folder", "logs", "robots"} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"convert", "log.parquet", "-o", "bag_folder/log_0.mcap"}, streams{out: &out, err: &errs}); code != exitDone {
		t.Fatal(errs.String())
	}
}

// wristLog is the log of a sensor at the tip of an arm of two joints that holds six poses, with a tool of 1.2 kg, 0.05 m before the last frame. The channels of the orientation
// follow from positions and the place of the last link's frame.
func wristLog(t *testing.T, path, head string, channels func(q []float64, at robot.Transform) []float64) string {
	t.Helper()
	r, err := format.Open(path, robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := kinematics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	pose, rng := tree.NewPose(), rand.New(rand.NewPCG(1, 1))
	text := head + ",fx,fy,fz,tx,ty,tz\n"
	last := []float64{0, 0}
	at := 0.0
	for _, goal := range [][]float64{{0, 0}, {1, 0.5}, {-1.5, 1}, {0.5, -1.5}, {-1, -1}, {1, 1.5}} {
		for k := range 200 {
			x := min(float64(k)/50, 1)
			q := []float64{last[0] + x*(goal[0]-last[0]), last[1] + x*(goal[1]-last[1])}
			pose.Place(q)
			frame := pose.Frame(len(r.Links) - 1).Mul(r.Links[len(r.Links)-1].UserFrame)
			force := spatial.Scale(1.2, spatial.MulTVec(frame.R, r.Gravity))
			torque := spatial.Cross(spatial.Vec{0, 0, 0.05}, force)
			text += fmt.Sprintf("%.2f", at)
			for _, v := range channels(q, frame) {
				text += fmt.Sprintf(",%.9f", v)
			}
			for i := range 3 {
				text += fmt.Sprintf(",%.3f", force[i]+5+0.1*rng.NormFloat64())
			}
			for i := range 3 {
				text += fmt.Sprintf(",%.4f", torque[i]-0.3+0.005*rng.NormFloat64())
			}
			text += "\n"
			at += 0.02
		}
		last = goal
	}
	return text
}

// weekly writes a summary that has the run of another one in each of eight weeks.
func weekly(t *testing.T, from, to string) {
	t.Helper()
	s, err := identify.OpenSummary(from)
	if err != nil {
		t.Fatal(err)
	}
	run := s.Runs[0]
	s.Runs = nil
	for week := range 8 {
		run.Name, run.Start, run.Absolute, run.Prints = fmt.Sprintf("week%d", week), 1.7e9+7*86400*float64(week), true, []uint64{uint64(week)}
		s.Runs = append(s.Runs, run)
	}
	if err := identify.WriteSummary(to, s); err != nil {
		t.Fatal(err)
	}
}

const scaraPar = `(* Robotname = 'scara' *)
NF = 2
NL = 2
NJ = 2
Type = 0
Ant = {0, 1}
Sigma = {0, 0}
B = {0, 0}
d = {0, D2}
R = {0, 0}
gamma = {0, 0}
Alpha = {0, 0}
Mu = {1, 1}
Theta = {th1, th2}
`

// scriptFolder is the absolute folder of the scripts, wherever the test is by now.
func scriptFolder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("testdata/script")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Every example that --help shows runs, each beside its own copy of the files; without IDENT_LONG every other one of a command,
// and the others have options that exist. Those of the demonstration are in demo.txtar, and TestLab ends a server. The documents that commands write with
// --json fit their schemas.
func TestHelpExamples(t *testing.T) {
	long.Only(t, "TestHelpPages holds the options of the examples")
	script, err := os.ReadFile(filepath.Join(scriptFolder(t), "demo.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := t.TempDir()
	helpFiles(t, files)
	examples := 0
	var all func(c *cobra.Command)
	all = func(c *cobra.Command) {
		for k, line := range strings.Split(strings.TrimSpace(c.Example), "\n") {
			line = strings.TrimSpace(line)
			examples++
			if strings.HasPrefix(line, "ident demo") {
				if !strings.Contains(string(script), "exec "+line+"\n") {
					t.Errorf("%s: demo.txtar does not run it", line)
				}
				continue
			}
			if args, ok := strings.CutPrefix(line, "ident "); ok && (c.Name() == "lab" || c.Name() == "open" || k%4 != 0 && !long.Set()) {
				holdOptions(t, args)
				continue
			}
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(files)); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			runExample(t, line)
		}
		for _, sub := range c.Commands() {
			if sub.Name() != "completion" {
				all(sub)
			}
		}
	}
	all(newRoot(streams{}))
	if examples < 50 {
		t.Errorf("%d examples found", examples)
	}
	t.Chdir(files)
	holdDocuments(t)
}

// runExample runs a line of help, "cat FILE | ident …" with the file as standard input.
func runExample(t *testing.T, line string) {
	t.Helper()
	s := streams{in: strings.NewReader("")}
	if file, rest, ok := strings.Cut(strings.TrimPrefix(line, "cat "), " | "); ok {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s.in, line = bytes.NewReader(text), rest
	}
	args, ok := strings.CutPrefix(line, "ident ")
	if !ok {
		t.Errorf("%s: no call of ident", line)
		return
	}
	var out, errs bytes.Buffer
	s.out, s.err = &out, &errs
	if code := run(context.Background(), shellWords(args), s); code != exitDone {
		t.Errorf("%s: exit code %d\n%s", line, code, errs.String())
	}
}

// shellWords splits a line at its blanks, except between quotes, which it takes away.
func shellWords(line string) []string {
	var quote rune
	words := strings.FieldsFunc(line, func(r rune) bool {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		}
		return unicode.IsSpace(r) && quote == 0
	})
	for i, w := range words {
		words[i] = strings.NewReplacer(`"`, "", "'", "").Replace(w)
	}
	return words
}

// Every command has a page with at most ten options before the groups, no line wider than a hundred columns, and
// an example; every topic names only options, commands and documents that exist.
func TestHelpPages(t *testing.T) {
	root := newRoot(streams{})
	for _, c := range root.Commands() {
		page := help.Page(c, true)
		for line := range strings.Lines(page) {
			if n := len([]rune(line)); n > 101 {
				t.Errorf("%s: %d columns: %s", c.Name(), n, line)
			}
		}
		if c.Name() != "completion" && c.Example == "" {
			t.Errorf("%s has no example", c.Name())
		}
		first := strings.Fields(mostUsed[c.Name()])
		if len(first) > 10 {
			t.Errorf("%s: %d options are most used", c.Name(), len(first))
		}
		for _, name := range first {
			if c.Flags().Lookup(name) == nil {
				t.Errorf("%s has no option --%s", c.Name(), name)
			}
		}
	}
	known := map[string]bool{"help": true}
	for _, c := range root.Commands() {
		for _, f := range flagNames(c) {
			known[f] = true
		}
	}
	for _, topic := range help.Topics() {
		if topic.Question {
			continue // TestQuestions runs its commands
		}
		text := topicText(topic)
		if strings.Contains(text, "@") {
			t.Errorf("%s: a table is not filled in", topic.Name)
		}
		for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;:()\n\"=.", r) }) {
			if name, ok := strings.CutPrefix(w, "--"); ok && !known[name] {
				t.Errorf("%s: no command has --%s", topic.Name, name)
			}
			if strings.HasPrefix(w, "docs/") {
				if _, err := os.Stat(filepath.Join("../..", w+".md")); err != nil {
					t.Errorf("%s: %v", topic.Name, err)
				}
			}
		}
	}
}

// Mistyped commands, options and topics are proposed.
func TestDidYouMean(t *testing.T) {
	for line, want := range map[string]string{
		"fti": "did you mean fit?", "simulat x": "did you mean simulate?", "help frcition": "did you mean friction?",
		"fit log.csv --trian-fraction 3": "did you mean --train-fraction?", "man chekc": "did you mean check?",
		"qqqqqqq": "ident --help lists",
	} {
		var out, errs bytes.Buffer
		if code := run(context.Background(), strings.Fields(line), streams{out: &out, err: &errs}); code != exitUsage || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: %d, %s", line, code, errs.String())
		}
	}
}
