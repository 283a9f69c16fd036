package project

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// keysOf lists the keys of a struct as the project file has them.
func keysOf(t reflect.Type, prefix string) []string {
	var keys []string
	for i := range t.NumField() {
		key, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		switch {
		case key == "-" || !t.Field(i).IsExported():
		case t.Field(i).Type == reflect.TypeFor[Limits]():
			keys = append(keys, keysOf(t.Field(i).Type, key+".")...)
		default:
			keys = append(keys, prefix+key)
		}
	}
	return keys
}

// Every key of the project file has one entry, and no option two.
func TestTableIsComplete(t *testing.T) {
	var keys, options []string
	for _, e := range Table() {
		keys = append(keys, e.Key)
		if e.Option != "" {
			options = append(options, e.Option)
		}
		if (e.Option == "") != (e.Help == "") || (e.Option == "") != (e.Group == "") {
			t.Errorf("%s: option %q, help %q, group %q", e.Key, e.Option, e.Help, e.Group)
		}
	}
	want := keysOf(reflect.TypeFor[Settings](), "")
	slices.Sort(keys)
	slices.Sort(want)
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Errorf("keys of the file and of the table: %s", diff)
	}
	slices.Sort(options)
	if n := len(options); len(slices.Compact(options)) != n {
		t.Errorf("an option twice: %v", options)
	}
}

// The text of an option writes the field that the key of the file writes, for every
// type and form of a setting.
func TestOptionsWriteTheFile(t *testing.T) {
	dir := t.TempDir()
	loops := filepath.Join(dir, "loops.yaml")
	if err := os.WriteFile(loops, []byte("passive: [j2]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key   string
		texts []string
		yaml  string
	}{
		{"gravity", []string{"0,0,-9"}, "gravity: [0, 0, -9]"},
		{"set", []string{"D3=0.4", "D4=1"}, "set: {D3: 0.4, D4: 1}"},
		{"no-snap", []string{"true"}, "no-snap: true"},
		{"loops", []string{loops}, "loops: {passive: [j2]}"},
		{"couplings", []string{"a=b+c", "d=e+f"}, "couplings: [a=b+c, d=e+f]"},
		{"terms", []string{"links,Fv"}, "terms: [links, Fv]"},
		{"rows", []string{"a:b.csv:1-9"}, "rows: {\"a:b.csv\": 1-9}"},
		{"map", []string{"tau1=x=y"}, "map: {tau1=x: y}"},
		{"trim", []string{"1", "0"}, "trim: 0"},
		{"cutoff", []string{"auto", "8"}, "cutoff: 8"},
		{"decimate", []string{"5"}, "decimate: 5"},
		{"keep-rows", []string{"all"}, "keep-rows: all"},
		{"limits.position", []string{"-1:1,0:2"}, "limits: {position: [[-1, 1], [0, 2]]}"},
		{"limits.power", []string{"3,4"}, "limits: {power: [3, 4]}"},
		{"seed", []string{"18446744073709551615"}, "seed: 18446744073709551615"},
		{"mass", []string{"arm=1:2"}, "mass: {arm: \"1:2\"}"},
		{"estimator", []string{"ols"}, "estimator: ols"},
		{"accept", []string{"relative_error=5", "joints.a_b=20", "mass.total=17:19", "mass.arm=:2", "grade=sound"},
			"accept: {relative-error: 5, joints: {a_b: 20}, mass: {total: [17, 19], arm: [null, 2]}, grade: sound}"},
		{"logs", []string{`C:\logs\a.csv:unit=q*=deg`, "b.csv:map=tau1=force", "b.csv:map=t=a:b", "b.csv:gains=1,2"}, `logs: {'C:\logs\a.csv': {units: {q*: deg}}, b.csv: {map: {tau1: force, t: "a:b"}, gains: [1, 2]}}`},
		{"logs", []string{"b.csv:map="}, "logs: {b.csv: {map: {}}}"},
		{"rows", []string{"10-20"}, "rows: {\"*\": 10-20}"},
	} {
		file := filepath.Join(dir, File)
		if err := os.WriteFile(file, []byte(c.yaml), 0o644); err != nil {
			t.Fatal(err)
		}
		want, err := Read(file)
		if err != nil {
			t.Fatalf("%s: %v", c.yaml, err)
		}
		e, ok := Lookup(c.key)
		if !ok {
			t.Fatalf("no setting %s", c.key)
		}
		got := new(Settings)
		if err := e.Set(got, c.texts...); err != nil {
			t.Fatalf("%s: %v", c.key, err)
		}
		if got.OriginOf(c.key) != FromOption || want.OriginOf(c.key) != FromFile {
			t.Errorf("%s: origins %v and %v", c.key, got.Given, want.Given)
		}
		got.Given, want.Given = nil, nil
		got.Loops, want.Loops = Section(strings.TrimSpace(string(got.Loops))), Section(strings.TrimSpace(string(want.Loops)))
		want.Loops = Section(strings.Trim(string(want.Loops), "{}")) // of the flow style
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Settings{})); diff != "" {
			t.Errorf("%s %q: %s", c.key, c.texts, diff)
		}
	}
}

// Options add to the maps of the file and replace everything else.
func TestOptionsOverFile(t *testing.T) {
	s := &Settings{Lock: map[string]float64{"a": 1, "b": 2}, Topics: []string{"/x", "/y"}, Terms: []string{"links"}}
	for key, texts := range map[string][]string{"lock": {"b=3", "c=4"}, "topics": {"/z"}, "terms": {"Fv"}} {
		e, _ := Lookup(key)
		if err := e.Set(s, texts...); err != nil {
			t.Fatal(err)
		}
	}
	want := &Settings{Lock: map[string]float64{"a": 1, "b": 3, "c": 4}, Topics: []string{"/z"}, Terms: []string{"Fv"}}
	want.Given = map[string]Origin{"lock": FromOption, "topics": FromOption, "terms": FromOption}
	if diff := cmp.Diff(want, s, cmpopts.IgnoreUnexported(Settings{})); diff != "" {
		t.Error(diff)
	}
}

// Texts that a setting cannot take are refused, and so are values.
func TestBadSettings(t *testing.T) {
	for key, text := range map[string]string{"gravity": "0,x", "lock": "j1", "rows": "log", "decimate": "2.5", "seed": "-1", "no-snap": "maybe",
		"cutoff": "1,2", "limits.position": "1", "window": "s", "loops": "absent.yaml",
		"trim": "nan", "memory": "Inf", "gains": "1,nan", "assembly": "j1=-inf", "set": "D3=1e60", "motion-cutoff": "1e300", "limits.velocity": "inf"} {
		e, _ := Lookup(key)
		if err := e.Set(new(Settings), text); err == nil {
			t.Errorf("%s takes %q", key, text)
		}
	}
	for key, text := range map[string]string{"gravity": "0,1", "on-bad": "keep", "train-fraction": "1", "estimator": "best", "loss": "l1", "memory": "-1", "bootstrap": "1",
		"period": "-1", "trim": "1e17", "velocity": "smoothed", "torque": "no", "differentiator": "spline", "cutoff": "1e-6", "motion-cutoff": "-2", "filter-order": "0", "decimate": "0", "keep-rows": "some", "joints": ",", "terms": "", "model": "static", "window": "-1", "prior-weight": "0", "prior-distance": "far", "limits.power": "0", "accept": "weakness=3"} {
		e, _ := Lookup(key)
		s := new(Settings)
		if err := e.Set(s, text); err != nil {
			t.Fatal(err)
		}
		if err := Check(s, key); err == nil || !strings.Contains(err.Error(), strings.TrimPrefix(key, "limits.")) {
			t.Errorf("%s %s: %v", key, text, err)
		}
	}
}

// Numbers that only the file can hold without a text are refused by the one check of numbers, and lists that
// name nothing; a key without a value is not given.
func TestBadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), File)
	check := func(text string) error {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Read(path)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var keys []string
		for _, e := range Table() {
			keys = append(keys, e.Key)
		}
		return Check(s, keys...)
	}
	for text, where := range map[string]string{
		"trim: .nan": "trim is NaN", "period: .inf": "period is +Inf", "gravity: [0, 0, .nan]": "gravity, number 3", "lock: {a: .nan}": "lock of a",
		"train-fraction: .nan": "train-fraction is NaN", "cutoff: -.inf": "cutoff is -Inf", "gains: [1e300]": "gains, number 1", "limits: {velocity: [1, .nan]}": "number 2",
		"limits: {position: [[0, 1], [.nan, 1]]}": "joint 2, number 1", "joints: []": "empty list", "terms: []": "empty list",
		"validate: []": "empty list", "decimate: -3": "decimate -3", "decimate: 0": "decimate 0", "decimate: 1000000000": "decimate 1000000000", "filter-order: 0": "filter-order 0",
		"bootstrap: 1000000": "bootstrap 1000000",
	} {
		if err := check(text); err == nil || !strings.Contains(err.Error(), where) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"", "joints:", "decimate: 1", "filter-order: 10", "trim: 0", "limits: {position: [[0, 0]]}"} {
		if err := check(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
