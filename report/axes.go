package report

import (
	"math"
	"sort"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"ident/internal/digits"
)

// textStyle returns the sans-serif of every plot.
func textStyle(h hue, size vg.Length) text.Style {
	return text.Style{
		Color:   h.rgba(),
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign:  draw.XLeft,
		YAlign:  draw.YCenter,
		Handler: text.Plain{Fonts: font.DefaultCache},
	}
}

// newAxes returns an empty plot in our style: no ground, quiet axes, light grid.
func newAxes(size vg.Length, xlabel, ylabel string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color = hueQuiet.rgba()
		a.Width = 0.6
		a.Padding = 0
		a.Tick.Color = hueQuiet.rgba()
		a.Tick.Width = 0.6
		a.Tick.Length = 4
		a.Tick.Marker = niceTicks{}
		restyle(&a.Tick.Label, hueQuiet, size)
		restyle(&a.Label.TextStyle, hueInk, size)
		a.Label.Padding = 3
	}
	p.X.Label.Text = xlabel
	p.Y.Label.Text = ylabel
	grid := plotter.NewGrid()
	grid.Vertical.Color = hueGrid.rgba()
	grid.Horizontal.Color = hueGrid.rgba()
	grid.Vertical.Width, grid.Horizontal.Width = 0.6, 0.6
	p.Add(grid)
	return p
}

// restyle changes face and colour and keeps the alignment.
func restyle(s *text.Style, h hue, size vg.Length) {
	n := textStyle(h, size)
	n.XAlign, n.YAlign = s.XAlign, s.YAlign
	*s = n
}

// niceTicks marks round numbers, about want of them (five when zero).
type niceTicks struct{ want int }

// Ticks implements plot.Ticker.
func (n niceTicks) Ticks(lo, hi float64) []plot.Tick {
	want := n.want
	if want == 0 {
		want = 5
	}
	step := niceStep((hi - lo) / float64(want))
	if step <= 0 || math.IsInf(step, 0) || math.IsNaN(step) {
		return nil
	}
	var out []plot.Tick
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi+1e-9*step && len(out) < 100; k++ {
		out = append(out, plot.Tick{Value: k * step, Label: digits.Tick(k*step, step)})
	}
	return out
}

// niceStep returns the number out of 1, 2 and 5 times a power of ten that is nearest
// to x in ratio; zero if x is not positive.
func niceStep(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 0
	}
	base := math.Pow(10, math.Floor(math.Log10(x)))
	switch m := x / base; {
	case m < math.Sqrt2:
		return base
	case m < math.Sqrt(10):
		return 2 * base
	case m < math.Sqrt(50):
		return 5 * base
	}
	return 10 * base
}

// margins are the distances from the edges of a canvas to the data area of its plot.
type margins struct{ left, right vg.Length }

func marginsOf(p *plot.Plot, c draw.Canvas) margins {
	d := p.DataCanvas(c)
	return margins{left: d.Min.X - c.Min.X, right: c.Max.X - d.Max.X}
}

// drawAligned draws plots, each in its own canvas, with a common left and right edge of their data areas.
func drawAligned(plots []*plot.Plot, canvases []draw.Canvas) {
	var most margins
	own := make([]margins, len(plots))
	for i, p := range plots {
		m := marginsOf(p, canvases[i])
		own[i] = m
		most.left = max(most.left, m.left)
		most.right = max(most.right, m.right)
	}
	for i, p := range plots {
		p.Draw(draw.Crop(canvases[i], most.left-own[i].left, own[i].right-most.right, 0, 0))
	}
}

// legendEntry names a line, a filled area or a mark.
type legendEntry struct {
	label string
	line  draw.LineStyle
	fill  *hue
	glyph *draw.GlyphStyle
}

// header writes the title and under it the legend, and returns the canvas
// that is left.
func header(c draw.Canvas, size vg.Length, title string, entries []legendEntry) draw.Canvas {
	ts := textStyle(hueInk, size*1.1)
	ts.Font.Weight = xfont.WeightBold
	ts.YAlign = draw.YTop
	title = fit(clean(title), ts, c.Max.X-c.Min.X)
	c.FillText(ts, vg.Point{X: c.Min.X, Y: c.Max.Y}, title)
	y := c.Max.Y - size*1.1 - size*1.2
	ls := textStyle(hueInk, size)
	x := c.Min.X
	for _, e := range entries {
		w := 22 + 4 + ls.Width(e.label)
		if x > c.Min.X && x+w > c.Max.X {
			x = c.Min.X
			y -= size * 1.35
		}
		drawSample(c, e, x, y)
		c.FillText(ls, vg.Point{X: x + 26, Y: y}, e.label)
		x += w + 14
	}
	if len(entries) > 0 {
		y -= size * 1.2
	}
	c.Max.Y = y
	return c
}

func drawSample(c draw.Canvas, e legendEntry, x, y vg.Length) {
	if e.fill != nil {
		c.FillPolygon(e.fill.rgba(), []vg.Point{{X: x, Y: y - 4}, {X: x + 22, Y: y - 4}, {X: x + 22, Y: y + 4}, {X: x, Y: y + 4}})
	}
	if e.line.Width > 0 {
		c.StrokeLine2(e.line, x, y, x+22, y)
	}
	if e.glyph != nil {
		c.DrawGlyphNoClip(*e.glyph, vg.Point{X: x + 11, Y: y})
	}
}

// fit cuts text to the width of room. Text of any length takes a time by what there is room for.
func fit(s string, ts text.Style, room vg.Length) string {
	r := []rune(s)
	cut := func(n int) string {
		if n >= len(r) {
			return s
		}
		return string(r[:n]) + "…"
	}
	most := 1
	for most < len(r) && ts.Width(cut(most)) <= room {
		most *= 2
	}
	// The sign of a cut is as wide as a few narrow letters: what is cut in front of these may be wider than the whole.
	if len(r) <= 2*most+8 && ts.Width(s) <= room {
		return s
	}
	least := most / 2 // fits, or is none
	more := sort.Search(min(most, len(r)-1)-least, func(i int) bool { return ts.Width(cut(least+1+i)) > room })
	return cut(max(1, least+more))
}

// span returns the finite range of values, widened by share of itself on both sides. A single value gets a range around
// it; without values it is ±1.
func span(lo, hi, share float64) (float64, float64) {
	if lo > hi || !finite(lo) || !finite(hi) || !finite(hi-lo) {
		return -1, 1
	}
	if size := math.Max(math.Abs(lo), math.Abs(hi)); hi-lo <= 1e-12*size || size < 1e-300 {
		if size < 1e-300 {
			size = 1
		}
		return lo - size/2, hi + size/2
	}
	return lo - share*(hi-lo), hi + share*(hi-lo)
}
