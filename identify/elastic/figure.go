package elastic

import (
	"fmt"
	"html"
	"io"
	"math"
)

// FigureFile is the drawing of the natural frequencies in the folder of a result.
const FigureFile = "modes.svg"

// Size of a panel of the figure, in pixels.
const (
	panelWidth, panelHeight = 260, 220
	marginLeft, marginRight = 44, 12
	marginTop, marginBottom = 26, 40
	panelsInRow             = 3
)

// DrawSweeps draws the natural frequencies over the position of each joint, resonances as lines and
// anti-resonances as dashed ones, with bands of their 95 % intervals.
func DrawSweeps(w io.Writer, sweeps []Sweep) error {
	most := 0.0
	for _, s := range sweeps {
		for _, at := range s.At {
			for _, f := range append(append([]Frequency(nil), at.Resonances...), at.AntiResonances...) {
				most = math.Max(most, math.Min(f.High, 1.5*f.Value))
			}
		}
	}
	if most == 0 {
		most = 1
	}
	step := niceStep(most)
	most = math.Ceil(most/step) * step
	rows := (len(sweeps) + panelsInRow - 1) / panelsInRow
	var err error
	put := func(format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(w, format, args...)
		}
	}
	put(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">`+"\n", min(len(sweeps), panelsInRow)*panelWidth, rows*panelHeight+20)
	put(`<rect width="100%%" height="100%%" fill="white"/>` + "\n")
	for i, s := range sweeps {
		x0, y0 := float64(i%panelsInRow*panelWidth), float64(i/panelsInRow*panelHeight)
		first, last := s.At[0].Q[i], s.At[len(s.At)-1].Q[i]
		px := func(q float64) float64 {
			return x0 + marginLeft + (q-first)/(last-first)*(panelWidth-marginLeft-marginRight)
		}
		py := func(hz float64) float64 {
			return y0 + marginTop + (1-math.Max(math.Min(hz, most), 0)/most)*(panelHeight-marginTop-marginBottom)
		}
		put(`<text x="%.1f" y="%.1f" font-weight="bold">%s</text>`+"\n", x0+marginLeft, y0+16, html.EscapeString(s.Joint))
		for hz := 0.0; hz <= most+step/2; hz += step {
			put(`<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="%.1f" y="%.1f" text-anchor="end">%g</text>`+"\n", px(first), px(last), py(hz), py(hz), px(first)-4, py(hz)+4, hz)
		}
		for _, q := range [3]float64{first, (first + last) / 2, last} {
			put(`<text x="%.1f" y="%.1f" text-anchor="middle">%.3g</text>`+"\n", px(q), y0+panelHeight-marginBottom+15, q)
		}
		put(`<text x="%.1f" y="%.1f" text-anchor="middle">position, rad or m; frequency in Hz</text>`+"\n", (px(first)+px(last))/2, y0+panelHeight-marginBottom+29)
		curves := func(of func(ModesAt) []Frequency, colour, dash string) {
			for k := range of(s.At[0]) {
				band, line := "", ""
				for _, at := range s.At {
					band += fmt.Sprintf("%.1f,%.1f ", px(at.Q[i]), py(of(at)[k].High))
					line += fmt.Sprintf("%.1f,%.1f ", px(at.Q[i]), py(of(at)[k].Value))
				}
				for n := len(s.At) - 1; n >= 0; n-- {
					band += fmt.Sprintf("%.1f,%.1f ", px(s.At[n].Q[i]), py(of(s.At[n])[k].Low))
				}
				put(`<polygon points="%s" fill="%s" fill-opacity="0.2"/><polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"%s/>`+"\n", band, colour, line, colour, dash)
			}
		}
		curves(func(a ModesAt) []Frequency { return a.Resonances }, "#1f5fa8", "")
		curves(func(a ModesAt) []Frequency { return a.AntiResonances }, "#b4531c", ` stroke-dasharray="5 3"`)
	}
	put(`<text x="%d" y="%d">lines: resonances, free motors; dashed: anti-resonances, locked motors; bands: 95 %% intervals</text>`+"\n</svg>\n", marginLeft, rows*panelHeight+12)
	return err
}

// niceStep divides a range in some five steps of 1, 2 or 5 times a power of ten.
func niceStep(most float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(most/5)))
	for _, f := range [3]float64{1, 2, 5} {
		if most/(f*power) <= 6 {
			return f * power
		}
	}
	return 10 * power
}
