package report

import (
	"bytes"
	"encoding/json"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/internal/browser"
	"ident/report/scene"
)

// writeScene writes a page about a robot and returns its address.
func writeScene(t *testing.T, page *ScenePage) string {
	t.Helper()
	var b bytes.Buffer
	if err := Scene(&b, page); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "robot.html")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// motionPage is a page of a motion of three joints over four seconds, with limits on two of the three curves.
func motionPage(t *testing.T) *ScenePage {
	s, err := scene.New(newArm(3))
	if err != nil {
		t.Fatal(err)
	}
	page := &ScenePage{Title: "Motion of <arm>", Version: "1", Command: "ident design-trajectory arm.urdf", Scene: s, SearchTitle: "Condition number:",
		Search:    []SearchPoint{{10, math.Inf(1)}, {20, 50}, {40, 12}, {80, 9}},
		Headlines: []Headline{{"condition number", "9"}}, Findings: []SceneFinding{{"warning", "joint a1", "is slow", "make it faster"}},
		Sections: []Section{{Title: "Limits", Gist: "none is exceeded", Tables: []Table{{Caption: "free", Head: []string{"Joint", "%"}, Right: []bool{false, true}, Rows: [][]string{{"a1", "5"}}}}}}}
	run := scene.Run{Name: "the motion", Q: make([][]float64, 3)}
	names := []string{"a1", "a2", "a3"}
	quantities := []Quantity{{Label: "position", Units: []string{"rad", "rad", "rad"}, Limits: [][]float64{{-2, 2}, {-2, 2}, {-2, 2}}},
		{Label: "velocity", Units: []string{"rad/s", "rad/s", "rad/s"}}, {Label: "acceleration", Units: []string{"rad/s²", "rad/s²", "rad/s²"}}}
	for k := range 401 {
		run.T = append(run.T, 0.01*float64(k))
	}
	for j := range run.Q {
		var v, a []float64
		w := math.Pi / 2 * float64(j+1)
		for _, at := range run.T {
			run.Q[j] = append(run.Q[j], math.Sin(w*at))
			v, a = append(v, w*math.Cos(w*at)), append(a, -w*w*math.Sin(w*at))
		}
		for o, values := range [][]float64{run.Q[j], v, a} {
			quantities[o].Values = append(quantities[o].Values, values)
		}
	}
	page.Curves = Motion(run.Name, run.T, names, quantities...)
	page.Curves.Runs[0].Marks = []CurveMark{{Row: 1, Kind: "velocity", From: 1, To: 1.5, Severity: "warning", Words: "too <fast>"}, {Row: -1, From: 3, To: 3, Severity: "error", Words: "a jump"}}
	if err := s.Play([]scene.Run{run}); err != nil {
		t.Fatal(err)
	}
	link, at := s.Tip()
	if err := s.Trace(link, at, run); err != nil {
		t.Fatal(err)
	}
	low := scene.Region{Name: "floor", Normal: [3]float64{0, 0, 1}, Offset: -0.4}
	s.Regions = []scene.Region{low, {Name: "box", Min: [3]float64{0.5, 0.5, 0}, Max: [3]float64{0.8, 0.9, 0.3}}}
	return page
}

func testScenePages(t *testing.T, b *browser.Browser, quiet func(*testing.T, *browser.Page)) {
	page := motionPage(t)
	p := b.Open(t, writeScene(t, page), 1280, 800)
	p.Eval(`curves.then(v => { window.view = v; window.robot = robotFigure; })`, nil)
	p.Truth("the motion of its curves", `robot.player.start === 0 && Math.abs(robot.player.end - 4) < 1e-6 && [0, 1, 2].every(r => ['position', 'velocity', 'acceleration'].every(k => view.curveOf(view.series.runs[0], k, r)))`)
	p.Truth("the robot and the curves have one time axis", `robot.player.start === view.start && Math.abs(robot.player.end - view.end) < 1e-6`)
	p.Truth("limits are in view", `view.panels().filter(p => p.panel.limits).length === 3 && view.bounds(view.visible(), view.panels()[0])[0] === -2`)
	p.Eval(`view.canvas.scrollIntoView({block: 'center'})`, nil)
	var at struct{ X, Y, Width, Height float64 }
	p.Eval(`(() => { const r = view.canvas.getBoundingClientRect(); return {X: r.x, Y: r.y, Width: r.width, Height: r.height}; })()`, &at)
	var one float64
	p.Eval(`view.x(1)`, &one)
	p.Mouse("mouseMoved", at.X+one, at.Y+at.Height/2, 0)
	// At a second, to a pixel, joint 1 stands at sin(π/2).
	p.Truth("the robot follows the pointer", `Math.abs(robot.player.time - 1) < 8 / view.width && Math.abs(robot.q[0] - 1) < 1e-3`)
	p.Truth("values are those of the motion", `Math.abs(view.at(1, 0).position[0] - 1) < 1e-3 && Math.abs(view.at(1, 1).velocity[0] + Math.PI) < 0.05`)
	p.Truth("a mark is told under the pointer", `document.getElementById('mark-at').textContent === 'too <fast>'`)
	p.Eval(`window.before = view.to - view.from; document.getElementById('moment-next').click(); document.getElementById('moment-next').click()`, nil)
	p.Truth("marks are gone to", `view.to - view.from < before && view.cursor === 3 && document.getElementById('moment-at').textContent.startsWith('2 of 2: a jump at 3.000 s')`)
	p.Truth("the search", `document.querySelector('.search h2').textContent.includes('from 50.0 after 20 evaluations to 9.00 after 80')`)
	p.Truth("the path of the tip", `robot.scene.path.length > 300 && robot.look.path && robot.look.regions`)
	p.Eval(`for (const d of document.querySelectorAll('details')) d.open = true`, nil)
	p.Truth("no sideways scroll", "!("+sideways+")")
	p.Resize(390, 844)
	p.Truth("no sideways scroll at 390 px", "!("+sideways+")")
	quiet(t, p)

	page.Curves, page.Search, page.Sliders = nil, nil, true
	page.Scene.Motions = nil
	p = b.Open(t, writeScene(t, page), 1280, 800)
	p.Eval(`void (window.robot = robotFigure)`, nil)
	p.Eval(`(() => { const s = document.querySelectorAll('.sliders input')[1]; s.value = 0.5; s.dispatchEvent(new Event('input')); })()`, nil)
	p.Truth("a slider moves its joint", `robot.q[1] === 0.5 && document.querySelectorAll('.sliders output')[1].textContent === '0.50 rad' && robot.look.frames && document.querySelector('.motion').hidden`)
	quiet(t, p)
}

// A page escapes names, and one without a scene says why.
func TestScenePage(t *testing.T) {
	page := motionPage(t)
	page.Scene, page.Missing = nil, "the robot is not drawn: <why>"
	var b bytes.Buffer
	if err := Scene(&b, page); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"Motion of &lt;arm&gt;", "not drawn: &lt;why&gt;", "make it faster"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(text, "ident-scene\"") && strings.Contains(text, `id="ident-scene"`) {
		t.Error("a scene without a robot")
	}
}

// Curves that are unknown, constant or huge are encoded without a number that is none, and those beyond the room of the
// page keep their least and largest values.
func TestCurveSeries(t *testing.T) {
	nan := math.NaN()
	times := make([]float64, 400_000)
	wave := make([]float64, len(times))
	for k := range times {
		times[k], wave[k] = 0.001*float64(k), math.Sin(0.1*float64(k))
	}
	wave[123_456] = 7
	c := &Curves{Rows: []CurveRow{{Name: "a"}, {Name: "b"}}, Runs: []CurveRun{
		{Name: "short", T: []float64{0, 1, 2}, Low: map[string][][]float64{"v": {{nan, 2, nan}, {-1e300, 0, 1e300}}, "w": {nil, {2, 2, 2}}}},
		{Name: "nothing", Low: map[string][][]float64{"v": {nil, nil}}},
		{Name: "long", T: times, Low: map[string][][]float64{"v": {wave, wave}}}}}
	s, err := newCurveSeries(c)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Runs) != 2 || s.Runs[0].Until != nil || len(s.Runs[0].Curves["w"][0]) != 0 || len(s.Runs[0].Curves["w"][1]) != 1 {
		t.Errorf("runs %+v", s.Runs)
	}
	long := s.Runs[1]
	if v := long.Curves["v"][0]; long.Until == nil || long.N >= len(times)/2 || len(v) != 2 || v[1][2] != 7 {
		t.Errorf("the long run has %d buckets, %v", long.N, v)
	}
	if n := len(s.Blob); n > 2*seriesBytes {
		t.Errorf("%d bytes", n)
	}
	if d, err := c.Draw("<title>", "findings", nil); err != nil || !json.Valid(d.Series) || !strings.Contains(string(d.Figure), "&lt;title&gt;") {
		t.Errorf("%v", err)
	}
	if s, err := newCurveSeries(&Curves{Rows: c.Rows, Runs: c.Runs[1:2]}); s != nil || err != nil {
		t.Errorf("curves without a sample: %v, %v", s, err)
	}
}
