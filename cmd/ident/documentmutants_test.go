package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ident/estimate/summary"
	"ident/identify/folder"
	"ident/internal/long"
)

// place is a node of a JSON document with what replaces it.
type place struct {
	value any
	set   func(v any)
	drop  func() // nil for an element of a list
}

// placesOf lists the nodes of a document below its root, objects by their sorted names.
func placesOf(v any) (out []place) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out = append(out, place{v[name], func(x any) { v[name] = x }, func() { delete(v, name) }})
			out = append(out, placesOf(v[name])...)
		}
	case []any:
		for i := range v {
			out = append(out, place{v[i], func(x any) { v[i] = x }, nil})
			out = append(out, placesOf(v[i])...)
		}
	}
	return out
}

// mutantDocument changes one to three nodes of a JSON document: values that no program writes, other kinds, lists cut, doubled or
// reversed, members dropped, nodes in each other's places.
func mutantDocument(rng *rand.Rand, text []byte) []byte {
	var doc any
	if json.Unmarshal(text, &doc) != nil {
		return text
	}
	strange := []any{nil, true, "", "x", "∞", []any{}, map[string]any{}, 0.0, -1.0, 0.5, 1e-300, -1e-300, 1e17, -1e17, 1e160, 1e308, -1e308, 9223372036854775807.0, -9223372036854775808.0, 2147483648.0}
	for range 1 + rng.IntN(3) {
		all := placesOf(doc)
		if len(all) == 0 {
			break
		}
		at := all[rng.IntN(len(all))]
		if rng.IntN(2) == 0 { // by depth, so that long lists of numbers do not take every change
			if top, ok := doc.(map[string]any); ok && len(top) > 0 {
				names := slices.Sorted(maps.Keys(top))
				name := names[rng.IntN(len(names))]
				inner := append(placesOf(top[name]), place{top[name], func(x any) { top[name] = x }, func() { delete(top, name) }})
				at = inner[rng.IntN(len(inner))]
			}
		}
		list, isList := at.value.([]any)
		number, isNumber := at.value.(float64)
		switch op := rng.IntN(8); {
		case op == 0 && at.drop != nil:
			at.drop()
		case op == 1 && isList && len(list) > 0:
			at.set(slices.Clone(list[:rng.IntN(len(list))]))
		case op == 2 && isList:
			at.set(slices.Concat(list, list))
		case op == 3 && isNumber:
			at.set([]float64{-number, number * 1e6, number * 1e-6, number + 1, 1 / (number + 1e-9)}[rng.IntN(5)])
		case op == 4:
			at.set(copied(all[rng.IntN(len(all))].value)) // never a node within itself
		case op == 5:
			at.set([]any{at.value})
		default:
			at.set(strange[rng.IntN(len(strange))])
		}
	}
	out, err := json.Marshal(doc)
	if err != nil {
		return text // a number that left the floats
	}
	return out
}

// copied returns a copy of a node that shares nothing with it.
func copied(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, x := range v {
			out[name] = copied(x)
		}
		return out
	case []any:
		out := []any{}
		for _, x := range v {
			out = append(out, copied(x))
		}
		return out
	}
	return v
}

// documentKind is a kind of document that ident reads back.
type documentKind struct {
	name string
	text []byte
	// beside is the folder whose other files stand beside the document, "" for none; its name there is that of the kind.
	beside string
	// mutant changes the document; nil for that of a JSON document.
	mutant func(rng *rand.Rand, text []byte) []byte
	// commands read it. FILE stands for the document, FOLDER for its folder.
	commands [][]string
}

// documentKinds makes a document of every kind that ident writes and reads back, with all commands that read it;
// if not whole, without the kinds that take fits of their own.
func documentKinds(t testing.TB, whole bool) (dir string, kinds []documentKind) {
	t.Helper()
	robot, log, saved := smallResult(t)
	dir = filepath.Dir(log)
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(args ...string) {
		t.Helper()
		if code, _, errs := ran(args...); code != exitDone && code != exitVerdict {
			t.Fatalf("%v: %d %s", args, code, errs)
		}
	}
	read := func(parts ...string) []byte {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(parts...))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	unsealed := member(t, func(d map[string]any) { // the seal would refuse every mutant
		for _, name := range []string{"seal", "file_sha256", "robot_file_sha256"} {
			delete(d, name)
		}
	})
	must("design-trajectory", robot, "--static", "6", "-o", at("passes.json"))
	must("simulate", robot, "--trajectory", at("passes.json"), "--rate", "50", "-o", at("slow.csv"))
	must("gravity", at("slow.csv"), "--robot", robot, "-o", at("gravity.json"))
	must("reduce", log, "--robot", robot, "--plain", "-o", at("part.idr"))
	if whole {
		must("fit", log, "--robot", robot, "--candidates", "--loads", "-o", at("full"))
		for name, text := range map[string]string{"elastic.yaml": elasticArm, "swing.json": elasticSwing, "states.csv": "t,q1,q2,dq1,dq2,ddq1,ddq2,tau1,tau2\n0,0.1,0.2,0.3,0.4,0.5,0.6,7,8\n0.1,0.2,0.3,0.4,0.5,0.6,0.7,8,9\n"} {
			if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		must("simulate", at("elastic.yaml"), "--trajectory", at("swing.json"), "--rate", "200", "-o", at("swing.csv"))
		must("fit", at("swing.csv"), "--robot", at("elastic.yaml"), "--plain", "-o", at("elastic"))
	}
	tool := []byte(`{"schema":"ident.tool/1","log":"l","frame":"flange","mount":[0,0,0.1,0,0,0.5],"mass":{"value":1.2,"sigma":0.01,"low95":1.18,"high95":1.22},
 "centre":[{"value":0.01,"sigma":0.001,"low95":0.008,"high95":0.012},{"value":0,"sigma":0.001,"low95":-0.002,"high95":0.002},{"value":0.05,"sigma":0.001,"low95":0.048,"high95":0.052}],
 "inertia":[{"value":0.01,"sigma":0.001,"low95":0.008,"high95":0.012},{"value":0,"sigma":0.001,"low95":-0.002,"high95":0.002},{"value":0,"sigma":0.001,"low95":-0.002,"high95":0.002},{"value":0.01,"sigma":0.001,"low95":0.008,"high95":0.012},{"value":0,"sigma":0.001,"low95":-0.002,"high95":0.002},{"value":0.01,"sigma":0.001,"low95":0.008,"high95":0.012}],
 "rotation":null,"biases":[],"undetermined":[],"channels":[{"name":"fx","noise":0.1,"walk":0,"drift":0},{"name":"fy","noise":0.1,"walk":0,"drift":0},{"name":"fz","noise":0.1,"walk":0,"drift":0},{"name":"tx","noise":0.1,"walk":0,"drift":0},{"name":"ty","noise":0.1,"walk":0,"drift":0},{"name":"tz","noise":0.1,"walk":0,"drift":0}],"findings":[],"rests":4}`)
	settings := []byte(`{"robot": "arm.urdf", "cutoff": 8, "trim": 0.2, "decimate": 1, "gravity": [0, 0, -9.81], "limits": {"velocity": [1, 1], "position": [[-3, 3], [-3, 3]]}, "lock": {"elbow": 0.2},
 "estimator": "wls", "terms": ["links", "Ia", "Fv", "Fs", "Fo"], "map": {"tau1": "tau1"}, "model": "dynamic"}`)
	motions := [][]string{{"simulate", robot, "--trajectory", "FILE", "--rate", "20", "-o", at("m.csv")}, {"loads", robot, "FILE", "--rate", "20"}, {"loads", saved, "FILE", "--rate", "20"},
		{"design-trajectory", robot, "--base-motion", "FILE", "--starts", "1", "--harmonics", "2", "--position-limits=-3:3,-3:3", "--velocity-limits", "3,3", "-o", at("d.csv")}}
	var payloads [][]string
	for _, to := range []string{"ur", "kuka", "abb", "franka", "yaskawa", "fanuc", "xarm", "kinova", "ros2"} {
		payloads = append(payloads, []string{"export", "FILE", "--to", "payload-" + to})
	}
	results := [][]string{{"export", "FOLDER", "--to", "json"}, {"export", "FOLDER", "--to", "csv"}, {"export", "FOLDER", "--to", "urdf"}, {"export", "FOLDER", "--to", "mjcf"}, {"export", "FOLDER", "--to", "isaac"},
		{"export", "FOLDER", "--draws", "2", "--to", "json"}, {"validate", "FOLDER", log}, {"compare", "FOLDER", saved}, {"compare", saved, "FOLDER"}, {"compare", "FOLDER", robot},
		{"watch", "FOLDER", log, "--quiet-log", log}, {"loads", "FOLDER", at("motion.json"), "--rate", "20"}, {"evaluate", "FOLDER", at("states.csv"), "-o", at("e.npz")}, {"plot", "FOLDER", "-o", at("drawn")},
		{"verify", "FOLDER", log}, {"robot", "FOLDER"}, {"base-params", "FOLDER"}, {"check", log, "--robot", "FOLDER"},
		{"simulate", robot, "--trajectory", at("motion.json"), "--rate", "20", "--controller", "computed kp=100 kv=20", "--controller-model", "FOLDER", "-o", at("c.csv")},
		{"codegen", "FOLDER", "--model", "observer", "--quiet-log", log, "-o", at("code"), "--overwrite"}, {"codegen", "FOLDER", "--bake", "--lang", "c", "-o", at("baked"), "--overwrite"},
		{"design-trajectory", robot, "--after", "FOLDER", "--starts", "1", "--harmonics", "2", "--position-limits=-3:3,-3:3", "--velocity-limits", "3,3", "--period", "5", "-o", at("a.csv")}}
	kinds = []documentKind{
		{"result.json", unsealed(read(saved, folder.ResultFile)), saved, nil, results},
		{"gravity.json", unsealed(read(at("gravity.json"))), "", nil, [][]string{{"fit", log, "--robot", robot, "--plain", "--prior", "FILE", "-o", at("second.ident")}}},
		{"tool.json", tool, "", nil, payloads},
		{"motion.json", read(at("motion.json")), "", nil, motions},
		{"passes.json", read(at("passes.json")), "", nil, motions},
		{"ident.yaml", settings, "", nil, [][]string{{"check", log, "--robot", robot, "--config", "FILE"}, {"fit", log, "--robot", robot, "--plain", "--config", "FILE", "-o", at("set.ident")},
			{"gravity", at("slow.csv"), "--robot", robot, "--config", "FILE", "-o", at("g.json")}, {"reduce", log, "--robot", robot, "--config", "FILE", "-o", at("r.idr")},
			{"base-params", robot, "--config", "FILE"}}},
		{"part.idr", read(at("part.idr")), "", mutantSummary, [][]string{{"merge", "FILE", "-o", at("merged.idr")}, {"drift", "FILE"},
			{"fit", "FILE", "-o", at("reduced.ident")}, {"reduce", log, "--robot", robot, "--like", "FILE", "-o", at("like.idr")}}},
	}
	if whole {
		kinds = append(kinds,
			documentKind{"compared.json", unsealed(read(at("full"), "compared.json")), at("full"), nil, [][]string{{"plot", "FOLDER", "-o", at("drawn")}}},
			documentKind{"loads.json", read(at("full"), "loads.json"), at("full"), nil, [][]string{{"plot", "FOLDER", "-o", at("drawn")}}},
			documentKind{"elastic.json", unsealed(read(at("elastic"), "elastic.json")), at("elastic"), nil, [][]string{{"loads", "FOLDER", at("swing.json"), "--rate", "20"}, {"robot", "FOLDER"}, {"watch", "FOLDER", at("swing.csv")},
				{"validate", "FOLDER", at("swing.csv")}, {"export", "FOLDER", "--to", "yaml"}, {"export", "FOLDER", "--to", "json"}, {"verify", "FOLDER"}, {"plot", "FOLDER", "-o", at("bent")}, {"compare", "FOLDER", at("elastic")},
				{"codegen", "FOLDER", "--bake", "--lang", "c", "-o", at("bentcode"), "--overwrite"},
				{"simulate", "FOLDER", "--trajectory", at("swing.json"), "--rate", "20", "-o", at("b.csv")}}},
		)
	}
	return dir, kinds
}

const (
	elasticArm = "name: arm\nlinks:\n  - name: upper\n    joint: {name: shoulder, elastic: true, stiffness: 2000, damping: 1, drive: {ia: 0.2, fv: 1, fs: 0.5, fo: 0.1}}\n" +
		"    mdh: {}\n    inertial: {mass: 2, com: [0.2, 0, 0], inertia: {ixx: 0.01, ixy: 0, ixz: 0, iyy: 0.02, iyz: 0, izz: 0.02}}\n"
	elasticSwing = `{"schema": "ident.trajectory/1", "form": "", "period_s": 5, "joints": [{"name": "shoulder", "q0": -0.5, "a": [0.3, 0.4, -0.7], "b": [0.5, -0.4, 0.1]}]}`
)

// mutantSummary changes the head of a summary, with right checksums.
func mutantSummary(rng *rand.Rand, text []byte) []byte {
	type head struct {
		Robot      summary.Robot
		Model      summary.Model
		Processing summary.Processing
		Settings   json.RawMessage
		Runs       []summary.Run
	}
	for range 100 {
		s, err := summary.Decode(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			return text
		}
		doc, err := json.Marshal(head{s.Robot, s.Model, s.Processing, s.Settings, s.Runs})
		if err != nil {
			return text
		}
		var h head
		if json.Unmarshal(mutantDocument(rng, doc), &h) != nil {
			continue // a kind that the head cannot have
		}
		for i := range h.Runs {
			from := &s.Runs[i%len(s.Runs)]
			h.Runs[i].Prints, h.Runs[i].Blocks = from.Prints, from.Blocks
		}
		var out bytes.Buffer
		if summary.Encode(&out, &summary.Summary{Robot: h.Robot, Model: h.Model, Processing: h.Processing, Settings: h.Settings, Runs: h.Runs}) == nil {
			return out.Bytes()
		}
	}
	return text
}

// readDocument runs a command on a document, and returns what is wrong with the way in which it ends.
func (d *documentKind) readDocument(t testing.TB, dir string, args []string, text []byte) (code int, wrong string) {
	t.Helper()
	file, mutant := filepath.Join(dir, "mutant"+filepath.Ext(d.name)), filepath.Join(dir, "mutant.ident")
	if d.beside != "" {
		if err := os.RemoveAll(mutant); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(mutant, os.DirFS(d.beside)); err != nil {
			t.Fatal(err)
		}
		file = filepath.Join(mutant, d.name)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	args = slices.Clone(args)
	for i, a := range args {
		args[i] = strings.NewReplacer("FILE", file, "FOLDER", mutant).Replace(a)
	}
	var errs string
	late := true
	for try := 0; try < 2 && late; try++ { // a machine that is busy may be late once
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		code, errs = guarded(ctx, args)
		late = ctx.Err() != nil
		cancel()
	}
	if testing.Verbose() && bytes.Equal(text, d.text) && code == exitFailed {
		t.Log(errs)
	}
	switch {
	case late:
		return code, "it does not end within 20 s"
	case code < exitDone || code > exitVerdict, strings.Contains(errs, "runtime error"):
		return code, fmt.Sprintf("exit code %d\n%s", code, errs)
	case (code == exitFailed || code == exitUsage) && errs == "":
		return code, "it fails without a word"
	}
	return code, ""
}

// guarded is runGuarded with a context.
func guarded(ctx context.Context, args []string) (code int, text string) {
	var errs strings.Builder
	defer func() {
		if p := recover(); p != nil {
			buf := make([]byte, 4096)
			code, text = -1, fmt.Sprintf("%v\n%s", p, buf[:runtime.Stack(buf, false)])
		}
	}()
	code = run(ctx, args, streams{in: strings.NewReader(""), out: new(strings.Builder), err: &errs})
	return code, errs.String()
}

// mutantCount counts how commands ended on mutants.
type mutantCount struct {
	runs, wrong int
	codes       map[int]int
	slowest     time.Duration
}

func (c *mutantCount) add(other mutantCount) {
	c.runs, c.wrong, c.slowest = c.runs+other.runs, c.wrong+other.wrong, max(c.slowest, other.slowest)
	for code, n := range other.codes {
		c.codes[code] += n
	}
}

func (c mutantCount) String() string {
	return fmt.Sprintf("%d runs: %d done, %d failed, %d wrong usage, %d with a verdict; %d panics, hangs or ends without a word; slowest %v",
		c.runs, c.codes[exitDone], c.codes[exitFailed], c.codes[exitUsage], c.codes[exitVerdict], c.wrong, c.slowest.Round(time.Millisecond))
}

// Damaged documents end every command that reads them with an answer, within 20 s. The gate takes 60 mutants of each kind, each with one command
// in turn. IDENT_LONG=all gives 2,000 mutants of every document to every command that reads it, in pieces of a hundred that -run chooses:
// TestDocumentMutants/result.json/0[0-4]00 has the first five hundred. A mutant follows from its number and the seed IDENT_MUTANTS, 56 if it is not set.
func TestDocumentMutants(t *testing.T) {
	long.Only(t, "FuzzDocuments has the documents that found something")
	seed := uint64(56)
	if s := os.Getenv("IDENT_MUTANTS"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("IDENT_MUTANTS: %v", err)
		}
		seed = n
	}
	t.Logf("IDENT_MUTANTS=%d", seed)
	dir, kinds := documentKinds(t, true)
	const piece = 100
	for _, d := range kinds {
		t.Run(d.name, func(t *testing.T) {
			for _, args := range d.commands {
				code, wrong := d.readDocument(t, dir, args, d.text)
				if wrong != "" || code == exitUsage || code == exitFailed && d.name != "elastic.json" && args[0] != "drift" { // some commands refuse the one, and one run shows no drift
					t.Fatalf("%v of the document as written: %d %s", args, code, wrong)
				}
				if code == exitFailed {
					t.Logf("refused: %v", args)
				}
			}
			mutant := d.mutant
			if mutant == nil {
				mutant = mutantDocument
			}
			whole, last := mutantCount{codes: map[int]int{}}, long.Draws(2000, 60, 0)
			for from := 0; from < last; from += piece {
				t.Run(fmt.Sprintf("%04d", from), func(t *testing.T) {
					count := mutantCount{codes: map[int]int{}}
					for k := from; k < min(from+piece, last); k++ {
						text := mutant(rand.New(rand.NewPCG(seed, uint64(k))), d.text)
						commands := d.commands
						if !long.All() {
							commands = commands[k%len(commands):][:1]
						}
						for _, args := range commands {
							began := time.Now()
							code, wrong := d.readDocument(t, dir, args, text)
							count.slowest = max(count.slowest, time.Since(began))
							count.codes[code]++
							count.runs++
							if wrong != "" {
								count.wrong++
								kept := filepath.Join(os.TempDir(), fmt.Sprintf("ident-mutant-%d-%s", k, d.name))
								os.WriteFile(kept, text, 0o644)
								t.Errorf("mutant %d of IDENT_MUTANTS=%d (%s), %v: %s", k, seed, kept, args, wrong)
							}
						}
					}
					t.Log(count)
					whole.add(count)
				})
			}
			t.Logf("%d commands, %v", len(d.commands), whole)
		})
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	t.Logf("%d MiB of memory", memory.Sys>>20)
	if memory.Sys > 4<<30 {
		t.Errorf("%d MiB of memory", memory.Sys>>20)
	}
}

// FuzzDocuments gives a document of any kind to a command that reads it. Its seeds in testdata are documents that once ended a command by a panic,
// or never.
func FuzzDocuments(f *testing.F) {
	dir, kinds := documentKinds(f, long.Set())
	byName := map[string]*documentKind{}
	for i := range kinds {
		d := &kinds[i]
		byName[d.name] = d
		f.Add(d.name, uint8(0), d.text)
	}
	covariance := func(change func(rows []any) []any) []byte {
		return member(f, func(d map[string]any) { d["covariance"] = change(d["covariance"].([]any)) })(byName["result.json"].text)
	}
	for i, args := range byName["result.json"].commands {
		if !long.Set() || !slices.Contains([]string{"watch", "compare", "codegen"}, args[0]) && !slices.Contains(args, "--draws") {
			continue // the others were sound
		}
		f.Add("result.json", uint8(i), covariance(func(rows []any) []any { rows[0] = []any{1}; return rows }))
		f.Add("result.json", uint8(i), covariance(func(rows []any) []any { return rows[:1] }))
		f.Add("result.json", uint8(i), covariance(func(rows []any) []any {
			for k := range rows {
				rows[k].([]any)[k] = 0.0
			}
			return rows
		}))
	}
	if d := byName["elastic.json"]; d != nil { // intervals without degrees of freedom
		f.Add("elastic.json", uint8(0), member(f, func(d map[string]any) { d["base_parameters"].([]any)[1].(map[string]any)["degrees_of_freedom"] = 0 })(d.text))
	}
	none, err := summary.Decode(bytes.NewReader(byName["part.idr"].text), int64(len(byName["part.idr"].text)))
	if err != nil {
		f.Fatal(err)
	}
	none.Model.Base = 0 // a summary without base parameters
	var empty bytes.Buffer
	if err := summary.Encode(&empty, none); err != nil {
		f.Fatal(err)
	}
	f.Add("part.idr", uint8(1), empty.Bytes())
	f.Fuzz(func(t *testing.T, kind string, which uint8, text []byte) {
		d := byName[kind]
		if d == nil {
			return
		}
		args := d.commands[int(which)%len(d.commands)]
		if _, wrong := d.readDocument(t, dir, args, text); wrong != "" {
			t.Fatalf("%v: %s", args, wrong)
		}
	})
}
