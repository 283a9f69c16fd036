package report

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// svgCanvas draws an SVG, with coordinates in tenths of a point, relative to the point before. It writes long polylines itself,
// which is shorter: gonum's drawing has a path of one point as a placeholder for each, which Short replaces.
type svgCanvas struct {
	*vgsvg.Canvas
	lines []string
}

const (
	fewestPoints = 8         // of a polyline that SVG writes
	lineMark     = 1e9       // abscissa of the point that stands for a polyline; its ordinate is the polyline's number
	maxLines     = 99999     // numbers that gonum writes with all digits, of which it has five
	markedPath   = "M1e+09," // how gonum begins the path of lineMark
)

// Stroke implements vg.Canvas.
func (c *svgCanvas) Stroke(p vg.Path) {
	if len(p) < fewestPoints || len(c.lines) == maxLines || !isPolyline(p) {
		c.Canvas.Stroke(p)
		return
	}
	var w pathWriter
	for i, comp := range p {
		if !w.point(comp.Pos.X.Points(), comp.Pos.Y.Points(), i == 0) {
			c.Canvas.Stroke(p)
			return
		}
	}
	var mark vg.Path
	mark.Move(vg.Point{X: lineMark, Y: vg.Length(len(c.lines))})
	c.Canvas.Stroke(mark)
	c.lines = append(c.lines, string(w.data))
}

// newSVGCanvas returns an empty canvas.
func newSVGCanvas(width, height vg.Length) *svgCanvas {
	return &svgCanvas{Canvas: vgsvg.New(width, height)}
}

// Short rewrites the polylines of the canvas's document, or of a part of it, with coordinates in tenths of a
// point, relative to the point before, which makes a file about three times
// smaller. Paths with curves stay as they are.
func (c *svgCanvas) Short(s string) string {
	const open = `<path d="`
	var b strings.Builder
	b.Grow(len(s))
	for {
		before, rest, found := strings.Cut(s, open)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString(open)
		end := strings.IndexByte(rest, '"')
		if end < 0 {
			b.WriteString(rest)
			return b.String()
		}
		data := rest[:end]
		if number, marked := strings.CutPrefix(data, markedPath); marked {
			if k, err := strconv.Atoi(number); err == nil && k < len(c.lines) {
				data = c.lines[k]
			}
		} else if short, ok := shortPath(data); ok {
			data = short
		}
		b.WriteString(data)
		s = rest[end:]
	}
}

// shortPath rewrites path data of absolute M, L and Z commands; ok is false for
// any other.
func shortPath(d string) (short string, ok bool) {
	var w pathWriter
	for len(d) > 0 {
		command := d[0]
		d = d[1:]
		if command == 'Z' {
			w.close()
			continue
		}
		if command != 'M' && command != 'L' {
			return "", false
		}
		end := strings.IndexAny(d, "MLZACQ")
		if end < 0 {
			end = len(d)
		}
		first, second, found := strings.Cut(d[:end], ",")
		d = d[end:]
		x, errX := strconv.ParseFloat(first, 64)
		y, errY := strconv.ParseFloat(second, 64)
		if !found || errX != nil || errY != nil || !w.point(x, y, command == 'M') {
			return "", false
		}
	}
	return string(w.data), true
}

// pathWriter writes path data in tenths of a point. Positions are rounded before differences are taken, so that
// rounding does not add up along the line.
type pathWriter struct {
	data []byte
	x, y int  // last point, in tenths
	last byte // last command
}

// point moves to a point, or draws a line to it; false where the point is too far away, or a line follows a closed path, which
// starts elsewhere.
func (w *pathWriter) point(px, py float64, move bool) bool {
	if !(math.Abs(px) <= 1e6 && math.Abs(py) <= 1e6) || !move && w.last == 'Z' {
		return false
	}
	x, y := int(math.Round(10*px)), int(math.Round(10*py))
	if move {
		w.data = append(w.data, 'M')
		w.tenths(x, false)
		w.tenths(y, true)
		w.x, w.y, w.last = x, y, 'M'
		return true
	}
	if w.last != 'L' {
		w.data = append(w.data, 'l')
	}
	w.tenths(x-w.x, w.last == 'L')
	w.tenths(y-w.y, true)
	w.x, w.y, w.last = x, y, 'L'
	return true
}

// close goes back to the start of the path.
func (w *pathWriter) close() {
	w.data = append(w.data, 'Z')
	w.last = 'Z'
}

// tenths writes v/10 as short as it goes, after a comma where the number
// would otherwise run into the one before.
func (w *pathWriter) tenths(v int, follows bool) {
	switch {
	case v < 0:
		w.data = append(w.data, '-')
		v = -v
	case follows:
		w.data = append(w.data, ',')
	}
	if v >= 10 || v == 0 {
		w.data = strconv.AppendInt(w.data, int64(v/10), 10)
	}
	if v%10 != 0 {
		w.data = append(w.data, '.', byte('0'+v%10))
	}
}
