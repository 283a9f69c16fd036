package report

import (
	"math"
	"testing"

	"ident/internal/browser"
	"ident/mechanics/dynamics"
)

// testRobot turns, plays and switches the robot in three dimensions, with WebGL and without.
func testRobot(t *testing.T, b *browser.Browser, quiet func(*testing.T, *browser.Page)) {
	f := newFixture(4, 1500)
	bodies(f)
	p := b.Open(t, writePage(t, f), 1280, 800)
	p.Eval(`robotFigure.then(async v => { await v?.ready; window.robot = v; }); curves.then(v => { window.view = v; })`, nil)
	p.Truth("the robot and the torques have one time axis", `robot.player.start === view.start && Math.abs(robot.player.end - view.end) < 1e-6`)
	p.Truth("bodies in words", `(() => { const r = document.querySelectorAll('[aria-label="Bodies of the links"] tbody tr'); return r.length === 4 && r[0].textContent.includes('2.20') && r[0].textContent.endsWith('identified') && r[3].textContent.includes('from the robot file'); })()`)
	p.Truth("nothing moves by itself", `(async () => { const q = [...robot.q]; for (let i = 0; i < 5; i++) await new Promise(r => requestAnimationFrame(r)); return !robot.player.playing && robot.q.every((v, i) => v === q[i]); })()`)

	// Poses are those of the mechanics, at a moment in the middle of the second run.
	p.Eval(`robot.player.go(view.series.runs[1].start + 7); robot.draw()`, nil)
	var at struct {
		T     float64
		Q     []float64
		Poses [][]float64
	}
	p.Eval(`({T: robot.player.time - robot.player.run.shift, Q: robot.q, Poses: robot.poses})`, &at)
	tree, err := dynamics.New(f.robot)
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range tree.Poses(at.Q) {
		for i := range 3 {
			if math.Abs(at.Poses[j][9+i]-want.P[i]) > 1e-5 || math.Abs(at.Poses[j][3*i]-want.R[i][0]) > 1e-5 {
				t.Errorf("link %d: pose %v, want %v", j+1, at.Poses[j], want)
			}
		}
		// Between frames a sixtieth of a second apart the chord of 0.8·sin(1.2·t) is off by 0.8·1.2²/8/60² = 4e-5.
		if want := 0.8 * math.Sin(0.3*(at.T-f.runs[1].T[0])*float64(j%5+1)); math.Abs(at.Q[j]-want) > 1e-4 {
			t.Errorf("joint %d: position %g, want %g", j+1, at.Q[j], want)
		}
	}
	p.Truth("the moment is marked in the torques", `view.cursor === robot.player.time`)
	p.Truth("joints have their residual", `robot.hot.length === 4 && robot.hot.some(h => h > 0) && robot.hot.every(h => h <= 1.001) && document.querySelector('.robot3d .pose').textContent.startsWith('largest residual: a')`)

	p.Eval(`document.querySelector('.robot3d .stage').scrollIntoView()`, nil)
	var box struct{ X, Y, Width, Height float64 }
	rect := `(() => { const r = document.querySelector('.robot3d .stage').getBoundingClientRect(); return {X: r.x, Y: r.y, Width: r.width, Height: r.height}; })()`
	p.Eval(rect, &box)
	p.Eval(`window.before = [robot.camera.yaw, robot.camera.pitch, robot.camera.zoom]`, nil)
	x, y := box.X+box.Width/2, box.Y+box.Height/2
	p.Drag(x, y, x+80, y+40)
	p.Truth("a drag turns the view", `robot.camera.yaw !== before[0] && robot.camera.pitch !== before[1]`)
	p.Mouse("mouseWheel", x, y, -300)
	p.Truth("the wheel zooms after a click", `robot.camera.zoom > 1.2 * before[2]`)
	p.Key("Home")
	p.Truth("Home shows the whole", `Math.abs(robot.camera.zoom / before[2] - 1) < 0.1 && robot.camera.yaw === before[0]`)
	p.Key("ArrowLeft")
	p.Truth("arrows turn", `robot.camera.yaw > before[0]`)
	p.Eval(`window.before = robot.player.time`, nil)
	p.Key(".")
	p.Truth("a full stop steps", `robot.player.time > before && view.cursor === robot.player.time`)
	p.Key(" ")
	p.Truth("Space plays", `robot.player.playing && robot.player.time > before + 0.3 && document.querySelector('.robot3d .play').textContent === '❚❚'`)
	p.Key(" ")
	p.Truth("and stops", `!robot.player.playing`)
	p.Eval(`(() => { const s = document.querySelector('.robot3d .scrub'); s.value = view.series.runs[2].start + 3; s.dispatchEvent(new Event('input')); })()`, nil)
	p.Truth("the slider scrubs both", `Math.abs(view.cursor - view.series.runs[2].start - 3) < 1e-6 && robot.player.run.f.name === 'check_1.parquet'`)
	p.Eval(`view.point(view.series.runs[0].start + 1)`, nil)
	p.Truth("and the torques move the robot", `robot.player.run === robot.player.runs[0] && Math.abs(robot.player.time - view.series.runs[0].start - 1) < 1e-6`)
	p.Eval(`robot.player.calm = {matches: true}; robot.player.speed.value = '1'; robot.player.play()`, nil)
	p.Truth("with reduced motion it stands for half a second at a time", `robot.player.time > view.series.runs[0].start + 1 && Math.abs((robot.player.time - view.series.runs[0].start - 1) / 0.5 % 1) < 1e-6`)
	p.Eval(`robot.player.stop()`, nil)

	// The drawing: pixels of the canvas in use, copied in the task that painted them.
	painted := `(() => { robot.draw(); const from = (robot.renderer || robot.paper).canvas, c = document.createElement('canvas'); c.width = from.width; c.height = from.height; const k = c.getContext('2d'); k.drawImage(from, 0, 0); return k.getImageData(0, 0, c.width, c.height).data; })()`
	blue := `((d) => { let n = 0; for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 100 && d[i + 2] > d[i] + 40 && d[i + 2] > d[i + 1] + 20) n++; return n; })(` + painted + `)`
	all := `((d) => { let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i] > 40) n++; return n; })(` + painted + `)`
	show := func(kind string) { p.Eval(`document.querySelector('.robot3d [data-show=`+kind+`]').click()`, nil) }
	for _, without := range []bool{false, true} {
		name := "WebGL"
		if without {
			name = "2D"
			p.Eval(`robot.lost()`, nil)
		} else {
			var have bool
			if p.Eval(`robot.renderer !== null`, &have); !have {
				t.Log("this browser has no WebGL: the 2D canvas alone is tested")
				continue
			}
		}
		p.Truth(name+" paints the robot", all+` > 5000`)
		p.Truth(name+" paints identified bodies", blue+` > 100`)
		show("identified")
		p.Truth(name+" leaves them out", blue+` < 20 && !robot.look.identified`)
		show("identified")
		show("shapes")
		p.Truth(name+" leaves the links out", all+` > 100`)
		show("shapes")
	}
	p.Truth("the 2D canvas is the one that is seen", `getComputedStyle(robot.paper.canvas).visibility === 'visible' && getComputedStyle(document.querySelector('.robot3d .solid')).display === 'none'`)
	p.Resize(390, 844)
	p.Truth("narrow", `robot.stage.clientWidth <= 390 && robot.stage.clientWidth > 300 && !(`+sideways+`)`)
	p.Prefer("print", "dark")
	if pdf := p.PDF(); len(pdf) < 20000 {
		t.Errorf("printed: %d bytes", len(pdf))
	}
	quiet(t, p)

	// A robot that cannot be drawn leaves the page as it is.
	f.robot = nil
	p = b.Open(t, writePage(t, f), 1280, 800)
	p.Truth("a page without a robot", `!document.querySelector('.robot3d') && document.querySelectorAll('.first .card').length === 3`)
	quiet(t, p)
}

// bodies gives the links of a fixture the bodies of its robot, a tenth heavier, of which the first is identified.
func bodies(f fixture) {
	for i := range f.res.StandardParameters {
		q := &f.res.StandardParameters[i]
		for k, name := range []string{"XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M"} {
			for j := range f.robot.Links {
				if l := &f.robot.Links[j]; q.Link == l.Name && q.Name == name+l.Name[len("link"):] {
					q.Value, q.Determined, q.Sigma = 1.1*l.Inertial[k], j == 0, 0.01
				}
			}
		}
	}
}
