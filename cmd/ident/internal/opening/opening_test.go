package opening

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/datasets"
	"ident/identify"
	"ident/identify/folder"
	"ident/identify/project"
)

const example = "../../../../datasets/example/puma560"

// fault changes the columns of the example's log by name.
type fault func(columns map[string][]float64)

// degrees turns the positions of all joints into degrees, of which the log says nothing.
func degrees(columns map[string][]float64) {
	for name, c := range columns {
		if strings.HasPrefix(name, "q") {
			for k := range c {
				c[k] *= 180 / math.Pi
			}
		}
	}
}

// logWith writes the example's log with a fault into a folder of its own and returns its path.
func logWith(t *testing.T, f fault) string {
	t.Helper()
	log, err := datasets.Open(example+".parquet", datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	columns, err := log.Columns(log.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string][]float64{}
	var channels []datasets.Channel
	for i, name := range log.Names() {
		columns[i] = columns[i][:3000]
		by[name] = columns[i]
		channels = append(channels, datasets.Channel{Name: name})
	}
	f(by)
	path := filepath.Join(t.TempDir(), "log.csv")
	if err := datasets.Write(path, channels, nil, func(w *datasets.Writer) error { return w.Append(columns) }); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a log and waits for its check.
func open(t *testing.T, path string) (*Session, Document) {
	t.Helper()
	file := filepath.Join(filepath.Dir(path), project.File)
	s := NewSession(t.Context(), Options{Logs: []string{path}, Robot: example + ".urdf", File: file, Settings: func() (*project.Settings, error) {
		if _, err := os.Stat(file); err != nil {
			return new(project.Settings), nil
		}
		return project.Read(file)
	}})
	return s, settled(t, s)
}

// settled waits until nothing goes on.
func settled(t *testing.T, s *Session) Document {
	t.Helper()
	for d := s.Document(t.Context(), -1); ; d = s.Document(t.Context(), d.Version) {
		if d.Stage == "" && (d.Problem != "" || d.Scene > 0 || d.Fit != nil) {
			return d
		}
		if t.Context().Err() != nil {
			t.Fatal("the look does not end")
		}
	}
}

// The repairs of a log are switches: one that is turned off is in the findings and not in the file; an edit by hand is in
// the file and named so.
func TestRepairsAreSwitches(t *testing.T) {
	path := logWith(t, degrees)
	s, d := open(t, path)
	units := slices.IndexFunc(d.Findings, func(f Finding) bool { return f.ID == "units" })
	if units < 0 || !d.Findings[units].On || len(d.Findings[units].Repair) == 0 || !strings.Contains(s.text, "deg") || s.Curves() == nil || s.Robot() == nil {
		t.Fatalf("problem %q, findings %+v", d.Problem, d.Findings)
	}
	if c := d.Channels[slices.IndexFunc(d.Channels, func(c Channel) bool { return c.Name == "q2" })]; c.Set["units"] != "deg" || c.Why != "by what the check found" || c.Role != "q2" {
		t.Errorf("%+v", c)
	}
	s.Change([]Edit{{Key: "cutoff", Value: "7"}, {Key: "zero", Value: "q3=0.5"}}, d.Findings[units].Repair)
	d = settled(t, s)
	if units = slices.IndexFunc(d.Findings, func(f Finding) bool { return f.ID == "units" }); units < 0 || d.Findings[units].On {
		t.Errorf("findings %+v", d.Findings)
	}
	var p *project.Settings
	var err error
	if p, err = project.ReadText([]byte(s.text), s.opt.File); err != nil {
		t.Fatal(err)
	}
	if len(p.Units) != 0 || p.Zero["q3"] != 0.5 || p.Cutoff == nil || *p.Cutoff != 7 {
		t.Errorf("units %v, zero %v, cut-off %v", p.Units, p.Zero, p.Cutoff)
	}
}

// The file that is written gives the fit of the page, to the last bit.
func TestWrittenFileGivesTheSameFit(t *testing.T) {
	path := logWith(t, degrees)
	s, d := open(t, path)
	if err := s.Fit(d.File.Sum); err != nil {
		t.Fatal(err)
	}
	d = settled(t, s)
	if d.Fit == nil || d.Fit.Problem != "" || !strings.Contains(s.Page(), "<html") {
		t.Fatalf("fit %+v, problem %q", d.Fit, d.Problem)
	}
	if err := s.Write(d.File.Sum); err != nil {
		t.Fatal(err)
	}
	p, err := identify.Open("", path)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := p.Fit(t.Context(), identify.FitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	saved, err := identify.OpenResult(d.Fit.Folder, folder.Seals{})
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range fit.Result.BaseParameters {
		if saved.Fitted.Result.BaseParameters[i].Value != b.Value || math.IsNaN(b.Value) {
			t.Errorf("%s is %g in the page, %g by the file", b.Name, saved.Fitted.Result.BaseParameters[i].Value, b.Value)
		}
	}
	if d.Fit.Folder != folder.Default(path) || d.Fit.Grade != string(fit.Result.Grade.Value) {
		t.Errorf("%s in %s", d.Fit.Grade, d.Fit.Folder)
	}
}

// A project file keeps its comments and its other keys; one that changed on disk since is not replaced.
func TestWriteKeepsTheFile(t *testing.T) {
	path := logWith(t, degrees)
	file := filepath.Join(filepath.Dir(path), project.File)
	const old = "# mine\ncutoff: 6  # of the drives\n\nunits: {tau1: N.m}\nseed: 5\n"
	if err := os.WriteFile(file, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	s, d := open(t, path)
	if !d.File.Old || len(d.File.Lines) == 0 {
		t.Fatalf("%+v %s", d.File, d.Problem)
	}
	if err := os.WriteFile(file, []byte(old+"# another hand\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(d.File.Sum); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that changed: %v", err)
	}
	if text, _ := os.ReadFile(file); string(text) != old+"# another hand\n" {
		t.Errorf("it was replaced by %s", text)
	}
	s.Change(nil, nil)
	d = settled(t, s)
	if err := s.Write("another sum"); !errors.Is(err, ErrChanged) {
		t.Errorf("a text that was not shown: %v", err)
	}
	if err := s.Write(d.File.Sum); err != nil {
		t.Fatal(err)
	}
	// A fit that was asked for before the page heard of that.
	if err := s.Fit(d.File.Sum); err != nil {
		t.Errorf("a fit of the text that was just written: %v", err)
	}
	if err := s.Fit("another sum"); !errors.Is(err, ErrChanged) {
		t.Errorf("a fit of another text: %v", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, keep := range []string{"# mine\n", "cutoff: 6  # of the drives\n", "tau1: N.m", "seed: 5\n", "# another hand\n", "q2: deg", "robot: "} {
		if !strings.Contains(string(text), keep) {
			t.Errorf("%q is not in the file:\n%s", keep, text)
		}
	}
	if err := s.Write(settled(t, s).File.Sum); err != nil {
		t.Errorf("the same once more: %v", err)
	}
}

// Bad input is a problem with its line and reason; the settings that may mend it are offered, and mend it.
func TestBadInputIsShown(t *testing.T) {
	path := logWith(t, func(map[string][]float64) {})
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for k := 40; k < 400; k++ {
		lines[k] = "0.4,what"
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	s, d := open(t, path)
	if !strings.Contains(d.Problem, ":41") && !strings.Contains(d.Problem, "line 41") || d.Setting != "on-bad" || s.Curves() == nil {
		t.Fatalf("problem %q, setting %q", d.Problem, d.Setting)
	}
	if len(d.Near) != 5 || d.Near[2] != (NearRow{41, "0.4,what", true}) || d.Near[0].Line != 39 {
		t.Errorf("lines about the place: %+v", d.Near)
	}
	s.Change([]Edit{{Key: "on-bad", Value: "drop"}}, nil)
	if d = settled(t, s); d.Problem != "" || !strings.Contains(d.Log.Left, "360 rows") || d.File.Sum == "" {
		t.Errorf("problem %q, left %q", d.Problem, d.Log.Left)
	}
	s.Change([]Edit{{Key: "no-such", Value: "1"}}, nil)
	if d = settled(t, s); !strings.Contains(d.Problem, "no-such") || d.Near != nil {
		t.Errorf("problem %q, lines %v", d.Problem, d.Near)
	}
	// No names of columns: the setting is asked for with a value to begin with, and mends it.
	names, rows, _ := strings.Cut(string(text), "\n")
	if err := os.WriteFile(path, []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	if s, d = open(t, path); d.Setting != "columns" || !strings.HasPrefix(d.Value, "t,q1..q") || len(d.Near) != 3 || !d.Near[0].At {
		t.Errorf("problem %q, setting %q %q, lines %+v", d.Problem, d.Setting, d.Value, d.Near)
	}
	s.Change([]Edit{{Key: "columns", Value: names}}, nil)
	if d = settled(t, s); d.Problem != "" || d.File.Sum == "" {
		t.Errorf("problem %q", d.Problem)
	}
}

// The server answers to who has the token, at its own host, from its own page; GET writes nothing.
func TestServerIsGuarded(t *testing.T) {
	path := logWith(t, func(map[string][]float64) {})
	s, d := open(t, path)
	const host, token = "127.0.0.1:4711", "secret"
	handler, err := Handler(s, host, token)
	if err != nil {
		t.Fatal(err)
	}
	call := func(method, at, host, token, origin, body string) (int, string) {
		r := httptest.NewRequest(method, at, strings.NewReader(body))
		r.Host = host
		if token != "" {
			r.Header.Set(TokenHeader, token)
		}
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		text, _ := io.ReadAll(w.Result().Body)
		return w.Code, string(text)
	}
	sum := fmt.Sprintf(`{"sum":%q}`, d.File.Sum)
	own := "http://" + host
	for _, c := range []struct {
		method, at, host, token, origin string
		want                            int
	}{
		{"GET", "/", host, "", "", 200},
		{"GET", "/", "evil.example", "", "", 421},
		{"GET", "/", "localhost:4711", "", "", 421},
		{"GET", "/document", host, "", "", 403},
		{"GET", "/document", host, "guess", "", 403},
		{"GET", "/document", host, token, "http://evil.example", 403},
		{"GET", "/document", host, token, "", 200},
		{"GET", "/curves", host, token, own, 200},
		{"GET", "/robot", host, token, own, 200},
		{"GET", "/report", host, token, own, 200},
		{"GET", "/write", host, token, own, 405},
		{"GET", "/fit", host, token, own, 405},
		{"HEAD", "/settings", host, token, own, 405},
		{"POST", "/write", host, token, "", 403},
		{"POST", "/write", host, token, "null", 403},
		{"POST", "/write", host, "", own, 403},
		{"POST", "/fit", host, token, "http://127.0.0.1:1", 403},
		{"GET", "/../" + path, host, token, own, 307},
		{"GET", "/log.csv", host, token, own, 404},
	} {
		if code, text := call(c.method, c.at, c.host, c.token, c.origin, sum); code != c.want {
			t.Errorf("%s %s at %s by %q from %q: %d, want %d: %.200s", c.method, c.at, c.host, c.token, c.origin, code, c.want, text)
		}
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 {
		t.Errorf("%v beside the log, %v", files, err)
	}
	if code, text := call("POST", "/write", host, token, own, `{"sum":"another"}`); code != http.StatusConflict {
		t.Errorf("another text: %d %s", code, text)
	}
	if code, text := call("POST", "/settings", host, token, own, "{"); code != http.StatusUnprocessableEntity {
		t.Errorf("no JSON: %d %s", code, text)
	}
	if code, text := call("POST", "/write", host, token, own, sum); code != 200 {
		t.Errorf("own page: %d %s", code, text)
	}
	if _, page := call("GET", "/", host, "", "", ""); strings.Contains(page, token) || strings.Contains(page, "log.csv") {
		t.Error("the page holds the token or the log")
	}
	if _, text := call("GET", "/document?since=-1", host, token, own, ""); !json.Valid([]byte(text)) {
		t.Error("no document")
	}
}

// A look that is out of date is cancelled: the document is that of the latest edits.
func TestLatestLookCounts(t *testing.T) {
	s, _ := open(t, logWith(t, degrees))
	for k := range 20 {
		s.Change([]Edit{{Key: "cutoff", Value: fmt.Sprint(3 + k)}}, nil)
	}
	d := settled(t, s)
	if len(d.Edits) != 1 || d.Edits[0].Value != "22" || !strings.Contains(s.text, "cutoff: 22") {
		t.Errorf("%+v", d.Edits)
	}
}

// Sizes of counts may be quotients; other texts stay for the settings to judge.
func TestQuotient(t *testing.T) {
	for text, want := range map[string]string{"2π/4096": fmt.Sprint(2 * math.Pi / 4096), "2pi / 4096 / 100": fmt.Sprint(2 * math.Pi / 4096 / 100), "π": fmt.Sprint(math.Pi), "1/1000": "0.001",
		"-1": "-1", "0.5": "0.5", "1/0": "1/0", "a/b": "a/b", "": "", "/": "/"} {
		if got := quotient(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// The lines of a difference make the new text of the old one.
func TestDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a: 1", "b: 2", "# c", ""}), 1, 12).Draw(t, name), "\n") + "x\n"
		}
		before, after := text("before"), text("after")
		count := map[string]int{}
		for _, l := range strings.Split(strings.TrimRight(before, "\n"), "\n") {
			count[l]++
		}
		for _, l := range difference(before, after) {
			switch l.Mark {
			case "+":
				count[l.Text]++
			case "-":
				count[l.Text]--
			}
		}
		for _, l := range strings.Split(strings.TrimRight(after, "\n"), "\n") {
			count[l]--
		}
		for l, n := range count {
			if n != 0 {
				t.Fatalf("%q is left %d times", l, n)
			}
		}
	})
	if got := difference("a\nb\nc\nd\ne\n", "a\nb\nX\nd\ne\n"); !slices.Equal(got, []Line{{" ", "b"}, {"-", "c"}, {"+", "X"}, {" ", "d"}}) {
		t.Errorf("%v", got)
	}
	if bytes.Contains([]byte(fmt.Sprint(difference("a\n", "a\n"))), []byte("a")) {
		t.Error("lines of no difference")
	}
}
