package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ident/datasets"
	"ident/internal/long"
	"ident/result"
)

// FuzzCommandLine gives a command options, one a line, beside a project file: it ends with an answer, never
// with a panic.
func FuzzCommandLine(f *testing.F) {
	dir := f.TempDir()
	seedFiles(f, dir)
	arm, log := filepath.Join(dir, "arm.urdf"), filepath.Join(dir, "log.csv")
	commands := [][]string{
		{"check", log, "--robot", arm}, {"base-params", arm}, {"robot", arm},
		{"fit", log, "--robot", arm, "-o", filepath.Join(dir, "result")},
	}
	f.Add(uint8(0), "--trim\nnan", "cutoff: 8")
	f.Add(uint8(1), "--gravity=0,0,1e308", "gravity: [0, 0, .nan]")
	f.Add(uint8(2), "--set\nD3=1", "limits: {position: [[1, -1], [0, 1]]}")
	f.Add(uint8(3), "--decimate=7\n--estimator=irls", "joints: []\nfilter-order: 0")
	f.Add(uint8(3), "--terms=links,Fv\n--lock=elbow=0.3", "train-fraction: .inf")
	f.Add(uint8(0), "--map=q1=tau1\n--unit=q1=deg\n--on-bad=drop", "rows: {log: 1-20}")
	f.Fuzz(func(t *testing.T, which uint8, options, yaml string) {
		args := slices.Clone(commands[int(which)%len(commands)])
		for line := range strings.Lines(options) {
			option := strings.TrimSuffix(line, "\n")
			// Options that name a file to be written stay with the test.
			name, _, _ := strings.Cut(option, "=")
			if strings.HasPrefix(option, "-") && !strings.HasPrefix(option, "--") || slices.Contains([]string{"--output", "--fix", "--config", "--follow", "--sensitivity"}, name) {
				continue
			}
			args = append(args, option)
		}
		config := filepath.Join(t.TempDir(), "ident.yaml")
		if err := os.WriteFile(config, []byte(yaml), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--config="+config)
		code, text := runGuarded(args)
		switch {
		case code < exitDone || code > exitVerdict, strings.Contains(text, "runtime error"):
			t.Fatalf("%q: exit code %d\n%s", args, code, text)
		case (code == exitFailed || code == exitUsage) && text == "":
			t.Fatalf("%q: exit code %d without a word", args, code)
		}
	})
}

// FuzzFormats writes a valid log in two formats: fits of both have the same bits.
func FuzzFormats(f *testing.F) {
	long.Only(f, "package datasets compares what its formats hold")
	dir := f.TempDir()
	seedFiles(f, dir)
	arm := filepath.Join(dir, "arm.urdf")
	source, err := datasets.Open(filepath.Join(dir, "log.csv"), datasets.Options{})
	if err != nil {
		f.Fatal(err)
	}
	defer source.Close()
	formats := []string{"a.csv", "a.csv.gz", "a.parquet", "a.arrow", "a.npz", "a.mat", "a.mcap", "a.tsv.zst"}
	step := long.Of(1, 8) // all pairs, or one
	for i := 0; i < len(formats); i += step {
		f.Add(uint8(i), uint8(i+1), uint16(17*i), 1e-3/float64(i+1))
	}
	f.Fuzz(func(t *testing.T, a, b uint8, first uint16, noise float64) {
		if math.IsNaN(noise) || math.Abs(noise) > 1 {
			t.Skip()
		}
		var channels []datasets.Channel
		var cols [][]float64
		start := int(first) % (source.Rows() / 2)
		for _, c := range source.Channels() {
			values, err := source.Column(c.Name)
			if err != nil {
				t.Fatal(err)
			}
			values = slices.Clone(values[start:])
			for k := range values {
				if c.Name != "t" {
					values[k] += noise * math.Sin(float64(k*k)+float64(len(cols)))
				}
			}
			channels, cols = append(channels, c), append(cols, values)
		}
		fits := [2][]result.BaseParameter{}
		for i, format := range []string{formats[int(a)%len(formats)], formats[int(b)%len(formats)]} {
			dir := t.TempDir()
			path := filepath.Join(dir, format)
			if err := datasets.Write(path, channels, nil, func(w *datasets.Writer) error { return w.Append(cols) }); err != nil {
				t.Fatal(err)
			}
			code, text := runGuarded([]string{"fit", path, "--robot", arm, "--force", "-o", filepath.Join(dir, "r")})
			if code != exitDone && code != exitVerdict {
				fits[i] = nil
				t.Logf("%s: exit code %d\n%s", format, code, text)
				continue
			}
			doc, err := os.ReadFile(filepath.Join(dir, "r", "result.json"))
			if err != nil {
				t.Fatal(err)
			}
			var res result.Result
			if err := json.Unmarshal(doc, &res); err != nil {
				t.Fatal(err)
			}
			fits[i] = res.BaseParameters
		}
		if len(fits[0]) != len(fits[1]) {
			t.Fatalf("%d and %d base parameters", len(fits[0]), len(fits[1]))
		}
		for k := range fits[0] {
			if x, y := fits[0][k].Value, fits[1][k].Value; math.Float64bits(x) != math.Float64bits(y) {
				t.Fatalf("%s: %v and %v", fits[0][k].Name, x, y)
			}
		}
	})
}
