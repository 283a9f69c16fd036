package report

import (
	"fmt"
	"image/color"
	"strings"
)

// hue is a colour by its meaning.
type hue int

const (
	hueInk hue = iota
	hueQuiet
	hueGrid
	hueMeasured
	huePredicted
	hueResidual
	hueFill
	hueWeak
	hueCount
)

// hueSpec is a hue's CSS property and its colours on a light and on a dark ground.
type hueSpec struct{ name, light, dark string }

// hues lists the palette. No two light colours may be equal, since the SVG
// filter recognises a hue by it, and none may be pure black, which vgsvg
// leaves out of its styles.
func hues() [hueCount]hueSpec {
	return [hueCount]hueSpec{
		hueInk:       {"ink", "#1B2026", "#E6E9EC"},
		hueQuiet:     {"quiet", "#56606B", "#A9B2BC"},
		hueGrid:      {"grid", "#DCE1E6", "#363D45"},
		hueMeasured:  {"measured", "#8A95A1", "#6F7A86"},
		huePredicted: {"predicted", "#0B4F9C", "#8CC8FF"},
		hueResidual:  {"residual", "#00735C", "#4CCBA6"},
		hueFill:      {"fill", "#A9D3C8", "#25594C"},
		hueWeak:      {"weak", "#8A5300", "#F0B45A"},
	}
}

// rgba returns the hue's light colour, as drawn.
func (h hue) rgba() color.RGBA {
	c := color.RGBA{A: 255}
	if _, err := fmt.Sscanf(hues()[h].light, "#%02X%02X%02X", &c.R, &c.G, &c.B); err != nil {
		panic(fmt.Sprintf("report: palette entry %d: %v", h, err))
	}
	return c
}

// darkGround is the ground of dark screens, as in the page's style sheet.
const darkGround = "#15191D"

// plotStyle returns the style element of every SVG: it turns the palette dark on
// dark screens, and the ground as well where the drawing is a document of its
// own, which a browser would otherwise leave white. Declarations are the same in every plot of a page, so that
// repeating them changes nothing.
func plotStyle() string {
	var b strings.Builder
	b.WriteString("<style>@media screen and (prefers-color-scheme:dark){.ident-plot:root{background:" + darkGround + "}.ident-plot{")
	for _, h := range hues() {
		fmt.Fprintf(&b, "--ident-%s:%s;", h.name, h.dark)
	}
	b.WriteString("}}</style>")
	return b.String()
}

// themed replaces the palette's colours in an SVG by custom properties.
func themed(svg string) string {
	var pairs []string
	for _, h := range hues() {
		for _, property := range []string{"fill:", "stroke:"} {
			pairs = append(pairs, property+h.light, fmt.Sprintf("%svar(--ident-%s,%s)", property, h.name, h.light))
		}
	}
	return strings.NewReplacer(pairs...).Replace(svg)
}
