package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ident/internal/long"
)

// mutant damages a file: bits, bytes, pieces cut, doubled, moved or filled, and numbers replaced by others.
func mutant(rng *rand.Rand, file []byte) []byte {
	b := slices.Clone(file)
	reach := []int{1 + len(b)/8, 8}[rng.IntN(2)]
	for range 1 + rng.IntN(3) {
		if len(b) < 2 {
			return b
		}
		at := rng.IntN(len(b))
		end := min(len(b), at+1+rng.IntN(reach))
		switch rng.IntN(8) {
		case 0:
			b[at] ^= 1 << rng.IntN(8)
		case 1:
			b[at] = byte(rng.Uint32())
		case 2:
			b = b[:at]
		case 3:
			b = slices.Delete(b, at, end)
		case 4:
			b = slices.Insert(b, at, slices.Clone(b[at:end])...)
		case 5:
			clear(b[at:end])
		case 6:
			for i := at; i < min(at+8, len(b)); i++ {
				b[i] = 0xff
			}
		case 7:
			words := []string{"nan", "-inf", "1e308", "-1", "0", "99999999999999999999", "\x00", "\u202e", "{", "]", "\""}
			b = slices.Insert(b, at, []byte(words[rng.IntN(len(words))])...)
		}
	}
	return b
}

// seedFiles writes a valid file of every format that a command reads, and returns the command for each; FILE
// stands for the damaged file.
func seedFiles(t testing.TB, dir string) map[string][]string {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("arm.urdf"), []byte(twoJoints), 0o644); err != nil {
		t.Fatal(err)
	}
	motion := `{"schema": "ident.trajectory/1", "form": "", "period_s": 10, "joints": [
 {"name": "shoulder", "q0": -0.5, "a": [0.3, 0.4, -0.7], "b": [0.5, -0.4, 0.1]},
 {"name": "elbow", "q0": 0.2, "a": [-0.6, 0.1, 0.5], "b": [0.3, 0.6, -0.5]}]}`
	if err := os.WriteFile(at("motion.json"), []byte(motion), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("ident.txt"), []byte("robot: arm.urdf\ncutoff: 8\ntrim: 0.2\ndecimate: 1\ngravity: [0, 0, -9.81]\nlimits: {velocity: [1, 1]}\nlock: {elbow: 0.2}\nestimator: wls\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	must := func(args ...string) {
		t.Helper()
		var text, errs strings.Builder
		if code := run(context.Background(), args, streams{in: strings.NewReader(""), out: &text, err: &errs}); code != exitDone {
			t.Fatalf("%v: exit code %d\n%s", args, code, errs.String())
		}
	}
	must("simulate", at("arm.urdf"), "--trajectory", at("motion.json"), "--rate", "50", "-o", at("log.csv"))
	must("design-trajectory", at("arm.urdf"), "--static", "6", "-o", at("passes.json"))
	must("simulate", at("arm.urdf"), "--trajectory", at("passes.json"), "--rate", "50", "-o", at("slow.csv"))
	must("gravity", at("slow.csv"), "--robot", at("arm.urdf"), "-o", at("gravity.json"))
	must("reduce", at("log.csv"), "--robot", at("arm.urdf"), "--plain", "-o", at("part.idr"))
	commands := map[string][]string{
		"part.idr":     {"merge", "FILE", "-o", at("merged.idr")},
		"gravity.json": {"fit", at("log.csv"), "--robot", at("arm.urdf"), "--plain", "--prior", "FILE", "-o", at("second.ident")},
		"arm.urdf":     {"base-params", "FILE"},
		"motion.json":  {"simulate", at("arm.urdf"), "--trajectory", "FILE", "--rate", "20", "-o", at("simulated.csv")},
		"ident.txt":    {"check", at("log.csv"), "--robot", at("arm.urdf"), "--config", "FILE"},
		"log.csv":      {"check", "FILE", "--robot", at("arm.urdf")},
	}
	if err := os.WriteFile(at("poses.txt"), []byte("# m\n0.6,0,0.6 # start\n0.55 0 0.35\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	task := "tip: {link: lower, at: [0.3, 0, 0]}\ncomponents: xz\nstart: {joints: {shoulder: 0.3, elbow: 1.5}}\nlimits: {velocity: 2, acceleration: 60}\nsegments:\n" +
		"  - {line: [-0.05, 0, 0.05], relative: true, profile: trapezoidal, speed: 0.2, acceleration: 1, blend: 0.01}\n  - {line: [-0.05, 0, -0.05], relative: true, time: 1, force: [0, 0, 5]}\n" +
		"  - {arc: {center: [0.05, 0, 0], axis: [0, 1, 0], angle: Pi/3}, relative: true, time: least}\n  - {joints: {elbow: 0.5}, time: 2}\n"
	if err := os.WriteFile(at("task.yaml"), []byte(task), 0o644); err != nil {
		t.Fatal(err)
	}
	commands["task.yaml"] = []string{"simulate", at("arm.urdf"), "--task", "FILE", "--rate", "20", "-o", at("drawn.csv")}
	commands["poses.txt"] = []string{"design-trajectory", at("arm.urdf"), "--payload-poses", "FILE", "--tip", "lower:0.3,0,0", "--shape", "points", "--pieces", "2", "--starts", "1", "--period", "8", "--position-limits=-3:3,-3:3", "--velocity-limits", "3,3", "-o", at("tour.csv")}
	for _, name := range []string{"log.csv.gz", "log.csv.zst", "log.parquet", "log.arrow", "log.mcap", "log.npz", "log.mat"} {
		must("convert", at("log.csv"), "-o", at(name))
		commands[name] = []string{"check", "FILE", "--robot", at("arm.urdf")}
	}
	solids := strings.Replace(twoJoints, "<link", `<xacro:property name="m" value="2"/><xacro:macro name="ball" params="n m:=^ *at **more"><xacro:if value="${m &gt; 1}"><link name="${n}"><inertial><xacro:insert_block name="at"/><mass value="${m*2**2/4}"/></inertial></link><joint name="${n}_fixed" type="fixed"><parent link="upper"/><child link="${n}"/><xacro:insert_block name="more"/></joint></xacro:if></xacro:macro><xacro:ball n="bolt"><origin xyz="${[i, 0][0] if False else 0.1} 0 0"/><more/></xacro:ball><link`, 1)
	if err := os.WriteFile(at("arm.xacro"), []byte(solids), 0o644); err != nil {
		t.Fatal(err)
	}
	commands["arm.xacro"] = []string{"base-params", "FILE"}
	for _, to := range []string{"yaml", "par", "mjcf", "sdf"} {
		must("robot", at("arm.urdf"), "--to", to, "-o", at("arm."+to))
		commands["arm."+to] = []string{"base-params", "FILE"}
	}
	return commands
}

// Damaged files end commands with an answer: no panic, no hang, 0, 1 or 3. IDENT_MUTANTS is the number of
// mutants for each format.
func TestMutants(t *testing.T) {
	long.Only(t, "the damaged files of datasets and of the formats of robots")
	mutants := 10
	if text := os.Getenv("IDENT_MUTANTS"); text != "" {
		var err error
		if mutants, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	var before, memory runtime.MemStats
	runtime.ReadMemStats(&before)
	commands := seedFiles(t, dir)
	for _, name := range sortedKeys(commands) {
		file, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		whole := slices.Clone(commands[name])
		whole[slices.Index(whole, "FILE")] = filepath.Join(dir, name)
		if code, text := runGuarded(whole); code != exitDone && code != exitVerdict {
			t.Fatalf("%s, undamaged: exit code %d\n%s", name, code, text)
		}
		rng := rand.New(rand.NewPCG(15, uint64(len(name))))
		codes, slowest := map[int]int{}, time.Duration(0)
		for k := range mutants {
			b := mutant(rng, file)
			path := filepath.Join(dir, "mutant-"+name)
			if err := os.WriteFile(path, b, 0o644); err != nil {
				t.Fatal(err)
			}
			args := slices.Clone(commands[name])
			args[slices.Index(args, "FILE")] = path
			began := time.Now()
			code, text := runGuarded(args)
			slowest = max(slowest, time.Since(began))
			codes[code]++
			if code != exitDone && code != exitFailed && code != exitVerdict || strings.Contains(text, "runtime error") || code == exitFailed && text == "" {
				kept := filepath.Join(os.TempDir(), fmt.Sprintf("ident-mutant-%d-%s", k, name))
				os.WriteFile(kept, b, 0o644)
				t.Errorf("%s, mutant %d (%s): exit code %d\n%s", name, k, kept, code, text)
			}
		}
		t.Logf("%-12s %d mutants: %d done, %d failed, %d with an error found; slowest %v", name, mutants, codes[exitDone], codes[exitFailed], codes[exitVerdict], slowest.Round(time.Millisecond))
		if slowest > 2*time.Minute {
			t.Errorf("%s: a mutant took %v", name, slowest)
		}
	}
	runtime.ReadMemStats(&memory)
	more := int64(memory.Sys) - int64(before.Sys) // memory of the collector's pace is address space alone
	t.Logf("%d MiB of memory more at most", more>>20)
	if more > 256<<20 {
		t.Errorf("%d MiB of memory more", more>>20)
	}
}

// runGuarded runs a command line and returns its exit code and its errors; of a panic -1 and its text.
func runGuarded(args []string) (code int, text string) {
	var errs bytes.Buffer
	defer func() {
		if p := recover(); p != nil {
			code, text = -1, fmt.Sprint(p)
		}
	}()
	code = run(context.Background(), args, streams{in: strings.NewReader(""), out: new(bytes.Buffer), err: &errs})
	return code, errs.String()
}

func sortedKeys(m map[string][]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
