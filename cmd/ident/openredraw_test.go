package main

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"ident/internal/browser"
)

var (
	redrawLog   = flag.String("redraw", "", "log for BenchmarkRedraws")
	redrawRobot = flag.String("redraw-robot", "../../datasets/example/puma560.urdf", "robot of -redraw")
)

// BenchmarkRedraws prints the longest tasks of the page of ident open, by what its user does. Nothing is asserted: other machines have other times.
func BenchmarkRedraws(t *testing.B) {
	if *redrawLog == "" {
		t.Skip("measures a page: -redraw LOG -redraw-robot FILE")
	}
	b := browser.Start(t)
	o := startOpen(t, *redrawLog, *redrawRobot)
	defer o.end()
	began := time.Now()
	p := b.Open(t, o.address, 1400, 900)
	tell := func(about string, n int, act func(i int)) {
		tasks := b.Trace(t, func() {
			for i := range n {
				act(i)
				time.Sleep(120 * time.Millisecond)
			}
		})
		above := 0
		for above < len(tasks) && above < 8 && tasks[above] > 16 {
			above++
		}
		if len(tasks) > 0 {
			fmt.Printf("%-30s longest %5.1f ms; above 16: %.0f\n", about, tasks[0], tasks[:above])
		}
	}
	all := func(when string) {
		var box []float64
		p.Eval(`(() => { const r = document.querySelector('canvas.curves').getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()`, &box)
		x, y := box[0]+box[2]/2, box[1]+100
		tell(when+"hover", 10, func(i int) { p.Mouse("mouseMoved", x+float64(10*i), y, 0) })
		p.Eval(`document.querySelector('canvas.curves').focus({preventScroll: true})`, nil)
		tell(when+"zoom", 10, func(i int) { p.Mouse("mouseWheel", x, y, float64(-120+240*(i%2))) })
		tell(when+"drag", 5, func(i int) { p.Drag(x, y, x+100, y) })
		tell(when+"toggle", 6, func(i int) {
			p.Eval(fmt.Sprintf(`document.querySelectorAll('#curve-chips button')[%d].click()`, i/2), nil)
		})
		tell(when+"scroll", 6, func(i int) { p.Eval(fmt.Sprintf(`scrollTo(0, %d)`, 300*(i%3)), nil) })
		tell(when+"theme button", 4, func(i int) { p.Eval(`document.getElementById('theme').click()`, nil) })
		tell(when+"theme of the system", 4, func(i int) { p.Prefer("screen", []string{"dark", "light"}[i%2]) })
		p.Eval(`delete document.documentElement.dataset.theme; scrollTo(0, 0)`, nil)
	}
	until(t, p, "curves", `view`)
	fmt.Printf("curves %.2f s\n", time.Since(began).Seconds())
	tell("first frames", 10, func(int) {})
	all("checking: ")
	tell("check arrives", 1, func(int) { until(t, p, "the check", `view && !doc.stage`); time.Sleep(500 * time.Millisecond) })
	fmt.Printf("checked %.2f s\n", time.Since(began).Seconds())
	time.Sleep(time.Second)
	all("")
}
