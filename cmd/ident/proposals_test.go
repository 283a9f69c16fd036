package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ident/datasets"
	"ident/doctor"
	"ident/identify/project"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/result"
)

// spoiled are the faults whose proposals are followed, by the columns of a log. Those of the first part are always tried.
var spoiled = []struct {
	name string
	do   func(l *logTable)
}{
	{"silent degrees", func(l *logTable) { l.scale("q", toDegrees) }},
	{"all torques turned", func(l *logTable) { l.scale("tau", -1) }},
	{"torques exchanged and turned", func(l *logTable) { l.exchange("tau2", "tau3"); l.scale("tau2", -1) }},
	{"rows twice", func(l *logTable) { l.repeat(301) }},
	{"sign of a velocity", func(l *logTable) { l.scale("dq3", -1) }},
	{"missing values", func(l *logTable) { l.set("tau2", 500, 997, math.NaN()) }},
	{"milliseconds", func(l *logTable) { l.scale("t", 1e3) }},
	{"torques in mN·m", func(l *logTable) { l.scale("tau", 1e3) }},
	{"sign of a torque", func(l *logTable) { l.scale("tau4", -1) }},
	{"sign of a position", func(l *logTable) { l.scale("q3", -1); l.scale("dq3", -1) }},
	{"joints exchanged", func(l *logTable) {
		for _, of := range []string{"q", "dq", "tau"} {
			l.exchange(of+"2", of+"3")
		}
	}},
	{"a scale", func(l *logTable) { l.scale("tau2", 1.2) }},
	{"placeholders", func(l *logTable) { l.set("tau3", 100, 173, 9999) }},
	{"run backward", func(l *logTable) {
		at := slices.Index(l.names, "t")
		n := len(l.rows)
		for k := range n / 2 {
			a, b := l.rows[k], l.rows[n-1-k]
			a[at], b[at] = b[at], a[at]
		}
		slices.Reverse(l.rows)
	}},
	{"torques late", func(l *logTable) {
		const late = 16
		for c, name := range l.names {
			for k := len(l.rows) - 1; k >= late && strings.HasPrefix(name, "tau"); k-- {
				l.rows[k][c] = l.rows[k-late][c]
			}
		}
	}},
}

// scale multiplies the columns with a name, or with a name and a number.
func (l *logTable) scale(name string, by float64) {
	for c, own := range l.names {
		if own == name || regexp.MustCompile("^"+name+"[0-9]$").MatchString(own) {
			for _, row := range l.rows {
				row[c] *= by
			}
		}
	}
}

func (l *logTable) exchange(a, b string) {
	i, j := slices.Index(l.names, a), slices.Index(l.names, b)
	for _, row := range l.rows {
		row[i], row[j] = row[j], row[i]
	}
}

// repeat writes every so many rows twice.
func (l *logTable) repeat(every int) {
	var rows [][]float64
	for k, row := range l.rows {
		rows = append(rows, row)
		if k%every == 100 {
			rows = append(rows, row)
		}
	}
	l.rows = rows
}

func (l *logTable) set(name string, first, every int, v float64) {
	for k := first; k < len(l.rows); k += every {
		l.rows[k][slices.Index(l.names, name)] = v
	}
}

// A proposal is what a finding's fix asks for: options, or a mended log.
type proposal struct {
	id      string
	options []string // nil for the log of --fix
}

var (
	proposedOption = regexp.MustCompile(`--([a-z-]+) ([A-Za-z0-9_.*-]+=[^ ;,]+|[-+0-9.,]+|position|drop|auto)(?:[ ;,]|$)`)
	proposedUnit   = regexp.MustCompile(`units: \{(\S+): (\S+)\}`)
)

// proposals are those of the groups of findings as they are printed.
func proposals(found []project.Finding) (list []proposal) {
	for _, g := range project.GroupFindings(found) {
		f := g[0]
		if f.Severity == doctor.Info {
			continue
		}
		for _, part := range strings.Split(strings.ReplaceAll(f.Fix, "; or ", "; "), "; ") {
			var options []string
			for _, m := range proposedOption.FindAllStringSubmatch(part+" ", -1) {
				if strings.HasSuffix(m[2], "=MASS") {
					continue // a figure that the user has
				}
				options = append(options, "--"+m[1], m[2])
			}
			if m := proposedUnit.FindStringSubmatch(part); m != nil {
				options = append(options, "--unit", m[1]+"="+m[2])
			}
			if options != nil {
				list = append(list, proposal{f.ID, options})
			}
			if strings.Contains(part, "--fix FILE") && !slices.ContainsFunc(list, func(p proposal) bool { return p.options == nil }) {
				list = append(list, proposal{f.ID, nil})
			}
		}
	}
	return list
}

// anyCommand runs ident, whatever its exit code.
func anyCommand(args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &errs})
	return out.String(), errs.String(), code
}

// exampleLog is the log of the example.
func exampleLog(t *testing.T) logTable {
	t.Helper()
	log, err := datasets.Open(filepath.Join("..", "..", "datasets", "example", "puma560.parquet"), datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	l := logTable{names: log.Names()}
	columns, err := log.Columns(l.names...)
	if err != nil {
		t.Fatal(err)
	}
	for k := range columns[0] {
		row := make([]float64, len(columns))
		for c := range row {
			row[c] = columns[c][k]
		}
		l.rows = append(l.rows, row)
	}
	return l
}

// heeded are the findings of a log and its error on rows left out, per cent, +Inf of a log that is refused.
func heeded(t *testing.T, args ...string) (found []project.Finding, left float64) {
	t.Helper()
	out, errs, code := anyCommand(append([]string{"check", "--json"}, args...)...)
	if code != exitDone && code != exitVerdict {
		t.Fatalf("exit %d of check %q: %s", code, args, errs)
	}
	var doc checkDoc
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	line := append([]string{"fit", "--json", "--force", "-o", "proposal.ident"}, args...)
	if !long.All() {
		line = append(line, "--plain") // errors tell the same without choices, in half the time
	}
	out, _, _ = anyCommand(line...)
	var r result.Result
	if json.Unmarshal([]byte(out), &r) != nil || r.Diagnosis == nil || r.Diagnosis.CrossValidation == nil {
		return doc.Findings, math.Inf(1)
	}
	return doc.Findings, r.Diagnosis.CrossValidation.Percent
}

// What a check proposes for a fault is run: it is no wrong call, its finding is gone or is lower, and rows left out are predicted no worse.
func TestProposals(t *testing.T) {
	long.Only(t, "TestJourneys follows what is proposed")
	puma, err := filepath.Abs(filepath.Join("..", "..", "datasets", "example", "puma560.urdf"))
	if err != nil {
		t.Fatal(err)
	}
	kuka := filepath.Join(testrobot.DataDir(t), "data", "kuka_lwr4", "model", "kuka_lwr4.urdf")
	for i := range 2 * len(spoiled) {
		f, name, robotFile := spoiled[i/2], "KUKA", kuka
		if i%2 == 1 {
			name, robotFile = "example", puma
		}
		t.Run(f.name+" of "+name, func(t *testing.T) {
			if i/2%2 != i%2 {
				long.OnlyAll(t, "each fault on one of the robots, in turn, stands for it")
			}
			l := logTable{}
			if name == "example" {
				l = exampleLog(t)
			} else {
				l = kukaLog(t, 2)
			}
			t.Chdir(t.TempDir())
			f.do(&l)
			l.write(t, "log.csv", ",", l.names, plainNumber)
			found, before := heeded(t, "log.csv", "--robot", robotFile)
			if made := followProposals(t, found, before, "log.csv", "--robot", robotFile); made == 0 && f.name != "a scale" {
				t.Errorf("nothing is proposed: %+v", found)
			}
		})
	}
}

// followProposals runs what findings propose for a log, the first argument: it is no wrong call, its finding is gone or lower, and rows left
// out are predicted no worse, where another fault hides it with what the other findings propose. It returns the number of proposals.
func followProposals(t *testing.T, found []project.Finding, before float64, args ...string) int {
	t.Helper()
	made := proposals(found)
	var first, kinds []string // the first options of each kind of finding
	for _, p := range made {
		if p.options != nil && !slices.Contains(kinds, p.id) {
			first, kinds = append(first, p.options...), append(kinds, p.id)
		}
	}
	for _, p := range made {
		line := append(slices.Clone(args), p.options...)
		if p.options == nil {
			anyCommand(append([]string{"check", "--overwrite", "--fix", "mended.csv"}, line...)...)
			if _, err := os.Stat("mended.csv"); err != nil {
				t.Errorf("%s: no log is mended", p.id)
				continue
			}
			line[0] = "mended.csv"
		}
		now, after := heeded(t, line...)
		t.Logf("%s %q: %.4g %%, %.4g %% before", p.id, p.options, after, before)
		if !(after <= 1.01*before) && p.options != nil {
			_, after = heeded(t, append(slices.Clone(args), first...)...)
		}
		if !(after <= 1.01*before) {
			t.Errorf("%s %q: %.4g %% on rows left out, %.4g %% before", p.id, p.options, after, before)
		}
		for _, x := range now {
			was := slices.IndexFunc(found, func(y project.Finding) bool { return y.ID == x.ID && y.Channel == x.Channel })
			if x.ID == p.id && x.Severity != doctor.Info && was >= 0 && found[was].Severity == x.Severity {
				t.Errorf("%s %q: still %s", p.id, p.options, x.Line())
			}
		}
	}
	return len(made)
}

// What a check of the raw files of a journey proposes is run too; an error that proposes options is another one, or none, with them.
func TestProposalsOfJourneys(t *testing.T) {
	long.Only(t, "TestProposals runs those of spoiled logs, TestJourneys what leads on")
	folder, err := filepath.Abs(filepath.Join("testdata", "journeys"))
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range journeys(t) {
		t.Run(j.name, func(t *testing.T) {
			if i%2 == 0 {
				long.OnlyAll(t, "every second journey stands for it, and TestJourneys has all")
			}
			t.Chdir(t.TempDir())
			if err := os.Symlink(folder, journeyFolder); err != nil {
				t.Skip(err)
			}
			j.files(t)
			args := checkOf(j.commands[0])
			_, errs, code := anyCommand(append([]string{"check"}, args...)...)
			if code == exitDone || code == exitVerdict {
				found, before := heeded(t, args...)
				followProposals(t, found, before, args...)
				return
			}
			line := slices.Clone(args)
			for _, m := range proposedOption.FindAllStringSubmatch(errs+" ", -1) {
				line = append(line, "--"+m[1], m[2])
			}
			if len(line) == len(args) {
				t.Fatalf("%q: an error without a remedy: %s", args, errs)
			}
			if _, then, code := anyCommand(append([]string{"check"}, line...)...); code == exitUsage || then == errs {
				t.Errorf("%q: %s", line, then)
			}
		})
	}
}

// checkOf returns the arguments of a check of the files that a command works on.
func checkOf(command string) []string {
	fields := strings.Fields(command)
	if fields[0] == "init" {
		return append([]string{fields[2], "--robot", fields[1]}, fields[3:]...)
	}
	var out []string
	for i := 1; i < len(fields); i++ {
		if fields[i] == "-o" || fields[i] == "--validate" {
			i++
			continue
		}
		out = append(out, fields[i])
	}
	return out
}
