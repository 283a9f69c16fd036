package report

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"ident/internal/browser"
)

// writePage writes the page of a fixture and returns its address.
func writePage(t *testing.T, f fixture) string {
	t.Helper()
	plots, err := Plots(f.res, f.runs, Options{Formats: []string{"svg"}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "report.html")
	w, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	err = HTML(w, f.res, f.runs, plots, Options{Date: "31 Jan 2026", Command: "ident fit log.csv --robot arm.urdf --validate check.csv --cutoff 8 -o a/folder/with/a/long/name"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// sideways is true where the page is wider than its window.
const sideways = `document.documentElement.scrollWidth > innerWidth`

// The pages in a browser: one start for all tests, since it costs more than they do.
func TestInBrowser(t *testing.T) {
	b := browser.Start(t)
	quiet := func(t *testing.T, p *browser.Page) {
		t.Helper()
		for _, s := range p.Problems() {
			t.Errorf("console: %s", s)
		}
		for _, s := range p.Requests() {
			t.Errorf("request: %s", s)
		}
	}
	t.Run("first screen", func(t *testing.T) {
		for _, name := range []string{"seven joints", "thirty joints", "hostile names", "broken numbers", "nothing"} {
			p := b.Open(writePage(t, fixtures()[name]), 1280, 800)
			p.Truth(name+": three cards within 1280 × 800", `[...document.querySelectorAll('.first .card')].every(c => c.getBoundingClientRect().bottom <= 800)`)
			p.Truth(name+": closed sections", `document.querySelectorAll('details.section').length === 7 && !document.querySelector('details[open]')`)
			p.Truth(name+": no sideways scroll", "!("+sideways+")")
			p.Eval(`for (const d of document.querySelectorAll('details')) d.open = true`, nil)
			p.Resize(390, 844)
			p.Truth(name+": no sideways scroll at 390 px, all open", "!("+sideways+")")
			quiet(t, p)
		}
	})
	t.Run("switches", func(t *testing.T) {
		p := b.Open(writePage(t, newFixture(3, 500)), 1280, 800)
		ground := `getComputedStyle(document.body).backgroundColor`
		p.Prefer("screen", "light")
		p.Truth("light", ground+` === 'rgb(255, 255, 255)'`)
		p.Eval(`document.getElementById('theme').focus()`, nil)
		p.Key("Enter")
		p.Truth("dark by the keyboard", ground+` === 'rgb(21, 25, 29)'`)
		p.Prefer("screen", "dark")
		p.Eval(`document.getElementById('theme').click()`, nil)
		p.Truth("light on a dark system", ground+` === 'rgb(255, 255, 255)'`)
		p.Eval(`document.getElementById('theme').click()`, nil)
		p.Prefer("print", "dark")
		p.Truth("paper is light", ground+` === 'rgb(255, 255, 255)'`)
		p.Prefer("screen", "light")
		p.Eval(`document.querySelector('#verdict a').click()`, nil)
		p.Truth("a link opens its section", `document.getElementById('processing').open`)
		if pdf := p.PDF(); len(pdf) < 20000 {
			t.Errorf("printed: %d bytes", len(pdf))
		}
		quiet(t, p)
	})
}
