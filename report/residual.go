package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"ident/internal/digits"
	"ident/result"
)

// Sizes of a residual plot, in points.
const (
	smallWidth  = 340
	smallHeight = 235
	smallFont   = 11
)

// roles pairs the residuals of training and validation runs of one joint.
type roles struct{ train, check residuals }

func rolesOf(runs []result.ResidualRun, j int, p result.Processing) roles {
	return roles{residualsOf(runs, "train", j, p), residualsOf(runs, "validate", j, p)}
}

// lead returns the role drawn as an area: training, or validation without training runs.
func (r roles) lead() (lead residuals, name string, other residuals) {
	if r.train.n == 0 {
		return r.check, "validation", residuals{}
	}
	return r.train, "training", r.check
}

// histogramFigure draws the density of a joint's residuals with the normal
// density of the same mean and variance; ok is false without residuals.
func histogramFigure(res *result.Result, r roles, j int) (f figure, ok bool) {
	lead, role, other := r.lead()
	if lead.n < 2 {
		return figure{}, false
	}
	name, u := clean(res.Joints[j]), unit(res, j)
	lo, hi := lead.lo, lead.hi
	if other.n > 0 {
		lo, hi = math.Min(lo, other.lo), math.Max(hi, other.hi)
	}
	// Far outliers would squeeze the rest into one bin.
	lo, hi = math.Max(lo, lead.mean-6*lead.sd), math.Min(hi, lead.mean+6*lead.sd)
	lo, hi = span(lo, hi, 0.02)
	bins := max(8, min(48, int(math.Sqrt(float64(lead.n)))))
	density, outside := lead.densities(lo, hi, bins)
	top := 0.0
	for _, d := range density {
		top = math.Max(top, d)
	}
	area := steps{lo, hi, density, draw.LineStyle{Color: hueResidual.rgba(), Width: 0.8}, true}
	entries := []legendEntry{{label: role, line: area.style, fill: ptr(hueFill)}}

	p := newAxes(smallFont, fmt.Sprintf("residual [%s]", u), fmt.Sprintf("density [1/(%s)]", u))
	p.X.Min, p.X.Max = lo, hi
	p.Add(area)
	if lead.sd > 0 {
		bell := series{style: draw.LineStyle{Color: huePredicted.rgba(), Width: 1.4}}
		var line []point
		for i := 0; i <= 120; i++ {
			x := lo + (hi-lo)*float64(i)/120
			z := (x - lead.mean) / lead.sd
			line = append(line, point{x, math.Exp(-z*z/2) / (lead.sd * math.Sqrt(2*math.Pi))})
		}
		bell.curves = []curve{{line}}
		_, peak := bell.bounds()
		top = math.Max(top, peak)
		p.Add(bell)
		entries = append(entries, legendEntry{label: "normal", line: bell.style})
	}
	caption := fmt.Sprintf("Residuals of %s in %s: density of %d %s samples, and the normal density of the same mean (%s) and standard deviation (%s)",
		name, u, lead.n, role, digits.Bias(lead.mean, lead.sd), digits.Number(lead.sd, 3))
	if other.n > 1 {
		d, _ := other.densities(lo, hi, bins)
		for _, v := range d {
			top = math.Max(top, v)
		}
		outline := steps{lo, hi, d, draw.LineStyle{Color: hueInk.rgba(), Width: 1, Dashes: []vg.Length{3, 2}}, false}
		p.Add(outline)
		entries = append(entries, legendEntry{label: "validation", line: outline.style})
		caption += fmt.Sprintf("; dashed, %d validation samples (standard deviation %s)", other.n, digits.Number(other.sd, 3))
	}
	caption += fmt.Sprintf(". Filter: %s.", filterWords(res.Processing))
	if outside > 0 {
		caption += fmt.Sprintf(" %d samples beyond six standard deviations are not shown.", outside)
	}
	p.Y.Min, p.Y.Max = 0, top*1.04
	if top == 0 {
		p.Y.Max = 1
	}
	title := "Residual histogram of " + name
	return figure{
		Plot:  Plot{Name: fmt.Sprintf("histogram-%02d-%s", j+1, slug(name)), Group: GroupResidual, Title: title, Caption: caption},
		width: smallWidth, height: smallHeight, draw: singlePanel(p, title, entries),
	}, true
}

// autocorrelationFigure draws the autocorrelation of a joint's residuals with
// the band that white residuals keep to; ok is false where the residuals do not
// vary or the times do not advance.
func autocorrelationFigure(res *result.Result, runs []result.ResidualRun, r roles, j int) (f figure, ok bool) {
	lead, role, other := r.lead()
	period, longest := lead.period()
	lags := min(longest/4, correlationLags(res.Processing, period))
	if lags < 2 || period <= 0 {
		return figure{}, false
	}
	rho := lead.autocorrelation(lags)
	if rho == nil {
		return figure{}, false
	}
	name := clean(res.Joints[j])
	band := 1.96 / math.Sqrt(float64(lead.n))
	bounds := whiteBand{band}
	end := float64(lags) * period
	main := series{curves: []curve{correlogram(rho, period)}, style: draw.LineStyle{Color: hueResidual.rgba(), Width: 1.4}}
	low, _ := main.bounds()
	entries := []legendEntry{{label: role, line: main.style}}

	p := newAxes(smallFont, "lag [s]", "autocorrelation")
	p.X.Min, p.X.Max = 0, end
	p.Add(bounds, series{curves: []curve{{{{0, 0}, {end, 0}}}}, style: draw.LineStyle{Color: hueQuiet.rgba(), Width: 0.6}}, main)
	if other.n > 0 {
		if q, _ := other.period(); q > 0 {
			if rho := other.autocorrelation(max(2, int(end/q))); rho != nil {
				check := series{curves: []curve{correlogram(rho, q)}, style: draw.LineStyle{Color: hueInk.rgba(), Width: 1, Dashes: []vg.Length{3, 2}}}
				l, _ := check.bounds()
				low = math.Min(low, l)
				p.Add(check)
				entries = append(entries, legendEntry{label: "validation", line: check.style})
			}
		}
	}
	entries = append(entries, legendEntry{label: "white, 95 %", fill: ptr(hueFill)})
	p.Y.Min, p.Y.Max = math.Min(low, -band)-0.06, 1.02
	caption := fmt.Sprintf("Autocorrelation of the residuals of %s against the lag; 95 %% of the lags of %d white samples stay within ±%s. Filter: %s",
		name, lead.n, digits.Number(band, 2), filterWords(res.Processing))
	if s := strideWords(lanes(runs)); s != "" {
		caption += "; samples as stored" + s
	}
	title := "Residual autocorrelation of " + name
	return figure{
		Plot:  Plot{Name: fmt.Sprintf("autocorrelation-%02d-%s", j+1, slug(name)), Group: GroupResidual, Title: title, Caption: caption + "."},
		width: smallWidth, height: smallHeight, draw: singlePanel(p, title, entries),
	}, true
}

// correlationLags returns the number of lags to show: eight periods of the filter's cut-off, within which a low-pass
// makes samples alike, but between 40 and 2000.
func correlationLags(p result.Processing, period float64) int {
	lags := 100.0
	if p.Cutoff > 0 && period > 0 {
		lags = 8 / (p.Cutoff * period)
	}
	return int(math.Max(40, math.Min(2000, lags)))
}

// correlogram is ρ over the lag in seconds, thinned where lags are closer than
// can be seen.
func correlogram(rho []float64, period float64) curve {
	t := make([]float64, len(rho))
	for l := range t {
		t[l] = float64(l) * period
	}
	return envelope(t, rho, 0, t[len(t)-1]+period, 300)
}

// steps draws a histogram's outline, and its area where filled.
type steps struct {
	lo, hi  float64
	density []float64
	style   draw.LineStyle
	filled  bool
}

// Plot implements plot.Plotter.
func (s steps) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	width := (s.hi - s.lo) / float64(len(s.density))
	outline := []vg.Point{{X: x(s.lo), Y: y(0)}}
	for i, d := range s.density {
		outline = append(outline,
			vg.Point{X: x(s.lo + float64(i)*width), Y: y(d)},
			vg.Point{X: x(s.lo + float64(i+1)*width), Y: y(d)})
	}
	outline = append(outline, vg.Point{X: x(s.hi), Y: y(0)})
	if s.filled {
		c.FillPolygon(hueFill.rgba(), outline)
	}
	c.StrokeLines(s.style, outline)
}

// whiteBand fills ±half about zero over the whole width.
type whiteBand struct{ half float64 }

// Plot implements plot.Plotter.
func (b whiteBand) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	lo, hi := y(-b.half), y(b.half)
	c.FillPolygon(hueFill.rgba(), []vg.Point{{X: c.Min.X, Y: lo}, {X: c.Max.X, Y: lo}, {X: c.Max.X, Y: hi}, {X: c.Min.X, Y: hi}})
}

// singlePanel draws one plot under its title and legend.
func singlePanel(p *plot.Plot, title string, entries []legendEntry) func(draw.Canvas) {
	return func(c draw.Canvas) {
		c = draw.Crop(c, 4, -8, 4, -4)
		p.Draw(header(c, smallFont, title, entries))
	}
}

func ptr[T any](v T) *T { return &v }
