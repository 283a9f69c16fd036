package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"ident/identify/project"
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

// documentReaders makes a document of every kind that ident reads back, and the commands that read each. FILE stands for the
// document, FOLDER for a folder of a result with it.
func documentReaders(t testing.TB) (dir string, documents map[string][]byte, commands map[string][][]string) {
	t.Helper()
	robot, log, folder := smallResult(t)
	dir = filepath.Dir(log)
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(args ...string) {
		t.Helper()
		if code, _, errs := ran(args...); code != exitDone && code != exitVerdict {
			t.Fatalf("%v: %d %s", args, code, errs)
		}
	}
	must("design-trajectory", robot, "--static", "6", "-o", at("passes.json"))
	must("simulate", robot, "--trajectory", at("passes.json"), "--rate", "50", "-o", at("slow.csv"))
	must("gravity", at("slow.csv"), "--robot", robot, "-o", at("gravity.json"))
	documents = map[string][]byte{"tool.json": []byte(`{"schema":"ident.tool/1","log":"l","frame":"flange","mount":[0,0,0.1,0,0,0.5],"mass":{"value":1.2,"sigma":0.01},
 "centre":[{"value":0.01,"sigma":0.001},{"value":0,"sigma":0.001},{"value":0.05,"sigma":0.001}],
 "inertia":[{"value":0.01,"sigma":0.001},{"value":0,"sigma":0.001},{"value":0,"sigma":0.001},{"value":0.01,"sigma":0.001},{"value":0,"sigma":0.001},{"value":0.01,"sigma":0.001}],
 "rotation":null,"biases":[],"undetermined":[],"channels":[{},{},{},{},{},{}],"findings":[],"rests":4}`)}
	for name, path := range map[string]string{"result.json": filepath.Join(folder, project.ResultFile), "motion.json": at("motion.json"), "passes.json": at("passes.json"), "gravity.json": at("gravity.json")} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		documents[name] = text
	}
	for _, name := range []string{"result.json", "gravity.json"} { // their seals would refuse every mutant
		documents[name] = member(t, func(d map[string]any) { delete(d, "seal"); delete(d, "file_sha256") })(documents[name])
	}
	motions := [][]string{{"simulate", robot, "--trajectory", "FILE", "--rate", "20", "-o", at("m.csv")}, {"loads", robot, "FILE", "--rate", "20"},
		{"design-trajectory", robot, "--base-motion", "FILE", "--starts", "1", "--position-limits=-3:3,-3:3", "--velocity-limits", "3,3", "-o", at("d.csv")}}
	commands = map[string][][]string{
		"motion.json": motions, "passes.json": motions,
		"gravity.json": {{"fit", log, "--robot", robot, "--plain", "--prior", "FILE", "-o", at("second.ident")}},
		"tool.json":    {{"export", "FILE", "--to", "payload-ur"}, {"export", "FILE", "--to", "payload-kuka"}, {"export", "FILE", "--to", "payload-franka"}, {"export", "FILE", "--to", "payload-ros2"}},
		"result.json": {{"export", "FOLDER", "--to", "json"}, {"export", "FOLDER", "--to", "urdf"}, {"export", "FOLDER", "--to", "mjcf"}, {"export", "FOLDER", "--to", "isaac"}, {"export", "FOLDER", "--draws", "2", "--to", "json"},
			{"validate", "FOLDER", log}, {"compare", "FOLDER", folder}, {"compare", folder, "FOLDER"}, {"compare", "FOLDER", robot}, {"watch", "FOLDER", log, "--quiet-log", log},
			{"loads", "FOLDER", at("motion.json"), "--rate", "20"}, {"evaluate", "FOLDER", log, "-o", at("e.npz")}, {"plot", "FOLDER", "-o", at("drawn")}, {"verify", "FOLDER"}, {"robot", "FOLDER"},
			{"check", log, "--robot", "FOLDER"}, {"codegen", "FOLDER", "--model", "observer", "--quiet-log", log, "-o", at("code")}, {"design-trajectory", robot, "--after", "FOLDER", "--starts", "1", "--position-limits=-3:3,-3:3", "--velocity-limits", "3,3", "--period", "5", "-o", at("a.csv")}},
	}
	return dir, documents, commands
}

// readDocument runs a command on a document, and returns what is wrong with the way in which it ends.
func readDocument(t testing.TB, dir string, args []string, text []byte) (code int, wrong string) {
	t.Helper()
	file, folder := filepath.Join(dir, "mutant.json"), filepath.Join(dir, "mutant.ident")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if slices.Contains(args, "FOLDER") {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"robot.urdf", "residuals.parquet"} {
			own, err := os.ReadFile(filepath.Join(dir, "log.ident", name))
			if err == nil {
				err = os.WriteFile(filepath.Join(folder, name), own, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, project.ResultFile), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args = slices.Clone(args)
	for i, a := range args {
		args[i] = strings.NewReplacer("FILE", file, "FOLDER", folder).Replace(a)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	code, errs := guarded(ctx, args)
	switch {
	case ctx.Err() != nil:
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

// Damaged documents end every command that reads them with an answer. An ordinary run takes a few mutants of each kind; the whole
// takes 2,000, each with one command in turn.
func TestDocumentMutants(t *testing.T) {
	dir, documents, commands := documentReaders(t)
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		for _, args := range commands[name] {
			if code, wrong := readDocument(t, dir, args, documents[name]); wrong != "" || code == exitUsage {
				t.Fatalf("%v of the document as written: %d %s", args, code, wrong)
			}
			if !long.Set() {
				break
			}
		}
		rng := rand.New(rand.NewPCG(56, uint64(len(name))))
		codes, slowest := map[int]int{}, time.Duration(0)
		for k := range long.Draws(2000, 60, 6) {
			text := mutantDocument(rng, documents[name])
			args := commands[name][k%len(commands[name])]
			began := time.Now()
			code, wrong := readDocument(t, dir, args, text)
			slowest = max(slowest, time.Since(began))
			codes[code]++
			if wrong != "" {
				kept := filepath.Join(os.TempDir(), fmt.Sprintf("ident-mutant-%d-%s", k, name))
				os.WriteFile(kept, text, 0o644)
				t.Errorf("mutant %d of %s (%s), %v: %s", k, name, kept, args, wrong)
			}
		}
		t.Logf("%-12s %d done, %d failed, %d wrong usage, %d with a verdict; slowest %v", name, codes[exitDone], codes[exitFailed], codes[exitUsage], codes[exitVerdict], slowest.Round(time.Millisecond))
	}
}

// FuzzDocuments gives a document of any kind to a command that reads it.
func FuzzDocuments(f *testing.F) {
	dir, documents, commands := documentReaders(f)
	names := slices.Sorted(maps.Keys(commands))
	for i, name := range names {
		f.Add(uint8(i), uint8(0), documents[name])
	}
	f.Fuzz(func(t *testing.T, kind, which uint8, text []byte) {
		own := commands[names[int(kind)%len(names)]]
		args := own[int(which)%len(own)]
		if _, wrong := readDocument(t, dir, args, text); wrong != "" {
			t.Fatalf("%v: %s", args, wrong)
		}
	})
}
