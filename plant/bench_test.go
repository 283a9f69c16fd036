package plant

import (
	"context"
	"math/rand/v2"
	"testing"

	"ident/internal/testrobot"
	"ident/servo"
)

// A second of seven joints under a controller at 1 kHz, a row each millisecond.
func BenchmarkFollow(b *testing.B) {
	r := testrobot.Random(rand.New(rand.NewPCG(1, 2)), 7, false)
	kp, kd, gain := make([]float64, 7), make([]float64, 7), make([]float64, 7)
	for j := range r.Links {
		n := &r.Links[j].Joint
		n.Fv, n.Fs, n.Fo, n.Ia = 1, 2, 0, 0.5
		kp[j], kd[j], gain[j] = 500, 50, 1
	}
	p, err := New(r, Options{Tolerance: 1e-6})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		err := p.Follow(context.Background(), swing{}, Control{Law: servo.PD(kp, kd, gain), Period: 1e-3}, Run{Every: 1, Samples: 1001}, func(Row) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
}
