package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"ident/cmd/ident/internal/schema"
)

var updateJSON = flag.Bool("update-json", false, "rewrite the comments of the documents")

// The comments beside the schemas are those of the source.
func TestSchemaPage(t *testing.T) {
	all, err := schema.ReadComments("../..")
	if err != nil {
		t.Fatal(err)
	}
	var types []reflect.Type
	for _, d := range documents() {
		types = append(types, d.of)
	}
	text, err := json.MarshalIndent(all.Reachable(types...), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *updateJSON {
		if err := os.WriteFile("comments.json", text, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(comments, text) {
		t.Error("comments.json is not what the source says: go test ./cmd/ident -run TestSchemaPage -update-json")
	}
}

// holdDocuments runs the commands that write documents, beside the files of the examples of help, and holds each
// against its schema, in which no field may be missing.
func holdDocuments(t *testing.T) {
	calls := map[string][]string{
		"robot": {"robot arm.urdf", "robot scara.par"}, "solutions": {"robot arm.urdf --solve 0.3,0,0.1"}, "base-params": {"base-params arm.urdf", "base-params scara.par"}, "codegen": {"codegen arm.urdf -o generated"}, "vectors": {"codegen arm.urdf --vectors 2 -o generated"}, "evaluate": {"evaluate arm.urdf traj.csv --quantity base-regressor,energy -o y.csv"},
		"design":     {"design-trajectory arm.urdf --starts 1 --period 5 --noise 0.5 -o d.csv", "design-trajectory arm.urdf --starts 1 --period 5 --after log.ident -o d.csv"},
		"trajectory": {"design-trajectory arm.urdf --starts 1 --period 5 -o t.json"}, "polynomials": {"design-trajectory arm.urdf --starts 1 --period 5 --shape spline -o t.json"},
		"motions":  {"design-trajectory arm.urdf --starts 1 --period 5 --segments 2 -o t.json"},
		"simulate": {"simulate arm.urdf --trajectory traj.json -o s.csv"}, "trials": {"simulate arm.urdf --trajectory traj.json --rate 100 --trials 2"}, "check": {"check log.csv --robot arm.urdf --sensitivity", "check currents.csv --robot arm.urdf"},
		"fit":        {"fit log.csv --robot arm.urdf", "fit log.csv --robot arm.urdf --validate other.csv --physically-consistent --prior robot", "fit log.csv --robot arm.urdf --estimator essential --plain"},
		"fit-models": {"fit log.csv --robot arm.urdf --plain --model dynamic,momentum -o models"}, "fit-elastic": {"fit soft.csv"}, "validate-elastic": {"validate soft.ident soft.csv"}, "follow": {"fit - --robot arm.urdf --follow --memory 5"},
		"init": {"init arm.urdf log.csv -o new.yaml"}, "convert": {"convert log.csv -o converted.parquet"}, "metadata": {"convert log.parquet -o again.csv"}, "plot": {"plot log.ident -o drawn"},
		"summary":  {"reduce log.csv --robot arm.urdf -o part.idr"},
		"drift":    {"drift year.idr"},
		"tool":     {"tool wrist.csv --robot arm.urdf"},
		"watch":    {"watch log.ident other.csv --every 1"},
		"gravity":  {"gravity slow.csv --robot arm.urdf"},
		"validate": {"validate log.ident other.csv", "validate log.ident other.csv --replay --track"}, "compare": {"compare log.ident friday.ident arm.urdf --validate other.csv"}, "export": {"export log.ident --to json"}, "draws": {"export log.ident --draws 5 --to json"}, "loads": {"loads log.ident traj.json", "loads arm.urdf log.csv --payload lower=2,0.3,0,0"}, "verify": {"verify log.ident"}, "version": {"version"}, "options": {"schema options"},
	}
	// Documents that are no answers stand in files.
	files := map[string]string{"trajectory": "t.json", "polynomials": "t.json", "motions": "t.json", "vectors": "generated/*_vectors.json", "metadata": "again.csv.meta.json"}
	for _, d := range documents() {
		if len(calls[d.name]) == 0 {
			t.Errorf("no call writes %s", d.name)
		}
		s := d.schema()
		for _, line := range calls[d.name] {
			file := files[d.name]
			if d.name != "export" && d.name != "draws" && d.name != "options" && file == "" {
				line += " --json"
			}
			in, err := os.ReadFile("log.csv") // of "-"
			if err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			code := run(context.Background(), strings.Fields(line), streams{in: bytes.NewReader(in), out: &out, err: &errs})
			if code != exitDone && code != exitVerdict {
				t.Errorf("%s: %d, %s", line, code, errs.String())
				continue
			}
			if file != "" {
				out.Reset()
				found, err := filepath.Glob(file)
				if err != nil || len(found) != 1 {
					t.Fatalf("%s: %v, %v", line, found, err)
				}
				if in, err = os.ReadFile(found[0]); err != nil {
					t.Fatal(err)
				}
				out.Write(in)
			}
			decoder := json.NewDecoder(&out)
			for n := 0; decoder.More(); n++ {
				var doc json.RawMessage
				if err := decoder.Decode(&doc); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				for _, f := range s.Check(doc, true) {
					t.Errorf("%s: %s", line, f)
				}
			}
		}
	}
}

// A document with a field too few, one too many and one of another kind does not fit its schema.
func TestSchemaCheck(t *testing.T) {
	s := documents()[len(documents())-1].schema()
	good := `{"schema": "ident.version/1", "version": "1", "go": "go1", "system": "linux/amd64", "vectors": "AVX2", "cores": 2}`
	if f := s.Check([]byte(good), true); len(f) > 0 {
		t.Error(f)
	}
	for from, to := range map[string]string{`, "cores": 2`: "", `"cores": 2`: `"cores": 2.5`, `"go": "go1"`: `"go": null`, `"version": "1"`: `"version": "1", "more": 3`, "version/1": "version/2", "}": ""} {
		if f := s.Check([]byte(strings.Replace(good, from, to, 1)), true); len(f) == 0 {
			t.Errorf("%s instead of %s fits", to, from)
		}
	}
	if f := s.Check([]byte(strings.Replace(good, "{", `{"more": 3, `, 1)), false); len(f) > 0 {
		t.Errorf("a later version's field: %v", f)
	}
	for _, d := range documents() {
		text, err := json.Marshal(d.schema())
		if err != nil || !json.Valid(text) || !strings.Contains(string(text), fmt.Sprintf("%q", d.version)) {
			t.Errorf("%s: %v", d.name, err)
		}
	}
}
