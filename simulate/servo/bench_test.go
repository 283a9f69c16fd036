package servo_test

import (
	"testing"

	"ident/simulate/servo"
)

// BenchmarkLoop simulates a second of six joints with dry friction at 1 kHz, without and with derivatives by all base parameters.
func BenchmarkLoop(b *testing.B) {
	_, m, x, ctl, ref := arm(b, 6, true)
	loop, err := servo.New(m.Compiled(), ctl, servo.Options{})
	if err != nil {
		b.Fatal(err)
	}
	n := m.Joints()
	q, dq, ddq := make([]float64, n), make([]float64, n), make([]float64, n)
	ref.Eval(0, q, dq, ddq)
	for name, derivatives := range map[string]bool{"motion": false, "derivatives": true} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := loop.Run(x, ref, 0, 0.001, 1000, q, dq, derivatives); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
