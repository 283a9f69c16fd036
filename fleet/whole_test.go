package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"

	"ident/fleet/intake"
	"ident/fleet/virtual"
	"ident/identify"
	"ident/identify/project"
)

var (
	fleetLogs   = flag.Int("fleet-logs", 0, "logs of TestFleet, of which 3 % are damaged; the default is a small fleet")
	fleetRobots = flag.Int("fleet-robots", 300, "robots of TestFleet with -fleet-logs, of which 2 % change")
)

// results reads all files of a folder of results.
func results(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		out[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// documents are those of the robots.
func documents(t *testing.T, files map[string][]byte) map[string]RobotDocument {
	t.Helper()
	out := map[string]RobotDocument{}
	for name, text := range files {
		if !strings.HasPrefix(name, "robots") {
			continue
		}
		var d RobotDocument
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatal(name, err)
		}
		out[d.Robot] = d
	}
	return out
}

// texts reads a column of texts of a Parquet file.
func texts(t *testing.T, path string, column int) []string {
	t.Helper()
	f, err := file.OpenParquetFile(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	group := f.RowGroup(0)
	chunk, err := group.Column(column)
	if err != nil {
		t.Fatal(err)
	}
	values := make([]parquet.ByteArray, group.NumRows())
	if _, _, err := chunk.(*file.ByteArrayColumnChunkReader).ReadBatch(group.NumRows(), values, nil, nil); err != nil {
		t.Fatal(err)
	}
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// A virtual fleet: every damaged log is in the quarantine and no other, every robot that changes is found and at most a
// hundredth of the others, and the parameters are those of a fit of the logs by package project. With -fleet-logs the fleet is as
// large as asked for, and the time and memory of the run are printed.
func TestFleet(t *testing.T) {
	v := virtual.Options{Robots: 24, Logs: 480, Damaged: 0.03, Changed: 0.125, Seed: 5}
	if *fleetLogs > 0 {
		v = virtual.Options{Robots: *fleetRobots, Logs: *fleetLogs, Damaged: 0.03, Changed: 0.02, Seed: 5}
	}
	o, truth := small(t, v)
	began := time.Now()
	c := runPrism(t, o)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d logs: %.1f s, %d MB from the system", c.Listed, time.Since(began).Seconds(), m.Sys>>20)
	if !c.Exact() || c.Listed != truth.Logs || c.Quarantined != len(truth.Damaged) {
		t.Errorf("%+v: of %d logs %d are damaged", c, truth.Logs, len(truth.Damaged))
	}
	docs := documents(t, results(t, o.Output))
	if len(docs) != truth.Robots {
		t.Fatalf("%d robots have results, of %d", len(docs), truth.Robots)
	}
	dir := filepath.Dir(o.Manifest)
	logs, reasons := texts(t, filepath.Join(o.Output, "quarantine.parquet"), 2), texts(t, filepath.Join(o.Output, "quarantine.parquet"), 3)
	for _, d := range truth.Damaged {
		at := slices.Index(logs, filepath.Join(dir, d.Log))
		if at < 0 || !slices.Contains(d.Damage.Reasons(), reasons[at]) {
			t.Errorf("%s is damaged (%s) and refused as %v", d.Log, d.Damage, reasons[max(at, 0)])
		}
		robot := filepath.Base(filepath.Dir(d.Log))
		if slices.Contains(docs[robot].Logs, filepath.Join(dir, d.Log)) {
			t.Errorf("%s is damaged (%s) and in the result", d.Log, d.Damage)
		}
	}
	changed := map[string]bool{}
	for _, c := range truth.Changed {
		changed[c.Robot] = true
		if d := docs[c.Robot]; len(d.Outliers)+len(d.Changes) == 0 {
			t.Errorf("%+v is not found", c)
		}
	}
	wrong := 0
	for robot, d := range docs {
		if !changed[robot] && len(d.Outliers)+len(d.Changes) > 0 {
			wrong++
			t.Logf("%s does not change, and is marked: %+v %+v", robot, d.Outliers, d.Changes)
		}
	}
	if 100*wrong > len(docs) {
		t.Errorf("%d robots of %d are marked and do not change", wrong, len(docs))
	}
	for _, robot := range []string{"arm3-00000", "scara-00001", "tilt2-00002"} {
		sameAsFit(t, dir, docs[robot])
	}
}

// sameAsFit compares a robot's parameters with those of a fit of its logs, in whatever order they are given: the bits are the same.
// Where the fit of the robot holds days of many logs, it adds up the same rows in another order: the solution of a least-squares problem of
// condition number κ moves by rounding within ε·κ·‖x‖ (Higham 2002, section 20.1, small residuals); 1e-12·‖x‖ holds to κ = 4500, and the
// robots' are below 200.
func sameAsFit(t *testing.T, dir string, d RobotDocument, logs ...string) {
	t.Helper()
	p, err := identify.Open(d.File, append(d.Logs, logs...)...)
	if err != nil {
		t.Fatal(err)
	}
	if p.Settings, err = project.Read(filepath.Join(dir, project.File)); err != nil {
		t.Fatal(err)
	}
	p.Settings.Robot = d.File
	id, err := p.Fit(context.Background(), identify.FitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(id.Result.BaseParameters) != len(d.Parameters) {
		t.Fatalf("%s has %d parameters, %d by a fit", d.Robot, len(d.Parameters), len(id.Result.BaseParameters))
	}
	worst, norm, other := 0.0, 0.0, 0
	for k, b := range id.Result.BaseParameters {
		worst, norm = max(worst, math.Abs(b.Value-d.Parameters[k].Value)), math.Hypot(norm, b.Value)
		if b.Value != d.Parameters[k].Value {
			other++
		}
	}
	worst /= norm
	t.Logf("%s, %d logs: %d of %d parameters have other bits, within %.1e of the norm of a fit's", d.Robot, len(d.Logs)+len(logs), other, len(d.Parameters), worst)
	if len(d.Days) == 0 && other > 0 || worst > 1e-12 {
		t.Errorf("%s: %d parameters have other bits than a fit's, by %g of their norm", d.Robot, other, worst)
	}
}

// A pipeline whose attempts at a log fail at random in one of ten, with logs spread over other shards and summaries in files, has the same
// results to the last byte, run twice into one folder too: nothing is lost and nothing doubled.
func TestRetries(t *testing.T) {
	o, truth := small(t, virtual.Options{Robots: 3, Logs: 60, Damaged: 0.1, Seed: 2})
	if c := runPrism(t, o); !c.Exact() || c.Listed != truth.Logs {
		t.Fatalf("%+v", c)
	}
	want := results(t, o.Output)
	o.FailPart, o.FailSeed, o.Attempts, o.Shards, o.Folder = 0.1, 1, 6, 7, t.TempDir()
	for range 2 { // into one folder
		if c := runPrism(t, o); !c.Exact() || c.Reasons[intake.Storage] > 0 {
			t.Fatalf("%+v", c)
		}
	}
	got := results(t, o.Output)
	if len(got) != len(want) || len(got) < truth.Robots+4 {
		t.Errorf("%d files, %d before", len(got), len(want))
	}
	for name := range want {
		if !bytes.Equal(got[name], want[name]) {
			t.Errorf("%s differs", name)
		}
	}
	// Attempts that all fail are a reason, and no loss.
	o.FailPart, o.Attempts = 1, 2
	if c := runPrism(t, o); !c.Exact() || c.Reasons[intake.Storage] != truth.Logs {
		t.Errorf("%+v: every log fails", c)
	}
}
