package report

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var writeDir = flag.String("write", "", "folder that TestWrite fills with pages and plots to look at")

// TestWrite writes the fixtures' pages for a look in a browser.
func TestWrite(t *testing.T) {
	if *writeDir == "" {
		t.Skip("no -write folder given")
	}
	for name, f := range map[string]fixture{"seven": newFixture(7, 3000), "one": newFixture(1, 2000), "thirty": newFixture(30, 1500), "long": newFixture(7, 100000), "hostile": hostile(newFixture(2, 400)), "broken": broken(newFixture(3, 400))} {
		plots, err := Plots(t.Context(), f.res, f.runs, Options{})
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(*writeDir, name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, p := range plots {
			if err := os.WriteFile(filepath.Join(dir, p.Name+".svg"), p.SVG, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, p.Name+".png"), p.PNG, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		w, err := os.Create(filepath.Join(dir, "report.html"))
		if err != nil {
			t.Fatal(err)
		}
		if err := HTML(t.Context(), w, f.res, f.runs, plots, Options{Date: "2026-01-31"}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		s, err := os.Create(filepath.Join(dir, "summary.txt"))
		if err != nil {
			t.Fatal(err)
		}
		Text(s, f.res)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
