package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"ident/internal/digits"
)

// searchFigure draws the best value of a search over its evaluations, on a logarithmic scale; nil if there is none.
func searchFigure(points []SearchPoint) *Figure {
	var at, best []float64
	for _, p := range points {
		if p.Best > 0 && !math.IsInf(p.Best, 0) {
			at, best = append(at, float64(p.Evaluations)), append(best, p.Best)
		}
	}
	n := len(at)
	if n < 2 || !(at[n-1] > at[0]) {
		return nil
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range best {
		low, high = min(low, math.Log(v)), max(high, math.Log(v))
	}
	spare := 0.08 * max(high-low, 1e-9)
	var line strings.Builder
	for i := range at {
		x := digits.Fixed(FigureWidth*(at[i]-at[0])/(at[n-1]-at[0]), 1)
		y := digits.Fixed(FigureHeight*(high+spare-math.Log(best[i]))/(high-low+2*spare), 1)
		if i == 0 {
			fmt.Fprintf(&line, "M%s %s", x, y)
			continue
		}
		fmt.Fprintf(&line, "H%sV%s", x, y) // the best so far holds until the next
	}
	f := &Figure{Top: digits.Number(best[0], 3), Bottom: digits.Number(best[n-1], 3), XLabel: "evaluations",
		Left: fmt.Sprintf("%.0f", at[0]), Right: fmt.Sprintf("%.0f", at[n-1]), Lines: []Path{{"search-line", template.HTML(line.String())}}}
	f.Words = fmt.Sprintf("from %s after %.0f evaluations to %s after %.0f", f.Top, at[0], f.Bottom, at[n-1])
	return f
}
