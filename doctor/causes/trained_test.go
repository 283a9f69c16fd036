package causes_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/doctor/causes"
)

// A fault of a new log has more evidence beside the logs that trained, and a sound log has none.
func TestTrained(t *testing.T) {
	r, sound := swing(t, 0)
	evidence := func(l causes.Log, kind string, trained ...causes.Log) (nats float64, named bool) {
		rep := judgeBeside(t, r, l, trained)
		for _, c := range rep.Causes {
			if c.Kind == kind {
				return c.Nats, rep.Named
			}
		}
		return math.Inf(-1), rep.Named
	}
	another := func(seed uint64) causes.Log {
		_, l := swing(t, 0)
		rng := rand.New(rand.NewPCG(seed, 1))
		for j := range l.Segments[0].Effort {
			for k := range l.Segments[0].Effort[j] {
				l.Segments[0].Effort[j][k] += 0.1 * rng.NormFloat64()
			}
		}
		return l
	}
	for _, c := range []struct {
		kind  string
		spoil func(s *causes.Segment)
	}{
		{causes.Zero, func(s *causes.Segment) {
			for k := range s.Q[1] {
				s.Q[1][k] += 0.2
			}
		}},
		{causes.Scale, func(s *causes.Segment) {
			for k := range s.Effort[0] {
				s.Effort[0][k] *= 0.85
			}
		}},
	} {
		l := another(3)
		l.Segments = slices.Clone(l.Segments)
		c.spoil(&l.Segments[0])
		free, _ := evidence(l, c.kind)
		fixed, _ := evidence(l, c.kind, sound)
		if !(fixed > free+5) {
			t.Errorf("%s: %.1f nats beside the log that trained, %.1f without", c.kind, fixed, free)
		}
	}
	if rep := judgeBeside(t, r, another(4), []causes.Log{sound}); rep.Named {
		t.Errorf("a sound log: %+v", rep.Causes[0])
	}
}
