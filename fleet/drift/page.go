package drift

import (
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// Print writes a report as text.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	fitted := 0
	for _, v := range r.Windows {
		if v.Why == "" {
			fitted++
		}
	}
	fmt.Fprintf(&b, "%s: %d parameters in %d of %d windows of %s\n", r.Robot, len(r.Parameters), fitted, len(r.Windows), length(r.WindowS))
	if len(r.Changes) == 0 {
		fmt.Fprintf(&b, "no change: no step of a parameter is beyond %.2f deviations (a chance of %g %% for all together)\n", r.Limit, 100*r.Chance)
	}
	for _, c := range r.Changes {
		fmt.Fprintf(&b, "%-10s %+.3g %% since %s (window %d): %.4g ± %.2g, then %.4g ± %.2g; %.1f deviations, limit %.1f\n",
			c.Parameter, c.Percent, r.date(c.Time), c.Window, c.Before, c.BeforeSigma, c.After, c.AfterSigma, math.Abs(c.Z), r.Limit)
	}
	for i, v := range r.Windows {
		if v.Why != "" {
			fmt.Fprintf(&b, "window %d, from %s, is left out: %s\n", i+1, r.date(v.From), v.Why)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// date is a time as the reader knows it.
func (r *Report) date(t float64) string {
	if !r.Absolute {
		return fmt.Sprintf("%.6g s", t)
	}
	return time.Unix(int64(t), 0).UTC().Format("2 Jan 2006")
}

// length is that of a window in words.
func length(seconds float64) string {
	for _, unit := range []struct {
		name string
		s    float64
	}{{"d", 86400}, {"h", 3600}, {"min", 60}} {
		if seconds >= unit.s {
			return fmt.Sprintf("%.4g %s", seconds/unit.s, unit.name)
		}
	}
	return fmt.Sprintf("%.4g s", seconds)
}

// HTML writes a page: the changes as a table, and the course of every parameter that changed, or of all where none did.
func (r *Report) HTML(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"generator\" content=\"ident\"><title>Drift of %s</title>\n", html.EscapeString(r.Robot))
	b.WriteString("<style>body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222;background:#fff}table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid #ddd}td:first-child,th:first-child{text-align:left}svg{width:100%;height:auto}@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}}</style></head><body>\n")
	fmt.Fprintf(&b, "<h1>Drift of %s</h1>\n<p>%d parameters over %d windows of %s.", html.EscapeString(r.Robot), len(r.Parameters), len(r.Windows), length(r.WindowS))
	if len(r.Changes) == 0 {
		fmt.Fprintf(&b, " No parameter changed: no step is beyond %.2f deviations.</p>\n", r.Limit)
	} else {
		fmt.Fprintf(&b, " A step is a change beyond %.2f deviations: any at all in a robot without drift has a chance of %g&nbsp;%%.</p>\n<table><tr><th>Parameter</th><th>Since</th><th>Before</th><th>After</th><th>Change</th><th>Deviations</th></tr>\n", r.Limit, 100*r.Chance)
		for _, c := range r.Changes {
			fmt.Fprintf(&b, "<tr><td>%s</td><td>%s</td><td>%.4g ± %.2g</td><td>%.4g ± %.2g</td><td>%+.3g&nbsp;%%</td><td>%.1f</td></tr>\n",
				html.EscapeString(c.Parameter), r.date(c.Time), c.Before, c.BeforeSigma, c.After, c.AfterSigma, c.Percent, math.Abs(c.Z))
		}
		b.WriteString("</table>\n")
	}
	for _, p := range r.Parameters {
		of := func(c Change) bool { return c.Parameter == p.Name }
		if len(r.Changes) == 0 || slices.ContainsFunc(r.Changes, of) {
			r.course(&b, &p, of)
		}
	}
	b.WriteString("</body></html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// course draws a parameter's estimates with two deviations, and lines at its changes.
func (r *Report) course(b *strings.Builder, p *Parameter, changed func(Change) bool) {
	const width, height, left, edge = 800.0, 220.0, 70.0, 24.0
	low, high := math.Inf(1), math.Inf(-1)
	for i, v := range p.Value {
		low, high = min(low, v-2*p.Sigma[i]), max(high, v+2*p.Sigma[i])
	}
	if !(high > low) {
		high = low + 1
	}
	first, last := r.Windows[0].From, r.Windows[len(r.Windows)-1].To
	x := func(t float64) float64 { return left + (width-left-edge)*(t-first)/(last-first) }
	y := func(v float64) float64 { return height - edge - (height-2*edge)*(v-low)/(high-low) }
	fmt.Fprintf(b, "<h2>%s</h2>\n<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s over time\" fill=\"currentColor\" stroke=\"none\" font-size=\"12\">\n", html.EscapeString(p.Name), width, height, html.EscapeString(p.Name))
	fmt.Fprintf(b, "<text x=\"4\" y=\"%.1f\">%.4g</text><text x=\"4\" y=\"%.1f\">%.4g</text><text x=\"%.1f\" y=\"%.1f\">%s</text><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
		y(low), low, y(high)+8, high, left, height-4, r.date(first), width-edge, height-4, r.date(last))
	i := 0
	for _, w := range r.Windows {
		if w.Why != "" {
			continue
		}
		at := x((w.From + w.To) / 2)
		fmt.Fprintf(b, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"currentColor\" stroke-opacity=\".5\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", at, y(p.Value[i]-2*p.Sigma[i]), y(p.Value[i]+2*p.Sigma[i]), at, y(p.Value[i]))
		i++
	}
	for _, c := range r.Changes {
		if changed(c) {
			fmt.Fprintf(b, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#c33\" stroke-dasharray=\"4 3\"/>\n", x(c.Time), edge, height-edge)
		}
	}
	b.WriteString("</svg>\n")
}
