package intake

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"testing"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"

	"ident/fleet/virtual"
)

// Every kind of damage is refused with its reason, and no other log is. A log of another robot with as many joints may look like
// one with another gear ratio; then the parameters of the robot's other logs refuse it (TestReasons of package fleet).
func TestReasons(t *testing.T) {
	dir := t.TempDir()
	truth, err := virtual.Write(context.Background(), dir, virtual.Options{Robots: 6, Logs: 66, Damaged: 0.5, Changed: 0.5, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	settings, err := os.ReadFile(filepath.Join(dir, "ident.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(Options{Settings: string(settings), Refuse: DefaultRefuse()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	f, err := os.Open(filepath.Join(dir, "manifest.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	damage := map[string]virtual.Damage{}
	for _, d := range truth.Damaged {
		damage[d.Log] = d.Damage
	}
	for i, row := range rows[1:] {
		e := Entry{Robot: row[0], Log: filepath.Join(dir, row[1]), File: filepath.Join(dir, row[2]), Row: i + 1}
		_, refused, err := r.Take(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		d := damage[row[1]]
		switch {
		case d == "" && refused != nil:
			t.Errorf("%s is not damaged: %v", row[1], refused)
		case d == virtual.WrongRobot && refused == nil:
			t.Logf("%s: %s is left to the fits", row[1], d)
		case d != "" && refused == nil:
			t.Errorf("%s: %s is not found", row[1], d)
		case d != "" && !slices.Contains(d.Reasons(), refused.Reason):
			t.Errorf("%s: %s is refused as %v", row[1], d, refused)
		}
	}
}
