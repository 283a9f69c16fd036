package report

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"ident/estimate"
)

// Sizes of a torque plot, in points.
const (
	torqueWidth  = 760
	torqueHeight = 380
	torqueFont   = 12
)

// lane is the place of one run on the shared time axis: its samples are moved
// by shift, so that runs stand one after another.
type lane struct {
	run        *estimate.ResidualRun
	start, end float64 // on the axis
	shift      float64 // axis = own time + shift
}

// lanes puts the runs that have samples side by side, a fiftieth of the whole
// apart. A single run keeps its own time.
func lanes(runs []estimate.ResidualRun) []lane {
	var out []lane
	total := 0.0
	for i := range runs {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, t := range runs[i].T {
			if finite(t) {
				lo, hi = math.Min(lo, t), math.Max(hi, t)
			}
		}
		if lo > hi {
			continue
		}
		out = append(out, lane{run: &runs[i], start: lo, end: hi})
		total += hi - lo
	}
	if len(out) < 2 {
		return out
	}
	x := 0.0
	for i := range out {
		l := &out[i]
		l.shift = x - l.start
		l.start, l.end = x, x+l.end-l.start
		x = l.end + total/50
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

// series draws a curve a run.
type series struct {
	curves []curve
	style  draw.LineStyle
}

// Plot implements plot.Plotter.
func (s series) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, cv := range s.curves {
		for _, piece := range cv {
			line := make([]vg.Point, len(piece))
			for i, pt := range piece {
				line[i] = vg.Point{X: x(pt.x), Y: y(pt.y)}
			}
			if len(line) == 1 {
				line = append(line, line[0].Add(vg.Point{X: 0.5}))
			}
			c.StrokeLines(s.style, line)
		}
	}
}

// bounds is the range of the ordinates.
func (s series) bounds() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, cv := range s.curves {
		for _, piece := range cv {
			for _, pt := range piece {
				lo, hi = math.Min(lo, pt.y), math.Max(hi, pt.y)
			}
		}
	}
	return lo, hi
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

// torqueFigure draws one joint: measured and predicted above, the residual
// below on the same time axis.
func torqueFigure(res *estimate.Result, ls []lane, j int) figure {
	name, u := clean(res.Joints[j]), unit(res, j)
	effort := "torque"
	if u == "N" {
		effort = "force"
	}
	title := fmt.Sprintf("%s of %s, measured and predicted", capital(effort), name)
	lo, hi := ls[0].start, ls[len(ls)-1].end
	bins := curveBins(len(res.Joints))
	measured := series{style: draw.LineStyle{Color: hueMeasured.rgba(), Width: 2.4}}
	predicted := series{style: draw.LineStyle{Color: huePredicted.rgba(), Width: 0.9}}
	residual := series{style: draw.LineStyle{Color: hueResidual.rgba(), Width: 0.8}}
	samples := 0
	for _, l := range ls {
		t := make([]float64, len(l.run.T))
		r := make([]float64, len(t))
		for k := range t {
			t[k] = l.run.T[k] + l.shift
			r[k] = l.run.Measured[j][k] - l.run.Predicted[j][k]
		}
		samples += len(t)
		measured.curves = append(measured.curves, envelope(t, l.run.Measured[j], lo, hi, bins))
		predicted.curves = append(predicted.curves, envelope(t, l.run.Predicted[j], lo, hi, bins))
		residual.curves = append(residual.curves, envelope(t, r, lo, hi, bins))
	}

	upper := newAxes(torqueFont, "", fmt.Sprintf("%s [%s]", effort, u))
	lower := newAxes(torqueFont, "time [s]", fmt.Sprintf("residual [%s]", u))
	if len(ls) > 1 {
		lower.X.Label.Text = "time of each log [s]"
	}
	for _, p := range []*plot.Plot{upper, lower} {
		p.X.Min, p.X.Max = span(lo, hi, 0)
		p.X.Tick.Marker = laneTicks{ls}
	}
	upper.X.Tick.Label.Font.Size = 0.1 // the labels stand under the lower panel
	upper.X.Tick.Marker = unlabelled{laneTicks{ls}}
	lower.Y.Tick.Marker = niceTicks{want: 4}
	a, b := measured.bounds()
	c, d := predicted.bounds()
	upper.Y.Min, upper.Y.Max = span(math.Min(a, c), math.Max(b, d), 0.04)
	a, b = residual.bounds()
	lower.Y.Min, lower.Y.Max = span(math.Min(a, 0), math.Max(b, 0), 0.06)
	upper.Add(measured, predicted, partitions{ls, true})
	lower.Add(series{curves: []curve{{{{lo, 0}, {hi, 0}}}}, style: draw.LineStyle{Color: hueQuiet.rgba(), Width: 0.6}}, residual, partitions{ls, false})

	caption := fmt.Sprintf("%s: measured and predicted %s, and the residual (measured − predicted) below, in %s; relative error %s %% on the training rows",
		name, effort, u, percent(at(res.Fit.RelativeError.Joints, j)))
	if v := res.Validation; v != nil {
		caption += fmt.Sprintf(", %s %% on the validation rows", percent(at(v.RelativeError.Joints, j)))
	}
	caption += fmt.Sprintf(". Filter: %s. %d samples%s.", filterWords(res.Processing), samples, strideWords(ls))
	if samples > 3*bins {
		caption += " Drawn as the envelope of the samples under each pixel."
	}

	return figure{
		Plot:  Plot{Name: fmt.Sprintf("torque-%02d-%s", j+1, slug(name)), Group: GroupTorque, Title: title, Caption: caption},
		width: torqueWidth, height: torqueHeight,
		draw: func(c draw.Canvas) {
			c = draw.Crop(c, 4, -8, 4, -4)
			c = header(c, torqueFont, title, []legendEntry{
				{label: "measured", line: measured.style},
				{label: "predicted", line: predicted.style},
				{label: "residual", line: residual.style},
			})
			c.Max.Y -= torqueFont * 1.4 // names of the runs
			split := c.Min.Y + (c.Max.Y-c.Min.Y)*0.4
			top, bottom := c, c
			top.Min.Y = split + 2
			bottom.Max.Y = split - 8
			drawAligned([]*plot.Plot{upper, lower}, []draw.Canvas{top, bottom})
		},
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

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// strideWords says how many samples a stored one stands for.
func strideWords(ls []lane) string {
	stride := 1
	for _, l := range ls {
		stride = max(stride, l.run.Stride)
	}
	if stride == 1 {
		return ""
	}
	return fmt.Sprintf(" (every %dth stored)", stride)
}

// curveBins is the number of bins a curve gets: as many as the panel has
// pixels for a few joints, fewer for many, so that a page stays small.
func curveBins(joints int) int {
	return max(240, min(600, 6000/max(joints, 1)))
}
