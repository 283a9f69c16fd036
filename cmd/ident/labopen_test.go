package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ident/datasets"
	"ident/internal/browser"
	"ident/result"
)

// testLabOpen looks at a log in degrees on the page of ident open within the laboratory: it writes the settings among the
// files, and its fit among the results, which are those of the command line.
func testLabOpen(t *testing.T, p *labPage) {
	dir, saves := t.TempDir(), t.TempDir()
	t.Chdir(dir)
	p.Downloads(saves)
	write(t, "arm.urdf", string(datasets.ExampleRobot()))
	write(t, "example.parquet", p.lab.example)
	o := tableOf(t, "example.parquet")
	o.eachOf("q", func(c []float64) {
		for k := range c {
			c[k] *= 180 / math.Pi
		}
	})
	o.write(t, "log.csv", ",", bareNumber)
	p.clear()
	began := time.Now()
	p.Files("#files", filepath.Join(dir, "arm.urdf"), filepath.Join(dir, "log.csv"))
	var inner *browser.Page
	seen := func(about, condition string) {
		t.Helper()
		for end := time.Now().Add(2 * time.Minute); inner == nil; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: no page in the frame: %s", about, p.text("#open-words"))
			}
			// The page of the log before stays in the frame until this one's is there.
			inner = p.Inside(`typeof doc === 'object' && 'declined' in doc && /^log\b/.test(doc.log.name)`)
		}
		until(t, inner, about, condition)
	}
	seen("curves", `view`)
	t.Logf("first curve after %.1f s", time.Since(began).Seconds())
	seen("the check and the robot", `viewer && !doc.stage && doc.file.sum`)
	t.Logf("check after %.1f s", time.Since(began).Seconds())
	if *look != "" {
		p.Eval(`document.getElementById('opened').scrollIntoView(); new Promise(r => setTimeout(r, 1500))`, nil)
		p.save("open", false)
	}
	inner.Truth("the frame does not scroll sideways", `document.documentElement.scrollWidth <= innerWidth`)
	inner.Truth("the repair of units", `doc.findings.some(f => f.id === 'units' && f.on)`)
	inner.Eval(`document.querySelector('#findings input[type=checkbox]').click()`, nil)
	seen("the repair is off", `!doc.stage && doc.declined.length > 0`)
	inner.Eval(`document.querySelector('#findings input[type=checkbox]').click()`, nil)
	seen("the repair is on again", `!doc.stage && doc.declined.length === 0 && doc.file.sum && doc.file.lines.some(l => l.text.includes('deg'))`)
	inner.Eval(`document.getElementById('write').click()`, nil)
	seen("the settings are written", `doc.file.written`)
	inner.Eval(`document.getElementById('fit').click()`, nil)
	p.wait("the fit is a result", `document.querySelector('#second code').textContent.startsWith('ident fit log.csv') && `+labIdle)
	t.Logf("fit after %.1f s", time.Since(began).Seconds())
	p.wait("the settings are a file", `[...document.querySelectorAll('#file-list .name')].some(n => n.textContent === 'ident.yaml')`)
	p.Eval(`[...document.querySelectorAll('#file-list li')].find(l => l.textContent.startsWith('ident.yaml')).querySelector('.download').click()`, nil)
	settings := ""
	for end := time.Now().Add(time.Minute); settings == "" && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(saves, "ident.yaml"))
		settings = string(text)
	}
	write(t, "ident.yaml", settings)
	p.native(0, "fit", "log.csv", "-o", "again.ident")
	want, err := os.ReadFile(filepath.Join("again.ident", "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	got := p.saved(saves, "#second .downloads", "result.json", "result.json")
	var r result.Result
	if err := json.Unmarshal(got, &r); err != nil || r.Grade.Value != result.Sound {
		t.Errorf("grade %v, %v", r.Grade.Value, err)
	}
	sameResult(t, got, want)
	p.clear()
	p.Truth("the page of the logs is gone", `document.getElementById('opened').hidden`)
}
