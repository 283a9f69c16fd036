package feet

import (
	"testing"

	"ident/internal/spatial"
	"ident/regressor"
)

func BenchmarkFollow(b *testing.B) {
	s := newStance(b, 9, 10, spatial.Vec{})
	sticking, err := regressor.NewSticking(s.robot, s.feet)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Follow(s.base, sticking, &s.log, s.sensor, gravity); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(s.log.Q[0])), "ns/sample")
}
