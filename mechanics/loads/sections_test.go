package loads

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"ident/internal/spatial"
	"ident/robot"
)

// The lightest tube of a cantilever with 5 kg at its end is that of the formulas: the deflection of load and 3/8 of its own weight,
// (5 + 3m/8)·g·l³/3EI, where that is the limit, and the stress of both weights at the root, (5 + m/2)·g·l/W, where stress is.
func TestSectionsOfACantilever(t *testing.T) {
	const ratio, density, g = 0.75, 2700, 9.81
	m := Materials()["AlMg3"]
	radius := func(excess func(outer float64) float64) float64 { // above one below it
		low, high := 1e-3, 1.0
		for range 100 {
			if mid := (low + high) / 2; excess(mid) > 1 {
				low = mid
			} else {
				high = mid
			}
		}
		return high
	}
	mass := func(outer float64) float64 { return density * TubeSection(outer, ratio*outer).Area }
	bends := func(limit float64) func(outer float64) float64 {
		return func(outer float64) float64 {
			return (5 + 3*mass(outer)/8) * g / (3 * m.Young * TubeSection(outer, ratio*outer).IX) / limit
		}
	}
	stress := func(outer float64) float64 {
		return (5 + mass(outer)/2) * g / TubeSection(outer, ratio*outer).WX / m.Tension
	}
	r, s := cantilever(1, "{tube: {outer: 0.02, inner: 0.015}, material: AlMg3, to: [1, 0, 0]}")
	r.Gravity = [3]float64{0, 0, -g}
	payload := Options{Payload: &Payload{Link: 0, Body: robot.InertialFromCentral(5, [3]float64{1, 0, 0}, spatial.Mat{}), Point: [3]float64{1, 0, 0}}}
	search := SectionSearch{Links: []int{0}, Ratio: ratio, Density: density, Lower: 0.005, Upper: 0.1, Deflection: 1e-3}
	for name, c := range map[string]struct {
		limit, want float64
		binding     string
	}{"deflection": {1e-3, radius(bends(1e-3)), "deflection"}, "stress": {0, radius(stress), "stress"}} {
		search.Deflection = c.limit
		got, err := Sections(context.Background(), r, s, payload, search)
		if err != nil {
			t.Fatal(err)
		}
		near(t, name, got.Outer[0], c.want, 2e-4) // stress has the compression of the weight in it, nearly none
		near(t, name+", mass", got.Mass, mass(got.Outer[0]), 1e-9)
		if !strings.Contains(got.Binding, c.binding) || got.Share > 1 || got.Share < 0.999 {
			t.Errorf("%s: %q is used to %g", name, got.Binding, got.Share)
		}
	}
	// No section does where the weight of the tube alone bends it too far: the binding limit is named.
	search.Deflection = 1e-6
	var no *SectionError
	if _, err := Sections(context.Background(), r, s, payload, search); !errors.As(err, &no) || !strings.Contains(no.Error(), "deflection") {
		t.Errorf("a micrometre: %v", err)
	}
	for _, bad := range []SectionSearch{{}, {Links: []int{0}, Ratio: 1}, {Links: []int{0}, Density: -1, Lower: 0.01, Upper: 0.1}, {Links: []int{0}, Density: 1, Lower: 0.1, Upper: 0.01}} {
		if _, err := Sections(context.Background(), r, s, payload, bad); err == nil {
			t.Errorf("%+v has sections", bad)
		}
	}
}

// Two links in a row get tubes of their own: the second, which carries less, is thinner, together they are lighter than tubes of one radius, and a
// limit is used up.
func TestSectionsOfTwoLinks(t *testing.T) {
	r, s := cantilever(2, "{tube: {outer: 0.02, inner: 0.015}, material: AlMg3}")
	r.Links[1].Section = "{tube: {outer: 0.02, inner: 0.015}, material: AlMg3, to: [0.5, 0, 0]}"
	r.Gravity = [3]float64{0, 0, -9.81}
	payload := Options{Payload: &Payload{Link: 1, Body: robot.InertialFromCentral(5, [3]float64{0.5, 0, 0}, spatial.Mat{}), Point: [3]float64{0.5, 0, 0}}}
	search := SectionSearch{Links: []int{0, 1}, Ratio: 0.75, Density: 2700, Lower: 0.005, Upper: 0.1}
	got, err := Sections(context.Background(), r, s, payload, search)
	if err != nil {
		t.Fatal(err)
	}
	common := search
	common.Lower = got.Outer[0] * 0.999 // the first link needs this
	one, err := search.try(context.Background(), r, s, payload, []float64{got.Outer[0], got.Outer[0]})
	if err != nil {
		t.Fatal(err)
	}
	if !(got.Outer[1] < 0.9*got.Outer[0]) || !(got.Mass < one.Mass) || math.Abs(got.Share-1) > 1e-3 {
		t.Errorf("radii %v of %.4g kg, %.4g kg with one, %q used to %g", got.Outer, got.Mass, one.Mass, got.Binding, got.Share)
	}
	// Neither can be a thousandth thinner.
	for k := range got.Outer {
		outer := []float64{got.Outer[0], got.Outer[1]}
		outer[k] *= 0.999
		if c, err := search.try(context.Background(), r, s, payload, outer); err != nil || c.Share <= 1 {
			t.Errorf("link %d can be thinner: %v, %v", k+1, c, err)
		}
	}
}
