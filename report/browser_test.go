package report

import (
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"ident/internal/browser"
	"ident/internal/long"
	"ident/report/scene"
)

// writePage writes the page of a fixture and returns its address.
func writePage(t *testing.T, f fixture) string {
	t.Helper()
	plots, err := Plots(t.Context(), f.res, f.runs, Options{Formats: []string{"svg"}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "report.html")
	w, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	err = HTML(t.Context(), w, f.res, f.runs, plots, Options{Scene: newScene(t, f), Compared: f.compared, Date: "31 Jan 2026", Command: "ident fit log.csv --robot arm.urdf --validate check.csv --cutoff 8 -o a/folder/with/a/long/name"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// newScene is the scene of a fixture's robot; nil without one.
func newScene(t *testing.T, f fixture) *scene.Scene {
	t.Helper()
	if f.robot == nil {
		return nil
	}
	s, err := scene.New(f.robot)
	if err != nil {
		t.Fatal(err)
	}
	s.Identify(f.res)
	return s
}

// sideways is true where the page is wider than its window.
const sideways = `document.documentElement.scrollWidth > innerWidth`

// The pages in a browser: one start for all tests, since it costs more than they do.
func TestInBrowser(t *testing.T) {
	long.Only(t, "keeps a browser busy for seconds")
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
		for _, name := range []string{"seven joints", "hostile names", "thirty joints", "broken numbers", "nothing"}[:long.Of(5, 0)] {
			p := b.Open(t, writePage(t, fixtures()[name]), 1280, 800)
			p.Truth(name+": three cards within 1280 × 800", `[...document.querySelectorAll('.first .card')].every(c => c.getBoundingClientRect().bottom <= 800)`)
			p.Truth(name+": errors and bodies are open, the other sections closed", `document.querySelectorAll('details.section').length === 7 && [...document.querySelectorAll('details[open]')].map(d => d.id).join() === 'residuals,bodies'`)
			p.Truth(name+": no sideways scroll", "!("+sideways+")")
			p.Eval(`for (const d of document.querySelectorAll('details')) d.open = true`, nil)
			p.Resize(390, 844)
			p.Truth(name+": no sideways scroll at 390 px, all open", "!("+sideways+")")
			quiet(t, p)
		}
	})
	t.Run("switches", func(t *testing.T) {
		long.Only(t, "the first screen and the tables of an ordinary run use the same page")
		p := b.Open(t, writePage(t, newFixture(3, 500)), 1280, 800)
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
		p.Truth("paper has the joints' bars", `[...document.querySelectorAll('.bars .bar svg')].every(b => b.getBoundingClientRect().width > 20)`)
		p.Prefer("screen", "light")
		p.Eval(`document.querySelector('#verdict a').click()`, nil)
		p.Truth("a link opens its section", `document.getElementById('processing').open`)
		if pdf := p.PDF(); len(pdf) < 20000 {
			t.Errorf("printed: %d bytes", len(pdf))
		}
		quiet(t, p)
	})
	t.Run("ten million rows", func(t *testing.T) {
		long.Only(t, "the other pages are drawn from the same series")
		testLongRun(t, b, quiet)
	})
	t.Run("parameters", func(t *testing.T) {
		long.Only(t, "the tables show them")
		testParameters(t, b, quiet)
	})
	t.Run("tables", func(t *testing.T) { testTables(t, b, quiet) })
	t.Run("robot", func(t *testing.T) {
		long.Only(t, "the first screen and the tables of an ordinary run use the same page")
		testRobot(t, b, quiet)
	})
	t.Run("comparisons", func(t *testing.T) {
		long.Only(t, "the first screen and the tables of an ordinary run use the same page")
		testCompared(t, b, quiet)
	})
	t.Run("pages of a robot and of a motion", func(t *testing.T) {
		long.Only(t, "TestScenePage reads them")
		testScenePages(t, b, quiet)
	})
	t.Run("curves of a section", func(t *testing.T) { testSectionCurves(t, b, quiet) })
	t.Run("torques", func(t *testing.T) {
		long.Only(t, "the first screen and the tables of an ordinary run use the same page")
		testTorques(t, b, quiet)
	})
}

// testTorques zooms, points, drags and switches the torque figure.
func testTorques(t *testing.T, b *browser.Browser, quiet func(*testing.T, *browser.Page)) {
	f := newFixture(7, 3000)
	p := b.Open(t, writePage(t, f), 1280, 800)
	p.Eval(`curves.then(v => { window.view = v; })`, nil)
	p.Truth("static figures give way", `getComputedStyle(document.querySelector('.static')).display === 'none'`)
	p.Truth("rows below the window are painted a little later", `new Promise(done => { view.draw(); setTimeout(done, 200, true); })`)
	p.Truth("pixels are painted", `(() => { const c = view.canvas, d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i]) n++; return n > 20000; })()`)
	p.Eval(`view.canvas.scrollIntoView()`, nil)
	var at struct{ X, Y, Width, Height float64 }
	p.Eval(`(() => { const r = view.canvas.getBoundingClientRect(); return {X: r.x, Y: r.y, Width: r.width, Height: r.height}; })()`, &at)
	x, y := at.X+at.Width*0.6, at.Y+60

	// Values under the pointer are those of the run, within the steps of 16 bits.
	p.Mouse("mouseMoved", x, y, 0)
	p.Truth("values under the pointer", `view.cursor !== null`)
	var probe struct {
		Run                           int
		T, Measured, Predicted, Range float64
	}
	p.Eval(`(() => { const v = view.at(view.cursor, 2), r = v.run.curves.measured[2].range(0, v.run.n, [Infinity, -Infinity]);
		return {Run: view.series.runs.indexOf(v.run), T: v.t, Measured: v.measured[0], Predicted: v.predicted[0], Range: r[1] - r[0]}; })()`, &probe)
	run := f.runs[probe.Run]
	k := 0
	for k < len(run.T)-1 && run.T[k] < probe.T-1e-4 {
		k++
	}
	// Half a step of the curve, once for the measured torque and once more for the residual that is taken off it.
	step := probe.Range / 65534
	if m, q := run.Measured[2][k], run.Predicted[2][k]; math.Abs(m-probe.Measured) > step || math.Abs(q-probe.Predicted) > 2*step {
		t.Errorf("at %g s: measured %g, predicted %g, want %g and %g", probe.T, probe.Measured, probe.Predicted, m, q)
	}

	span := func() (s float64) { p.Eval(`view.to - view.from`, &s); return s }
	whole := span()
	p.Mouse("mouseWheel", x, y, -400)
	p.Truth("the wheel scrolls the page before a click", fmt.Sprintf(`view.to - view.from === %g`, whole))
	// The page scrolls when the browser gets to it: the canvas is in its place once it was there five times.
	p.Eval(`(async () => { for (let still = 0, top = NaN; still < 5;) { view.canvas.scrollIntoView(); await new Promise(r => setTimeout(r, 200));
		const now = view.canvas.getBoundingClientRect().top; still = now === top ? still + 1 : 0; top = now; } })()`, nil)
	p.Mouse("mousePressed", x, y, 0)
	p.Mouse("mouseReleased", x, y, 0)
	p.Eval(`window.before = view.time(600)`, nil)
	p.Mouse("mouseWheel", at.X+600, y, -400)
	p.Truth("the wheel zooms after it, about the pointer", fmt.Sprintf(`view.to - view.from < %g && Math.abs(view.time(600) - before) < 1e-6 * %g`, 0.7*whole, whole))
	zoomed := span()
	p.Eval(`window.before = view.from`, nil)
	p.Drag(x, y, x-100, y)
	p.Truth("a drag moves", fmt.Sprintf(`view.from > before && Math.abs(view.to - view.from - %g) < 1e-9`, zoomed))
	p.Key("Home")
	p.Truth("Home shows the whole", fmt.Sprintf(`Math.abs(view.to - view.from - %g) < 1e-9`, whole))
	p.Drag(at.X+300, y, at.X+400, y)
	p.Truth("a drag over the whole zooms to it", fmt.Sprintf(`view.to - view.from < %g`, 0.2*whole))
	for range 30 {
		p.Key("+")
	}
	p.Truth("the zoom ends at sixteen samples", `Math.abs((view.to - view.from) / view.series.runs[0].period - 16) < 0.01`)
	p.Eval(`document.getElementById('zoom-whole').click()`, nil)

	p.Eval(`document.getElementById('moment-next').click()`, nil)
	var worst float64
	for j := range f.res.Joints {
		var most, rms float64
		n := 0
		for _, run := range f.runs {
			for k, m := range run.Measured[j] {
				most = math.Max(most, math.Abs(m-run.Predicted[j][k]))
				rms += m * m
				n++
			}
		}
		worst = math.Max(worst, most/math.Sqrt(rms/float64(n)))
	}
	p.Truth("the worst moment is in view", `document.getElementById('moment-at').textContent.startsWith('1 of 15: a') && view.time(view.left) < view.cursor && view.cursor < view.time(view.width - view.right)`)
	p.Truth("and the largest residual", fmt.Sprintf(`(() => { const m = view.series.moments[0], v = view.at(view.cursor, m.row); let s = 0, n = 0;
		for (const r of view.series.runs) for (const x of r.curves.measured[m.row].lo[0]) { s += x * x; n++; }
		return Math.abs(Math.abs(v.residual[0]) / Math.sqrt(s / n) / %g - 1) < 1e-3; })()`, worst))

	height := `view.canvas.clientHeight`
	p.Eval(`window.before = `+height, nil)
	p.Eval(`document.querySelectorAll('#curve-chips button')[1].click()`, nil)
	p.Truth("a joint off", `view.rows.length === 6 && !view.panels().some(q => q.row === 1) && document.querySelectorAll('#curve-chips button')[1].getAttribute('aria-pressed') === 'false'`)
	p.Eval(`document.querySelectorAll('#curve-chips button')[1].click()`, nil)
	p.Truth("and on again", `view.rows.length === 7 && `+height+` === before`)

	p.Resize(390, 844)
	p.Truth("narrow", `view.narrow && view.canvas.clientWidth <= 390 && !(`+sideways+`)`)
	p.Eval(`view.whole(); view.canvas.scrollIntoView()`, nil)
	p.Eval(`(() => { const r = view.canvas.getBoundingClientRect(); return {X: r.x, Y: r.y, Width: r.width, Height: r.height}; })()`, &at)
	x, y = at.X+at.Width/2, at.Y+60
	p.Touch("touchStart", [2]float64{x - 20, y}, [2]float64{x + 20, y})
	p.Touch("touchMove", [2]float64{x - 40, y}, [2]float64{x + 40, y})
	p.Touch("touchMove", [2]float64{x - 80, y}, [2]float64{x + 80, y})
	p.Touch("touchEnd")
	p.Truth("a pinch zooms", fmt.Sprintf(`view.to - view.from < %g`, 0.5*whole))
	quiet(t, p)
}

// testLongRun opens a page of ten million rows. It logs the time of a redraw, which is to keep up with sixty
// frames a second: 16 ms in the median of zoomed, moved and whole views, painted by the processor.
func testLongRun(t *testing.T, b *browser.Browser, quiet func(*testing.T, *browser.Page)) {
	address := writePage(t, longFixture())
	where, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(where.Path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 5_000_000 {
		t.Errorf("the page has %d bytes", info.Size())
	}
	p := b.Open(t, address, 1280, 800)
	var paint float64
	p.Eval(`(async () => { for (let i = 0; i < 100; i++) { const e = performance.getEntriesByName('first-contentful-paint')[0]; if (e) return e.startTime; await new Promise(r => setTimeout(r, 50)); } return -1; })()`, &paint)
	var at struct{ Response, Interactive, Loaded float64 }
	p.Eval(`(() => { const n = performance.getEntriesByType('navigation')[0]; return {Response: n.responseEnd, Interactive: n.domInteractive, Loaded: n.loadEventEnd}; })()`, &at)
	t.Logf("first paint after %.0f ms; read after %.0f, parsed after %.0f, loaded after %.0f", paint, at.Response, at.Interactive, at.Loaded)
	if paint < 0 {
		t.Error("nothing was painted")
	}
	p.Eval(`curves.then(v => { window.view = v; })`, nil)
	p.Truth("the whole is exact", `(() => { view.whole(); const c = view.series.runs[0].curves.residual[0], r = c.range(0, c.lo[0].length, [1/0, -1/0]); return Math.abs(r[1] - Math.max(...c.hi[0])) < 1e-9 && Math.abs(r[0] - Math.min(...c.lo[0])) < 1e-9; })()`)
	p.Truth("the finest bucket is named", `(view.from = 3000, view.to = 3100, view.draw(), document.getElementById('curve-range').textContent.includes('least and largest of each'))`)
	p.Eval(`document.getElementById('moment-next').click()`, nil)
	p.Truth("the worst moment has every sample", `document.getElementById('curve-range').textContent.includes('every sample is stored here, 1.00 ms apart') && view.at(view.cursor, 0).t === view.series.runs[0].blocks.at(-1).t[128]`)
	p.Truth("gap and held samples are shaded", `(() => { const u = view.series.runs[0].unused; return u.length === 2 && Math.abs(u[0][0] - 2000) < 1e-6 && Math.abs(u[1][0] - 5000) < 1 && document.querySelector('.legend').textContent.includes('held'); })()`)
	p.Eval(`(() => { const s = document.getElementById('which-predicted'); s.value = 'file'; s.dispatchEvent(new Event('change')); const m = document.getElementById('which-measured'); m.value = 'logged'; m.dispatchEvent(new Event('change')); })()`, nil)
	p.Truth("curves of the file and as logged", `view.as.predicted === 'file' && view.as.residual === 'fileResidual' && view.as.measured === 'logged' && isFinite(view.at(view.cursor, 1).predicted[0])`)
	quiet(t, p)
	// Time in the script, and until the frame is through the browser's own painting.
	var ms struct{ Script, Frame float64 }
	p.Eval(`(async () => {
		const script = [], frame = [], whole = view.end - view.start;
		for (let i = 0; i < 61; i++) {
			const size = whole * 0.9 ** i, from = view.start + (whole - size) * (i % 7) / 7;
			view.from = from; view.to = from + size;
			const began = performance.now();
			view.draw();
			script.push(view.drawn);
			view.context.getImageData(0, 0, 1, 1); // waits for the painting
			frame.push(performance.now() - began);
		}
		const median = v => v.sort((a, b) => a - b)[v.length >> 1];
		return {Script: median(script), Frame: median(frame)};
	})()`, &ms)
	t.Logf("page of %d bytes; redraw %.1f ms, with the painting %.1f ms, in the median of 61 views", info.Size(), ms.Script, ms.Frame)
}

// testParameters orders, filters and opens the base parameters, and opens their correlations.
func testParameters(t *testing.T, b *browser.Browser, quiet func(*testing.T, *browser.Page)) {
	f := newFixture(4, 300)
	n := len(f.res.BaseParameters)
	f.res.Covariance[2][5] = 0.75 * f.res.BaseParameters[2].Sigma * f.res.BaseParameters[5].Sigma
	f.res.Covariance[5][2] = f.res.Covariance[2][5]
	p := b.Open(t, writePage(t, f), 1280, 800)
	shown := `[...document.querySelectorAll('details.parameter')].filter(r => !r.hidden)`
	set := func(id, value string) {
		p.Eval(fmt.Sprintf(`(() => { const e = document.getElementById('%s'); e.value = '%s'; e.checked = %q === 'on'; e.dispatchEvent(new Event('change')); })()`, id, value, value), nil)
	}
	p.Eval(`document.getElementById('parameters').open = true`, nil)
	p.Truth("all parameters", fmt.Sprintf(`%s.length === %d`, shown, n))
	set("parameter-order", "sigma")
	worst := f.res.BaseParameters[0]
	for _, b := range f.res.BaseParameters {
		if b.RelativeSigmaPercent > worst.RelativeSigmaPercent {
			worst = b
		}
	}
	p.Truth("the least certain first", fmt.Sprintf(`%s[0].dataset.name === %q`, shown, worst.Name))
	set("parameter-weak", "on")
	p.Truth("weak ones only", fmt.Sprintf(`%s.length === %d && document.getElementById('parameter-count').textContent === '%d of %d'`, shown, countWeak(f.res), countWeak(f.res), n))
	set("parameter-weak", "off")
	set("parameter-link", "link2")
	p.Truth("one link", shown+`.length === 10 && `+shown+`.every(r => r.dataset.link === 'link2')`)
	set("parameter-link", "")
	set("parameter-order", "link")
	p.Eval(shown+`[5].querySelector('summary').focus()`, nil)
	p.Key("Enter")
	p.Truth("a row opens by the keyboard to its expression and correlations", fmt.Sprintf(`%s[5].open && %s[5].textContent.includes(%q) && %s[5].textContent.includes('%s 0.75')`, shown, shown, f.res.BaseParameters[5].Expression, shown, f.res.BaseParameters[2].Name))
	p.Eval(`document.getElementById('correlations').open = true; document.getElementById('correlation-canvas').scrollIntoView()`, nil)
	p.Truth("the correlations are drawn", `document.getElementById('correlation-canvas').clientWidth > 300`)
	var at struct{ X, Y, Cell float64 }
	p.Eval(fmt.Sprintf(`(() => { const r = document.getElementById('correlation-canvas').getBoundingClientRect(); return {X: r.x, Y: r.y, Cell: r.width / %d}; })()`, n), &at)
	p.Mouse("mouseMoved", at.X+2.5*at.Cell, at.Y+5.5*at.Cell, 0)
	p.Truth("and named under the pointer", fmt.Sprintf(`document.getElementById('correlation-at').textContent === '%s and %s: 0.75'`, f.res.BaseParameters[5].Name, f.res.BaseParameters[2].Name))
	p.Resize(390, 844)
	p.Truth("no sideways scroll", "!("+sideways+")")
	quiet(t, p)
}
