package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"ident/internal/digits"
	"ident/result"
)

// histogramSmall draws the density of a joint's residuals as the page's other figures of residuals: training as an area, validation
// dashed, with the normal density of the same mean and standard deviation. ok is false without residuals.
func histogramSmall(res *result.Result, r roles, j int) (f Figure, ok bool) {
	lead, role, other := r.lead()
	if lead.n < 2 || !(lead.sd > 0) {
		return f, false
	}
	const reach = 4 // standard deviations: beyond are some per thousand of residuals with heavy tails
	lo, hi := lead.mean-reach*lead.sd, lead.mean+reach*lead.sd
	bins := max(8, min(48, int(math.Sqrt(float64(lead.n)))))
	density, outside := lead.densities(lo, hi, bins)
	top := 1 / (lead.sd * math.Sqrt(2*math.Pi))
	for _, d := range density {
		top = math.Max(top, d)
	}
	var second []float64
	if other.n > 1 {
		second, _ = other.densities(lo, hi, bins)
		for _, d := range second {
			top = math.Max(top, d)
		}
	}
	y := func(d float64) string { return digits.Fixed(FigureHeight*(1-0.96*d/top), 1) }
	steps := func(density []float64) string {
		var b strings.Builder
		b.WriteString("M0 160")
		for i, d := range density {
			fmt.Fprintf(&b, "L%s %sH%s", digits.Fixed(FigureWidth*float64(i)/float64(bins), 1), y(d), digits.Fixed(FigureWidth*float64(i+1)/float64(bins), 1))
		}
		return b.String() + "V160"
	}
	u := unit(res, j)
	f = Figure{Title: fmt.Sprintf("Histogram: standard deviation %s %s", digits.Number(lead.sd, 3), u), XLabel: "residual, " + u, Left: digits.Number(lo, 2), Right: digits.Number(hi, 2),
		Top: digits.Number(top, 2) + " /(" + u + ")", Bottom: "0"}
	f.Areas = append(f.Areas, Path{"spread", template.HTML(steps(density) + "Z")})
	f.Lines = append(f.Lines, Path{"zero", template.HTML("M200 0V160")})
	if second != nil {
		f.Lines = append(f.Lines, Path{"check-line", template.HTML(steps(second))})
	}
	var bell strings.Builder
	for i := range 81 {
		z := reach * (float64(i)/40 - 1)
		fmt.Fprintf(&bell, "%s%s %s", pen(i == 0), digits.Fixed(FigureWidth*float64(i)/80, 1), y(math.Exp(-z*z/2)/(lead.sd*math.Sqrt(2*math.Pi))))
	}
	f.Lines = append(f.Lines, Path{"normal-line", template.HTML(bell.String())})
	f.Words = fmt.Sprintf("Density of %d %s residuals of %s, standard deviation %s %s, with the normal density; %d of them are beyond %d standard deviations", lead.n, role, clean(res.Joints[j]), digits.Number(lead.sd, 3), u, outside, reach)
	return f, true
}

// autocorrelationSmall draws the autocorrelation of a joint's residuals with the band of white ones; ok is false where they do not vary.
func autocorrelationSmall(res *result.Result, r roles, j int) (f Figure, ok bool) {
	lead, role, other := r.lead()
	period, longest := lead.period()
	lags := min(longest/4, correlationLags(res.Processing, period))
	if lags < 2 || period <= 0 {
		return f, false
	}
	rho := lead.autocorrelation(lags)
	if rho == nil {
		return f, false
	}
	end, band := float64(lags)*period, 1.96/math.Sqrt(float64(lead.n))
	y := func(v float64) string { return digits.Fixed(FigureHeight*(0.5-0.48*math.Max(-1, math.Min(1, v))), 1) }
	path := func(rho []float64, period float64) template.HTML {
		var b strings.Builder
		for _, p := range correlogram(rho, period) {
			for i, x := range p {
				fmt.Fprintf(&b, "%s%s %s", pen(i == 0), digits.Fixed(FigureWidth*math.Min(1, x.x/end), 1), y(x.y))
			}
		}
		return template.HTML(b.String())
	}
	outside := 0
	for _, v := range rho[1:] {
		if math.Abs(v) > band {
			outside++
		}
	}
	f = Figure{Title: fmt.Sprintf("Autocorrelation: %s %% of the lags beyond white noise", digits.Fixed(100*float64(outside)/float64(lags), 0)), XLabel: "lag, s", Left: "0", Right: digits.Number(end, 2), Top: "1", Bottom: "−1"}
	f.Areas = append(f.Areas, Path{"spread", template.HTML("M0 " + y(band) + "H400V" + y(-band) + "H0Z")})
	f.Lines = append(f.Lines, Path{"zero", template.HTML("M0 80H400")})
	if q, _ := other.period(); other.n > 0 && q > 0 {
		if second := other.autocorrelation(max(2, int(end/q))); second != nil {
			f.Lines = append(f.Lines, Path{"check-line", path(second, q)})
		}
	}
	f.Lines = append(f.Lines, Path{"residual-line", path(rho, period)})
	f.Words = fmt.Sprintf("Autocorrelation of the %s residuals of %s over lags up to %s s; 95 %% of the lags of white residuals stay within ±%s", role, clean(res.Joints[j]), f.Right, digits.Number(band, 2))
	return f, true
}
