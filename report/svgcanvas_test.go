package report

import (
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
	"pgregory.net/rapid"
)

func TestShortPath(t *testing.T) {
	for in, want := range map[string]string{
		"M1.04,2L1.5,2.16L0,0Z": "M1,2l.5,.2-1.5-2.2Z",
		"M-0.3,0L-0.3,0":        "M-.3,0l0,0",
		"M10,20L13,20M5,5L6,6":  "M10,20l3,0M5,5l1,1",
	} {
		if got, ok := shortPath(in); !ok || got != want {
			t.Errorf("shortPath(%q) = %q, %v, want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"M1,2A3,3 0 0 1 4,5", "M1", "Mx,y", "M1,1L2,2ZL3,3"} {
		if got, ok := shortPath(in); ok {
			t.Errorf("shortPath(%q) = %q, want it refused", in, got)
		}
	}
}

// Rounding must not add up along a path.
func TestShortPathStaysNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-900, 900), 4, 200).Draw(t, "xs")
		var b strings.Builder
		for i := 0; i+1 < len(xs); i += 2 {
			b.WriteString(map[bool]string{true: "M", false: "L"}[i == 0])
			b.WriteString(strconv.FormatFloat(xs[i], 'g', 5, 64) + "," + strconv.FormatFloat(xs[i+1], 'g', 5, 64))
		}
		short, ok := shortPath(b.String())
		if !ok {
			t.Fatalf("refused %q", b.String())
		}
		head, tail, _ := strings.Cut(short[1:], "l")
		at := numbersOf(t, head)
		rel := numbersOf(t, tail)
		for i := 0; i < len(rel); i += 2 {
			at[0], at[1] = at[0]+rel[i], at[1]+rel[i+1]
			if math.Abs(at[0]-xs[i+2]) > 0.06 || math.Abs(at[1]-xs[i+3]) > 0.06 {
				t.Fatalf("point %d is (%g, %g), want (%g, %g)", i/2+1, at[0], at[1], xs[i+2], xs[i+3])
			}
		}
	})
}

// numbersOf reads path numbers, which a comma or a sign separates.
func numbersOf(t *rapid.T, s string) []float64 {
	var out []float64
	for _, w := range strings.Fields(strings.ReplaceAll(strings.ReplaceAll(s, ",", " "), "-", " -")) {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// A long line that the canvas writes itself has the points of gonum's own drawing.
func TestLinesOfTheCanvas(t *testing.T) {
	var line vg.Path
	for i := range 40 {
		p := vg.Point{X: vg.Length(i) * 2.5, Y: vg.Length(50 + 40*math.Sin(float64(i)))}
		if i == 0 {
			line.Move(p)
		} else {
			line.Line(p)
		}
	}
	ours, theirs := newSVGCanvas(100, 100), vgsvg.New(100, 100)
	var texts [2]string
	for i, c := range []vg.Canvas{ours, theirs} {
		c.SetLineWidth(1)
		c.Stroke(line)
		c.Stroke(line[:3])
		var b strings.Builder
		if _, err := c.(interface {
			WriteTo(io.Writer) (int64, error)
		}).WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		texts[i] = ours.Short(b.String())
	}
	if texts[0] != texts[1] || len(ours.lines) != 1 {
		t.Errorf("%d lines written:\n%s\nwant\n%s", len(ours.lines), texts[0], texts[1])
	}
}
