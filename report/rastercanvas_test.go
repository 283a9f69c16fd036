package report

import (
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// A line stroked in pieces must look like the line stroked whole, up to
// the antialiasing of the joints; a dashed line must be the same.
func TestPiecesLookLikeTheWhole(t *testing.T) {
	var line vg.Path
	for i := range 500 {
		p := vg.Point{X: vg.Length(float64(i) * 0.4), Y: vg.Length(50 + 40*math.Sin(float64(i)*0.7))}
		if i == 0 {
			line.Move(p)
		} else {
			line.Line(p)
		}
	}
	for _, dashes := range [][]vg.Length{nil, {3, 2}} {
		whole := vgimg.NewWith(vgimg.UseWH(200, 100), vgimg.UseDPI(72))
		pieces := vgimg.NewWith(vgimg.UseWH(200, 100), vgimg.UseDPI(72))
		for _, c := range []vg.Canvas{whole, &rasterCanvas{Canvas: pieces}} {
			c.Push()
			c.SetLineDash(dashes, 0)
			c.SetColor(color.Black)
			c.SetLineWidth(1)
			c.Stroke(line)
			c.Pop()
		}
		differ := 0
		for x := range 200 {
			for y := range 100 {
				a, _, _, _ := whole.Image().At(x, y).RGBA()
				b, _, _, _ := pieces.Image().At(x, y).RGBA()
				if math.Abs(float64(a)-float64(b)) > 0.25*0xffff {
					differ++
				}
			}
		}
		limit := 60
		if dashes != nil {
			limit = 0
		}
		if differ > limit {
			t.Errorf("dashes %v: %d of 20000 pixels differ, at most %d may", dashes, differ, limit)
		}
	}
}
