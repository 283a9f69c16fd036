package report

import (
	"bytes"
	"fmt"
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
	for k := range 401 {
		run.T = append(run.T, 0.01*float64(k))
	}
	for j := range run.Q {
		c := JointCurves{Joint: fmt.Sprintf("a%d", j+1), Units: [3]string{"rad", "rad/s", "rad/s²"}, T: run.T, Low: [3]float64{-2, -3, math.NaN()}, High: [3]float64{2, 3, math.NaN()}}
		w := math.Pi / 2 * float64(j+1)
		for _, at := range run.T {
			run.Q[j] = append(run.Q[j], math.Sin(w*at))
			c.Values[1] = append(c.Values[1], w*math.Cos(w*at))
			c.Values[2] = append(c.Values[2], -w*w*math.Sin(w*at))
		}
		c.Values[0] = run.Q[j]
		page.Curves = append(page.Curves, c)
	}
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
	p.Eval(`void (window.robot = robotFigure)`, nil)
	p.Truth("the motion of its curves", `robot.player.start === 0 && Math.abs(robot.player.end - 4) < 1e-6 && document.querySelectorAll('.curves .curve-line').length === 9`)
	p.Truth("limits as bands", `document.querySelectorAll('.curves .beyond').length === 12`)
	p.Eval(`document.querySelector('.curves svg').scrollIntoView({block: 'center'})`, nil)
	var at struct{ X, Y, Width, Height float64 }
	p.Eval(`(() => { const r = document.querySelector('.curves svg').getBoundingClientRect(); return {X: r.x, Y: r.y, Width: r.width, Height: r.height}; })()`, &at)
	p.Mouse("mousePressed", at.X+at.Width/4, at.Y+at.Height/2, 0)
	p.Mouse("mouseReleased", at.X+at.Width/4, at.Y+at.Height/2, 0)
	// A quarter of four seconds, at a pixel; there joint 1 stands at sin(π/2).
	p.Truth("a click on a curve moves the robot there", `Math.abs(robot.player.time - 1) < 8 / document.querySelector('.curves svg').clientWidth && Math.abs(robot.q[0] - 1) < 1e-3 && document.querySelectorAll('.now')[3].getAttribute('d').startsWith('M1')`)
	p.Truth("the curve is where its values are", `(() => { const n = document.querySelector('.curves .curve-line').getAttribute('d').split('L').length; return n > 300; })()`)
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
	for _, want := range []string{"Motion of &lt;arm&gt;", "not drawn: &lt;why&gt;", "make it faster", "limits -2.00 and 2.00"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(text, "ident-scene\"") && strings.Contains(text, `id="ident-scene"`) {
		t.Error("a scene without a robot")
	}
}

// A curve that is unknown, constant or of one sample is drawn without numbers that are none.
func TestDrawCurve(t *testing.T) {
	nan := math.NaN()
	for name, v := range map[string][]float64{"unknown": {nan, nan, nan}, "constant": {2, 2, 2}, "in part": {1, nan, 2}, "huge": {-1e300, 0, 1e300}} {
		d := drawCurve("position", "rad", []float64{0, 1, 2}, v, nan, nan)
		if strings.Contains(string(d.Path)+d.Top+d.Zero, "NaN") || strings.Contains(string(d.Path), "Inf") || name != "unknown" && d.Path == "" {
			t.Errorf("%s: %+v", name, d)
		}
	}
	// Between the limits -2 and 2 with 8 % of their distance to spare, 2 is at 0.32/4.64 of the height.
	if d := drawCurve("position", "rad", []float64{0, 1}, []float64{0, 1}, -2, 2); d.Zero != "50.00" || d.Bands[0].Height != "6.90" || !strings.HasSuffix(string(d.Path), "L400.0 28.4") {
		t.Errorf("%+v", d)
	}
}
