package watch

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Stamps that are farther off an even rate than those of the quiet logs are told once, at any rate; stamps as uneven as theirs are not.
func TestUnevenStamps(t *testing.T) {
	for _, c := range []struct {
		rate, jitter, quiet float64 // jitter in steps
		told                int
	}{{200, 0, 0, 0}, {200, 0.1, 0, 0}, {200, 0.25, 0, 1}, {1000, 0.25, 0, 1}, {50, 0.25, 0.25, 0}, {200, 0.02, 0.25, 0}} {
		rng := rand.New(rand.NewPCG(71, 0))
		stamps := func(jitter float64) (steps []float64) {
			last := math.NaN()
			for k := range 2001 {
				s := (float64(k) + jitter*(2*rng.Float64()-1)) / c.rate
				if k > 0 {
					steps = append(steps, s-last)
				}
				last = s
			}
			return steps
		}
		_, quiet := steady(stamps(c.quiet))
		var p pace
		told, now := 0, 0.0
		for _, s := range append([]float64{0}, stamps(c.jitter)...) {
			now += s
			if text := p.add(now, c.rate, quiet); text != "" {
				told++
				if !strings.Contains(text, "stamps") {
					t.Error(text)
				}
			}
		}
		if told != c.told {
			t.Errorf("%+v: told %d times", c, told)
		}
	}
}
