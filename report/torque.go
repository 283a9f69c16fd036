package report

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"ident/internal/digits"
	"ident/result"
)

// Sizes of a torque plot, in points.
const (
	torqueWidth  = 760
	torqueHeight = 380
	torqueFont   = 12
)

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

// bounds returns the range of the ordinates.
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

// torqueFigure draws one joint over all lanes.
func torqueFigure(res *result.Result, ls []lane, j int) figure {
	name, u := clean(res.Joints[j]), unit(res, j)
	effort := effortWord(u)
	bins := curveBins(len(res.Joints))
	paint, samples := torquePanels(res, ls, j, fmt.Sprintf("%s of %s, measured and predicted", capital(effort), name))
	caption := fmt.Sprintf("%s: measured and predicted %s, and the residual (measured − predicted) below, in %s; error %s on the training rows",
		name, effort, u, errorWords(&res.Fit, j, u))
	if v := res.Validation; v != nil {
		caption += fmt.Sprintf(", %s on the validation rows", errorWords(&v.Errors, j, u))
	}
	caption += fmt.Sprintf(". Filter: %s. %d samples%s.", filterWords(res.Processing), samples, strideWords(ls))
	if samples > 3*bins {
		caption += " Drawn as the envelope of the samples under each pixel."
	}
	return figure{
		Plot: Plot{
			Name: torqueName(j) + slug(name), Group: GroupTorque,
			Title: fmt.Sprintf("%s of %s, measured and predicted", capital(effort), name), Caption: caption,
		},
		width: torqueWidth, height: torqueHeight, draw: paint,
	}
}

// closeUpFigure draws the samples around a joint's largest residual, in the
// validation runs where there are any; ok is false where the whole is short
// enough to be read without.
func closeUpFigure(res *result.Result, ls []lane, j int) (f figure, ok bool) {
	window := 2 * curveBins(len(res.Joints))
	total, validated := 0, false
	for _, l := range ls {
		total += len(l.run.T)
		validated = validated || l.run.Role == "validate"
	}
	if total < 4*window {
		return figure{}, false
	}
	var run *result.ResidualRun
	worst, middle := -1.0, 0
	for _, l := range ls {
		if validated && l.run.Role != "validate" {
			continue
		}
		for _, part := range fullRate(l.run) {
			for k, m := range part.Measured[j] {
				if e := math.Abs(m - part.Predicted[j][k]); e > worst && finite(e) && finite(part.T[k]) {
					run, worst, middle = &part, e, k
				}
			}
		}
	}
	if run == nil {
		return figure{}, false
	}
	a := max(0, min(middle-window/2, len(run.T)-window))
	b := min(len(run.T), a+window)
	part := result.ResidualRun{Log: run.Log, Role: run.Role, Stride: run.Stride, T: run.T[a:b]}
	for i := range run.Measured {
		part.Measured = append(part.Measured, run.Measured[i][a:b])
		part.Predicted = append(part.Predicted, run.Predicted[i][a:b])
	}
	near := lanes([]result.ResidualRun{part})
	name, u := clean(res.Joints[j]), unit(res, j)
	title := fmt.Sprintf("%s of %s, close-up", capital(effortWord(u)), name)
	paint, samples := torquePanels(res, near, j, title)
	return figure{
		Plot: Plot{
			Name: torqueName(j) + slug(name) + closeUpSuffix, Group: GroupTorque, Title: title,
			Caption: fmt.Sprintf("%s: %d samples%s of %s around the largest residual, %s %s at %s s. Filter: %s.",
				name, samples, strideWords(near), clean(run.Log), digits.Number(worst, 3), u, digits.Setting(run.T[middle]), filterWords(res.Processing)),
		},
		width: torqueWidth, height: torqueHeight, draw: paint,
	}, true
}

// torquePanels draws measured and predicted torque above, the residual below on
// the same time axis, and counts the samples.
func torquePanels(res *result.Result, ls []lane, j int, title string) (func(draw.Canvas), int) {
	u := unit(res, j)
	lo, hi := ls[0].start, ls[len(ls)-1].end
	bins := curveBins(len(res.Joints))
	measured := series{style: draw.LineStyle{Color: hueMeasured.rgba(), Width: 2.4}}
	predicted := series{style: draw.LineStyle{Color: huePredicted.rgba(), Width: 0.9}}
	residual := series{style: draw.LineStyle{Color: hueResidual.rgba(), Width: 0.8}}
	samples, all := 0, 0
	for _, l := range ls {
		all += len(l.run.T)
	}
	envelope := envelope
	if all > 12*bins {
		envelope = reduced // of a thousand short runs every sample would make a page of 100 MB
	}
	for _, l := range ls {
		times, m, p, r := drawnRows(l.run, j)
		t := make([]float64, len(times))
		for k := range t {
			t[k] = times[k] + l.shift
		}
		samples += len(l.run.T)
		if l.run.Long != nil {
			samples += (l.run.Stride - 1) * len(l.run.T)
		}
		measured.curves = append(measured.curves, envelope(t, m, lo, hi, bins))
		predicted.curves = append(predicted.curves, envelope(t, p, lo, hi, bins))
		residual.curves = append(residual.curves, envelope(t, r, lo, hi, bins))
	}

	upper := newAxes(torqueFont, "", fmt.Sprintf("%s [%s]", effortWord(u), u))
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

	return func(c draw.Canvas) {
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
	}, samples
}

// drawnRows returns the times, measured and predicted torques and residuals of a joint that are drawn: the rows of a
// run, of a long one the least value of each bucket at its begin and the largest at its end.
func drawnRows(run *result.ResidualRun, j int) (t, measured, predicted, residual []float64) {
	l := run.Long
	if l == nil || len(l.From) == 0 {
		return run.T, run.Measured[j], run.Predicted[j], difference(run.Measured[j], run.Predicted[j])
	}
	return woven(l.From, l.To), woven(l.Low.Measured[j], l.High.Measured[j]), woven(l.Low.Predicted[j], l.High.Predicted[j]), woven(l.Low.Residual[j], l.High.Residual[j])
}

// woven returns a0, b0, a1, b1 and so on.
func woven(a, b []float64) []float64 {
	out := make([]float64, 0, 2*len(a))
	for i := range a {
		out = append(out, a[i], b[i])
	}
	return out
}

// effortWord is "torque" or "force", by the unit of the joint.
func effortWord(unit string) string {
	if unit == "N" {
		return "force"
	}
	return "torque"
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// strideWords returns how many samples a stored one stands for.
func strideWords(ls []lane) string {
	stride, rows := 1, 0
	for _, l := range ls {
		if l.run.Long != nil {
			rows = max(rows, l.run.Long.Rows)
			continue
		}
		stride = max(stride, l.run.Stride)
	}
	switch {
	case rows > 0:
		return fmt.Sprintf(" (the least and the largest of every %d)", rows)
	case stride == 1:
		return ""
	}
	return fmt.Sprintf(" (one in %d stored)", stride)
}

// curveBins returns the number of bins a curve gets: as many as the panel has
// pixels for a few joints, fewer for many, so that a page stays small.
func curveBins(joints int) int {
	return max(240, min(600, 6000/max(joints, 1)))
}

// closeUpSuffix ends the names of close-ups.
const closeUpSuffix = "-close"

// torqueName begins the names of a joint's torque plots.
func torqueName(joint int) string { return fmt.Sprintf("torque-%02d-", joint+1) }
