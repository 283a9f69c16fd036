package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ident/datasets"
	"ident/internal/browser"
	"ident/internal/long"
	"ident/result"
)

// openTable is a log as a table, in the order of its columns.
type openTable struct {
	names   []string
	columns [][]float64
}

// of returns the column of a channel.
func (o *openTable) of(name string) []float64 { return o.columns[slices.Index(o.names, name)] }

// eachOf calls f with the columns of a kind of channel: t, q, dq or tau.
func (o *openTable) eachOf(kind string, f func(c []float64)) {
	for i, name := range o.names {
		if strings.TrimRight(name, "0123456789") == kind {
			f(o.columns[i])
		}
	}
}

// write writes the table as a CSV file.
func (o *openTable) write(t *testing.T, path, separator string, number func(column int, v float64) string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(strings.Join(o.names, separator) + "\n")
	for k := range o.columns[0] {
		for i, c := range o.columns {
			if i > 0 {
				b.WriteString(separator)
			}
			b.WriteString(number(i, c[k]))
		}
		b.WriteString("\n")
	}
	write(t, path, b.String())
}

func bareNumber(_ int, v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }

// exampleTable returns the first rows of the example's log.
func exampleTable(t *testing.T, rows int) *openTable {
	t.Helper()
	o := tableOf(t, "../../datasets/example/puma560.parquet")
	for i := range o.columns {
		o.columns[i] = o.columns[i][:rows]
	}
	return o
}

// tableOf returns a log.
func tableOf(t *testing.T, path string) *openTable {
	t.Helper()
	log, err := datasets.Open(path, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	o := &openTable{names: log.Names()}
	if o.columns, err = log.Columns(o.names...); err != nil {
		t.Fatal(err)
	}
	return o
}

// wall is a file that a fit without help refuses or gets wrong.
type wall struct {
	name  string
	file  string
	make  func(t *testing.T, o *openTable, path string)
	clack []string // what the user does before the fit, one action each: JavaScript on the page
}

// choose and type are actions on a control of the page.
func choose(at, value string) string {
	return fmt.Sprintf(`(() => { const c = [...document.querySelectorAll('#channels [data-at]')].find(e => e.dataset.at === %q); c.value = %q; c.dispatchEvent(new Event('change')); })()`, at, value)
}

func walls() []wall {
	csv := func(change func(o *openTable)) func(t *testing.T, o *openTable, path string) {
		return func(t *testing.T, o *openTable, path string) { change(o); o.write(t, path, ",", bareNumber) }
	}
	scaled := func(kind string, by, zero float64, whole bool) func(o *openTable) {
		return func(o *openTable) {
			o.eachOf(kind, func(c []float64) {
				for k := range c {
					if c[k] = c[k]*by + zero; whole {
						c[k] = math.Round(c[k])
					}
				}
			})
		}
	}
	// by has a script of Python write the log; without its libraries the wall is passed over.
	by := func(script, libraries string, into ...string) func(t *testing.T, o *openTable, path string) {
		return func(t *testing.T, o *openTable, path string) {
			python := os.Getenv("IDENT_PYTHON")
			if python == "" {
				t.Skip("IDENT_PYTHON names no Python with " + libraries)
			}
			dir := t.TempDir()
			o.write(t, filepath.Join(dir, "log.csv"), ",", bareNumber)
			args := []string{filepath.Join("testdata", "journeys", script), filepath.Join(dir, "log.csv")}
			for _, name := range into {
				args = append(args, filepath.Join(dir, name))
			}
			if out, err := exec.Command(python, append(args, path)...).CombinedOutput(); err != nil {
				t.Skipf("%s: %v\n%s", script, err, out)
			}
		}
	}
	bag := by("bags.py", "rosbags and mcap", "bag")
	return []wall{
		{"encoder counts", "log.csv", csv(scaled("q", 16384/math.Pi, 0, true)),
			[]string{`document.getElementById('alike').click()`, choose("q1 scale", "2π/32768")}},
		{"degrees in silence", "log.csv", csv(scaled("q", 180/math.Pi, 0, false)), nil},
		{"clock in milliseconds", "log.csv", csv(scaled("t", 1000, 0, false)), nil},
		{"German Excel", "log.csv", func(t *testing.T, o *openTable, path string) {
			for i, name := range o.names {
				for of, to := range map[string]string{"t": "Zeit", "q": "Winkel ", "dq": "Geschwindigkeit ", "tau": "Drehmoment "} {
					if rest := strings.TrimPrefix(name, of); rest != name && strings.Trim(rest, "0123456789") == "" {
						o.names[i] = to + rest
					}
				}
			}
			o.write(t, path, ";", func(i int, v float64) string { return strings.ReplaceAll(strconv.FormatFloat(v, 'f', 6, 64), ".", ",") })
		}, nil},
		{"swapped joints", "log.csv", csv(func(o *openTable) {
			a, b := slices.Index(o.names, "tau2"), slices.Index(o.names, "tau3")
			o.columns[a], o.columns[b] = o.columns[b], o.columns[a]
		}), nil},
		{"held samples", "log.csv", csv(func(o *openTable) {
			for k := 100; k < len(o.columns[0]); k++ {
				if k%50 < 3 {
					for i, c := range o.columns {
						if o.names[i] != "t" {
							c[k] = c[k-1]
						}
					}
				}
			}
		}), nil},
		{"no rate", "log.csv", csv(func(o *openTable) { o.names, o.columns = o.names[1:], o.columns[1:] }),
			[]string{`document.getElementById('key').value = 'rate'; document.getElementById('value').value = '100'`, `document.querySelector('#setting button').click()`}},
		{"shuffled names of a bag", "run.mcap", func(t *testing.T, o *openTable, path string) {
			joints := []string{"waist", "shoulder", "elbow", "wrist_roll", "wrist_bend", "flange_turn"}
			for i, name := range o.names {
				if kind := strings.TrimRight(name, "0123456789"); kind != "t" {
					k, _ := strconv.Atoi(name[len(kind):])
					o.names[i] = kind + "_" + joints[k-1]
				}
			}
			bag(t, o, path)
		}, nil},
		{"HDF5 of ALOHA", "episode_0.hdf5", by("aloha.py", "h5py"),
			[]string{`document.getElementById('key').value = 'rate'; document.getElementById('value').value = '100'`, `document.querySelector('#setting button').click()`}},
		{"jump in one encoder", "log.csv", csv(func(o *openTable) {
			c := o.of("q3")
			for k := 1500; k < len(c); k++ {
				c[k] += 0.3
			}
		}), []string{`document.getElementById('key').value = 'rows'; document.getElementById('value').value = 'log:1-1500'`, `document.querySelector('#setting button').click()`}},
	}
}

// openRun is ident open as it runs.
type openRun struct {
	address string
	end     func() int
}

// startOpen runs ident open until end is called.
func startOpen(t testing.TB, args ...string) openRun {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, append([]string{"open", "--address"}, args...), streams{out: out, err: io.Discard})
		out.Close()
	}()
	address, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		t.Fatalf("ident open %v: %v", args, err)
	}
	go func() { _, _ = io.Copy(io.Discard, in) }()
	return openRun{strings.TrimSpace(address), func() int { cancel(); return <-ended }}
}

// until waits up to four minutes for a condition of the page, as long as a loaded machine may take.
func until(t testing.TB, p *browser.Page, about, condition string) {
	t.Helper()
	for deadline := time.Now().Add(4 * time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var ok bool
		if p.Eval("Boolean("+condition+")", &ok); ok {
			return
		}
	}
	var seen string
	p.Eval(`JSON.stringify({stage: doc.stage, problem: doc.problem, fit: doc.fit, file: doc.file?.problem, findings: doc.findings?.map(f => f.id + ' ' + f.why)}).slice(0, 1500)`, &seen)
	t.Fatalf("%s: not so: %s", about, seen)
}

// Files that are walls to a newcomer are opened, mended and fitted with at most four actions, and the file that the page
// writes gives the same fit on the command line.
func TestOpenWalls(t *testing.T) {
	long.Only(t, "drives a browser through ten fits")
	b := browser.Start(t)
	robot, err := filepath.Abs("../../datasets/example/puma560.urdf")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range walls() {
		t.Run(w.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), w.file)
			w.make(t, exampleTable(t, 4000), path)
			o := startOpen(t, path, robot)
			began := time.Now()
			p := b.Open(t, o.address, 1400, 900)
			until(t, p, "curves", `view && !doc.stage`)
			opened := time.Since(began)
			clicks := 0
			for _, act := range w.clack {
				p.Eval(act+"; 0", nil)
				clicks++
			}
			until(t, p, "the settings are ready", `!doc.stage && doc.file.sum && !document.getElementById('fit').disabled`)
			var found string
			p.Eval(`doc.findings.filter(f => f.severity !== 'info').map(f => f.id + (f.repair ? (f.on ? ' repaired' : ' left') : '')).join(', ')`, &found)
			p.Eval(`document.getElementById('fit').click()`, nil)
			p.Eval(`document.getElementById('write').click()`, nil)
			clicks += 2
			until(t, p, "a fit", `doc.fit && doc.file.written`)
			t.Logf("%s: curves and check after %.1f s, fit after %.1f s, %d actions; %s", w.name, opened.Seconds(), time.Since(began).Seconds(), clicks, found)
			var grade, folder string
			p.Eval(`doc.fit.grade || doc.fit.problem`, &grade)
			p.Eval(`doc.fit.folder || ''`, &folder)
			if grade != string(result.Sound) {
				t.Errorf("the fit is %s", grade)
			}
			if clicks > 4 {
				t.Errorf("%d actions", clicks)
			}
			for _, s := range append(p.Problems(), foreign(p, o.address)...) {
				t.Errorf("page: %s", s)
			}
			if code := o.end(); code != exitDone {
				t.Errorf("ident open ended with %d", code)
			}
			again := filepath.Join(t.TempDir(), "again.ident")
			text, _ := commandLine(t, exitDone, "fit", path, "-o", again, "--json")
			var onLine, onPage result.Result
			page, err := os.ReadFile(filepath.Join(folder, "result.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := errorsOf(json.Unmarshal([]byte(text), &onLine), json.Unmarshal(page, &onPage)); err != nil {
				t.Fatal(err)
			}
			for i := range onLine.BaseParameters {
				if a, b := onLine.BaseParameters[i], onPage.BaseParameters[i]; a.Value != b.Value || a.Sigma != b.Sigma {
					t.Errorf("%s: %g by the file, %g on the page", a.Name, a.Value, b.Value)
				}
			}
		})
	}
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// foreign returns the requests of a page to other addresses than its own.
func foreign(p *browser.Page, address string) (out []string) {
	own, _, _ := strings.Cut(address, "#")
	for _, r := range p.Requests() {
		if !strings.HasPrefix(r, own) {
			out = append(out, r)
		}
	}
	return out
}

// The page of an opened log at 390 px, by keyboard, in both themes, by axe-core where -axe names it.
func TestOpenPage(t *testing.T) {
	long.Only(t, "drives a browser")
	b := browser.Start(t)
	robot, err := filepath.Abs("../../datasets/example/puma560.urdf")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "log.csv")
	walls()[1].make(t, exampleTable(t, 3000), path)
	o := startOpen(t, path, robot)
	defer o.end()
	p := b.Open(t, o.address, 1400, 900)
	until(t, p, "curves", `view && viewer && !doc.stage`)
	sideways := `document.documentElement.scrollWidth > innerWidth`
	picture := func(name string) {
		if *look != "" {
			write(t, filepath.Join(*look, name+".png"), string(p.Screenshot(true)))
		}
	}
	p.Truth("no sideways scroll", "!("+sideways+")")
	picture("open")
	// By keyboard: the switch of the repair of units.
	p.Eval(`document.querySelector('#findings input[type=checkbox]').focus(); show(structuredClone(doc))`, nil)
	p.Truth("a redraw leaves the focus", `document.activeElement.matches('#findings input[type=checkbox]')`)
	p.Key(" ")
	until(t, p, "the repair is off", `!doc.stage && doc.declined.length > 0 && doc.findings.some(f => f.repair && !f.on)`)
	p.Truth("and not in the file", `!doc.file.lines.some(l => l.text.includes('deg'))`)
	p.Key(" ") // the focus is on the switch still
	until(t, p, "the repair is on again", `!doc.stage && doc.declined.length === 0 && doc.file.lines.some(l => l.text.includes('deg'))`)
	p.Eval(`(() => { const c = document.querySelector('#channels [data-at="q2 zero"]'); c.focus(); c.value = '7'; const next = structuredClone(doc); next.channels[0].why = 'another'; show(next); })()`, nil)
	p.Truth("a redraw leaves what is being typed", `document.activeElement.dataset.at === 'q2 zero' && document.activeElement.value === '7'`)
	p.Eval(choose("q2 zero", "1.5"), nil)
	until(t, p, "a zero", `!doc.stage && doc.edits.length === 1 && doc.channels.find(c => c.name === 'q2').set.zero === '1.5'`)
	p.Eval(`document.querySelectorAll('#curve-chips button')[2].click(); view.from = 3; view.to = 5; window.before = view; 0`, nil)
	p.Truth("and taken back", `(document.querySelector('#edits button').click(), true)`)
	until(t, p, "which is taken back", `!doc.stage && doc.edits.length === 0 && view !== before`)
	until(t, p, "curves that are read again show the rows and the time of before", `!view.shown[2] && view.from === 3 && view.to === 5 && document.querySelectorAll('#curve-chips button')[2].getAttribute('aria-pressed') === 'false'`)
	p.Prefer("screen", "dark")
	p.Truth("dark", `getComputedStyle(document.body).backgroundColor === 'rgb(21, 25, 29)'`)
	picture("open-dark")
	p.Prefer("screen", "light")
	p.Resize(390, 844)
	p.Truth("no sideways scroll at 390 px", "!("+sideways+")")
	picture("open-390")
	if *axe != "" {
		script, err := os.ReadFile(*axe)
		if err != nil {
			t.Fatal(err)
		}
		p.Eval(string(script)+"; 0", nil)
		var found []string
		p.Eval(`axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 120)).join(' | ').slice(0, 400)))`, &found)
		for _, f := range found {
			t.Errorf("axe: %s", f)
		}
	}
	for _, s := range append(p.Problems(), foreign(p, o.address)...) {
		t.Errorf("page: %s", s)
	}
}
