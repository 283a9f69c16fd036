package report

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"ident/internal/long"
	"ident/result"
)

var update = flag.Bool("update", false, "rewrite the golden files under testdata")

// fixtures are the results that every output must cope with.
func fixtures() map[string]fixture {
	alone := newFixture(7, 500)
	alone.res.Validation = nil
	alone.runs = alone.runs[:2]
	silent := newFixture(7, 500)
	silent.runs = nil
	short := newFixture(2, 1)
	empty := newFixture(3, 0)
	constant := newFixture(2, 300)
	for _, run := range constant.runs {
		for j := range run.Measured {
			copy(run.Predicted[j], run.Measured[j])
		}
	}
	force := newFixture(2, 300)
	force.res.JointUnits[1] = "N"
	return map[string]fixture{
		"seven joints":   newFixture(7, 3000),
		"one joint":      newFixture(1, 700),
		"thirty joints":  newFixture(30, 1200),
		"no validation":  alone,
		"no residuals":   silent,
		"empty runs":     empty,
		"one sample":     short,
		"exact fit":      constant,
		"prismatic":      force,
		"broken numbers": broken(newFixture(3, 400)),
		"hostile names":  hostile(newFixture(2, 400)),
		"nothing":        {res: &result.Result{}},
	}
}

// broken puts NaN and the infinities everywhere a float can stand.
func broken(f fixture) fixture {
	values := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, 1e308, -5e-324, 1.5}
	i := 0
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Float64:
			v.SetFloat(values[i%len(values)])
			i++
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Struct:
			for k := range v.NumField() {
				walk(v.Field(k))
			}
		case reflect.Slice, reflect.Array:
			for k := range v.Len() {
				walk(v.Index(k))
			}
		}
	}
	walk(reflect.ValueOf(f.res).Elem())
	for r, run := range f.runs {
		for k := 0; k < len(run.T); k += 7 {
			run.Measured[r%3][k] = values[k%len(values)]
			if r == 1 {
				run.T[k] = values[k%3]
			}
		}
		for k := range run.T {
			run.Predicted[2][k] = math.NaN()
		}
	}
	return f
}

// hostile gives everything a name that wants to break out of its place.
func hostile(f fixture) fixture {
	const name = "</title></svg><script src=\"//x\">&amp;'\"\x00\x1b[31m\xff\n\tL1,2 \ufffe"
	f.res.Robot.Name, f.res.Model, f.res.Schema = name, name, name
	f.res.Warnings, f.res.Notes = []string{name}, []string{name, strings.Repeat("long", 100)}
	for j := range f.res.Joints {
		f.res.Joints[j] = name + strings.Repeat("x", 200*j)
	}
	for i := range f.res.BaseParameters {
		b := &f.res.BaseParameters[i]
		b.Name, b.Expression, b.Link, b.Joint, b.Unit = name, name, name, name, name
	}
	for i := range f.res.StandardParameters {
		f.res.StandardParameters[i].Link = name
	}
	for i := range f.res.Verdicts {
		f.res.Verdicts[i].ID, f.res.Verdicts[i].Why = name, name
	}
	f.res.Impossible = []result.ImpossibleBody{{Link: name, Why: name}}
	for i := range f.runs {
		f.runs[i].Log = name
	}
	return f
}

// wellFormed reads a document as strict XML and returns its text and all
// attribute values.
func wellFormed(t *testing.T, name string, doc []byte) (text string, attributes []xml.Attr) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(doc))
	var b strings.Builder
	ids := map[string]bool{}
	scripts := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			// The page's own code and curves alone: a name that opens another script has broken out of its place.
			if most := map[bool]int{true: 3}[name == "page"]; scripts > most {
				t.Errorf("%s: %d scripts, at most %d", name, scripts, most)
			}
			return b.String(), attributes
		}
		if err != nil {
			t.Fatalf("%s: not well-formed: %v", name, err)
		}
		switch e := token.(type) {
		case xml.CharData:
			b.Write(e)
			b.WriteByte(' ')
		case xml.StartElement:
			if e.Name.Local == "script" {
				scripts++
			}
			if e.Name.Local == "link" || e.Name.Local == "iframe" {
				t.Errorf("%s: element %s", name, e.Name.Local)
			}
			for _, a := range e.Attr {
				attributes = append(attributes, a)
				if a.Name.Local == "id" {
					if ids[a.Value] {
						t.Errorf("%s: id %q twice", name, a.Value)
					}
					ids[a.Value] = true
				}
			}
		}
	}
}

func TestEveryFixture(t *testing.T) {
	for name, f := range fixtures() {
		if !long.Set() && slices.Contains([]string{"thirty joints", "seven joints", "exact fit", "prismatic"}, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			plots, err := Plots(t.Context(), f.res, f.runs, Options{Formats: []string{"svg"}})
			if err != nil {
				t.Fatal(err)
			}
			names := map[string]bool{}
			for _, p := range plots {
				if names[p.Name] || !regexp.MustCompile(`^[a-z0-9-]+$`).MatchString(p.Name) {
					t.Errorf("plot name %q is taken or unfit for a file", p.Name)
				}
				names[p.Name] = true
				checkSVG(t, p)
			}
			var page bytes.Buffer
			if err := HTML(t.Context(), &page, f.res, f.runs, plots, Options{Date: "2026-01-31"}); err != nil {
				t.Fatal(err)
			}
			checkPage(t, f.res, page.Bytes())
			if page.Len() > 5_000_000 {
				t.Errorf("page has %d bytes", page.Len())
			}
			var text bytes.Buffer
			Text(&text, f.res, 0)
			checkText(t, f.res, text.String())
		})
	}
}

func checkSVG(t *testing.T, p Plot) {
	t.Helper()
	if p.Title == "" || p.Caption == "" || !strings.Contains(p.Caption, "Filter: ") {
		t.Errorf("%s: title %q, caption %q lack something", p.Name, p.Title, p.Caption)
	}
	text, attributes := wellFormed(t, p.Name, p.SVG)
	if !strings.Contains(text, "prefers-color-scheme") {
		t.Errorf("%s: no style for dark screens", p.Name)
	}
	if !bytes.Contains(p.SVG, []byte("<title id=")) || !bytes.Contains(p.SVG, []byte(`role="img"`)) {
		t.Errorf("%s: no accessible name", p.Name)
	}
	for _, a := range attributes {
		if a.Name.Local == "style" {
			if m := regexp.MustCompile(`(fill|stroke):#`).FindString(a.Value); m != "" {
				t.Errorf("%s: colour outside the palette in %q", p.Name, a.Value)
			}
		}
		if (a.Name.Local == "d" || a.Name.Local == "x" || a.Name.Local == "y") && strings.ContainsAny(a.Value, "Nn") {
			t.Errorf("%s: %s=%.60q", p.Name, a.Name.Local, a.Value)
		}
	}
}

// checkPage reads the page as XML and looks for
// references to anything outside and for its required contents.
func checkPage(t *testing.T, res *result.Result, doc []byte) {
	t.Helper()
	text, attributes := wellFormed(t, "page", doc)
	for _, a := range attributes {
		switch a.Name.Local {
		case "href":
			if !strings.HasPrefix(a.Value, "#") || !bytes.Contains(doc, []byte(`id="`+a.Value[1:]+`"`)) {
				t.Errorf("link to %q", a.Value)
			}
		case "src":
			if !strings.HasPrefix(a.Value, "data:image/png;base64,") {
				t.Errorf("source %.60q", a.Value)
			}
		}
		if strings.HasPrefix(strings.ToLower(a.Name.Local), "on") {
			t.Errorf("event attribute %s", a.Name.Local)
		}
	}
	bare := bytes.ReplaceAll(doc, []byte(`xmlns="http://www.w3.org/2000/svg"`), nil)
	for _, remote := range []string{"http:", "https:", "url(", "@import", "<base"} {
		if bytes.Contains(bytes.ToLower(bare), []byte(remote)) {
			t.Errorf("page contains %q", remote)
		}
	}
	words := strings.Join(strings.Fields(text), " ")
	want := func(kind, s string) {
		s = strings.Join(strings.Fields(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\uFFFD"), "\uFFFD")), " ")
		if !strings.Contains(words, s) && !strings.ContainsAny(s, "\x1b\ufffd\ufffe") {
			t.Errorf("page lacks %s %q", kind, s)
		}
	}
	// Rounding is no number. Fixtures of many joints have parameters as small, and one is made of such numbers.
	prose := regexp.MustCompile(`(?s)<script.*?</script>|<svg.*?</svg>`).ReplaceAll(doc, nil)
	if noise := regexp.MustCompile(`[0-9]e-[1-9][0-9]`).Find(prose); noise != nil && len(res.Joints) <= 7 && !strings.Contains(t.Name(), "broken") {
		t.Errorf("page prints rounding: %q", noise)
	}
	want("filter", filterWords(res.Processing))
	want("verdict", judge(res).Line)
	for _, b := range res.BaseParameters {
		want("parameter", b.Name)
		want("expression", b.Expression)
	}
	for _, s := range res.StandardParameters {
		want("standard parameter", s.Name)
	}
	for _, v := range res.Verdicts {
		want("verdict", v.ID)
		want("reason", v.Why)
	}
	for _, b := range res.Impossible {
		want("body", b.Link)
		want("reason", b.Why)
	}
	for _, s := range append(append(append([]string(nil), res.Joints...), res.Warnings...), res.Notes...) {
		want("text", s)
	}
}

func checkText(t *testing.T, res *result.Result, text string) {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(line); n > textWidth {
			t.Errorf("line %d has %d columns: %s", i+1, n, line)
		}
		if strings.TrimRight(line, " ") != line {
			t.Errorf("line %d ends in spaces: %q", i+1, line)
		}
	}
	for _, bad := range []string{"NaN", "Inf", "\x1b", "\x00", "%!"} {
		if strings.Contains(text, bad) {
			t.Errorf("text contains %q", bad)
		}
	}
	sections := strings.Split(strings.TrimSpace(text), "\n\n")
	if last := sections[len(sections)-1]; !strings.HasPrefix(last, judge(res).Word+": ") {
		t.Errorf("text ends with %q", last)
	}
}

func TestTextGolden(t *testing.T) {
	alone := newFixture(2, 500)
	alone.res.Validation = nil
	alone.res.Processing.Cutoff, alone.res.Processing.Decimate, alone.res.Processing.MotionCutoff = 0, 100, 100
	for name, f := range map[string]fixture{"seven": newFixture(7, 1000), "alone": alone, "broken": broken(newFixture(3, 100))} {
		var got bytes.Buffer
		Text(&got, f.res, 0)
		file := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != string(want) {
			t.Errorf("%s differs; run go test ./report -run TestTextGolden -update and look at the difference:\n%s", file, got.String())
		}
	}
}

func TestFormats(t *testing.T) {
	f := newFixture(1, 300)
	plots, err := Plots(t.Context(), f.res, f.runs, Options{DPI: 50})
	if err != nil {
		t.Fatal(err)
	}
	own := 0 // drawn by the page itself
	for i := range plots {
		if plots[i].Group != GroupTorque {
			own++
		}
		if len(plots[i].SVG) == 0 {
			t.Errorf("%s: no SVG", plots[i].Name)
		}
		if _, err := png.Decode(bytes.NewReader(plots[i].PNG)); err != nil {
			t.Errorf("%s: PNG: %v", plots[i].Name, err)
		}
		plots[i].SVG = nil
	}
	var page bytes.Buffer
	if err := HTML(t.Context(), &page, f.res, f.runs, plots, Options{}); err != nil {
		t.Fatal(err)
	}
	checkPage(t, f.res, page.Bytes())
	if n := bytes.Count(page.Bytes(), []byte("data:image/png;base64,")); n != len(plots)-own || n == 0 {
		t.Errorf("%d of %d plots on the page", n, len(plots)-own)
	}
	if _, err := Plots(t.Context(), f.res, f.runs, Options{Formats: []string{"gif"}}); !errors.Is(err, ErrFormat) {
		t.Errorf("gif: %v", err)
	}
}

func TestShapeErrors(t *testing.T) {
	for name, damage := range map[string]func(*fixture){
		"joints":    func(f *fixture) { f.runs[1].Measured = f.runs[1].Measured[:1] },
		"samples":   func(f *fixture) { f.runs[1].Predicted[1] = f.runs[1].Predicted[1][:5] },
		"no torque": func(f *fixture) { f.runs[1].Predicted = nil },
	} {
		f := newFixture(2, 20)
		damage(&f)
		_, err := Plots(t.Context(), f.res, f.runs, Options{})
		if !errors.Is(err, ErrShape) || !strings.Contains(fmt.Sprint(err), "excitation_3.parquet") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDeterministic(t *testing.T) {
	long.Only(t, "TestEveryFixture stands for it")
	draw := func() []byte {
		f := newFixture(3, 2000)
		plots, err := Plots(t.Context(), f.res, f.runs, Options{DPI: 50})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := HTML(t.Context(), &b, f.res, f.runs, plots, Options{}); err != nil {
			t.Fatal(err)
		}
		for _, p := range plots {
			b.Write(p.PNG)
		}
		return b.Bytes()
	}
	if !bytes.Equal(draw(), draw()) {
		t.Error("two runs give different bytes")
	}
}

func TestWriterError(t *testing.T) {
	f := newFixture(1, 10)
	want := errors.New("disk full")
	if err := HTML(t.Context(), failing{want}, f.res, f.runs, nil, Options{}); !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// endsAfter is a context whose end shows at the call of Err after so many.
type endsAfter struct {
	context.Context
	calls int
}

func (c *endsAfter) Err() error {
	if c.calls--; c.calls < 0 {
		return context.Canceled
	}
	return nil
}

// Plots and page end with their context, between two figures, two runs, and before the first byte.
func TestDrawingEndsWithItsContext(t *testing.T) {
	f := newFixture(2, 300)
	opt := Options{Formats: []string{"svg"}}
	plots, err := Plots(t.Context(), f.res, f.runs, opt)
	if err != nil {
		t.Fatal(err)
	}
	for calls := range len(plots) {
		if _, err := Plots(&endsAfter{t.Context(), calls}, f.res, f.runs, opt); !errors.Is(err, context.Canceled) {
			t.Errorf("plots with a context that ends after %d calls: %v", calls, err)
		}
	}
	for calls := range len(f.runs) + 1 {
		var page bytes.Buffer
		if err := HTML(&endsAfter{t.Context(), calls}, &page, f.res, f.runs, plots, opt); !errors.Is(err, context.Canceled) || page.Len() > 0 {
			t.Errorf("page with a context that ends after %d calls: %d bytes, %v", calls, page.Len(), err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Text needs a contrast of 4.5 with its ground, curves 3 (WCAG 2.2).
func TestContrast(t *testing.T) {
	luminance := func(hex string) float64 {
		var rgb [3]uint8
		if _, err := fmt.Sscanf(hex, "#%02X%02X%02X", &rgb[0], &rgb[1], &rgb[2]); err != nil {
			t.Fatal(err)
		}
		var l float64
		for i, w := range []float64{0.2126, 0.7152, 0.0722} {
			c := float64(rgb[i]) / 255
			if c <= 0.04045 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			l += w * c
		}
		return l
	}
	contrast := func(a, b string) float64 {
		x, y := luminance(a), luminance(b)
		return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
	}
	ground := map[string]hueSpec{}
	for _, c := range pageColours() {
		ground[c.name] = c
		if c.name == "link" || c.name == "pass" || c.name == "doubt" || c.name == "fail" {
			for _, g := range []string{"ground", "box"} {
				if l, d := contrast(c.light, ground[g].light), contrast(c.dark, ground[g].dark); l < 4.5 || d < 4.5 {
					t.Errorf("%s on %s: contrast %.2f light, %.2f dark, want 4.5", c.name, g, l, d)
				}
			}
		}
	}
	if ground["ground"].light != "#FFFFFF" || ground["ground"].dark != darkGround {
		t.Fatal("the page's grounds have changed: change them here as well")
	}
	for _, h := range []hue{hueInk, hueQuiet, hueWeak} {
		if l, d := contrast(hues()[h].light, ground["box"].light), contrast(hues()[h].dark, ground["box"].dark); l < 4.5 || d < 4.5 {
			t.Errorf("%s on boxes: contrast %.2f light, %.2f dark, want 4.5", hues()[h].name, l, d)
		}
	}
	for h, want := range map[hue]float64{hueInk: 4.5, hueQuiet: 4.5, hueWeak: 4.5, hueMeasured: 3, huePredicted: 3, hueResidual: 3} {
		s := hues()[h]
		if c := contrast(s.light, "#FFFFFF"); c < want {
			t.Errorf("%s on white: contrast %.2f, want %.1f", s.name, c, want)
		}
		if c := contrast(s.dark, darkGround); c < want {
			t.Errorf("%s on dark: contrast %.2f, want %.1f", s.name, c, want)
		}
	}
	// Curves that share a panel differ in lightness too.
	for _, c := range [][2]string{{hues()[hueMeasured].light, hues()[huePredicted].light}, {hues()[hueMeasured].dark, hues()[huePredicted].dark}} {
		if r := contrast(c[0], c[1]); r < 2 {
			t.Errorf("measured %s and predicted %s: contrast %.2f, want 2", c[0], c[1], r)
		}
	}
}

func BenchmarkPlots(b *testing.B) {
	f := newFixture(7, 100000)
	f.runs = f.runs[:1]
	for _, formats := range [][]string{{"svg"}, {"png"}} {
		b.Run(formats[0], func(b *testing.B) {
			bytes := 0
			for b.Loop() {
				plots, err := Plots(b.Context(), f.res, f.runs, Options{Formats: formats})
				if err != nil {
					b.Fatal(err)
				}
				bytes = 0
				for _, p := range plots {
					bytes += len(p.SVG) + len(p.PNG)
				}
			}
			b.ReportMetric(float64(bytes), "file-bytes")
		})
	}
}

func BenchmarkHTML(b *testing.B) {
	f := newFixture(7, 100000)
	plots, err := Plots(b.Context(), f.res, f.runs, Options{Formats: []string{"svg"}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := HTML(b.Context(), io.Discard, f.res, f.runs, plots, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
