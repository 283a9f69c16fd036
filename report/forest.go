package report

import (
	"fmt"
	"math"
	"slices"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"ident/result"

	"ident/internal/digits"
)

// Sizes of a parameter plot, in points.
const (
	forestWidth   = 400
	forestRow     = 13.5
	forestFont    = 10.5
	forestMaxRows = 44
)

// forestLine is one line of a parameter plot: a link's heading or a parameter.
type forestLine struct {
	heading string
	param   result.BaseParameter
}

// forestPages spreads the parameters over plots of about equal length, links
// kept whole unless one alone is too long.
func forestPages(params []result.BaseParameter) [][]forestLine {
	groups := byLink(params)
	total := len(params) + len(groups)
	target := (total + (total-1)/forestMaxRows) / (1 + (total-1)/forestMaxRows)
	var out [][]forestLine
	var page []forestLine
	for _, g := range groups {
		heading := clean(orDash(g.Link))
		if g.Joint != "" && g.Joint != g.Link {
			heading += ", joint " + clean(g.Joint)
		}
		if len(page) > 0 && len(page)+1+len(g.Params)/2 > target {
			out, page = append(out, page), nil
		}
		page = append(page, forestLine{heading: heading})
		for _, b := range g.Params {
			if len(page) > forestMaxRows {
				out, page = append(out, page), nil
				page = append(page, forestLine{heading: heading + " (continued)"})
			}
			page = append(page, forestLine{param: b})
		}
	}
	if len(page) > 0 {
		out = append(out, page)
	}
	return out
}

// forestReach is how far from the estimate the plots look, in multiples of the
// estimate: far enough for nine parameters out of ten, between 0.1 and 2.
func forestReach(params []result.BaseParameter) float64 {
	var need []float64
	for _, b := range params {
		d := math.Max(b.High95-b.Value, b.Value-b.Low95)
		if b.HasPrior {
			d = math.Max(d, math.Abs(b.Prior-b.Value))
		}
		if d /= math.Abs(b.Value); finite(d) {
			need = append(need, d)
		}
	}
	if len(need) == 0 {
		return 1
	}
	slices.Sort(need)
	return math.Max(0.1, math.Min(2, 1.05*need[(len(need)-1)*9/10]))
}

// forestFigure draws one page of base parameters: values, 95 % intervals and
// priors divided by the estimate on the left, relative standard deviations on the right.
func forestFigure(res *result.Result, lines []forestLine, number, pages int, reach float64) figure {
	rows := float64(len(lines))
	title := "Base parameters"
	if pages > 1 {
		title = fmt.Sprintf("Base parameters, part %d of %d", number, pages)
	}
	left := newAxes(forestFont, "value / estimate", "")
	right := newAxes(forestFont, "relative sigma [%]", "")
	left.X.Min, left.X.Max = 1-reach, 1+reach
	right.X.Min, right.X.Max = sigmaDecades(res.BaseParameters)
	right.X.Tick.Marker = decadeTicks{}
	left.X.Tick.Marker = niceTicks{want: 4}
	for _, p := range []*plot.Plot{left, right} {
		p.Y.Min, p.Y.Max = -0.5, rows-0.5
		p.Y.Tick.Length = 0
	}
	left.Y.Tick.Marker = lineTicks{lines}
	right.Y.Tick.Marker = plot.ConstantTicks(nil)
	left.Y.Tick.Label.Color = hueInk.rgba()
	left.Add(forestRows{lines})
	right.Add(sigmaRows{lines})

	estimateMark, weakMark, priorMark := forestMarks()
	interval := draw.LineStyle{Color: hueMeasured.rgba(), Width: 1.6}
	entries := []legendEntry{
		{label: "estimate, 95 %", line: interval, glyph: &estimateMark},
		{label: "weak", line: interval, glyph: &weakMark},
	}
	caption := fmt.Sprintf("Base parameters divided by their estimates, with 95 %% intervals; a parameter whose interval contains 0 may be zero. Arrows run off the plot. Open marks are weak: relative sigma above %d %% (dashed line). Filter: %s.",
		WeakPercent, filterWords(res.Processing))
	if slices.ContainsFunc(lines, func(l forestLine) bool { return l.param.HasPrior }) {
		entries = append(entries, legendEntry{label: "prior (robot file)", glyph: &priorMark})
	}
	first, last := "", ""
	for _, l := range lines {
		if l.heading == "" {
			if first == "" {
				first = l.param.Name
			}
			last = l.param.Name
		}
	}
	return figure{
		Plot: Plot{
			Name: fmt.Sprintf("parameters-%02d", number), Group: GroupParameter, Title: title,
			Caption: fmt.Sprintf("%s to %s. %s", clean(first), clean(last), caption),
		},
		width: forestWidth, height: vg.Length(80 + rows*forestRow),
		draw: func(c draw.Canvas) {
			c = draw.Crop(c, 4, -8, 4, -4)
			c = header(c, forestFont, title, entries)
			a, b := c, c
			a.Max.X = c.Min.X + (c.Max.X-c.Min.X)*0.66
			b.Min.X = a.Max.X + 16
			left.Draw(a)
			right.Draw(b)
		},
	}
}

// forestMarks returns the glyphs of an estimate, of a weak one and of a prior:
// different shapes, so that they need no colour.
func forestMarks() (estimateMark, weakMark, priorMark draw.GlyphStyle) {
	return draw.GlyphStyle{Color: hueInk.rgba(), Radius: 2.8, Shape: draw.CircleGlyph{}},
		draw.GlyphStyle{Color: hueWeak.rgba(), Radius: 3, Shape: ring{}},
		draw.GlyphStyle{Color: huePredicted.rgba(), Radius: 3.6, Shape: diamond{}}
}

// ring and diamond are open glyphs, stroked wider than gonum's.
type (
	ring    struct{}
	diamond struct{}
)

// DrawGlyph implements draw.GlyphDrawer.
func (ring) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: 1.3})
	var p vg.Path
	p.Move(vg.Point{X: pt.X + sty.Radius, Y: pt.Y})
	p.Arc(pt, sty.Radius, 0, 2*math.Pi)
	p.Close()
	c.Stroke(p)
}

// DrawGlyph implements draw.GlyphDrawer.
func (diamond) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: 1.2})
	var p vg.Path
	p.Move(vg.Point{X: pt.X - sty.Radius, Y: pt.Y})
	p.Line(vg.Point{X: pt.X, Y: pt.Y + sty.Radius})
	p.Line(vg.Point{X: pt.X + sty.Radius, Y: pt.Y})
	p.Line(vg.Point{X: pt.X, Y: pt.Y - sty.Radius})
	p.Close()
	c.Stroke(p)
}

// lineTicks names the rows.
type lineTicks struct{ lines []forestLine }

// Ticks implements plot.Ticker.
func (t lineTicks) Ticks(lo, hi float64) []plot.Tick {
	var out []plot.Tick
	style := textStyle(hueInk, forestFont)
	for i, l := range t.lines {
		if l.heading == "" {
			out = append(out, plot.Tick{Value: float64(len(t.lines) - 1 - i), Label: fit(clean(l.param.Name), style, 70)})
		}
	}
	return out
}

// forestRows draws values, intervals and priors.
type forestRows struct{ lines []forestLine }

// Plot implements plot.Plotter.
func (f forestRows) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	rule := draw.LineStyle{Color: hueQuiet.rgba(), Width: 0.8}
	if p.X.Min < 0 {
		c.StrokeLine2(rule, x(0), c.Min.Y, x(0), c.Max.Y)
	}
	estimateMark, weakMark, priorMark := forestMarks()
	bold := textStyle(hueInk, forestFont)
	bold.Font.Weight = xfont.WeightBold
	for i, l := range f.lines {
		at := y(float64(len(f.lines) - 1 - i))
		if l.heading != "" {
			c.FillText(bold, vg.Point{X: c.Min.X + 2, Y: at}, fit(l.heading, bold, c.Max.X-c.Min.X-4))
			continue
		}
		b := l.param
		weak := isWeak(b)
		mark, interval := estimateMark, draw.LineStyle{Color: hueMeasured.rgba(), Width: 1.6}
		if weak {
			mark = weakMark
		}
		if b.Value == 0 || !finite(b.Value) {
			note := textStyle(hueQuiet, forestFont*0.9)
			c.FillText(note, vg.Point{X: c.Min.X + 2, Y: at}, "estimate "+digits.Figure(b.Value)+": no ratio")
			continue
		}
		lo, hi := b.Low95/b.Value, b.High95/b.Value
		if lo > hi {
			lo, hi = hi, lo
		}
		if finite(lo) && finite(hi) {
			c.StrokeLine2(interval, x(math.Max(lo, p.X.Min)), at, x(math.Min(hi, p.X.Max)), at)
			if lo < p.X.Min {
				arrow(c, hueMeasured, c.Min.X, at, -1)
			}
			if hi > p.X.Max {
				arrow(c, hueMeasured, c.Max.X, at, 1)
			}
		}
		c.DrawGlyphNoClip(mark, vg.Point{X: x(1), Y: at})
		if b.HasPrior {
			switch r := b.Prior / b.Value; {
			case r < p.X.Min:
				arrow(c, huePredicted, c.Min.X+6, at, -1)
			case r > p.X.Max:
				arrow(c, huePredicted, c.Max.X-6, at, 1)
			case finite(r):
				c.DrawGlyphNoClip(priorMark, vg.Point{X: x(r), Y: at})
			}
		}
	}
}

// arrow is a head that points out of the plot.
func arrow(c draw.Canvas, h hue, tip, y vg.Length, way vg.Length) {
	c.FillPolygon(h.rgba(), []vg.Point{{X: tip, Y: y}, {X: tip - 5*way, Y: y + 3}, {X: tip - 5*way, Y: y - 3}})
}

// sigmaRows draws the relative standard deviations as bars on a logarithmic axis.
type sigmaRows struct{ lines []forestLine }

// Plot implements plot.Plotter.
func (s sigmaRows) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	note := textStyle(hueWeak, forestFont*0.9)
	for i, l := range s.lines {
		if l.heading != "" {
			continue
		}
		at := y(float64(len(s.lines) - 1 - i))
		rel := relativeSigma(l.param)
		if rel <= 0 {
			continue
		}
		if !finite(rel) {
			c.FillText(note, vg.Point{X: c.Min.X + 2, Y: at}, "none")
			continue
		}
		right := x(math.Max(p.X.Min, math.Min(p.X.Max, math.Log10(rel))))
		h := hueMeasured
		if isWeak(l.param) {
			h = hueWeak
		}
		half := vg.Length(forestRow * 0.28)
		c.FillPolygon(h.rgba(), []vg.Point{{X: c.Min.X, Y: at - half}, {X: right, Y: at - half}, {X: right, Y: at + half}, {X: c.Min.X, Y: at + half}})
	}
	if limit := math.Log10(WeakPercent); limit > p.X.Min && limit < p.X.Max {
		c.StrokeLine2(draw.LineStyle{Color: hueInk.rgba(), Width: 0.8, Dashes: []vg.Length{3, 3}}, x(limit), c.Min.Y, x(limit), c.Max.Y)
	}
}

// sigmaDecades returns the range of the relative standard deviations in powers of ten, at
// least 1 % to 100 %, at most 0.01 % to 1000 %.
func sigmaDecades(params []result.BaseParameter) (lo, hi float64) {
	lo, hi = 0, 2
	for _, b := range params {
		if d := math.Log10(relativeSigma(b)); finite(d) {
			lo, hi = math.Min(lo, math.Floor(d)), math.Max(hi, math.Ceil(d))
		}
	}
	return math.Max(lo, -2), math.Min(hi, 3)
}

// decadeTicks marks powers of ten by their exponents.
type decadeTicks struct{}

// Ticks implements plot.Ticker.
func (decadeTicks) Ticks(lo, hi float64) []plot.Tick {
	var out []plot.Tick
	for d := math.Ceil(lo); d <= hi; d++ {
		out = append(out, plot.Tick{Value: d, Label: fmt.Sprintf("%g", math.Pow(10, d))})
	}
	return out
}
