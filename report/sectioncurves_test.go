package report

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/internal/browser"
)

// sectionPage writes the page of a fixture with curves in a section, on the clock of its first run, and returns its path.
func sectionPage(t *testing.T) string {
	t.Helper()
	f := newFixture(3, 500)
	run := f.runs[0]
	c := Motion(run.Log, run.T, f.res.Joints, Quantity{Label: "position", Units: []string{"rad", "rad", "rad"}, Values: run.Measured})
	opt := Options{Formats: []string{"svg"}, Sections: []Section{{Title: "Replay", Open: true, Curves: c, Legend: []Mark{{"p", "simulated"}}}}}
	plots, err := Plots(t.Context(), f.res, f.runs, opt)
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := HTML(t.Context(), &page, f.res, f.runs, plots, opt); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(page.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A section with curves is open, and has a figure and numbers of its own.
func TestSectionCurves(t *testing.T) {
	text, err := os.ReadFile(sectionPage(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`id="further-0" open=""`, `id="section0-curve-canvas"`, `id="section0-series">{"rows"`, "simulated</span>"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// The curves of a section have controls of their own, and the cursor of the torques.
func testSectionCurves(t *testing.T, b *browser.Browser, quiet func(*testing.T, *browser.Page)) {
	p := b.Open(t, (&url.URL{Scheme: "file", Path: sectionPage(t)}).String(), 1280, 800)
	p.Eval(`(async () => { window.view = await curves; while (!view.beside.length) await new Promise(done => setTimeout(done, 20)); window.own = view.beside[0]; document.getElementById('section0-curve-canvas').scrollIntoView(); })()`, nil)
	p.Eval(`view.pointSoon(view.series.runs[0].start + 1)`, nil)
	p.Truth("one cursor for both", `Math.abs(own.cursor - own.series.runs[0].shift - (view.cursor - view.series.runs[0].shift)) < 1e-9`)
	p.Eval(`own.pointSoon(null)`, nil)
	p.Truth("none for both", `own.cursor === null && view.cursor === null`)
	p.Eval(`document.getElementById('section0-zoom-in').click(); document.querySelector('#section0-curve-chips button').click()`, nil)
	p.Truth("zoom and rows are its own", `own.to - own.from < 0.6 * (own.end - own.start) && own.rows.length === 2 && view.rows.length === 3 && view.to === view.end`)
	quiet(t, p)
}
