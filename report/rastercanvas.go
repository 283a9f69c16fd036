package report

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// rasterCanvas strokes long lines in short pieces. The rasteriser below vgimg
// searches the cells of a scan line one after another, so that the cost of a
// line that crosses the panel a thousand times grows with the square of its
// length. Pieces share their end points; in an opaque colour the seams do not
// show. Dashed lines stay whole, since their pattern runs on.
type rasterCanvas struct {
	*vgimg.Canvas
	dashed bool
	stack  []bool // value of dashed for each state pushed
}

// piecePoints is the length of a piece.
const piecePoints = 32

// SetLineDash implements vg.Canvas.
func (c *rasterCanvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	c.dashed = len(pattern) > 0
	c.Canvas.SetLineDash(pattern, offset)
}

// Push implements vg.Canvas.
func (c *rasterCanvas) Push() {
	c.stack = append(c.stack, c.dashed)
	c.Canvas.Push()
}

// Pop implements vg.Canvas.
func (c *rasterCanvas) Pop() {
	c.dashed = c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
	c.Canvas.Pop()
}

// Stroke implements vg.Canvas.
func (c *rasterCanvas) Stroke(p vg.Path) {
	if c.dashed || len(p) <= piecePoints || !isPolyline(p) {
		c.Canvas.Stroke(p)
		return
	}
	for first := 0; first+1 < len(p); first += piecePoints {
		var piece vg.Path
		piece.Move(p[first].Pos)
		for _, comp := range p[first+1 : min(first+piecePoints+1, len(p))] {
			piece.Line(comp.Pos)
		}
		c.Canvas.Stroke(piece)
	}
}

// isPolyline reports whether a path is one unbroken line.
func isPolyline(p vg.Path) bool {
	for i, comp := range p {
		if (i == 0) != (comp.Type == vg.MoveComp) || i > 0 && comp.Type != vg.LineComp {
			return false
		}
	}
	return true
}
