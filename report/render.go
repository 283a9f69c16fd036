package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// figure is a drawing before it has a format. draw is called once a format.
type figure struct {
	Plot
	width, height vg.Length
	draw          func(draw.Canvas)
}

// render draws a figure in the wanted formats.
func (f figure) render(svg, png bool, dpi int) (Plot, error) {
	p := f.Plot
	p.Caption = glue(p.Caption)
	if svg {
		c := newSVGCanvas(f.width, f.height)
		f.draw(draw.New(c))
		var buf bytes.Buffer
		if _, err := c.WriteTo(&buf); err != nil {
			return p, fmt.Errorf("report: plot %q as svg: %w", p.Name, err)
		}
		p.SVG = finishSVG(buf.String(), c.Short, p)
	}
	if png {
		if dpi <= 0 {
			dpi = 144
		}
		c := vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(dpi))
		f.draw(draw.New(&rasterCanvas{Canvas: c}))
		var buf bytes.Buffer
		if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(&buf); err != nil {
			return p, fmt.Errorf("report: plot %q as png: %w", p.Name, err)
		}
		p.PNG = buf.Bytes()
	}
	return p, nil
}

// finishSVG makes a page's drawing out of gonum's: a role, a title and a
// description for those who cannot see it, colours that follow the reader's
// setting, a font stack, and short path data.
func finishSVG(s string, short func(string) string, p Plot) []byte {
	open := strings.Index(s, "<svg")
	end := open + strings.IndexByte(s[open:], '>')
	head, body := s[open:end], s[end+1:]
	head = strings.Replace(head, "\n\txmlns:xlink=\"http://www.w3.org/1999/xlink\"", "", 1)
	head = strings.ReplaceAll(head, "\n\t", " ")

	body = short(body)
	body = strings.ReplaceAll(body, "font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;", "")
	body = strings.ReplaceAll(body, "font-family:Liberation Sans;font-variant:normal;font-weight:bold;font-style:normal;", "font-weight:bold;")
	body = themed(body)

	var b bytes.Buffer
	b.WriteString(head)
	fmt.Fprintf(&b, ` class="ident-plot" role="img" aria-labelledby="%[1]s-title %[1]s-desc" font-family="'Liberation Sans',Arial,Helvetica,sans-serif">`, p.Name)
	fmt.Fprintf(&b, "\n<title id=\"%s-title\">%s</title>\n<desc id=\"%s-desc\">%s</desc>\n", p.Name, escape(p.Title), p.Name, escape(p.Caption))
	b.WriteString(plotStyle())
	b.WriteByte('\n')
	b.WriteString(body)
	return b.Bytes()
}

// glue keeps a number and its sign or unit on one line.
func glue(s string) string {
	return strings.NewReplacer(" %", "\u00a0%", " Hz", "\u00a0Hz").Replace(s)
}

// escape writes text that XML accepts.
func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(clean(s))) // a bytes.Buffer does not fail
	return b.String()
}
