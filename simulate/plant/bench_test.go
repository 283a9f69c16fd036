package plant

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"ident/robot"
	"ident/simulate/servo"
)

// sevenJoints is an arm of the size of a light industrial robot: seven joints that turn, alternately about
// the arm and across it, with friction.
func sevenJoints() *robot.Robot {
	frames := []robot.MDHFrame{{Antecedent: -1}}
	for j := 1; j < 7; j++ {
		f := robot.MDHFrame{Antecedent: j - 1, Alpha: math.Pi / 2}
		if j%2 == 0 {
			f.Alpha, f.R = -math.Pi/2, []float64{0, 0, 0.4, 0, 0.4, 0, 0.1}[j]
		}
		frames = append(frames, f)
	}
	r := robot.FromMDH("seven joints", frames)
	for j, m := range []float64{4, 4, 3, 2.7, 1.7, 1.6, 0.3} {
		l := &r.Links[j]
		l.HasInertial = true
		i := m * 0.01
		l.Inertial = robot.InertialFromCentral(m, [3]float64{0.01, 0.03, 0.1}, [3][3]float64{{i}, {0, i}, {0, 0, i / 2}})
		l.Joint.Fv, l.Joint.Fs, l.Joint.Ia = 1, 2, 0.3
	}
	return r
}

// A second of seven joints under a controller at 1 kHz, a row each millisecond.
func BenchmarkFollow(b *testing.B) {
	r := sevenJoints()
	for _, tolerance := range []float64{1e-6, 1e-10} {
		p, err := New(r, Options{Tolerance: tolerance})
		if err != nil {
			b.Fatal(err)
		}
		model, err := NewModel(r)
		if err != nil {
			b.Fatal(err)
		}
		law := servo.NewGravity(servo.PD(slices.Repeat([]float64{400}, 7), slices.Repeat([]float64{40}, 7), slices.Repeat([]float64{1}, 7)), model)
		b.Run(fmt.Sprintf("tolerance %g", tolerance), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				err := p.Follow(context.Background(), swing{}, Control{Law: law, Period: 1e-3}, Run{Every: 1, Samples: 1001}, func(Row) error { return nil })
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
