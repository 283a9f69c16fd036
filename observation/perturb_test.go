package observation

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"ident/datasets"
)

// Draws for a resampled run are those of its rows: other processors round what is resampled otherwise, and must draw the same. Another
// run draws others, and the order of the runs does not matter.
func TestDrawsAreThoseOfTheRows(t *testing.T) {
	head := func(phase float64) Source {
		var at, q []float64
		for k := range 300 {
			at = append(at, 0.01*float64(k)+0.003*math.Sin(float64(7*k)))
			q = append(q, math.Sin(2*at[k]+phase))
		}
		run := Run{Name: "uneven", Roles: datasets.Roles{T: "t", Q: []string{"q1"}},
			Log: datasets.FromColumns("uneven", []datasets.Channel{{Name: "t"}, {Name: "q1"}}, [][]float64{at, q}, nil)}
		segments, _, err := Segments(0, &run, []string{"t", "q1"}, false)
		if err != nil || len(segments) != 1 || segments[0].Uniform {
			t.Fatalf("%v, %v: one resampled segment is wanted", segments, err)
		}
		s := Source{Run: &run, Segment: &segments[0], Layout: NewLayout(&run, Choice{}), Plan: Plan{Core: 300}}
		out, err := s.Head(t.Context(), 200)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	noise := [][]JointNoise{{{}}}
	noise[0][0].Position.Sigma = 1
	draw := func(sources ...Source) [][][]float64 { return DrawNoise(rand.New(rand.NewPCG(1, 2)), noise, sources) }
	a, b := head(0), head(0.5)
	both := draw(a, b)
	if turned := draw(b, a); !reflect.DeepEqual(both[0], turned[1]) || !reflect.DeepEqual(both[1], turned[0]) {
		t.Error("the draws depend on the order of the runs")
	}
	if reflect.DeepEqual(both[0], both[1]) {
		t.Error("two runs have the same draw")
	}
	rounded := head(0)
	for k, v := range rounded.Samples[0] {
		rounded.Samples[0][k] = math.Nextafter(v, 2)
	}
	if !reflect.DeepEqual(draw(rounded)[0], both[0]) {
		t.Error("the last bits of resampled positions change the draw")
	}
}
