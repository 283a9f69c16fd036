package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ident/cmd/ident/internal/laboratory"
	"ident/datasets"
	"ident/identify/project"
	"ident/internal/browser"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/result"
)

var (
	built = flag.String("lab", "", "folder of a laboratory that is built already, for TestLaboratory")
	look  = flag.String("pictures", "", "folder into which TestLaboratory writes pictures of the page")
	axe   = flag.String("axe", "", "axe.min.js of axe-core, which then judges the page in TestLaboratory")
)

// The laboratory in a browser: what it shows and saves is what this program does with the same files.
func TestLaboratory(t *testing.T) {
	long.Only(t, "TestLab of cmd/ident serves the page; the program in it is the one of all other tests")
	b := browser.Start(t)
	program := buildProgram(t)
	l := newLaboratory(t, labFolder(t, program))
	l.program = program
	// One page for all, since its start costs more than a check.
	p := l.open(t, b)
	testLabExample(t, p)
	testLabDesign(t, p)
	testLabRepairs(t, p)
	testLabBadFiles(t, p)
	testLabOpen(t, p)
	p.quiet()
	p = testLabEnds(t, p, b)
	t.Run("measured", func(t *testing.T) {
		long.OnlyAll(t, "the example's checks and fits are compared, and its log with another robot")
		p.t = t
		testLabMeasured(t, p)
		p.quiet()
	})
}

// lab is a laboratory on a server that counts requests.
type lab struct {
	address  string
	program  string // for this machine
	wasm     string // that of the page, unpacked
	example  string // its log
	requests atomic.Int64
}

// labPage is an open page of it.
type labPage struct {
	*browser.Page
	t      *testing.T
	lab    *lab
	before int64 // requests until the page was ready
}

// buildProgram builds the program for this machine.
func buildProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ident")
	if out, err := exec.Command("go", "build", "-o", path, "ident/cmd/ident").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// labFolder builds the laboratory, or returns the one of -lab.
func labFolder(t *testing.T, program string) string {
	t.Helper()
	if *built != "" {
		return *built
	}
	dir := t.TempDir()
	c := exec.Command("../../web/build", dir)
	c.Env = append(os.Environ(), "IDENT_BINARY="+program)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("web/build: %v\n%s", err, out)
	}
	t.Logf("%s", out)
	if !long.All() {
		shorten(t, program, filepath.Join(dir, "puma560.parquet"))
	}
	return dir
}

// shorten keeps the first third of a log, which the program in the page reads, checks and fits in half the time.
func shorten(t *testing.T, program, path string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), filepath.Base(path))
	for _, line := range [][]string{{path, "-o", log, "--rows", "puma560:1-2000"}, {log, "-o", path, "--overwrite"}} {
		if out, err := exec.Command(program, append([]string{"convert"}, line...)...).CombinedOutput(); err != nil {
			t.Fatalf("convert: %v\n%s", err, out)
		}
	}
}

// newLaboratory serves a folder.
func newLaboratory(t *testing.T, folder string) *lab {
	t.Helper()
	files, done, err := laboratory.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	log, err := fs.ReadFile(files, "puma560.parquet")
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{example: string(log), wasm: filepath.Join(t.TempDir(), "ident.wasm")}
	packed, err := files.Open("ident.wasm.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	program, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(program)
	if err != nil {
		t.Fatal(err)
	}
	write(t, l.wasm, string(text))
	handler := laboratory.Handler(files)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.requests.Add(1)
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.Close()
		if err := done(); err != nil {
			t.Error(err)
		}
	})
	l.address = server.URL + "/"
	return l
}

// open opens the page anew and waits until it takes files.
func (l *lab) open(t *testing.T, b *browser.Browser) *labPage {
	t.Helper()
	began := time.Now()
	p := &labPage{Page: b.Open(t, l.address, 1280, 800), t: t, lab: l}
	p.wait("the program is loaded", `!document.getElementById('example').disabled`)
	t.Logf("loaded after %.1f s", time.Since(began).Seconds())
	p.before = l.requests.Load()
	return p
}

// quiet fails the test where the page asked for anything after it was loaded, or the console holds an error or a warning.
func (p *labPage) quiet() {
	p.t.Helper()
	n := p.lab.requests.Load() - p.before
	for _, r := range p.Requests() {
		if !strings.HasPrefix(r, p.lab.address) && !strings.HasPrefix(r, "blob:"+p.lab.address) {
			n++
			p.t.Errorf("request: %s", r)
		}
	}
	if p.t.Logf("%d requests after loading", n); n != 0 {
		p.t.Error("requests after loading")
	}
	for _, s := range p.Problems() {
		p.t.Errorf("console: %s", s)
	}
}

const (
	labIdle  = `document.getElementById('work').hidden && !document.querySelector('.busy')`
	labFound = `document.getElementById('findings-words').textContent && ` + labIdle
)

// wait waits for a condition.
func (p *labPage) wait(about, condition string) {
	p.t.Helper()
	for end := time.Now().Add(4 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		var ok bool
		p.Eval(`Boolean(`+condition+`)`, &ok)
		if ok {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("%s: not so: %s\n%s\n%s", about, condition, p.text("body"), strings.Join(p.Problems(), "\n"))
		}
	}
}

// list asks for the list of findings where the files allow it.
func (p *labPage) list() {
	p.t.Helper()
	p.wait("files", `!document.getElementById('taken').hidden || document.getElementById('problems').textContent`)
	p.Eval(`document.getElementById('list').click()`, nil)
}

// clear removes all files.
func (p *labPage) clear() {
	p.t.Helper()
	p.Eval(`document.getElementById('clear').click()`, nil)
	p.wait("no files", `document.getElementById('taken').hidden && `+labIdle)
}

// text returns the text of an element.
func (p *labPage) text(selector string) (text string) {
	p.t.Helper()
	p.Eval(fmt.Sprintf(`document.querySelector(%q).innerText`, selector), &text)
	return text
}

// press moves to an element by the tabulator and presses Enter there. It takes the link past the page of a log, whose channels have fields each.
func (p *labPage) press(id string) {
	p.t.Helper()
	for range 200 {
		p.Key("Tab")
		var at string
		switch p.Eval(`document.activeElement.id || document.activeElement.hash || ''`, &at); at {
		case id:
			p.Key("Enter")
			return
		case "#settings-title":
			p.Key("Enter")
		}
	}
	p.t.Fatalf("the tabulator does not reach %s", id)
}

// fit presses the button and waits for the result with this number, and for its comparison.
func (p *labPage) fit(n int) {
	p.t.Helper()
	began := time.Now()
	if n < 3 {
		p.press("fit")
	} else {
		p.Eval(`document.getElementById('fit').click()`, nil)
	}
	p.wait(fmt.Sprintf("fit %d", n), fmt.Sprintf(`document.querySelector('#%s h3').textContent.startsWith('Fit %d') && %s`, map[bool]string{true: "first", false: "second"}[n == 1], n, labIdle))
	p.t.Logf("fit after %.2f s: %s", time.Since(began).Seconds(), p.text(map[bool]string{true: "#first", false: "#second"}[n == 1]+" h3"))
}

// saved presses the button of a column that saves a file, and returns the file.
func (p *labPage) saved(dir, selector, label, name string) []byte {
	p.t.Helper()
	path := filepath.Join(dir, name)
	if err := os.RemoveAll(path); err != nil {
		p.t.Fatal(err)
	}
	var found bool
	p.Eval(fmt.Sprintf(`(() => { const b = [...document.querySelectorAll(%q)].find(b => b.textContent === %q); b?.click(); return Boolean(b); })()`, selector+" button", label), &found)
	if !found {
		p.t.Fatalf("%s has no button %q", selector, label)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		// Chromium makes an empty file first, writes another one and renames that.
		if content, err := os.ReadFile(path); err == nil && len(content) > 0 {
			return content
		}
	}
	p.t.Fatalf("%q saved no %s", label, name)
	return nil
}

// native runs the program on this machine in the folder of the test and returns what it prints.
func (p *labPage) native(code int, line ...string) []byte {
	p.t.Helper()
	var out, errs bytes.Buffer
	c := exec.Command(p.lab.program, line...)
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = nil
	}
	if err != nil || c.ProcessState.ExitCode() != code {
		p.t.Fatalf("%s: exit code %d, %v\n%s", strings.Join(line, " "), c.ProcessState.ExitCode(), err, errs.String())
	}
	return out.Bytes()
}

// sameFindings compares the findings of the page with those of this program.
func (p *labPage) sameFindings(document []byte) {
	p.t.Helper()
	var doc struct {
		Findings []project.Finding `json:"findings"`
	}
	if err := json.Unmarshal(document, &doc); err != nil {
		p.t.Fatal(err)
	}
	var want, got []string
	for _, g := range project.GroupFindings(doc.Findings) {
		want = append(want, strings.Replace(string(g[0].Severity), "info", "remark", 1)+" "+g[0].ID)
	}
	p.Eval(`[...document.querySelectorAll('#findings li')].map(l => l.querySelector('strong').textContent + ' ' + l.querySelector('code').textContent)`, &got)
	if !slices.Equal(got, want) {
		p.t.Errorf("findings %q, on the command line %q", got, want)
	}
	p.t.Logf("%d findings, as on the command line", len(want))
}

// sameResult compares a result.json of the page with that of this program, and returns the largest difference of a base parameter
// beside the largest of them.
func sameResult(t *testing.T, got, want []byte) {
	t.Helper()
	var a, b result.Result
	if err := json.Unmarshal(got, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(want, &b); err != nil {
		t.Fatal(err)
	}
	if len(a.BaseParameters) != len(b.BaseParameters) || a.Grade.Value != b.Grade.Value {
		t.Fatalf("%d base parameters, %s; on the command line %d, %s", len(a.BaseParameters), a.Grade.Value, len(b.BaseParameters), b.Grade.Value)
	}
	var largest, off float64
	for k, x := range a.BaseParameters {
		y := b.BaseParameters[k]
		if x.Name != y.Name {
			t.Fatalf("base parameter %s, on the command line %s", x.Name, y.Name)
		}
		largest, off = math.Max(largest, math.Abs(y.Value)), math.Max(off, math.Abs(x.Value-y.Value))
	}
	t.Logf("%d base parameters within %.2g of the largest", len(a.BaseParameters), off/largest)
	// The same sums in the same order, but for the kernels in assembly: 1e-9 is what the page promises.
	if !(off <= 1e-9*largest) {
		t.Errorf("base parameters differ by %.3g of the largest", off/largest)
	}
}

// labExtensions lists those of logs that are read, and that are written.
func labExtensions(t *testing.T) string {
	t.Helper()
	read, written := datasets.Extensions()
	text, err := json.Marshal([][]string{read, written})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var number = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?`)

// sameText compares a text of the page with that of this program: the same but for numbers, which agree to 1e-9.
func sameText(t *testing.T, name, got, want string) {
	t.Helper()
	if a, b := number.ReplaceAllString(got, "0"), number.ReplaceAllString(want, "0"); a != b {
		t.Errorf("%s is\n%s\non the command line\n%s", name, got, want)
		return
	}
	numbers, off := number.FindAllString(want, -1), 0.0
	for k, text := range number.FindAllString(got, -1) {
		x, err := strconv.ParseFloat(text, 64)
		y, err2 := strconv.ParseFloat(numbers[k], 64)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		off = math.Max(off, math.Abs(x-y)/math.Max(1, math.Abs(y)))
	}
	t.Logf("%s: %d numbers within %.2g", name, len(numbers), off)
	if off > 1e-9 {
		t.Errorf("%s: numbers differ by %.3g", name, off)
	}
}

// testLabExample goes from the example to two results by the keyboard alone.
func testLabExample(t *testing.T, p *labPage) {
	saves := t.TempDir()
	p.Downloads(saves)
	began := time.Now()
	p.press("example")
	p.press("list")
	p.wait("a finding", `document.querySelector('#findings li')`)
	t.Logf("first finding after %.2f s", time.Since(began).Seconds())
	p.wait("the robot", labFound)
	t.Logf("robot after %.2f s", time.Since(began).Seconds())

	t.Chdir(t.TempDir())
	write(t, "puma560.urdf", string(datasets.ExampleRobot()))
	write(t, "puma560.parquet", p.lab.example)
	p.sameFindings(p.native(0, "check", "puma560.parquet", "--robot", "puma560.urdf", "--json"))
	p.Truth("the lists of extensions are the program's", fmt.Sprintf(`await import(new URL('drop.js', location.href)).then(m => JSON.stringify([m.logs, m.written]) === %q)`, labExtensions(t)))
	p.picture("findings")
	p.fit(1)
	p.picture("one")
	p.Eval(`(() => { const f = document.getElementById('cutoff'); f.value = '8'; f.dispatchEvent(new Event('input', {bubbles: true})); f.focus(); })()`, nil)
	p.Truth("the line says what the fit is", `document.getElementById('line').textContent === 'ident fit puma560.parquet --robot puma560.urdf --cutoff 8 -o fit2'`)
	p.fit(2)
	p.Truth("two results and what differs", `!document.getElementById('first').hidden && !document.getElementById('second').hidden && !document.getElementById('difference').hidden`)
	p.looks("two")
	for n, line := range map[int]string{1: "fit puma560.parquet --robot puma560.urdf -o fit1", 2: "fit puma560.parquet --robot puma560.urdf --cutoff 8 -o fit2"} {
		column, folder := map[int]string{1: "#first", 2: "#second"}[n], fmt.Sprintf("fit%d", n)
		p.native(0, strings.Fields(line)...)
		saved := map[string][]byte{}
		for _, name := range []string{"robot.urdf", "command.txt", "residuals.parquet", "report.html", "result.json"} {
			got := p.saved(saves, column+" .downloads", name, name)
			saved[filepath.Join(folder, name)] = got
			want, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			switch name {
			case "robot.urdf", "command.txt":
				if !bytes.Equal(got, want) {
					t.Errorf("%s is %q, on the command line %q", name, got, want)
				}
			case "result.json":
				sameResult(t, got, want)
			default: // holds numbers in binary: as many of them
				if off := len(got) - len(want); off < -len(want)/100 || off > len(want)/100 {
					t.Errorf("%s has %d bytes, on the command line %d", name, len(got), len(want))
				}
			}
		}
		for label, name := range map[string]string{"URDF": "identified.urdf", "MJCF": "identified.xml"} {
			got := p.saved(saves, column+" .downloads", "Identified robot, "+label, name)
			saved[name] = got
			p.native(0, "export", folder, "--to", strings.ToLower(label), "-o", name, "--overwrite")
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			sameText(t, name, string(got), string(want))
		}
		if n == 2 && !long.All() {
			continue // the first fit stands for it
		}
		p.sameBytes(saved, line, "export "+folder+" --to urdf -o identified.urdf --overwrite", "export "+folder+" --to mjcf -o identified.xml --overwrite")
	}
}

// sameBytes holds what the page saved against the files that its program writes on the command line, in Node.js: they are equal to the byte.
// Those of the program for this machine agree in all but the last digits, as its kernels fuse and reorder what WebAssembly rounds one by one.
func (p *labPage) sameBytes(saved map[string][]byte, lines ...string) {
	p.t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		p.t.Log("not held against the same program on the command line: Node.js is not installed")
		return
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		p.t.Fatal(err)
	}
	for _, line := range lines {
		args := []string{"--stack-size=8192", filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js"), p.lab.wasm}
		c := exec.Command(node, append(args, strings.Fields(line)...)...)
		if out, err := c.CombinedOutput(); err != nil {
			p.t.Fatalf("%s in Node.js: %v\n%s", line, err, out)
		}
	}
	for path, got := range saved {
		want, err := os.ReadFile(path)
		if err != nil {
			p.t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			p.t.Errorf("%s has %d bytes, from the same program on the command line %d others", path, len(got), len(want))
		}
	}
	p.t.Logf("%d files, each the bytes of the same program on the command line", len(saved))
}

// testLabEnds ends a fit by its button, and another one by closing the page. It returns a new page.
func testLabEnds(t *testing.T, p *labPage, b *browser.Browser) *labPage {
	working := `!document.getElementById('work').hidden && document.getElementById('bar').value > 0`
	p.clear()
	p.Eval(`document.getElementById('example').click()`, nil)
	p.list()
	p.wait("a check", labFound)
	p.Eval(`window.title = document.querySelector('#second h3').textContent; document.getElementById('fit').click()`, nil)
	p.wait("a fit at work", working)
	p.Eval(`document.getElementById('cancel').click()`, nil)
	p.wait("the end of it", labIdle)
	p.Truth("no further result, and another fit can begin", `document.querySelector('#second h3').textContent === title && !document.getElementById('fit').disabled`)
	p.Eval(`document.getElementById('fit').click()`, nil)
	p.wait("another fit at work", working)
	p.Close()
	return p.lab.open(t, b)
}

// testLabMeasured checks and fits three measured logs of one robot.
func testLabMeasured(t *testing.T, p *labPage) {
	data := filepath.Join(testrobot.DataDir(t), "data", "kuka_lwr4")
	dir := t.TempDir()
	t.Chdir(dir)
	var paths []string
	for _, from := range []string{"measurements_1.csv.gz", "measurements_2.csv.gz", "measurements_3.csv.gz", "model/kuka_lwr4.urdf"} {
		text, err := os.ReadFile(filepath.Join(data, from))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Base(from), string(text))
		paths = append(paths, filepath.Join(dir, filepath.Base(from)))
	}
	saves := t.TempDir()
	p.Downloads(saves)
	began := time.Now()
	p.Files("#files", paths...)
	p.list()
	p.wait("findings", labFound)
	t.Logf("findings after %.2f s", time.Since(began).Seconds())
	p.Eval(`(() => { const s = document.querySelector('select[aria-label="What measurements_1.csv.gz is"]'); s.value = 'validate'; s.dispatchEvent(new Event('change')); })()`, nil)
	p.wait("findings again", labFound)
	p.sameFindings(p.native(0, "check", "measurements_2.csv.gz", "measurements_3.csv.gz", "measurements_1.csv.gz", "--robot", "kuka_lwr4.urdf", "--json"))
	p.Eval(`document.getElementById('cutoff').value = '8'; document.getElementById('further').value = '--plain'`, nil)
	p.fit(1)
	p.native(0, strings.Fields("fit measurements_2.csv.gz measurements_3.csv.gz --robot kuka_lwr4.urdf --validate measurements_1.csv.gz --cutoff 8 --plain -o fit1")...)
	want, err := os.ReadFile("fit1/result.json")
	if err != nil {
		t.Fatal(err)
	}
	sameResult(t, p.saved(saves, "#first .downloads", "result.json", "result.json"), want)
}

// testLabRepairs mends a log with one position in degrees, by a setting and by a new log.
func testLabRepairs(t *testing.T, p *labPage) {
	dir, saves := t.TempDir(), t.TempDir()
	t.Chdir(dir)
	p.Downloads(saves)
	write(t, "arm.urdf", string(datasets.ExampleRobot()))
	write(t, "all.parquet", p.lab.example)
	p.native(0, "convert", "all.parquet", "-o", "all.csv")
	inDegrees(t, "all.csv", "log.csv", "q2")
	checked := p.native(3, "check", "log.csv", "--robot", "arm.urdf", "--json")
	p.clear()
	p.Files("#files", filepath.Join(dir, "arm.urdf"), filepath.Join(dir, "log.csv"))
	p.list()
	p.wait("findings", labFound)
	p.sameFindings(checked)
	p.looks("repair")
	p.Truth("an error with both repairs", `document.querySelector('#findings .bad .repair') && document.querySelector('#findings .bad .mend')`)
	p.Eval(`document.querySelector('#findings .bad .repair').click()`, nil)
	p.wait("findings after a setting", labFound+` && !document.querySelector('#findings .bad')`)
	p.Truth("the setting", `document.getElementById('unit').value === 'q2=deg'`)
	p.Eval(`document.getElementById('further').value = '--plain'`, nil)
	p.fit(3)
	p.Eval(`document.getElementById('unit').value = ''; document.getElementById('again').click()`, nil)
	p.wait("findings without the setting", labFound+` && document.querySelector('#findings .bad .mend')`)
	p.Eval(`document.querySelector('#findings .bad .mend').click()`, nil)
	p.wait("findings of the repaired log", labFound+` && document.getElementById('file-list').textContent.includes('log-repaired.csv') && !document.querySelector('#findings .bad')`)
	p.native(0, "check", "log.csv", "--robot", "arm.urdf", "--fix", "log-repaired.csv", "-q")
	want, err := os.ReadFile("log-repaired.csv")
	if err != nil {
		t.Fatal(err)
	}
	got := p.saved(saves, "#file-list", "Download", "log-repaired.csv")
	if !bytes.Equal(got, want) {
		t.Errorf("log-repaired.csv has %d bytes, on the command line %d others", len(got), len(want))
	}
	p.fit(4)
	p.Eval(`document.getElementById('further').value = ''`, nil)
}

// inDegrees copies a CSV log with one column in degrees.
func inDegrees(t *testing.T, from, to, column string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	at := -1
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimRight(line, "\n"), ",")
		switch {
		case strings.HasPrefix(line, "#"):
			continue
		case at < 0:
			at = slices.Index(cells, column)
		default:
			var x float64
			if _, err := fmt.Sscan(cells[at], &x); err != nil {
				t.Fatal(err)
			}
			cells[at] = fmt.Sprintf("%.9g", x*180/math.Pi)
		}
		out.WriteString(strings.Join(cells, ",") + "\n")
	}
	write(t, to, out.String())
}

// testLabBadFiles drops what no fit can be made of: each is said in words, and nothing goes on without an end.
func testLabBadFiles(t *testing.T, p *labPage) {
	dir := t.TempDir()
	t.Chdir(dir)
	arm, other := string(datasets.ExampleRobot()), string(datasets.MeasuredExample().Robot)
	log := p.lab.example
	write(t, "all.parquet", log)
	p.native(0, "convert", "all.parquet", "-o", "all.csv.gz")
	packed, err := os.ReadFile("all.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	for k, c := range []struct {
		name  string
		files map[string]string
		want  string // in the text of the page
	}{
		{"neither robot nor log", map[string]string{"notes.pdf": "%PDF"}, "notes.pdf is neither a robot file"},
		{"two robots", map[string]string{"a.urdf": arm, "b.urdf": other, "log.parquet": log}, "2 robot files: a.urdf, b.urdf. Choose"},
		{"a log of another robot", map[string]string{"b.urdf": other, "log.csv.gz": string(packed)}, `the log holds no position or torque of joint "joint7"`},
		{"a damaged log", map[string]string{"a.urdf": arm, "log.parquet": log[:len(log)/2]}, "the footer is missing"},
		{"a damaged archive", map[string]string{"a.urdf": arm, "log.csv.gz": string(packed[:len(packed)/2])}, "the gzip stream is cut off before its end"},
		{"an empty file", map[string]string{"a.urdf": arm, "log.csv": ""}, "log.csv is empty"},
		{"a robot alone", map[string]string{"a.urdf": arm}, "Drop a log of the robot"},
		{"a log alone", map[string]string{"log.csv": "t,q1,tau1\n0,0,0\n"}, "no robot: give --robot FILE"},
		{"a damaged robot", map[string]string{"a.urdf": arm[:len(arm)/2], "log.csv.gz": string(packed)}, "XML syntax: unexpected EOF"},
		{"columns without names", map[string]string{"a.urdf": arm, "log.csv": "a,b,c\n1,2,3\n2,3,4\n"}, "no time channel: the channels are a, b, c"},
		{"an archive of many", map[string]string{"all.zip": "PK\x03\x04"}, "all.zip is an archive: unpack it"},
		{"a large log", map[string]string{"a.urdf": arm, "large.csv": "sparse"}, "ident fit large.csv --robot a.urdf"},
	} {
		var paths []string
		for name, text := range c.files {
			path := filepath.Join(dir, fmt.Sprint(k), name)
			write(t, path, text)
			if text == "sparse" {
				if err := os.Truncate(path, 101e6); err != nil {
					t.Fatal(err)
				}
			}
			paths = append(paths, path)
		}
		slices.Sort(paths)
		p.clear()
		p.Files("#files", paths...)
		p.list()
		p.wait(c.name, `(document.getElementById('problems').textContent || document.getElementById('findings-words').textContent) && `+labIdle)
		text := p.text("#problems") + " | " + p.text("#findings-words") + " | " + p.text("#robot-words") + " | " + p.text("#findings")
		t.Logf("%s: %.600s", c.name, text)
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: the page does not say %q", c.name, c.want)
		}
		if k == 1 || k == 4 {
			p.looks("bad" + fmt.Sprint(k))
		}
	}
	// Dropped, not chosen.
	p.clear()
	p.Eval(`(() => { const d = new DataTransfer(); d.items.add(new File(['%PDF'], 'dropped.pdf')); dispatchEvent(new DragEvent('drop', {dataTransfer: d, cancelable: true})); })()`, nil)
	p.wait("a drop", `document.getElementById('problems').textContent.startsWith('dropped.pdf is neither')`)
	// A file that goes away after it was chosen.
	going := filepath.Join(dir, "going.parquet")
	write(t, going, log)
	p.clear()
	p.Files("#files", going)
	p.list()
	p.wait("a check", labFound)
	if err := os.Remove(going); err != nil {
		t.Fatal(err)
	}
	p.Eval(`document.getElementById('again').click()`, nil)
	p.wait("a file that went away", `document.getElementById('findings-words').textContent.startsWith('going.parquet changed or went away')`)
	p.Truth("no memory, in words", `await import(new URL('program.js', location.href)).then(m => m.words({code: 2, err: 'fatal error: runtime: out of memory'}).startsWith('The browser has no memory left'))`)
}

// looks holds the page at three sizes and in both themes: nothing scrolls sideways, axe-core finds nothing, and pictures are
// written where they were asked for.
func (p *labPage) looks(name string) {
	p.t.Helper()
	if *axe != "" {
		source, err := os.ReadFile(*axe)
		if err != nil {
			p.t.Fatal(err)
		}
		p.Eval(string(source)+"\n;0", nil)
	}
	for _, theme := range []string{"light", "dark"} {
		p.Prefer("screen", theme)
		for _, size := range [][2]int{{1280, 800}, {768, 1024}, {390, 844}} {
			p.Resize(size[0], size[1])
			p.Truth(fmt.Sprintf("%s at %d pixels does not scroll sideways", name, size[0]), `document.documentElement.scrollWidth <= innerWidth`)
			p.picture(fmt.Sprintf("%s-%d-%s", name, size[0], theme))
			if *axe != "" {
				var found []string
				p.Eval(`axe.run(document, {iframes: false}).then(r => r.violations.map(v => v.id + ': ' + v.help + ' (' + v.nodes.length + '): ' + v.nodes[0].target + ' ' + v.nodes[0].failureSummary))`, &found)
				for _, f := range found {
					p.t.Errorf("axe, %s at %d pixels, %s: %s", name, size[0], theme, f)
				}
			}
		}
	}
	p.Prefer("screen", "light")
	p.Resize(1280, 800)
}

// picture writes a picture of the whole page, and one of the window at the results, where they were asked for: frames
// out of the window are not painted.
func (p *labPage) picture(name string) {
	if *look == "" {
		return
	}
	p.Eval(`new Promise(r => setTimeout(r, 400))`, nil)
	p.save(name, true)
	p.Eval(`document.getElementById('columns').scrollIntoView(); new Promise(r => setTimeout(r, 1500))`, nil)
	p.save(name+"-results", false)
	p.Eval(`scrollTo(0, 0)`, nil)
}

func (p *labPage) save(name string, whole bool) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(*look, name+".png"), p.Screenshot(whole), 0o644); err != nil {
		p.t.Fatal(err)
	}
}
