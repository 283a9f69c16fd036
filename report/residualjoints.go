package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"ident/internal/digits"
	"ident/result"
)

// jointResiduals are a joint's figures, closed to one line.
type jointResiduals struct {
	Joint, Gist string
	Figures     []Figure
}

// residualFigures draws each joint's residuals over velocity and position, their spectrum, histogram and autocorrelation.
func residualFigures(res *result.Result, runs []result.ResidualRun) []jointResiduals {
	role := "validate"
	for i := range runs {
		if runs[i].Role == "train" {
			role = "train"
		}
	}
	var out []jointResiduals
	for j, name := range res.Joints {
		g := jointResiduals{Joint: clean(name)}
		e, _ := judged(res)
		words := []string{errorWords(e, j, unit(res, j)) + " of the torque is left"}
		points, effective, u := residualPoints(runs, role, j, res.Processing), at(res.EffectiveSamples, j), unit(res, j)
		if f, ok := frictionFigure(res, points, j); ok {
			g.Figures = append(g.Figures, f)
		}
		for _, axis := range []struct {
			name, unit string
			of         func(residualPoint) float64
			symmetric  bool
		}{
			{"velocity", rate(u), func(p residualPoint) float64 { return p.dq }, true},
			{"position", length(u), func(p residualPoint) float64 { return p.q }, false},
		} {
			t := trendOver(points, axis.of, axis.symmetric, effective)
			if t == nil {
				continue
			}
			f := t.draw(u)
			f.Title, f.XLabel = "Over "+axis.name, axis.name+", "+axis.unit
			switch {
			case t.share < leastShare:
				f.Title += ": no trend beyond chance"
			case finite(t.share):
				words = append(words, fmt.Sprintf("%s explains %s %% of that", axis.name, digits.Fixed(100*t.share, 0)))
				f.Title += fmt.Sprintf(": it explains %s %% of the residual", digits.Fixed(100*t.share, 0))
			}
			f.Words = fmt.Sprintf("Mean residual of %s over its %s from %s to %s %s, with the standard deviation about it", g.Joint, axis.name, f.Left, f.Right, axis.unit)
			g.Figures = append(g.Figures, f)
		}
		if d := spectrum(runs, role, j); d != nil {
			if f, ok := d.draw(g.Joint, u, res.Processing); ok {
				g.Figures = append(g.Figures, f)
			}
		}
		r := rolesOf(runs, j, res.Processing)
		for _, draw := range []func(*result.Result, roles, int) (Figure, bool){histogramSmall, autocorrelationSmall} {
			if f, ok := draw(res, r, j); ok {
				g.Figures = append(g.Figures, f)
			}
		}
		g.Gist = strings.Join(words, ", ")
		if len(g.Figures) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// rate and length are the units of a joint's velocity and position by that of its torque.
func rate(unit string) string { return length(unit) + "/s" }

func length(unit string) string {
	if unit == "N" {
		return "m"
	}
	return "rad"
}

// leastShare of a residual is 1 % in whole numbers; below it a trend says nothing.
const leastShare = 0.005

// draw draws a trend: its means, and the band of a standard deviation about them.
func (t *trend) draw(unit string) Figure {
	size := 0.0
	for b := range t.mean {
		if finite(t.mean[b]) {
			size = math.Max(size, math.Abs(t.mean[b])+t.sd[b])
		}
	}
	if size == 0 {
		size = 1
	}
	f := Figure{Left: digits.Number(t.lo, 3), Right: digits.Number(t.hi, 3), Top: digits.Number(size, 2) + " " + unit, Bottom: digits.Number(-size, 2)}
	x := func(b int) string {
		return digits.Fixed(FigureWidth*(float64(b)+0.5)/float64(len(t.mean)), 1)
	}
	y := func(v float64) string { return digits.Fixed(FigureHeight*(0.5-0.48*v/size), 1) }
	f.Lines = append(f.Lines, Path{"zero", template.HTML("M0 80H400")})
	if t.lo < 0 && t.hi > 0 {
		at := digits.Fixed(FigureWidth*-t.lo/(t.hi-t.lo), 1)
		f.Lines = append(f.Lines, Path{"zero", template.HTML("M" + at + " 0V160")})
	}
	var line strings.Builder
	for from := 0; from < len(t.mean); from++ {
		to := from
		for to < len(t.mean) && finite(t.mean[to]) {
			to++
		}
		if to == from {
			continue
		}
		var area strings.Builder
		for b := from; b < to; b++ {
			fmt.Fprintf(&line, "%s%s %s", pen(b == from), x(b), y(t.mean[b]))
			fmt.Fprintf(&area, "%s%s %s", pen(b == from), x(b), y(t.mean[b]+t.sd[b]))
		}
		for b := to - 1; b >= from; b-- {
			fmt.Fprintf(&area, "L%s %s", x(b), y(t.mean[b]-t.sd[b]))
		}
		f.Areas = append(f.Areas, Path{"spread", template.HTML(area.String() + "Z")})
		from = to
	}
	f.Lines = append(f.Lines, Path{"residual-line", template.HTML(line.String())})
	return f
}

func pen(first bool) string {
	if first {
		return "M"
	}
	return "L"
}

// draw draws the densities on logarithmic axes, with the cut-off of the filter; ok is false where they vanish.
func (d *density) draw(joint, unit string, p result.Processing) (f Figure, ok bool) {
	lo, hi, peak := math.Inf(1), math.Inf(-1), 0
	for k := range d.f {
		if d.residual[k] > d.residual[peak] {
			peak = k
		}
		hi = math.Max(hi, math.Max(d.residual[k], d.torque[k]))
	}
	if !(hi > 0) || math.IsInf(hi, 0) || len(d.f) < 8 {
		return f, false
	}
	for _, v := range [][]float64{d.residual, d.torque} {
		for _, x := range v {
			if x > 0 {
				lo = math.Min(lo, x)
			}
		}
	}
	lo = math.Max(lo, hi*1e-9) // nine decades show the step of a low-pass and the band above it
	first, last := math.Log(d.f[0]), math.Log(d.f[len(d.f)-1])
	x := func(hz float64) float64 { return FigureWidth * (math.Log(hz) - first) / (last - first) }
	path := func(v []float64) template.HTML {
		var b strings.Builder
		for k := range v {
			y := FigureHeight * (0.02 + 0.96*(math.Log(hi)-math.Log(math.Max(v[k], lo)))/(math.Log(hi)-math.Log(lo)))
			fmt.Fprintf(&b, "%s%s %s", pen(k == 0), digits.Fixed(x(d.f[k]), 1), digits.Fixed(y, 1))
		}
		return template.HTML(b.String())
	}
	if hi == lo {
		return f, false
	}
	f = Figure{Title: fmt.Sprintf("Spectrum: most is left at %s Hz", digits.Number(d.f[peak], 2)), XLabel: "frequency, Hz", Left: digits.Number(d.f[0], 2), Right: digits.Number(d.f[len(d.f)-1], 3),
		Top: digits.Number(math.Sqrt(hi), 2) + " " + unit + "/√Hz", Bottom: digits.Number(math.Sqrt(lo), 2)}
	f.Words = fmt.Sprintf("Spectral densities of the residual of %s and of its measured torque, logarithmic, from %s to %s Hz; that of the residual is largest at %s Hz", joint, f.Left, f.Right, digits.Number(d.f[peak], 2))
	if c := p.Cutoff; c > d.f[0] && c < d.f[len(d.f)-1] {
		f.Lines = append(f.Lines, Path{"cutoff", template.HTML("M" + digits.Fixed(x(c), 1) + " 0V160")})
		f.Words += fmt.Sprintf("; upright line: the filter's cut-off, %s Hz", digits.Number(c, 3))
	}
	f.Lines = append(f.Lines, Path{"measured-line", path(d.torque)}, Path{"residual-line", path(d.residual)})
	return f, true
}
