package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"ident/result"
)

// lane is the place of one run on the shared time axis: its samples are moved by shift so that runs follow one another.
type lane struct {
	run        *result.ResidualRun
	start, end float64 // on the axis
	shift      float64 // axis = own time + shift
}

// lanes places the runs with samples one after another, a fiftieth of the total apart. A single run keeps its own time.
func lanes(runs []result.ResidualRun) []lane {
	spans := make([][2]float64, len(runs))
	for i := range runs {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, t := range runs[i].T {
			if finite(t) {
				lo, hi = math.Min(lo, t), math.Max(hi, t)
			}
		}
		spans[i] = [2]float64{lo, hi}
	}
	var out []lane
	for i, p := range placed(spans) {
		if p.drawn {
			out = append(out, lane{&runs[i], p.start, p.end, p.shift})
		}
	}
	return out
}

// place is where a run is drawn on the shared axis.
type place struct {
	start, end, shift float64
	drawn             bool
}

// placed places runs by the first and last of their times; one without times is not drawn.
func placed(spans [][2]float64) []place {
	out := make([]place, len(spans))
	total, n := 0.0, 0
	for i, s := range spans {
		if s[0] <= s[1] {
			out[i] = place{s[0], s[1], 0, true}
			total += s[1] - s[0]
			n++
		}
	}
	if n < 2 {
		return out
	}
	x := 0.0
	for i := range out {
		p := &out[i]
		if !p.drawn {
			continue
		}
		p.shift = x - p.start
		p.start, p.end = x, x+p.end-p.start
		x = p.end + total/50
	}
	return out
}

// laneTicks labels each run with its own time.
type laneTicks struct{ lanes []lane }

// Ticks implements plot.Ticker.
func (lt laneTicks) Ticks(lo, hi float64) []plot.Tick {
	step := niceStep((hi - lo) / 10)
	if step == 0 {
		return nil
	}
	var out []plot.Tick
	for _, l := range lt.lanes {
		own := niceTicks{want: max(1, int(math.Round((l.end-l.start)/step)))}
		for _, t := range own.Ticks(l.start-l.shift, l.end-l.shift) {
			t.Value += l.shift
			if n := len(out); n > 0 && t.Value-out[n-1].Value < 0.6*step {
				t.Label = "" // a minor tick: its label would touch the last one
			}
			out = append(out, t)
		}
	}
	return out
}

// partitions marks where a run ends and the next begins, and names the runs
// along the upper edge.
type partitions struct {
	lanes []lane
	named bool
}

// Plot implements plot.Plotter.
func (pt partitions) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	edge := draw.LineStyle{Color: hueQuiet.rgba(), Width: 0.8, Dashes: []vg.Length{3, 3}}
	for i, l := range pt.lanes {
		if i > 0 {
			mid := x((pt.lanes[i-1].end + l.start) / 2)
			c.StrokeLine2(edge, mid, c.Min.Y, mid, c.Max.Y)
		}
		if !pt.named {
			continue
		}
		ts := textStyle(hueQuiet, torqueFont*0.9)
		label := fmt.Sprintf("%s (%s)", clean(l.run.Log), roleWord(l.run.Role))
		label = fit(label, ts, x(l.end)-x(l.start))
		c.FillText(ts, vg.Point{X: x(l.start), Y: c.Max.Y + torqueFont*0.7}, label)
	}
}

// unlabelled keeps the ticks of another ticker and drops their labels.
type unlabelled struct{ plot.Ticker }

// Ticks implements plot.Ticker.
func (u unlabelled) Ticks(lo, hi float64) []plot.Tick {
	ticks := u.Ticker.Ticks(lo, hi)
	for i := range ticks {
		ticks[i].Label = " "
	}
	return ticks
}
