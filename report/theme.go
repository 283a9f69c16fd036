package report

import (
	"fmt"
	"strings"
)

// pageColours returns the colours of the page beside the palette of the plots: grounds, links, and the three grades.
// Amber and red mean doubt and failure alone.
func pageColours() []hueSpec {
	return []hueSpec{
		{"ground", "#FFFFFF", darkGround},
		{"box", "#F4F6F8", "#1E2429"},
		{"line", "#DCE1E6", "#363D45"},
		{"link", "#0B62A8", "#6DB6F2"},
		{"pass", "#00604D", "#5FD3B0"},
		{"doubt", "#7A4B00", "#F0B95A"},
		{"fail", "#A01F2E", "#FF8F96"},
	}
}

// themeStyle declares the colours as custom properties: the page's by their names, the plots' with a prefix as
// in the drawings. A reader's choice (data-theme) goes before the system's; paper is light.
func themeStyle() string {
	list := func(pick func(hueSpec) string) string {
		var b strings.Builder
		for _, c := range pageColours() {
			fmt.Fprintf(&b, "--%s:%s;", c.name, pick(c))
		}
		for _, c := range hues() {
			fmt.Fprintf(&b, "--%s:%s;", c.name, pick(c))
		}
		return b.String()
	}
	plots := func(pick func(hueSpec) string) string {
		var b strings.Builder
		for _, c := range hues() {
			fmt.Fprintf(&b, "--ident-%s:%s;", c.name, pick(c))
		}
		return b.String()
	}
	light, dark := func(c hueSpec) string { return c.light }, func(c hueSpec) string { return c.dark }
	return ":root{color-scheme:light dark;" + list(light) + "}\n" +
		":root[data-theme=light]{color-scheme:light}:root[data-theme=light] .ident-plot{" + plots(light) + "}\n" +
		"@media screen{:root[data-theme=dark]{color-scheme:dark;" + list(dark) + "}:root[data-theme=dark] .ident-plot{" + plots(dark) + "}}\n" +
		"@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){" + list(dark) + "}}\n" +
		"@media print{:root,:root[data-theme=dark]{color-scheme:light;" + list(light) + "}.ident-plot,:root[data-theme=dark] .ident-plot{" + plots(light) + "}}\n"
}
