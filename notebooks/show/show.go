// Package show puts tables and plots under the cell of a Go notebook that draws
// them. Outside a notebook it prints tables as text and draws nothing.
//
// A cell of a Go notebook is a program of its own and displays through a pipe to
// the kernel; each function here waits until the display has arrived, so that plots
// stay in order with the cell's printed text.
package show

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/janpfeifer/gonb/gonbui"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"ident/report"
)

// Colours of curves that stay distinct for colour-blind readers (Okabe and Ito,
// "Color universal design", 2008), in the order in which to use them.
var (
	Blue      = color.RGBA{0x00, 0x72, 0xb2, 0xff}
	Vermilion = color.RGBA{0xd5, 0x5e, 0x00, 0xff}
	Green     = color.RGBA{0x00, 0x9e, 0x73, 0xff}
	Grey      = color.RGBA{0x77, 0x77, 0x77, 0xff}
)

var pale = color.Gray{0xe6}

// NewPlot returns an empty plot with a title, named axes and a grid.
func NewPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = vg.Points(6)
	for _, f := range []*font.Font{&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font,
		&p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font} {
		f.Variant = "Sans"
	}
	p.Title.TextStyle.Font.Size = 13
	p.X.Label.TextStyle.Font.Size, p.Y.Label.TextStyle.Font.Size, p.Legend.TextStyle.Font.Size = 11, 11, 11
	p.X.Tick.Label.Font.Size, p.Y.Tick.Label.Font.Size = 10, 10
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Tick.Marker, p.Y.Tick.Marker = steps{}, steps{}
	p.Legend.Top = true
	p.Legend.Padding = vg.Points(2)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = pale, pale
	p.Add(grid)
	return p
}

// Log makes an axis logarithmic, with ticks at powers of ten. Plot puts the
// name of a logarithmic y axis into the title.
func Log(a *plot.Axis) {
	a.Scale = plot.LogScale{}
	a.Tick.Marker = decades{}
}

// steps puts labelled ticks at multiples of 1, 2 or 5 times a power of ten.
type steps struct{}

func (steps) Ticks(low, high float64) []plot.Tick {
	if !(low < high) {
		return []plot.Tick{{Value: low, Label: fmt.Sprintf("%g", low)}}
	}
	const about = 7
	rough := (high - low) / about
	size := math.Pow10(int(math.Floor(math.Log10(rough))))
	step := 10 * size
	for _, m := range []float64{1, 2, 5} {
		if m*size >= rough {
			step = m * size
			break
		}
	}
	digits := max(0, -int(math.Floor(math.Log10(step))))
	var out []plot.Tick
	for k := math.Ceil(low / step); k*step <= high; k++ {
		out = append(out, plot.Tick{Value: k * step, Label: strconv.FormatFloat(k*step+0, 'f', digits, 64)})
	}
	return out
}

// decades puts ticks at powers of ten and labels at most eight of them.
type decades struct{}

func (decades) Ticks(low, high float64) []plot.Tick {
	const most = 8
	first, last := int(math.Ceil(math.Log10(low)-1e-9)), int(math.Floor(math.Log10(high)+1e-9))
	step := 1 + (last-first)/most
	var out []plot.Tick
	for e := first; e <= last; e++ {
		t := plot.Tick{Value: math.Pow10(e)}
		if (e-first)%step == 0 {
			t.Label = fmt.Sprintf("%g", t.Value)
		}
		out = append(out, t)
	}
	return out
}

// Curve adds the curve through the points (x[k], y[k]) and names it in the
// legend unless the name is empty. It panics when x and y differ in length.
func Curve(p *plot.Plot, name string, c color.Color, x, y []float64) {
	l := &plotter.Line{XYs: points(x, y), LineStyle: draw.LineStyle{Color: c, Width: vg.Points(1.3)}}
	p.Add(l)
	if name != "" {
		p.Legend.Add(name, l)
	}
}

// Dots adds a dot at every point (x[k], y[k]), and names them like Curve.
func Dots(p *plot.Plot, name string, c color.Color, x, y []float64) {
	s := &plotter.Scatter{XYs: points(x, y), GlyphStyle: draw.GlyphStyle{Color: c, Radius: vg.Points(2.5), Shape: draw.CircleGlyph{}}}
	p.Add(s)
	if name != "" {
		p.Legend.Add(name, s)
	}
}

func points(x, y []float64) plotter.XYs {
	if len(x) != len(y) {
		panic(fmt.Sprintf("show: %d abscissas and %d ordinates", len(x), len(y)))
	}
	xy := make(plotter.XYs, len(x))
	for k := range x {
		xy[k] = plotter.XY{X: x[k], Y: y[k]}
	}
	return xy
}

// SVG shows a drawing, no wider than the page.
func SVG(svg []byte) {
	s := string(svg)
	if i := strings.Index(s, "<svg"); i > 0 {
		s = s[i:]
	}
	s = strings.Replace(s, "<svg", `<svg style="max-width:100%;height:auto"`, 1)
	s = strings.ReplaceAll(s, "font-family:Liberation Sans;", "font-family:Liberation Sans,Arial,sans-serif;")
	gonbui.DisplayHTML("<div>" + s + "</div>")
	gonbui.Sync()
}

// Plot draws a plot of the given width and height in centimetres. It panics
// where a plot cannot be drawn, for instance zero on a logarithmic axis.
func Plot(p *plot.Plot, width, height float64) {
	if _, ok := p.Y.Scale.(plot.LogScale); ok && p.Y.Label.Text != "" {
		// The plot package keeps room for this label about the arithmetic middle
		// of the axis, which on a logarithmic one lies near the top.
		p.Title.Text, p.Y.Label.Text = p.Title.Text+": "+p.Y.Label.Text, ""
	}
	p.Legend.XOffs = -vg.Points(4)
	if p.Legend.Left {
		p.Legend.XOffs = vg.Points(10)
	}
	w, err := p.WriterTo(vg.Length(width)*vg.Centimeter, vg.Length(height)*vg.Centimeter, "svg")
	if err != nil {
		panic(fmt.Sprintf("show: %v", err))
	}
	var svg bytes.Buffer
	if _, err := w.WriteTo(&svg); err != nil {
		panic(fmt.Sprintf("show: %v", err))
	}
	SVG(svg.Bytes())
}

// Report shows those plots of a report whose names are given, in that order,
// or all of them. It panics when there is no plot of a name.
func Report(plots []report.Plot, names ...string) {
	byName := map[string][]byte{}
	var have []string
	for _, p := range plots {
		byName[p.Name] = p.SVG
		have = append(have, p.Name)
	}
	if len(names) == 0 {
		names = have
	}
	for _, name := range names {
		svg, ok := byName[name]
		if !ok {
			panic(fmt.Sprintf("show: no plot %q; there are %s", name, strings.Join(have, ", ")))
		}
		SVG(svg)
	}
}

// Holds prints a statement that a cell has checked. It panics with the statement where it does not hold,
// so that a notebook makes no claim that its own figures deny.
func Holds(ok bool, format string, args ...any) {
	statement := fmt.Sprintf(format, args...)
	if !ok {
		panic("show: this does not hold: " + statement)
	}
	fmt.Println("✓ " + statement)
}

// Table collects rows under a line of headings. A column whose first row begins
// with a number is set to the right.
type Table struct {
	head []string
	rows [][]string
}

// NewTable returns a table with the given headings and no rows.
func NewTable(headings ...string) *Table { return &Table{head: headings} }

// Row adds a row. A cell that is a float64 is printed with four digits,
// anything else as fmt does. It panics when the row has not as many cells as
// there are headings.
func (t *Table) Row(cells ...any) {
	if len(cells) != len(t.head) {
		panic(fmt.Sprintf("show: a row of %d cells under %d headings", len(cells), len(t.head)))
	}
	row := make([]string, len(cells))
	for i, c := range cells {
		if x, ok := c.(float64); ok {
			row[i] = fmt.Sprintf("%.4g", x)
		} else {
			row[i] = fmt.Sprint(c)
		}
	}
	t.rows = append(t.rows, row)
}

// Show displays the table.
func (t *Table) Show() {
	if !gonbui.IsNotebook {
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, strings.Join(t.head, "\t"))
		for _, r := range t.rows {
			fmt.Fprintln(w, strings.Join(r, "\t"))
		}
		w.Flush()
		return
	}
	gonbui.DisplayHTML(t.html())
	gonbui.Sync()
}

func (t *Table) html() string {
	var b strings.Builder
	b.WriteString("<table>\n")
	t.line(&b, "th", t.head)
	for _, r := range t.rows {
		t.line(&b, "td", r)
	}
	b.WriteString("</table>\n")
	return b.String()
}

func (t *Table) line(b *strings.Builder, tag string, cells []string) {
	b.WriteString("<tr>")
	for i, c := range cells {
		fmt.Fprintf(b, `<%s style="text-align:%s">%s</%s>`, tag, t.align(i), html.EscapeString(c), tag)
	}
	b.WriteString("</tr>\n")
}

func (t *Table) align(column int) string {
	if len(t.rows) > 0 {
		cell := strings.TrimLeft(t.rows[0][column], "+-")
		if len(t.rows[0][column])-len(cell) <= 1 && cell != "" && cell[0] >= '0' && cell[0] <= '9' {
			return "right"
		}
	}
	return "left"
}
