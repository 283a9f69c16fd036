package fleet

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"ident/fleet/intake"
	"ident/fleet/virtual"
)

func TestMain(m *testing.M) {
	Register()
	beam.Init()
	os.Exit(m.Run())
}

// small writes a virtual fleet and returns the options of a run.
func small(t *testing.T, v virtual.Options) (Options, *virtual.Truth) {
	t.Helper()
	dir := t.TempDir()
	truth, err := virtual.Write(context.Background(), dir, v)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := os.ReadFile(filepath.Join(dir, "ident.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return Options{Manifest: filepath.Join(dir, "manifest.csv"), Output: filepath.Join(dir, "results"), Settings: string(settings), Refuse: intake.DefaultRefuse()}, truth
}

// runPrism runs the pipeline on the embedded runner.
func runPrism(t *testing.T, o Options) Counts {
	t.Helper()
	p, s := beam.NewPipelineWithRoot()
	Build(s, o)
	if _, err := prism.Execute(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(o.Output, "counts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var c Counts
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// Every damaged log is refused for a reason that its damage has, by itself or by the robot's other logs, and no other log is.
func TestReasons(t *testing.T) {
	o, truth := small(t, virtual.Options{Robots: 6, Logs: 66, Damaged: 0.5, Changed: 0.5, Seed: 3})
	if c := runPrism(t, o); !c.Exact() || c.Quarantined != len(truth.Damaged) {
		t.Errorf("%+v: %d logs are damaged", c, len(truth.Damaged))
	}
	refused := filepath.Join(o.Output, "quarantine.parquet")
	logs, reasons := texts(t, refused, 2), texts(t, refused, 3)
	for _, d := range truth.Damaged {
		if at := slices.Index(logs, filepath.Join(filepath.Dir(o.Manifest), d.Log)); at < 0 {
			t.Errorf("%s: %s is not found", d.Log, d.Damage)
		} else if !slices.Contains(d.Damage.Reasons(), reasons[at]) {
			t.Errorf("%s: %s is refused as %s", d.Log, d.Damage, reasons[at])
		}
	}
}

// Every log of a fleet, damaged ones too, is counted once, and no more than the damaged ones are in the quarantine; bad
// rows of the manifest, logs that are not there and logs that are listed twice have their reasons.
func TestQuarantine(t *testing.T) {
	o, truth := small(t, virtual.Options{Robots: 6, Logs: 36, Damaged: 0.3, Seed: 3})
	f, err := os.OpenFile(o.Manifest, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	good := "logs/" + truth.Damaged[0].Log // not there
	_, err = f.WriteString("r,x\n,x.csv,robots/arm3.urdf,\nr," + good + ",robots/arm3.urdf,yesterday\nr," + good + ",robots/arm3.urdf,\n" +
		"r,logs/none-*.csv,robots/arm3.urdf,\narm3-00000,logs/arm3-00000/*,robots/arm3.urdf,\n")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := runPrism(t, o)
	twice := 6 // logs of the first robot
	want := map[string]int{intake.Manifest: 3, intake.NoFile: 2, intake.Duplicate: twice}
	for reason, n := range want {
		if c.Reasons[reason] != n {
			t.Errorf("%d logs refused as %s, want %d", c.Reasons[reason], reason, n)
		}
	}
	if all := truth.Logs + 5 + twice; !c.Exact() || c.Listed != all || c.Quarantined != len(truth.Damaged)+5+twice {
		t.Errorf("%+v: of %d logs %d are damaged", c, all, len(truth.Damaged))
	}
}
