package report

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/internal/digits"
	"ident/result"
)

// parameterTable lists the base parameters with their forest plot.
type parameterTable struct {
	Links        []string
	Scale        template.HTML // axis of the forest plot
	Rows         []parameterRow
	Correlations string // lower triangle of the correlation matrix in percent, signed bytes in base 64; "" without a covariance
}

// parameterRow is a base parameter; a row opens to the lines of Facts.
type parameterRow struct {
	Name, Link, Unit, Value, Sigma, Relative, Mark string
	Weak                                           bool
	Order                                          int // place in the order by relative standard deviation, the largest first
	Forest                                         template.HTML
	Numbers                                        string // low, value, high, sigma and, where it has one, the file's value, for other scales
	Facts                                          []fact
}

// Size of a row's plot in its own units: the axis from forestEdge on either side of the widest interval shown.
const (
	forestWide = 200.0
	forestHigh = 14.0
)

func newParameterTable(res *result.Result) parameterTable {
	var t parameterTable
	params := res.BaseParameters
	reach := forestReach(params)
	x := func(ratio float64) float64 {
		return math.Max(0, math.Min(forestWide, (ratio-1+reach)/(2*reach)*forestWide))
	}
	t.Scale = forestScale(x, reach)
	order := make([]int, len(params))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(relativeSigma(params[b]), relativeSigma(params[a]))
	})
	rank := make([]int, len(params))
	for at, i := range order {
		rank[i] = at
	}
	close := closestCorrelations(res)
	for i, b := range params {
		base := newBaseRow(b)
		row := parameterRow{Name: b.Name, Link: orDash(b.Link), Unit: b.Unit, Value: base.Value, Sigma: base.Sigma, Relative: relativeWords(b),
			Mark: base.Mark, Weak: isWeak(b), Order: rank[i], Forest: forestBar(b, x), Numbers: forestNumbers(b)}
		add := func(name, value string) {
			if value != "" {
				row.Facts = append(row.Facts, fact{name, value})
			}
		}
		add("expression", orDash(b.Expression))
		add("95 % interval", "["+base.Low+", "+base.High+"] "+b.Unit)
		if b.HasPrior {
			s := base.Prior + " " + b.Unit
			if d := (b.Value - b.Prior) / b.Sigma; finite(d) {
				s += ", " + digits.Number(math.Abs(d), 2) + " standard deviations away"
			}
			add("robot file", s)
		} else {
			add("robot file", "does not give it")
		}
		add("decided by", decidedWords(b))
		if b.Bias != 0 {
			add("bias left", digits.Number(b.Bias, 2)+" "+b.Unit)
		}
		add("over runs", runsWords(res, i))
		add("correlates with", close[i])
		if b.Joint != "" {
			add("joint", b.Joint)
		}
		t.Rows = append(t.Rows, row)
		if !slices.Contains(t.Links, row.Link) {
			t.Links = append(t.Links, row.Link)
		}
	}
	t.Correlations = packCorrelations(res)
	return t
}

// forestNumbers returns the numbers of a row's plot for the page's script, "" where one is not known.
func forestNumbers(b result.BaseParameter) string {
	all := []float64{b.Low95, b.Value, b.High95, b.Sigma}
	if b.HasPrior {
		all = append(all, b.Prior)
	}
	var words []string
	for _, v := range all {
		if !finite(v) {
			return ""
		}
		words = append(words, strconv.FormatFloat(v, 'g', 6, 64))
	}
	return strings.Join(words, " ")
}

// forestScale returns the axis above the rows, in words at their places: zero, the estimate, and the ends.
func forestScale(x func(float64) float64, reach float64) template.HTML {
	var b strings.Builder
	label := func(ratio float64, s string) {
		fmt.Fprintf(&b, `<i style="left:%.1f%%">%s</i>`, 100*x(ratio)/forestWide, s)
	}
	if reach > 1.3 {
		label(0, "0")
	}
	label(1, "× 1")
	label(1+reach, digits.Number(1+reach, 2))
	return template.HTML(b.String())
}

// forestBar draws a parameter over its own estimate: the 95 % interval, the estimate, open where it is weak, the
// robot file's value as a diamond, and the line of zero where the axis has it. Arrows run off the axis.
func forestBar(p result.BaseParameter, x func(float64) float64) template.HTML {
	var b strings.Builder
	mid := forestHigh / 2
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" preserveAspectRatio="none" aria-hidden="true">`, forestWide, forestHigh)
	if zero := x(0); zero > 0 {
		fmt.Fprintf(&b, `<path class="zero" d="M%.1f 0V%g"/>`, zero, forestHigh)
	}
	if p.Value == 0 || !finite(p.Value) {
		b.WriteString("</svg>")
		return template.HTML(b.String())
	}
	lo, hi := p.Low95/p.Value, p.High95/p.Value
	if lo > hi {
		lo, hi = hi, lo
	}
	if finite(lo) && finite(hi) {
		a, c := x(lo), x(hi)
		fmt.Fprintf(&b, `<path class="interval" d="M%.1f %gH%.1f"/>`, a, mid, math.Max(c, a+0.5))
		if a == 0 {
			fmt.Fprintf(&b, `<path class="end" d="M0 %gl3 -3v6z"/>`, mid)
		}
		if c == forestWide {
			fmt.Fprintf(&b, `<path class="end" d="M%g %gl-3 -3v6z"/>`, forestWide, mid)
		}
	}
	class := "estimate"
	if isWeak(p) {
		class = "estimate weak"
	}
	fmt.Fprintf(&b, `<ellipse class="%s" cx="%.1f" cy="%g" rx="1.5" ry="3"/>`, class, x(1), mid)
	if r := p.Prior / p.Value; p.HasPrior && finite(r) {
		fmt.Fprintf(&b, `<path class="prior" d="M%.1f %gl1.8 3.5l-1.8 3.5l-1.8 -3.5z"/>`, math.Max(3, math.Min(forestWide-3, x(r))), mid-3.5)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// decidedWords says how data, prior and constraints share in determining a parameter.
func decidedWords(b result.BaseParameter) string {
	switch {
	case b.Removed:
		return "taken as zero"
	case b.PriorShare > 0 && finite(b.PriorShare):
		return fmt.Sprintf("data %s %%, prior and constraints %s %%", share(1-b.PriorShare), share(b.PriorShare))
	case b.Held > 0 && finite(b.Held):
		return fmt.Sprintf("data; constraints cut the interval by %s %%", share(b.Held))
	}
	return "data"
}

// relativeWords returns the relative standard deviation in percent; of a value that is nothing beside its standard
// deviation the digits say nothing either.
func relativeWords(b result.BaseParameter) string {
	if r := relativeSigma(b); r >= 1000 {
		return "> 999"
	}
	return digits.Percent(relativeSigma(b))
}

// share prints a part of one in whole percent.
func share(part float64) string {
	return digits.Fixed(100*math.Max(0, math.Min(1, part)), 0)
}

// runsWords says how far single runs differ from the others in a parameter.
func runsWords(res *result.Result, i int) string {
	d := res.Diagnosis
	if d == nil || d.Runs == nil {
		return ""
	}
	var parts []string
	for _, a := range d.Runs.Apart {
		if a.Parameter == i && a.Run >= 0 && a.Run < len(res.Logs) {
			parts = append(parts, fmt.Sprintf("%s alone %s standard deviations away", res.Logs[a.Run].Name, digits.Number(a.Deviations, 2)))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("not among the %d furthest apart", len(d.Runs.Apart))
	}
	return strings.Join(parts, ", ")
}

// correlation returns the correlation of base parameters i and k, NaN if a standard deviation is zero.
func correlation(res *result.Result, i, k int) float64 {
	if i >= len(res.Covariance) || k >= len(res.Covariance[i]) || k >= len(res.Covariance) || i >= len(res.Covariance[i]) || k >= len(res.Covariance[k]) {
		return math.NaN()
	}
	return res.Covariance[i][k] / math.Sqrt(res.Covariance[i][i]*res.Covariance[k][k])
}

// closestCorrelations names, for each parameter, up to four others with a correlation of at least a half.
func closestCorrelations(res *result.Result) []string {
	out := make([]string, len(res.BaseParameters))
	for i := range out {
		type pair struct {
			k int
			r float64
		}
		var pairs []pair
		for k := range out {
			if r := correlation(res, i, k); k != i && math.Abs(r) >= 0.5 {
				pairs = append(pairs, pair{k, r})
			}
		}
		slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(math.Abs(b.r), math.Abs(a.r)) })
		var words []string
		for _, p := range pairs[:min(len(pairs), 4)] {
			words = append(words, fmt.Sprintf("%s %s", res.BaseParameters[p.k].Name, digits.Fixed(p.r, 2)))
		}
		out[i] = strings.Join(words, ", ")
	}
	return out
}

// packCorrelations returns the lower triangle row by row; a correlation that is not finite counts as none.
func packCorrelations(res *result.Result) string {
	n := len(res.BaseParameters)
	if len(res.Covariance) != n || n < 2 {
		return ""
	}
	out := make([]byte, 0, n*(n-1)/2)
	for i := range n {
		for k := range i {
			r := correlation(res, i, k)
			if !finite(r) {
				r = 0
			}
			out = append(out, byte(int8(math.Round(100*math.Max(-1, math.Min(1, r))))))
		}
	}
	return base64.StdEncoding.EncodeToString(out)
}
