package report

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"strings"

	"ident/internal/digits"
)

// curveRow is a joint with its three curves.
type curveRow struct {
	Joint  string
	Curves []drawnCurve
}

// drawnCurve is a curve as the path of an SVG of 400 by 100, which stretches to its place.
type drawnCurve struct {
	Title, Unit string
	Path        template.HTML
	Bands       []band // beyond the limits
	Zero        string // row of zero, "" outside
	Top, Bottom string // values at the edges
	Words       string
}

type band struct{ Y, Height string }

const curveWidth, curveHeight = 400.0, 100.0

// curveRows draws the curves of all joints.
func curveRows(curves []JointCurves) []curveRow {
	var out []curveRow
	for _, c := range curves {
		row := curveRow{Joint: clean(c.Joint)}
		for o, title := range [3]string{"position", "velocity", "acceleration"} {
			title = cmp.Or(c.Titles[o], title)
			row.Curves = append(row.Curves, drawCurve(title, c.Units[o], c.T, c.Values[o], c.Low[o], c.High[o]))
		}
		out = append(out, row)
	}
	return out
}

// drawCurve draws one, with its limits in view.
func drawCurve(title, unit string, t, v []float64, low, high float64) drawnCurve {
	d := drawnCurve{Title: title, Unit: unit}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range v {
		if finite(x) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	if lo > hi || len(t) < 2 || !(t[len(t)-1] > t[0]) {
		d.Words = "not known"
		return d
	}
	least, most := lo, hi
	if finite(low) {
		least = math.Min(least, low)
	}
	if finite(high) {
		most = math.Max(most, high)
	}
	spare := 0.08 * (most - least)
	if spare == 0 {
		spare = math.Max(1e-9, math.Abs(most)*0.1)
	}
	least, most = least-spare, most+spare
	y := func(x float64) float64 { return curveHeight * (most - x) / (most - least) }
	var b strings.Builder
	command, every := "M", 1+len(t)/1500
	for k := 0; k < len(t); k += every {
		if !finite(v[k]) || !finite(t[k]) {
			command = "M"
			continue
		}
		fmt.Fprintf(&b, "%s%s %s", command, digits.Fixed(curveWidth*(t[k]-t[0])/(t[len(t)-1]-t[0]), 1), digits.Fixed(y(v[k]), 1))
		command = "L"
	}
	d.Path = template.HTML(b.String())
	if finite(high) {
		d.Bands = append(d.Bands, band{"0", digits.Fixed(math.Max(0, y(high)), 2)})
	}
	if finite(low) {
		d.Bands = append(d.Bands, band{digits.Fixed(y(low), 2), digits.Fixed(math.Max(0, curveHeight-y(low)), 2)})
	}
	if least < 0 && most > 0 {
		d.Zero = digits.Fixed(y(0), 2)
	}
	d.Top, d.Bottom = digits.Number(most-spare, 3), digits.Number(least+spare, 3)
	d.Words = fmt.Sprintf("%s from %s to %s %s", title, digits.Number(lo, 3), digits.Number(hi, 3), unit)
	if finite(low) || finite(high) {
		d.Words += fmt.Sprintf(", limits %s and %s", digits.Number(low, 3), digits.Number(high, 3))
	}
	return d
}

// searchCurve draws the best value of a search over its evaluations, on a logarithmic scale; nil if there is none.
func searchCurve(points []SearchPoint) *drawnCurve {
	var t, v []float64
	for _, p := range points {
		if !(p.Best > 0) || math.IsInf(p.Best, 0) {
			continue
		}
		if n := len(t); n > 0 && p.Best < v[n-1] { // a step
			t, v = append(t, float64(p.Evaluations)), append(v, v[n-1])
		}
		t, v = append(t, float64(p.Evaluations)), append(v, p.Best)
	}
	if len(t) < 2 || !(t[len(t)-1] > t[0]) {
		return nil
	}
	logs := make([]float64, len(v))
	for i := range v {
		logs[i] = math.Log10(v[i])
	}
	d := drawCurve("", "", t, logs, math.NaN(), math.NaN())
	d.Zero, d.Top, d.Bottom = "", digits.Number(v[0], 3), digits.Number(v[len(v)-1], 3)
	d.Words = fmt.Sprintf("from %s after %.0f evaluations to %s after %.0f", d.Top, t[0], d.Bottom, t[len(t)-1])
	return &d
}
