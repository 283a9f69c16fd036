package observation

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestStateTorque(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "samples")
		column := func(name string) []float64 {
			return rapid.SliceOfN(rapid.Float64Range(-10, 10), n, n).Draw(t, name)
		}
		gain, emf := rapid.Float64Range(-3, 3).Draw(t, "gain"), rapid.Float64Range(0.1, 3).Draw(t, "back-EMF")
		measured, velocity := column("measured"), column("velocity")
		bare := new(State)
		current := &State{Gains: []float64{0, gain}}
		voltage := &State{Gains: []float64{0, gain}, BackEMF: []float64{0, emf}}
		for _, s := range []*State{bare, current, voltage} {
			apart, within := make([]float64, n), slices.Clone(measured)
			s.Torque(apart, 1, measured, velocity)
			s.Torque(within, 1, within, velocity)
			if !slices.Equal(apart, within) {
				t.Fatalf("in place the torque is %v, apart %v", within, apart)
			}
			for i, x := range measured {
				want := x
				if s != bare {
					want *= gain
				}
				if s == voltage {
					want -= emf * velocity[i]
				}
				if math.Abs(apart[i]-want) > 1e-12 {
					t.Fatalf("the torque is %g, want %g", apart[i], want)
				}
			}
		}
	})
}

func TestStateAt(t *testing.T) {
	one, two := Load{Link: 2}, []Load{{Link: 2, Number: 1}, {Link: 3, Number: 4}}
	for _, c := range []struct {
		loads []Load
		of    PayloadFlag
		flag  float64
		link  int // 0: none
	}{
		{[]Load{one}, PayloadFlag{Channel: "grip"}, 0, 0},
		{[]Load{one}, PayloadFlag{Channel: "grip"}, 1, 2},
		{[]Load{one}, PayloadFlag{Channel: "grip"}, 0.5, 0},
		{[]Load{one}, PayloadFlag{Channel: "grip"}, math.NaN(), 0},
		{[]Load{one}, PayloadFlag{Channel: "grip", Number: 3}, 1, 0},
		{[]Load{one}, PayloadFlag{Channel: "grip", Number: 3}, 3, 2},
		{two, PayloadFlag{Channel: "grip", Numbers: []int{1, 4}}, 1, 2},
		{two, PayloadFlag{Channel: "grip", Numbers: []int{1, 4}}, 4, 3},
		{two, PayloadFlag{Channel: "grip", Numbers: []int{1, 4}}, 2, 0},
		{two, PayloadFlag{Channel: "grip", Number: 4}, 4, 3},
	} {
		s := State{Loads: c.loads, Payload: c.of}
		link := 0
		if l := s.At(c.flag); l != nil {
			link = l.Link
		}
		if link != c.link {
			t.Errorf("%+v at %g: link %d, want %d", c.of, c.flag, link, c.link)
		}
	}
}
