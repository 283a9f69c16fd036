package identify

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/datasets"
	"ident/estimate/summary"
	"ident/estimate/summary/drift"
)

// A page has the robot, each change, and the course of every parameter, those that changed open.
func TestDriftPage(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	text := datasets.ExampleRobot()
	s := &summary.Summary{Robot: summary.Robot{Name: "puma", Format: "urdf", Text: string(text), SHA256: fmt.Sprintf("%x", sha256.Sum256(text))}}
	r := &drift.Report{Robot: "puma", Absolute: true, WindowS: 7 * 86400, Limit: 4.2, Chance: 0.05}
	const begin = 1772409600 // 2026-03-02
	level := drift.Parameter{Name: "MX2"}
	step := drift.Parameter{Name: "Fs1"}
	for i := range 20 {
		w := drift.Window{From: begin + 7*86400*float64(i), To: begin + 7*86400*float64(i+1), Runs: 1, Rows: 100}
		if i == 7 {
			w.Why = "no data"
			r.Windows = append(r.Windows, w)
			continue
		}
		r.Windows = append(r.Windows, w)
		level.Value, level.Sigma = append(level.Value, 1+0.05*rng.NormFloat64()), append(level.Sigma, 0.05)
		at := 2 + 0.1*rng.NormFloat64()
		if i >= 12 {
			at += 0.8
		}
		step.Value, step.Sigma = append(step.Value, at), append(step.Sigma, 0.1)
	}
	r.Parameters = []drift.Parameter{level, step}
	for changes := range 2 {
		if changes > 0 {
			r.Changes = []drift.Change{{Parameter: "Fs1", Time: r.Windows[12].From, Window: 13, Before: 2, BeforeSigma: 0.03, After: 2.8, AfterSigma: 0.03, Percent: 40, Z: 18}}
		} else {
			r.Changes = nil
		}
		path := filepath.Join(t.TempDir(), "drift.html")
		if err := WriteDriftPage(path, "ident drift year.idr", s, r); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		page := string(text)
		for part, want := range map[string]string{"count": fmt.Sprintf("%d of 2", changes), "robot": `id="ident-scene"`, "window": "left out: no data", "days": "2 Mar 2026 to 20 Jul 2026"} {
			if !strings.Contains(page, want) {
				t.Errorf("%d changes: the page has no %s %q", changes, part, want)
			}
		}
		if n := strings.Count(page, `class="small-figure"`); n != 2 || strings.Contains(page, "NaN") {
			t.Errorf("%d changes: %d courses drawn, 2 expected", changes, n)
		}
		if n := strings.Count(page, `class="step-line"`); n != changes {
			t.Errorf("%d changes: %d drawn", changes, n)
		}
		if got := strings.Contains(page, "Fs1: &#43;40 % since 25 May 2026"); got != (changes > 0) {
			t.Errorf("%d changes: the change is said: %v", changes, got)
		}
	}
}
